"""The lower reference of :mod:`fdpedu.experiments.gap`: Algorithm 5 correctly paid, on noisy counts as they are.

A node is a leaf if for all features the noisy total is below 10, or for all that of one class is at most 0. Splits with
a side ≤ 0 are passed over; of the others the one of least n·G divided by its feature's own noisy total is taken. A leaf
releases two counts, whatever budget is unspent. The noise is real-valued Laplace noise of the whole sum: no parties.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain import Domain
from fdpedu.exact import occurrences

DEPTH, LEAF_SHARE, MIN_SAMPLES = 5, 0.5, 10
Ints = NDArray[np.int64]


def algorithm_5(
    codes: NDArray[np.integer],
    labels: Ints,
    tests: NDArray[np.integer],
    domain: Domain,
    epsilon: float,
    rng: np.random.Generator | None,
) -> Ints:
    """Labels of test rows, 0 or 1, by a tree of depth 5 of which half the budget is for the leaves.

    Parameters
    ----------
    codes, labels : training rows (n, p) and classes (n,)
    tests : rows to be labelled (m, p)
    domain : whose codes they are
    epsilon : the budget
    rng : for all noise; None for none
    """
    return _Grower(codes, labels, tests, domain, epsilon, rng).grown()


class _Grower:
    def __init__(
        self,
        codes: NDArray[np.integer],
        labels: Ints,
        tests: NDArray[np.integer],
        domain: Domain,
        epsilon: float,
        rng: np.random.Generator | None,
    ) -> None:
        sizes = np.array([feature.n_codes for feature in domain.features], dtype=np.int64)
        self.codes, self.labels, self.tests, self.rng = codes, labels, tests, rng
        self.ordered = [feature.ordered for feature in domain.features]
        self.exists = np.arange(sizes.max(), dtype=np.int64) < sizes[:, None]
        self.leaf_scale, self.cell_scale = 1 / (LEAF_SHARE * epsilon), len(sizes) * DEPTH / ((1 - LEAF_SHARE) * epsilon)
        places = np.arange(len(sizes), dtype=np.int64) * sizes.max() + codes.astype(np.int64)
        self.cells = places * 2 + labels[:, None]
        self.given = np.zeros(len(tests), dtype=np.int64)

    def grown(self) -> Ints:
        self.grow(np.arange(len(self.labels), dtype=np.int64), np.arange(len(self.tests), dtype=np.int64), 0)
        return self.given

    def grow(self, rows: Ints, tests: Ints, level: int) -> None:
        if not len(rows) and not len(tests):
            return
        split = None if level == DEPTH else self.split(self.noisy_counts(rows))
        if split is None:
            counts = occurrences(self.labels[rows], 2) + self.noise(self.leaf_scale, (2,))
            self.given[tests] = counts[1] > counts[0]
            return
        feature, goes_left = split
        left, test_left = goes_left[self.codes[rows, feature]], goes_left[self.tests[tests, feature]]
        self.grow(rows[left], tests[test_left], level + 1)
        self.grow(rows[~left], tests[~test_left], level + 1)

    def noise(self, scale: float, shape: tuple[int, ...]) -> NDArray[np.float64]:
        return np.zeros(shape) if self.rng is None else self.rng.laplace(scale=scale, size=shape)

    def noisy_counts(self, rows: Ints) -> NDArray[np.float64]:
        """Counts (p, codes, 2) of every feature, code and class; a code that a feature does not have counts 0."""
        shape = (*self.exists.shape, 2)
        exact = occurrences(self.cells[rows].ravel(), int(np.prod(shape))).reshape(shape)
        return np.where(self.exists[:, :, None], exact + self.noise(self.cell_scale, shape), 0)

    def split(self, counts: NDArray[np.float64]) -> tuple[int, NDArray[np.bool_]] | None:
        """The feature and a mask of the codes that go left; None makes the node a leaf."""
        totals = counts.sum(axis=1)
        if (totals.sum(axis=1) < MIN_SAMPLES).all() or (totals <= 0).all(axis=0).any():
            return None
        order = self.orders(counts)
        left = np.take_along_axis(counts, order[:, :, None], axis=1).cumsum(axis=1)[:, :-1]
        right = totals[:, None] - left
        n_left, n_right = left.sum(axis=2), right.sum(axis=2)
        allowed = self.exists[:, 1:] & (n_left > 0) & (n_right > 0)  # as many borders as codes less one
        if not allowed.any():
            return None
        with np.errstate(divide="ignore", invalid="ignore"):
            scores = (left.prod(axis=2) / n_left + right.prod(axis=2) / n_right) / totals.sum(axis=1)[:, None]
        feature, border = np.unravel_index(np.where(allowed, scores, np.inf).argmin(), scores.shape)
        goes_left = np.zeros(self.exists.shape[1], dtype=bool)
        goes_left[order[feature, : border + 1]] = True
        return int(feature), goes_left

    def orders(self, counts: NDArray[np.float64]) -> Ints:
        """Codes in order; categories by their noisy share of class 1, and what does not exist last."""
        order = np.tile(np.arange(self.exists.shape[1], dtype=np.int64), (len(self.exists), 1))
        for j in np.flatnonzero(~np.array(self.ordered)):
            n = counts[j].sum(axis=1)
            share = np.divide(counts[j, :, 1], n, out=np.zeros_like(n), where=n > 0)
            order[j] = np.lexsort((share, ~self.exists[j]))
        return order
