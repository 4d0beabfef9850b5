"""The 5/4 sensitivity bound of the report (its Lemma 3.2), as a property of random data sets and records."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.bounds import REPORT_SENSITIVITY, local_bound

BIN = st.tuples(st.integers(0, 9), st.integers(0, 9))


def least_by_the_text(table):
    """Least n·G over all splits, with n·p(1 − p) for a side of n rows: equation and words of the report only."""
    found = []
    for last in range(len(table)):
        sides = [[sum(column) for column in zip((0, 0), *rows, strict=True)] for rows in (table[:last], table[last:])]
        found.append(sum(Fraction(a * b, a + b) for a, b in sides if a + b))
    return min(found)


@pytest.mark.claim("lem-five-quarters", "lem-local-bound")
@given(st.lists(BIN, min_size=1, max_size=5), st.integers(0, 4), st.integers(0, 1))
def test_the_5_4_sensitivity_bound(table, place, label):
    """One record of either class in any bin moves n·G of the best split by at most 5/4, and by at most n/(n + 1)."""
    more = [list(counts) for counts in table]
    more[place % len(table)][label] += 1
    before, after, n = least_by_the_text(table), least_by_the_text(more), sum(map(sum, table))
    assert (local_bound(table), local_bound(more)) == (before, after)
    assert abs(after - before) <= Fraction(5, 4) == REPORT_SENSITIVITY
    assert 0 <= after - before <= Fraction(n, n + 1)
