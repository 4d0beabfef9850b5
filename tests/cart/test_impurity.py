"""Impurity: its conventions, least squares, what a record adds, and the largest counts."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.cart import half_gini, scaled_half_gini
from fdpedu.cart.impurity import exact_scaled_half_gini
from fdpedu.claims.cart import impurity as topic
from fdpedu.claims.strategies import nodes

class_counts = st.lists(st.integers(0, 40), min_size=2, max_size=4)


@pytest.mark.claim("def-scaled-impurity")
@given(class_counts)
def test_the_conventions(counts):
    """gini = 1 − Σp̂² = 2·half_gini, scaled = n·half_gini; an empty node has impurity 0."""
    topic.conventions(counts)


@pytest.mark.claim("lem-least-squares")
@given(nodes(60).filter(any))
def test_it_is_least_squares(node):
    """s(a,b) = ab/(a+b) is the squared error of the mean, and no other constant does better (report, eq. (4))."""
    topic.least_squares(*node)


@pytest.mark.claim("lem-increment")
@given(nodes(200).filter(any))
def test_the_increment_identity(node):
    """s(a+1,b) − s(a,b) = b²/((a+b)(a+b+1)), in [0, n/(n+1)], with equality on the right iff a = 0."""
    topic.increment(*node)


@pytest.mark.claim("lem-split-never-hurts")
@given(nodes(60), nodes(60))
def test_a_split_never_hurts(left, right):
    """What a split takes from n·h is a square over positive numbers."""
    topic.never_hurts(*left, *right)


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
