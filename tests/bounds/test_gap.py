"""Theorem 7: what lies between the parties' best splits and a split of all rows."""

from fractions import Fraction

import pytest

from fdpedu.bounds import ImpurityGap, impurity_gap
from fdpedu.claims.bounds import gap as topic


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


def test_categories_may_go_left_in_any_company():
    assert impurity_gap([[[1, 0], [0, 1], [1, 0]]], [0, 2], ordered=False).impurity == 0
    with pytest.raises(ValueError, match="left"):
        impurity_gap([[[1, 0], [0, 1], [1, 0]]], [0, 2])
