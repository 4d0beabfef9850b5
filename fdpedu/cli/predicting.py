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
    settle_label,
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
        "--scores",
        action="store_true",
        help="of an ensemble of two classes: the score of each row beside it, the log odds of the second class, by "
        "which --threshold is chosen",
    )
    _add_threshold(predict)
    predict.add_argument(
        "--keep", action="append", default=[], metavar="COLUMN", help="also this column of the file, such as a key"
    )
    predict.add_argument("--out", metavar="FILE", help="write there instead of on standard output")
    add_overwrite(predict, "out")
    add_csv(predict)
    predict.set_defaults(run=_predict)


def _add_threshold(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--threshold",
        metavar="SCORE",
        help="of an ensemble of two classes: the second one is predicted of rows with a score above it (default: its "
        "own, or 0)",
    )


def _add_score(commands: Commands) -> None:
    score = commands.add_parser(
        "score",
        help="how often a model is right on private rows, or how far it is off: noisy numbers, paid for",
        description="How often a model is right on private rows, by noisy counts; or, of a model of a numeric target, "
        "R² and the root of the mean squared error, by noisy sums. Both are paid for, and on few rows the noise may "
        "leave nothing to say.",
    )
    score.add_argument("tree", help="as `fdpedu fit --out` writes it")
    data = score.add_argument(
        "data",
        nargs="+",
        metavar="CSV",
        default=[],
        help="files with its features and the class, or the target, one a site; none with --curator",
    )
    data.required = False  # with "*" argparse would take none where options stand before the files
    add_parties(score)
    score.set_defaults(tolerate=None)  # one is told from none, as one owner tolerates nobody
    score.add_argument(
        "--curator", action="append", metavar="CSV", help="the file of one owner who has all rows, in place of sites"
    )
    _add_threshold(score)
    score.add_argument("--epsilon", required=True, help="what the score costs, such as 1, 0.5 or 1/3")
    score.add_argument(
        "--delta",
        help="δ, such as 1e-6: the score is then paid in ρ, as a budget in ρ needs it (default: in ε, with less noise "
        "for a score of two classes alone)",
    )
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
    from fdpedu.estimators.scoring import require_scores_of_two

    tree = load_model(options.tree)
    if options.probabilities:
        _require_probabilities(tree, options.tree)
    require_readable([options.data])
    require_apart([options.tree, options.data], [options.out])
    for name in ("scores", "threshold"):
        if getattr(options, name) not in (None, False):
            require_scores_of_two(tree, f"--{name}")
    names = _names(tree, options)
    form = forms_of(options, tree.domain)[options.data]
    with refusing(ValueError):
        table = read_csv(options.data, tree.domain, every_line=True, **form)
        kept = _kept(table, options)
        labels = _predicted(tree, table, options.threshold).tolist()
        scores = _scores(tree, table) if options.scores else [()] * len(labels)
        shares = tree.predict_proba(table).tolist() if options.probabilities else [()] * len(labels)
    rows = [
        [*keys, label, *score, *(round(part, 6) for part in share)]
        for keys, label, score, share in zip(kept, labels, scores, shares, strict=True)
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

    return model.predict(table, threshold=threshold) if isinstance(model, Ensemble) else model.predict(table)


def _scores(model: Tree | Ensemble, table: Named) -> list[tuple[float, ...]]:
    """The score of each row, exactly: what is above one of them is above it as a threshold."""
    from fdpedu.boosting import Ensemble

    assert isinstance(model, Ensemble)
    return [(score,) for score in model.decision_function(table).tolist()]


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
    """What the columns are called, each in its own way: those that are kept, the answer, the score, shares of classes.

    A share is called as its class is; where two classes, or a class and another column, would have one name, each is
    the "probability of" its class, which is written as Python writes it.
    """
    own, shares = [_answer(model)], [str(label) for label in model.classes] if options.probabilities else []
    own += ["score"] if options.scores else []
    if len({*own, *shares}) < len(own) + len(shares):
        shares = [f"probability of {label!r}" for label in model.classes]
    names = [*options.keep, *own, *shares]
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
    from fdpedu.estimators.scoring import require_scores_of_two

    require_output()
    tree = load_model(options.tree)
    if options.threshold is not None:
        require_scores_of_two(tree, "--threshold")
    settle_label(options, tree.domain)
    parties = _scored(options, tree)
    with opened_ledger(options, tree.domain) if options.budget else nullcontext() as ledger, refusing(BudgetExceeded):
        epsilon, delta = options.epsilon, options.delta
        own: dict[str, Any] = {"tolerate": options.tolerate, "budget": ledger, "confusion": options.confusion}
        own["threshold"] = options.threshold
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
        found = {
            "score": None if score.too_noisy else score.value,
            "standard_error": score.standard_error,
            "too_noisy": score.too_noisy,
            "rows_needed": score.rows_needed,
            **score.counted(),
            NAMES[score.cost.measure]: str(score.cost.value),
            "remaining": left,
            "given": given_sites(options) or None,
        }
        unknown = {name: None for name, one in found.items() if isinstance(one, float) and not math.isfinite(one)}
        print_json({**found, **unknown})
        return
    print(score)
    if matrix := score.counted().get("confusion"):
        rows = [(str(name), *map(str, row)) for name, row in zip(classes, matrix, strict=True)]
        print(text_table([("predicted; true:", *map(str, classes)), *rows], right=range(1, len(classes) + 1)))
    both = f"Who has rows here and in the data of the {what} pays for both."
    print(wrapped(" ".join(filter(None, (score.promise(), given_sites(options), both)))))
    if ledger is not None:
        print(f"The budget {options.budget} has {left_in(ledger)} left.")
