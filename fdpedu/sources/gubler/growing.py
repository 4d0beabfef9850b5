"""Algorithms 5 and 6, with or without the faults of the published code, for many runs at once.

All nodes of a level and all runs are one batch: exact counts (:mod:`~fdpedu.sources.gubler.counting`), then the only
place that draws (:meth:`~fdpedu.sources.gubler.budget.Budget.noise`), then post-processing
(:mod:`~fdpedu.sources.gubler.choosing`).
A recursion that grows one tree (``tests/support/report_trees.py``) is held equal to it by a test.

Only nodes that hold a training or a test row are grown. The noise of nodes is independent, so the number of correct
test rows has the same law as if all were; a release may not do so, because it would tell which nodes are empty. The
noise is NumPy's real-valued Laplace noise of the whole sum: nothing here is a release.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import Rational, as_indices, as_list, occurrences, require_type
from fdpedu.sources.gubler import choosing, counting
from fdpedu.sources.gubler.budget import Budget
from fdpedu.sources.gubler.choosing import Chosen
from fdpedu.sources.gubler.counting import Codes, Floats, Ints, Ranges
from fdpedu.sources.gubler.sample import Sample, require_sample
from fdpedu.sources.gubler.setting import BINS, Setting, Variant, as_budget

CELLS = 60_000  # cells of histograms that are held at once


class PlacedRows(NamedTuple):
    """Rows of a batch by number, in the order of the nodes that they are in; and these nodes, 0, 1, …"""

    number: Ints
    at: Ints

    def of(self, which: NDArray[Any] | slice) -> PlacedRows:
        return PlacedRows(self.number[which], self.at[which])


@dataclass(frozen=True)
class Outcome:
    """What came of the runs.

    Parameters
    ----------
    correct : test rows with the right label, (runs,)
    dearest : for each run, how many features were asked at each node of the path that cost most
    roots : feature and border of the root's split, (runs, 2); −1 where the root is a leaf
    """

    correct: NDArray[np.int64]
    dearest: tuple[tuple[int, ...], ...]
    roots: NDArray[np.int64]


def grow_runs(
    samples: Sequence[Sample],
    setting: Setting,
    variant: Variant,
    *,
    saving: bool,
    epsilon: Rational,
    rng: np.random.Generator | None,
) -> Outcome:
    """One tree for each sample, all of the same size, and how well each predicts its own test rows.

    Claims: alg-published-study, alg-mended-saving, saving-strictly-improves, alg-noise-regularises, lem-lazy-expansion

    Parameters
    ----------
    samples : the rows of the runs
    setting : how trees are grown
    variant : the faults, and whether counts are clipped
    saving : Algorithm 6 instead of Algorithm 5
    epsilon : the budget as the algorithm books it
    rng : for all noise, in the order of levels and nodes; None for none

    Examples
    --------
    >>> from fdpedu.sources.gubler.faults import PUBLISHED
    >>> from fdpedu.sources.gubler.sample import draw_sample
    >>> setting, published = Setting(3, 250, 10, 5, "0.3"), Variant("published", PUBLISHED)
    >>> rows = draw_sample(setting, published.faults, np.random.default_rng(0))
    >>> grown = grow_runs([rows, rows], setting, published, saving=True, epsilon=1, rng=np.random.default_rng(1))
    >>> bool((grown.correct > 250).all()), len(grown.dearest)
    (True, 2)
    """
    rows = as_list(samples, "samples")
    booked = require_growable(rows, setting, variant, saving=saving, epsilon=epsilon, rng=rng)
    return _Forest(rows, Budget(booked, setting, saving, variant.faults, rng), variant).grown()


def require_growable(
    samples: Sequence[Sample],
    setting: Setting,
    variant: Variant,
    *,
    saving: bool,
    epsilon: Rational,
    rng: np.random.Generator | None,
) -> float:
    """Refuse what no trees can be grown from; returns ε as a float."""
    require_type(setting, Setting, "setting")
    require_type(variant, Variant, "variant")
    require_type(saving, bool, "saving")
    if rng is not None:
        require_type(rng, np.random.Generator, "rng")
    if not samples:
        raise ValueError("samples must be at least one")
    for sample in samples:
        require_sample(sample, setting.p, "sample")
    return float(as_budget(epsilon))


class _Forest:
    """The runs while they grow. Rows and test rows that have reached a leaf are dropped."""

    def __init__(self, samples: Sequence[Sample], budget: Budget, variant: Variant) -> None:
        self.budget, self.faults, self.clip = budget, variant.faults, variant.clip
        self.p, runs = budget.setting.p, len(samples)
        X, self.y, self.party, X_test, self.y_test = (np.concatenate(part) for part in zip(*samples, strict=True))
        self.X, self.X_test = self._known(X), self._known(X_test)
        runs_of = np.arange(runs, dtype=np.int64)
        self.rows, self.test = (
            PlacedRows(np.arange(sum(sizes), dtype=np.int64), np.repeat(runs_of, as_indices(sizes)))
            for sizes in ([len(sample.y) for sample in samples], [len(sample.y_test) for sample in samples])
        )
        self.run, self.saved, self.spent = np.arange(runs, dtype=np.int64), np.zeros(runs), np.zeros(runs)
        self.path = np.zeros((runs, 0), dtype=np.int64)
        self.correct, self.roots = np.zeros(runs, dtype=np.int64), np.full((runs, 2), -1, dtype=np.int64)
        self.dearest: list[tuple[float, tuple[int, ...]]] = [(0.0, ())] * runs

    def _known(self, X: Floats) -> NDArray[Any]:
        """The bins, if they are the same at every node; else the values, from which each node makes its own."""
        if self.faults.raw_ranges:
            return X
        return counting.bins_of(X, *counting.public_ranges(1, self.p), strict=self.faults.strict_threshold)

    def grown(self) -> Outcome:
        for _ in range(self.budget.setting.max_depth):
            if len(self.run):
                self._level()
        self._finish(np.ones(len(self.run), dtype=bool), np.zeros(len(self.run)))
        return Outcome(self.correct, tuple(path for _, path in self.dearest), self.roots)

    def _level(self) -> None:
        """Split all open nodes, block by block; nodes that stop become leaves."""
        block = max(1, CELLS // (self.p * BINS * 2))
        self.rows, self.test = (rows.of(rows.at.argsort(kind="stable")) for rows in (self.rows, self.test))
        borders = [*range(0, len(self.run), block), len(self.run)]
        done = [self._block(slice(*ends)) for ends in pairwise(borders)]
        leaf, extra, saved, cost, asked, roots, left, test_left = (
            np.concatenate(part) for part in zip(*done, strict=True)
        )
        if not self.path.shape[1]:
            self.roots = np.where(leaf[:, None], -1, roots)
        self.spent, self.path = self.spent + cost, np.column_stack([self.path, asked])
        self._finish(leaf, extra)
        self._descend(leaf, saved, left, test_left)

    def _block(self, nodes: slice) -> tuple[NDArray[np.generic], ...]:
        """Exact counts, noise, post-processing: what becomes of some nodes and of the rows in them."""
        (rows, test), count = (_part(part, nodes) for part in (self.rows, self.test)), nodes.stop - nodes.start
        for_bounds, for_hists = self.budget.divided(self.saved[nodes])
        X, y = self.X[rows.number], self.y[rows.number]
        ranges = counting.raw_ranges(X, rows.at, count) if self.faults.raw_ranges else None
        strict = self.faults.strict_threshold
        codes = X if ranges is None else counting.bins_in_nodes(X, rows.at, ranges, strict=strict)
        counts = counting.histograms(codes, y, rows.at, count)
        counts += self.budget.noise(self.p / for_hists, counts.shape)
        if self.clip:
            np.maximum(counts, 0, out=counts)
        chosen = self._chosen(counts, self._bounds(codes, rows, for_bounds) if self.budget.saving else None)
        left, test_left = self._sides(codes, rows, chosen), self._sides_of_test(test, chosen, ranges)
        stopped = choosing.stops(counts.sum(axis=3), chosen.visited, self.faults, saving=self.budget.saving)
        asked = chosen.visited.sum(axis=1)
        saved = for_hists * (self.p - asked) / self.p
        extra = np.where(~stopped & ~chosen.found & self.faults.leaf_margin, self.saved[nodes], 0.0)
        leaf = stopped | ~chosen.found
        if self.faults.empty_child_is_leaf:
            leaf |= occurrences(rows.at * 2 + left, 2 * count).reshape(count, 2).min(axis=1) == 0
        bounds_cost = for_bounds * (self.p if self.faults.undivided_bounds else 1)
        cost = bounds_cost + for_hists * asked / self.p
        return leaf, extra, saved, cost, asked, np.stack([chosen.feature, chosen.border], 1), left, test_left

    def _sides(self, codes: Codes, rows: PlacedRows, chosen: Chosen) -> Ints:
        """1 for the training rows that go left, 0 for the others."""
        own = codes[np.arange(len(codes), dtype=np.int64), chosen.feature[rows.at]]
        return (own <= chosen.border[rows.at]).astype(np.int64)

    def _sides_of_test(self, test: PlacedRows, chosen: Chosen, ranges: Ranges | None) -> Ints:
        """The same for test rows, of which nothing is looked at but the chosen feature."""
        feature = chosen.feature[test.at]
        own = self.X_test[test.number, feature]
        if ranges is not None:
            low, high = (limits[test.at, feature] for limits in ranges)
            own = counting.bins_of(own, low, high, strict=self.faults.strict_threshold)
        return (own <= chosen.border[test.at]).astype(np.int64)

    def _chosen(self, counts: Floats, bounds: Floats | None) -> Chosen:
        if bounds is None:
            return choosing.choose_split(counts, self.faults)
        return choosing.choose_and_remove(counts, bounds, self.faults)

    def _bounds(self, codes: Codes, rows: PlacedRows, for_bounds: Floats) -> Floats:
        """Noisy lower bounds of the nodes, (nodes, p)."""
        nodes, y, party = len(for_bounds), self.y[rows.number], self.party[rows.number]
        without_parties = self.faults.no_parties and self.budget.setting.figure == 2
        exact = np.zeros((nodes, self.p))
        if not (self.faults.bounds_without_zeros or without_parties):
            exact = counting.true_bounds(codes, y, party, rows.at, nodes)
        noisy = exact + self.budget.noise(self.budget.scale_of_bounds(for_bounds), exact.shape)
        if self.faults.infinite_bounds and not without_parties:
            noisy[counting.some_party_lacks_class_1(y, party, rows.at, nodes)] = np.inf
        return noisy

    def _finish(self, leaf: NDArray[np.bool_], extra: Floats) -> None:
        """Release the counts of the leaves, score the test rows in them, and keep what the dearest path asked."""
        number, (which,) = leaf.cumsum() - 1, np.nonzero(leaf)
        if not len(which):
            return
        rows, test = (part.of(leaf[part.at]) for part in (self.rows, self.test))
        counts = counting.class_counts(self.y[rows.number], number[rows.at], len(which))
        if self.faults.short_bincount:
            counts = counting.short_counts(counts)
        paid = self.budget.leaf + extra[which]
        labels = choosing.leaf_labels(counts + self.budget.noise(1 / paid, counts.shape), self.faults)
        right = labels[number[test.at]] == self.y_test[test.number]
        self.correct += occurrences(self.run[test.at][right], len(self.correct))
        for node, spent in zip(which.tolist(), (self.spent[which] + paid).tolist(), strict=True):
            if spent > self.dearest[self.run[node]][0]:
                self.dearest[self.run[node]] = spent, tuple(self.path[node].tolist())

    def _descend(self, leaf: NDArray[np.bool_], saved: Floats, left: Ints, test_left: Ints) -> None:
        """Rows of the other nodes go to the children; of these, those with a row of either kind are the next level."""
        moved = []
        for rows, goes in ((self.rows, left), (self.test, test_left)):
            keep = ~leaf[rows.at]
            moved.append(PlacedRows(rows.number[keep], rows.at[keep] * 2 + goes[keep]))
        children = np.union1d(moved[0].at, moved[1].at)
        self.rows, self.test = (PlacedRows(rows.number, np.searchsorted(children, rows.at)) for rows in moved)
        parents = children // 2
        self.run, self.saved = self.run[parents], (saved if self.budget.saving else np.zeros(len(saved)))[parents]
        self.spent, self.path = self.spent[parents], self.path[parents]


def _part(rows: PlacedRows, nodes: slice) -> PlacedRows:
    """The rows of some nodes, which stand together, with the nodes counted from 0."""
    first, last = np.searchsorted(rows.at, [nodes.start, nodes.stop])
    part = rows.of(slice(first, last))
    return PlacedRows(part.number, part.at - nodes.start)
