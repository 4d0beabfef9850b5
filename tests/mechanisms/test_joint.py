"""Draws are independent: across cells, calls, tiles; and a sensitivity changes the rate, nothing else."""

from fractions import Fraction

import pytest

from fdpedu.claims.mechanisms import laws_joint as joint
from fdpedu.claims.mechanisms import laws_streams as streams
from fdpedu.mechanisms import discrete_gaussian_pmf


@pytest.mark.claim("thm-discrete-laplace")
def test_three_cells_of_a_column():
    joint.counts(((0,), (1,), (9,)), 1, {"alpha": "1/15"}, 4)


@pytest.mark.claim("thm-randomised-response")
def test_three_persons():
    joint.answers((0, 1, 1), 1, {"categories": 2, "alpha": "1/3"}, 4)


@pytest.mark.claim("thm-alias-table")
def test_three_numbers_of_the_residual():
    joint.weighted((1, 1, 1), 3, 1, 2, 2, 7, False)


@pytest.mark.claim("thm-permute-and-flip")
def test_coins_of_candidates_that_differ():
    joint.coins_of_candidates((0, 1, 2), 1, 5)


@pytest.mark.parametrize("name", streams.VECTORS)
def test_each_number_has_its_own_words(name):
    streams.own_words(name, 77)


@pytest.mark.parametrize("name", streams.LONG)
@pytest.mark.parametrize("size", [1200, 70_400])
def test_a_long_draw_does_not_repeat(name, size):
    streams.long_draw(name, size)


@pytest.mark.parametrize("name", streams.SCALED)
def test_a_sensitivity_divides_the_rate(name):
    streams.same_words(name, Fraction(5, 2), 7)


@pytest.mark.claim("thm-discrete-gaussian")
@pytest.mark.parametrize("sigma", [300, 400, 2000, 6000])
def test_the_sum_below_the_law_is_found_for_every_sigma_that_is_promised(sigma):
    """1/σ√(2π) to more digits than a float has: the sum differs from its integral by 2e^(−2π²σ²) of it."""
    top = discrete_gaussian_pmf(0, "1/2", sensitivity=sigma)
    assert abs(float(top) * sigma * 2.5066282746310002 - 1) < 1e-14
    assert top.upper - top.lower < Fraction(1, 10**50)


@pytest.mark.parametrize("name", streams.SHIFTED)
@pytest.mark.parametrize("shift", [7, -(2**40), 2**60 + 3])
def test_noise_does_not_depend_on_the_value(name, shift):
    streams.same_noise(name, shift)
