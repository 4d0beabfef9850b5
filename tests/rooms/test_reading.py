"""How parameters are read, refused and shown in messages: lists, functions, types, arrays of numbers, text."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from fdpedu.exact import (
    as_floats,
    as_fraction,
    as_integer,
    as_list,
    quoted,
    require_callable,
    require_type,
    require_writable,
)

NUMBERS = [np.float64, np.float32, np.float16, np.int64, np.int8, np.uint8, np.uint64, bool]


@pytest.mark.parametrize("kind", NUMBERS)
@given(st.data())
def test_numbers_of_every_type_become_floats(kind, data):
    """As an array, as a list and as an array of objects: the same floats, in the same shape."""
    finite = {"allow_nan": False, "allow_infinity": False} if np.dtype(kind).kind == "f" else {}
    shapes = arrays.array_shapes(max_dims=3, max_side=3)
    given_array = data.draw(arrays.arrays(kind, shapes, elements=arrays.from_dtype(np.dtype(kind), **finite)))
    expected = given_array.astype(np.float64)
    for value in (given_array, given_array.tolist(), given_array.astype(object)):
        found = as_floats(value, "x", given_array.ndim)
        assert found.dtype == np.float64 and found.shape == expected.shape and (found == expected).all()
    with pytest.raises(ValueError, match="x must be finite numbers of 5 dimensions"):
        as_floats(given_array, "x", 5)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (["a"], "x must be finite numbers, got str32 of shape (1,)"),
        (np.array([b"1"]), "x must be finite numbers, got bytes8 of shape (1,)"),
        ([1j], "x must be finite numbers, got complex128 of shape (1,)"),
        ([None], "x must be finite numbers, got object of shape (1,)"),
        ([10**400], "x must be finite numbers, got object of shape (1,)"),
        (np.array(["2026-01-01"], dtype="datetime64[D]"), "x must be finite numbers, got datetime64 of shape (1,)"),
        (np.array([1], dtype="timedelta64[D]"), "x must be finite numbers, got timedelta64 of shape (1,)"),
        ([float("nan")], "x must be finite numbers, got float64 of shape (1,)"),
    ],
)
def test_what_is_no_number_is_refused_by_its_type(value, told):
    with pytest.raises(ValueError) as caught:
        as_floats(value, "x")
    assert str(caught.value).replace("datetime64[D]", "datetime64").replace("timedelta64[D]", "timedelta64") == told


def test_a_dimension_is_named_in_the_right_number():
    with pytest.raises(ValueError, match=r"^x must be finite numbers of 1 dimension, got int64 of shape \(1, 1\)$"):
        as_floats([[1]], "x", 1)


@given(st.integers(-(10**6), 10**6))
def test_a_short_float_is_the_decimal_that_it_prints_as(k):
    for kind in (np.float16, np.float32, np.float64):
        number = kind(k / 1000)
        assert as_fraction(number) == Fraction(str(number))


@pytest.mark.parametrize(
    ("value", "written"),
    [
        *(
            (3, "3"),
            (3.0, "3.0"),
            (True, "True"),
            (None, "None"),
            (1j, "1j"),
            ("one", "'one'"),
            (Fraction(1, 3), "1/3"),
        ),
        *(
            (Decimal("NaN"), "Decimal('NaN')"),
            (np.float32(0.5), repr(np.float32(0.5))),
            (np.int8(-3), repr(np.int8(-3))),
        ),
        *(([1], "list"), ({}, "dict"), (object(), "object"), (b"x", "bytes"), (len, "builtin_function_or_method")),
        *((np.array([1]), "ndarray"), (iter([]), "list_iterator"), (np.str_("secret"), "str_"), (range(2), "range")),
        *(("x" * 58, repr("x" * 58)), ("x" * 59, "'" + "x" * 39 + "…"), (type("N", (int,), {})(3), "N")),
    ],
)
def test_a_parameter_in_a_message(value, written):
    """A number or a short text as it is written, anything else by its type."""
    assert quoted(value) == written


@pytest.mark.parametrize("letter", ["\ud800", "\udbff", "\udc00", "\udfff"])
def test_every_lone_surrogate_is_refused(letter):
    with pytest.raises(ValueError, match=r"^name must be text that can be written, got a lone surrogate$"):
        require_writable(f"a{letter}b", "name")


@pytest.mark.parametrize("text", ["\ud7ff", "\ue000", "", "ü", "𝛼", None, 3])
def test_any_other_text_is_let_through(text):
    require_writable(text, "name")


@given(st.integers(-9, 9), st.integers(-9, 9))
def test_a_maximum_may_be_reached_and_not_passed(value, maximum):
    if value <= maximum:
        assert as_integer(value, "n", minimum=-9, maximum=maximum) == value
    else:
        with pytest.raises(ValueError):
            as_integer(value, "n", minimum=-9, maximum=maximum)


@given(st.lists(st.integers()))
def test_a_list_is_whatever_has_members(members):
    for value in (members, tuple(members), iter(members), dict.fromkeys(range(len(members)))):
        assert as_list(value, "x") == (list(range(len(members))) if isinstance(value, dict) else members)


@pytest.mark.parametrize(
    ("value", "shown"), [("ab", "'ab'"), (b"ab", "bytes"), (bytearray(b"a"), "bytearray"), (3, "3")]
)
def test_text_and_numbers_are_no_lists(value, shown):
    with pytest.raises(ValueError) as caught:
        as_list(value, "x")
    assert str(caught.value) == f"x must be a list, got {shown}"


def test_types_and_functions_are_asked_for_by_name():
    require_type(3, int, "n")
    require_callable(len, "f")
    with pytest.raises(ValueError, match=r"^n must be a int, got str$"):
        require_type("3", int, "n")
    with pytest.raises(ValueError, match=r"^f must be a function, got 3$"):
        require_callable(3, "f")
