"""Changes of the bound that break the lemma."""

import math
from fractions import Fraction

import pytest

from fdpedu.bounds import bound_with_fields_gini, bound_with_least_rows, entropy_increment
from fdpedu.claims.bounds import traps as topic
from fdpedu.claims.checking import Refuted


def test_the_report_s_own_ten_rows():
    """Nine rows against many: the tenth is worth almost 9, not 5/4."""
    topic.least_rows_tight(10, 10**6)
    assert bound_with_least_rows([[9, 0], [0, 10**6]], 10) > Fraction(8999, 1000)
    assert bound_with_least_rows([[10, 0], [0, 10**6]], 10) == 0
    assert bound_with_least_rows([[9, 0], [0, 10]], 10) == Fraction(90, 19)
    with pytest.raises(Refuted, match="changes it by -90/19"):
        topic.least_rows_of_one([[9, 0], [0, 10]], 10)


@pytest.mark.claim("non-empty-sides-or-nothing", "local-bound-with-least-rows")
def test_nothing_where_there_is_no_split():
    assert bound_with_least_rows([[5, 5], [0, 0]], 1) == Fraction(5, 2)
    assert bound_with_least_rows([[5, 5], [0, 0]], 1, none="zero") == 0
    for n in (1, 2, 50):
        topic.zero_tight(n)
    topic.non_empty_or_zero([[1, 1], [0, 0]])


@pytest.mark.claim("five-quarters-of-the-fields-gini")
def test_the_field_s_gini():
    assert bound_with_fields_gini([[99, 1]]) == Fraction(99, 50)
    topic.fields_gini([[1, 0], [0, 0]])
    with pytest.raises(Refuted, match="4/3"):
        topic.fields_gini([[0, 0], [2, 0]])


@pytest.mark.claim("lem-entropy")
def test_entropy():
    """2·ln 2, and 4·ln 4 − 3·ln 3 = ln(256/27); the law sees an increment that stays below a constant."""
    for n, value in ((1, math.log(4)), (3, math.log(256 / 27))):
        assert abs(float(entropy_increment(n)) - value) < 1e-14
    assert entropy_increment(10**9).upper - entropy_increment(10**9).lower < Fraction(1, 10**20)
    topic.entropy_grows(10**9)
