"""Blocks drawn at once: powers and sums in integers, the law of the root, and what is drawn after it."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.exact import Rate
from fdpedu.mechanisms import draw_block, exponential_pmf
from fdpedu.mechanisms.blocks import Powers, Scaled, root_law
from fdpedu.randomness import Rehearsal, SystemSource

HALF, FIFTH = Rate.of(alpha="1/2"), Rate.of(epsilon="1/5")
LOSSES = st.lists(
    st.tuples(*(st.lists(st.integers(0, 40), min_size=1, max_size=4) for _ in range(2))), min_size=1, max_size=4
)


@given(st.integers(0, 5000), st.integers(20, 200))
def test_powers_hold_the_truth_within_two_units(exponent, scale):
    found = Powers(HALF, scale)(exponent)
    exact = Fraction(2) ** (scale - exponent)
    assert found.low <= exact <= found.high <= found.low + 3 and found.scale == scale


@given(st.integers(0, 5000))
def test_powers_of_an_epsilon_agree_with_finer_ones(exponent):
    coarse, fine = Powers(FIFTH, 60)(exponent), FIFTH.power(exponent, 80)
    assert coarse.low <= fine.upper * 2**60 and fine.lower * 2**60 <= coarse.high <= coarse.low + 3


def test_few_powers_are_worked_out():
    power = Powers(FIFTH, 80)
    for exponent in range(0, 20_000, 7):
        power(exponent)
    assert len(power._known) <= 1024 + 20


@given(st.lists(st.integers(0, 3000), max_size=9))
def test_sums_hold_the_truth(exponents):
    found = Powers(HALF, 64).sum(exponents)
    exact = sum((Fraction(2) ** (64 - k) for k in exponents), Fraction(0))
    assert found.low <= exact <= found.high <= found.low + 3 * len(exponents)


@given(st.integers(0, 2**70), st.integers(0, 9), st.integers(0, 2**70), st.integers(0, 9))
def test_products_hold_the_truth(a, more, b, other):
    found = Scaled(a, a + more, 64) * Scaled(b, b + other, 64)
    assert found.low * 2**64 <= a * b < (found.low + 1) * 2**64
    assert (found.high - 1) * 2**64 < (a + more) * (b + other) <= found.high * 2**64


@pytest.mark.claim("thm-block")
@settings(max_examples=50)
@given(LOSSES, st.sampled_from([8, 40, 90]))
def test_the_root_has_its_share_of_all_blocks(losses, bits):
    law = root_law(losses, HALF)
    weights = [sum(Fraction(1, 2) ** (a + b) for a in left for b in right) for left, right in losses]
    lower, upper = law.bounds(len(losses), bits)
    assert (law.terms, law.last) == (len(losses), len(losses) - 1)
    for k in range(len(losses)):
        exact = 2**bits * sum(weights[: k + 1]) / sum(weights)
        assert lower[k] <= exact <= upper[k] <= lower[k] + 2
    assert lower[-1] == upper[-1] == 2**bits


def test_losses_of_millions_of_rows_are_drawn_among():
    far = ([10**9, 10**9 + 5], [10**9])
    assert {draw_block([far, ([2 * 10**9 - 50], [0])], HALF, Rehearsal(k))[0] for k in range(20)} == {1}
    assert draw_block([far], FIFTH, Rehearsal(1)) in {(0, 0, 0), (0, 1, 0)}


@pytest.mark.claim("thm-block")
@pytest.mark.parametrize("rate", [Rate.of(alpha="2/3"), Rate.of(epsilon="2/5")])
def test_sides_are_drawn_after_the_root_each_by_its_own_losses(rate):
    """Chi-square with 7 degrees of freedom over 4,000 draws: beyond 45 with a probability below 2·10⁻⁷."""
    losses = [([3, 1], [2, 2, 5]), ([0], [4, 3])]
    alpha = float(rate.power(1).lower)
    weights = {
        (root, i, j): alpha ** (a + b)
        for root, (left, right) in enumerate(losses)
        for i, a in enumerate(left)
        for j, b in enumerate(right)
    }
    source, n = Rehearsal(11), 4000
    found = Counter(draw_block(losses, rate, source) for _ in range(n))
    assert set(found) <= set(weights)
    expected = {block: n * weight / sum(weights.values()) for block, weight in weights.items()}
    assert sum((found[block] - mean) ** 2 / mean for block, mean in expected.items()) < 45


def test_one_offer_a_side_is_taken_and_systems_words_are_the_default():
    assert draw_block([([7], [9])], HALF) == (0, 0, 0) == draw_block([([7], [9])], FIFTH, SystemSource())
    law = exponential_pmf([-1, -2], alpha="1/2")
    assert law == [Fraction(2, 3), Fraction(1, 3)]
    assert all(type(at) is int for at in draw_block([([1, 2], [3])], HALF, Rehearsal(1)))
    assert draw_block([(np.array([5]), np.array([1]))], HALF, Rehearsal(1)) == (0, 0, 0)


@pytest.mark.parametrize(
    ("losses", "rate", "words"),
    [
        ([], HALF, "losses must be of at least one root"),
        ([([1],)], HALF, "losses must be a pair for each root: a list of integers"),
        ([([1], [2], [3])], HALF, "losses must be a pair for each root: a list of integers"),
        ([([1], [])], HALF, "losses must be a pair for each root: a list of integers"),
        ([([], [1])], HALF, "losses must be a pair for each root: a list of integers"),
        ([([[1]], [1])], HALF, "losses must be a pair for each root: a list of integers"),
        ([([1.5], [1])], HALF, "losses must be integers within"),
        ([([1], ["a"])], HALF, "losses must be"),
        (5, HALF, "losses must be a list"),
        ([([1], [2])], 0.5, "rate must be a Rate, got float"),
    ],
)
def test_the_sentences_of_refusals(losses, rate, words):
    with pytest.raises(ValueError) as refusal:
        draw_block(losses, rate, Rehearsal(1))
    assert str(refusal.value).startswith(words)
