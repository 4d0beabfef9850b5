"""``fdpedu predict`` and ``fdpedu score``: a model in use, for nothing; its score on private rows, paid for."""

from __future__ import annotations

import argparse
import csv
import io
import math
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from fdpedu.cli.csv_data import (
    add_csv,
    add_parties,
    forms_of,
    given_sites,
    left_in,
    opened_ledger,
    plain,
    read_owner,
    read_parties,
    require_apart,
    require_one_owner,
    require_readable,
)
from fdpedu.cli.delivery import delivering, require_output
from fdpedu.cli.models import load_model, name_of
from fdpedu.cli.parser import (
    DONE,
    Commands,
    add_overwrite,
    as_file,
    as_json,
    print_json,
    refusing,
    wrapped,
)
from fdpedu.files import PreparedFile
from fdpedu.showing import text_table

if TYPE_CHECKING:
    from fdpedu.accounting import Ledger
    from fdpedu.boosting import Ensemble
    from fdpedu.domain.tables import Named
    from fdpedu.estimators import NoisyFit, NoisyScore
    from fdpedu.federation import Party
    from fdpedu.trees import Tree


def add(commands: Commands) -> None:
    _add_predict(commands)
    _add_score(commands)


def _add_predict(commands: Commands) -> None:
    predict = commands.add_parser(
        "predict", help="the classes, or the numbers, of the rows of a CSV file, by a tree or an ensemble"
    )
    predict.add_argument("tree", help="as `fdpedu fit --out` writes it ('-' for standard input)")
    predict.add_argument("data", help="a CSV file with the model's features, in any order ('-' for standard input)")
    predict.add_argument("--probabilities", action="store_true", help="the probability of each class beside it")
    predict.add_argument(
        "--threshold",
        metavar="SCORE",
        help="of an ensemble of two classes: above it the second one (default: its own, or 0)",
    )
    predict.add_argument(
        "--keep", action="append", default=[], metavar="COLUMN", help="also this column of the file, such as a key"
    )
    predict.add_argument("--out", metavar="FILE", help="write there instead of on standard output")
    add_overwrite(predict, "out")
    add_csv(predict)
    predict.set_defaults(run=_predict)


def _add_score(commands: Commands) -> None:
    score = commands.add_parser("score", help="how often a model is right on private rows: noisy counts, paid for")
    score.add_argument("tree", help="as `fdpedu fit --out` writes it")
    data = score.add_argument(
        "data", nargs="+", metavar="CSV", default=[], help="files with its features and the class, one a site"
    )
    data.required = False  # with "*" argparse would take none where options stand before the files
    add_parties(score)
    score.set_defaults(tolerate=None)  # one is told from none, as one owner tolerates nobody
    score.add_argument(
        "--curator", action="append", metavar="CSV", help="the file of one owner who has all rows, in place of sites"
    )
    score.add_argument("--epsilon", required=True, help="what the counts cost, such as 1, 0.5 or 1/3")
    score.add_argument("--delta", help="δ, such as 1e-6: the counts are then paid in ρ (default: in ε)")
    score.add_argument(
        "--confusion", action="store_true", help="of classes: wrong predictions by their true class, for the same cost"
    )
    score.add_argument("--budget", metavar="FILE", help="charge it to this budget of the model's domain, too")
    add_csv(score)
    score.set_defaults(run=_score)


def _predict(options: argparse.Namespace) -> int:
    if options.tree == options.data == "-":
        raise ValueError("only one of the files can be standard input")
    with as_file(options.tree) as options.tree, as_file(options.data) as options.data:
        return _predict_rows(options)


def _predict_rows(options: argparse.Namespace) -> int:
    from fdpedu.domain import read_csv

    tree = load_model(options.tree)
    if options.probabilities:
        _require_probabilities(tree, options.tree)
    require_readable([options.data])
    require_apart([options.tree, options.data], [options.out])
    names = _names(tree, options)
    form = forms_of(options, tree.domain)[options.data]
    with refusing(ValueError):
        table = read_csv(options.data, tree.domain, every_line=True, **form)
        kept = _kept(table, options)
        labels = _predicted(tree, table, options.threshold).tolist()
        shares = tree.predict_proba(table).tolist() if options.probabilities else [()] * len(labels)
    rows = [
        [*keys, label, *(round(part, 6) for part in share)]
        for keys, label, share in zip(kept, labels, shares, strict=True)
    ]
    text = as_json([dict(zip(names, row, strict=True)) for row in rows]) if options.json else _as_csv([names, *rows])
    if options.out:
        with PreparedFile(options.out, overwrite=options.overwrite) as place:
            place.write(text)
    else:
        sys.stdout.write(text)
    return DONE


def _predicted(model: Tree | Ensemble, table: Named, threshold: str | None) -> Any:
    """The classes of the rows, or their numbers; of an ensemble by another threshold, if there is one."""
    from fdpedu.boosting import Ensemble

    if threshold is None:
        return model.predict(table)
    if not isinstance(model, Ensemble):
        raise ValueError("--threshold must be left out: it is for the scores of an ensemble of two classes")
    return model.predict(table, threshold=threshold)


def _as_csv(lines: Sequence[Sequence[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def _require_probabilities(model: Tree | Ensemble, file: str) -> None:
    """Refuse a tree that has none."""
    from fdpedu.domain import OF_MEANS, require_classes

    require_classes(model.domain, "--probabilities", OF_MEANS)
    if getattr(model, "has_labels_only", False):
        raise ValueError(
            f"--probabilities must be left out: of the leaves of the tree in {file} only labels were released, so it "
            "has no shares of classes. Fit with --leaves counts to have them"
        )


def _answer(model: Tree | Ensemble) -> str:
    """What the column of answers is called: class, or predicted and the target's name, to stand beside the truth."""
    return "class" if model.domain.target is None else f"predicted {model.domain.target.name}"


def _names(model: Tree | Ensemble, options: argparse.Namespace) -> list[str]:
    """What the columns are called, each in its own way: those that are kept, the answer, the shares of classes.

    A share is called as its class is; where two classes, or a class and the answer, would have one name, each is the
    "probability of" its class, which is written as Python writes it.
    """
    answer, shares = _answer(model), [str(label) for label in model.classes] if options.probabilities else []
    if len({answer, *shares}) <= len(shares):
        shares = [f"probability of {label!r}" for label in model.classes]
    names = [*options.keep, answer, *shares]
    if len(set(names)) < len(names):
        twice = next(name for name in options.keep if names.count(name) > 1)
        raise ValueError(
            f"--keep {twice}: two columns would be called {twice!r}; name it once, or rename it in the file"
        )
    return names


def _kept(table: Named, options: argparse.Namespace) -> list[tuple[Any, ...]]:
    """For each row the cells of the columns that are carried over."""
    if not options.keep:
        return [()] * len(table.column(str(table.names[0])))
    return list(zip(*table.select(options.keep, options.data).cells, strict=True))


def _score(options: argparse.Namespace) -> int:
    from fdpedu.accounting import BudgetExceeded
    from fdpedu.estimators import noisy_score

    require_output()
    tree = load_model(options.tree)
    parties = _scored(options, tree)
    with opened_ledger(options, tree.domain) if options.budget else nullcontext() as ledger, refusing(BudgetExceeded):
        epsilon, delta = options.epsilon, options.delta
        own: dict[str, Any] = {"tolerate": options.tolerate, "budget": ledger, "confusion": options.confusion}
        score = noisy_score(tree, parties, epsilon, delta=delta, **own)
        with delivering(lambda: f"the score is {score}"):
            _print_score(options, score, ledger, name_of(tree), tree.classes)
    return DONE


def _scored(options: argparse.Namespace, model: Tree | Ensemble) -> Sequence[Party] | Party:
    """The sites; or the one owner of all rows."""
    if not options.curator:
        options.tolerate = 1 if options.tolerate is None else options.tolerate
        return read_parties(options, model.domain, [options.tree, options.budget, *options.data], [])
    require_one_owner(options)
    options.data = options.curator
    return read_owner(options, model.domain, [options.tree, options.budget, *options.data], [])


def _print_score(
    options: argparse.Namespace,
    score: NoisyScore | NoisyFit,
    ledger: Ledger | None,
    what: str,
    classes: Sequence[Any],
) -> None:
    from fdpedu.accounting.cost import NAMES

    left = None if ledger is None else plain(ledger.remaining())
    if options.json:
        counts = {**score.counted(), NAMES[score.cost.measure]: str(score.cost.value)}
        rest = {**counts, "remaining": left, "given": given_sites(options) or None}
        found = {"score": score.value, "standard_error": score.standard_error, **rest}
        unknown = {name: None for name, one in found.items() if isinstance(one, float) and not math.isfinite(one)}
        print_json({**found, **unknown})
        return
    print(score)
    if matrix := score.counted().get("confusion"):
        rows = [(str(name), *map(str, row)) for name, row in zip(classes, matrix, strict=True)]
        print(text_table([("predicted; true:", *map(str, classes)), *rows], right=range(1, len(classes) + 1)))
    both = f"Who has rows here and in the data of the {what} pays for both."
    print(wrapped(f"{score.promise()} {given_sites(options)} {both}"))
    if ledger is not None:
        print(f"The budget {options.budget} has {left_in(ledger)} left.")
