"""Numbers that are what they say: exact fractions, and enclosures of what no fraction can be.

Budgets, probabilities and sensitivities are :class:`fractions.Fraction`. But e^{−ε} is irrational for every
rational ε ≠ 0, so a statement about it is an *enclosure*: two fractions that contain the truth, as close
together as one asks. No float decides anything here.

Not guaranteed: running time. Arithmetic on large fractions takes a time that depends on their values.
"""

from __future__ import annotations

import decimal
import math
import numbers
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

Exact = int | float | str | Fraction | Decimal
_FARTHEST = 10_000  # the exponent of a number that is written with one: 1e999999999 would fill the memory


def as_fraction(value: Any, name: str = "value") -> Fraction:
    """Read a number exactly; a float is read as the decimal that it prints as.

    Parameters
    ----------
    value : int, Fraction, Decimal, float, or str such as ``"0.1"`` or ``"1/3"``
    name : the parameter's name, for the error message

    Raises
    ------
    ValueError
        If it is not a finite number (a bool is not a number).

    Examples
    --------
    >>> as_fraction(0.1) == Fraction(1, 10), as_fraction("1/3") * 3
    (True, Fraction(1, 1))
    """
    try:
        if isinstance(value, bool):
            raise ValueError
        if isinstance(value, numbers.Rational):
            return Fraction(int(value.numerator), int(value.denominator))
        if isinstance(value, numbers.Real) and not isinstance(value, Fraction):
            return Fraction(repr(float(value)))  # 0.1 means 1/10, not 3602879701896397/2**55
        if isinstance(value, str) and len(value) > 400:
            raise ValueError
        if isinstance(value, str) and "e" in value.lower():
            value = Decimal(value)
        if isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) > _FARTHEST:
            raise ValueError
        if isinstance(value, (str, Decimal)):
            return Fraction(value)
    except (ArithmeticError, ValueError):
        pass
    raise ValueError(f"{name} must be a finite number (an int, a Fraction, a decimal, or text like '1/3')")


def shown(number: Fraction) -> str:
    """A fraction for a message: exact when short, else about six digits; never too long, whatever its size.

    >>> shown(Fraction(1, 3)), shown(Fraction(10**40, 3))
    ('1/3', 'about 3.33333E+39')
    """
    if number.numerator.bit_length() + number.denominator.bit_length() < 80:
        return str(number)
    return (
        f"about {_context(6, decimal.ROUND_HALF_EVEN).divide(Decimal(number.numerator), Decimal(number.denominator))}"
    )


def as_positive_fraction(value: Any, name: str) -> Fraction:
    """:func:`as_fraction`, greater than zero."""
    number = as_fraction(value, name)
    if number <= 0:
        raise ValueError(f"{name} must be greater than 0, got {shown(number)}")
    return number


def as_float(value: Any, name: str) -> float:
    """:func:`as_fraction`, as the nearest float; refuses what is too large for one."""
    try:
        return float(as_fraction(value, name))
    except OverflowError:
        raise ValueError(f"{name} is too large for a float") from None


def as_integer(value: Any, name: str, *, at_least: int) -> int:
    """An int (NumPy's included, bools not) that is at least ``at_least``."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < at_least:
        try:
            got = shown(as_fraction(value))
        except ValueError:
            got = type(value).__name__
        raise ValueError(f"{name} must be an integer ≥ {at_least}, got {got}")
    return int(value)


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

    def __contains__(self, value: Any) -> bool:
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
            raise ZeroDivisionError("an enclosure that may be 0 does not divide")
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
        shown = f"{float(self.upper):.8g}"
        return shown if width == 0 else f"{shown} (±{width:.0e})".replace("e-0", "e-")

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
    if value == 0 or value.denominator.bit_length() <= bits:
        return value
    shift = bits - value.numerator.bit_length() + value.denominator.bit_length()
    scaled = value * 2**shift if shift >= 0 else value / 2**-shift
    return Fraction(towards(scaled)) / 2**shift if shift >= 0 else Fraction(towards(scaled)) * 2**-shift


def _context(digits: int, rounding: str) -> decimal.Context:
    return decimal.Context(prec=digits, rounding=rounding, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX, traps=[])


def _decimals(value: Fraction, digits: int) -> tuple[Decimal, Decimal]:
    numerator, denominator = Decimal(value.numerator), Decimal(value.denominator)
    down, up = (_context(digits, mode) for mode in (decimal.ROUND_FLOOR, decimal.ROUND_CEILING))
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
    nearest = _context(digits, decimal.ROUND_HALF_EVEN)
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
    nearest = _context(digits, decimal.ROUND_HALF_EVEN)
    return Enclosure(Fraction(nearest.next_minus(nearest.ln(down))), Fraction(nearest.next_plus(nearest.ln(up))))


@dataclass(frozen=True)
class Rate:
    """The decay of a geometric law, written as α = e^{−rate}: exactly one of a rational rate and a rational α.

    ``Rate.of(epsilon=1, sensitivity=2)`` is α = e^{−1/2}; ``Rate.of(alpha="1/3")`` is α = 1/3 itself.
    """

    rate: Fraction | None = None
    alpha: Fraction | None = None

    @classmethod
    def of(cls, epsilon: Any = None, alpha: Any = None, sensitivity: int = 1) -> Rate:
        """Read the parameters of a law, which takes exactly one of ``epsilon`` and ``alpha``.

        >>> Rate.of(epsilon="1/2", sensitivity=2)
        Rate(rate=Fraction(1, 4), alpha=None)
        """
        if (epsilon is None) == (alpha is None):
            raise ValueError("give exactly one of epsilon and alpha (alpha = e^(−epsilon/sensitivity))")
        if alpha is None:
            steps = as_integer(sensitivity, "sensitivity", at_least=1)
            return cls(rate=as_positive_fraction(epsilon, "epsilon") / steps)
        if as_integer(sensitivity, "sensitivity", at_least=1) != 1:
            raise ValueError("alpha is e^(−epsilon/sensitivity) itself: give it alone, or epsilon and sensitivity")
        ratio = as_fraction(alpha, "alpha")
        if not 0 < ratio < 1:
            raise ValueError(f"alpha must lie strictly between 0 and 1, got {shown(ratio)}")
        return cls(alpha=ratio)

    def power(self, exponent: int, digits: int = 40) -> Enclosure:
        """α^exponent, enclosed (exact when α is rational and the exponent small)."""
        if self.rate is not None:
            return exp_enclosure(-self.rate * exponent, digits)
        assert self.alpha is not None
        if exponent <= 64:
            return Enclosure.exactly(self.alpha**exponent)
        log = log_enclosure(self.alpha, digits + len(str(exponent)))
        low, high = (exp_enclosure(end * exponent, digits) for end in (log.lower, log.upper))
        return Enclosure(low.lower, high.upper)

    def weight(self, exponent: int) -> Fraction | Enclosure:
        """α^exponent: a fraction when α is rational, an enclosure when the rate is.

        >>> Rate.of(alpha="2/3").weight(2), Rate.of(epsilon=1).weight(2)
        (Fraction(4, 9), 0.13533528 (±2e-40))
        """
        if self.alpha is None:
            return self.power(exponent)
        if exponent * self.alpha.denominator.bit_length() > 10**6:
            raise ValueError(f"alpha**{exponent} would be a fraction of a million digits; give epsilon instead")
        return self.alpha**exponent

    def __float__(self) -> float:
        """The rate as a float, for sizing tables only."""
        if self.rate is not None:
            return float(min(self.rate, Fraction(10**9)))
        assert self.alpha is not None
        log = log_enclosure(self.alpha, 20)
        return float(-log.upper)
