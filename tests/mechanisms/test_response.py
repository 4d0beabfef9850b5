"""Randomised response: the law of the shipped answers, and estimates without bias."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fdpedu.mechanisms as m
from fdpedu.claims.mechanisms import laws_response as law
from fdpedu.claims.strategies import alphas
from tests.support.mechanisms import halves, slow

# The others


@pytest.mark.claim("thm-randomised-response")
@slow
@given(halves, st.integers(2, 4))
def test_randomised_response(alpha, categories):
    """The shipped law is the stated one; it adds up to 1, and its worst ratio is exactly e^ε = 1/α."""
    law.ratios(categories, alpha)
    for truth in range(categories):
        law.replayed(truth, {"alpha": alpha, "categories": categories}, 3)


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
