"""An array is read as the list of its numbers is: refused where that is refused, whatever its type."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.cart import best_split, gini, threshold_counts
from fdpedu.exact import as_floats, as_fraction, as_integer


def read(value, **options):
    """The numbers, or that they are refused."""
    try:
        return as_floats(value, "counts", **options).tolist()
    except ValueError as refusal:
        assert str(refusal).startswith("counts must be finite numbers")
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


@pytest.mark.parametrize("time", [np.timedelta64(1), np.timedelta64(1, "s"), np.timedelta64("NaT")], ids=str)
def test_a_time_is_no_number(time):
    """For NumPy it is an integer."""
    with pytest.raises(ValueError, match=r"^x must be an integer ≥ 0, got "):
        as_integer(time, "x", minimum=0)
    with pytest.raises(ValueError, match=r"^x must be a finite number"):
        as_fraction(time, "x")
