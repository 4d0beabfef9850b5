"""Maddock et al.'s framework on Adult and on credit default, beside the book's own boosting; part of ``framework``.

Our copy of the source ends before its experiments: it states no set, no setting and no number. So the settings are
ours: trees of depth 3, 25 or 100 of them, λ = 32, δ = 10⁻⁶, two ε, and seven of ten rows to learn from, drawn anew in
each repetition. Ranges are public, with 32 bins. What the source says of candidates is measured on the numbers alone,
with 255 even bins, of which 16 borders are candidates: where they lie matters most there.

The noise is seeded: this is a measurement on data that are not secret, and no release.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits

from benchmarks.accuracy import DELTA, spread
from benchmarks.boosting_data import BINS
from benchmarks.pooled import PooledSums
from benchmarks.public_data import PublicSet, public_set
from fdpedu.accounting import Budget, Ledger
from fdpedu.boosting import rules_for
from fdpedu.boosting.growth import Growth
from fdpedu.domain import Domain
from fdpedu.federation import ClippedWarning, Party
from fdpedu.randomness import Rehearsal
from fdpedu.showing import text_table
from fdpedu.sources.maddock import fit_framework, framework_rows
from fdpedu.sources.maddock.paying import PAID, UNPAID
from fdpedu.sources.maddock.table import auc

DATA, EPSILONS, TREES, LEARN = ("adult", "credit"), ("1/10", "1"), (25, 100), 0.7
BASE, FULL, ONE = "totally random, newton", "histogram, newton", "histogram, one feature a tree"
CHOICES = (BASE, FULL, ONE, "partially random, newton", "totally random, averages", "totally random, one batch")
BORDERS = {f"numbers alone, {name} candidates": name for name in ("uniform", "log", "paid", "quantiles")}
BOOK, PLAIN = "the book's boosting", "boosting without privacy"
PRINTED, MENDED = PAID
PARTIES, TOLERATE = 5, 1  # of the book's boosting
Key = tuple[str, int, str]  # choices, number of trees, how it was paid
Found = dict[str, Any]


class Task(NamedTuple):
    """One repetition on one set at one ε."""

    data: str
    epsilon: str
    seed: int


def tasks_of(seeds: int) -> list[Task]:
    return [Task(data, epsilon, seed) for data in DATA for epsilon in EPSILONS for seed in range(seeds)]


def keys(epsilon: str) -> tuple[Key, ...]:
    """What is run; full histograms and their like of many trees, and candidates, where it can be afforded."""
    found = [(name, trees, MENDED) for trees in TREES for name in CHOICES if trees == 25 or "partially" not in name]
    found += [(name, trees, PRINTED) for trees in TREES for name in (BASE, FULL, ONE)]
    found.append((BOOK, 900, MENDED))
    if epsilon == EPSILONS[-1]:
        found += [(name, 25, UNPAID if "quantiles" in name else MENDED) for name in BORDERS]
        found.append((PLAIN, 100, UNPAID))
    return tuple(found)


@cache
def encoded(data: str, *, numbers: bool) -> tuple[PublicSet, Domain, NDArray[Any], NDArray[Any]]:
    """A set with its domain, codes and labels; or its numbers alone, on a fine even grid."""
    rows = public_set(data, bins=255, even=True) if numbers else public_set(data, bins=BINS)
    domain, codes = rows.domain, rows.domain.encode(rows.X)
    if numbers:
        ordered = [j for j, feature in enumerate(domain.features) if feature.ordered]
        domain, codes = domain.with_features([domain.features[j] for j in ordered]), codes[:, ordered]
    return rows, domain, codes, domain.encode_labels(rows.y)


class Repetition:
    """The rows of one task, and what each method makes of them."""

    def __init__(self, task: Task) -> None:
        self.task = task
        size = encoded(task.data, numbers=False)[0].size
        order = np.random.default_rng(task.seed).permutation(size)
        self.learn, self.test = np.split(order, [int(LEARN * size)])

    def run(self, key: Key) -> list[float]:
        """AUC and accuracy on the rows of the test."""
        numbers = key[0] in BORDERS
        _, domain, codes, labels = encoded(self.task.data, numbers=numbers)
        if key[0] == BOOK:
            scores = self.by_the_book()
        elif key[0] == PLAIN:
            with threadpool_limits(1):
                model = HistGradientBoostingClassifier(random_state=self.task.seed)
                scores = model.fit(codes[self.learn], labels[self.learn]).decision_function(codes[self.test])
        else:
            scores = self.by_the_framework(key, domain, codes, labels)
        truth = labels[self.test]
        return [round(auc(scores, truth), 5), round(float(np.mean((scores > 0) == truth)), 5)]

    def by_the_framework(self, key: Key, domain: Domain, codes: NDArray[Any], labels: NDArray[Any]) -> NDArray[Any]:
        name, trees, paid = key
        every = framework_rows(trees, 3)
        choices = replace(every[BASE], candidates=BORDERS[name]) if name in BORDERS else every[name]
        number = 10_000 * self.task.seed + 1000 * (*CHOICES, *BORDERS).index(name) + trees
        model = fit_framework(
            codes[self.learn],
            labels[self.learn],
            domain,
            choices,
            paid=paid,
            epsilon=self.task.epsilon,
            delta=DELTA,
            rng=Rehearsal(10**6 * (1 + (paid == PRINTED)) + number),
            coins=Rehearsal(10_000 * self.task.seed + trees),
        )
        return model.scores(codes[self.test])

    def by_the_book(self) -> NDArray[Any]:
        """Its rules know a round number of rows, 30,000 or 20,000, and no other."""
        rows, domain, *_ = encoded(self.task.data, numbers=False)
        budget, rng = Budget.of(Fraction(self.task.epsilon), delta=DELTA), 10_000 * self.task.seed
        party = Party(rows.X[self.learn], domain, labels=rows.y[self.learn])
        rules = rules_for("trees", round(int(LEARN * rows.size), -4), budget.limit, domain.n_features)
        asker: Any = PooledSums(party, Ledger(budget), PARTIES, TOLERATE, Rehearsal(2 * 10**6 + rng))
        ensemble = Growth(asker, budget.limit, rules, Rehearsal(3 * 10**6 + rng), lambda *_: None).ensemble()
        return ensemble.decision_function(rows.X[self.test])


def measure(task: Task, chosen: Sequence[Key] | None = None) -> dict[Key, list[float]]:
    """AUC and accuracy of each way."""
    warnings.simplefilter("ignore", ClippedWarning)
    repetition = Repetition(task)
    return {key: repetition.run(key) for key in chosen or keys(task.epsilon)}


def compared_with(key: Key) -> Key:
    """Totally random trees, as many of them, paid likewise; for candidates, uniform ones."""
    name, trees, paid = key
    if name in BORDERS:
        return next(iter(BORDERS)), trees, MENDED
    return BASE, trees if trees in TREES else TREES[-1], paid if paid in PAID else MENDED


def records(tasks: Sequence[Task], found: Sequence[dict[Key, list[float]]]) -> list[Found]:
    """For each set, ε and way: means, differences from what it is compared with on the same rows, and their errors."""
    rows = list[Found]()
    for data in DATA:
        for epsilon in EPSILONS:
            runs = [one for task, one in zip(tasks, found, strict=True) if task[:2] == (data, epsilon)]
            for key in keys(epsilon):
                own, base = (np.array([run[which] for run in runs]) for which in (key, compared_with(key)))
                row = Found(data=data, epsilon=epsilon, choices=key[0], trees=key[1], paid=key[2])
                for at, what in enumerate(("auc", "accuracy")):
                    row[what], row[f"{what} less"] = mean(own[:, at]), mean(own[:, at] - base[:, at])
                rows.append(row | {"all": own.tolist()})
    return rows


def report(rows: Sequence[Found]) -> str:
    """A line for each way, mended."""
    lines = [("rows", "ε", "choices", "trees", "AUC", "less random", "accuracy", "less random")]
    for row in rows:
        if row["paid"] != PRINTED:
            shown = (f"{row[k][0]:.3f} ± {row[k][1]:.3f}" for k in ("auc", "auc less", "accuracy", "accuracy less"))
            lines.append((row["data"], row["epsilon"], row["choices"], str(row["trees"]), *shown))
    return text_table(lines, right=range(3, 8))


def mean(values: Any) -> list[float]:
    """And its standard error."""
    return [round(float(np.mean(values)), 5), round(spread(values), 5)]
