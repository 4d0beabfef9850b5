"""Zero-concentrated privacy: conversions are inverse, the best order, and narrow; roots and curves to the unit."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import gaussian_to_zcdp, rdp_gaussian, rdp_to_epsilon, zcdp_to_delta, zcdp_to_epsilon
from fdpedu.accounting.concentrated import _phi, _psi, _root
from fdpedu.accounting.lattice import decay
from fdpedu.exact import Enclosure

deltas = st.sampled_from([Fraction(1, 10**15), Fraction(1, 10**6), Fraction(1, 100), Fraction(1, 3), Fraction(9, 10)])


@settings(max_examples=60, deadline=None)
@given(st.fractions(Fraction(1, 1000), 30, max_denominator=1000), deltas, st.fractions(Fraction(1, 99), 40))
def test_the_tight_conversion_is_the_best_order(rho, delta, u):
    """No order does better than the lower end, the two functions are inverse, and the enclosures are narrow."""
    found, order = zcdp_to_epsilon(rho, delta), 1 + u
    by_order = rdp_to_epsilon({order: order * rho}, delta)
    assert found.lower <= by_order.upper and found.upper - found.lower < Fraction(1, 10**20)
    assert rdp_to_epsilon(lambda a: Enclosure.exactly(a * rho), delta).lower <= found.upper * 11 / 10 + Fraction(1, 20)
    if found.lower > 0:
        back = zcdp_to_delta(rho, found.upper)
        assert back.lower <= delta * (1 + Fraction(1, 10**12)) and delta <= back.upper * (1 + Fraction(1, 10**12))


def test_gaussian_is_zcdp_with_equality():
    assert rdp_gaussian("7/2", 3, 2, 5) == Enclosure.exactly(5 * Fraction(7, 2) * gaussian_to_zcdp(3, 2))


def test_one_is_the_sensitivity_that_nobody_states():
    for sigma in (1, "1/3", 40):
        assert gaussian_to_zcdp(sigma) == gaussian_to_zcdp(sigma, 1) == gaussian_to_zcdp(sigma, 2) / 4


@pytest.mark.parametrize("rho", [1, 100, 1000])
def test_a_delta_is_a_probability(rho):
    found = zcdp_to_delta(rho, 0)
    assert Fraction(1, 2) < found.lower <= found.upper <= 1


@given(st.fractions(Fraction(1, 10**9), 10**9))
def test_a_root_is_known_to_a_unit(x):
    """From 1 on a unit is 10⁻⁶⁰."""
    found = _root(x)
    assert found.lower**2 <= x <= found.upper**2
    assert found.upper - found.lower <= Fraction(1, 10**60) * max(1, found.upper) * min(1, 2 * found.upper)


@pytest.mark.parametrize("u", [8, 12, 2**20, Fraction(1, 2**9), Fraction(3, 2**9)])
@pytest.mark.parametrize("rho", [Fraction(1, 1000), Fraction(1, 2), 3])
def test_a_curve_is_enclosed_where_the_search_meets_it(rho, u):
    """The ε of an order that is tried, to more digits than the search has: it cannot say on which side that lies."""
    middle = (_phi(Fraction(rho), Fraction(u)).lower + _phi(Fraction(rho), Fraction(u)).upper) / 2
    if 0 < middle <= 1000:
        found, truth = zcdp_to_delta(rho, middle), _psi(Fraction(rho), Fraction(u))
        assert found.lower <= decay(truth.lower).upper and decay(truth.upper).lower <= found.upper
        assert found.lower < found.upper <= 1


def test_the_search_goes_as_far_as_it_must():
    """δ so close to 1 that the order is 10⁻¹³⁰⁰ above 1."""
    found = zcdp_to_epsilon("1/2", 1 - Fraction(1, 10**1300))
    assert found.lower == found.upper == 0
