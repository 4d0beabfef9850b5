"""Laws to the last bit: however many bits of a distribution function are asked for, they are there, and right."""

from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fdpedu.exact import Rate, exp_enclosure
from fdpedu.sampling.coins import coin_law
from fdpedu.sampling.digits import geometric_digit_law, geometric_law, two_sided_law
from fdpedu.sampling.law import finite_law
from fdpedu.sampling.polya_weights import NegativeBinomialWeights, coefficient, multiplied_out

BITS = st.sampled_from([8, 32, 64, 300, 900])
RATES = st.fractions(Fraction(1, 10**7), 9, max_denominator=10**7)


def require_known(law, truths, bits, units=2):
    """lower ≤ 2^bits·F(k) ≤ upper for every k, no more than some units apart, and none decreasing."""
    lower, upper = law.bounds(len(truths), bits)
    assert len(lower) >= len(truths) <= len(upper)
    for low, high, truth in zip(lower, upper, truths, strict=False):
        assert low - Fraction(1, 10**9) <= truth * 2**bits <= high + Fraction(1, 10**9)
        assert high - low <= units and 0 <= low <= high <= 2**bits
    assert lower == sorted(lower) and upper == sorted(upper)


@settings(max_examples=40, deadline=None)
@given(RATES, st.integers(1, 1023), st.integers(1, 9), BITS)
@example(Fraction(1, 2**40), 1, 9, 900)
def test_a_geometric_law_is_known_to_the_last_bit(rate, stride, n, bits):
    """F(k) = 1 − β^{k+1} with β = e^{−rate·stride}."""
    truths = [1 - exp_enclosure(-rate * stride * (k + 1), 400).lower for k in range(n)]
    require_known(geometric_law(Rate(rate=rate), stride), truths, bits)


@settings(max_examples=40, deadline=None)
@given(RATES, st.integers(1, 1023), st.integers(2, 9), BITS)
@example(Fraction(1, 2**40), 1, 9, 900)
def test_a_digit_s_law_is_known_to_the_last_bit(rate, stride, base, bits):
    """F(k) = (1 − β^{k+1})/(1 − β^base), and 1 at the last digit."""
    powers = [exp_enclosure(-rate * stride * k, 400).lower for k in range(1, base + 1)]
    law = geometric_digit_law(Rate(rate=rate), stride, base)
    assert (law.terms, law.last) == (base, base - 1)
    require_known(law, [(1 - power) / (1 - powers[-1]) for power in powers], bits)
    assert [ends[-1] for ends in law.bounds(base, bits)] == [2**bits] * 2


@settings(max_examples=40, deadline=None)
@given(RATES, st.integers(1, 1023), st.integers(1, 9), BITS)
@example(Fraction(1, 2**40), 1, 9, 900)
def test_a_two_sided_law_is_known_to_the_last_bit(rate, stride, n, bits):
    """0, −1, 1, −2, …: g ≥ 0 has (1−β)β^g/(1+α), and −1−g has α times that."""
    alpha, beta = (exp_enclosure(-x, 400).lower for x in (rate, rate * stride))
    masses = [(1 - beta) * beta ** (i // 2) / (1 + alpha) * (alpha if i % 2 else 1) for i in range(n)]
    require_known(two_sided_law(Rate(rate=rate), stride), [sum(masses[: i + 1]) for i in range(n)], bits)


@given(st.fractions(0, 9), BITS)
def test_a_coin_s_law_is_known_to_the_last_bit(gamma, bits):
    law = coin_law(lambda digits: exp_enclosure(-gamma, digits))
    require_known(law, [exp_enclosure(-gamma, 400).lower, Fraction(1)], bits)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=6).filter(any), BITS)
def test_a_finite_law_is_known_to_the_last_bit(weights, bits):
    truths = [Fraction(sum(weights[: k + 1]), sum(weights)) for k in range(len(weights))]
    require_known(finite_law(weights), truths, bits, units=1)


# Weights


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 400), st.integers(1, 50), st.sampled_from([3, 12, 40, 75, 81, 150]))
@example(64, 3, 80)
@example(65, 3, 80)
@example(65, 3, 81)
def test_coefficients_have_the_digits_that_are_asked_for(k, m, digits):
    """Γ(k+1/m)/(k!·Γ(1/m)) is the product of (i − 1 + 1/m)/i; multiplied out, or by Stirling's series."""
    truth = Fraction(1)
    for i in range(1, k + 1):
        truth *= Fraction(1 + (i - 1) * m, i * m)
    for found in (coefficient(k, m, digits), multiplied_out(k, m, digits)):
        assert found.lower <= truth <= found.upper and found.upper - found.lower <= truth / 10**digits


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 200), st.integers(1, 9), RATES, st.sampled_from([3, 40, 70]))
def test_weights_have_the_digits_that_are_asked_for(k, m, rate, digits):
    """Pr[k] ∝ c(k)·e^{−rate·k}."""
    found = NegativeBinomialWeights(Rate(rate=rate), m).enclosure(k, digits)
    exact = multiplied_out(k, m, 200)
    power = exp_enclosure(-rate * k, 200)
    assert found.lower <= exact.upper * power.upper and exact.lower * power.lower <= found.upper
    assert found.upper - found.lower <= 2 * found.upper / 10**digits


@pytest.mark.parametrize("m", [1, 2, 7])
def test_a_first_weight_is_one(m):
    assert coefficient(0, m, 20).lower == coefficient(0, m, 20).upper == 1
