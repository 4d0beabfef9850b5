"""Whole counts from the top down: shares of wishes, sums that are kept, numbers of any kind."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.histograms import consistent_totals, round_with_sums
from fdpedu.histograms.rounding import project, share_out


@pytest.mark.claim("lem-rounding-with-sums")
@pytest.mark.parametrize(
    ("wishes", "total", "shares"),
    [
        (["1/2", "1/2", "1/2", "1/2"], 2, [1, 1, 0, 0]),  # ties go to the first
        (["5/2", "5/2", -3], 5, [3, 2, 0]),
        ([-1, -2], 0, [0, 0]),
        ([-1, -2], 3, [2, 1]),
        ([0], 7, [7]),
        ([9, 0, 0], 0, [0, 0, 0]),
        (["4/3", "4/3", "4/3"], 4, [2, 1, 1]),
        (["1/3", "2/3"], 1, [0, 1]),
        ([2, 0, "1/2"], 2, [2, 0, 0]),
    ],
)
def test_shares_by_hand(wishes, total, shares):
    assert share_out([Fraction(wish) for wish in wishes], total) == shares


@pytest.mark.parametrize(
    ("root", "whole"), [(2.5, 3), (-0.5, 0), (-7, 0), (0.49, 0), (0.5, 1), (2**62, 2**62), (-(2**62), 0)]
)
def test_the_root_goes_to_the_nearest_integer_and_half_goes_up(root, whole):
    assert round_with_sums([-1], [root]).tolist() == [whole]
    assert round_with_sums([-1, 0], [[root, 1], [0, 0]]).tolist() == [[whole, 1]] * 2


def test_floats_are_the_fractions_that_they_are():
    """Of 0.1 and 0.2 the sum is not 0.3 as floats: the third, 0.3, has the smaller remainder by a little."""
    assert round_with_sums([-1, 0, 0], np.array([1.0, 0.5, 0.5 - 2**-54])).tolist() == [1, 1, 0]
    assert round_with_sums([-1, 0, 0], np.array([1.0, 0.5 - 2**-54, 0.5])).tolist() == [1, 0, 1]
    assert project([Fraction(1, 3), Fraction(1, 3)], 1) == [Fraction(1, 2)] * 2


def test_numbers_of_any_kind_are_rounded():
    """Integers of NumPy among fractions, floats of one word, unsigned integers: all as the numbers that they are."""
    mixed = [[Fraction(7, 2), np.int64(1)], [np.float64(2.5), 1], [1, Fraction(0)]]
    assert round_with_sums([-1, 0, 0], mixed).tolist() == [[4, 1], [3, 1], [1, 0]]
    far = [[Fraction(2**62)], [np.int64(2**62)], [np.int64(-(2**62))]]
    assert round_with_sums([-1, 0, 0], far).tolist() == [[2**62], [2**62], [0]]
    assert round_with_sums([-1, 0, 0], np.array([4.5, 2.5, 2], dtype=np.float32)).tolist() == [5, 3, 2]
    assert round_with_sums([-1, 0], np.array([2**62, 7], dtype=np.uint64)).tolist() == [2**62] * 2
    assert consistent_totals([-1, 0, 0], np.array([7, 3, 1], dtype=np.uint8), [1, 1, 1]).tolist() == [6, 4, 2]


def test_each_of_six_classes_is_rounded_for_itself():
    table = np.random.default_rng(1).normal(5, 4, (7, 6))
    parents = [-1, 0, 0, 1, 1, 2, 2]
    alone = [round_with_sums(parents, table[:, c]).tolist() for c in range(6)]
    assert alone == round_with_sums(parents, table).T.tolist()
