"""Impurity: its conventions, least squares, what a record adds, and the largest counts."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.cart import half_gini, scaled_half_gini
from fdpedu.cart.impurity import exact_scaled_half_gini


def test_the_largest_counts_and_parts_of_a_row():
    assert scaled_half_gini([2.0**62, 2.0**62]) == 2.0**61 and half_gini([[2.0**62, 2.0**62]]).tolist() == [0.25]
    for counts in ([0.25, 0.25], [0.5, 0.25, 0.125], [3, 1]):
        for scale in (0.25, 0.5, 1, 2.0**40):
            scaled = [scale * c for c in counts]
            assert half_gini(scaled) == half_gini(counts) and scaled_half_gini(scaled) == scale * scaled_half_gini(
                counts
            )
    table = [[3, 1], [4, 0], [0, 0], [2, 2]]
    assert half_gini(table).tolist() == [float(half_gini(row)) for row in table] == [0.1875, 0, 0, 0.25]


@given(st.lists(st.integers(0, 9), min_size=2, max_size=4), st.sampled_from([2**30, 2**31, 2**33, 2**45]))
def test_the_impurity_of_large_counts(counts, factor):
    """As many times the counts have as many times the n·half_gini, to a few units in 10¹⁵ of n."""
    exact = factor * exact_scaled_half_gini(counts)
    for dtype in (np.int64, np.uint64, object):
        found = Fraction(float(scaled_half_gini(np.array([factor * n for n in counts], dtype=dtype))))
        assert abs(found - exact) <= factor * sum(counts) * Fraction(2, 10**15)
