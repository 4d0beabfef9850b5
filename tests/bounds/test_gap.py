"""Theorem 7: what lies between the parties' best splits and a split of all rows."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.bounds import ImpurityGap, impurity_gap
from fdpedu.claims.bounds import gap as topic


def tables(bins, classes):
    row = st.tuples(*[st.integers(0, 9)] * classes)
    return st.lists(st.lists(row, min_size=bins, max_size=bins), min_size=1, max_size=4)


@pytest.mark.claim("thm-impurity-lower-bound")
@given(st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(lambda shape: tables(*shape)), st.integers(0, 4))
def test_the_identity(parties, border):
    topic.identity(parties, range(min(border, len(parties[0]))), True)
    topic.identity(parties, {0, len(parties[0]) - 1}, False)


def test_by_hand():
    """Two parties, three classes: a side on which they differ, and a party with a better split than that of all."""
    one, other = [[2, 0, 0], [0, 0, 2]], [[0, 2, 0], [0, 0, 2]]
    assert impurity_gap([one, other], [0]) == ImpurityGap(Fraction(1), Fraction(0), Fraction(1), Fraction(0))
    assert impurity_gap([one], []) == ImpurityGap(Fraction(1), Fraction(0), Fraction(0), Fraction(1))
    assert impurity_gap([one], [0, 1]) == impurity_gap([one], [])
    assert impurity_gap([one, [[0, 0, 0]] * 2], [0]) == ImpurityGap(*[Fraction(0)] * 4)


def test_parties_of_unlike_sizes():
    """The variance counts rows: ten of one class beside one of another on the same side."""
    gap = impurity_gap([[[10, 0], [0, 0]], [[0, 1], [0, 0]]], [0])
    assert gap.between == gap.impurity == Fraction(10, 11) and gap.bound == gap.regret == 0
    topic.two_parties(10, 3, 1, 7)


@pytest.mark.claim("lem-concave-lower-bound")
def test_other_impurities():
    """Weights, parties without rows, errors, a score of three predictions, and entropy; the law sees what is convex."""
    half, third = Fraction(1, 2), Fraction(1, 3)
    parties = [[[half, 0, 2], [0, 1, 0]], [[0, 0, 0], [0, 0, 0]], [[third, 1, 0], [1, third, half]]]
    topic.concave(parties, [[0, half, 1], [1, third, 0], [half, half, half]])
    topic.entropy((3, 0, 1), (0, 2, 5))
    topic.entropy((0, 0), (0, 0))


def test_categories_may_go_left_in_any_company():
    assert impurity_gap([[[1, 0], [0, 1], [1, 0]]], [0, 2], ordered=False).impurity == 0
    with pytest.raises(ValueError, match="left"):
        impurity_gap([[[1, 0], [0, 1], [1, 0]]], [0, 2])
