"""The best split of many nodes at once, the same one as :class:`fdpedu.cart.GridSearch` takes.

Floats find the candidates that come near the least impurity; where there are several, integers decide, and a true tie
goes to the first feature and its lowest border. Histograms are in the form of :mod:`fdpedu.simulation.grid`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fdpedu.cart.grid import cumulated, shrunk_gain
from fdpedu.cart.split import slack
from fdpedu.exact import as_indices, sums_at
from fdpedu.simulation.grid import Floats, Grid, Mask

Indices = NDArray[np.int64]
_FEW_ROWS = 2200  # with so many rows, no product of a numerator and a denominator exceeds 2**63
_SUMMED_IN_PARTS = 8  # so many classes in a row are not added up one after the other


class Slot(NamedTuple):
    """One way to go through the codes of a feature: in a public order, or by the share of a class.

    ``order`` is None for codes as they are; else it goes through all B codes, those that the feature lacks at the end.
    """

    feature: int
    by_class: int | None = None
    order: Indices | None = None


class Choice(NamedTuple):
    """Which nodes have a split, and which: of each its feature, and which codes go left; shapes (N,), (N,), (N, B)."""

    found: Mask
    feature: Indices
    left: Mask


@dataclass(frozen=True)
class Search:
    """The splits of a grid: prefixes of each public order of a feature, and of categories in the order of shares.

    A categorical feature has a slot for each class, or one in all if there are two classes; an ordered one has a second
    slot if it has a code for missing values, which come first there.
    """

    grid: Grid

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """All slots, feature by feature."""
        classes = [1] if self.grid.n_classes == 2 else list(range(self.grid.n_classes))
        slots = list[Slot]()
        for j, orders in enumerate(self.grid.orders):
            slots += [Slot(j, order=order) for order in orders] or [Slot(j, by) for by in classes]
        return tuple(slots)

    @cached_property
    def feature_of(self) -> Indices:
        """For each slot its feature."""
        return np.array([slot.feature for slot in self.slots], dtype=np.int64)

    @cached_property
    def first_slot(self) -> Indices:
        """For each feature its first slot."""
        return np.searchsorted(self.feature_of, range(self.grid.n_features))

    def by_feature(self, best: Floats) -> Floats:
        """The least of the slots of each feature, of numbers by slot, shape (N, slots) → (N, p)."""
        return np.asarray(np.minimum.reduceat(best, as_indices(self.first_slot), axis=1))

    def best(self, cells: Floats, *, relative: bool = False, shrink: float = 0) -> Choice:
        """For each node the split with the least n·G, or G, or with the largest shrunk gain.

        Parameters
        ----------
        cells : counts ≥ 0, shape (C, B, N, p)
        relative : compare G, each feature with its own n
        shrink : if positive, compare the gain shrunk by so many rows; in floats, ties to the first
        """
        sides, codes = self.sides(cells)
        border, slot = sides.most_gained(shrink) if shrink > 0 else sides.least_left(relative)
        return self.choice(codes, border, slot)

    def sides(self, cells: Floats) -> tuple[Sides, dict[int, Indices]]:
        """The candidates of each slot; and of a slot in another order its codes in this order, shape (B, N)."""
        if all(slot.by_class is None and slot.order is None for slot in self.slots):
            return Sides(cumulated(cells)), {}
        codes = dict[int, Indices]()
        slotted = cells[..., self.feature_of]
        for s, (j, by, order) in enumerate(self.slots):
            if by is not None:
                codes[s] = self._by_share(cells[..., j], by, int(self.grid.sizes[j]))
                slotted[..., s] = np.take_along_axis(cells[..., j], codes[s][None], axis=1)
            elif order is not None:
                codes[s] = np.repeat(order[:, None], as_indices(cells.shape[2]), axis=1)
                slotted[..., s] = cells[..., j][:, order]
        return Sides(cumulated(slotted)), codes

    @staticmethod
    def _by_share(table: Floats, by: int, size: int) -> Indices:
        """The codes of a feature by the share of a class among their rows, ties in order: (C, B, N) → (B, N)."""
        share = table[by] / np.maximum(table.sum(axis=0), 1)
        share[size:] = np.inf
        return np.argsort(share, axis=0, kind="stable")

    def choice(self, codes: dict[int, Indices], border: Indices, slot: Indices) -> Choice:
        """The splits at these borders of these slots; none where the border is −1."""
        left = np.arange(self.grid.most_codes, dtype=np.int64) <= border[:, None]
        for s, order in codes.items():
            own = np.flatnonzero(slot == s)
            left[own[:, None], order[:, own].T] = left[own]
        return Choice(border >= 0, self.feature_of[slot], left)


@dataclass(frozen=True, eq=False)
class Sides:
    """The cumulative counts of all candidates, shape (C, B, N, slots); at the last of B stand the totals."""

    left: Floats

    @cached_property
    def n_left(self) -> Floats:
        """Rows on the left of each border, shape (B, N, slots)."""
        return np.asarray(self.left.sum(axis=0))

    def most_gained(self, shrink: float) -> tuple[Indices, Indices]:
        """Border and slot of the first largest shrunk gain of each node; border −1 where there is no split."""
        gains = self.gains(shrink)
        best = gains.max(axis=0)
        slot = best.argmax(axis=1)
        nodes = np.arange(len(slot), dtype=np.int64)
        return np.where(best[nodes, slot] >= 0, gains[:, nodes, slot].argmax(axis=0), -1), slot

    def gains(self, shrink: float) -> Floats:
        """The shrunk gain of each candidate, shape (B − 1, N, slots); −1 where a side is empty."""
        n = self.n_left
        sides: list[Any] = [self.left[:, :-1], self.left[:, -1:] - self.left[:, :-1]]
        left, right = (np.moveaxis(side, 0, -1) for side in sides)
        if len(self.left) >= _SUMMED_IN_PARTS:
            left, right = np.ascontiguousarray(left), np.ascontiguousarray(right)
        gains = shrunk_gain(left, right, shrink)
        gains[(n[:-1] <= 0) | (n[-1] - n[:-1] <= 0)] = -1
        return gains

    def least_left(self, relative: bool = False, allowed: Mask | None = None) -> tuple[Indices, Indices]:
        """Border and slot of the first least n·G (or G) of each node, exactly; border −1 where there is no split.

        Only slots that are ``allowed``, shape (N, slots), are looked at.
        """
        scores, best, n = self.scores, self.best, self.n_left[-1]
        if relative:
            scores, best = scores / np.maximum(n, 1), best / np.maximum(n, 1)
        if allowed is not None:
            best = np.where(allowed, best, np.inf)
        slot, nodes = best.argmin(axis=1), np.arange(len(best), dtype=np.int64)
        least = best[nodes, slot]
        own = scores[:, nodes, slot]
        own[np.isnan(own)] = np.inf
        border = np.where(least < np.inf, own.argmin(axis=0), -1)
        limit = least + slack(least, n.max(axis=1))
        unsure = (least > 0) & (least < np.inf)  # a score of 0 is exact
        rivals, places = np.nonzero((best <= limit[:, None]) & unsure[:, None])
        if len(rivals):
            close = scores[:, rivals, places] <= limit[rivals]
            self._settle(close, (rivals, places), relative, border, slot)
        return border, slot

    @cached_property
    def best(self) -> Floats:
        """The least n·G of each slot, shape (N, slots); ∞ where it has no split."""
        best = np.fmin.reduce(self.scores, axis=0)
        best[np.isnan(best)] = np.inf
        return np.asarray(best)

    @cached_property
    def scores(self) -> Floats:
        """n·G of each candidate, shape (B − 1, N, slots); NaN where a side is empty."""
        n, total = self.n_left, self.left[:, -1:]
        with np.errstate(divide="ignore", invalid="ignore"):
            if len(self.left) == 2:
                (a, b), (c, d) = self.left[:, :-1], total - self.left[:, :-1]
                return np.asarray(a * b / n[:-1] + c * d / (n[-1] - n[:-1]))
            return _left_over(self.left[:, :-1], n[:-1]) + _left_over(total - self.left[:, :-1], n[-1] - n[:-1])

    def _settle(
        self, close: Mask, near: tuple[Indices, Indices], relative: bool, border: Indices, slot: Indices
    ) -> None:
        """Where several candidates come near the least, let integers decide, the first of equals.

        ``close`` says which borders of the pairs ``near`` of nodes and slots do, shape (B − 1, pairs).
        """
        contested = sums_at(near[0], close.sum(axis=0), 0) > 1
        pair, at = np.nonzero(close.T & contested[near[0]][:, None])  # in the order of nodes, slots and borders
        if not len(pair):
            return
        node, slots = near[0][pair], near[1][pair]
        top, bottom = _as_fractions(self.left[:, at, node, slots], self.left[:, -1, node, slots], relative)
        first = np.flatnonzero(np.diff(node, prepend=-1))
        count, best = np.diff(first, append=len(node)), first.copy()
        for k in range(1, int(count.max())):
            rivals = np.flatnonzero(count > k)
            i, b = first[rivals] + k, best[rivals]
            best[rivals] = np.where((top[i] * bottom[b] < top[b] * bottom[i]).astype(bool), i, b)
        border[node[first]], slot[node[first]] = at[best], slots[best]


def _left_over(counts: Floats, n: Floats) -> Floats:
    """n·h of counts (C, …) of n rows (…); NaN of none."""
    return np.asarray((n * n - sum(c * c for c in counts)) / (2 * n))


def _as_fractions(left: Floats, total: Floats, relative: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """Twice n·G of each candidate (or G) as a fraction of integers: counts (C, k) → k numerators, k denominators."""
    kind = np.int64 if total.sum(axis=0).max() <= _FEW_ROWS else object
    a, b = left.astype(np.int64).astype(kind), (total - left).astype(np.int64).astype(kind)
    n, m = a.sum(axis=0), b.sum(axis=0)
    top = (n * n - (a * a).sum(axis=0)) * m + (m * m - (b * b).sum(axis=0)) * n
    return top, n * m * (n + m) if relative else n * m
