"""Outputs of any kind: what they look like, and their parts."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.audit import Raised
from fdpedu.audit.outputs import Outputs, kind_and_parts, part_names
from tests.support.audits import tree

NUMBERS = [7, 7.5, Fraction(1, 3), Decimal("0.5"), np.int64(3), np.float32(0.5)]
DIFFERENT = [
    *(1, 2, "1", b"1", None, True, [1], (1,), [1, 1], [[1]], {"a": 1}, {"b": 1}, {"a": 2}, {1: 1}, set(), {1}, "a"),
    *(np.array([1]), np.array([[1]]), np.array([1.0]), np.array([True]), Raised("ValueError"), Raised("KeyError"), int),
    *(math.nan, math.inf, -math.inf, 1 + 2j, {"a": [1, "x"]}, {"a": [1, "y"]}),
]


@pytest.mark.parametrize("number", NUMBERS)
def test_every_real_number_is_a_number(number):
    """What is equal is not told apart, whatever its type."""
    assert kind_and_parts(number)[0] == "number" and part_names(number) == ["the output"]
    assert Outputs([number]).numbers("'number'", [0]).tolist() == [[float(number)]]


def test_what_differs_is_told_apart():
    """By its kind or by its parts; and each is equal to itself."""
    for i, one in enumerate(DIFFERENT):
        for j, other in enumerate(DIFFERENT):
            assert (kind_and_parts(one) == kind_and_parts(other)) == (i == j), (one, other)
    wholes = Outputs(DIFFERENT).wholes
    assert len(set(wholes)) == len(DIFFERENT) and wholes == Outputs(DIFFERENT).wholes


def test_a_dictionary_is_its_items_in_order():
    """However they came."""
    one, other = {"b": 2, "a": [1, "x"]}, {"a": [1, "x"], "b": 2}
    assert kind_and_parts(one) == kind_and_parts(other) == (kind_and_parts(one)[0], [1, "x", 2])
    assert part_names(one) == part_names(other) == ["the output['a'][0]", "the output['a'][1]", "the output['b']"]


@pytest.mark.parametrize(
    ("output", "names"),
    [
        (np.zeros((2, 2)), ["it[0, 0]", "it[0, 1]", "it[1, 0]", "it[1, 1]"]),
        (np.array(["x", {"a": 1}], dtype=object), ["it[0]", "it[1]['a']"]),
        ([[1], "x", ()], ["it[0][0]", "it[1]"]),
        ({3, 2}, ["it[0]", "it[1]"]),
        (Raised("KeyError"), []),
    ],
)
def test_parts_have_names(output, names):
    """As many as there are parts, and in their order."""
    assert part_names(output, "it") == names and len(kind_and_parts(output)[1]) == len(names)


def test_a_tree_is_its_splits_labels_and_counts():
    """Two that differ in any of these differ."""
    one, same, other = tree([20, 80, 90]), tree([20, 80, 90]), tree([20, 80, 90, 95])
    kind, parts = kind_and_parts(one)
    assert kind == ("tree", 2) and kind_and_parts(same) == (kind, parts) != kind_and_parts(other)
    assert len(part_names(one)) == len(parts) == 4 and parts[2:] == list(one.root.counts)
    assert parts[0].count("(") > parts[0].count("):") and str(one.root.split) == parts[1] in parts[0]


@pytest.mark.parametrize("output", [object(), lambda: 1, bytearray(b"x"), iter([1]), [object()], {"a": [1, object()]}])
def test_what_cannot_be_compared_is_refused(output):
    with pytest.raises(ValueError, match="two that are alike cannot be told to be"):
        kind_and_parts(output, "it")


def test_what_is_too_large_or_too_deep_is_refused():
    deep = [1]
    for _ in range(49):
        deep = [deep]
    assert kind_and_parts(deep)[1] == [1]
    with pytest.raises(ValueError, match="nested too deeply"):
        kind_and_parts([[deep]])
    assert len(kind_and_parts([0] * 100_000)[1]) == 100_000
    with pytest.raises(ValueError, match="it has 100001 parts"):
        kind_and_parts(np.zeros(100_001), "it")


def test_an_array_of_many_is_read_as_a_list_of_each():
    """The outputs of a mechanism that gives many at once."""
    for array in (np.arange(6) % 4, np.arange(12.0).reshape(6, 2) % 5, np.arange(24).reshape(6, 2, 2), np.ones(6) > 0):
        many, each = Outputs(array), Outputs(list(array))
        kind = many.kinds[0]
        assert many.kinds == each.kinds == [kind] * 6 and len(many) == len(each) == 6
        names = many.names(kind)
        assert names == each.names(kind) and many.names("'other'") == each.names("'other'") == []
        parts = range(len(names))
        assert np.array_equal(many.numbers(kind, parts), each.numbers(kind, parts))
        assert np.array_equal(many.numbers(kind, [len(names) - 1]), each.numbers(kind, [len(names) - 1]))
        assert [many.part(kind, i) for i in parts] == [each.part(kind, i) for i in parts]
        assert many.part("'other'", 0) == each.part("'other'", 0) == [""] * 6
        assert np.isnan(many.numbers("'other'", [0])).all() and many.numbers("'other'", [0]).shape == (6, 1)
        assert [many.wholes.count(x) for x in many.wholes] == [each.wholes.count(x) for x in each.wholes]
        assert many.some(slice(2, 4)).part(kind, 0) == many.part(kind, 0)[2:4]


def test_what_is_no_number_has_none():
    """Nor has what is of another kind; a number too large for a float is infinite."""
    found = Outputs([[1, "x"], [2.5, b"y"], "z", [10**400, "x"], [-(10**400), None], [math.nan, "x"]])
    kind = found.kinds[0]
    numbers = found.numbers(kind, [0, 1])
    assert numbers[0, 0] == 1 and np.isnan(numbers[:, 1]).all() and np.isnan(numbers[2, 0])
    assert numbers[3, 0] == math.inf and np.isnan(numbers[5, 0])
    assert Outputs([-(10**400)]).numbers("'number'", [0])[0, 0] == -math.inf
    assert found.part(kind, 1) == ["'x'", "", "", "'x'", "", "'x'"]
