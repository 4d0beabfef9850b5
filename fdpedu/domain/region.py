"""Regions: the parts of the record domain that queries look at, and the algebra that accounting needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain.features import MAX_CODES, Codes


@dataclass(frozen=True)
class Region:
    """A product of code sets, one per feature, and a class set: the part of the record domain that a query looks at.

    Sets are bit masks (bit i stands for code i). Two regions are disjoint iff they are in some coordinate; one contains
    another iff it does in every coordinate. Rows can be partitioned by regions. Columns cannot: one record has a value
    in every feature.
    """

    features: tuple[int, ...]
    classes: int

    def __post_init__(self) -> None:
        if not self.classes or not all(self.features):
            raise ValueError("a region must hold at least one code of every feature and at least one class")

    def restrict(self, feature: int, codes: Iterable[int]) -> Region:
        """The part of the region in which ``feature`` has one of ``codes``."""
        masks = list(self.features)
        masks[feature] &= _mask(codes)
        return Region(tuple(masks), self.classes)

    def restrict_class(self, classes: Iterable[int]) -> Region:
        return Region(self.features, self.classes & _mask(classes))

    def codes(self, feature: int) -> frozenset[int]:
        return _members(self.features[feature])

    @property
    def class_codes(self) -> frozenset[int]:
        return _members(self.classes)

    def is_disjoint(self, other: Region) -> bool:
        return any(not a & b for a, b in zip(self._masks, other._masks, strict=True))

    def contains(self, other: Region) -> bool:
        return all(not b & ~a for a, b in zip(self._masks, other._masks, strict=True))

    def hull(self, other: Region) -> Region:
        """The smallest product that contains both."""
        masks = tuple(a | b for a, b in zip(self._masks, other._masks, strict=True))
        return Region(masks[:-1], masks[-1])

    @property
    def _masks(self) -> tuple[int, ...]:
        return (*self.features, self.classes)

    def holds(self, codes: Codes, labels: Codes, whole: Region) -> NDArray[np.bool_]:
        """Which records lie in the region; ``whole`` is the whole domain, whose coordinates need no look."""
        inside = np.ones(labels.size, dtype=bool)
        coordinates = [*codes.T, labels]
        for column, mask, everything in zip(coordinates, self._masks, whole._masks, strict=True):
            if mask != everything:
                inside &= np.array([mask >> code & 1 for code in range(MAX_CODES)], dtype=bool)[column]
        return inside

    def to_json(self, whole: Region) -> dict[str, list[int]]:
        """Only the coordinates that are restricted, as lists of codes: ``{"0": [0, 1], "class": [1]}``."""
        names = [*map(str, range(len(self.features))), "class"]
        triples = zip(names, self._masks, whole._masks, strict=True)
        return {name: sorted(_members(mask)) for name, mask, everything in triples if mask != everything}


def _mask(codes: Iterable[int]) -> int:
    mask = 0
    for code in codes:
        mask |= 1 << int(code)
    return mask


def _members(mask: int) -> frozenset[int]:
    return frozenset(code for code in range(mask.bit_length()) if mask >> code & 1)
