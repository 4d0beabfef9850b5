"""The discrete Laplace mechanism: integers in, integers out, and exactly the stated law.

Pr[k] = (1−α)/(1+α)·α^|k| on the integers, with α = e^{−ε/Δ}. Added to an integer query of ℓ₁ sensitivity Δ it is
exactly ε-differentially private, and for no smaller ε. :func:`discrete_laplace` draws it from alias tables
(:mod:`fdpedu.sampling`), :func:`slow_discrete_laplace` from rational coins; both have exactly this law.

Claims: thm-discrete-laplace, lem-count-interval
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.exact import (
    Enclosure,
    Integers,
    Rate,
    Rational,
    as_fraction,
    as_integer,
    as_integers,
    shown,
)
from fdpedu.randomness import Rng, Source, as_source, uniform_below
from fdpedu.sampling import two_sided_geometric


@overload
def discrete_laplace(
    value: int,
    epsilon: Rational | None = ...,
    rng: Rng = ...,
    *,
    sensitivity: int = ...,
    alpha: Rational | None = ...,
) -> int: ...
@overload
def discrete_laplace(
    value: ArrayLike,
    epsilon: Rational | None = ...,
    rng: Rng = ...,
    *,
    sensitivity: int = ...,
    alpha: Rational | None = ...,
) -> NDArray[np.int64]: ...
def discrete_laplace(
    value: Any,
    epsilon: Rational | None = None,
    rng: Rng = None,
    *,
    sensitivity: int = 1,
    alpha: Rational | None = None,
) -> Any:
    """Add discrete Laplace noise to integers: ``value + k`` with Pr[k] ∝ α^|k|, α = e^{−epsilon/sensitivity}.

    Contract: the caller answers for the sensitivity, under the neighbour relation that the guarantee is meant for, and
    has paid ε in the ledger.

    Claims: thm-discrete-laplace

    Parameters
    ----------
    value : integers of any shape, within ±2**62; an int gives an int
    epsilon : greater than 0, read exactly (or give ``alpha``)
    rng : None for the operating system's entropy; a generator is for teaching, and warns
    sensitivity : integer ≥ 1, the ℓ₁ sensitivity of ``value``; 1 with ``alpha``
    alpha : in place of ``epsilon``, a fraction in (0, 1)

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> discrete_laplace([[3, 4]], "1/2", ZeroWords()).tolist()
    [[3, 4]]
    """
    rate, source = Rate.of(epsilon, alpha, sensitivity), as_source(rng)
    values = as_integers(value, "value")
    # thm-discrete-laplace: α = e^{−ε/Δ} for the ℓ₁ sensitivity of all coordinates, and independent noise in each
    noise = discrete_laplace_noise(rate, values.size, source).reshape(values.shape)
    return int(values + noise) if isinstance(value, (int, np.integer)) else values + noise


def discrete_laplace_noise(rate: Rate, size: int, source: Source) -> Integers:
    """Independent discrete Laplace integers."""
    return two_sided_geometric(rate, size, source)


def discrete_laplace_pmf(
    k: int, epsilon: Rational | None = None, *, alpha: Rational | None = None, sensitivity: int = 1
) -> Fraction | Enclosure:
    """Pr[noise = k]: a fraction when ``alpha`` is given, an enclosure when ``epsilon`` is.

    >>> discrete_laplace_pmf(1, alpha="1/3")
    Fraction(1, 6)
    >>> discrete_laplace_pmf(0, 1)
    0.46211716 (±2e-40)
    """
    rate = Rate.of(epsilon, alpha, sensitivity)
    one: Any = rate.weight(1)
    return (1 - one) / (1 + one) * rate.weight(abs(_whole(k)))


def discrete_laplace_tail(
    k: int, epsilon: Rational | None = None, *, alpha: Rational | None = None, sensitivity: int = 1
) -> Fraction | Enclosure:
    """Pr[abs(noise) > k] = 2·α^{k+1}/(1+α), for k ≥ 0.

    >>> discrete_laplace_tail(0, alpha="1/3")
    Fraction(1, 2)
    """
    rate = Rate.of(epsilon, alpha, sensitivity)
    return 2 * rate.weight(as_integer(k, "k", minimum=0) + 1) / (1 + rate.weight(1))


def _whole(k: int) -> int:
    return as_integer(k, "k", minimum=-(2**63))


def slow_discrete_laplace(
    value: int,
    epsilon: Rational | None = None,
    rng: Rng = None,
    *,
    sensitivity: int = 1,
    alpha: Rational | None = None,
) -> int:
    """The same law, from rational coins only: slow, and right by inspection (Canonne, Kamath and Steinke 2020).

    A coin of probability e^{−γ}, 0 ≤ γ ≤ 1: flip coins of probability γ/1, γ/2, γ/3, … until one shows tails; the
    number of flips is odd with probability 1 − γ + γ²/2! − … = e^{−γ}. Then X = U + t·V, where U is uniform below t and
    kept with probability e^{−U/t} and V counts heads of e^{−1} coins, is geometric with decay e^{−1/t}; ⌊X/s⌋ decays
    by e^{−s/t}; and a sign, with −0 refused, makes it two-sided.

    Claims: thm-discrete-laplace

    >>> from fdpedu.randomness import ZeroWords
    >>> slow_discrete_laplace(5, "1/2", ZeroWords())
    5
    """
    rate, source = Rate.of(epsilon, alpha, sensitivity), as_source(rng)
    centre, parameter = _one_integer(value, "value"), rate.rate or rate.alpha
    if parameter is None or max(parameter.as_integer_ratio()) > 2**40:
        raise ValueError("epsilon/sensitivity, or alpha, must be a fraction of integers up to 2**40 for these coins")
    while True:
        size = _slow_geometric(rate, source)
        negative = _coin(Fraction(1, 2), source)
        # thm-discrete-laplace: −0 is drawn again, or 0 would have twice its probability
        if not (negative and size == 0):
            return centre - size if negative else centre + size


def _slow_geometric(rate: Rate, source: Source) -> int:
    if rate.alpha is not None:
        heads = 0
        while _coin(rate.alpha, source):
            heads += 1
        return heads
    assert rate.rate is not None
    s, t = rate.rate.numerator, rate.rate.denominator
    while True:
        u = int(uniform_below(np.array([t]), source)[0])
        if _exp_coin(Fraction(u, t), source):
            break
    v = 0
    while _exp_coin(Fraction(1), source):
        v += 1
    return (u + t * v) // s


def _exp_coin(gamma: Fraction, source: Source) -> bool:
    """Heads with probability e^{−γ}, 0 ≤ γ ≤ 1, from coins of probability γ/1, γ/2, …"""
    flips = 1
    while _coin(gamma / flips, source):
        flips += 1
    return flips % 2 == 1


def _coin(p: Fraction, source: Source) -> bool:
    """True with probability p; a word of zeros gives False unless p = 1."""
    return int(uniform_below(np.array([p.denominator]), source)[0]) >= p.denominator - p.numerator


@dataclass(frozen=True)
class CountInterval:
    """What may be said of a true count: it lies in [low, high], at least with the stated confidence."""

    low: int
    high: int
    half_width: int
    confidence: Fraction
    coverage: Fraction | Enclosure

    def __str__(self) -> str:
        percent = f"{float(self.confidence * 100):.6g} %"
        return f"the true count lies in [{self.low}, {self.high}], with a confidence of at least {percent}"

    def _repr_html_(self) -> str:
        return f"<p>{str(self).capitalize()}.</p>"


_LEAST_RATE = Fraction(1, 10**300)  # an interval at less is longer than any number that can be released


def count_interval(
    noisy: int,
    epsilon: Rational | None = None,
    *,
    confidence: Rational = "0.95",
    sensitivity: int = 1,
    simultaneous: int = 1,
    alpha: Rational | None = None,
) -> CountInterval:
    """The smallest interval noisy ± t that holds the true count with the given confidence.

    t is the smallest integer with Pr[abs(noise) > t] ≤ (1 − confidence)/simultaneous, decided exactly. It depends on
    public numbers only, so it costs no budget. It speaks of the noise alone: the count itself is not a sample here.

    Claims: lem-count-interval

    Parameters
    ----------
    noisy : a released count
    epsilon : of the release, greater than 0, read exactly (or give ``alpha``)
    confidence : strictly between 0 and 1
    sensitivity : integer ≥ 1, as it was at the release; 1 with ``alpha``
    simultaneous : how many counts the statement is meant to cover at once (union bound), ≥ 1
    alpha : in place of ``epsilon``, a fraction in (0, 1)

    Examples
    --------
    >>> print(count_interval(40, 1))
    the true count lies in [37, 43], with a confidence of at least 95 %
    """
    rate, level = Rate.of(epsilon, alpha, sensitivity), as_fraction(confidence, "confidence")
    if not 0 < level < 1:
        raise ValueError(f"confidence must lie strictly between 0 and 1, got {shown(level)}")
    if rate.rate is not None and rate.rate < _LEAST_RATE:
        raise ValueError(f"epsilon / sensitivity must be at least 10^-300, got {shown(rate.rate)}")
    # lem-count-interval: a union bound over all counts, so each may miss with an equal part of 1 − confidence
    miss = (1 - level) / as_integer(simultaneous, "simultaneous", minimum=1)
    centre = _one_integer(noisy, "noisy")
    half = _half_width(rate, miss)
    covered = 1 - 2 * rate.weight(half + 1) / (1 + rate.weight(1))
    return CountInterval(centre - half, centre + half, half, level, covered)


def _half_width(rate: Rate, miss: Fraction) -> int:
    """The smallest t ≥ 0 with 2α^{t+1}/(1+α) ≤ miss, by doubling and then halving; every t is settled by enclosures."""

    def enough(t: int) -> bool:
        digits = 40
        while True:
            power, one = rate.power(t + 1, digits), rate.power(1, digits)
            if 2 * power.upper <= miss * (1 + one.lower):
                return True
            if 2 * power.lower > miss * (1 + one.upper):
                return False
            if rate.alpha is not None:  # then it may be an equation, which no number of digits decides
                return 2 * rate.alpha ** (t + 1) <= miss * (1 + rate.alpha)
            digits *= 2

    less, most = -1, 0
    while not enough(most):
        less, most = most, 2 * most + 1
    while most - less > 1:
        middle = (less + most) // 2
        less, most = (less, middle) if enough(middle) else (middle, most)
    return most


def _one_integer(value: Any, name: str) -> int:
    array = as_integers(value, name)
    if array.ndim:
        raise ValueError(f"{name} must be one integer, got an array of shape {array.shape}")
    return int(array)
