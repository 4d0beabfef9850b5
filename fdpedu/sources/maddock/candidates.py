"""Where a feature may be cut (C3): cells of codes, the candidates between them, and how paid candidates move.

Cuts of numbers are borders between bins of the public domain. Missing values have a cell of their own, and go to either
side. Categories are compared one with all others, as dummies are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain.features import Feature
from fdpedu.exact import Integers

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
        codes = np.arange(self.feature.n_codes)
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
        """As many cuts, where cells of equal mass meet; the rule is ours, as that of the source is not in our copy.

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
        within = np.cumsum(np.repeat(kept / sizes, sizes)) / kept.sum()
        cuts = list[int]()
        for i in range(n):
            allowed = range(cuts[-1] + 1 if cuts else 0, n_bins - n + i)  # room is left for the cuts that follow
            wanted = (i + 1) / (n + 1)
            cuts.append(min(allowed, key=lambda at: abs(round(within[at] - wanted, 12))))
        return Cells(self.feature, tuple(cuts))


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
