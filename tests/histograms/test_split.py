"""Algorithm 2 by secure sums: the impurity of all parties' rows."""

from fractions import Fraction

import pytest

from fdpedu.histograms import summed_impurity
from fdpedu.secure_sum import pairwise_keys


def test_parties_without_rows_on_a_side():
    """Where Algorithm 2 as printed divides by 0; without rows it is 0; the largest counts are not reduced."""
    assert summed_impurity([[2, 1], [0, 0]], [[0, 1], [0, 4]]) == Fraction(1, 12)
    assert summed_impurity([[0, 0]], [[0, 0]]) == 0 and summed_impurity([[0]], [[7]]) == 0
    most = [[2**40, 0, 2**40]] * 3
    assert summed_impurity(most, most) == Fraction(1, 4)


def test_the_given_keys_are_used_once():
    keys = pairwise_keys(2)
    assert summed_impurity([[1, 0], [1, 0]], [[0, 1], [0, 1]], keys=keys) == 0
    with pytest.raises(ValueError):
        summed_impurity([[1, 0], [1, 0]], [[0, 1], [0, 1]], keys=keys)
