"""Arrays as arguments: integers within ±2⁶², and finite floats."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from fdpedu.cart import best_split, gini, threshold_counts
from fdpedu.exact import as_floats, as_integers


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64])
def test_integers_of_every_type_keep_their_values(kind):
    numbers = [min(np.iinfo(kind).max, 2**62), max(np.iinfo(kind).min, -(2**62)), 0]
    for value in (numbers, [numbers], numbers[0]):
        read = as_integers(np.array(value, dtype=kind), "values")
        assert read.dtype == np.int64 and read.tolist() == value


@pytest.mark.parametrize("empty", [[], [[], []], np.zeros((0, 3)), np.array([], dtype="U1")])
def test_an_empty_array_may_be_of_any_type(empty):
    read = as_integers(empty, "values")
    assert read.dtype == np.int64 and read.shape == np.shape(empty)


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
    with pytest.raises(ValueError, match="counts"):
        as_floats(given_array, "counts", 5)


def read(value, **options):
    """The numbers, or that they are refused."""
    try:
        return as_floats(value, "counts", **options).tolist()
    except ValueError as refusal:
        assert "counts" in str(refusal)
        return None


@given(st.lists(st.one_of(st.floats(width=16), st.integers(-9, 9).map(float))), st.sampled_from([None, 1, 2]))
def test_an_array_is_read_as_its_list(values, ndim):
    """Of short, usual and long floats; with NaN and infinities."""
    expected = read(values, ndim=ndim)
    assert (expected is None) == (ndim == 2 or not all(map(math.isfinite, values)))
    for kind in (np.float16, np.float32, np.float64, np.longdouble):
        assert read(np.array(values, dtype=kind), ndim=ndim) == expected


def test_a_long_float_beyond_all_floats_is_refused():
    beyond = np.longdouble("1e4000")
    if np.isfinite(beyond):
        assert read(beyond) is None and read(np.array([1, beyond])) is None


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_columns_and_counts_are_finite(bad):
    column = np.array([1.0, bad])
    for call in (
        lambda: threshold_counts(column, [0, 1]),
        lambda: best_split(column[:, None], [0, 1]),
        lambda: gini(column),
    ):
        with pytest.raises(ValueError, match="must be finite numbers"):
            call()
