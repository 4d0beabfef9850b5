"""Two fractions that contain a number which is none: arithmetic, e^x and ln x."""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from fdpedu.exact.reading import Rational, as_fraction, decimal_context, shown

LOG_2_ROUNDED_UP = 0.6932
"""A float above ln 2 = 0.693147…, for sizing tables and sums; it decides no outcome."""


class MayBeZero(ValueError, ZeroDivisionError):
    """A division by an enclosure that may be 0: too few digits, or a parameter too close to 0."""


@dataclass(frozen=True, order=False)
class Enclosure:
    """Two fractions with ``lower`` ≤ the truth ≤ ``upper``. ``float()`` gives the upper end, the safe one for ε.

    Examples
    --------
    >>> log_2 = log_enclosure(Fraction(2), digits=10)
    >>> log_2
    0.69314718 (±2e-10)
    >>> 0.6931471805 in log_2
    True
    """

    lower: Fraction
    upper: Fraction

    def __post_init__(self) -> None:
        if self.lower > self.upper:
            raise ValueError("an enclosure needs lower ≤ upper")

    def __contains__(self, value: Rational) -> bool:
        return self.lower <= as_fraction(value) <= self.upper

    def __add__(self, other: Enclosure | Fraction | int) -> Enclosure:
        that = _enclosed(other)
        return Enclosure(self.lower + that.lower, self.upper + that.upper)

    __radd__ = __add__

    def __neg__(self) -> Enclosure:
        return Enclosure(-self.upper, -self.lower)

    def __sub__(self, other: Enclosure | Fraction | int) -> Enclosure:
        return self + -_enclosed(other)

    def __rsub__(self, other: Fraction | int) -> Enclosure:
        return -self + other

    def __mul__(self, other: Enclosure | Fraction | int) -> Enclosure:
        that = _enclosed(other)
        products = [a * b for a in (self.lower, self.upper) for b in (that.lower, that.upper)]
        return Enclosure(min(products), max(products)).rounded()

    __rmul__ = __mul__

    def __truediv__(self, other: Enclosure | Fraction | int) -> Enclosure:
        that = _enclosed(other)
        if that.lower <= 0 <= that.upper:
            raise MayBeZero("an enclosure that may be 0 does not divide")
        return self * Enclosure(1 / that.upper, 1 / that.lower)

    def __rtruediv__(self, other: Fraction | int) -> Enclosure:
        return _enclosed(other) / self

    def rounded(self, bits: int = 256) -> Enclosure:
        """A slightly wider one whose ends have about ``bits`` significant bits, so that long sums stay fast."""
        return Enclosure(_round(self.lower, bits, math.floor), _round(self.upper, bits, math.ceil))

    def __float__(self) -> float:
        nearest = float(self.upper)
        return nearest if Fraction(nearest) >= self.upper else math.nextafter(nearest, math.inf)

    def __repr__(self) -> str:
        width = float(self.upper - self.lower)
        text = f"{float(self.upper):.8g}"
        return text if width == 0 else f"{text} (±{width:.0e})".replace("e-0", "e-")

    @classmethod
    def exactly(cls, value: Fraction) -> Enclosure:
        return cls(value, value)

    @classmethod
    def sum(cls, parts: Iterable[Enclosure]) -> Enclosure:
        return sum(parts, cls.exactly(Fraction(0)))


def _enclosed(value: Enclosure | Fraction | int) -> Enclosure:
    return value if isinstance(value, Enclosure) else Enclosure.exactly(Fraction(value))


def _round(value: Fraction, bits: int, towards: Callable[[Fraction], int]) -> Fraction:
    """The nearest fraction on that side whose denominator is a power of 2, with about ``bits`` significant bits."""
    if value.denominator.bit_length() <= bits:
        return value
    shift = bits - value.numerator.bit_length() + value.denominator.bit_length()
    scale = Fraction(2) ** shift
    return towards(value * scale) / scale


def _decimals(value: Fraction, digits: int) -> tuple[Decimal, Decimal]:
    numerator, denominator = Decimal(value.numerator), Decimal(value.denominator)
    down, up = (decimal_context(digits, mode) for mode in (decimal.ROUND_FLOOR, decimal.ROUND_CEILING))
    return down.divide(numerator, denominator), up.divide(numerator, denominator)


_SMALLEST = Fraction(-20_000)  # e^x below this would be a fraction of more than 8,000 digits: it is enclosed from 0


def exp_enclosure(x: Fraction, digits: int = 40) -> Enclosure:
    """e^x to about ``digits`` significant digits, as two fractions that contain it (from 0 where x < −20,000).

    ``decimal`` rounds e^x correctly to the nearest, so one step outwards on either side is an enclosure.

    Examples
    --------
    >>> 0.36787944117144233 in exp_enclosure(Fraction(-1), digits=15)
    True
    """
    if x == 0:
        return Enclosure.exactly(Fraction(1))
    if x < _SMALLEST:
        return Enclosure(Fraction(0), exp_enclosure(_SMALLEST, digits).upper)
    if x > -5 * _SMALLEST:
        raise ValueError(f"e^x is not computed for x = {shown(x)}, more than {-5 * _SMALLEST}")
    down, up = _decimals(x, digits + 20)
    nearest = decimal_context(digits, decimal.ROUND_HALF_EVEN)
    low, high = nearest.next_minus(nearest.exp(down)), nearest.next_plus(nearest.exp(up))
    return Enclosure(max(Fraction(low), Fraction(0)), Fraction(high))


def log_enclosure(x: Fraction, digits: int = 40) -> Enclosure:
    """ln x for x > 0, as two fractions that contain it."""
    if x <= 0:
        raise ValueError(f"the logarithm needs a number greater than 0, got {shown(x)}")
    if x == 1:
        return Enclosure.exactly(Fraction(0))
    if abs(x - 1) < Fraction(1, 10**digits):
        return Enclosure(1 - 1 / x, x - 1)  # as good as so many digits, and no underflow
    down, up = _decimals(x, digits + 20)
    nearest = decimal_context(digits, decimal.ROUND_HALF_EVEN)
    return Enclosure(Fraction(nearest.next_minus(nearest.ln(down))), Fraction(nearest.next_plus(nearest.ln(up))))
