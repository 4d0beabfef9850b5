"""Edges of bins that are drawn together: the joint exponential mechanism as a Markov chain.

The utility of some edges is minus the sum, over their b bins, of |b·n_i − n|: a sum over neighbouring edges. So the
chosen edges are a Markov chain: the weight of all ways to go on from an edge is a sum over where the next one stands.
These sums are kept as integers below and above the truth, with as many bits as a draw asks for; so the draw has exactly
the stated law, although its probabilities are irrational.

Threat model: the chain reads exact counts, as its caller does; neighbours differ by adding or removing one record.

Claims: thm-joint-quantiles, lem-joint-quantile-sensitivity
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import LOG_2_ROUNDED_UP, Rate, as_integer, ceil_div, ceil_shift
from fdpedu.randomness import Source
from fdpedu.sampling import Law, invert
from fdpedu.sampling.law import Bounds

_STEP = 512
Pairs = list[tuple[int, int]]  # integers below and above 2^scale times a number
Power = Callable[[int], tuple[int, int]]


def joint_sensitivity(bins: int) -> int:
    """2(b − 1), the most by which one record more moves the utility −Σ|b·n_i − n| of a choice of edges.

    Claims: lem-joint-quantile-sensitivity

    >>> joint_sensitivity(4)
    6
    """
    return 2 * (as_integer(bins, "bins", minimum=2) - 1)


class Chain:
    """The chosen edges as a Markov chain: from each edge, where the next one may stand, and with what weight.

    ``left`` bins are still to be made beyond the edge k, and the next edge is l. The weight of l is α to the power of
    |b·(records between k and l) − n|, times the weights of all ways to go on from l. So that no number is too small for
    its bits, all powers are relative to the cheapest way to go on, which has the power 0.
    """

    def __init__(self, counts: Sequence[int], bins: int, rate: Rate) -> None:
        self.cells, self.bins, self.rate = len(counts), bins, rate
        self._prefix = np.array([0, *accumulate(counts)], dtype=np.int64)  # enough for sums of its multiples
        self._least = {1: self._costs(self._prefix[-1] - self._prefix[:-1])}  # by the bins left, from each edge
        for left in range(2, bins + 1):
            onward = [int(self._onward(left, k).min()) for k in range(self.cells - left + 1)]
            self._least[left] = np.array(onward, dtype=np.int64)
        self._tables = lru_cache(maxsize=4)(self._tabulated)

    def draw(self, source: Source) -> tuple[int, ...]:
        """The positions of the inner edges, from left to right."""
        places = [0]
        for left in range(self.bins, 1, -1):
            places.append(invert(self.law(left, places[-1]), source))
        return tuple(places[1:])

    def law(self, left: int, k: int) -> Law:
        """Where the next edge stands, if the last one is k and ``left`` bins are to be made beyond it."""
        last = len(self._onward(left, k)) - 1

        def bounds(n: int, bits: int) -> Bounds:
            scale = bits + 64 + self.bins * self.cells.bit_length()
            power, tables = self._tables(scale)
            weights = self._weights(left, k, power, tables[left - 1], scale)
            low, high = (list(accumulate(pair[end] for pair in weights)) for end in (0, 1))
            one = 1 << bits
            lower = [(a << bits) // high[-1] for a in low]
            upper = [min(one, ceil_div(b << bits, low[-1])) for b in high]
            return [*lower[:last], one], [*upper[:last], one]

        return Law(bounds, terms=last + 1, last=last, value=lambda t: k + 1 + t)

    def _costs(self, records: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.abs(self.bins * records - self._prefix[-1])

    def _onward(self, left: int, k: int) -> NDArray[np.int64]:
        """The least cost of going on from k over each next edge k + 1, k + 2, …, with codes left for the others."""
        stop = self.cells - left + 2
        return self._costs(self._prefix[k + 1 : stop] - self._prefix[k]) + self._least[left - 1][k + 1 : stop]

    def _weights(self, left: int, k: int, power: Power, beyond: Pairs, scale: int) -> Pairs:
        """The weight of each next edge, relative to the cheapest way; ``beyond`` has those of the ways from there."""

        def weight(gap: int, rest: tuple[int, int]) -> tuple[int, int]:
            own = power(gap)
            return own[0] * rest[0] >> scale, ceil_shift(own[1] * rest[1], scale)

        gaps = self._onward(left, k) - self._least[left][k]
        return list(map(weight, gaps.tolist(), beyond[k + 1 :]))

    def _tabulated(self, scale: int) -> tuple[Power, list[Pairs]]:
        """The powers of α, and by the number of bins left, from each edge, the weight of all ways to go on."""
        power, one = self._power(scale), 1 << scale
        tables: list[Pairs] = [[], [(one, one)] * self.cells]
        for left in range(2, self.bins):
            rows = [self._weights(left, k, power, tables[-1], scale) for k in range(self.cells - left + 1)]
            tables.append([(sum(low for low, _ in row), sum(high for _, high in row)) for row in rows])
        return power, tables

    def _power(self, scale: int) -> Power:
        """α^gap between integers, in units of 2^−scale: products of a power below ``_STEP`` and a multiple of it."""
        one, digits = 1 << scale, scale * 3 // 10 + 10
        slowest = max(1e-30, float(self.rate))  # gaps stay below 2^60, so that no smaller rate makes one negligible
        negligible = math.ceil(scale * LOG_2_ROUNDED_UP / slowest)  # beyond it, α^gap < 2^−scale

        @cache
        def factor(gap: int) -> tuple[int, int]:
            ends = self.rate.power(gap, digits)
            return math.floor(ends.lower * one), math.ceil(ends.upper * one)

        def power(gap: int) -> tuple[int, int]:
            if gap > negligible:
                return 0, 1
            (a, b), (c, d) = factor(gap % _STEP), factor(gap - gap % _STEP)
            return a * c >> scale, ceil_shift(b * d, scale)

        return power
