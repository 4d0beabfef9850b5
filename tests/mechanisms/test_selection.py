"""Choosing a candidate: laws by other ways of summing, replayed bits, privacy, and what monotone utilities change."""

import math
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fdpedu.mechanisms as m
from fdpedu.claims.strategies import alphas
from tests.support.mechanisms import halves, has_law

SELECTIONS = [
    pytest.param(m.exponential, m.exponential_pmf, id="exponential"),
    pytest.param(m.permute_and_flip, m.permute_and_flip_pmf, id="permute-and-flip"),
    pytest.param(m.report_noisy_max, m.report_noisy_max_pmf, id="report-noisy-max"),
]


# Selection


@pytest.mark.claim("thm-permute-and-flip")
@settings(max_examples=30, deadline=None)
@given(alphas, st.lists(st.integers(0, 4), min_size=1, max_size=4))
def test_permute_and_flip_by_all_orders(alpha, utilities):
    """The integral formula is the average over all orders of the coins taken in that order."""
    coins = [alpha ** (max(utilities) - u) for u in utilities]
    law = [Fraction(0)] * len(utilities)
    for order in permutations(range(len(utilities))):
        left = Fraction(1, math.factorial(len(utilities)))
        for r in order:
            law[r] += left * coins[r]
            left *= 1 - coins[r]
    assert m.permute_and_flip_pmf(utilities, alpha=alpha) == law and sum(law) == 1


@pytest.mark.claim("thm-report-noisy-max")
@settings(max_examples=20, deadline=None)
@given(halves, st.lists(st.integers(0, 3), min_size=1, max_size=3))
def test_report_noisy_max_by_summing_all_noises(alpha, utilities):
    """The closed form is the sum over all geometric noises up to 12, and what lies beyond."""
    law, reach = [Fraction(0)] * len(utilities), 12
    for noises in product(range(reach + 1), repeat=len(utilities)):
        sums = [u + z for u, z in zip(utilities, noises, strict=True)]
        law[sums.index(max(sums))] += math.prod((1 - alpha) * alpha**z for z in noises)
    stated, beyond = m.report_noisy_max_pmf(utilities, alpha=alpha), 1 - sum(law)
    assert sum(stated) == 1 and all(p <= q <= p + beyond for p, q in zip(law, stated, strict=True))


@pytest.mark.parametrize(("draw", "pmf"), SELECTIONS)
@pytest.mark.parametrize("utilities", [[1, 0], [0, 2, 1], [1, 1, 0]])
def test_selection_from_replayed_bits(draw, pmf, utilities):
    """Each shipped selection has its stated law, with α given and with ε given (general and monotone)."""
    for options in ({"alpha": Fraction(1, 3)}, {"epsilon": 2}, {"epsilon": 1, "monotone": True}):
        law = pmf(utilities, **options)
        has_law(
            lambda tape, options=options: draw(utilities, rng=tape, **options),
            lambda r, law=law: law[r],
            words=3,
            most=Fraction(1, 3),
        )


@pytest.mark.parametrize(("draw", "pmf"), SELECTIONS)
@settings(max_examples=60, deadline=None)
@given(
    st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=20),
    st.lists(st.tuples(st.integers(0, 4), st.integers(-1, 1)), min_size=1, max_size=4),
)
def test_selection_is_private(draw, pmf, alpha, pairs):
    """For all utilities that differ by at most 1: the ratio is at most α⁻² (= e^ε); one-sided: at most α⁻¹ (= e^ε)."""
    before, change = zip(*pairs, strict=True)
    for steps, bound in ((change, alpha**-2), (tuple(abs(c) for c in change), alpha**-1)):
        after = [u + c for u, c in zip(before, steps, strict=True)]
        p, q = pmf(before, alpha=alpha), pmf(after, alpha=alpha)
        assert all(x <= bound * y and y <= bound * x for x, y in zip(p, q, strict=True))


@pytest.mark.claim("exponential-without-two")
@pytest.mark.parametrize(("draw", "pmf"), SELECTIONS)
def test_a_utility_that_is_not_monotone_needs_the_two(draw, pmf):
    """With half the noise, two utilities that move apart break the claim: two candidates are enough."""
    alpha = Fraction(1, 2)
    p, q = pmf([2, 0], alpha=alpha), pmf([1, 1], alpha=alpha)
    assert max(max(x / y, y / x) for x, y in zip(p, q, strict=True)) > 1 / alpha


@pytest.mark.claim("lem-permute-and-flip-dominates")
@settings(max_examples=100, deadline=None)
@given(alphas, st.lists(st.integers(0, 6), min_size=1, max_size=5))
def test_permute_and_flip_never_errs_more(alpha, utilities):
    """Its expected error is at most the exponential mechanism's, and so is the chance of each level of error."""
    flip, exp = m.permute_and_flip_pmf(utilities, alpha=alpha), m.exponential_pmf(utilities, alpha=alpha)
    assert m.expected_error(flip, utilities) <= m.expected_error(exp, utilities)
    for level in set(utilities):
        worse = [r for r, u in enumerate(utilities) if u < level]
        assert sum(flip[r] for r in worse) <= sum(exp[r] for r in worse)


def test_monotone_and_sensitivity_set_the_base():
    """α = e^{−ε/(2Δ)}, and e^{−ε/Δ} for monotone utilities: twice the ε, or half the Δ, is the same law."""
    law = m.exponential_pmf([0, 3, 1], 1)
    for same in (
        {"epsilon": 2, "sensitivity": 2},
        {"epsilon": "1/2", "monotone": True},
        {"epsilon": "1/4", "sensitivity": "1/4"},
    ):
        assert m.exponential_pmf([0, 3, 1], **same) == law
    two = m.exponential_pmf([1, 0], 1)
    assert float((two[0] / two[1]).upper) == pytest.approx(math.exp(0.5), rel=1e-12)
