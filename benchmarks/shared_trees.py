"""El Zein et al.'s trees on three real sets of the source's kinds and on three small ones; part of ``secret_sharing``.

The source's sets are no package's. In place of its 1,688 records of obesity in seven classes stand pictures' segments
(seven classes), of its 11,984 records of eyes telescopes' showers (numbers, two classes), and of its 56,553 records of
diabetes Adult (numbers and categories, two classes), four of five rows to learn from, as there. Each party finds its
depth by cross-validation once, for its own tree and for all rules. All is seeded. A measurement on data that are not
secret, and no release.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits
from sklearn.metrics import precision_recall_fscore_support

from benchmarks.accuracy import spread
from benchmarks.public_data import public_set
from fdpedu.accounting import Ledger
from fdpedu.datasets import BENCHMARK, DataSet, Split
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClippedWarning, Federation, Party
from fdpedu.randomness import Rehearsal
from fdpedu.sources.elzein import SharedTree, fit_local_tree, fit_shared_tree
from fdpedu.sources.elzein.fit import mean_depth
from fdpedu.sources.elzein.local import own_depth, read_rows
from fdpedu.trees import fit_federated_tree

RULES = ("printed", "mended", "median", "histograms")
PARTS = (10, 15, 20, 25, 30)
DIVISIONS = {"a": "equal parts of all rows", "b": "a 25th of all rows each", "c": "10 to 30 parts of a hundred"}
"""The source's. Which party has a row depends on the number of rows here, so votes are measured, and promise no ε."""
PRIVATE: dict[str, Any] = {"epsilon": 5, "max_depth": 2, "leaf_share": Fraction(7, 20)}
TOP, ON_TRAFFIC = 15, 4  # nodes compared in table 3; parties of table 2
SCORES = ("accuracy", "f1", "precision", "recall")
SMALL, REAL = (2, 5, 10), (5, 10, 15, 20, 25)
Found = dict[str, Any]


@dataclass(frozen=True)
class Rows:
    """A set of rows: how many to learn from, how many repetitions, and which numbers of parties."""

    name: str
    size: int
    runs: int
    parties: tuple[int, ...]

    @property
    def real(self) -> bool:
        return self.parties == REAL

    def parties_of(self, division: str) -> tuple[int, ...]:
        """25 parties with a 25th each are those of equal parts; of unequal parts of real sets every other number."""
        if not self.real:
            return self.parties
        return {"a": REAL, "b": REAL[:-1], "c": REAL[::2]}[division]


DATA = (
    Rows("breast cancer", 398, 20, SMALL),
    Rows("clusters", 2000, 10, SMALL),
    Rows("digits", 1257, 5, SMALL),
    Rows("segment", 1848, 10, REAL),
    Rows("magic", 15216, 4, REAL),
    Rows("adult", 36177, 3, REAL),
)


def _draw_digits(rng: np.random.Generator) -> Split:
    X, y = load_digits(return_X_y=True)
    order = rng.permutation(len(y))
    train, test = order[:1257], order[1257:]
    return Split(X[train], y[train], X[test], y[test])


def _digits_domain() -> Domain:
    reason = "the number of pixels that are set in a block of 4 × 4"
    blocks = [Numeric.grid(f"block {i // 8},{i % 8}", 0, 16, 8, reason=reason) for i in range(64)]
    return Domain(blocks, tuple(range(10)))


_real = cache(public_set)


def _draw_real(name: str, size: int, rng: np.random.Generator) -> Split:
    rows = _real(name)
    order = rng.permutation(rows.size)
    train, test = order[:size], order[size:]
    return Split(rows.X[train], rows.y[train], rows.X[test], rows.y[test])


@cache
def set_of(k: int) -> DataSet:
    """The set, and how it is drawn; real rows are read when they are wanted."""
    rows = DATA[k]
    if rows.real:
        return DataSet(rows.name, rows.size, _real(rows.name).domain, partial(_draw_real, rows.name, rows.size))
    if rows.name == "digits":
        return DataSet("digits", rows.size, _digits_domain(), _draw_digits)
    return next(data for data in BENCHMARK if data.name == rows.name)


@dataclass(frozen=True)
class Task:
    """One repetition: a set, a number of parties, and how rows are divided."""

    data: int
    n_parties: int
    division: str
    seed: int

    def rows(self) -> tuple[Split, list[tuple[Any, Any]], Domain]:
        """What is tested on, what each party has, and what is public; the same rows for every division."""
        size, data = DATA[self.data].size, set_of(self.data)
        split = data.draw(np.random.default_rng([self.seed, self.data]))
        X, y = split.X_train[:size], split.y_train[:size]
        ends = self.ends(size)
        return split, [(X[a:b], y[a:b]) for a, b in pairwise(ends)], data.domain

    def ends(self, size: int) -> list[int]:
        """Where each party's rows end; the first begins at 0."""
        if self.division == "b":
            return [size // 25 * k for k in range(self.n_parties + 1)]
        parts = [1] * self.n_parties if self.division == "a" else [PARTS[k % 5] for k in range(self.n_parties)]
        return [0, *(size * int(end) // sum(parts) for end in np.cumsum(parts))]

    @property
    def rules(self) -> tuple[str, ...]:
        """The repairs other than the first, and private votes, on small sets and equal parts."""
        return RULES if self.division == "a" and not DATA[self.data].real else RULES[:2]


def measure(task: Task) -> Found:
    """The scores of every tree; for equal parts table 3 as well, and for four parties table 2."""
    warnings.simplefilter("ignore", ClippedWarning)
    split, parties, domain = task.rows()
    seed = 100_000 * task.data + 1000 * task.n_parties + task.seed
    if task.n_parties == ON_TRAFFIC:
        return _traffic(parties, domain, seed)
    X_all, y_all = (np.concatenate([part[i] for part in parties]) for i in (0, 1))
    central = _central(X_all, y_all, domain, task)
    depths = [depth_of(X, y, domain, seed + k) for k, (X, y) in enumerate(parties, 1)]
    own = [fit_local_tree(X, y, domain, max_depth=depth) for (X, y), depth in zip(parties, depths, strict=True)]
    deep = partial(fit_shared_tree, parties, domain, max_depth=mean_depth(depths, Rehearsal(seed)))
    shared = {rule: deep(rule=rule, rng=Rehearsal(seed)) for rule in task.rules}
    of_own = [scores_of(tree, split) for tree in own]
    scores = {"central": scores_of(central, split), "local": np.mean(of_own, axis=0)}
    scores |= {rule: scores_of(tree, split) for rule, tree in shared.items()}
    if task.rules == RULES:
        scores["votes"] = scores_of(_votes(parties, domain, seed), split)
    elif task.division == "a":
        scores["gini"] = scores_of(deep(rule="printed", criterion="gini", rng=Rehearsal(seed)), split)
    found: Found = {"scores": {name: [round(float(x), 5) for x in some] for name, some in scores.items()}}
    counts = np.unique(split.y_train, return_counts=True)
    found["baseline"] = round(float(np.mean(split.y_test == counts[0][counts[1].argmax()])), 5)
    found["spread of own"] = round(float(np.std([one[0] for one in of_own], ddof=1)), 5)
    if task.division == "a":
        trees = {"local": own, "printed": [shared["printed"]]}
        found["jaccard"] = {
            name: round(float(np.mean([_jaccard(central, tree) for tree in some])), 5) for name, some in trees.items()
        }
    return found


def _traffic(parties: Sequence[Any], domain: Domain, seed: int) -> Found:
    """Table 2: the whole protocol, with its first phase; the tree of all rows beside it, grown to the same depth."""
    tree, took = timed(partial(fit_shared_tree, parties, domain, rule="printed", rng=Rehearsal(seed)))
    X, y = (np.concatenate([part[i] for part in parties]) for i in (0, 1))
    _, grown = timed(
        partial(fit_shared_tree, parties, domain, rule="printed", max_depth=tree.max_depth, rng=Rehearsal(seed))
    )
    _, central = timed(partial(fit_local_tree, X, y, domain, max_depth=tree.max_depth))
    size = {
        "nodes": len(tree.nodes()),
        "depth": tree.depth,
        "messages": tree.traffic.messages,
        "bytes": tree.traffic.bytes,
    }
    return {"size": size, "seconds": {"printed": took, "growing": grown, "central": central}}


def _central(X: Any, y: Any, domain: Domain, task: Task) -> SharedTree:
    """The tree of all rows; of one repetition the same one, if the rows are."""
    key = (task.data, task.seed, len(y))
    if key not in _KEPT:
        _KEPT.clear()
        depth = depth_of(X, y, domain, 100_000 * task.data + task.seed)
        _KEPT[key] = fit_local_tree(X, y, domain, max_depth=depth)
    return _KEPT[key]


_KEPT: dict[tuple[int, int, int], SharedTree] = {}


def depth_of(X: Any, y: Any, domain: Domain, seed: int) -> int:
    """By five-fold cross-validation, for information gain."""
    return own_depth(read_rows(X, y, domain, "rows"), "entropy", Rehearsal(seed))


def federation_of(parties: Sequence[Any], domain: Domain, epsilon: int, seed: int) -> Federation:
    members = [Party(X, domain, labels=y) for X, y in parties]
    return Federation(members, domain, Ledger(epsilon), tolerate=0, rng=Rehearsal(seed))


def _votes(parties: Sequence[Any], domain: Domain, seed: int) -> Any:
    options = dict(PRIVATE)
    federation = federation_of(parties, domain, options.pop("epsilon"), seed)
    return fit_federated_tree(federation, design="votes", rng=Rehearsal(seed + 1), **options)


def scores_of(tree: Any, split: Split) -> NDArray[np.float64]:
    """Accuracy, and the means over the classes of F1, precision and recall."""
    predicted = tree.predict(split.X_test)
    precision, recall, f1, _ = precision_recall_fscore_support(
        split.y_test, predicted, average="macro", zero_division=0
    )
    return np.array([np.mean(predicted == split.y_test), f1, precision, recall], dtype=np.float64)


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    return work(), time.process_time() - start


def _attributes(tree: SharedTree) -> set[int]:
    """Those of the top 15 nodes, level by level."""
    found, level = list[int](), [tree.root]
    while level:
        found += [node.attribute for node in level if node.attribute is not None]
        level = [child for node in level for child in node.children]
    return set(found[:TOP])


def _jaccard(one: SharedTree, other: SharedTree) -> float:
    a, b = _attributes(one), _attributes(other)
    return len(a & b) / len(a | b) if a | b else 1.0


def tasks_of(seeds: int | None) -> list[Task]:
    """All repetitions; those that share the tree of all rows follow each other."""
    found = []
    for k, rows in enumerate(DATA):
        for seed in range(rows.runs if seeds is None else seeds):
            found += [Task(k, n, division, seed) for division in "acb" for n in rows.parties_of(division)]
            found.append(Task(k, ON_TRAFFIC, "a", seed))
    return found


def records(tasks: Sequence[Task], found: Sequence[Found]) -> list[Found]:
    """For each set, number of parties and division: the means, their errors, and all accuracies."""
    groups: dict[tuple[int, int, str], list[Found]] = {}
    for task, one in zip(tasks, found, strict=True):
        groups.setdefault((task.data, task.n_parties, task.division), []).append(one)
    kept = []
    for (k, n, division), runs in groups.items():
        record: Found = {"data": DATA[k].name, "parties": n, "division": division, "runs": len(runs)}
        if "scores" in runs[0]:
            record["baseline"], record["spread of own"] = (
                round(float(np.mean([run[what] for run in runs])), 5) for what in ("baseline", "spread of own")
            )
            record["models"] = {
                name: {what: mean([run["scores"][name][at] for run in runs]) for at, what in enumerate(SCORES)}
                | {"all": [run["scores"][name][0] for run in runs]}
                for name in runs[0]["scores"]
            }
        for what in ("jaccard", "size"):
            if what in runs[0]:
                record[what] = {name: mean([run[what][name] for run in runs]) for name in runs[0][what]}
        kept.append(record)
    return kept


def times(tasks: Sequence[Task], found: Sequence[Found]) -> list[Found]:
    """Median CPU seconds with four parties: they are not the same again."""
    kept = []
    for k, rows in enumerate(DATA):
        runs = [
            one["seconds"]
            for task, one in zip(tasks, found, strict=True)
            if (task.data, task.n_parties) == (k, ON_TRAFFIC)
        ]
        kept.append({"data": rows.name, **{n: round(float(np.median([run[n] for run in runs])), 3) for n in runs[0]}})
    return kept


def mean(values: Sequence[float]) -> list[float]:
    """And its standard error."""
    return [round(float(np.mean(values)), 5), round(spread(values) if len(values) > 1 else 0.0, 5)]
