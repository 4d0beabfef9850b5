"""A party's encoded rows, and which of them lie in the regions that are asked about.

A tree asks about the two sides of each node that it asked about before. So the rows of a region are looked for among
the rows of the region around it, and every row is looked at once a level.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain import Codes, Domain, Region
from fdpedu.domain.features import MAX_CODES

Rows = NDArray[np.intp]


class Records:
    """The rows of one party: codes of shape (n, p), kept as ``columns`` (p, n), and class codes of shape (n,).

    ``cells[i, j]`` is the position of row i's value of feature j in the class × bin histograms of all features, laid
    out one after the other: what a count adds up.
    """

    def __init__(self, codes: Codes, labels: Codes, domain: Domain) -> None:
        self.columns, self.labels = np.ascontiguousarray(codes.T), labels
        sizes = [feature.n_codes for feature in domain.features]
        first = np.cumsum([0, *sizes])[:-1] * domain.n_classes
        narrow = np.uint16 if sum(sizes) * domain.n_classes <= 2**16 else np.uint32
        self.cells = np.multiply(codes, domain.n_classes, dtype=narrow)
        self.cells += first.astype(narrow)
        self.cells += labels[:, None]
        self._known: dict[Region, Rows] = {domain.everything: np.arange(len(labels), dtype=np.intp)}
        self._whole, self._everybody = domain.everything, self._known[domain.everything]

    def within(self, regions: Iterable[Region]) -> list[Rows]:
        """The numbers of the rows in each region, ascending. What was found is kept until the next call."""
        asked, found = list(regions), dict[Region, Rows]()
        around, at = list(self._known), 0
        for region in asked:
            if region in found:
                continue
            if region in self._known:
                found[region] = self._known[region]
                continue
            # The regions of a round come in the order of those around them, so the search goes on where it ended.
            turns = ((at + k) % len(around) for k in range(len(around)))
            outer = next((i for i in turns if around[i].contains(region)), None)
            if outer is None:
                found[region] = self._narrow(self._everybody, self._whole, region)
            else:
                at = outer
                found[region] = self._narrow(self._known[around[at]], around[at], region)
        self._known = found
        return [found[region] for region in asked]

    def _narrow(self, rows: Rows, outer: Region, inner: Region) -> Rows:
        """Those of the rows, all of them in ``outer``, that are in ``inner``."""
        columns = [*self.columns, self.labels]
        masks = zip([*inner.features, inner.classes], [*outer.features, outer.classes], columns, strict=True)
        for mask, before, column in masks:
            if mask != before:
                rows = rows.compress(_members(mask).take(column.take(rows)))
        return rows


@lru_cache(maxsize=4096)
def _members(mask: int) -> NDArray[np.bool_]:
    """For each code whether it is in the set."""
    bits = np.frombuffer(mask.to_bytes(MAX_CODES // 8, "little"), dtype=np.uint8)
    return np.unpackbits(bits, bitorder="little").astype(bool)
