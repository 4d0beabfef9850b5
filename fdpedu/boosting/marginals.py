"""What the released histograms say of each feature by itself: shares of its codes, cuts, classes, made-up rows.

All of it is post-processing. Features are treated as if they were independent, which costs accuracy where they are not,
and never privacy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fdpedu.boosting.rules import Rules
from fdpedu.domain import Codes, Domain
from fdpedu.exact import Integers
from fdpedu.gradients.additive import Questions, goes_right
from fdpedu.gradients.table import FULL_WEIGHT
from fdpedu.randomness import Source

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Marginals:
    """The class × bin histograms of all features as they were released, and what follows from them.

    Parameters
    ----------
    domain : what is public
    released : noisy counts of shape (Σ codes, 2), the features one after the other
    """

    domain: Domain
    released: Integers

    @cached_property
    def shares(self) -> tuple[Floats, ...]:
        """For each feature the share of each code: counts below 0 become 0; uniform where nothing is left."""
        found = []
        for counts in self._by_feature():
            kept = np.maximum(counts.sum(axis=1), 0).astype(np.float64)
            found.append(kept / kept.sum() if kept.any() else np.full(len(kept), 1 / len(kept)))
        return tuple(found)

    def cuts(self, feature: int, quantiles: int) -> tuple[int, ...]:
        """The codes at which the feature may be cut: its quantiles, without repetition; all of them if there are none.

        A cut c puts the codes up to c to the left. Missing values, whose code is the last, are no part of it.
        """
        described = self.domain.features[feature]
        n_bins = getattr(described, "n_bins", described.n_codes)
        within = np.cumsum(self.shares[feature][:n_bins])
        if not within[-1]:
            return tuple(range(n_bins - 1))
        # the least code up to which a share of k/q lies
        found = np.searchsorted(within / within[-1], np.arange(1, quantiles) / quantiles - 1e-12)
        return tuple(sorted(set(found.tolist()) - {n_bins - 1})) or tuple(range(n_bins - 1))

    def class_counts(self) -> tuple[float, float]:
        """About how many rows each class has: every feature's histogram counts them, those with few codes best."""
        weights = [1 / len(counts) for counts in self._by_feature()]
        sums = [weight * counts.sum(axis=0) for weight, counts in zip(weights, self._by_feature(), strict=True)]
        first, second = np.sum(sums, axis=0) / sum(weights)
        return float(first), float(second)

    def leaf_shares(self, questions: Questions) -> Floats:
        """What share of the rows each leaf of a tree has, if features are independent; exact within one feature."""
        leaves: list[dict[int, NDArray[np.bool_]]] = [{}]
        for feature, left in questions:
            inside = ~goes_right(left).astype(bool)[: len(self.shares[feature])]
            sides = (inside, ~inside)
            leaves = [{**leaf, feature: leaf.get(feature, True) & side} for leaf in leaves for side in sides]
        return np.array([self._share(leaf) for leaf in leaves])

    def _share(self, leaf: Mapping[int, NDArray[np.bool_]]) -> float:
        return math.prod(float(self.shares[feature][inside].sum()) for feature, inside in leaf.items())

    def rows(self, n: int, coins: Source) -> Codes:
        """Made-up rows, each feature drawn by itself: codes of shape (p, n)."""
        words = coins.words(n * len(self.shares)).astype(np.float64).reshape(len(self.shares), n) / 2.0**64
        drawn = [
            np.searchsorted(np.cumsum(share), w, side="right") for share, w in zip(self.shares, words, strict=True)
        ]
        most = [len(share) - 1 for share in self.shares]
        return np.array([np.minimum(codes, top) for codes, top in zip(drawn, most, strict=True)], dtype=np.uint8)

    def _by_feature(self) -> list[Integers]:
        ends = np.cumsum([feature.n_codes for feature in self.domain.features])[:-1]
        return np.split(self.released, ends)


def class_weights(marginals: Marginals, rules: Rules) -> tuple[int, int, float]:
    """The weights of both classes, of 256, and what all rows weigh together.

    The more frequent class weighs √(n₁/n₀) times as much as the other, by counts that the histograms have paid for.

    Parameters
    ----------
    marginals : released
    rules : whether classes are weighted at all, and N
    """
    if not rules.weighted:
        return FULL_WEIGHT, FULL_WEIGHT, float(rules.nominal_size)
    counts = [max(1.0, one) for one in marginals.class_counts()]
    least, most = min(counts), max(counts)
    lighter = max(1, round(FULL_WEIGHT * (least / most) ** 0.5))
    weights = [FULL_WEIGHT if one == least else lighter for one in counts]
    share = sum(w * n for w, n in zip(weights, counts, strict=True)) / (FULL_WEIGHT * sum(counts))
    return weights[0], weights[1], rules.nominal_size * share
