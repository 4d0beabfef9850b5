"""What a mechanism has put out, so that it can be looked at: of which kind it is, and its parts.

An output is a number, text, bytes, a dictionary (its items, sorted), a list, a tuple, a set, an array, a tree, or
whatever else can be hashed and compared by value. It has a *kind* (types, lengths, keys: what it looks like without its
values) and *parts* (the values, one after the other). An exception is an output too: somebody sees its type.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.audit.betting import Floats
from fdpedu.cart import Node, Tree

MOST_PARTS = 100_000
_DEEPEST = 50
_NUMBERS = "biuf"  # kinds of arrays that are numbers


@dataclass(frozen=True)
class Raised:
    """The output of a run that raised an exception: the name of its type, and nothing of its text.

    Parameters
    ----------
    name : such as ``"ZeroDivisionError"``
    """

    name: str


def kind_and_parts(output: object, what: str = "the output") -> tuple[Hashable, list[Any]]:
    """The kind of an output, and its parts, of which each can be hashed.

    Parameters
    ----------
    output : of a mechanism, or of a statistic
    what : which, for the message

    Raises
    ------
    ValueError
        If a part of it cannot be hashed, or is equal to nothing but itself.

    Examples
    --------
    >>> kind_and_parts({"b": [1, 2.5], "a": "x"})
    (('dict', "'a'", 'str', "'b'", ('list', 'number', 'number')), ['x', 1, 2.5])
    """
    parts: list[Any] = []
    kind = _gather(output, parts, what, 0)
    if len(parts) > MOST_PARTS:
        raise ValueError(
            f"{what} has {len(parts)} parts, more than {MOST_PARTS}: give a statistic of it that has fewer"
        )
    return kind, parts


def part_names(output: object, what: str = "the output") -> list[str]:
    """What the parts of an output are called.

    >>> part_names({"b": [1, 2.5], "a": "x"}), part_names(7)
    (["the output['a']", "the output['b'][0]", "the output['b'][1]"], ['the output'])
    """
    if isinstance(output, Raised):
        return []
    if isinstance(output, Tree):
        counts = (f"{what}: its count of the class {label}" for label in range(len(output.root.counts)))
        return [f"{what}: its splits and labels", f"{what}: its first split", *counts]
    if isinstance(output, Mapping):
        items = sorted(((repr(key), value) for key, value in output.items()), key=lambda item: item[0])
        return [name for key, value in items for name in part_names(value, f"{what}[{key}]")]
    if hasattr(output, "__array__") and np.ndim(output):
        array = np.asarray(output)
        places = (", ".join(map(str, place)) for place in np.ndindex(array.shape))
        return [f"{what}[{place}]" for place in places] if array.dtype != object else part_names(array.tolist(), what)
    if isinstance(output, (list, tuple, set, frozenset)):
        values = sorted(output, key=repr) if isinstance(output, (set, frozenset)) else output
        return [name for i, value in enumerate(values) for name in part_names(value, f"{what}[{i}]")]
    return [what]


def _gather(output: Any, parts: list[Any], what: str, depth: int) -> Hashable:
    """Append the parts; returns the kind."""
    if depth > _DEEPEST:
        raise ValueError(f"{what} is nested too deeply: give a statistic of it")
    if isinstance(output, Tree):
        parts.extend([_spoken(output.root), str(output.root.split), *output.root.counts])
        return "tree", len(output.root.counts)
    if isinstance(output, Mapping):
        items = sorted(((repr(key), value) for key, value in output.items()), key=lambda item: item[0])
        return ("dict", *(x for key, value in items for x in (key, _gather(value, parts, what, depth + 1))))
    if hasattr(output, "__array__") and np.ndim(output):
        array = np.asarray(output)
        if array.dtype != object:
            parts.extend(map(_single, array.ravel().tolist()))
            return "array", array.shape, array.dtype.kind
        output = array.tolist()
    if isinstance(output, (list, tuple, set, frozenset)):
        name = type(output).__name__
        output = sorted(output, key=repr) if isinstance(output, (set, frozenset)) else output
        return (name, *(_gather(value, parts, what, depth + 1) for value in output))
    if isinstance(output, Raised):
        return f"raised {output.name}"
    parts.append(_single(_hashed(output, what)))
    return _kind_of(output)


def _kind_of(value: Any) -> str:
    """An integer and a float are both numbers: what is equal is not told apart."""
    if isinstance(value, (bool, np.bool_)):
        return "bool"
    return "number" if isinstance(value, (numbers.Real, Decimal)) else type(value).__name__


def _spoken(node: Node) -> str:
    """A tree without its counts: its splits and its labels."""
    if node.split is None or node.left is None or node.right is None:
        return str(node.label)
    return f"({node.split}: {_spoken(node.left)}, {_spoken(node.right)})"


def _hashed(value: Any, what: str) -> Any:
    """The value, if two that are alike are equal."""
    kind: Any = type(value)
    try:
        hash(value)
        by_value = value is None or isinstance(value, type) or kind.__eq__ is not object.__eq__
    except TypeError:
        by_value = False
    if not by_value:
        raise ValueError(
            f"{what} is a {kind.__name__}, of which two that are alike cannot be told to be: give a statistic that "
            "makes of it a number, a text, a list or an array"
        )
    return value


def _single(value: Any) -> Any:
    """Python's own number for one of NumPy's; and one value for what is no number, which is not equal to itself."""
    plain = value.item() if isinstance(value, np.generic) else value
    return "not a number" if plain != plain else plain


class Outputs:
    """Outputs of several runs, in order.

    Parameters
    ----------
    found : a list of any outputs; or an array of numbers whose first axis is the run, of a mechanism that gives many
    what : ``the output`` or ``the statistic``, for messages and for the words of events
    """

    def __init__(self, found: Sequence[Any] | NDArray[Any], what: str = "the output") -> None:
        self._array = found if isinstance(found, np.ndarray) and found.dtype.kind in _NUMBERS and found.ndim else None
        self.found, self.what = found, what

    def __len__(self) -> int:
        return len(self.found)

    def some(self, which: slice) -> Outputs:
        """The outputs of some of the runs."""
        return Outputs(self.found[which], self.what)

    @cached_property
    def _gathered(self) -> list[tuple[Hashable, list[Any]]]:
        return [kind_and_parts(output, self.what) for output in self.found]

    @property
    def kinds(self) -> list[str]:
        """The kind of each output, as text."""
        if self._array is not None:
            return [self._kind] * len(self)
        return [repr(kind) for kind, _ in self._gathered]

    @property
    def _kind(self) -> str:
        """The kind of all outputs that are in an array."""
        assert self._array is not None
        shape, kind = self._array.shape[1:], self._array.dtype.kind
        return repr(("array", shape, kind) if shape else "bool" if kind == "b" else "number")

    @property
    def wholes(self) -> list[str]:
        """Of each output a text that is the same for two outputs that are equal in all."""
        if self._array is not None:
            return [repr(output) for output in self._array.tolist()]
        return [
            repr(parts[0]) if isinstance(kind, str) and parts else f"{parts} of {kind}"
            for kind, parts in self._gathered
        ]

    def names(self, kind: str) -> list[str]:
        """What the parts of the outputs of this kind are called; none if there are no such outputs."""
        first = next((output for output, of in zip(self.found, self.kinds, strict=True) if of == kind), ())
        return part_names(first, self.what)

    def part(self, kind: str, i: int) -> list[str]:
        """The i-th part of each output, as text; an empty one of what is of another kind."""
        if self._array is not None:
            texts = map(repr, self._array.reshape(len(self), -1)[:, i].tolist())
            return list(texts) if kind == self._kind else [""] * len(self)
        return [repr(parts[i]) if repr(of) == kind else "" for of, parts in self._gathered]

    def numbers(self, kind: str, parts: Sequence[int]) -> Floats:
        """Some parts of each output as floats, shape (N, number of parts); NaN where one is none, or elsewhere."""
        if self._array is not None:
            whole = self._array.reshape(len(self), -1)
            if kind != self._kind:
                return np.full((len(self), len(parts)), np.nan)
            every = len(parts) == whole.shape[1]
            return np.asarray(whole if every else whole[:, list(parts)], dtype=np.float64)
        nothing = [math.nan] * len(parts)
        rows = [[_number(own[i]) for i in parts] if repr(of) == kind else nothing for of, own in self._gathered]
        return np.array(rows, dtype=np.float64).reshape(len(self), len(parts))


def _number(value: Any) -> float:
    """A number as a float, infinite if it is too large for one; NaN for what is none."""
    if isinstance(value, (str, bytes, complex)) or value is None:
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    except (TypeError, ValueError):
        return math.nan
