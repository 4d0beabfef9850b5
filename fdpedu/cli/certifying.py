"""``fdpedu certify``: how many forged rows one released tree can stand, on test rows, of which it tells exactly."""

from __future__ import annotations

import argparse
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fdpedu.cli.csv_data import add_csv, forms_of, require_apart, require_readable
from fdpedu.cli.models import load_model
from fdpedu.cli.parser import DONE, REFUSED, Commands, Refused, print_json, refusing, wrapped
from fdpedu.cli.wording import in_options
from fdpedu.showing import text_table

if TYPE_CHECKING:
    from fdpedu.domain.tables import Named
    from fdpedu.robust import Certificate
    from fdpedu.trees import Tree


def add(commands: Commands) -> None:
    certify = commands.add_parser(
        "certify",
        help="how many forged rows a tree of public splits can stand, on test rows that are public",
        description="How many forged rows a tree of public splits can stand, on test rows. Of the rows it was learnt "
        "from it uses what was released. Of the test rows each number is an exact function, with no ε: they must "
        "be public, or the output is for their owner's own eyes.",
    )
    certify.add_argument("tree", help="as `fdpedu fit --model privatree --leaves counts` writes it, of public splits")
    certify.add_argument(
        "data", metavar="CSV", help="a file of test rows: public or your own, and none that was learnt from"
    )
    certify.add_argument("--label", required=True, metavar="COLUMN", help="the column of the class")
    asked = certify.add_mutually_exclusive_group(required=True)
    asked.add_argument("--rows", type=int, metavar="X", help="forged rows: what accuracy is left after them")
    asked.add_argument("--target", metavar="SHARE", help="an accuracy, such as 0.8: the most forged rows that leave it")
    certify.add_argument(
        "--confidence", default="19/20", help="over the noise that was released, for all leaves at once (default 19/20)"
    )
    add_csv(certify)
    certify.set_defaults(run=_certify)


def _certify(options: argparse.Namespace) -> int:
    from fdpedu.robust import certify

    tree = _certifiable(options.tree)
    require_readable([options.data])
    require_apart([options.tree, options.data], [])
    table, labels = _test_rows(options, tree)
    found = certify(tree, table, labels, rows=options.rows, target=options.target, confidence=options.confidence)
    print_json(_content(found)) if options.json else _print(found)
    return REFUSED if found.rows is None else DONE


def _certifiable(file: str) -> Tree:
    """The tree of a file; one that promises nothing by itself is refused by name, and so is an ensemble."""
    from fdpedu.robust.certificate import require_certifiable
    from fdpedu.trees import Tree

    model = load_model(file)
    if not isinstance(model, Tree):
        raise Refused(f"{file} holds an ensemble, whose trees asked about rows: a certificate is for one tree")
    try:
        require_certifiable(model)
    except ValueError as refusal:
        raise Refused(f"{file}: {in_options(str(refusal), {'leaves': '--leaves'})}") from None
    return model


def _test_rows(options: argparse.Namespace, tree: Tree) -> tuple[Named, list[Any]]:
    """The rows and their classes; refused, by line, if they are not of the tree's domain."""
    from fdpedu.domain import read_csv
    from fdpedu.federation import Party

    form = forms_of(options, tree.domain)[options.data]
    with refusing(ValueError):
        Party.from_csv(options.data, tree.domain, label=options.label, name=Path(options.data).stem, **form)
        table = read_csv(options.data, tree.domain, label=options.label, **form)
        labels = table.column(options.label)
        if not labels:
            raise ValueError(f"{options.data} has no rows: a certificate is about the accuracy on some")
    return table, list(labels)


def _print(found: Certificate) -> None:
    """The numbers, then in sentences where they come from and what they rest on."""
    sentences = ("because", "provided that")
    print(text_table([(name, value) for name, value in found.lines() if name not in sentences]))
    print(wrapped(f"Because: {found.reason}."))
    print("Provided that:", *(wrapped(f"  - {sentence}", 4) for sentence in found.assumptions), sep="\n")


def _content(found: Certificate) -> dict[str, Any]:
    """For JSON: shares as numbers that are rounded down, and the bound as the fraction that it is, too."""
    return {
        "rows": found.rows,
        "bound": _below(found.bound),
        "exact_bound": str(found.bound),
        "confidence": str(found.confidence),
        "curve": [_below(bound) for bound in found.curve],
        "reason": found.reason,
        "assumptions": list(found.assumptions),
    }


def _below(share: Fraction) -> float:
    """A number that is not above the share: seven digits, rounded down.

    >>> _below(Fraction(2, 3)), _below(Fraction(1))
    (0.6666666, 1.0)
    """
    return int(share * 10**7) / 10**7
