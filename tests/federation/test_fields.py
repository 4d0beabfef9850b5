"""Fields of messages: of their type, and within their bounds."""

from fractions import Fraction
from functools import partial
from typing import NamedTuple

import pytest

from fdpedu.federation import fields
from fdpedu.secure_sum.modular import MAX_PARTIES


class Octets(bytes):
    """What is a subclass is not of the type."""


class Text(str):
    pass


class Number(int):
    pass


class Part(Fraction):
    pass


class Pair(NamedTuple):
    one: int
    other: int


HASH, SIGNATURE = bytes(32), bytes(64)
FIELDS = {  # what is made of other fields is made in the test, and not when this module is read
    "bytes": (lambda: fields.is_bytes, [b"", b"a", HASH], ["", None, 0, bytearray(32), Octets(b"a")]),
    "a hash": (
        lambda: fields.is_hash,
        [HASH],
        [bytes(31), bytes(33), b"", "x" * 32, (0,) * 32, bytearray(32), Octets(HASH)],
    ),
    "a signature": (lambda: fields.is_signature, [SIGNATURE], [bytes(63), bytes(65), b"", "x" * 64, Octets(SIGNATURE)]),
    "a number": (
        lambda: fields.is_number,
        [0, 1, 128, 129, 2**64 - 1],
        [-1, 2**64, 2**64 + 1, 3**64 - 1, True, False, 0.0, 1.0, Fraction(1), Number(1)],
    ),
    "a text": (lambda: fields.is_text, ["", "a", "a" * 4000], ["a" * 4001, b"", b"a", (), Text("a")]),
    "positive": (
        lambda: fields.is_positive,
        [Fraction(1), Fraction(1, 9**9), Fraction(9**9)],
        [Fraction(0), 1, 0.5, Part(1)],
    ),
    "positive, below": (lambda: fields.is_positive, [Fraction(1, 2)], [Fraction(-1), Fraction(-1, 9**9), True, "1"]),
    "a tuple": (lambda: fields.is_tuple, [(), (1,), ((), "a")], [[], {}, "ab", None, Pair(1, 2)]),
    "one of": (lambda: fields.is_one_of(("a", "bc")), ["a", "bc"], ["", "b", "abc", b"a", None, 1, Text("a"), ("a",)]),
    "all of a kind": (
        lambda: fields.all_are(fields.is_number),
        [(), (0,), (1, 2), (0,) * MAX_PARTIES],
        [(0,) * (MAX_PARTIES + 1), (-1,), (1, "a"), ("a", 1), [1], [], {}, 1, None, Pair(1, 2)],
    ),
    "each of a shape": (
        lambda: fields.each_is(fields.is_number, fields.is_text),
        [(), ((0, ""),), ((1, "a"), (2, "b"))],
        [(0, ""), ((0,),), ((0, "", ""),), ((0, "a"), (0, 0)), (("a", 0),), ([0, ""],), [(0, "")], (Pair(1, 2),)],
    ),
    "a shape": (
        lambda: partial(fields.has_shape, (fields.is_number, fields.is_text)),
        [(0, ""), (7, "a")],
        [(), (0,), ("", 0), (0, "", ""), [0, ""], (0, 0), ("", ""), None, 0, Pair(0, 1)],
    ),
    "a shape of nothing": (lambda: partial(fields.has_shape, ()), [()], [(0,), [], None]),
}


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_is_of_its_type_and_within_its_bounds(name):
    """At the bounds and one beyond; a bool is no number, and an instance of a subclass is never a field."""
    make, right, wrong = FIELDS[name]
    is_right = make()
    assert [is_right(field) for field in right] == [True] * len(right)
    assert [is_right(field) for field in wrong] == [False] * len(wrong)
