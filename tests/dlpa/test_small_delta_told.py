"""Discrete Gaussian shares from their source, what is refused and why, and where the search for the least ends."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.dlpa import (
    discrete_gaussian_shares,
    gaussian_sum_delta,
    gaussian_sum_distance,
    noise_map,
    noise_needed,
    small_delta,
)
from fdpedu.randomness import Rehearsal


def test_shares_come_from_the_source_that_was_given():
    """The same words give the same shares, other words other ones; no numbers are asked for by 0."""
    drawn = [discrete_gaussian_shares(3, 30, 40, Rehearsal(seed)) for seed in (1, 1, 2)]
    assert np.array_equal(drawn[0], drawn[1]) and not np.array_equal(drawn[0], drawn[2])
    assert drawn[0].shape == (3, 40) and discrete_gaussian_shares(3, 30, 0, Rehearsal(1)).shape == (3, 0)


def test_what_epsilon_has_to_be_more_than_is_told():
    twice = 2 * gaussian_sum_distance(5, 2).upper
    with pytest.raises(ValueError, match=f"about {float(twice):.3g}, got 1/1000000000"):
        gaussian_sum_delta("1/1000000000", 5, 2)
    assert gaussian_sum_delta(twice + Fraction(1, 100), 5, 2).upper < 1


def test_planning_begins_where_shares_may_begin():
    """A share's variance is at least 1/4; Skellam noise is looked for from 1/1000 on."""
    for shares in (1, 2, 20):
        assert noise_needed(20, "1/10", 1, n_shares=shares).gaussian == shares / 4
    assert noise_needed(20, "1/10", 1).skellam == 1e-3


def test_a_map_knows_how_many_shares_there_are():
    """More shares of one variance are further from one number, so they need more."""
    for shares in (1, 20):
        assert noise_map(5, ["1/1000"], [1], n_shares=shares) == [[noise_needed(5, "1/1000", 1, n_shares=shares)]]
    assert noise_needed(5, "1/1000", 1, n_shares=20).gaussian > 2 * noise_needed(5, "1/1000", 1, n_shares=1).gaussian


@pytest.mark.parametrize("threshold", [0.02, 1.7, 3.999, 4096.3])
def test_the_least_that_is_enough_is_found_to_a_millionth(threshold):
    found = small_delta._least(lambda x: x >= threshold, 0.01)
    assert threshold <= found <= threshold * (1 + 1.1e-6)
