"""Randomised response: the law of the shipped answers, and estimates without bias."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fdpedu.mechanisms as m
from fdpedu.claims.strategies import alphas
from fdpedu.exact import exp_enclosure
from fdpedu.mechanisms import randomised_response_pmf, response
from tests.support.both_ends import both_ends
from tests.support.truths import exp


@given(alphas, st.lists(st.integers(0, 50), min_size=2, max_size=5))
def test_estimates_are_unbiased(alpha, true):
    """Put in the expected reports, multiplied so that they are integers, and the true counts come out."""
    k = len(true)
    expected = [
        sum(n * m.randomised_response_pmf(a, t, alpha=alpha, categories=k) for t, n in enumerate(true))
        for a in range(k)
    ]
    scale = math.lcm(*(e.denominator for e in expected))
    estimates = m.estimate_counts([int(e * scale) for e in expected], alpha=alpha)
    assert [e / scale for e in estimates] == true


TENTHS = st.fractions(Fraction(1, 10), 4, max_denominator=20)


@given(TENTHS, st.integers(2, 9), st.sampled_from([8, 64, 300, 900]))
def test_the_step_of_a_response_is_known_to_the_last_bit(epsilon, categories, bits):
    """F(j) = (1 + jα)/(1 + (k−1)α), within two units of any number of bits, and 1 at the last answer."""
    law = response._offset_law(response.Rate.of(epsilon), categories)
    lower, upper = law.bounds(law.terms, bits)
    alpha = exp_enclosure(-epsilon, bits).lower
    assert (law.terms, law.last, len(lower), len(upper)) == (categories, categories - 1, categories, categories)
    for j, (low, high) in enumerate(zip(lower, upper, strict=True)):
        truth = (1 + j * alpha) / (1 + (categories - 1) * alpha) * 2**bits
        assert low - 1 <= truth <= high + 1 and high - low <= 2 and 0 <= low <= high <= 2**bits
    assert lower[-1] == upper[-1] == 2**bits


F = Fraction


@pytest.mark.parametrize("same", [True, False])
@pytest.mark.parametrize("categories", [2, 200])
@pytest.mark.parametrize("e", ["1/10", 3])
def test_both_ends_of_a_response_s_probability(e, categories, same):
    both_ends(
        lambda: randomised_response_pmf(1, int(same), e, categories=categories),
        lambda: (1 if same else exp(-F(e))) / (1 + (categories - 1) * exp(-F(e))),
        35,
    )
