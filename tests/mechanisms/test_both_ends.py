"""Both ends of what the mechanisms enclose, against values that are computed another way."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.mechanisms import (
    count_interval,
    discrete_gaussian_delta,
    discrete_gaussian_pmf,
    discrete_laplace_pmf,
    discrete_laplace_tail,
    expected_error,
    exponential_pmf,
    leaf_error_constant,
    permute_and_flip_pmf,
    randomised_response_pmf,
    report_noisy_max_pmf,
    snapped_laplace_pmf,
)
from tests.support.both_ends import both_ends
from tests.support.truths import choice, error, exp, gaussian_sum, leaf_constant, snapped

F = Fraction


@pytest.mark.parametrize(("e", "s", "k"), [("1/100", 1, 0), ("1/2", 3, -7), (4, 1, 5), ("1/100", 1, 2**19)])
def test_discrete_laplace(e, s, k):
    """The probability of a value, and that of its tail."""
    a = F(e) / s
    both_ends(
        lambda: discrete_laplace_pmf(k, e, sensitivity=s), lambda: (1 - exp(-a)) / (1 + exp(-a)) * exp(-a * abs(k)), 35
    )
    both_ends(
        lambda: discrete_laplace_tail(abs(k), e, sensitivity=s),
        lambda: 2 * exp(-a * (abs(k) + 1)) / (1 + exp(-a)),
        35,
    )


@settings(max_examples=max(20, settings().max_examples // 2), deadline=None)
@given(st.fractions(F(1, 50), 3, max_denominator=50), st.integers(65, 2000))
def test_the_tail_of_any_budget(e, k):
    both_ends(lambda: discrete_laplace_tail(k, e), lambda: 2 * exp(-(k + 1) * e) / (1 + exp(-e)), 35)


@pytest.mark.parametrize(("e", "simultaneous"), [("1/3", 1), ("1/50", 7)])
def test_the_coverage_of_an_interval(e, simultaneous):
    """1 − the tail: both ends, and not less than was asked for."""
    found = count_interval(40, e, confidence="0.99", simultaneous=simultaneous)
    both_ends(lambda: found.coverage, lambda: 1 - 2 * exp(-F(e) * (found.half_width + 1)) / (1 + exp(-F(e))), 30)
    assert found.coverage.lower >= F(99, 100)


@pytest.mark.parametrize("same", [True, False])
@pytest.mark.parametrize("categories", [2, 200])
@pytest.mark.parametrize("e", ["1/10", 3])
def test_randomised_response(e, categories, same):
    both_ends(
        lambda: randomised_response_pmf(1, int(same), e, categories=categories),
        lambda: (1 if same else exp(-F(e))) / (1 + (categories - 1) * exp(-F(e))),
        35,
    )


@pytest.mark.parametrize(
    ("k", "value", "e", "grid"),
    [(0, 0, 1, 2), (3, "1/3", "1/2", "1/4"), (-9, "5/2", 2, 1), (0, "1/2", "1/10", 1), (200, 3, 1, 1)],
)
def test_snapped_laplace(k, value, e, grid):
    both_ends(lambda: snapped_laplace_pmf(k, value, e, grid=grid), lambda: snapped(k, value, e, grid), 35)


@pytest.mark.parametrize(
    ("rho", "s", "k"),
    [("1/2", 1, 0), ("1/50", 1, 7), ("1/50", 3, -60), (8, 1, 1), ("1/2000000", 1, 900), ("1/20000", 1, 0)],
)
def test_discrete_gaussian(rho, s, k):
    v = F(s * s) / (2 * F(rho))
    both_ends(
        lambda: discrete_gaussian_pmf(k, rho, sensitivity=s), lambda: exp(-F(k * k) / (2 * v)) / gaussian_sum(v), 35
    )


@pytest.mark.parametrize(("e", "rho"), [(1, "1/2"), (0, "1/18"), ("1/3", "1/50"), (3, "1/8")])
def test_delta_of_the_discrete_gaussian(e, rho):
    v = 1 / (2 * F(rho))
    m = math.ceil(F(1, 2) - F(e) * v) - 1
    both_ends(
        lambda: discrete_gaussian_delta(e, rho),
        lambda: (gaussian_sum(v, -m) - exp(F(e)) * gaussian_sum(v, 1 - m)) / gaussian_sum(v),
        35,
    )


@pytest.mark.parametrize(("utilities", "e"), [((5, 3, 5, -2), "1/3"), ((0, 7, 2), 2)])
@pytest.mark.parametrize(
    ("rule", "pmf"),
    {
        "exponential": lambda u, e: exponential_pmf(u, e),
        "permute and flip": lambda u, e: permute_and_flip_pmf(u, e),
        "report noisy max": lambda u, e: report_noisy_max_pmf(u, e),
    }.items(),
)
def test_choices(rule, pmf, utilities, e):
    """The probability of each candidate, and the expected error."""
    for r in range(len(utilities)):
        both_ends(lambda r=r: pmf(utilities, e)[r], lambda r=r: choice(utilities, e, rule)[r], 55)
    both_ends(
        lambda: expected_error(pmf(utilities, e), utilities), lambda: error(choice(utilities, e, rule), utilities), 55
    )


@pytest.mark.parametrize(("classes", "digits"), [(2, 37), (3, 4), (30, 4)])
def test_the_constant_of_leaves(classes, digits):
    both_ends(lambda: leaf_error_constant(classes), lambda: exp(-1) if classes == 2 else leaf_constant(classes), digits)
