"""A party's encoded rows: which of them lie in the regions that are asked about, and the exact counts of these.

A tree asks about the two sides of each node that it asked about before. So the rows of a region are looked for among
the rows of the region around it, and every row is looked at once a level. Of two such sides only the one that is asked
about first is counted. The counts of the other are those of the node less those of the first, to the same question: the
exact ones of this party, all three of them. Noise is a step of its own, in every cell of every answer, counted or taken
as a difference (:mod:`fdpedu.federation.queries.noise`); what is kept here has none, and is never sent.

The aggregator's order of queries decides which side is counted, so this does not depend on the counts of this party.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain import Codes, Domain, Region
from fdpedu.domain.features import MAX_CODES
from fdpedu.exact import Integers, as_indices, occurrences
from fdpedu.gradients import AdditiveModel, KnownSums, TreeShapes, VectorModel

RowNumbers = NDArray[np.intp]
Inside = NDArray[np.bool_]
What = tuple[Hashable, ...]
MAX_KEPT = 2**22  # counts of one round that are kept for the next, 32 MB; queries beyond are counted row by row
_BLOCK = 4096  # rows at a time, so that what is added up stays in the cache


class Records:
    """The rows of one party: codes of shape (n, p), kept as ``columns`` (p, n), and class codes of shape (n,).

    ``cells[i, j]`` is the position of row i's value of feature j in the class × bin histograms of all features, laid
    out one after the other: what a count adds up.
    """

    def __init__(self, codes: Codes, labels: Codes, domain: Domain) -> None:
        self.columns, self.labels = np.ascontiguousarray(codes.T), labels
        sizes = [feature.n_codes for feature in domain.features]
        self._sums = KnownSums(self.columns)
        self._n_cells = sum(sizes) * domain.n_classes
        self.cells = _cells(codes, labels, np.cumsum([0, *sizes], dtype=np.int64)[:-1], domain.n_classes, self._n_cells)
        self._known: dict[Region, RowNumbers] = {domain.everything: np.arange(len(labels), dtype=np.intp)}
        self._whole, self._everybody = domain.everything, self._known[domain.everything]
        self._sides: dict[Region, tuple[Region, Region]] = {}  # of a second side: what is divided, and the first
        self._before: dict[tuple[What, Region], Integers] = {}  # exact counts of the last round
        self._exact: dict[tuple[What, Region], Integers] = {}  # and of this one
        self._n_kept = 0  # numbers in the latter

    def within(self, regions: Iterable[Region]) -> list[RowNumbers]:
        """The numbers of the rows in each region, ascending. What was found is kept until the next call."""
        asked, found = list(regions), dict[Region, RowNumbers]()
        around, at = list(self._known), 0
        divided: dict[Region, tuple[Region, Inside]] = {}
        self._sides, self._before, self._exact, self._n_kept = {}, self._exact, {}, 0
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
                found[region] = self._side(region, around[at], divided)
        self._known = found
        return [found[region] for region in asked]

    def _side(self, region: Region, outer: Region, divided: dict[Region, tuple[Region, Inside]]) -> RowNumbers:
        """The rows of a region inside one of the last round; of two sides, the second has what the first has not."""
        rows = self._known[outer]
        if outer in divided and _are_sides(divided[outer][0], region, outer):
            first, inside = divided[outer]
            self._sides[region] = outer, first
            return rows.compress(~inside)
        inside = self._inside(rows, outer, region)
        divided[outer] = region, inside
        return rows.compress(inside)

    def kept(self, what: What, region: Region, rows: RowNumbers, count: Callable[[RowNumbers], Integers]) -> Integers:
        """The exact counts of some rows, not to be written to; those of a region are kept for the next round.

        Parameters
        ----------
        what : is counted, whatever the region: the type of the query and its own fields
        region : that of the query
        rows : in it; if these are the rows that were found of it, their counts may come as a difference, and are kept
        count : counts some rows, one by one: counts of disjoint rows add up
        """
        if rows is not self._known.get(region):
            return count(rows)
        if (what, region) not in self._exact:
            counts = self._as_difference(what, region)
            if counts is None:
                counts = count(rows)
            if self._n_kept + counts.size > MAX_KEPT:
                return counts
            counts.flags.writeable = False
            self._exact[what, region], self._n_kept = counts, self._n_kept + counts.size
        return self._exact[what, region]

    def _as_difference(self, what: What, region: Region) -> Integers | None:
        """The counts of a divided region less those of its first side, if both are at hand."""
        outer, first = self._sides.get(region, (region, region))
        whole, side = self._before.get((what, outer)), self._exact.get((what, first))
        return None if whole is None or side is None else whole - side

    def scores(self, model: AdditiveModel | VectorModel) -> Integers:
        """The scores of all rows by a model that stands in a question; not to be written to."""
        return self._sums.of(model)

    def leaves(self, trees: TreeShapes, rows: RowNumbers) -> NDArray[np.uint8]:
        """The leaf of each of the rows in each tree; not to be written to."""
        if len(rows) == len(self.labels):  # rows are distinct and ascending
            return self._sums.leaves(trees)
        return trees.leaves(self.columns, rows)

    def histograms(self, rows: RowNumbers) -> Integers:
        """The class × bin counts of all features, one after the other, by going through the rows."""
        counts: Integers = np.zeros(self._n_cells, dtype=np.int64)
        for start in range(0, len(rows), _BLOCK):
            cells = self.cells.take(as_indices(rows[start : start + _BLOCK]), axis=0)
            counts += occurrences(cells.ravel(), self._n_cells)
        return counts

    def _narrow(self, rows: RowNumbers, outer: Region, inner: Region) -> RowNumbers:
        """Those of the rows, all of them in ``outer``, that are in ``inner``."""
        return rows.compress(self._inside(rows, outer, inner))

    def _inside(self, rows: RowNumbers, outer: Region, inner: Region) -> Inside:
        """For each of the rows, all of them in ``outer``, whether it is in ``inner``."""
        columns = [*self.columns, self.labels]
        masks = zip([*inner.features, inner.classes], [*outer.features, outer.classes], columns, strict=True)
        inside = np.ones(len(rows), dtype=bool)
        for mask, before, column in masks:
            if mask != before:
                inside &= members(mask).take(as_indices(column.take(as_indices(rows))))
        return inside


def _cells(codes: Codes, labels: Codes, first: NDArray[np.intp], n_classes: int, n_cells: int) -> NDArray[np.integer]:
    """The positions of all values, block by block, in as few bytes as they need."""
    narrow = np.uint16 if n_cells <= 2**16 else np.uint32
    cells = np.empty(codes.shape, dtype=narrow)
    of_class = (first * n_classes + np.arange(n_classes, dtype=np.int64)[:, None]).astype(
        narrow
    )  # code 0 of each feature
    for start in range(0, len(codes), _BLOCK):
        block = slice(start, start + _BLOCK)
        np.multiply(codes[block], n_classes, out=cells[block], dtype=narrow)
        cells[block] += of_class.take(as_indices(labels[block]), axis=0)
    return cells


def _are_sides(one: Region, other: Region, outer: Region) -> bool:
    """Whether two regions are the two sides into which a split in one coordinate divides another."""
    masks = zip(
        (*one.features, one.classes), (*other.features, other.classes), (*outer.features, outer.classes), strict=True
    )
    apart = [(a, b, whole) for a, b, whole in masks if not a == b == whole]
    return len(apart) == 1 and apart[0][0] ^ apart[0][1] == apart[0][2]


@lru_cache(maxsize=4096)
def members(mask: int) -> NDArray[np.bool_]:
    """For each code whether it is in the set."""
    bits = np.frombuffer(mask.to_bytes(MAX_CODES // 8, "little"), dtype=np.uint8)
    return np.unpackbits(bits, bitorder="little").astype(bool)
