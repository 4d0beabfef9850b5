"""Hypergeometric series and the gamma function, enclosed: sums of positive terms, each rounded outwards.

Guarantee: the ends contain the truth; they agree to about 70 digits where nothing cancels. Arithmetic: integers.
Not guaranteed: running time. A series of argument z takes about 180/ln(1/z) terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import zip_longest
from math import lcm

from fdpedu.exact import Enclosure, ceil_div, exp_enclosure, log_enclosure
from fdpedu.sampling.polya_weights import stirling

BITS = 300
DIGITS = 78  # about as many as the 256 bits of an enclosure
_ENOUGH = 1 << 44  # of 2^300: a term that is smaller, and all after it, are bounded together
_MULTIPLIED_OUT = 500  # up to so many factors
_CUT = 192  # where the integral for Γ is cut off: e^(−192) < 10^(−83)


def hypergeometric(above: Sequence[Fraction], below: Sequence[Fraction], z: Enclosure) -> Enclosure:
    """Σ_k (a₁)_k(a₂)_k…/((c₁)_k… k!)·z^k for positive a, c and z; of the c there is at most one less than of the a.

    Every term is positive and increases with z: from the lower end of z, rounded down, comes the lower end.

    Examples
    --------
    >>> hypergeometric([], [], Enclosure.exactly(Fraction(1)))  # e
    2.7182818 (±...e-...)
    """
    return Enclosure(_summed(above, below, z.lower, False), _summed(above, below, z.upper, True))


def _summed(above: Sequence[Fraction], below: Sequence[Fraction], z: Fraction, up: bool) -> Fraction:
    """The series rounded down, or up with a geometric series for what is cut off."""
    unit = lcm(*(number.denominator for number in (*above, *below)))
    tops, bottoms = [int(a * unit) for a in above], [int(c * unit) for c in (*below, Fraction(1))]
    step = ceil_div(z.numerator << BITS, z.denominator) if up else (z.numerator << BITS) // z.denominator
    step *= unit ** (len(bottoms) - len(tops))
    term = total = 1 << BITS
    k = 0
    while True:
        top, bottom = step, 1
        for a in tops:
            top *= a + k * unit
        for c in bottoms:
            bottom *= c + k * unit
        product, bottom = term * top, bottom << BITS
        term = ceil_div(product, bottom) if up else product // bottom
        total, k = total + term, k + 1
        if term < _ENOUGH and (ratio := _largest_ratio(above, (*below, Fraction(1)), k, z)) < 1:
            rest = term * ratio / (1 - ratio) if up else 0
            return (total + rest) / Fraction(1 << BITS)


def _largest_ratio(above: Sequence[Fraction], below: Sequence[Fraction], k: int, z: Fraction) -> Fraction:
    """At least the ratio of any two successive terms from the k-th on: each factor moves towards 1, or towards 0."""
    ratio = z
    for a, c in zip_longest(sorted(above), sorted(below)):
        ratio *= 1 / (c + k) if a is None else max(Fraction(1), (a + k) / (c + k))
    return ratio


@cache
def gamma_function(x: Fraction) -> Enclosure:
    """Γ(x), 0 < x ≤ 2: ∫ t^{x−1}e^{−t} to N is N^x·e^{−N}·Σ_k N^k/(x)_{k+1}, and the rest is below 2N^{x−1}e^{−N}.

    Examples
    --------
    >>> gamma_function(Fraction(1, 2))  # √π
    1.7724539 (±...e-...)
    """
    cut = Fraction(_CUT)
    power = power_enclosure(Enclosure.exactly(cut), x) * exp_enclosure(-cut, DIGITS)
    found = power * hypergeometric([Fraction(1)], [x + 1], Enclosure.exactly(cut)) / x
    return found + Enclosure(Fraction(0), (power * Fraction(2, _CUT)).upper)


def power_enclosure(base: Enclosure, exponent: Fraction) -> Enclosure:
    """base^exponent for a base greater than 0."""
    logs = [log_enclosure(end, DIGITS) for end in (base.lower, base.upper)]
    log = Enclosure(logs[0].lower, logs[1].upper) * exponent
    return Enclosure(exp_enclosure(log.lower, DIGITS).lower, exp_enclosure(log.upper, DIGITS).upper)


def log_of(value: Enclosure, digits: int = DIGITS) -> Enclosure:
    """ln of an enclosed number greater than 0."""
    return Enclosure(log_enclosure(value.lower, digits).lower, log_enclosure(value.upper, digits).upper)


def rising_ratio(a: Fraction, c: Fraction, k: int) -> Enclosure:
    """(a)_k/(c)_k = Π_{i<k} (a+i)/(c+i) for 0 < a, c ≤ 2; for a large k it is Γ(a+k)·Γ(c)/(Γ(c+k)·Γ(a)), by Stirling.

    Examples
    --------
    >>> rising_ratio(Fraction(1, 2), Fraction(1), 2)
    0.375
    """
    if k > _MULTIPLIED_OUT:
        logs = _log_gamma(a + k) - _log_gamma(c + k)
        power = Enclosure(exp_enclosure(logs.lower, DIGITS).lower, exp_enclosure(logs.upper, DIGITS).upper)
        return power * (gamma_function(c) / gamma_function(a))
    unit = lcm(a.denominator, c.denominator)
    top, bottom = int(a * unit), int(c * unit)
    low = high = 1 << BITS
    for _ in range(k):
        low, high = low * top // bottom, ceil_div(high * top, bottom)
        top, bottom = top + unit, bottom + unit
    return Enclosure(Fraction(low, 1 << BITS), Fraction(high, 1 << BITS))


def _log_gamma(x: Fraction) -> Enclosure:
    """ln Γ(x) − ½·ln 2π for a large x: Stirling's formula with its rest."""
    return log_enclosure(x, DIGITS) * (x - Fraction(1, 2)) - x + stirling(x, DIGITS)
