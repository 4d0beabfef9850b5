"""``python -m benchmarks.vos_tables``: Tables II, VI and VII of Vos et al. on its six sets of UCI, by its protocol.

Stratified 5-fold cross-validation, depth 4, ε = 0.01, 0.1 and 1 (on Adult also those of Figure 1). As the source does,
CART is scikit-learn's and takes categories as whole numbers, DiffPrivLib is diffprivlib 0.6.6, and ranges are taken
from the rows, which is not private; both, and the printed algorithm, are run with public ranges, too. The printed
algorithm runs with its line 7, and draws its quantiles among 50 fine bins. The mended trees have ten bins of public
ranges. Kept are the accuracies of all folds; a standard error is that of their mean, as if folds were independent.

On Adult the votes of a thousand trees of depth 4 certify what they can (Figure 3), in the first fold of a repetition.
All methods of a repetition see the same folds. The noise is seeded: this is a measurement on data that are not secret.
"""

import tempfile
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, partial
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from benchmarks import vos_printed
from benchmarks.accuracy import in_parallel, spread
from benchmarks.answers import ask
from benchmarks.privatree import DEPTH, FINE
from benchmarks.public_data import public_set, with_ranges_of_rows
from benchmarks.repeated import keep, read_options
from fdpedu.accounting import Ledger
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClippedWarning, Party
from fdpedu.randomness import Rehearsal
from fdpedu.robust import fit_partition_ensemble
from fdpedu.showing import text_table
from fdpedu.sources.vos import epsilon_at_most, fit_privatree_as_printed
from fdpedu.trees import fit_privatree

SETS = {
    "adult": "adult",
    "breast-w": "wisconsin",
    "diabetes": "pima",
    "mushroom": "mushroom",
    "nursery": "nursery",
    "vote": "housevotes",
}
"""The source's names, and those of :mod:`benchmarks.public_data`."""
EPSILONS = tuple(map(Fraction, ("1/100", "1/10", "1")))
FIGURE = tuple(map(Fraction, ("1/1000", "1/300", "3/100", "3/10")))
CURVES = ("DiffPrivLib, own", "printed, own", "printed*, own", "choice", "random")
"""Of Figure 1 on Adult, at further ε."""
FOLDS, VOTERS = 5, 1000
AT_MOST = {"adult": 1, "mushroom": 4, "nursery": 4}
"""Repetitions of the sets whose folds are large, or whose numbers hardly differ."""
FORGED = (0, Fraction(1, 1000), Fraction(1, 200), Fraction(1, 100))
"""Shares of the rows to learn from, as in the source's Tables III and VIII."""


@dataclass(frozen=True)
class Source:
    """One set: values and two classes, with public ranges in ten bins and in fine ones, and with its rows' own."""

    name: str
    X: NDArray[Any]
    y: NDArray[Any]
    public: Domain
    fine: Domain
    own: Domain

    @property
    def numeric(self) -> int:
        return sum(isinstance(feature, Numeric) for feature in self.public.features)

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The values as scikit-learn takes them: categories as codes."""
        columns = [
            column.astype(float) if isinstance(feature, Numeric) else feature.encode(column).astype(float)
            for feature, column in zip(self.public.features, self.X.T, strict=True)
        ]
        return np.column_stack(columns)


@cache
def source_of(name: str) -> Source:
    """Of nursery the source has two classes, of which one has two thirds: not recommended, or anything else."""
    coarse, fine = public_set(SETS[name]), public_set(SETS[name], bins=FINE)
    y, classes = coarse.y, coarse.domain.classes
    if name == "nursery":
        y, classes = np.where(y == "not_recom", "not_recom", "other"), ("not_recom", "other")
    public, fine_bins = (Domain(one.domain.features, classes) for one in (coarse, fine))
    return Source(name, coarse.X, y, public, fine_bins, with_ranges_of_rows(fine_bins, coarse.X))


@dataclass(frozen=True)
class Fold:
    """The rows to learn from and those to be tested on, with ε and a seed of its own."""

    source: Source
    train: NDArray[np.intp]
    test: NDArray[np.intp]
    epsilon: Fraction
    seed: int

    def score(self, tree: Any) -> float:
        """Of the rows to be tested on."""
        return float(tree.score(self.source.X[self.test], self.source.y[self.test]))

    def of_a_peer(self, model: str, **options: Any) -> float:
        """The accuracy of a model of diffprivlib."""
        table, codes = self.source.numbers, self.source.public.encode_labels(self.source.y)
        with tempfile.NamedTemporaryFile(suffix=".npz") as file:
            parts = {"train": table[self.train], "test": table[self.test]}
            np.savez(file, labels=codes[self.train], truth=codes[self.test], **parts)
            file.flush()
            question = {"rows": file.name, "model": model, "epsilon": float(self.epsilon), "seed": self.seed}
            return ask(".peers", "private_models.py", **question, **options)


def _cart(fold: Fold) -> float:
    table, y = fold.source.numbers, fold.source.y
    tree = DecisionTreeClassifier(max_depth=DEPTH, random_state=fold.seed).fit(table[fold.train], y[fold.train])
    return float(tree.score(table[fold.test], y[fold.test]))


def _random_peer(fold: Fold, *, ranges: str) -> float:
    table, features = fold.source.numbers, fold.source.public.features
    ends = [
        (feature.edges[0], feature.edges[-1]) if isinstance(feature, Numeric) else (0, feature.n_codes - 1)
        for feature in features
    ]
    bounds = [[float(low) for low, _ in ends], [float(high) for _, high in ends]]
    if ranges == "own":
        bounds = [table.min(axis=0).tolist(), table.max(axis=0).tolist()]
    return fold.of_a_peer("tree", bounds=bounds, depth=DEPTH)


def _printed(fold: Fold, *, ranges: str, quantiles: str = "joint") -> float:
    s = fold.source
    domain = s.own if ranges == "own" else s.fine
    options = {"max_depth": DEPTH, "quantiles": quantiles, "rng": Rehearsal(fold.seed)}
    return fold.score(fit_privatree_as_printed(s.X[fold.train], s.y[fold.train], domain, fold.epsilon, **options))


def _mended(fold: Fold, **options: Any) -> float:
    s = fold.source
    owner = Party(s.X[fold.train], s.public, labels=s.y[fold.train])
    tree = fit_privatree(owner, Ledger(fold.epsilon), max_depth=DEPTH, rng=Rehearsal(fold.seed), **options)
    return fold.score(tree)


CART, VOTES = "CART", "votes"
METHODS: dict[str, Callable[[Fold], float]] = {
    CART: _cart,
    "DiffPrivLib, own": partial(_random_peer, ranges="own"),
    "DiffPrivLib": partial(_random_peer, ranges="public"),
    "printed, own": partial(_printed, ranges="own"),
    "printed": partial(_printed, ranges="public"),
    "printed*, own": partial(_printed, ranges="own", quantiles="raw"),
    "choice": _mended,
    "choice, Gini": partial(_mended, score="gini"),
    "random": partial(_mended, splits="random"),
    "regression": lambda fold: fold.of_a_peer("regression"),
}
"""``own``: with the ranges of the rows, as the source; the star: with exact quantiles. The last is of Table VIII."""


@dataclass(frozen=True)
class Task:
    """One repetition on one set at one ε; at 0, what needs none."""

    name: str
    seed: int
    epsilon: Fraction

    def folds(self, method: str) -> Iterator[Fold]:
        """The same rows for all methods and ε, with a seed for each."""
        source = source_of(self.name)
        divided = StratifiedKFold(FOLDS, shuffle=True, random_state=self.seed).split(source.X, source.y)
        for number, (train, test) in enumerate(divided):
            yield Fold(source, train, test, self.epsilon, crc32(f"{self} {method} {number}".encode()))

    def methods(self) -> tuple[str, ...]:
        """What is run."""
        if not self.epsilon:
            return (CART, VOTES) if self.name == "adult" else (CART,)
        return CURVES if self.epsilon in FIGURE else tuple(name for name in METHODS if name != CART)


Found = dict[str, list[float]]  # of each fold; of votes, of each share of forged rows


def measure(task: Task, only: Collection[str] = ()) -> Found:
    """The accuracies of all folds."""
    warnings.simplefilter("ignore", ClippedWarning)
    found = Found()
    for method in only or task.methods():
        folds = task.folds(method)
        runs = certified(next(folds)) if method == VOTES else [METHODS[method](fold) for fold in folds]
        found[method] = [round(one, 5) for one in runs]
    return found


def certified(fold: Fold) -> list[float]:
    """What the votes of a thousand trees still get right, after so many forged rows."""
    s = fold.source
    voters = fit_partition_ensemble(s.X[fold.train], s.y[fold.train], s.public, VOTERS, max_depth=DEPTH)
    forged = [int(share * len(fold.train)) for share in FORGED]
    return [float(voters.certified_accuracy(s.X[fold.test], s.y[fold.test], x)) for x in forged]


def at_most(name: str, epsilon: Fraction) -> float:
    """What the printed algorithm costs at most without its line 7, of a fold's rows."""
    source = source_of(name)
    kinds = {"numeric": source.numeric, "categorical": source.public.n_features - source.numeric}
    rows = len(source.y) * (FOLDS - 1) // FOLDS
    return round(float(epsilon_at_most(epsilon, **kinds, rows=rows, max_depth=DEPTH, stop="depth")), 4)


def records(tasks: Sequence[Task], found: Sequence[Found]) -> list[dict[str, Any]]:
    """For each set, ε and method the mean accuracy with its standard error, and a list of runs for each repetition."""
    runs: dict[tuple[str, Fraction, str], list[list[float]]] = {}
    for task, results in zip(tasks, found, strict=True):
        for method, one in results.items():
            runs.setdefault((task.name, task.epsilon, method), []).append(one)
    return [
        {"data": name, "epsilon": str(epsilon), "method": method, **summary(own, by_share=method == VOTES), "runs": own}
        for (name, epsilon, method), own in runs.items()
    ]


def summary(runs: Sequence[Sequence[float]], *, by_share: bool = False) -> dict[str, Any]:
    """The mean of all folds with its error; of votes, those of each share of forged rows."""
    if by_share:
        return {"accuracy": [round(float(np.mean(share)), 5) for share in zip(*runs, strict=True)]}
    every = [one for fold in runs for one in fold]
    return {"accuracy": round(float(np.mean(every)), 5), "se": round(spread(every), 5)}


def report(rows: Sequence[dict[str, Any]]) -> str:
    """Accuracies in a table."""
    lines = [(row["data"], row["epsilon"], row["method"], f"{row['accuracy']} ± {row.get('se')}") for row in rows]
    return text_table([("data", "ε", "method", "accuracy"), *lines])


def tasks_of(seeds: int) -> list[Task]:
    """All repetitions, the longest first."""
    found = []
    for name in SETS:
        epsilons = (Fraction(0), *EPSILONS, *(FIGURE if name == "adult" else ()))
        found += [Task(name, s, e) for e in epsilons for s in range(min(seeds, AT_MOST.get(name, seeds)))]
    return found


def main() -> None:
    chosen = read_options("vos_tables", __doc__, seeds=8)
    tasks = tasks_of(chosen.seeds)
    rows = records(tasks, list(in_parallel(measure, tasks, chosen.jobs)))
    print(report(rows))
    costs = {name: {str(epsilon): at_most(name, epsilon) for epsilon in EPSILONS} for name in SETS}
    head = {"seeds": chosen.seeds, "depth": DEPTH, "folds": FOLDS, "forged": [str(share) for share in FORGED]}
    keep({**head, "at most": costs, "source": list(vos_printed.rows()), "records": rows}, chosen.json)


if __name__ == "__main__":
    main()
