"""The one bin of a value, the report's bins, and the dummies of a categorical feature."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.claims.checking import Refuted
from fdpedu.claims.histograms import cells as topic
from fdpedu.domain import Numeric
from fdpedu.histograms import bin_of, one_hot_histograms
from fdpedu.sources.gubler import bin_as_printed

EDGES = (0, 25, 50, 100)
AGES = (-3, 0, 25, 25.5, 50, 100, 130)


@given(
    st.sets(st.integers(-99, 99), min_size=3, max_size=9), st.integers(-1200, 1200), st.sampled_from([1, 3, 10, 1e-300])
)
def test_bins_are_those_of_the_domain(numbers, tenths, unit):
    """The form to read agrees with the fast one on any edges, and on the edges themselves."""
    edges, x = [number / unit for number in sorted(numbers)], tenths / (10 * unit)
    values = [x, *edges, edges[0] - 1, edges[-1] + 1]
    assert [bin_of(value, edges) for value in values] == Numeric("x", tuple(edges)).encode(values).tolist()


def test_bins_by_hand():
    """Borders go left, the first bin has its lower end, what is outside counts at the ends; edges in any list."""
    for edges in (EDGES, list(EDGES), np.array(EDGES), [0, "25", Fraction(50), 100.0]):
        assert [bin_of(age, edges) for age in AGES] == [0, 0, 0, 1, 1, 2, 2]
        assert [bin_as_printed(age, edges) for age in AGES] == [None, 0, 1, 1, 2, None, None]


@pytest.mark.claim("alg-bins-as-printed")
def test_the_printed_bins_lose_the_largest_value_and_turn_borders():
    with pytest.raises(Refuted, match="x = 2 lies in the range from 0 to 2 and in no bin"):
        topic.bins_as_printed((0, 1, 2))
    with pytest.raises(Refuted, match="x = 1: in the bins up to 1 is False, x ≤ 1 is True"):
        topic._prefixes(1, bin_as_printed(1, (0, 1, 2)), (0, 1, 2))


def test_dummies_by_hand():
    """With negative counts, of one category and of one class; the totals are those of the histogram."""
    table = [[4, -1], [0, 2], [-3, 3]]
    found = one_hot_histograms(table)
    assert found.tolist() == [[[-3, 5], [4, -1]], [[1, 2], [0, 2]], [[4, 1], [-3, 3]]]
    assert (found.sum(axis=1) == np.sum(table, axis=0)).all() and found.dtype == np.int64
    assert one_hot_histograms([[5]]).tolist() == [[[0], [5]]]


def test_the_largest_counts_have_dummies():
    """Larger ones are refused: added up, they would come out as other numbers."""
    most = 2**62 - 1
    assert one_hot_histograms([[most], [most]]).tolist() == [[[most], [most]]] * 2
    assert one_hot_histograms([[2**62]]).tolist() == [[[0], [2**62]]]
