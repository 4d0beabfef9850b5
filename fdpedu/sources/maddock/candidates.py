"""Where a feature may be cut (C3): cells of codes, the candidates between them, and how paid candidates move.

Table 1 names uniform, log, quantiles and iterative Hessian; their sections are not in our copy, so the rules are ours.

Cuts of numbers are borders between bins of the public domain. Missing values have a cell of their own, and go to either
side. Categories are compared one with all others, as dummies are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain.features import Feature, Numeric
from fdpedu.exact import Integers, as_indices, occurrences

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Cells:
    """One feature with its cuts.

    Parameters
    ----------
    feature : of the domain
    cuts : increasing codes c, each of which stands for "at most c"; none of a categorical feature

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> cells = Cells(Numeric.grid("x", 0, 8, bins=8), (1, 4))
    >>> cells.of_codes.tolist(), cells.left.astype(int).tolist()
    ([0, 0, 1, 1, 1, 2, 2, 2], [[1, 0, 0], [1, 1, 0]])
    """

    feature: Feature
    cuts: tuple[int, ...]

    @property
    def n_cells(self) -> int:
        return self.left.shape[1]

    @cached_property
    def of_codes(self) -> Integers:
        """The cell of each code."""
        codes = np.arange(self.feature.n_codes, dtype=np.int64)
        if not self.feature.ordered:
            return codes
        found: Integers = np.searchsorted(self.cuts, codes).astype(np.int64)
        if self.feature.missing:
            found[-1] = len(self.cuts) + 1
        return found

    @cached_property
    def left(self) -> Bools:
        """For each candidate, which cells go left: shape (candidates, cells)."""
        if not self.feature.ordered:
            return ~np.eye(self.feature.n_codes, dtype=bool)
        n = len(self.cuts)
        prefixes = np.tri(n, n + 1, dtype=bool)
        if not self.feature.missing:
            return prefixes
        sides = [np.column_stack([prefixes, np.full(n, side)]) for side in (False, True)]
        return np.vstack(sides)

    def moved(self, masses: Floats) -> Cells:
        """As many cuts, where cells of equal mass meet.

        Masses below 0 become 0, and each is spread evenly over the codes of its cell. The i-th of Q cuts is the border
        up to which the mass comes nearest to i/(Q+1), and later than the cut before it. Missing values do not count.

        Parameters
        ----------
        masses : of the cells, as released

        Examples
        --------
        >>> from fdpedu.domain import Numeric
        >>> Cells(Numeric.grid("x", 0, 8, bins=8), (1, 3, 5)).moved(np.array([8.0, 0, 0, 0])).cuts
        (0, 1, 2)
        >>> Cells(Numeric.grid("x", 0, 8, bins=8), (1, 3, 5)).moved(np.array([0.0, 0, 0, -1])).cuts
        (1, 3, 5)
        """
        n, n_bins = len(self.cuts), self.feature.n_codes - self.feature.missing
        kept = np.maximum(masses[: n + 1], 0)
        if not kept.any():
            return self
        sizes = np.diff([-1, *self.cuts, n_bins - 1])
        within = np.cumsum(np.repeat(kept / sizes, as_indices(sizes))) / kept.sum()
        return Cells(self.feature, _nearest(within, [i / (n + 1) for i in range(1, n + 1)]))


def _nearest(borders: Floats, wanted: Sequence[float]) -> tuple[int, ...]:
    """For each wanted place the nearest border that is later than the one before; room is left for those that follow.

    Parameters
    ----------
    borders : where each code ends, the last one included; they never fall
    wanted : fewer than there are borders, increasing
    """
    cuts = list[int]()
    for i, place in enumerate(wanted):
        allowed = range(cuts[-1] + 1 if cuts else 0, len(borders) - len(wanted) + i)
        cuts.append(min(allowed, key=lambda at: abs(round(float(borders[at]) - place, 12))))
    return tuple(cuts)


def uniform_cells(feature: Feature, n_candidates: int) -> Cells:
    """A feature with Q evenly spaced cuts, or all borders if it has no more.

    >>> from fdpedu.domain import Numeric
    >>> uniform_cells(Numeric.grid("x", 0, 1, bins=8), 3).cuts, uniform_cells(Numeric.grid("x", 0, 1, bins=4), 16).cuts
    ((1, 3, 5), (0, 1, 2))
    """
    if not feature.ordered:
        return Cells(feature, ())
    n_bins = feature.n_codes - feature.missing
    n = min(n_candidates, n_bins - 1)
    return Cells(feature, tuple(i * n_bins // (n + 1) - 1 for i in range(1, n + 1)))


def log_cells(feature: Feature, n_candidates: int) -> Cells:
    """Q cuts whose distances from the lower end of the range grow by equal factors, from the first border on.

    >>> from fdpedu.domain import Numeric
    >>> log_cells(Numeric.grid("x", 0, 16, bins=16), 4).cuts  # at 1, 2, 4 and 8
    (0, 1, 3, 7)
    """
    if not isinstance(feature, Numeric):
        return Cells(feature, ())
    n = min(n_candidates, feature.n_bins - 1)
    distances = np.array(feature.edges[1:]) - feature.edges[0]
    factor = distances[-1] / distances[0]
    return Cells(feature, _nearest(distances, [distances[0] * factor ** (i / n) for i in range(n)]))


def quantile_cells(feature: Feature, n_candidates: int, codes: Integers) -> Cells:
    """Q cuts that divide the rows equally. Not private: they are read off the rows, for which nobody has paid.

    >>> from fdpedu.domain import Numeric
    >>> quantile_cells(Numeric.grid("x", 0, 16, bins=16), 3, np.array([5, 6, 7, 8])).cuts
    (5, 6, 7)
    """
    every = uniform_cells(feature, feature.n_codes)
    counts = occurrences(every.of_codes[codes], every.n_cells).astype(np.float64)
    few = uniform_cells(feature, n_candidates)
    if not feature.ordered or not counts[: len(every.cuts) + 1].any():
        return few
    n = len(few.cuts)
    within = np.cumsum(counts[: len(every.cuts) + 1])
    return Cells(feature, _nearest(within / within[-1], [i / (n + 1) for i in range(1, n + 1)]))


def first_cells(feature: Feature, candidates: str, n_candidates: int, codes: Integers) -> Cells:
    """Where a feature is cut at first; paid candidates begin evenly spaced, and only quantiles look at the codes."""
    if candidates == "quantiles":
        return quantile_cells(feature, n_candidates, codes)
    return (log_cells if candidates == "log" else uniform_cells)(feature, n_candidates)
