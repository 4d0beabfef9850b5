"""The best splits of many nodes at once, from their class × bin counts: the fast form of :func:`best_grid_split`.

The histograms of all features stand one after the other in one array, so cumulative sums, impurities and minima of a
whole level of a tree are a few operations. Floats find the candidates that come near the minimum; where more than one
does, fractions decide. So both forms choose the same split, which a property test holds them to.

Noisy histograms of one node do not agree on its totals, and a small side may be nothing but noise. Two other scores
answer to that: ``relative`` compares what a split leaves in proportion to the rows that its own feature counts (the
report's G, instead of n·G), and :func:`shrunk_gain` what it gains, with the sides taken for larger than they seem.

Claims: lem-split-never-hurts
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from fdpedu.cart.impurity import exact_scaled_half_gini, scaled_half_gini
from fdpedu.cart.split import Candidate, CodeSplit, Counts, slack
from fdpedu.domain import BY_VOTES, Domain, require_classes
from fdpedu.exact import as_indices, require_type

Number = TypeVar("Number", bound=np.generic)
_EXACT_SHARES = 2**26  # shares of smaller counts differ as floats whenever they differ
_NODES = 32  # nodes at a time, so that the arrays stay in the cache


@dataclass(frozen=True)
class _Order:
    """One way to go through the codes of a feature: in a public order, or by the share of a class."""

    feature: int
    first: int  # where its codes begin among all codes
    codes: tuple[int, ...]
    by_class: int | None = None

    @property
    def n_codes(self) -> int:
        return len(self.codes)


class GridSearch:
    """The splits of a public grid: prefixes of each public order of a feature, and of categories in order of shares.

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> ages = Domain([Numeric.grid("age", 0, 40, bins=4)], ("well", "ill"))
    >>> GridSearch(ages).best_splits(np.array([[[2, 0], [2, 1], [0, 2], [0, 0]]]))[0]
    Candidate(split=CodeSplit(feature=0, left=frozenset({0, 1})), left=(4, 1), right=(0, 2))
    """

    def __init__(self, domain: Domain) -> None:
        require_type(domain, Domain, "domain")
        require_classes(domain, "a search for splits by half-Gini", BY_VOTES)
        self.domain = domain
        self.sizes = [feature.n_codes for feature in domain.features]
        self.first = np.cumsum([0, *self.sizes], dtype=np.int64)[:-1]
        self._orders = list[_Order]()
        for j, feature in enumerate(domain.features):
            first, codes = int(self.first[j]), tuple(range(feature.n_codes))
            classes = [1] if domain.n_classes == 2 else range(domain.n_classes)
            public = [_Order(j, first, order) for order in feature.orders]
            self._orders += public or [_Order(j, first, codes, c) for c in classes]
        lengths = np.array([order.n_codes for order in self._orders], dtype=np.int64)
        self._order_of = np.repeat(np.arange(len(lengths), dtype=np.int64), as_indices(lengths))
        self._ends = np.cumsum(lengths) - 1
        self._starts = self._ends - lengths + 1
        self._is_end = np.isin(np.arange(lengths.sum(), dtype=np.int64), self._ends)
        self._codes = np.concatenate([o.first + np.array(o.codes, dtype=np.int64) for o in self._orders])

    def best_splits(
        self, tables: Counts, *, relative: bool = False, shrink: float = 0
    ) -> list[Candidate[CodeSplit] | None]:
        """For each node the split with the least n·G (or G); None where no split has two non-empty sides.

        Parameters
        ----------
        tables : non-negative integers, shape (nodes, Σ codes, classes): all features' histograms of each node
        relative : compare G = n·G/n instead, with each feature's own n
        shrink : if positive, compare the gain shrunk by so many rows instead; in floats, ties to the first
        """
        found = list[Candidate[CodeSplit] | None]()
        for start in range(0, len(tables), _NODES):
            found += self._search(tables[start : start + _NODES], relative, shrink)
        return found

    def _search(self, tables: Counts, relative: bool, shrink: float) -> Iterator[Candidate[CodeSplit] | None]:
        codes = self._in_order(tables)
        cells = tables[:, self._codes] if codes is None else np.take_along_axis(tables, codes[:, :, None], axis=1)
        sums = np.cumsum(cells, axis=1)
        before = np.where(self._starts[:, None] > 0, sums[:, self._starts - 1], 0)
        totals = sums[:, self._ends] - before
        left = sums - before[:, self._order_of]
        right = totals[:, self._order_of] - left
        allowed = ~self._is_end & (left.sum(axis=2) > 0) & (right.sum(axis=2) > 0)
        best = _most_gained(left, right, allowed, shrink) if shrink > 0 else _least_left(left, right, allowed, relative)
        for i, at in enumerate(best):
            if at is None:
                yield None
                continue
            order = self._orders[self._order_of[at]]
            here = self._codes if codes is None else codes[i]
            chosen = here[self._starts[self._order_of[at]] : at + 1] - order.first
            split = CodeSplit(order.feature, frozenset(chosen.tolist()))
            yield Candidate(split, tuple(left[i, at].tolist()), tuple(right[i, at].tolist()))

    def _in_order(self, tables: Counts) -> NDArray[np.int64] | None:
        """For each node the codes in the order of all candidates; None if it is the same for all.

        Claims: thm-category-order (two classes)
        """
        if all(order.by_class is None for order in self._orders):
            return None
        codes = np.tile(self._codes, (len(tables), 1))
        for order, start in zip(self._orders, self._starts, strict=True):
            if order.by_class is not None:
                table = tables[:, order.first : order.first + order.n_codes]
                codes[:, start : start + order.n_codes] = order.first + by_share(table, order.by_class)
        return codes


def _most_gained(left: Counts, right: Counts, allowed: NDArray[np.bool_], shrink: float) -> list[int | None]:
    """For each node the first candidate of the largest shrunk gain."""
    gains = np.where(allowed, shrunk_gain(left, right, shrink), -1)
    return [int(at) if allowed[i, at] else None for i, at in enumerate(gains.argmax(axis=1))]


def _least_left(left: Counts, right: Counts, allowed: NDArray[np.bool_], relative: bool) -> list[int | None]:
    """For each node the first candidate with the least n·G (or G): floats find those near it, fractions decide."""
    n = (left + right).sum(axis=2)
    scores = (scaled_half_gini(left) + scaled_half_gini(right)) / (np.maximum(n, 1) if relative else 1)
    scores[~allowed] = np.inf
    least = scores.min(axis=1, initial=np.inf)
    near = allowed & (scores <= (least + slack(least, n.max(axis=1, initial=0)))[:, None])
    places = [np.flatnonzero(close).tolist() for close in near]
    return [
        min(some, key=lambda k: _exact(left[i, k], right[i, k], relative)) if len(some) > 1 else next(iter(some), None)
        for i, some in enumerate(places)
    ]


def shrunk_gain(left: Counts, right: Counts, shrink: float) -> NDArray[np.float64]:
    """Σ_c T_c²·(1/(n_left + shrink) + 1/(n_right + shrink)), T_c = n_left,c − q_c·n_left, q the class shares of both.

    Without shrinking this is twice what the split gains, n·half_gini of both sides together less that of each. With
    noise in the counts, ``shrink`` takes the gain from sides that are no larger than the noise. Shape (…, C) → (…).

    >>> left, right = np.array([3, 0]), np.array([1, 4])
    >>> [round(float(shrunk_gain(left, right, rows)), 4) for rows in (0, 5)]
    [2.4, 1.0125]
    """
    n_left, n_right = left.sum(axis=-1), right.sum(axis=-1)
    shares = (left + right) / np.maximum(n_left + n_right, 1)[..., None]
    surplus = left - shares * n_left[..., None]
    weights = np.maximum(n_left + shrink, 1e-9), np.maximum(n_right + shrink, 1e-9)
    return np.asarray((surplus * surplus).sum(axis=-1) * (1 / weights[0] + 1 / weights[1]))


def by_share(tables: Counts, c: int) -> NDArray[np.int64]:
    """The codes of each node by the share of class c among their rows, ties in the order of the codes."""
    n = tables.sum(axis=2)
    if n.max(initial=0) < _EXACT_SHARES:
        return np.argsort(tables[:, :, c] / np.maximum(n, 1), axis=1, kind="stable")

    def share(i: int, code: int) -> Fraction:
        return Fraction(int(tables[i, code, c]), int(n[i, code])) if n[i, code] else Fraction(0)

    return np.array([sorted(range(n.shape[1]), key=lambda code: share(i, code)) for i in range(len(n))])


def _exact(left: Counts, right: Counts, relative: bool) -> Fraction:
    """n·G of a split as a fraction, or G."""
    impurity = exact_scaled_half_gini(left.tolist()) + exact_scaled_half_gini(right.tolist())
    return impurity / int(left.sum() + right.sum()) if relative else impurity


def cumulated(cells: NDArray[Number]) -> NDArray[Number]:
    """Cumulative sums over the codes, the second axis, where nodes and features come after: a few long additions."""
    sums = np.empty_like(cells)
    sums[:, 0] = cells[:, 0]
    for code in range(1, cells.shape[1]):
        np.add(sums[:, code - 1], cells[:, code], out=sums[:, code])
    return sums
