"""``fdpedu budget``, ``check-data``, ``fit`` and ``predict``: a private tree from files of one's own."""

from __future__ import annotations

import argparse
import csv
import io
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fdpedu.cli.parser import DONE, REFUSED, Commands, print_json, refusing, wrapped
from fdpedu.files import PreparedFile, reason

if TYPE_CHECKING:
    from fdpedu.accounting import Ledger
    from fdpedu.dlpa import TreeGuarantee
    from fdpedu.domain import Domain
    from fdpedu.federation import Federation, Party
    from fdpedu.trees import Tree


def add(commands: Commands) -> None:
    budget = commands.add_parser(
        "budget", help="a budget in a file, which no crash, restart or second process spends twice"
    )
    what = budget.add_subparsers(dest="what", required=True, metavar="create")
    create = what.add_parser("create", help="make the file; what it holds is fixed from then on")
    create.add_argument("file", help="a new file, on a local disk")
    create.add_argument("--domain", required=True, metavar="FILE", help="what is public: domain.json")
    create.add_argument("--limit", required=True, metavar="EPSILON", help="ε in all, such as 1, 0.5 or 1/3")
    create.add_argument(
        "--colluders", type=int, metavar="C", help="that all releases withstand (default: as the first)"
    )
    create.add_argument("--json", action="store_true", help="print one JSON object")
    create.set_defaults(run=_create_budget)

    check = commands.add_parser(
        "check-data", help="what would be clipped or refused; for the data's owner, not private"
    )
    _add_data(check)
    check.add_argument("--label", metavar="COLUMN", help="the column of the class")
    check.set_defaults(run=_check_data)

    fit = commands.add_parser("fit", help="grow a private tree from CSV files, one a site")
    _add_data(fit)
    fit.add_argument("--label", required=True, metavar="COLUMN", help="the column of the class")
    fit.add_argument("--by", metavar="COLUMN", help="the column of the site, if all sites are in one file")
    fit.add_argument("--epsilon", required=True, help="what the tree may cost, such as 1, 0.5 or 1/3")
    fit.add_argument("--budget", metavar="FILE", help="charge it to this budget (default: one of its own, not kept)")
    fit.add_argument("--max-depth", type=int, default=3, help="depth of the tree (default 3)")
    fit.add_argument("--min-samples-split", type=int, default=10, help="a node of fewer rows is a leaf (default 10)")
    fit.add_argument("--leaf-share", default="1/2", help="the part of ε for the counts of the leaves (default 1/2)")
    fit.add_argument("--tolerate", type=int, default=1, help="colluding sites that the noise withstands (default 1)")
    fit.add_argument("--out", metavar="FILE", help="write the tree there, with its derivation")
    fit.add_argument("--manifest", metavar="FILE", help="write there what crossed the transport")
    fit.set_defaults(run=_fit)

    predict = commands.add_parser("predict", help="the classes of the rows of a CSV file, by a tree")
    predict.add_argument("tree", help="as `fdpedu fit --out` writes it")
    predict.add_argument("data", help="a CSV file with the tree's features, in any order")
    predict.add_argument("--probabilities", action="store_true", help="the probability of each class beside it")
    predict.add_argument("--out", metavar="FILE", help="write there instead of on standard output")
    _add_csv(predict)
    predict.set_defaults(run=_predict)


def _add_data(command: argparse.ArgumentParser) -> None:
    command.add_argument("data", nargs="+", metavar="CSV", help="files whose first line names the columns")
    command.add_argument("--domain", required=True, metavar="FILE", help="what is public: domain.json")
    _add_csv(command)


def _add_csv(command: argparse.ArgumentParser) -> None:
    command.add_argument("--delimiter", help="between values (default: found in the first line)")
    command.add_argument("--decimal", default=".", choices=(".", ","), help="in numbers (default .)")
    command.add_argument("--encoding", default="utf-8-sig", help="of the files (default UTF-8)")
    command.add_argument("--json", action="store_true", help="print one JSON object")


def _form(options: argparse.Namespace) -> dict[str, Any]:
    return {"delimiter": options.delimiter, "decimal": options.decimal, "encoding": options.encoding}


def _require_readable(files: Sequence[str]) -> None:
    for file in files:
        try:
            with open(file, "rb"):
                pass
        except OSError as error:
            raise ValueError(f"cannot read {file}: {reason(error)}") from None


def _require_apart(read: Sequence[str | None], written: Sequence[str | None]) -> None:
    """No file is read twice, and none is written that is read, or written twice."""
    seen = set[str]()
    for file in filter(None, [*read, *written]):
        path = os.path.realpath(file)
        if path in seen:
            raise ValueError(f"{file} is named twice: every site has a file of its own, and nothing is written over it")
        seen.add(path)


def _create_budget(options: argparse.Namespace) -> int:
    from fdpedu.accounting import Ledger
    from fdpedu.domain import Domain

    domain = Domain.load(options.domain)
    if Path(options.file).exists():
        raise ValueError(
            f"{options.file} exists: a budget is not made anew, and what it holds is shown by `fdpedu show`"
        )
    with Ledger.open(options.file, options.limit, domain=domain, colluders=options.colluders) as ledger:
        if options.json:
            print_json({"file": options.file, "budget": str(ledger.budget), "colluders": ledger.colluders})
        else:
            print(f"{options.file} holds a budget of ε = {ledger.budget}, for the domain of {options.domain}.")
            print("Keep it on a local disk. An old copy that is put back cannot be noticed.")
    return DONE


def _check_data(options: argparse.Namespace) -> int:
    from fdpedu.domain import Domain, read_csv

    domain, reports = Domain.load(options.domain), {}
    _require_readable(options.data)
    for file in options.data:
        with refusing(ValueError):
            table = read_csv(file, domain, label=options.label, **_form(options))
            reports[file] = domain.check(table, label=options.label)
    if options.json:
        print_json({file: report.to_dict() for file, report in reports.items()})
    else:
        print("\n\n".join(f"{file}\n{report}" for file, report in reports.items()))
    return DONE if all(report.ok for report in reports.values()) else REFUSED


def _fit(options: argparse.Namespace) -> int:
    from fdpedu.accounting import BudgetExceeded
    from fdpedu.dlpa import tree_guarantee
    from fdpedu.domain import Domain
    from fdpedu.federation import Federation
    from fdpedu.trees import fit_federated_tree

    domain = Domain.load(options.domain)
    if options.by is not None and len(options.data) > 1:
        raise ValueError("--by divides one file into sites; without it, each file is a site")
    _require_readable(options.data)
    _require_apart([options.domain, options.budget, *options.data], [options.out, options.manifest])
    with refusing(ValueError):
        parties = _parties(options, domain)
    if len(parties) < 2:
        raise ValueError("a federation needs at least two sites: a file for each, or --by with the column of the site")
    with ExitStack() as stack:
        places = [stack.enter_context(PreparedFile(file)) if file else None for file in (options.out, options.manifest)]
        ledger = stack.enter_context(_ledger(options, domain))
        federation = Federation(parties, domain, ledger, tolerate=options.tolerate)
        promise = tree_guarantee(
            options.epsilon,
            n_features=domain.n_features,
            max_depth=options.max_depth,
            leaf_share=options.leaf_share,
            n_parties=federation.n_parties,
            colluders=1,
            tolerate=options.tolerate,
        )
        with refusing(BudgetExceeded):
            tree = fit_federated_tree(
                federation,
                max_depth=options.max_depth,
                min_samples_split=options.min_samples_split,
                leaf_share=options.leaf_share,
                epsilon=options.epsilon,
            )
        _write(places, tree, federation)
        told = _told(tree, federation)
    if options.json:
        print_json({**told, "tree": tree.to_dict(), "out": options.out})
    else:
        _print_fit(options, tree, told, promise)
    return DONE


def _print_fit(options: argparse.Namespace, tree: Tree, told: dict[str, Any], promise: TreeGuarantee) -> None:
    from fdpedu.dlpa.guarantee import side_by_side
    from fdpedu.exact import as_fraction, shown

    print(tree.to_text())
    print(f"\nThis tree costs at most ε = {shown(as_fraction(options.epsilon))}; rounds: {told['rounds']}.")
    print(f"So does every tree of its kind:\n{side_by_side(promise.rows())}")
    if options.budget:
        print(f"The budget {options.budget} has ε = {told['remaining']} left.")
    whole = "All that the budget may ever pay for" if options.budget else "It"
    print(wrapped(f"{whole} is {tree.derivation.guarantee}."))
    for file, what in ((options.out, "tree"), (options.manifest, "manifest")):
        if file:
            print(f"The {what} is in {file}.")


def _parties(options: argparse.Namespace, domain: Domain) -> Sequence[Party]:
    """One site a file; or with ``--by`` one site a value of that column, in one file."""
    from fdpedu.domain import read_csv
    from fdpedu.federation import Party, parties_from_frame

    if options.by is None:
        return [
            Party.from_csv(file, domain, label=options.label, name=Path(file).stem, **_form(options))
            for file in options.data
        ]
    table = read_csv(options.data[0], domain, label=options.label, **_form(options))
    return parties_from_frame(table, domain, label=options.label, by=options.by)


def _ledger(options: argparse.Namespace, domain: Domain) -> Ledger:
    """The budget in its file; or one of the tree's own, in memory."""
    from fdpedu.accounting import Ledger

    if options.budget is None:
        return Ledger(options.epsilon, domain=domain)
    if not Path(options.budget).exists():
        raise ValueError(f"there is no budget {options.budget}; make one with: fdpedu budget create")
    return Ledger.open(options.budget, domain=domain)


def _write(places: Sequence[PreparedFile | None], tree: Tree, federation: Federation) -> None:
    """Both files. What has been paid for is not lost with a full disk: then it goes to standard output."""
    texts = (tree.to_json(), federation.manifest.to_json(indent=1) + "\n")
    for place, text in zip(places, texts, strict=True):
        try:
            if place is not None:
                place.write(text)
        except ValueError:
            sys.stdout.write(text)
            raise


def _told(tree: Tree, federation: Federation) -> dict[str, Any]:
    guarantee = tree.derivation.guarantee
    return {
        "epsilon": str(guarantee.value),
        "colluders": guarantee.colluders,
        "spent": str(guarantee.spent),
        "remaining": str(federation.ledger.remaining()),
        "rounds": tree.rounds,
        "bytes": federation.bytes_sent,
    }


def _predict(options: argparse.Namespace) -> int:
    from fdpedu.domain import read_csv
    from fdpedu.trees import Tree

    tree = Tree.load(options.tree)
    _require_readable([options.data])
    _require_apart([options.tree, options.data], [options.out])
    with refusing(ValueError):
        table = read_csv(options.data, tree.domain, **_form(options))
        labels, shares = tree.predict(table).tolist(), tree.predict_proba(table).tolist()
    if options.json:
        rows = [{"class": label, **_named(tree, share, options)} for label, share in zip(labels, shares, strict=True)]
        print_json(rows)
        return DONE
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["class", *_named(tree, [0.0] * len(tree.classes), options)])
    writer.writerows(
        [label, *_named(tree, share, options).values()] for label, share in zip(labels, shares, strict=True)
    )
    if options.out:
        with PreparedFile(options.out) as place:
            place.write(text.getvalue())
    else:
        sys.stdout.write(text.getvalue())
    return DONE


def _named(tree: Tree, shares: Sequence[float], options: argparse.Namespace) -> dict[str, float]:
    """The probabilities by class, if they are asked for."""
    pairs = zip(tree.classes, shares, strict=True)
    return {str(label): round(share, 6) for label, share in pairs} if options.probabilities else {}
