"""Each upper end is at least the same function at twice the digits, one order at a time; a lower end at most."""

from fractions import Fraction
from unittest import mock

from hypothesis import given
from hypothesis import strategies as st

from fdpedu.accounting import concentrated, renyi

SMALL = st.fractions(Fraction(1, 997), Fraction(61, 7), max_denominator=997)
DELTAS = SMALL.map(lambda x: x / 10**9)  # hardly ever short decimals
ORDERS = st.one_of(st.integers(2, 64).map(Fraction), st.fractions(Fraction(3, 2), 64, max_denominator=7))


def at_digits(module, digits, ask):
    with mock.patch.object(module, "_DIGITS", digits):
        return ask()


def require_nested(module, ask):
    few, many = at_digits(module, 20, ask), at_digits(module, 40, ask)
    assert few.lower <= many.lower <= many.upper <= few.upper


@given(SMALL, DELTAS, ORDERS)
def test_a_conversion_at_one_order(rho, delta, order):
    require_nested(renyi, lambda: renyi.rdp_to_epsilon({order: order * rho}, delta))


@given(SMALL, ORDERS)
def test_a_divergence_at_one_order(epsilon, order):
    require_nested(renyi, lambda: renyi.rdp_laplace(order, epsilon))


@given(SMALL, DELTAS)
def test_what_rho_promises(rho, delta):
    """Bracketing walks in steps, so an upper end at more digits may differ by a step, and is never above."""
    for ask in (concentrated.zcdp_to_epsilon, concentrated.zcdp_to_epsilon_classical):
        few, many = (at_digits(concentrated, digits, lambda ask=ask: ask(rho, delta)) for digits in (30, 60))
        assert many.upper <= few.upper and few.lower <= many.upper
    epsilon = concentrated.zcdp_to_epsilon(rho, delta).upper
    found = concentrated.zcdp_to_delta(rho, epsilon)
    assert found.lower <= delta


@given(SMALL, DELTAS, st.integers(2, 64))
def test_what_an_order_of_a_budget_adds(rho, delta, order):
    require_nested(concentrated, lambda: concentrated.epsilon_at(order, rho, rho / 1000, delta))
