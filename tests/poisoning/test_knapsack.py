"""Forged rows are divided so that least is left: as by trying everything."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.robust.knapsack import allocation, best_sums, least_value


@st.composite
def falling(draw, least=-9):
    """Tables of up to four leaves that never rise, of one length."""
    rows = draw(st.integers(0, 6))
    values = st.lists(st.integers(least, 9), min_size=rows + 1, max_size=rows + 1)
    return [sorted(table, reverse=True) for table in draw(st.lists(values, min_size=1, max_size=4))], rows


def worth(tables, way):
    return sum(table[x] for table, x in zip(tables, way, strict=True))


@given(case=falling())
def test_the_knapsack_is_the_best_of_all_divisions(case):
    """For every number of rows; and the division that is named has the sum."""
    tables, rows = case
    least, choices = best_sums(np.array(tables))
    for x in range(rows + 1):
        ways = [way for way in product(range(x + 1), repeat=len(tables)) if sum(way) <= x]
        assert least[x] == min(worth(tables, way) for way in ways)
        named = allocation(choices, x)
        assert sum(named) == x and min(named) >= 0 and worth(tables, named) == least[x]
    assert least_value(tables, rows) == (least[rows], allocation(choices, rows))


def test_one_row_at_a_time_misses_the_least_sum():
    """Three rows turn the first leaf; whoever takes the best row each time never begins."""
    tables = [[9, 9, 9, 0], [9, 8, 7, 6]]
    assert least_value(tables, 3) == (9, (3, 0)) and worth(tables, (0, 3)) == 15


def test_integers_stay_integers():
    big = 2**61
    assert least_value([[big, 3], [-big, -big]], 1) == (3 - big, (1, 0))
    for tables in ([[2**62, 1], [1, 1]], [[1.5, 1]], [], [[1]], [[1, 2]], "ab", [[[1, 1]]], [[True, False]]):
        with pytest.raises(ValueError, match="tables"):
            least_value(tables, 1)
