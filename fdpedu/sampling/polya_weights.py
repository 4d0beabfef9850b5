"""The weights of the negative binomial law NB(1/m, α), as floats of known error and as enclosures of any width.

Pr[k] is proportional to r(k) = c(k)·α^k with c(k) = Γ(k+1/m)/(k!·Γ(1/m)) = ∏_{i=1}^{k} (1 − d/i) and d = 1 − 1/m.
The sampler of :mod:`fdpedu.sampling.blocks` needs nothing else of the law, not even the factor (1−α)^{1/m} that makes
the weights add up to 1. Near 0 the product is multiplied out. Farther out, Stirling's series gives

    ln c(k) = (k+½)·ln((k+1/m)/(k+1)) − d·ln(k+1/m) + s(k+1/m) − s(k+1) + a constant,

with s(x) = 1/(12x) − 1/(360x³) + …. The series envelops s: its value lies between two successive partial sums. So
the truth is always between two numbers that are known, whatever the precision.

Claims: lem-nb-weights
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import Enclosure, Integers, Rate, as_indices, ceil_div, exp_enclosure, log_enclosure

Floats = NDArray[np.float64]
LOG_ERROR = 2.0**-35  # of a float ln r(k) with k·rate ≤ 64, generously: two ends of a Stirling series take up 2**-37.5
_NEAR = 1024  # floats: the product below, Stirling's series from here on
_ANCHOR = 64  # enclosures: the product up to here, Stirling's series beyond
_REACH = 80  # decimal digits that Stirling's series has at the anchor with some to spare


@dataclass(frozen=True)
class NegativeBinomialWeights:
    """r(k) = c(k)·α^k for k = 0, 1, 2, …, α = e^{−rate}, m = ``n_noise_shares``; they decrease, and r(k+1) < α·r(k)."""

    rate: Rate
    n_noise_shares: int

    @cached_property
    def decay(self) -> float:
        """The rate as a float, right to a few units of the last place."""
        return float(self.rate)

    @cached_property
    def _near(self) -> Floats:
        return _log_products(self.n_noise_shares)

    def log(self, k: Integers) -> Floats:
        """ln r(k), off by less than ``LOG_ERROR`` where k·rate ≤ 64.

        >>> NegativeBinomialWeights(Rate.of(alpha="1/2"), 2).log(np.array([0, 1])).round(6).tolist()
        [0.0, -1.386294]
        """
        near = self._near.take(as_indices(np.minimum(k, _NEAR)))
        if k.size and k.max() > _NEAR:
            far = self._far(np.maximum(k, _NEAR)) - self._far(np.array([_NEAR], dtype=np.int64)) + self._near[_NEAR]
            near = np.where(k > _NEAR, far, near)
        return near - self.decay * k

    def _far(self, k: Integers) -> Floats:
        """ln c(k) up to a constant, by Stirling's series to the term 1/(12x), off by less than 1/(360k³)."""
        tau, d = 1 / self.n_noise_shares, 1 - 1 / self.n_noise_shares
        low, high = k + tau, k + 1.0
        return (k + 0.5) * np.log1p(-d / high) - d * np.log(low) + d / (12 * low * high)

    def enclosure(self, k: int, digits: int) -> Enclosure:
        """r(k) to about ``digits`` significant digits.

        >>> NegativeBinomialWeights(Rate.of(epsilon=1), 2).enclosure(1, 10)
        0.18393972 (±1e-13)
        """
        return product(coefficient(k, self.n_noise_shares, digits), self.rate.power(k, digits + 3))


def _log_products(n_noise_shares: int) -> Floats:
    """ln c(k) for k ≤ _NEAR: a product of 1,024 factors, each rounded three times."""
    k = np.arange(1, _NEAR + 1, dtype=np.float64)
    return np.concatenate([[0.0], np.log(np.cumprod((k - 1 + 1 / n_noise_shares) / k))])


def product(*factors: Enclosure) -> Enclosure:
    """The product of non-negative enclosures, not rounded (``*`` rounds to 256 bits)."""
    one = Fraction(1)
    return Enclosure(math.prod((f.lower for f in factors), start=one), math.prod((f.upper for f in factors), start=one))


@lru_cache(maxsize=1024)
def coefficient(k: int, n_noise_shares: int, digits: int) -> Enclosure:
    """c(k) = Γ(k+1/m)/(k!·Γ(1/m)) to about ``digits`` significant digits, m = ``n_noise_shares``.

    What is asked beyond 80 digits is multiplied out, whatever k: slow, and met once in 10⁷⁰ draws.

    Claims: lem-nb-weights
    """
    return _coefficient(k, n_noise_shares, digits)


def _coefficient(k: int, n_noise_shares: int, digits: int) -> Enclosure:
    if k <= _ANCHOR or digits > _REACH:
        return multiplied_out(k, n_noise_shares, digits)
    growth = _log_far(k, n_noise_shares, digits + 5) - _log_at_anchor(n_noise_shares, digits + 5)
    ratio = Enclosure(exp_enclosure(growth.lower, digits + 5).lower, exp_enclosure(growth.upper, digits + 5).upper)
    return product(coefficient(_ANCHOR, n_noise_shares, digits), ratio)


def multiplied_out(k: int, n_noise_shares: int, digits: int) -> Enclosure:
    """The product in fixed point, rounded down and rounded up; c(k) ≥ 1/(mk) says how many bits that needs."""
    scale = digits * 10 // 3 + 16 + 2 * (k * n_noise_shares).bit_length()
    low = high = 1 << scale
    for i in range(1, k + 1):
        low = low * (1 + (i - 1) * n_noise_shares) // (i * n_noise_shares)
        high = ceil_div(high * (1 + (i - 1) * n_noise_shares), i * n_noise_shares)
    return Enclosure(Fraction(low, 1 << scale), Fraction(high, 1 << scale))


@lru_cache(maxsize=64)
def _log_at_anchor(n_noise_shares: int, digits: int) -> Enclosure:
    return _log_far(_ANCHOR, n_noise_shares, digits)


def _log_far(k: int, n_noise_shares: int, digits: int) -> Enclosure:
    """ln c(k) up to a constant, by Stirling's series."""
    tau = Fraction(1, n_noise_shares)
    slope, height = log_enclosure((k + tau) / (k + 1), digits), log_enclosure(k + tau, digits)
    half, d = k + Fraction(1, 2), 1 - tau
    main = Enclosure(half * slope.lower - d * height.upper, half * slope.upper - d * height.lower)
    return main + stirling(k + tau, digits) - stirling(Fraction(k + 1), digits)


def stirling(x: Fraction, digits: int) -> Enclosure:
    """lnΓ(x) − (x−½)·ln x + x − ½·ln 2π for large x, between two partial sums of Stirling's series.

    Parameters
    ----------
    x : so large that some term is below 10^{−digits}: at least 64 for 85 digits
    digits : decimal places after which the series is cut
    """
    total, n = Fraction(0), 1
    while True:
        term = bernoulli(2 * n) / (2 * n * (2 * n - 1)) / x ** (2 * n - 1)
        if abs(term) < Fraction(1, 10**digits):
            return Enclosure(min(total, total + term), max(total, total + term))
        total, n = total + term, n + 1
        assert n < 4 * x, "beyond its smallest term the series grows"


@lru_cache(maxsize=256)
def bernoulli(n: int) -> Fraction:
    """The Bernoulli number B_n (B_1 = −½), by Σ_{j≤n} C(n+1, j)·B_j = 0.

    >>> [str(bernoulli(n)) for n in (2, 4, 6)]
    ['1/6', '-1/30', '1/42']
    """
    return _after_those_before(n)


def _after_those_before(n: int) -> Fraction:
    if n == 0:
        return Fraction(1)
    return -sum((math.comb(n + 1, j) * bernoulli(j) for j in range(n)), Fraction(0)) / (n + 1)
