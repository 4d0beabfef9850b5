"""A node while its tree grows: what it asks for, what was released of it, and the two sides that it is split into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from fdpedu.accounting import Cost, as_cost
from fdpedu.cart import CodeSplit
from fdpedu.cart.split import Counts
from fdpedu.domain import Region
from fdpedu.federation import ClassHistogram, NodeHistograms, Query
from fdpedu.trees.counts import UNKNOWN, View
from fdpedu.trees.leaf_release import LeafRelease
from fdpedu.trees.subset import mask_of


@dataclass
class Growing:
    """A node: open (to be split), waiting (for its leaf counts), or done.

    ``features`` are those whose histograms it asks for, None for all of them.
    """

    region: Region
    features: tuple[int, ...] | None = None
    views: list[View] = field(default_factory=list)
    release: LeafRelease | None = None
    chosen: CodeSplit | None = None
    sides: tuple[Growing, ...] = ()

    @property
    def n_queries(self) -> int:
        """How many queries it asks."""
        return 1 if self.features is None else len(self.features)

    def inside(self, sizes: Sequence[int]) -> NDArray[np.bool_]:
        """Which of all features' codes, one after the other, lie in its region and belong to what it asks for."""
        return self.region.inside(sizes) & mask_of(self.features, sizes)

    def queries(self, cost: Cost | Fraction) -> list[Query]:
        """The queries for its histograms, which cost this in all."""
        if self.features is None:
            return [NodeHistograms(self.region, cost)]
        # thm-node-histograms: every record is in the histogram of each feature, so their costs add up
        each = as_cost(cost).scaled(Fraction(1, len(self.features)))
        return [ClassHistogram(self.region, each, feature) for feature in self.features]

    def table(self, answers: Sequence[Counts], sizes: Sequence[int]) -> Counts:
        """The answers to its queries in the places of all features' codes, 0 for features that were not asked for.

        ``sizes`` are the numbers of codes of all features.
        """
        if self.features is None:
            return answers[0]
        table = np.zeros((sum(sizes), answers[0].shape[1]), dtype=np.int64)
        table[mask_of(self.features, sizes)] = np.concatenate(answers)
        return table

    def split(self, chosen: CodeSplit) -> tuple[Growing, ...]:
        """The two sides."""
        feature, here = chosen.feature, self.region.codes(chosen.feature)
        sides = (chosen.left & here, here - chosen.left)
        self.chosen, self.sides = chosen, tuple(Growing(self.region.restrict(feature, side)) for side in sides)
        return self.sides

    def read_sides(self, table: Counts, first: NDArray[np.int64], variance: float) -> None:
        """Let both sides have the counts in the chosen histogram, and the node those of its other histograms.

        The histogram was chosen by its noise, too, so its sides look purer than they are.

        Claims: lem-histogram-reuse

        Parameters
        ----------
        table : the node's histograms, 0 outside of the node, shape (Σ codes, classes)
        first : where the codes of each feature begin
        variance : of a cell's noise
        """
        asked = range(len(first)) if self.features is None else self.features
        if self.chosen is not None:
            feature = self.chosen.feature
            for side in self.sides:
                side.views.append(self._total(table, int(first[feature]), side.region.codes(feature), variance))
            others = [j for j in asked if j != feature]
            views = [self._total(table, int(first[j]), self.region.codes(j), variance) for j in others]
            self.views = views or [View(np.zeros(table.shape[1]), UNKNOWN)]

    @staticmethod
    def _total(table: Counts, first: int, codes: frozenset[int], variance: float) -> View:
        """The sum over some codes of a feature, whose first one stands there, as a view of what they hold."""
        return View(table[[first + code for code in codes]].sum(axis=0), len(codes) * variance)

    def releases(self) -> tuple[LeafRelease, ...]:
        """The leaf counts that were released here and below, in the order of reading."""
        below = tuple(release for side in self.sides for release in side.releases())
        return below if self.release is None else (self.release, *below)
