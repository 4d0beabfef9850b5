"""Shares are independent across parties, cells and calls, and have the variance that is promised."""

from fractions import Fraction

import pytest

from fdpedu.claims.dlpa import laws_joint as joint


@pytest.mark.claim("thm-polya-shares")
def test_two_cells_of_three_parties_of_which_two_are_tolerated():
    joint.shares(3, 2, 5, 2, 1)


@pytest.mark.claim("lem-cycles")
def test_three_cells():
    joint.cycles(3, 15)


@pytest.mark.claim("thm-polya-shares")
@pytest.mark.parametrize("name", ["numbers", "share", "parties"])
def test_each_number_has_its_own_words(name):
    joint.shares_of_own_words(name, 77)


@pytest.mark.claim("thm-tolerate")
@pytest.mark.parametrize(("epsilon", "sensitivity", "n", "tolerate"), [("3/2", 5, 12, 3), ("1/1000", 1, 3, 0)])
def test_the_variance_is_the_promised_one(epsilon, sensitivity, n, tolerate):
    joint.divided_variance(Fraction(epsilon), sensitivity, n, tolerate, 40_000)
