"""Numbers as people write them, read as fractions; and fractions as a message shows them."""

from __future__ import annotations

import decimal
import numbers
import re
from collections.abc import Collection, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from fdpedu.exact.foreign import held

Rational = int | float | str | Fraction | Decimal  # what :func:`as_fraction` reads
_WRITTEN = (bool, complex, float, str, Decimal, type(None))  # types whose values a message repeats
_POWER = re.compile("10(?:(?:\\^|\\*\\*)(-?[0-9]{1,5})|(⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,5}))")
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_FARTHEST = 10_000  # the exponent of a number that is written with one: 1e999999999 would fill the memory


def as_fraction(value: object, name: str = "value") -> Fraction:
    """Read a number exactly; a float is read as the decimal that it prints as.

    Parameters
    ----------
    value : int, Fraction, Decimal, float, or str such as ``"0.1"``, ``"1/3"``, ``"1e-6"`` or ``"10^-6"``
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
        if isinstance(value, (bool, np.timedelta64)):  # for NumPy a time is an integer
            raise ValueError
        if isinstance(value, numbers.Rational):
            return Fraction(int(value.numerator), int(value.denominator))
        if isinstance(value, float):
            return Fraction(repr(float(value)))  # 0.1 means 1/10, not 3602879701896397/2**55
        if isinstance(value, numbers.Real):
            return Fraction(str(value))  # np.float32(0.1) too, which as a longer float is 0.10000000149011612
        if isinstance(value, str) and len(value) > 400:
            raise ValueError
        if isinstance(value, str):
            value = _in_digits(value)
        if isinstance(value, str) and "e" in value.lower():
            value = Decimal(value)
        if isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) > _FARTHEST:
            raise ValueError
        if isinstance(value, (str, Decimal)):
            return Fraction(value)
    except (ArithmeticError, ValueError):
        pass
    raise ValueError(
        f"{name} must be a finite number (an int, a Fraction, a decimal, or text like '1/3'), got {quoted(value)}"
    )


def _in_digits(text: str) -> str:
    """The text with the signs of a keyboard: a power of ten as messages print it, 10⁻⁶ or 10^-6, and − for minus."""
    plain = text.strip().replace("−", "-")
    power = _POWER.fullmatch(plain)
    return f"1e{(power[1] or power[2]).translate(_RAISED)}" if power else plain


def quoted(value: object) -> str:
    """A parameter for a message: a number or a short text as it is written, anything else by its type.

    >>> quoted(3.0), quoted("one"), quoted([3])
    ('3.0', "'one'", 'list')
    """
    if isinstance(value, (int, Fraction)) and type(value) in (int, Fraction):
        return shown(Fraction(value))
    if type(value) in _WRITTEN or (type(value).__module__ == "numpy" and not hasattr(value, "__len__")):
        written = repr(value)
        return written if len(written) <= 60 else f"{written[:40]}…"
    return type(value).__name__


def shown(number: Fraction) -> str:
    """A fraction for a message: exact when short, else about six digits; never too long, whatever its size.

    >>> shown(Fraction(1, 3)), shown(Fraction(10**40, 3))
    ('1/3', 'about 3.33333E+39')
    """
    if number.numerator.bit_length() + number.denominator.bit_length() < 80:
        return str(number)
    rounded = decimal_context(6, decimal.ROUND_HALF_EVEN).divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"about {rounded}"


def require_writable(text: object, name: str) -> None:
    """Refuse a text with a lone surrogate, which no file can hold; anything else is let through."""
    if isinstance(text, str) and any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError(f"{name} must be text that can be written, got a lone surrogate")


def as_positive_fraction(value: object, name: str) -> Fraction:
    """:func:`as_fraction`, greater than zero."""
    number = as_fraction(value, name)
    if number <= 0:
        raise ValueError(f"{name} must be greater than 0, got {shown(number)}")
    return number


def as_float(value: object, name: str) -> float:
    """:func:`as_fraction`, as the nearest float; refuses what is too large for one."""
    try:
        return float(as_fraction(value, name))
    except OverflowError:
        raise ValueError(f"{name} is too large for a float") from None


def as_integer(value: object, name: str, *, minimum: int, maximum: int | None = None) -> int:
    """An int that is at least ``minimum`` and, where it is given, at most ``maximum``.

    NumPy's integers are integers too, and bools are not. What comes back is Python's: NumPy's have an end, so whoever
    goes on with what was given, and not with what came back, may find 100 + 100 to be −56.
    """
    if isinstance(value, (bool, np.timedelta64)) or not isinstance(value, numbers.Integral) or value < minimum:
        raise ValueError(f"{name} must be an integer ≥ {minimum}, got {quoted(value)}")
    if maximum is not None and int(value) > maximum:
        raise ValueError(f"{name} must be at most {maximum}, got {quoted(int(value))}")
    return int(value)


def one_of(names: Collection[str], name: Any, parameter: str) -> str:
    """An option that is one of a few names; any other is refused, and the message has them all.

    >>> one_of(("labels", "counts"), "labels", "leaves")
    'labels'
    """
    if not isinstance(name, str) or name not in names:
        raise ValueError(f"{parameter} must be one of {', '.join(names)}; got {quoted(name)}")
    return name


def require_type(value: object, kind: type, name: str) -> None:
    """Refuse what is not of the type that a parameter has; the message names the type that it has instead."""
    if not isinstance(value, kind):
        raise ValueError(f"{name} must be a {kind.__name__}, got {type(value).__name__}")


def as_list(value: object, name: str) -> list[Any]:
    """The members of a list, or of whatever else has members one after the other; text is one thing and no list.

    >>> as_list(range(3), "codes")
    [0, 1, 2]
    """
    if isinstance(value, (str, bytes, bytearray)) or not isinstance(value, Iterable):
        raise ValueError(f"{name} must be a list, got {quoted(value)}")
    found = held(value, name) if hasattr(value, "__array__") else value
    if np.ma.is_masked(found):
        raise ValueError(f"{name} has masked entries; fill them in, or leave their rows out, beforehand")
    return list(found)


def require_callable(value: object, name: str) -> None:
    """Refuse what cannot be called."""
    if not callable(value):
        raise ValueError(f"{name} must be a function, got {quoted(value)}")


def decimal_context(digits: int, rounding: str) -> decimal.Context:
    """Decimal arithmetic of that many digits which signals nothing: a result out of range is an infinity or a 0."""
    return decimal.Context(prec=digits, rounding=rounding, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX, traps=[])
