"""Why real-valued shares do not fit a sum of integers: rounding after the noise, computed with both ends.

A sum mod R takes integers, so a party with a real value and a real-valued share has to round what it sends. That is
post-processing of *its* message, not of the sum: the sum of rounded numbers is no function of the sum of the numbers.
So nothing follows from the Laplace law of the latter, and in fact ε is exceeded.

Here that is computed for two parties. A share then is G − G' with shape ½, whose density is K₀(|x|)/π at scale 1, with
the Bessel function K₀, and for x > 0 (Σ runs over n ≥ 0, H_n = 1 + ½ + … + 1/n, γ is Euler's constant)

    Pr[0 < G − G' ≤ x] = (1/π)·Σ x·(x/2)^{2n}/(n!²·(2n+1))·(H_n + 1/(2n+1) − ln(x/2) − γ).

Guarantee: the numbers are enclosures. Arithmetic: integers, rounded outwards. What to do instead is in
:mod:`fdpedu.dlpa.lattice`.

Claims: rounding-after-the-noise
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Any

from fdpedu.exact import (
    Enclosure,
    Rational,
    as_fraction,
    as_integer,
    as_list,
    as_positive_fraction,
    ceil_div,
    log_enclosure,
    shown,
)

_BITS = 320
_PI = Fraction(314159265358979323846264338327950288419716939937510582097494459230781640628620899862803, 10**86)
PI = Enclosure(_PI, _PI + Fraction(1, 10**86))
_EULER = Fraction(57721566490153286060651209008240243104215933593992359880576723488486772677766467093694, 10**86)
_LAST_DIGIT = Fraction(1, 10**86)  # both constants are cut off after 86 digits
_REACH = 45  # e^−45 is what is left over beyond so many scales, and is bounded

Pair = tuple[Fraction, Fraction]


def rounded_sum_pmf(k: int, values: Any, epsilon: Rational = 1) -> Enclosure:
    """Pr[sum = k], where two parties add gamma shares to real values and each rounds to the nearest integer.

    The shares make up Laplace noise of scale 1/epsilon.

    Claims: rounding-after-the-noise

    Parameters
    ----------
    k : within 1000 of 0
    values : the two parties' numbers, each within 1000 of 0, read exactly
    epsilon : from 1/20 to 20, read exactly

    Examples
    --------
    >>> rounded_sum_pmf(0, [0, 0])
    0.39594649 (±...e-...)
    """
    whole = as_integer(k, "k", minimum=-1000, maximum=1000)
    (first, second), rate = _pair(values), _rate(epsilon)
    masses, total = [], Enclosure.exactly(Fraction(0))
    reach = math.ceil(_REACH / rate)
    for i in range(round(first) - reach, round(first) + reach + 1):
        masses.append(_cell(i - first, rate))
        total += masses[-1] * _cell(whole - i - second, rate)
    beyond = 1 - Enclosure.sum(masses)  # the other party's probabilities are at most 1
    return Enclosure(total.lower, total.upper + max(Fraction(0), beyond.upper))


def rounded_sum_loss(k: int, values: Any, neighbour: Any, epsilon: Rational = 1) -> Enclosure:
    """ln(Pr[sum = k | values]/Pr[sum = k | neighbour]): what the released sum k says for the one against the other.

    If rounding after the noise were ε-DP, it would be at most ε whenever one of the two values differs by at most 1.

    Claims: rounding-after-the-noise

    Parameters
    ----------
    k : within 1000 of 0
    values, neighbour : each the two parties' numbers, within 1000 of 0, read exactly
    epsilon : from 1/20 to 20, read exactly

    Examples
    --------
    >>> rounded_sum_loss(0, ["0.42", "0.42"], ["1.42", "0.42"])
    1.1020988 (±...e-...)
    """
    one, other = (rounded_sum_pmf(k, pair, epsilon) for pair in (values, neighbour))
    if other.lower <= 0 or one.lower <= 0:
        raise ValueError(f"k must be nearer to the values: the probability of {k} is too small to be enclosed from 0")
    low, high = log_enclosure(one.lower / other.upper), log_enclosure(one.upper / other.lower)
    return Enclosure(low.lower, high.upper)


def _pair(values: Any) -> Pair:
    numbers = [as_fraction(value, "values") for value in as_list(values, "values")]
    if len(numbers) != 2 or max(map(abs, numbers)) > 1000:
        raise ValueError("values must be two numbers within 1000 of 0, one of each party")
    return numbers[0], numbers[1]


def _rate(epsilon: Rational) -> Fraction:
    rate = as_positive_fraction(epsilon, "epsilon")
    if not Fraction(1, 20) <= rate <= 20:
        raise ValueError(f"epsilon must be from 1/20 to 20, got {shown(rate)}")
    return rate


def _cell(offset: Fraction, rate: Fraction) -> Enclosure:
    """Pr[value + share is rounded to j], as a function of j − value."""
    half = Fraction(1, 2)
    return half_gamma_cdf(rate * (offset + half)) - half_gamma_cdf(rate * (offset - half))


@lru_cache(maxsize=4096)
def half_gamma_cdf(x: Fraction) -> Enclosure:
    """Pr[G − G' ≤ x] for independent gamma numbers of shape ½ and scale 1.

    >>> half_gamma_cdf(Fraction(0)), half_gamma_cdf(Fraction(1))
    (0.5, 0.89550317 (±...e-...))
    """
    if x < 0:
        return 1 - half_gamma_cdf(-x)
    if x == 0:
        return Enclosure.exactly(Fraction(1, 2))
    if x > _REACH:  # the tail decreases
        return Enclosure(half_gamma_cdf(Fraction(_REACH)).lower, Fraction(1))
    plain, weighted = _series(x)
    log = log_enclosure(x / 2, 100)
    head = Enclosure(log.lower + _EULER, log.upper + _EULER + _LAST_DIGIT)
    integral = (weighted - plain * head) / PI
    return Enclosure(
        Fraction(1, 2) + max(Fraction(0), integral.lower), min(Fraction(1), Fraction(1, 2) + integral.upper)
    )


def _series(x: Fraction) -> tuple[Enclosure, Enclosure]:
    """Σ x·(x/2)^{2n}/(n!²(2n+1)), and the same with each term times H_n + 1/(2n+1); in fixed point.

    The sums end where n² > 4·(x/2)² and the power is one unit. Each further power is less than a quarter of the one
    before, and H_n + 1/(2n+1) ≤ n + 1, so what is left is less than (n + 4) units times x.
    """
    square, one = (x / 2) ** 2, 1 << _BITS
    ends = []
    for up in (0, 1):
        divide = ceil_div if up else int.__floordiv__
        power, harmonic, plain, weighted, n = one, 0, 0, 0, 0
        while power > 1 or n * n <= 4 * square:
            plain += divide(power, 2 * n + 1)
            weighted += divide(divide(power * harmonic, one), 2 * n + 1) + divide(power, (2 * n + 1) ** 2)
            n += 1
            harmonic += divide(one, n)
            power = divide(power * square.numerator, square.denominator * n * n)
        rest = up * (n + 4)
        ends.append((Fraction(plain + rest, one) * x, Fraction(weighted + rest, one) * x))
    (plain_low, weighted_low), (plain_high, weighted_high) = ends
    return Enclosure(plain_low, plain_high).rounded(), Enclosure(weighted_low, weighted_high).rounded()
