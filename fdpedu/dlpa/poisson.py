"""Exact Poisson numbers, from the alias tables of :mod:`fdpedu.sampling`.

A law that is known by enclosures of its distribution function can be drawn exactly, so all that is needed are these.
The values stand in the order M, M+1, M−1, M+2, … around the mode M = ⌊μ⌋, where they are likely, so that the table is
short. Their weights w(k) = p(k)/p(M) follow from w(M) = 1 by w(k+1) = w(k)·μ/(k+1), in integers, rounded down and up;
the weights that are left out on either side are bounded by a geometric series, because the ratios decrease. The sum of
the weights takes the place of e^μ, which is never computed.

A large μ is divided: a sum of independent Poisson numbers is one.

Claims: lem-poisson-law
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, partial
from itertools import accumulate, zip_longest

import numpy as np

from fdpedu.exact import Integers, ceil_div
from fdpedu.randomness import Source
from fdpedu.sampling import Law, sample
from fdpedu.sampling.law import Bounds

MAX_MEAN = 2**24
_AT_ONCE = 2**16  # a larger mean is divided
_GUARD = 64


def poisson(mean: Fraction, size: int, source: Source) -> Integers:
    """Independent exact Poisson numbers, Pr[k] = e^{−μ}·μ^k/k!, with a rational mean μ.

    Claims: lem-poisson-law

    Parameters
    ----------
    mean : μ > 0, at most 2**24
    size : how many
    source : of the random words, one for each number, or for each 2**16 of the mean; and hardly ever more

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> poisson(Fraction(7, 2), 3, ZeroWords()).tolist()
    [3, 3, 3]
    """
    if not 0 < mean <= MAX_MEAN:
        raise ValueError(f"mean must be greater than 0 and at most {MAX_MEAN}, got about {float(mean):.4g}")
    parts = math.ceil(mean / _AT_ONCE)
    law, total = poisson_law(mean / parts), np.zeros(size, dtype=np.int64)
    for _ in range(parts):
        total += sample(law, size, source)
    return total


@lru_cache(maxsize=64)
def poisson_law(mean: Fraction) -> Law:
    """The Poisson law in the order M, M+1, M−1, …; what lies below 0 has the weight 0."""
    mode = math.floor(mean)
    terms = 2 * (math.ceil(6 * math.sqrt(mean)) + 14) + 1
    return Law(partial(_bounds, mean), terms=terms, value=partial(_around, mode))


def _around(mode: int, index: int) -> int:
    """M, M+1, M−1, M+2, M−2, …"""
    return mode + (index + 1) // 2 if index % 2 else mode - index // 2


def _bounds(mean: Fraction, n: int, bits: int) -> Bounds:
    """Enclosures of 2^bits·F(index) for the first n indices: partial sums of the weights over all of them."""
    mode, scale = math.floor(mean), bits + _GUARD + n.bit_length()
    above = _side(lambda i: mean / (mode + i), scale)
    below = _side(lambda i: (mode + 1 - i) / mean, scale)
    lower, upper = ([(1 << scale), *_in_turn(above[up], below[up])] for up in (0, 1))
    low_total, high_total = sum(lower), sum(upper)
    sums = [accumulate([*side[:n], *[0] * (n - len(side))]) for side in (lower, upper)]
    return (
        [(s << bits) // high_total for s in sums[0]],
        [min(1 << bits, ceil_div(s << bits, low_total)) for s in sums[1]],
    )


def _in_turn(above: list[int], below: list[int]) -> list[int]:
    """One from each side, in turn; where one has ended, 0."""
    return [weight for pair in zip_longest(above, below, fillvalue=0) for weight in pair]


def _side(ratio: Callable[[int], Fraction], scale: int) -> tuple[list[int], list[int]]:
    """The weights on one side of the mode, rounded down, and rounded up, in units of 2^−scale.

    ``ratio(i)`` is that of the i-th to the one before; they decrease. The last of the upper weights is a bound for all
    that follow: with the next ratio r < 1 they are at most r/(1 − r) times the last one. Rounded up, a weight stays
    near 1/(1 − r) units however small it is, and there the list ends.
    """
    low = high = 1 << scale
    lows, highs, i = list[int](), list[int](), 1
    while r := ratio(i):
        if r < 1 and high * (1 - r) <= 2:
            return [*lows, 0], [*highs, math.ceil(high * r / (1 - r))]
        low, high = low * r.numerator // r.denominator, ceil_div(high * r.numerator, r.denominator)
        lows.append(low)
        highs.append(high)
        i += 1
    return lows, highs
