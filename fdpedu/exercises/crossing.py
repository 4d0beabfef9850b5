"""Values that come from a process that nobody trusts: plain data, and of anything else the name of its type.

What is read is checked, and never run: no pickle. A number, a text, a list, a dictionary, a set, an array is the same
on both sides; an iterator is one again; anything else becomes a stranger that has nothing but its type's name. So does
what is plain and too large: a fraction of a million digits, or a set of a million numbers that are hashed to one, would
keep whoever reads it busy for minutes, in a single step that nobody can stop.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

MOST_DEPTH, MOST_ITEMS, MOST_HASHED, MOST_DIGITS = 20, 100_000, 10_000, 20_000
_SINGLE = {"None": None, "True": True, "False": False, "Ellipsis": ..., "NotImplemented": NotImplemented}
_KINDS: dict[str, type] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
_HASHED = (set, frozenset, dict)
_DTYPE = re.compile(r"[<>=|]?[biuf](1|2|4|8)|[<>=]?f16")


class Garbled(Exception):
    """What came is not a value in this form."""


def encode(value: Any, shown: str = "", depth: int = MOST_DEPTH) -> list[Any]:
    """A value as JSON can have it; a value of another kind as a stranger.

    >>> encode((Fraction(1, 2), None))
    ['tuple', [['fraction', '0x1', '0x2'], ['single', 'None']]]
    """
    for name, single in _SINGLE.items():
        if value is single:
            return ["single", name]
    if isinstance(value, np.generic) and _DTYPE.fullmatch(value.dtype.str):
        return ["scalar", value.dtype.str, encode(value.item(), "", depth - 1)]
    if isinstance(value, int) and _is_short(value):
        return ["int", hex(value)]
    if isinstance(value, float):
        return ["float", float(value).hex()]
    if isinstance(value, str):
        return ["str", str(value)]
    if isinstance(value, Fraction) and _is_short(value.numerator) and _is_short(value.denominator):
        return ["fraction", hex(value.numerator), hex(value.denominator)]
    if isinstance(value, Decimal) and len(str(value)) <= MOST_DIGITS:
        return ["decimal", str(value)]
    if isinstance(value, range) and not value[MOST_ITEMS:]:  # `len` of a longer one may raise
        return ["range", *map(hex, (value.start, value.stop, value.step))]
    return _of_many(value, shown, depth)


def _is_short(number: int) -> bool:
    return number.bit_length() <= 4 * MOST_DIGITS


def _fits(shape: Sequence[int]) -> bool:
    """Are there few lists, too, in an array as lists? One of shape (10**9, 0) has no item, and many of them."""
    return math.prod(max(length, 1) for length in shape) <= MOST_ITEMS


def _of_many(value: Any, shown: str, depth: int) -> list[Any]:
    kind, inner = type(value), depth - 1
    if kind in _HASHED and len(value) > MOST_HASHED:
        return ["stranger", kind.__name__, False, shown]
    if depth and kind in _KINDS.values():
        items = [encode(item, "", inner) for item in value]
        return [kind.__name__, sorted(items, key=str) if kind in _HASHED else items]
    if depth and kind is dict:
        return ["dict", [[encode(key, "", inner), encode(item, "", inner)] for key, item in value.items()]]
    if kind is np.ndarray and _DTYPE.fullmatch(value.dtype.str) and _fits(value.shape):
        return ["array", value.dtype.str, list(value.shape), [encode(item, "", 1) for item in value.ravel().tolist()]]
    if depth and isinstance(value, tuple):  # one with names
        return ["tuple", [encode(item, "", inner) for item in value]]
    if depth and isinstance(value, Iterator):
        first = list(islice(value, MOST_ITEMS + 1))
        if len(first) <= MOST_ITEMS:
            return ["iterator", [encode(item, "", inner) for item in first]]
    return ["stranger", kind.__name__, bool(callable(value)), shown]


def decode(form: Any) -> Any:
    """The value of a form that :func:`encode` made, or :class:`Garbled`."""
    try:
        return _decode(form, MOST_DEPTH + 1)
    except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RecursionError) as error:
        raise Garbled(f"{type(error).__name__}: {error}"[:200]) from None


def _decode(form: Any, depth: int) -> Any:
    if not depth:
        raise ValueError("nested too deeply")
    tag, *parts = form
    if tag in _KINDS:
        (items,) = parts
        if _KINDS[tag] in _HASHED:
            _require(len(items) <= MOST_HASHED)
        return _KINDS[tag](_decode(item, depth - 1) for item in items)
    match tag, parts:
        case "single", [name]:
            return _SINGLE[name]
        case "int", [number]:
            return _integer(number)
        case "float", [number]:
            return float.fromhex(number)
        case "str", [str(text)]:
            return text
        case "fraction", [over, under]:
            return Fraction(_integer(over), _integer(under))
        case "decimal", [str(text)]:
            _require(len(text) <= MOST_DIGITS)
            return Decimal(text)
        case "range", [_, _, _]:
            counted = range(*map(_integer, parts))
            _require(not counted[MOST_ITEMS:])
            return counted
        case "dict", [items]:
            _require(len(items) <= MOST_HASHED)
            return {_decode(key, depth - 1): _decode(item, depth - 1) for key, item in items}
        case "iterator", [items]:
            values = [_decode(item, depth - 1) for item in items]
            return (value for value in values)
    return _of_numpy(tag, parts, depth)


def _integer(text: str) -> int:
    _require(len(text) <= MOST_DIGITS + len("-0x"))
    return int(text, 16)


def _require(fits: bool) -> None:
    if not fits:
        raise ValueError("too large")


def _of_numpy(tag: Any, parts: list[Any], depth: int) -> Any:
    match tag, parts:
        case "scalar", [str(dtype), item] if _DTYPE.fullmatch(dtype):
            return np.array(_decode(item, depth - 1), dtype=dtype)[()]
        case "array", [str(dtype), [*shape], [*items]] if _DTYPE.fullmatch(dtype) and _fits(shape):
            return np.array([_decode(item, depth - 1) for item in items], dtype=dtype).reshape(shape)
        case "stranger", [str(name), bool(is_callable), str(shown)]:
            return stranger(name[:60], is_callable, shown[:200])
    raise ValueError("no such kind")


def stranger(name: str, is_callable: bool, shown: str) -> Any:
    """Something that has the name of a type, and can do nothing."""
    if is_callable:
        return lambda: None
    return type(name, (), {"__repr__": lambda self: shown or f"<{name}>"})()
