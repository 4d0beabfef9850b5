"""Values that come from a process that nobody trusts: plain data, and of anything else the name of its type.

What is read is checked, and never run: no pickle. A number, a text, a list, a dictionary, a set, an array is the same
on both sides; an iterator is one again; anything else becomes a stranger that has nothing but its type's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

MOST_DEPTH, MOST_ITEMS = 20, 100_000
_SINGLE = {"None": None, "True": True, "False": False, "Ellipsis": ..., "NotImplemented": NotImplemented}
_KINDS: dict[str, type] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
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
    if isinstance(value, int):
        return ["int", hex(value)]
    if isinstance(value, float):
        return ["float", float(value).hex()]
    if isinstance(value, str):
        return ["str", str(value)]
    if isinstance(value, Fraction):
        return ["fraction", hex(value.numerator), hex(value.denominator)]
    if isinstance(value, Decimal):
        return ["decimal", str(value)]
    if isinstance(value, range) and len(value) <= MOST_ITEMS:
        return ["range", *map(hex, (value.start, value.stop, value.step))]
    return _of_many(value, shown, depth)


def _of_many(value: Any, shown: str, depth: int) -> list[Any]:
    kind, inner = type(value), depth - 1
    if depth and kind in _KINDS.values():
        items = [encode(item, "", inner) for item in value]
        return [kind.__name__, sorted(items, key=str) if kind in (set, frozenset) else items]
    if depth and kind is dict:
        return ["dict", [[encode(key, "", inner), encode(item, "", inner)] for key, item in value.items()]]
    if kind is np.ndarray and _DTYPE.fullmatch(value.dtype.str) and value.size <= MOST_ITEMS:
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
        return _KINDS[tag](_decode(item, depth - 1) for item in items)
    match tag, parts:
        case "single", [name]:
            return _SINGLE[name]
        case "int", [number]:
            return int(number, 16)
        case "float", [number]:
            return float.fromhex(number)
        case "str", [str(text)]:
            return text
        case "fraction", [over, under]:
            return Fraction(int(over, 16), int(under, 16))
        case "decimal", [str(text)]:
            return Decimal(text)
        case "range", [start, stop, step]:
            return range(int(start, 16), int(stop, 16), int(step, 16))
        case "dict", [items]:
            return {_decode(key, depth - 1): _decode(item, depth - 1) for key, item in items}
        case "iterator", [items]:
            values = [_decode(item, depth - 1) for item in items]
            return (value for value in values)
    return _of_numpy(tag, parts, depth)


def _of_numpy(tag: Any, parts: list[Any], depth: int) -> Any:
    match tag, parts:
        case "scalar", [str(dtype), item] if _DTYPE.fullmatch(dtype):
            return np.array(_decode(item, depth - 1), dtype=dtype)[()]
        case "array", [str(dtype), [*shape], [*items]] if _DTYPE.fullmatch(dtype) and len(items) <= MOST_ITEMS:
            return np.array([_decode(item, depth - 1) for item in items], dtype=dtype).reshape(shape)
        case "stranger", [str(name), bool(is_callable), str(shown)]:
            return stranger(name[:60], is_callable, shown[:200])
    raise ValueError("no such kind")


def stranger(name: str, is_callable: bool, shown: str) -> Any:
    """Something that has the name of a type, and can do nothing."""
    if is_callable:
        return lambda: None
    return type(name, (), {"__repr__": lambda self: shown or f"<{name}>"})()
