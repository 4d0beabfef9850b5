"""Rényi divergences of Laplace and Gaussian releases against their integrals, at every order."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import rdp_gaussian, rdp_laplace
from fdpedu.claims.accounting import renyi as orders
from fdpedu.exact import exp_enclosure, log_enclosure

epsilons = st.fractions(Fraction(1, 50), 3, max_denominator=50)


@settings(max_examples=40, deadline=None)
@given(st.fractions(Fraction(11, 10), 60, max_denominator=10), epsilons)
def test_rdp_of_laplace_is_its_integral(order, epsilon):
    """The closed form against a midpoint sum of p^α q^{1−α}, and its bounds."""
    orders.laplace_bounds(order, epsilon)
    closed = rdp_laplace(order, epsilon)
    a, e = float(order), float(epsilon)
    n = 4000
    between = math.fsum(e / 2 * math.exp(-a * e * y - (1 - a) * e * (1 - y)) for y in ((i + 0.5) / n for i in range(n)))
    total = math.exp((a - 1) * e) / 2 + between / n + math.exp(-a * e) / 2
    assert float(closed) == pytest.approx(math.log(total) / (a - 1), rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("order", [2, "3/2", "11/10", 5, 64, "129/128", 7, 300])
def test_no_end_of_a_divergence_is_on_the_wrong_side(order):
    """ln(α/(2α−1)·e^{(α−1)ε} + (α−1)/(2α−1)·e^{−αε})/(α−1), to 400 digits."""
    a = Fraction(order)
    for epsilon in (Fraction(1, 3), Fraction(1), Fraction(7, 5), Fraction(1, 100)):
        found = rdp_laplace(order, epsilon)
        inside = a / (2 * a - 1) * exp_enclosure((a - 1) * epsilon, 400).lower
        inside += (a - 1) / (2 * a - 1) * exp_enclosure(-a * epsilon, 400).lower
        truth = log_enclosure(inside, 400).lower / (a - 1)
        assert found.lower < truth < found.upper


def test_a_gaussian_release_of_sensitivity_one_is_what_nobody_states():
    for order, sigma in ((2, 1), ("7/2", "1/3")):
        found = [rdp_gaussian(order, sigma, *more).lower for more in ((), (1,), (1, 1), (2,), (1, 4))]
        assert found[0] == found[1] == found[2] == found[3] / 4 == found[4] / 4


def test_the_least_order_is_a_billionth_above_one():
    step = Fraction(1, 10**9)
    assert rdp_gaussian(1 + step, 1).lower == (1 + step) / 2
    with pytest.raises(ValueError, match="order"):
        rdp_gaussian(1 + step * Fraction(999, 1000), 1)
