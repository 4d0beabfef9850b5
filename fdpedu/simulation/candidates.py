"""The public candidates of many nodes at once: the splits among which a mechanism chooses, and what each leaves.

They are those of :func:`fdpedu.cart.candidates`: each border that divides the codes of an ordered feature in the node's
region, and each category against the rest. A code for missing values goes to either side at each border, and alone
against the rest once. Of two candidates that divide a region in the same way, there is one.

An ordered feature has a slot in which the codes up to each stand on the left, and with a code for missing values one
more in which these stand on the left as well; a categorical one has a slot in which each code stands there alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fdpedu.randomness import Source
from fdpedu.simulation.grid import Floats, Grid, Mask
from fdpedu.simulation.search import Choice, Indices

_STEP_ERROR = 2.0**-44
_SHARES: dict[str, tuple[float, float]] = {"errors": (1, 0), "gini": (0, 1), "mixed": (0.75, 0.25)}


@dataclass(frozen=True)
class Candidates:
    """The candidates of a grid: a position, which is a code, in each slot.

    Parameters
    ----------
    grid : of a public domain
    """

    grid: Grid

    @cached_property
    def feature_of(self) -> Indices:
        """For each slot its feature: one slot each, then those with missing values on the left."""
        return np.concatenate([np.arange(self.grid.n_features, dtype=np.int64), self.with_gaps])

    @cached_property
    def with_gaps(self) -> Indices:
        """The ordered features with a code for missing values, which is their last one."""
        features = self.grid.domain.features
        return np.array([j for j, one in enumerate(features) if one.ordered and one.missing], dtype=np.int64)

    @cached_property
    def positions(self) -> int:
        """How many positions a slot has: without categories, nothing stands on the right of the last code."""
        return self.grid.most_codes - bool(self.grid.ordered.all())

    @cached_property
    def left(self) -> Mask:
        """Which codes go left: shape (positions, slots, B)."""
        codes = np.arange(self.grid.most_codes, dtype=np.int64)
        at = codes[: self.positions, None, None]
        left = np.where(self.grid.ordered[self.feature_of][:, None], codes <= at, codes == at)
        first = self.grid.n_features
        left[:, first:] |= codes == (self.grid.sizes[self.with_gaps] - 1)[:, None]
        return left

    def dividing(self, inside: Mask) -> Mask:
        """Which candidates divide each region, each in a way of its own: (B, N, p) → (positions, N, slots)."""
        later = inside.copy()
        later[:-1] = np.logical_or.accumulate(inside[:0:-1], axis=0)[::-1]
        later[-1] = False
        named = ~self.grid.ordered
        if named.any():  # each category against the rest; of two, one is enough
            later[..., named] |= inside.sum(axis=0)[:, named] > 2
        divides = (inside & later)[: self.positions]
        if not len(self.with_gaps):
            return np.asarray(divides)
        last = self.grid.sizes[self.with_gaps] - 1
        bins = inside[..., self.with_gaps].copy()
        gap = bins[last, :, np.arange(len(last), dtype=np.int64)].T.copy()
        bins[last, :, np.arange(len(last), dtype=np.int64)] = False
        higher = np.zeros_like(bins)
        higher[:-1] = np.logical_or.accumulate(bins[:0:-1], axis=0)[::-1]
        return np.concatenate([divides, (bins & higher & gap)[: self.positions]], axis=2)

    def lefts(self, cells: Floats) -> Floats:
        """Class counts on the left of each candidate: (C, B, N, p) → (C, positions, N, slots)."""
        left = np.where(self.grid.ordered, np.cumsum(cells, axis=1), cells)
        if not len(self.with_gaps):
            return np.asarray(left[:, : self.positions])
        last = self.grid.sizes[self.with_gaps] - 1
        gaps = np.stack([cells[:, code, :, j] for j, code in zip(self.with_gaps, last, strict=True)], axis=2)
        both = left[..., self.with_gaps] + gaps[:, None]
        return np.concatenate([left, both], axis=3)[:, : self.positions]

    def losses(self, cells: Floats, loss: str, lattice: int) -> Floats:
        """⌊m·S⌋ of each candidate, S the loss of both sides: (C, B, N, p) → (positions, N, slots)."""
        left, total = self.lefts(cells), cells.sum(axis=1)[:, None, :, self.feature_of]
        return in_steps(loss_of(left, loss) + loss_of(total - left, loss), lattice)

    def choice(self, noisy: Floats) -> Choice:
        """The largest noisy score of each node, (positions, N, slots), of equals the first; no split if all are −∞."""
        best = noisy.max(axis=0)
        slot, here = best.argmax(axis=1), np.arange(len(best), dtype=np.int64)
        return self.named(best[here, slot] > -np.inf, noisy[:, here, slot].argmax(axis=0), slot)

    def named(self, found: Mask, position: Indices, slot: Indices) -> Choice:
        """The splits at these positions of these slots, where they are found."""
        return Choice(found, self.feature_of[slot], self.left[position, slot] & found[:, None])


def loss_of(counts: Floats, loss: str) -> Floats:
    """The loss of leaves with these class counts, (C, …) → (…): errors, n·h, or ¾ of the one and ¼ of the other.

    >>> [float(loss_of(np.array([3.0, 1.0]), name)) for name in ("errors", "gini", "mixed")]
    [1.0, 0.75, 0.9375]
    """
    of_errors, of_gini = _SHARES[loss]
    n = counts.sum(axis=0)
    found = np.zeros(n.shape)
    if of_errors:
        found += of_errors * (n - counts.max(axis=0))
    if of_gini:
        found += of_gini * (n * n - (counts * counts).sum(axis=0)) / (2 * np.maximum(n, 1))
    return found


def in_steps(losses: Floats, lattice: int) -> Floats:
    """⌊m·loss⌋; a whole number that floats may have missed by their last digits counts as reached."""
    steps = lattice * losses
    return np.asarray(np.floor(steps + (1 + steps) * _STEP_ERROR))


def exponential_noise(shape: tuple[int, ...], source: Source) -> Floats:
    """Exponential numbers; minus their logarithms are of Gumbel's law."""
    words: NDArray[np.uint64] = source.words(int(np.prod(shape))) >> np.uint64(11)
    return np.asarray(-np.log1p(-(words + 0.5) * 2.0**-53).reshape(shape))
