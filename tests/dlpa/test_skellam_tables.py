"""Where a table of Skellam numbers ends: what lies beyond is bounded, what lies within is known to many digits."""

import math
from fractions import Fraction

import pytest
from scipy.special import ive

from fdpedu.dlpa import skellam_delta, skellam_loss, skellam_pmf


def end_of_table(variance):
    """Seventeen standard deviations and sixty more."""
    return math.ceil(17 * math.sqrt(variance)) + 60


@pytest.mark.parametrize("variance", [1000, 10**4, 10**6])
def test_what_lies_beyond_a_table_is_bounded_by_the_sum_of_all_of_it(variance):
    """Pr[k] = e^{−σ²}·I_k(σ²), by an independent library's scaled Bessel function of the first kind."""
    last = end_of_table(variance)
    beyond = sum(float(ive(k, variance)) for k in range(last + 1, last + 20 * math.isqrt(variance)))
    for k in (last + 1, last + 2, 10 * last):
        found = skellam_pmf(k, variance)
        assert found.lower == 0 and beyond <= float(found.upper) * (1 + 1e-9) <= 1.2 * beyond + 1e-76


@pytest.mark.parametrize("variance", [10**4, 10**6])
def test_within_a_table_all_probabilities_are_known(variance):
    for k in range(0, end_of_table(variance) + 1, 97):
        found = skellam_pmf(k, variance)
        assert 0 < found.lower and found.upper - found.lower < found.lower / 10**6
    last = skellam_pmf(end_of_table(variance), variance)
    assert 0 < last.lower and last.upper - last.lower < last.lower / 10**6


def test_no_probability_is_less_than_none():
    """At ε = 1000 and σ = 1000 no output that a table has is worth ε, so δ is what lies beyond, and at least 0."""
    found = skellam_delta(1000, 10**6)
    assert found.lower == 0 and 0 < found.upper < Fraction(1, 10**60)


def test_the_largest_variance_of_a_table_of_losses():
    assert skellam_loss(10**5, step=1).epsilon(Fraction(1, 10**6)).upper < 1
    with pytest.raises(ValueError, match=r"variance must be from 1 to 10\*\*5"):
        skellam_loss(10**5 + 1)
