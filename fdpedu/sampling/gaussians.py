"""Exact discrete Gaussian numbers, Pr[k] ∝ e^{−k²/2σ²} on the integers: by a table, or for a large σ by rejection.

A law that is known by enclosures of its distribution function can be drawn exactly, so the table needs only these. The
values stand in the order 0, 1, −1, 2, −2, …. Their weights w(k) = e^{−k²/2σ²} follow from w(0) = 1 by
w(k+1) = w(k)·s(k), and the steps s(k) = e^{−(2k+1)/2σ²} from s(0) by s(k+1) = s(k)·e^{−1/σ²}: in integers, rounded
down and up. The weights that are left out are bounded by a geometric series, because the steps decrease.

The table of a large σ would be long. There a discrete Laplace number is proposed and kept with the probability that
makes it Gaussian.

Claims: thm-discrete-gaussian
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache, partial
from itertools import accumulate

import numpy as np

from fdpedu.exact import Integers, Rate, ceil_div, ceil_shift, exp_enclosure, shown
from fdpedu.randomness import Source
from fdpedu.sampling.alias import sample
from fdpedu.sampling.coins import exp_coins
from fdpedu.sampling.digits import two_sided_geometric
from fdpedu.sampling.law import Bounds, Law

MAX_VARIANCE = 2**60
"""Of a discrete Gaussian number, so that it fits 64 bits."""
_IN_A_TABLE = 300**2  # a larger σ² needs more values than a table has columns
_REACH = 6  # what lies beyond so many σ is met about once in 2**28 draws, and goes the slow way
_GUARD = 64


def discrete_gaussian_noise(variance: Fraction, size: int, source: Source) -> Integers:
    """Independent exact discrete Gaussian numbers, Pr[k] ∝ e^{−k²/2σ²}.

    Claims: thm-discrete-gaussian

    Parameters
    ----------
    variance : the parameter σ² > 0, at most 2**60 (the true variance is a little less)
    size : how many
    source : of the random words; with σ up to 300 half a word of 64 bits for each number, and hardly ever more

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> discrete_gaussian_noise(Fraction(7, 2), 3, ZeroWords()).tolist()
    [0, 0, 0]
    """
    require_variance(variance)
    if variance > _IN_A_TABLE:
        return by_rejection(variance, size, source)
    return sample(discrete_gaussian_law(variance), size, source)


def require_variance(variance: Fraction) -> None:
    """Refuse what is no fraction, not positive, or too large for 64-bit integers."""
    if type(variance) is not Fraction:
        raise ValueError(f"variance must be a Fraction, got {type(variance).__name__}")
    if not 0 < variance <= MAX_VARIANCE:
        raise ValueError(
            f"variance must be greater than 0 and at most 2**60, so that the noise fits 64 bits, got {shown(variance)}"
        )


@lru_cache(maxsize=64)
def discrete_gaussian_law(variance: Fraction) -> Law:
    """The discrete Gaussian law in the order 0, 1, −1, 2, −2, …"""
    terms = 2 * math.ceil(_REACH * math.sqrt(variance)) + 3
    return Law(partial(_bounds, variance), terms=terms, value=_alternating)


def _alternating(index: int) -> int:
    """0, 1, −1, 2, −2, …"""
    return (index + 1) // 2 if index % 2 else -(index // 2)


def _bounds(variance: Fraction, n: int, bits: int) -> Bounds:
    """Enclosures of 2^bits·F(index) for the first n indices: partial sums of the weights over the sum of all."""
    lower, upper = _weights(variance, bits + _GUARD + n.bit_length())
    low_total, high_total = (2 * sum(side) - side[0] for side in (lower, upper))
    low_sums, high_sums = (_partial_sums(side, n) for side in (lower, upper))
    return (
        [(s << bits) // high_total for s in low_sums],
        [min(1 << bits, ceil_div(s << bits, low_total)) for s in high_sums],
    )


def _partial_sums(side: list[int], n: int) -> list[int]:
    """The sums of the first 1, 2, …, n weights, each of them but the one of 0 standing there twice."""
    both = [side[(index + 1) // 2] for index in range(min(n, 2 * len(side) - 1))]
    return list(accumulate([*both, *[0] * (n - len(both))]))


def _weights(variance: Fraction, scale: int) -> tuple[list[int], list[int]]:
    """e^{−k²/2σ²} for k = 0, 1, 2, …, rounded down, and rounded up, in units of 2^−scale.

    The last of the upper weights is a bound for the sum of all that follow: with the next step s < 1 they are at most
    s/(1 − s) times the last one. Rounded up, a weight stays near 1/(1 − s) units however small it is, and there the
    list ends.
    """
    one, digits = 1 << scale, scale // 3 + 10
    first, less = (exp_enclosure(-x, digits) for x in (1 / (2 * variance), 1 / variance))
    low_step, high_step = _floor(first.lower, scale), _floor(first.upper, scale) + 1
    low_less, high_less = _floor(less.lower, scale), _floor(less.upper, scale) + 1
    low, high = one, one
    lows, highs = [low], [high]
    while high * (one - high_step) > 2 * one:
        low, high = low * low_step >> scale, ceil_shift(high * high_step, scale)
        low_step, high_step = low_step * low_less >> scale, ceil_shift(high_step * high_less, scale)
        lows.append(low)
        highs.append(high)
    return [*lows, 0], [*highs, ceil_div(high * high_step, one - high_step)]


def _floor(x: Fraction, scale: int) -> int:
    return (x.numerator << scale) // x.denominator


def by_rejection(variance: Fraction, size: int, source: Source) -> Integers:
    """The same numbers, for every σ² up to 2**60, without a table of their own.

    A discrete Laplace number Y of scale t = ⌊σ⌋ + 1 is kept with probability e^{−(abs(Y) − σ²/t)²/2σ²}
    (Canonne, Kamath and Steinke 2020): the product of both is proportional to e^{−Y²/2σ²}.

    Claims: thm-discrete-gaussian
    """
    t = math.isqrt(math.floor(variance)) + 1
    centre, rate = variance / t, Rate(rate=Fraction(1, t))
    noise, waiting = np.zeros(size, dtype=np.int64), np.arange(size, dtype=np.int64)
    while waiting.size:
        tried = two_sided_geometric(rate, waiting.size, source)
        distance = np.abs(tried).astype(np.float64) - float(centre)
        likely = np.exp(-distance * distance / (2 * max(float(variance), 1e-200)))  # below, it is 1 or 0 anyhow

        def gamma(i: int, tried: Integers = tried) -> Fraction:
            return (abs(int(tried[i])) - centre) ** 2 / (2 * variance)

        # thm-discrete-gaussian: the mass of the trial times that of its coin is proportional to e^{−Y²/2σ²}
        kept = exp_coins(likely, gamma, source)
        noise[waiting[kept]] = tried[kept]
        waiting = waiting[~kept]
    return noise
