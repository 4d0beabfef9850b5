"""When a node becomes a leaf: tests on released counts, so post-processing, for all nodes of a level at once.

A node of few rows is not worth a split, and neither is one that holds one class only. Both are judged from noisy
totals. What is known of the noise is its variance: a cell's noise is the sum of K shares, of which m = K − tolerate
make up a discrete Laplace number, so its variance is K/m·2α/(1−α)².

- :func:`confident` stops where an upper confidence bound of the total is below the least number of rows. Where the
  noise is large it stops hardly ever, and that is right: a leaf that should have been split costs more than a split
  that should have been a leaf.
- :func:`averaged` compares the averaged totals as they are. With small data and little budget it stops where noise is
  small, not where data are few: 30 to 63 % of the trees of 250 rows are a bare root.
- :func:`as_printed` is the report's: every feature's own total is too small, or no feature sees more than one class.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from fdpedu.cart.split import Counts
from fdpedu.exact import Rate, as_indices

CONFIDENCE = 0.95
"""The level of the confidence bounds, of a normal law: a total is a sum of many independent noises."""
NOT_KEPT = "this tree was grown by a rule of its own, which its file does not keep: give the rule again"
_Z = 1.6448536269514722  # 95 % of a normal law lie below it


@dataclass(frozen=True)
class Level:
    """What was released of the open nodes of a level.

    ``tables`` are the histograms of the features that were asked for, shape (nodes, Σ codes, classes), 0 for the others
    and outside the node's region; ``inside`` says which codes lie in it and belong to what was asked, shape
    (nodes, Σ codes); ``first`` is where each feature's codes begin; ``deviation`` is the standard deviation of a cell's
    noise.
    """

    tables: Counts
    inside: NDArray[np.bool_]
    first: NDArray[np.int64]
    deviation: float

    @property
    def n_features(self) -> int:
        """q, how many features each node was asked for: all p, unless the design has ``features_per_node``."""
        asked = np.add.reduceat(self.inside, as_indices(self.first), axis=1, dtype=np.int64) > 0
        return int(asked[0].sum()) if len(asked) else len(self.first)

    def totals(self) -> Counts:
        """q times the averaged class totals of each node, shape (nodes, classes)."""
        return self.tables.sum(axis=1)

    def best_totals(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The inverse-variance means over the features of each node's class totals, and their variances.

        A feature's total is the sum of as many noises as it has codes in the node; one that was not asked for has none.
        Shapes (nodes, classes), (nodes,).
        """
        codes = np.add.reduceat(self.inside, as_indices(self.first), axis=1, dtype=np.int64)
        weights = np.where(codes > 0, 1 / np.maximum(codes, 1), 0)
        totals = np.add.reduceat(self.tables, as_indices(self.first), axis=1)
        means = np.einsum("np,npc->nc", weights, totals) / weights.sum(axis=1)[:, None]
        return means, self.deviation**2 / weights.sum(axis=1)

    def bounds(self, totals: Counts, classes: int) -> NDArray[np.float64]:
        """Upper confidence bounds of averaged totals that each add up ``classes`` classes; both of shape (nodes, …)."""
        cells = self.inside.sum(axis=1) * classes
        spread = _Z * self.deviation * np.sqrt(cells) / self.n_features
        return totals / self.n_features + spread.reshape(-1, *[1] * (totals.ndim - 1))


Rule = Callable[[Level, int], NDArray[np.bool_]]


def noise_deviation(rate: Rate, n_parties: int, n_noise_shares: int) -> float:
    """The standard deviation of the noise of one cell: √(K/m·2α)/(1−α), a float for tests that cost nothing.

    Claims: lem-confident-stopping

    >>> round(noise_deviation(Rate.of(epsilon="1/10"), 5, 4), 1)  # about √(2K/m)/ε
    15.8
    """
    # lem-confident-stopping: K shares are added, and m of them make up the full noise: K/m of its variance
    decay = float(rate)
    return math.sqrt(2 * n_parties / n_noise_shares) * math.exp(-decay / 2) / -math.expm1(-decay)


def confident(level: Level, min_samples_split: int) -> NDArray[np.bool_]:
    """Stop where, beyond the noise, there are fewer rows than asked for, or at most one class.

    Claims: lem-confident-stopping
    """
    totals = level.totals()
    few = level.bounds(totals.sum(axis=1), totals.shape[1]) < min_samples_split
    present = level.bounds(totals, 1) >= 1
    return np.asarray(few | (np.count_nonzero(present, axis=1) <= 1))


def averaged(level: Level, min_samples_split: int) -> NDArray[np.bool_]:
    """Stop where the averaged total is less than asked for, or at most one averaged class total is positive."""
    totals = level.totals()
    few = totals.sum(axis=1) < level.n_features * min_samples_split
    return np.asarray(few | (np.count_nonzero(totals > 0, axis=1) <= 1))


def as_printed(level: Level, min_samples_split: int) -> NDArray[np.bool_]:
    """Algorithm 5, line 6: for all features the total is less than asked for, or at most one class has a positive one.

    Totals of clipped cells are at least 0, so with clipping the second test says that a class has no cell left.
    """
    totals = np.add.reduceat(np.maximum(level.tables, 0), as_indices(level.first), axis=1)
    few = (totals.sum(axis=2) < min_samples_split).all(axis=1)
    return np.asarray(few | (np.count_nonzero((totals > 0).any(axis=1), axis=1) <= 1))


def never(level: Level, min_samples_split: int) -> NDArray[np.bool_]:
    """Go on to full depth, whatever the counts are: where a leaf costs the same, a split that tells nothing is free."""
    return np.zeros(len(level.tables), dtype=bool)


def not_kept(level: Level, min_samples_split: int) -> NDArray[np.bool_]:
    """Stands for the rule of a tree that was read from a file and grown by a rule without a name there."""
    raise ValueError(NOT_KEPT)


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "confident": confident,
        "averaged": averaged,
        "never": never,
        "as-printed": as_printed,
    }
)
"""The rules by the names that they have in a tree's file."""
