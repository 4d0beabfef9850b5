"""All inner edges of one feature at once, for a trusted aggregator: the joint exponential mechanism.

Candidates are all ways to choose b − 1 of the inner edges of a fine public grid. The utility of one is minus the sum,
over its b bins, of |n_i − n/b|, the distance of the bin's count from an even share. One record that is added moves its
own bin's term by at most 1 − 1/b and each other term by at most 1/b, so the utility moves by at most 2(b − 1)/b. In
integers, the utility −Σ|b·n_i − n| has sensitivity 2(b − 1).

There are too many candidates to list. But the utility is a sum over neighbouring edges, so the chosen edges are a
Markov chain: the weight of all ways to go on from an edge is a sum over where the next one stands. These sums are kept
as integers below and above the truth, with as many bits as a draw asks for; so the draw has exactly the stated law,
although its probabilities are irrational (Gillenwater, Joseph and Kulesza 2021, who use floating point).

Threat model: the caller sees the EXACT counts: a trusted aggregator, or one party with its own rows. Neighbours
differ by adding or removing one record. It is charged to no ledger by itself: the caller charges ε.

Claims: thm-joint-quantiles, lem-joint-quantile-sensitivity
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import accumulate, combinations, pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.domain.features import MAX_CODES
from fdpedu.exact import (
    LOG_2_ROUNDED_UP,
    Rate,
    Rational,
    as_integer,
    as_integers,
    as_list,
    as_positive_fraction,
    ceil_div,
    ceil_shift,
)
from fdpedu.histograms.edges import as_increasing
from fdpedu.mechanisms import exponential_pmf
from fdpedu.mechanisms.weights import Probability
from fdpedu.randomness import Rng, Source, as_source
from fdpedu.sampling import Law, invert
from fdpedu.sampling.law import Bounds

MAX_RECORDS = 2**40
MAX_LISTED = 10**5
_STEP = 512
Pairs = list[tuple[int, int]]  # integers below and above 2^scale times a number
Power = Callable[[int], tuple[int, int]]


def trusted_joint_quantiles(
    counts: ArrayLike, edges: Sequence[Rational], bins: int, epsilon: Rational, rng: Rng = None
) -> tuple[float, ...]:
    """The edges of exactly ``bins`` bins, drawn with probability ∝ exp(−ε·Σ|b·n_i − n|/(4(b − 1))); ε-DP.

    For a trusted aggregator, or one party and its own rows: it reads exact counts, and charges no ledger.

    Claims: thm-joint-quantiles

    Parameters
    ----------
    counts : exact counts of all records in the r fine bins, integers ≥ 0, shape (r,), 2 ≤ r ≤ 256, at most 2**40 in all
    edges : the r + 1 public fine edges, increasing finite numbers
    bins : b, 2 to r
    epsilon : the cost, greater than 0, read exactly
    rng : None for the operating system's entropy; a generator is for teaching, and warns

    Examples
    --------
    >>> from fdpedu.randomness import Rehearsal
    >>> trusted_joint_quantiles([90, 60, 30, 40, 0, 20], range(7), 4, 2, Rehearsal(1))
    (0.0, 1.0, 2.0, 3.0, 6.0)
    """
    cells = _as_counts(counts)
    fine, most = as_increasing(edges, len(cells)), _as_bins(bins, cells)
    cost = as_positive_fraction(epsilon, "epsilon")
    places = Chain(cells, most, Rate(rate=cost / (2 * joint_sensitivity(most)))).draw(as_source(rng))
    return tuple(fine[k] for k in (0, *places, len(cells)))


def joint_sensitivity(bins: int) -> int:
    """2(b − 1), the most by which one record more moves the utility −Σ|b·n_i − n| of a choice of edges.

    Claims: lem-joint-quantile-sensitivity

    >>> joint_sensitivity(4)
    6
    """
    return 2 * (as_integer(bins, "bins", minimum=2) - 1)


def joint_utility(counts: ArrayLike, places: Sequence[int]) -> int:
    """−Σ|b·n_i − n| over the b bins between the inner fine edges at ``places``: 0 where all bins have the same share.

    Claims: lem-joint-quantile-sensitivity

    Parameters
    ----------
    counts : integers ≥ 0, shape (r,)
    places : b − 1 positions of inner edges, 1 ≤ k_1 < k_2 < … ≤ r − 1; the edge k is the upper one of the k-th cell

    Examples
    --------
    >>> joint_utility([2, 0, 1, 1], [1]), joint_utility([2, 0, 1, 1], [3])
    (0, -4)
    """
    cells = _as_counts(counts)
    inner = [as_integer(k, "places", minimum=1, maximum=len(cells) - 1) for k in as_list(places, "places")]
    if not inner or any(a >= b for a, b in pairwise(inner)):
        raise ValueError("places must be one inner edge or more, in increasing order")
    ends, total, bins = (0, *inner, len(cells)), sum(cells), len(inner) + 1
    return -sum(abs(bins * sum(cells[a:b]) - total) for a, b in pairwise(ends))


def trusted_joint_quantiles_pmf(
    counts: ArrayLike, bins: int, epsilon: Rational | None = None, *, alpha: Rational | None = None
) -> dict[tuple[int, ...], Probability]:
    """The probability of every choice of inner edges, for grids so small that all of them can be listed.

    Claims: thm-joint-quantiles

    Parameters
    ----------
    counts : integers ≥ 0, shape (r,)
    bins : b, 2 to r; there are C(r − 1, b − 1) choices, at most 100,000
    epsilon : greater than 0, for enclosures
    alpha : in place of ``epsilon``, the base of α^(Σ|b·n_i − n|) itself, for fractions; then e^ε is α^(−4(b − 1))

    Examples
    --------
    >>> law = trusted_joint_quantiles_pmf([1, 0, 1], 2, alpha="1/2")
    >>> law
    {(1,): Fraction(1, 2), (2,): Fraction(1, 2)}
    """
    cells = _as_counts(counts)
    most = _as_bins(bins, cells)
    if math.comb(len(cells) - 1, most - 1) > MAX_LISTED:
        raise ValueError(f"a grid of {len(cells)} bins has too many choices of {most - 1} edges to list")
    choices = list(combinations(range(1, len(cells)), most - 1))
    utilities = [joint_utility(cells, places) for places in choices]
    sensitivity = 1 if epsilon is None else joint_sensitivity(most)
    law = exponential_pmf(utilities, epsilon, sensitivity=sensitivity, alpha=alpha)
    return {places: law[i] for i, places in enumerate(choices)}


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
            self._least[left] = np.array(onward)
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


def _as_counts(counts: ArrayLike) -> list[int]:
    table = as_integers(counts, "counts")
    if table.ndim != 1 or not 2 <= len(table) <= MAX_CODES or table.min() < 0:
        raise ValueError(f"counts must be 2 to {MAX_CODES} integers ≥ 0, one a fine bin, got the shape {table.shape}")
    cells: list[int] = table.tolist()
    if sum(cells) > MAX_RECORDS:
        raise ValueError("counts must be of at most 2**40 records in all")
    return cells


def _as_bins(bins: int, cells: Sequence[int]) -> int:
    return as_integer(bins, "bins", minimum=2, maximum=len(cells))
