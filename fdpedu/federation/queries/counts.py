"""Counts of records: by class, by class and bin, by groups of bins. One record moves one cell of a table by 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fdpedu.domain import MAX_CODES, Domain, code_groups, require_target
from fdpedu.exact import Integers, as_indices, as_integer, occurrences
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
class GroupCounts(Query):
    """The counts of every feature in groups of adjacent bins, without classes: one integer a cell, by feature.

    One record is counted once for each feature, in a group or in the cell of missing values. So the answer is p
    releases of sensitivity 1, and one vector with ℓ₂² = p, however many groups there are.

    Claims: lem-group-counts

    Parameters
    ----------
    region : the records that it looks at
    cost : of all cells together: ε, or a cost in ρ
    groups : at most so many for a numeric feature, from 2 to 256: :func:`fdpedu.domain.code_groups`

    Examples
    --------
    >>> features = {"age": [0, 100, 50], "ward": ["A", "B", "C"]}
    >>> domain = Domain.from_spec({"features": features, "classes": ["ill", "well"]})
    >>> asked = GroupCounts(domain.everything, 1, 8)
    >>> asked.shape(domain), asked.n_releases, asked.sensitivity, asked.l2_squared
    ((11,), 2, 1, 2)
    """

    groups: int
    type: ClassVar[str] = "group-counts"
    claim: ClassVar[str] = "lem-group-counts"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "groups", as_integer(self.groups, "groups", minimum=2, maximum=MAX_CODES))

    @property
    def n_releases(self) -> int:
        return len(self.region.features)

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (sum(int(code_groups(feature, self.groups)[-1]) + 1 for feature in domain.features),)

    def tally(self, records: Records, rows: RowNumbers, domain: Domain) -> Integers:
        found = []
        for feature, column in zip(domain.features, records.columns, strict=True):
            cells = code_groups(feature, self.groups)
            # lem-group-counts: a value is in one cell, so a record is counted once for each feature
            found.append(occurrences(cells.take(as_indices(column.take(as_indices(rows)))), int(cells[-1]) + 1))
        return np.concatenate(found)

    def describe(self, domain: Domain) -> str:
        return f"counts of all features in {self.groups} groups"

    def check(self, domain: Domain) -> None:
        if type(self.groups) is not int or not 2 <= self.groups <= MAX_CODES:
            raise ValueError(f"groups must be an integer from 2 to {MAX_CODES}")
        super().check(domain)


@dataclass(frozen=True)
class TargetCounts(Query):
    """How many records have a target in each group of adjacent levels: one integer a group, empty ones too.

    A record has one level, so the answer is one release of sensitivity 1, however many groups there are.

    Claims: lem-target-histogram

    Parameters
    ----------
    region : the records that it looks at
    cost : of all groups together: ε, or a cost in ρ
    groups : at most so many, from 2 to 256: :func:`fdpedu.domain.code_groups`

    Examples
    --------
    >>> domain = Domain.from_spec({"features": {"age": [0, 100, 4]}, "target": [0, 40]})
    >>> asked = TargetCounts(domain.everything, 1, 64)
    >>> asked.shape(domain), asked.n_releases, asked.sensitivity
    ((64,), 1, 1)
    """

    groups: int
    type: ClassVar[str] = "target-counts"
    claim: ClassVar[str] = "lem-target-histogram"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "groups", as_integer(self.groups, "groups", minimum=2, maximum=MAX_CODES))

    def shape(self, domain: Domain) -> tuple[int, ...]:
        return (min(self.groups, domain.n_classes),)

    def tally(self, records: Records, rows: RowNumbers, domain: Domain) -> Integers:
        cells = code_groups(require_target(domain, "a count of levels"), self.groups)
        # lem-target-histogram: a level is in one group, and empty groups are counted as well
        return occurrences(cells.take(as_indices(records.labels.take(as_indices(rows)))), self.size(domain))

    def describe(self, domain: Domain) -> str:
        return f"counts of the target in {self.groups} groups"

    def check(self, domain: Domain) -> None:
        require_target(domain, "a count of levels")
        super().check(domain)


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
        return occurrences(cells, self.size(domain))

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
        return occurrences(records.labels[rows], domain.n_classes)

    def describe(self, domain: Domain) -> str:
        return "class counts of a leaf"
