"""The tail of the normal law, enclosed, in integers.

For z ≥ 0 the series Φ(z) − ½ = φ(z)·(z + z³/3 + z⁵/(3·5) + …) has positive terms. They are summed until their ratio,
z²/(2n+1), is below ½; what is left is then at most the last term, and everything is rounded outwards.
"""

from __future__ import annotations

import math
from fractions import Fraction

from fdpedu.exact import Enclosure, ceil_div, ceil_shift, exp_enclosure

_BITS = 176
_ONE = 1 << _BITS
_PI = 314159265358979323846264338327950288419716939937510582097494459230781640628620899862803  # ·10⁻⁸⁶, rounded down


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
    density = exp_enclosure(-z * z / 2, 50)
    root_low, root_high = math.isqrt(2 * _PI * 10**86), math.isqrt(2 * (_PI + 1) * 10**86) + 1  # √(2π)·10⁸⁶
    inner_low = density.lower * Fraction(low * 10**86, _ONE * root_high)
    inner_high = density.upper * Fraction(high * 10**86, _ONE * root_low)
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
