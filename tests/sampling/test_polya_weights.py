"""The weights of Pólya's law are enclosed to as many digits as are asked for."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fdpedu.exact import Rate, exp_enclosure, log_enclosure
from fdpedu.sampling.polya_weights import (
    NegativeBinomialWeights,
    bernoulli,
    coefficient,
    multiplied_out,
    product,
    stirling,
)
from tests.support.both_ends import both_ends
from tests.support.truths import dec, exp, ln, log_gamma_rest, rising

RATES = st.fractions(Fraction(1, 10**7), 9, max_denominator=10**7)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 400), st.integers(1, 50), st.sampled_from([1, 3, 12, 40, 75, 81, 150]))
@example(64, 3, 80)
@example(65, 3, 80)
@example(65, 3, 81)
def test_coefficients_have_the_digits_that_are_asked_for(k, m, digits):
    """Γ(k+1/m)/(k!·Γ(1/m)) is the product of (i − 1 + 1/m)/i; multiplied out, or by Stirling's series."""
    truth = rising(k, m)
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


def test_stirlings_series_is_that_of_gamma():
    """At integers lnΓ is a sum of logarithms, so two values of s(x) differ by what that says; B_12 is −691/2730."""
    assert bernoulli(12) == Fraction(-691, 2730) and bernoulli(7) == 0

    def remainder(x):  # lnΓ(x) − (x−½)·ln x + x
        return (
            log_enclosure(Fraction(math.factorial(x - 1)), 60)
            - log_enclosure(Fraction(x), 60) * (x - Fraction(1, 2))
            + x
        )

    for x, y in ((64, 65), (64, 200), (90, 91)):
        stated = stirling(Fraction(x), 50) - stirling(Fraction(y), 50)
        truth = remainder(x) - remainder(y)
        assert stated.lower <= truth.upper and truth.lower <= stated.upper
        assert stated.upper - stated.lower < Fraction(1, 10**49)


@pytest.mark.parametrize("x", [*range(64, 100, 3), 1000])
def test_stirlings_series_is_cut_where_it_is_said(x):
    """After as many decimal places as are asked for, and it gets there."""
    for digits in range(1, 86):
        found = stirling(Fraction(2 * x + 1, 2), digits)
        assert 0 < found.upper - found.lower < Fraction(1, 10**digits)


def test_no_values_have_no_weights():
    found = NegativeBinomialWeights(Rate.of(alpha="1/3"), 4).log(np.array([], dtype=np.int64))
    assert found.shape == (0,) and found.dtype == np.float64


def test_the_product_of_nothing_is_one():
    found = product()
    assert found.lower == found.upper == 1 and {type(found.lower), type(found.upper)} == {Fraction}


# --- both ends, against decimals of 130 digits and more ---------------------------------------------------------------


@pytest.mark.parametrize(("k", "m"), [(1, 2), (64, 3), (65, 3), (300, 40), (1025, 2)])
def test_both_ends_of_a_weight(k, m):
    weights = NegativeBinomialWeights(Rate.of(epsilon="1/7"), m)
    both_ends(lambda: coefficient(k, m, 70), lambda: dec(rising(k, m)), 66)
    both_ends(lambda: multiplied_out(k, m, 90), lambda: dec(rising(k, m)), 87)
    both_ends(lambda: weights.enclosure(k, 60), lambda: dec(rising(k, m)) * exp(-Fraction(k, 7)), 56)


@pytest.mark.parametrize("x", [64, 200, 1025])
def test_both_ends_of_stirlings_series(x):
    both_ends(lambda: stirling(Fraction(x), 80), lambda: log_gamma_rest(x), 70)


def test_both_ends_of_a_product():
    both_ends(lambda: product(exp_enclosure(Fraction(-3)), log_enclosure(Fraction(5))), lambda: exp(-3) * ln(5), 36)
