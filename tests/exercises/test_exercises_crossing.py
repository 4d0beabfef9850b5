"""A value that crosses is the same, or a stranger with the name of its type; nonsense is nonsense, and runs nothing."""

import json
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.exercises.crossing import MOST_DEPTH, Garbled, decode, encode
from fdpedu.exercises.values import kind

SAME = [
    None, ..., NotImplemented, True, 0, -(10**5000), 2.5, math.inf, "ε\ud800", Fraction(-1, 3), Decimal("1.50"),
    range(1, 9, 2), [], [1, (2.0, {"a": {3}})], {(1, 2): frozenset({4})},
]  # fmt: skip


@pytest.mark.parametrize("value", SAME, ids=[f"{k}" for k in range(len(SAME))])
def test_plain_data_are_the_same(value):
    back = decode(json.loads(json.dumps(encode(value))))
    assert back == value and type(back) is type(value)


def test_nan_and_arrays():
    assert math.isnan(decode(encode(math.nan)))
    for array in (np.arange(6, dtype=np.int64).reshape(2, 3), np.array([0.5]), np.array(True), np.zeros((0, 2))):
        back = decode(json.loads(json.dumps(encode(array))))
        assert back.dtype == array.dtype and back.shape == array.shape and (back == array).all()
    assert decode(encode(np.float32(0.5))).dtype == np.float32


def test_an_iterator_is_one_again():
    back = decode(encode(iter([1, 2])))
    assert kind(back).startswith("a generator") and list(back) == [1, 2]


class Own:
    pass


def test_anything_else_is_a_stranger_of_its_name():
    assert [kind(decode(encode(value))) for value in (Own(), len, 1j, np.array([object()]))] == [
        "a Own",
        "a function",
        "a complex",
        "an array",
    ]
    deep = []
    for _ in range(MOST_DEPTH + 5):
        deep = [deep]
    assert json.dumps(encode(deep)).count("stranger") == 1


LARGE = [
    2**80_001, -(2**80_001), Fraction(2**80_001, 3), Fraction(3, 2**80_001), Decimal("1." + "7" * 20_000),
    range(10**6), range(10**30), set(range(10_001)), dict.fromkeys(range(10_001)), np.zeros((10**6, 0)),
    np.zeros(10**6),
]  # fmt: skip


@pytest.mark.parametrize("value", LARGE, ids=[f"{k}" for k in range(len(LARGE))])
def test_what_is_too_large_is_a_stranger(value):
    assert kind(decode(encode(value))).split()[-1] in (type(value).__name__, "array")


SEVEN = ["int", "0x7"]
BOMBS = [  # a process may say so, whatever our own says
    ["int", "0x" + "7" * 20_002], ["fraction", "0x1", "0x" + "7" * 20_002], ["decimal", "0." + "7" * 20_000],
    ["range", "0x0", hex(10**6), "0x1"], ["range", "0x0", hex(10**30), "0x1"], ["set", [SEVEN] * 10_001],
    ["frozenset", [SEVEN] * 10_001], ["dict", [[SEVEN, SEVEN]] * 10_001], ["array", "<i8", [10**9, 0], []],
    ["array", "<i8", [10**3, 10**3, 0], []], ["list", [["int", "-0x" + "7" * 20_002]]],
]  # fmt: skip


@pytest.mark.parametrize("form", BOMBS, ids=[f"{k}" for k in range(len(BOMBS))])
def test_what_would_keep_its_reader_busy_is_nonsense(form):
    with pytest.raises(Garbled, match=r"too large|no such kind"):
        decode(form)


NONSENSE = [
    None, 1, "x", [], ["int"], ["int", 3], ["int", "z"], ["float", []], ["fraction", "0x1", "0x0"], ["single", "exit"],
    ["list", 3], ["set", [["list", []]]], ["dict", [[1]]], ["array", "O", [1], [["int", "0x1"]]],
    ["array", "<i8", [3], [["int", "0x1"]]], ["array", "<i1", [1], [["int", "0x999"]]],
    ["scalar", "|V9", ["int", "0x1"]],
    ["stranger", "Own", 1, ""], ["stranger", "\0", False, ""], ["range", "0x0", "0x1", "0x0"], ["decimal", "x"],
    ["array", "<i8", [-1, -1], []], ["__import__", "os"], {"list": []},
]  # fmt: skip


@pytest.mark.parametrize("form", NONSENSE, ids=[f"{k}" for k in range(len(NONSENSE))])
def test_nonsense_is_refused_and_nothing_else_is_raised(form):
    with pytest.raises(Garbled):
        decode(form)


def test_what_is_nested_too_deeply_is_nonsense():
    form = ["list", []]
    for _ in range(10_000):
        form = ["list", [form]]
    with pytest.raises(Garbled):
        decode(form)
