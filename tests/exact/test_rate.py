"""Powers of a rate and of an α, and where they end."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.exact import Enclosure, Rate, exp_enclosure
from tests.support.both_ends import both_ends
from tests.support.truths import exp, ln

positive = st.fractions(Fraction(1, 10**6), 50)
alphas = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20)


@given(positive, st.integers(1, 9), st.integers(0, 200), st.integers(5, 50))
def test_powers_of_a_rate(epsilon, sensitivity, exponent, digits):
    rate = Rate.of(epsilon=epsilon, sensitivity=sensitivity)
    assert rate == Rate(rate=epsilon / sensitivity)
    assert rate.power(exponent, digits) == exp_enclosure(-epsilon / sensitivity * exponent, digits)
    assert rate.weight(exponent) == rate.power(exponent) == rate.power(exponent, 40)
    assert float(rate) == float(epsilon / sensitivity)


@given(alphas, st.integers(0, 300), st.integers(5, 50))
def test_powers_of_an_alpha(alpha, exponent, digits):
    """Exact up to the exponent 64, beyond it as narrow as asked for; as a weight always exact."""
    rate = Rate.of(alpha=alpha)
    power, truth = rate.power(exponent, digits), alpha**exponent
    assert truth in power and rate.weight(exponent) == truth
    assert power.upper - power.lower <= (exponent > 64) * truth * Fraction(10) ** (2 - digits)
    assert float(rate) == pytest.approx(-math.log(alpha), rel=1e-14)
    if exponent <= 100:
        assert rate.power(exponent) == rate.power(exponent, 40)


def test_a_power_is_exact_up_to_64():
    assert Rate.of(alpha="2/3").power(64) == Enclosure.exactly(Fraction(2, 3) ** 64)


def test_where_weights_and_rates_end():
    """A weight has a million bits at most; a rate as a float is at most 10⁹."""
    assert Rate.of(alpha="1/2").weight(500_000) == Fraction(1, 2**500_000)
    assert float(Rate.of(epsilon=10**9 - 1)) == 10**9 - 1 and float(Rate.of(epsilon=10**400)) == 10**9


@pytest.mark.parametrize("k", [1, 64, 65, 2**20])
@pytest.mark.parametrize("epsilon", ["1/1000", "3/2"])
def test_both_ends_of_a_power(epsilon, k):
    rate = Rate.of(epsilon=epsilon)
    if Fraction(epsilon) * k < 20_000:
        for power in (rate.power, rate.weight):
            both_ends(lambda power=power: power(k), lambda: exp(-Fraction(epsilon) * k), 37)


@pytest.mark.parametrize("k", [64, 65, 1000, 10**5])
def test_both_ends_of_a_power_of_an_alpha(k):
    both_ends(
        lambda: Rate.of(alpha="9/10").power(k), lambda: Fraction(9, 10) ** k if k <= 64 else exp(k * ln("9/10")), 35
    )


@settings(max_examples=max(20, settings().max_examples // 2), deadline=None)
@given(
    st.fractions(Fraction(1, 50), 3, max_denominator=50),
    st.integers(65, 2000),
    st.integers(15, 60),
    st.fractions(Fraction(1, 97), Fraction(96, 97)),
)
def test_both_ends_of_any_power(epsilon, k, digits, alpha):
    power = Rate.of(alpha=alpha).power(k, digits)
    assert power.lower < alpha**k < power.upper and power.upper - power.lower < alpha**k / 10 ** (digits - 3)
    both_ends(lambda: Rate.of(epsilon=epsilon).power(k, digits), lambda: exp(-k * epsilon), digits - 4)
