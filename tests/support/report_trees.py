"""One tree of `fdpedu.experiments` at a time: the recursion of Algorithm 5, with Algorithm 6's splits if it saves.

A second way to grow, and not a second reading of the report, which `report_text.py` is: `sources.gubler.growing` grows
many runs at once and must do what this does. A subtree that no training row and no test row comes to is not grown here
either.

Shares: sources.gubler.choosing, sources.gubler.counting, sources.gubler.growing.require_growable: the counts and the
rules of a node, which that reading checks.
"""

from dataclasses import dataclass

import numpy as np

from fdpedu.sources.gubler import choosing, counting
from fdpedu.sources.gubler.budget import Budget
from fdpedu.sources.gubler.growing import require_growable


def grow_tree(sample, setting, variant, *, saving, epsilon, rng):
    """The labels that a tree grown on a sample's training rows gives to its test rows."""
    booked = require_growable([sample], setting, variant, saving=saving, epsilon=epsilon, rng=rng)
    budget = Budget(booked, setting, saving, variant.faults, rng)
    grower = _Grower(sample, budget, variant.clip)
    grower.grow(np.arange(len(sample.y)), np.arange(len(sample.y_test)), 0, saved=0.0)
    return grower.labels


@dataclass(frozen=True)
class _Node:
    """What a node has to choose with: bins of its rows and test rows, and its budget."""

    codes: np.ndarray
    test_codes: np.ndarray
    for_bounds: np.ndarray
    for_hists: np.ndarray


class _Grower:
    def __init__(self, sample, budget, clip):
        self.sample, self.budget, self.clip, self.faults = sample, budget, clip, budget.faults
        self.labels = np.zeros(len(sample.y_test), dtype=np.int64)

    def grow(self, rows, test, depth, saved):
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

    def prepared(self, rows, test, saved):
        X, p = self.sample.X[rows], self.budget.setting.p
        ranges = counting.public_ranges(1, p)
        if self.faults.raw_ranges:
            ranges = counting.raw_ranges(X, self._here(rows), 1)
        strict = self.faults.strict_threshold
        codes = [counting.bins_of(values, *ranges, strict=strict) for values in (X, self.sample.X_test[test])]
        return _Node(codes[0], codes[1], *self.budget.divided(np.array([saved])))

    def noisy_histograms(self, node, rows):
        """Histograms of all features, (1, p, 2, bins). Of a feature that is removed nobody looks at its own."""
        exact = counting.histograms(node.codes, self.sample.y[rows], self._here(rows), 1)
        noisy = exact + self.budget.noise(self.budget.setting.p / node.for_hists, exact.shape)
        return np.maximum(noisy, 0) if self.clip else noisy

    def choose(self, node, counts, rows):
        if not self.budget.saving:
            return choosing.choose_split(counts, self.faults)
        return choosing.choose_and_remove(counts, self.noisy_bounds(node, rows), self.faults)

    def noisy_bounds(self, node, rows):
        """One lower bound for each feature, (1, p)."""
        y, party, here = self.sample.y[rows], self.sample.party[rows], self._here(rows)
        no_parties = self.faults.no_parties and self.budget.setting.figure == 2
        bounds = np.zeros((1, self.budget.setting.p))
        if not (self.faults.bounds_without_zeros or no_parties):
            bounds = counting.true_bounds(node.codes, y, party, here, 1)
        bounds = bounds + self.budget.noise(self.budget.scale_of_bounds(node.for_bounds), bounds.shape)
        reported = self.faults.infinite_bounds and not no_parties
        if reported and counting.some_party_lacks_class_1(y, party, here, 1)[0]:
            bounds[:] = np.inf
        return bounds

    def create_leaf(self, rows, test, extra=0.0):
        """Class counts with noise, and the label of the larger one."""
        counts = counting.class_counts(self.sample.y[rows], self._here(rows), 1)
        if self.faults.short_bincount:
            counts = counting.short_counts(counts)
        noise = self.budget.noise(1 / np.array([self.budget.leaf + extra]), counts.shape)
        self.labels[test] = choosing.leaf_labels(counts + noise, self.faults)[0]

    def _here(self, rows):
        """All rows are in the one node, number 0."""
        return np.zeros(len(rows), dtype=np.int64)
