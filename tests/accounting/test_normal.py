"""Tails of the normal distribution: against SciPy, far out, and their series to the unit."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting.normal import _ONE, _series, normal_tail


@settings(max_examples=60, deadline=None)
@given(st.fractions(-12, 12, max_denominator=97))
def test_normal_tail(z):
    from scipy.stats import norm

    found = normal_tail(z)
    assert float(found) == pytest.approx(norm.sf(float(z)), rel=1e-9) and found.upper - found.lower < Fraction(
        1, 10**30
    )


def test_normal_tails_far_out():
    """Beyond 20 deviations a tail is below 10⁻⁸⁰, and e^{−z²/2}/z√(2π) is above it; at 20 it is still a series."""
    for z in (Fraction(201, 10), Fraction(50)):
        found = normal_tail(z)
        assert 0 == found.lower <= math.exp(-(float(z) ** 2) / 2) < found.upper <= Fraction(1, 10**80)
        assert normal_tail(-z).upper == 1 and normal_tail(-z).lower == 1 - found.upper
    assert 0 <= normal_tail(Fraction(20)).lower and normal_tail(Fraction(20)).upper < Fraction(1, 10**35)


@pytest.mark.parametrize("z", [Fraction(1, 2**20), Fraction(1, 2**58), Fraction(3, 2**60), Fraction(1, 8), Fraction(3)])
def test_a_series_for_the_normal_law_is_enclosed_to_the_unit(z):
    """z + z³/3 + z⁵/(3·5) + …, in units of 2⁻¹⁷⁶; what is left out is twice its first term, of 2²⁴ units at most."""
    truth, term, odd, terms = Fraction(0), z, 1, []
    while term > Fraction(1, 2**260):
        truth, odd, terms = truth + term, odd + 2, [*terms, term * _ONE]
        term = term * z**2 / odd
    low, high = _series(z)
    assert low <= truth * _ONE < (truth + 2 * term) * _ONE < high + 1
    left_out = next(unit for unit in terms if unit <= 2**24)
    assert high - low <= 2 * left_out + 2 * len(terms) + 4
