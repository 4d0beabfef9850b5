"""Choosing a candidate: laws by other ways of summing, replayed bits, privacy, and what monotone utilities change."""

import math
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fdpedu.mechanisms as m
from fdpedu.claims.checking import Refuted
from fdpedu.claims.mechanisms import laws_selection as law
from fdpedu.claims.mechanisms.laws_errors import dominates
from fdpedu.claims.strategies import alphas
from tests.support.mechanisms import halves


@pytest.mark.claim("thm-permute-and-flip")
@settings(max_examples=30, deadline=None)
@given(alphas, st.lists(st.integers(0, 4), min_size=1, max_size=4))
def test_permute_and_flip_by_all_orders(alpha, utilities):
    """The integral formula is the average over all orders of the coins taken in that order."""
    law.orders(tuple(utilities), alpha)


@pytest.mark.claim("thm-report-noisy-max")
@settings(max_examples=20, deadline=None)
@given(halves, st.lists(st.integers(0, 3), min_size=1, max_size=3))
def test_report_noisy_max_by_summing_all_noises(alpha, utilities):
    """The closed form is the sum over all geometric noises up to 12, and what lies beyond."""
    found, reach = [Fraction(0)] * len(utilities), 12
    for noises in product(range(reach + 1), repeat=len(utilities)):
        sums = [u + z for u, z in zip(utilities, noises, strict=True)]
        found[sums.index(max(sums))] += math.prod((1 - alpha) * alpha**z for z in noises)
    stated, beyond = m.report_noisy_max_pmf(utilities, alpha=alpha), 1 - sum(found)
    assert sum(stated) == 1 and all(p <= q <= p + beyond for p, q in zip(found, stated, strict=True))


@pytest.mark.parametrize("name", law.SAMPLERS)
@pytest.mark.parametrize("utilities", [[1, 0], [0, 2, 1], [1, 1, 0]])
def test_selection_from_replayed_bits(name, utilities):
    """Each shipped selection has its stated law, with α given and with ε given (general and monotone)."""
    for options in ({"alpha": Fraction(1, 3)}, {"epsilon": 2}, {"epsilon": 1, "monotone": True}):
        law.sampled(name, utilities, options, words=3, slack=Fraction(1, 3))


@pytest.mark.parametrize("name", law.PMFS)
@settings(max_examples=60, deadline=None)
@given(alphas, st.lists(st.tuples(st.integers(0, 4), st.integers(-1, 1)), min_size=1, max_size=4))
def test_selection_is_private(name, alpha, pairs):
    """For all utilities that differ by at most 1: the ratio is at most α⁻² (= e^ε); one-sided: at most α⁻¹ (= e^ε)."""
    before, moves = zip(*pairs, strict=True)
    law.private(name, before, moves, alpha, one_way=False)
    law.private(name, before, tuple(map(abs, moves)), alpha, one_way=True)


@pytest.mark.claim("exponential-without-two")
@pytest.mark.parametrize("name", law.PMFS)
def test_a_utility_that_is_not_monotone_needs_the_two(name):
    """With half the noise, two utilities that move apart break the claim: two candidates are enough."""
    with pytest.raises(Refuted, match=r"ε is 2$"):
        law.private(name, (2, 0), (-1, 1), Fraction(1, 2), one_way=True)


@pytest.mark.claim("lem-permute-and-flip-dominates")
@settings(max_examples=100, deadline=None)
@given(alphas, st.lists(st.integers(0, 6), min_size=1, max_size=5))
def test_permute_and_flip_never_errs_more(alpha, utilities):
    """Its expected error is at most the exponential mechanism's, and so is the chance of each level of error."""
    dominates(tuple(utilities), alpha)


@settings(deadline=None)
@given(alphas, st.lists(st.integers(0, 4), min_size=1, max_size=4))
def test_new_probabilities_after_each_tails_by_all_orders(alpha, utilities):
    """As described by Vos et al.: in every order, each coin has the weight's share among those that are left."""
    weights, n = [alpha ** (max(utilities) - u) for u in utilities], len(utilities)
    law_ = [Fraction(0)] * n
    for order in permutations(range(n)):
        mass = Fraction(1, math.factorial(n))
        for place, r in enumerate(order):
            coin = weights[r] / sum(weights[s] for s in order[place:])
            law_[r] += mass * coin
            mass *= 1 - coin
    assert m.permute_and_flip_as_described(utilities, alpha=alpha) == law_ and sum(law_) == 1


def test_monotone_and_sensitivity_set_the_base():
    """α = e^{−ε/(2Δ)}, and e^{−ε/Δ} for monotone utilities: twice the ε, or half the Δ, is the same law."""
    expected = m.exponential_pmf([0, 3, 1], 1)
    for same in (
        {"epsilon": 2, "sensitivity": 2},
        {"epsilon": "1/2", "monotone": True},
        {"epsilon": "1/4", "sensitivity": "1/4"},
    ):
        assert m.exponential_pmf([0, 3, 1], **same) == expected
    two = m.exponential_pmf([1, 0], 1)
    assert float((two[0] / two[1]).upper) == pytest.approx(math.exp(0.5), rel=1e-12)
