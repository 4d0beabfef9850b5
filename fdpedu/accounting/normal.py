"""The tail of the normal law, enclosed, in integers; and the exact δ of one normal number.

For z ≥ 0 the series Φ(z) − ½ = φ(z)·(z + z³/3 + z⁵/(3·5) + …) has positive terms. They are summed until their ratio,
z²/(2n+1), is below ½; what is left is then at most the last term, and everything is rounded outwards. Far out, Mills'
ratio (1 − Φ(z))/φ(z) = 1/(z + 1/(z + 2/(z + …))) lies between each two successive truncations.
"""

from __future__ import annotations

import math
from fractions import Fraction

from fdpedu.exact import Enclosure, ceil_div, ceil_shift, exp_enclosure

_BITS = 176
_ONE = 1 << _BITS
_PI = 314159265358979323846264338327950288419716939937510582097494459230781640628620899862803  # ·10⁻⁸⁶, rounded down
_ROOTS = math.isqrt(2 * _PI * 10**86), math.isqrt(2 * (_PI + 1) * 10**86) + 1  # √(2π)·10⁸⁶
_FAR = Fraction(1, 4)


def normal_tail(z: Fraction) -> Enclosure:
    """Pr[Z > z] for a standard normal Z, with an absolute error below 10⁻³⁵.

    >>> normal_tail(Fraction(0)), normal_tail(Fraction(-2))
    (0.5, 0.97724987 (±...e-...))
    """
    if z < 0:
        other = normal_tail(-z)
        return Enclosure(1 - other.upper, 1 - other.lower)
    if z == 0:
        return Enclosure.exactly(Fraction(1, 2))
    if z > 20:
        return Enclosure(Fraction(0), Fraction(1, 10**80))
    low, high = _series(z)
    density = _density(z)
    inner_low, inner_high = density.lower * Fraction(low, _ONE), density.upper * Fraction(high, _ONE)
    return Enclosure(max(Fraction(0), Fraction(1, 2) - inner_high), max(Fraction(0), Fraction(1, 2) - inner_low))


def _series(z: Fraction) -> tuple[int, int]:
    """z + z³/3 + z⁵/(3·5) + …, in units of 2⁻¹⁷⁶."""
    scaled = z * _ONE
    term_low, term_high = math.floor(scaled), math.ceil(scaled)
    square = scaled * z
    square_low, square_high = math.floor(square), math.ceil(square)
    low = high = 0
    odd = 1
    while term_high > 1 << 24 or 2 * square_high > odd * _ONE:
        low, high, odd = low + term_low, high + term_high, odd + 2
        term_low = (term_low * square_low >> _BITS) // odd
        term_high = ceil_div(ceil_shift(term_high * square_high, _BITS), odd)
    return low, high + 2 * term_high


def mills_ratio(z: Fraction) -> Enclosure:
    """(1 − Φ(z))/φ(z) for z ≥ 1/4, with about twenty digits.

    >>> mills_ratio(Fraction(1))
    0.65567954 (±...e-...)
    """
    levels = 2 * (20 + math.ceil(150 / (z * z)))
    even, odd = (_truncated(z, levels + more) for more in (0, 1))
    return Enclosure(Fraction(_ONE, odd[1]), Fraction(_ONE, even[0]))


def _truncated(z: Fraction, levels: int) -> tuple[int, int]:
    """z + 1/(z + 2/(z + … /z)) with so many levels, in units of 2⁻¹⁷⁶."""
    least, most = math.floor(z * _ONE), math.ceil(z * _ONE)
    low, high = least, most
    for k in range(levels, 0, -1):
        low, high = least + k * _ONE * _ONE // high, most + ceil_div(k * _ONE * _ONE, low)
    return low, high


def gaussian_delta(epsilon: Fraction, rho: Fraction) -> Enclosure:
    """The δ of one number from N(0, 2ρ) or from N(2ρ, 2ρ) at ε ≥ 0, enclosed; the same in both directions.

    Claims: thm-gaussian-root

    >>> gaussian_delta(Fraction(1), Fraction(1, 2))
    0.12693674 (±...e-...)
    """
    unit = 10**60 * rho.denominator
    root = math.isqrt(2 * rho.numerator * rho.denominator * 10**120)
    falls = []
    for mu in (Fraction(root, unit), Fraction(root + 1, unit)):
        falls.append(_fall(epsilon / mu - mu / 2, epsilon / mu + mu / 2))  # it grows with μ
    return Enclosure(max(Fraction(0), falls[0].lower), min(Fraction(1), falls[1].upper))


def _fall(a: Fraction, b: Fraction) -> Enclosure:
    """Pr[Z > a] − φ(a)/φ(b)·Pr[Z > b], for a < b and b > 0: the first term is φ(a)·M(a) where a is far out."""
    density, ratio = _density(a), _ratio(b)
    if a < _FAR:
        tail = normal_tail(a)
        return Enclosure(tail.lower - density.upper * ratio.upper, tail.upper - density.lower * ratio.lower)
    first = mills_ratio(a)
    least, most = max(Fraction(0), first.lower - ratio.upper), first.upper - ratio.lower
    return Enclosure(density.lower * least, density.upper * most)


def _ratio(z: Fraction) -> Enclosure:
    """Mills' ratio of z > 0: by its fraction, or near to 0 as the quotient that it is."""
    if z >= _FAR:
        return mills_ratio(z)
    tail, density = normal_tail(z), _density(z)
    return Enclosure(tail.lower / density.upper, tail.upper / density.lower)


def _density(z: Fraction) -> Enclosure:
    """φ(z), to 50 digits."""
    density = exp_enclosure(-z * z / 2, 50)
    return Enclosure(density.lower * 10**86 / _ROOTS[1], density.upper * 10**86 / _ROOTS[0])
