"""Skellam shares: for a small δ, integers whose sum stays in the family, whichever parties are missing.

A Skellam number is a difference of two independent Poisson numbers of one mean; its variance is twice that mean.
Poisson numbers add up to Poisson numbers, so shares of variance σ²/m make up Skellam noise of variance σ², *exactly*;
and what colluders or missing parties leave is Skellam noise again, of a smaller variance. So the insider's loss needs
no theory of its own.

The law is known through the ratios of the Bessel functions I_k: with x = σ² and r_k = I_k(x)/I_{k−1}(x),

    Pr[k]/Pr[k−1] = r_k,        1/r_k = 2k/x + r_{k+1},

and 0 < r < 1. Run downwards from a large k the recurrence forgets where it began, so it encloses all ratios.

Guarantee: (ε, δ) against outsiders and at most ``tolerate`` insiders, with δ as :func:`skellam_delta` encloses it. Pure
ε-DP for no ε, because the ratios r_k have the limit 0. Arithmetic: integers, rounded outwards.

Claims: thm-skellam, lem-skellam-renyi
"""

from __future__ import annotations

import bisect
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from fdpedu.accounting import LossDistribution
from fdpedu.dlpa.poisson import MAX_MEAN, poisson
from fdpedu.dlpa.shares import count_noise_shares
from fdpedu.exact import (
    Enclosure,
    Rational,
    as_fraction,
    as_integer,
    as_positive_fraction,
    ceil_div,
    ceil_shift,
    exp_enclosure,
    log_enclosure,
    shown,
)
from fdpedu.randomness import Rng, as_source

_BITS = 256
_ONE = 1 << _BITS
_CUT = Fraction(1, 10**29)  # of the tails of a loss distribution, which keeps thirty digits


def skellam_shares(
    n_parties: int, variance: Rational, size: int = 1, rng: Rng = None, *, tolerate: int = 0
) -> NDArray[np.int64]:
    """The Skellam shares of all parties, shape (n_parties, size): integers, exactly drawn.

    Summed over any n_parties − tolerate parties, each column has the Skellam law with that variance.

    Claims: thm-skellam

    Parameters
    ----------
    n_parties : K ≥ 1
    variance : σ² > 0 of the noise that any n_parties − tolerate shares make up, read exactly; σ²/m is at most 2**25
    size : how many numbers each party's share has
    rng : None for the operating system's entropy; a generator is for teaching, and warns
    tolerate : 0 ≤ c < K, how many colluders or drop-outs the noise withstands

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> skellam_shares(3, 20, 2, ZeroWords(), tolerate=1).tolist()
    [[0, 0], [0, 0], [0, 0]]
    """
    mean = as_positive_fraction(variance, "variance") / (2 * count_noise_shares(n_parties, tolerate))
    if mean > MAX_MEAN:
        raise ValueError(f"variance must be at most 2**25 for one share, got {shown(2 * mean)}")
    size = as_integer(size, "size", minimum=0, maximum=2**32)
    sources = as_source(rng).spawn(n_parties)
    return np.array([poisson(mean, size, source) - poisson(mean, size, source) for source in sources])


def skellam_pmf(k: int, variance: Rational) -> Enclosure:
    """Pr[noise = k] = e^{−σ²}·I_k(σ²), enclosed; below 10⁻⁷⁶ merely from 0.

    Claims: thm-skellam

    Parameters
    ----------
    k : an integer
    variance : σ² from 1/1000 to 10**6

    Examples
    --------
    >>> skellam_pmf(0, 1)
    0.46575961 (±...e-...)
    """
    return _table(_variance(variance)).mass(abs(as_integer(k, "k", minimum=-(2**63))))


def skellam_delta(epsilon: Rational, variance: Rational, *, sensitivity: int = 1) -> Enclosure:
    """The least δ for which Skellam noise on an integer query is (ε, δ)-DP, enclosed.

    The loss grows with the distance of the output on one side, so the worst event is a tail: δ is the largest of
    Pr[N ≥ t] − e^ε·Pr[N ≥ t + Δ], over all t. With c colluders among K parties the variance is (K − c)/m times σ².

    Claims: thm-skellam

    Parameters
    ----------
    epsilon : 0 to 1000, read exactly
    variance : σ² from 1/1000 to 10**6, of the noise that is left for those whom the guarantee is meant against
    sensitivity : Δ from 1 to 1000

    Examples
    --------
    >>> skellam_delta(1, 20)
    1.7146946e-8 (±...e-...)
    """
    eps, table = as_fraction(epsilon, "epsilon"), _table(_variance(variance))
    if not 0 <= eps <= 1000:
        raise ValueError(f"epsilon must be from 0 to 1000, got {shown(eps)}")
    step = as_integer(sensitivity, "sensitivity", minimum=1, maximum=1000)
    factor = exp_enclosure(eps, 80)
    excess = [table.tail(t) - factor * table.tail(t + step) for t in range(-step, table.last + 1)]
    return Enclosure(max(Fraction(0), *(e.lower for e in excess)), max(e.upper for e in excess))


def skellam_rdp(order: Rational, variance: Rational, *, sensitivity: int = 1, times: int = 1) -> Enclosure:
    """A bound of the Rényi divergence of ``times`` releases with Skellam noise (Agarwal, Kairouz, Liu 2021):

        λ·Δ²/(2σ²) + min( ((2λ − 1)·Δ² + 6Δ)/(4σ⁴), 3Δ/(2σ²) ),

    at the next whole order λ, for it is proved for these, and the divergence grows with the order.

    Claims: lem-skellam-renyi

    Parameters
    ----------
    order : more than 1 and at most 10**6
    variance : σ² from 1/1000 to 10**6
    sensitivity : Δ ≥ 1 of an integer query of which one record moves one cell
    times : 1 to 10**6

    Examples
    --------
    >>> skellam_rdp(2, 20)
    0.055625
    """
    a, x = as_fraction(order, "order"), _variance(variance)
    if not 1 < a <= 10**6:
        raise ValueError(f"order must be more than 1 and at most 10**6, got {shown(a)}")
    whole, d = math.ceil(a), as_integer(sensitivity, "sensitivity", minimum=1, maximum=10**6)
    rest = min(((2 * whole - 1) * d * d + 6 * d) / (4 * x * x), Fraction(3 * d) / (2 * x))
    return Enclosure.exactly(as_integer(times, "times", minimum=1, maximum=10**6) * (whole * d * d / (2 * x) + rest))


def skellam_loss(variance: Rational, *, sensitivity: int = 1, step: Rational = "1/1024") -> LossDistribution:
    """The privacy loss of Skellam noise as a :class:`~fdpedu.accounting.LossDistribution`, to compose and convert.

    Claims: thm-skellam

    Parameters
    ----------
    variance : σ² from 1 to 10**5
    sensitivity : Δ from 1 to 100
    step : of the grid of losses

    Examples
    --------
    >>> skellam_loss(20).compose(4).epsilon(1e-6)
    1.94... (±...e-...)
    """
    x, shift = _variance(variance), as_integer(sensitivity, "sensitivity", minimum=1, maximum=100)
    if not 1 <= x <= 10**5:
        raise ValueError(f"variance must be from 1 to 10**5 for a table of losses, got {shown(x)}")
    table = _table(x)
    last = next(t for t in range(table.last) if table.tail(t).upper < _CUT)
    losses = [table.loss(t, shift) for t in range(-shift - last, last + 1)]
    lows, highs = [loss.lower for loss in losses], [loss.upper for loss in losses]

    def tail(at: Fraction, strict: bool) -> Enclosure:
        surely = (bisect.bisect_right if strict else bisect.bisect_left)(lows, at)
        perhaps = bisect.bisect_left(highs, at)
        high = 1 if perhaps == 0 else table.tail(perhaps - shift - last).upper
        return Enclosure(table.tail(surely - shift - last).lower, Fraction(high))

    return LossDistribution.of_tail(tail, lows[0], highs[-1], step)


@dataclass(frozen=True)
class _Table:
    """Pr[k] for k = 0, …, last, in units of 2^−256, rounded down and up; and Pr[N ≥ t] for t = 0, …, last + 1."""

    low: tuple[int, ...]
    high: tuple[int, ...]
    tail_low: tuple[int, ...]
    tail_high: tuple[int, ...]

    @property
    def last(self) -> int:
        return len(self.low) - 1

    def mass(self, k: int) -> Enclosure:
        if k > self.last:
            return Enclosure(Fraction(0), Fraction(self.tail_high[-1], _ONE))
        return Enclosure(Fraction(self.low[k], _ONE), Fraction(self.high[k], _ONE))

    def tail(self, t: int) -> Enclosure:
        if t <= 0:
            return 1 - self.tail(1 - t) if t < 0 else Enclosure.exactly(Fraction(1, 2)) + self.mass(0) * Fraction(1, 2)
        if t > self.last:
            return Enclosure(Fraction(0), Fraction(self.tail_high[-1], _ONE))
        return Enclosure(Fraction(self.tail_low[t], _ONE), Fraction(self.tail_high[t], _ONE))

    def loss(self, t: int, shift: int) -> Enclosure:
        """ln(Pr[t]/Pr[t + shift])."""
        one, other = self.mass(abs(t)), self.mass(abs(t + shift))
        low, high = log_enclosure(one.lower / other.upper), log_enclosure(one.upper / other.lower)
        return Enclosure(low.lower, high.upper)


@lru_cache(maxsize=16)
def _table(x: Fraction) -> _Table:
    """The ratios from the recurrence, the weights Pr[k]/Pr[0] from the ratios, and the sum of all makes them a law."""
    low, high, beyond = _weights(x)
    least, most = 2 * sum(low) - _ONE, 2 * (sum(high) + beyond) - _ONE
    masses_low = [weight * _ONE // most for weight in low]
    masses_high = [ceil_div(weight * _ONE, least) for weight in high]
    rest = ceil_div(beyond * _ONE, least)
    tail_low = list(accumulate(reversed([*masses_low, 0])))[::-1]
    tail_high = list(accumulate(reversed([*masses_high, rest])))[::-1]
    return _Table(*map(tuple, (masses_low, masses_high, tail_low, tail_high)))


def _weights(x: Fraction) -> tuple[list[int], list[int], int]:
    """Pr[k]/Pr[0] for k = 0, 1, …, up to seventeen standard deviations and sixty more, rounded down and up.

    And a bound for the sum of all that follow: the ratios decrease, so it is at most w·r/(1 − r) with the next ratio r.
    """
    last = math.ceil(17 * math.sqrt(x)) + 60
    ratio_low, ratio_high, ratios = 0, _ONE, list[tuple[int, int]]()
    for k in range(2 * last, 0, -1):
        slope = 2 * k * x.denominator * _ONE
        ratio_low, ratio_high = (
            _ONE * _ONE // (ceil_div(slope, x.numerator) + ratio_high),
            ceil_div(_ONE * _ONE, slope // x.numerator + ratio_low),
        )
        ratios.append((ratio_low, ratio_high))
    low, high = [_ONE], [_ONE]
    for down, up in reversed(ratios[last:]):
        low.append(low[-1] * down >> _BITS)
        high.append(ceil_shift(high[-1] * up, _BITS))
    following = ratios[last - 1][1]
    return low, high, ceil_div(high[-1] * following, _ONE - following)


def _variance(variance: Rational) -> Fraction:
    x = as_positive_fraction(variance, "variance")
    if not Fraction(1, 1000) <= x <= 10**6:
        raise ValueError(f"variance must be from 1/1000 to 10**6, got {shown(x)}")
    return x
