"""Counts of records: by class, and by class and bin. One record moves one cell of a table by 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fdpedu.domain import Domain
from fdpedu.exact import Integers
from fdpedu.federation.queries.query import Query
from fdpedu.federation.records import Records, RowNumbers


@dataclass(frozen=True)
class NodeHistograms(Query):
    """The class × bin counts of every feature, in a region (a node): integers of shape (Σ codes, classes).

    One record is counted once in each feature's histogram, so the answer is p releases of sensitivity 1, and each cell
    carries noise of rate ε/p. Never one release of sensitivity p: against insiders the two differ. In ρ it is
    one vector, with ℓ₂² = p.

    Claims: thm-node-histograms, fedga-divided
    """

    type: ClassVar[str] = "node-histograms"
    claim: ClassVar[str] = "thm-node-histograms"

    @property
    def n_releases(self) -> int:
        return len(self.region.features)

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (domain.n_codes, domain.n_classes)

    def tally(self, records: Records, rows: RowNumbers, domain: Domain) -> Integers:
        return records.kept((self.type,), self.region, rows, records.histograms)

    def describe(self, domain: Domain) -> str:
        return "class × bin histograms of all features"


@dataclass(frozen=True)
class ClassHistogram(Query):
    """The class × bin counts of one feature, in a region: integers of shape (codes, classes).

    Claims: thm-histogram
    """

    feature: int
    type: ClassVar[str] = "class-histogram"

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (domain.features[self.feature].n_codes, domain.n_classes)

    def tally(self, records: Records, rows: RowNumbers, domain: Domain) -> Integers:
        cells = records.columns[self.feature][rows].astype(np.int64) * domain.n_classes + records.labels[rows]
        # thm-histogram: empty cells are counted as well
        return np.bincount(cells, minlength=self.size(domain))

    def describe(self, domain: Domain) -> str:
        return f"class × bin histogram of {domain.features[self.feature].name}"

    def check(self, domain: Domain) -> None:
        super().check(domain)
        if type(self.feature) is not int or not 0 <= self.feature < domain.n_features:
            raise ValueError(f"feature must be a position from 0 to {domain.n_features - 1}")


@dataclass(frozen=True)
class ClassCounts(Query):
    """The number of records of each class in a region, such as a leaf: integers of shape (classes,).

    No class is ever left out.

    Claims: thm-histogram
    """

    type: ClassVar[str] = "class-counts"

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (domain.n_classes,)

    def tally(self, records: Records, rows: RowNumbers, domain: Domain) -> Integers:
        # thm-histogram: absent classes are counted as well
        return np.bincount(records.labels[rows], minlength=domain.n_classes)

    def describe(self, domain: Domain) -> str:
        return "class counts of a leaf"
