"""One tree at a time, as one reads the report: the recursion of Algorithm 5, with Algorithm 6's splits if it saves.

The same counts, noise and rules as :mod:`fdpedu.experiments.growing`, which grows many runs at once. A subtree that no
training row and no test row comes to is not grown (the law of the number of correct test rows is the same; a release
may not do so).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import Rational
from fdpedu.experiments import choosing, counting
from fdpedu.experiments.budget import Budget
from fdpedu.experiments.choosing import Chosen
from fdpedu.experiments.counting import Codes, Floats, Ints
from fdpedu.experiments.growing import require_growable
from fdpedu.experiments.protocol import Setting, Variant
from fdpedu.experiments.sample import Sample


def grow_tree(
    sample: Sample,
    setting: Setting,
    variant: Variant,
    *,
    saving: bool,
    epsilon: Rational,
    rng: np.random.Generator | None,
) -> NDArray[np.int64]:
    """Grow one tree on a sample's training rows; returns the labels that it gives to the test rows.

    Parameters
    ----------
    sample : rows to learn from and to be tested on
    setting : how the tree is grown
    variant : the faults, and whether counts are clipped
    saving : Algorithm 6 instead of Algorithm 5
    epsilon : the budget as the algorithm books it
    rng : for all noise; None for none

    Examples
    --------
    >>> from fdpedu.experiments.protocol import VARIANTS
    >>> from fdpedu.experiments.sample import draw_sample
    >>> setting, printed = Setting(3, 250, 10, 5, "0.3"), VARIANTS["printed"]
    >>> sample = draw_sample(setting, printed.faults, np.random.default_rng(0))
    >>> labels = grow_tree(sample, setting, printed, saving=False, epsilon=5, rng=np.random.default_rng(1))
    >>> bool((labels == sample.y_test).mean() > 0.5)
    True
    """
    booked = require_growable([sample], setting, variant, saving=saving, epsilon=epsilon, rng=rng)
    budget = Budget(booked, setting, saving, variant.faults, rng)
    grower = _Grower(sample, budget, variant.clip)
    grower.grow(np.arange(len(sample.y)), np.arange(len(sample.y_test)), 0, saved=0.0)
    return grower.labels


@dataclass(frozen=True)
class _Node:
    """What a node has to choose with: bins of its rows and test rows, and its budget."""

    codes: Codes
    test_codes: Codes
    for_bounds: Floats
    for_hists: Floats


class _Grower:
    def __init__(self, sample: Sample, budget: Budget, clip: bool) -> None:
        self.sample, self.budget, self.clip, self.faults = sample, budget, clip, budget.faults
        self.labels = np.zeros(len(sample.y_test), dtype=np.int64)

    def grow(self, rows: Ints, test: Ints, depth: int, saved: float) -> None:
        """FitTreeRecursive: of the rows with these numbers, and the test rows that come to the same node."""
        if not len(rows) and not len(test):
            return
        if depth >= self.budget.setting.max_depth:
            return self.create_leaf(rows, test)
        node = self.prepared(rows, test, saved)
        counts = self.noisy_histograms(node, rows)
        chosen = self.choose(node, counts, rows)
        unspent = float(node.for_hists[0] * (~chosen.visited).mean())
        if choosing.stops(counts.sum(axis=3), chosen.visited, self.faults, saving=self.budget.saving)[0]:
            return self.create_leaf(rows, test)
        if not chosen.found[0]:
            return self.create_leaf(rows, test, saved if self.faults.leaf_margin else 0.0)
        feature, border = chosen.feature[0], chosen.border[0]
        left, test_left = node.codes[:, feature] <= border, node.test_codes[:, feature] <= border
        if self.faults.empty_child_is_leaf and (left.all() or not left.any()):
            return self.create_leaf(rows, test)
        handed_down = unspent if self.budget.saving else 0.0
        self.grow(rows[left], test[test_left], depth + 1, handed_down)
        self.grow(rows[~left], test[~test_left], depth + 1, handed_down)

    def prepared(self, rows: Ints, test: Ints, saved: float) -> _Node:
        X, p = self.sample.X[rows], self.budget.setting.p
        ranges = counting.public_ranges(1, p)
        if self.faults.raw_ranges:
            ranges = counting.raw_ranges(X, self._here(rows), 1)
        strict = self.faults.strict_threshold
        codes = [counting.bins_of(values, *ranges, strict=strict) for values in (X, self.sample.X_test[test])]
        return _Node(codes[0], codes[1], *self.budget.divided(np.array([saved])))

    def noisy_histograms(self, node: _Node, rows: Ints) -> Floats:
        """Histograms of all features, (1, p, 2, bins). Of a feature that is removed nobody looks at its own."""
        exact = counting.histograms(node.codes, self.sample.y[rows], self._here(rows), 1)
        noisy = exact + self.budget.noise(self.budget.setting.p / node.for_hists, exact.shape)
        return np.maximum(noisy, 0) if self.clip else noisy

    def choose(self, node: _Node, counts: Floats, rows: Ints) -> Chosen:
        if not self.budget.saving:
            return choosing.choose_split(counts, self.faults)
        return choosing.choose_and_remove(counts, self.noisy_bounds(node, rows), self.faults)

    def noisy_bounds(self, node: _Node, rows: Ints) -> Floats:
        """One lower bound for each feature, (1, p)."""
        y, party, here = self.sample.y[rows], self.sample.party[rows], self._here(rows)
        no_parties = self.faults.no_parties and self.budget.setting.figure == 2
        bounds = np.zeros((1, self.budget.setting.p))
        if not (self.faults.bounds_without_zeros or no_parties):
            bounds = counting.true_bounds(node.codes, y, party, here, 1)
        bounds = bounds + self.budget.noise(self.budget.scale_of_bounds(node.for_bounds), bounds.shape)
        told = self.faults.infinite_bounds and not no_parties
        if told and counting.some_party_lacks_class_1(y, party, here, 1)[0]:
            bounds[:] = np.inf
        return bounds

    def create_leaf(self, rows: Ints, test: Ints, extra: float = 0.0) -> None:
        """Class counts with noise, and the label of the larger one."""
        counts = counting.class_counts(self.sample.y[rows], self._here(rows), 1)
        if self.faults.short_bincount:
            counts = counting.short_counts(counts)
        noise = self.budget.noise(1 / np.array([self.budget.leaf + extra]), counts.shape)
        self.labels[test] = choosing.leaf_labels(counts + noise, self.faults)[0]

    def _here(self, rows: Ints) -> Ints:
        """All rows are in the one node, number 0."""
        return np.zeros(len(rows), dtype=np.int64)
