"""Reading what an answer gave: plain numbers, pairs and lists out of anything, compared and shown with care.

Whole numbers and fractions are compared exactly. A float is compared within rounding, a relative 10⁻⁹, because most
readers compute with floats and should.
"""

from __future__ import annotations

import math
import numbers
import re
import reprlib
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

ROUNDING = 1e-9  # relative
_BY_HAND = 5e-3
_MAX_SHOWN = 300
_BRIEFLY = reprlib.Repr()
_BRIEFLY.maxstring = _BRIEFLY.maxother = _BRIEFLY.maxlong = 80


class Unreadable(Exception):
    """The answer is not of the kind that was asked for; the message says why, to the reader."""


def number(raw: Any) -> int | float | Fraction:
    """A finite number out of Python's or NumPy's.

    >>> number(2.5), number(Fraction(1, 2))
    (2.5, Fraction(1, 2))
    """
    if getattr(raw, "shape", None) == () and hasattr(raw, "item"):
        raw = raw.item()
    if isinstance(raw, Decimal) and raw.is_finite() and abs(raw.adjusted()) < 400:
        raw = Fraction(raw)
    elif isinstance(raw, Decimal):
        raw = math.nan if raw.is_nan() else float(raw)  # float() raises for one of the two kinds of NaN
    if isinstance(raw, bool) or not isinstance(raw, numbers.Real):
        in_quotes = isinstance(raw, str) and re.fullmatch(r"-?\d{1,20}([./]\d{1,20})?", raw)
        raise Unreadable(
            f"a number was expected, not {kind(raw)}{f': write {raw} without quotes' if in_quotes else ''}"
        )
    if isinstance(raw, numbers.Integral):
        return int(raw)
    if isinstance(raw, numbers.Rational):
        return Fraction(int(raw.numerator), int(raw.denominator))
    value = float(raw)
    if math.isnan(value):
        raise Unreadable("NaN is not a number: it comes from 0/0 or ∞ − ∞, so look at what was divided")
    if math.isinf(value):
        raise Unreadable("the answer is infinite: look at what was divided by 0")
    return value


def integer(raw: Any) -> int:
    """A whole number; a float such as 2.0 is none."""
    value = number(raw)
    if not isinstance(value, int):
        raise Unreadable(f"a whole number was expected, not {show(value)}")
    return value


def sequence(item: Callable[[Any], Any], length: int | None = None) -> Callable[[Any], list[Any]]:
    """A reader of lists, tuples and one-dimensional arrays, with ``length`` items if it is given."""

    def read(raw: Any) -> list[Any]:
        if hasattr(raw, "tolist") and getattr(raw, "ndim", 0) == 1:
            raw = raw.tolist()
        many = "a list" if length is None else f"{length} values in a tuple or list"
        if not isinstance(raw, (list, tuple, range)):
            raise Unreadable(f"{many} {'was' if length is None else 'were'} expected, not {kind(raw)}")
        if length is not None and len(raw) != length:
            raise Unreadable(f"{many} were expected, not {len(raw)}")
        return [item(value) for value in raw]

    return read


def optional(reader: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A reader that lets None through."""
    return lambda raw: None if raw is None else reader(raw)


def kind(raw: Any) -> str:
    """What something is, in words for a beginner.

    >>> kind(x for x in [1]), kind("a")
    ('a generator (wrap it in list())', 'text')
    """
    shape = f" of shape {raw.shape}" if isinstance(getattr(raw, "shape", None), tuple) else ""
    words = {
        "str": "text",
        "ndarray": f"an array{shape}",
        "generator": "a generator (wrap it in list())",
        "NoneType": "None",
        "bool": "a bool",
    }
    name = type(raw).__name__
    named = f"{'an' if name[:1] in 'aeiou' else 'a'} {name}{shape}"
    return "a function" if callable(raw) and not isinstance(raw, type) else words.get(name, named)


def close(given: Any, expected: Any) -> bool:
    """Equal, where a float on either side may differ by rounding; lists and tuples item by item.

    >>> close(0.1 + 0.2, Fraction(3, 10)), close(Fraction(1, 3), Fraction(1, 2)), close(None, 0)
    (True, False, False)
    """
    if isinstance(given, (list, tuple)) and isinstance(expected, (list, tuple)):
        return len(given) == len(expected) and all(map(close, given, expected))
    if isinstance(given, float) or isinstance(expected, float):
        return _apart(given, expected) <= ROUNDING
    return bool(given == expected)


def rounded(given: Any, expected: Any) -> bool:
    """Is there a float in it that agrees within rounding, and not exactly?"""
    if isinstance(given, (list, tuple)) and isinstance(expected, (list, tuple)):
        return any(map(rounded, given, expected))
    return isinstance(given, float) and given != expected and close(given, expected)


def nearly(given: Any, expected: Any) -> bool:
    """Is it right but for numbers rounded by hand?"""
    if isinstance(given, (list, tuple)) and isinstance(expected, (list, tuple)) and len(given) == len(expected):
        pairs = list(zip(given, expected, strict=True))
        return any(nearly(*pair) for pair in pairs) and all(nearly(*pair) or close(*pair) for pair in pairs)
    return not close(given, expected) and _apart(given, expected) < _BY_HAND


def _apart(one: Any, other: Any) -> float:
    """The relative difference of two numbers; infinite for what is no number."""
    if not isinstance(one, (int, float, Fraction)) or not isinstance(other, (int, float, Fraction)):
        return math.inf
    try:
        return float(abs(Fraction(one) - Fraction(other)) / max(Fraction(1), abs(Fraction(other))))
    except OverflowError:
        return math.inf


def show(value: Any) -> str:
    """Any value in a few words, whatever it is: fractions as 1/2, long things shortened, failing ones named.

    >>> show((Fraction(1, 2), [1, 2.5], None))
    '(1/2, [1, 2.5], None)'
    """
    try:
        text = re.sub(r" at 0x[0-9a-f]+", "", _show(value))  # an address differs from run to run
    except Exception:
        text = f"<{type(value).__name__} that cannot be shown>"
    return text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + " …"


def _show(value: Any, depth: int = 3) -> str:
    if type(value) in (list, tuple) and depth:
        items = [_show(item, depth - 1) for item in value[:20]] + ["…"] * (len(value) > 20)
        if type(value) is list:
            return f"[{', '.join(items)}]"
        return f"({', '.join(items)}{',' * (len(items) == 1)})"
    if type(value) is Fraction:
        return str(value)
    if isinstance(value, numbers.Real) and hasattr(value, "item"):
        value = value.item()  # NumPy's, whose repr names its type
    return _BRIEFLY.repr(value)
