"""Each feature by itself, as far as histograms have released it: shares of its codes, cuts, made-up rows.

All of it is post-processing. Features are treated as if they were independent, which costs accuracy where they are not,
and never privacy. Shares are multiples of 2⁻³⁰ that add up to 1, so sums of them are exact.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fdpedu.boosting.orders import Floats
from fdpedu.domain import Codes, Domain
from fdpedu.exact import Integers
from fdpedu.gradients.additive import Questions, goes_right

WHOLE_BITS = 30
_WHOLE = 1 << WHOLE_BITS


@dataclass(frozen=True, eq=False)
class Marginals:
    """About what share of the rows has each code, and what follows from it.

    Parameters
    ----------
    domain : what is public
    rows_of_codes : about how many rows have each code, none below 0, the features one after the other; only their
        shares count, and a feature without any is taken for uniform
    """

    domain: Domain
    rows_of_codes: Floats | Integers

    @cached_property
    def ends(self) -> tuple[Integers, ...]:
        """For each feature and code what share of the rows lies up to it, in units of 2⁻³⁰: whole numbers."""
        bounds = np.cumsum([feature.n_codes for feature in self.domain.features])[:-1]
        found = []
        for rows in np.split(np.asarray(self.rows_of_codes, dtype=np.float64), bounds):
            up_to = np.cumsum(rows if rows.sum() > 0 else np.ones(len(rows)))
            found.append(np.minimum(np.rint(up_to / up_to[-1] * _WHOLE), _WHOLE).astype(np.int64))
        return tuple(found)

    @cached_property
    def shares(self) -> tuple[Floats, ...]:
        """For each feature the share of each code."""
        return tuple(np.diff(ends, prepend=0) / _WHOLE for ends in self.ends)

    def cuts(self, feature: int, quantiles: int) -> tuple[int, ...]:
        """The codes at which the feature may be cut: its quantiles, without repetition; all of them if there are none.

        A cut c puts the codes up to c to the left. Missing values, whose code is the last, are no part of it.
        """
        described = self.domain.features[feature]
        n_bins = getattr(described, "n_bins", described.n_codes)
        within = self.ends[feature][:n_bins]
        # the least code up to which a share of k/q lies, in whole numbers; ends are rounded by half a unit at most
        found = np.searchsorted((within + 1) * quantiles, np.arange(1, quantiles, dtype=np.int64) * within[-1])
        cuts = set(found.tolist()) - {n_bins - 1} if within[-1] else set()
        return tuple(sorted(cuts)) or tuple(range(n_bins - 1))

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

    def rows(self, n: int, seed: bytes) -> Codes:
        """Made-up rows, each feature drawn by itself: codes of shape (p, n), the same for everybody who has the seed.

        Parameters
        ----------
        n : how many
        seed : what is public; words are read off SHAKE-256 of it
        """
        stream = hashlib.shake_256(b"fdpedu made-up rows\0" + seed).digest(8 * n * len(self.ends))
        words = np.frombuffer(stream, dtype="<u8").reshape(len(self.ends), n) >> np.uint64(64 - WHOLE_BITS)
        drawn = [
            np.searchsorted(ends, w.astype(np.int64), side="right") for ends, w in zip(self.ends, words, strict=True)
        ]
        return np.array(drawn, dtype=np.uint8)
