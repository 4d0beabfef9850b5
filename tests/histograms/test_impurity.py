"""Impurity of every border by noisy counts: by definition, and as Algorithm 4 is printed."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fdpedu.cart import exact_scaled_half_gini
from fdpedu.claims.checking import Refuted
from fdpedu.claims.histograms import impurity as topic
from fdpedu.histograms import clip, impurity_from_counts
from fdpedu.sources.gubler import impurity_as_printed

signed_tables = st.integers(2, 6).flatmap(lambda r: arrays(np.int64, (r, 2), elements=st.integers(-3, 9)))


@given(signed_tables)
def test_impurity_of_every_border_by_definition(table):
    """G of border l from the clipped counts: (s(left) + s(right))/n, an empty side counting 0."""
    cells = clip(table)
    n = int(cells.sum())
    for border, value in enumerate(impurity_from_counts(table), 1):
        expected = exact_scaled_half_gini(cells[:border].sum(axis=0)) + exact_scaled_half_gini(
            cells[border:].sum(axis=0)
        )
        assert value == pytest.approx(float(expected / max(n, 1)), abs=1e-12) and 0 <= value <= 0.25


@given(signed_tables)
def test_without_negative_counts_the_printed_rule_agrees(table):
    """Where both sides hold positive counts and nothing is negative, clipping changes nothing."""
    cells = clip(table) + 1
    assert impurity_as_printed(cells) == pytest.approx(impurity_from_counts(cells))


def test_the_printed_rule_prefers_nonsense():
    """A negative count makes a printed impurity below 0: better than a perfect split. The mended rule never goes below
    0.
    """
    table = np.array([[4, -1], [1, 1], [0, 5]])
    assert impurity_as_printed(table)[0] < 0 <= impurity_from_counts(table).min()


def test_impurity_of_large_counts():
    """Ten million in a cell, four classes; bins at the ends decide as those within."""
    topic.noisy_impurity([[10**7, 0, -(10**7), 3], [0, 10**7, 5, 10**7 - 1], [10**7, 10**7, 10**7, 10**7]])
    assert impurity_from_counts([[1, 0], [0, 0], [0, 1]]).tolist() == [0.0, 0.0]
    assert impurity_from_counts([[1, 1, 1], [2, 0, 0]]).tolist() == [0.2]
    assert impurity_from_counts([[-1, -5], [0, -2]]).tolist() == [0.0]


@pytest.mark.parametrize("function", [impurity_from_counts, impurity_as_printed])
def test_the_largest_counts_that_floats_hold_have_an_impurity(function):
    assert function([[2**53, 0], [0, 2**53]]).tolist() == [0.0]


def test_estimates_below_1_are_weighed_too():
    """Shares of a node that has less than one row by estimate: the impurity does not depend on the unit."""
    assert impurity_from_counts([[0.25, 0.25], [0, 0]]).tolist() == impurity_from_counts([[5, 5], [0, 0]]).tolist()


@pytest.mark.claim("alg-noisy-impurity-as-printed")
def test_as_printed_it_can_be_better_than_perfect():
    with pytest.raises(Refuted, match=r"G of border 1 is -2\.0"):
        topic.impurity_of_noisy_counts_as_printed([[-1, 2], [-1, 2]])
    topic.impurity_of_noisy_counts_as_printed([[1, 2], [3, 2]])


@given(arrays(np.int64, st.tuples(st.integers(2, 6), st.just(2)), elements=st.integers(-4, 9)))
def test_as_printed_by_definition(table):
    """Line by line, in fractions, wherever nothing is divided by 0."""
    for border, value in enumerate(impurity_as_printed(table), 1):
        sides = [table[:border].sum(axis=0).tolist(), table[border:].sum(axis=0).tolist()]
        n = sum(map(sum, sides))
        if n and all(map(sum, sides)):
            shares = [(Fraction(sum(side), n), Fraction(side[1], sum(side))) for side in sides]
            assert value == pytest.approx(float(sum(weight * p * (1 - p) for weight, p in shares)), abs=1e-9)


def test_as_printed_where_it_divides_by_0():
    """0/0 gives no number, a total of 0 an infinite one; neither warns."""
    assert math.isnan(impurity_as_printed([[0, 0], [1, 1]])[0])
    assert math.isinf(impurity_as_printed([[-1, -1], [3, -1]])[0])


@pytest.mark.parametrize("function", [impurity_from_counts, impurity_as_printed])
def test_no_bins_and_one_bin_have_no_border(function):
    """There is nothing to divide, and nothing is refused."""
    for bins in (0, 1):
        assert function(np.ones((bins, 2), dtype=np.int64)).shape == (0,)
