"""The definition of differential privacy, exactly: ratios, losses, δ, verdicts on laws and on mechanisms."""

import math
import random
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fdpedu.claims.noisy_counts import clamped_pmf
from fdpedu.claims.privacy import closure
from fdpedu.claims.privacy.small import SMALL_PAIRS, geometric
from fdpedu.claims.small_zoo import SMALL_ZOO
from fdpedu.claims.strategies import deltas, exp_epsilons, shares
from fdpedu.exact import exp_enclosure, log_enclosure
from fdpedu.privacy import (
    Verdict,
    allowed_region,
    as_law,
    check_dp,
    check_mechanism,
    datasets,
    hockey_stick,
    max_ratio,
    mix,
    posterior,
    privacy_loss,
    product_law,
    push_forward,
    rational_law,
    sensitivity,
)
from tests.support.both_ends import both_ends
from tests.support.truths import ln

# What a claim of the register says of one case is written once, in fdpedu.claims.privacy; here it meets other cases:
# laws of one to five outcomes, where those of the register have three.
laws = st.lists(st.integers(0, 20), min_size=1, max_size=5).filter(any).map(rational_law)


channels = st.lists(laws, min_size=5, max_size=5)  # what is made of the outcomes 0 to 4


@pytest.mark.claim("thm-post-processing")
@given(laws, laws, exp_epsilons, deltas, channels)
def test_post_processing_never_hurts(p, q, factor, delta, channel):
    """For random rational channels: a claim that holds of two laws holds of what is made of them."""
    closure.processed(p, q, channel)
    made = push_forward(p, lambda k: channel[k]), push_forward(q, lambda k: channel[k])
    if check_dp(p, q, factor, delta=delta):
        assert check_dp(*made, factor, delta=delta)


@pytest.mark.claim("lem-convexity")
@given(laws, laws, laws, laws, shares, exp_epsilons)
def test_mixtures_are_no_worse_than_the_worst_part(p, q, r, s, weight, factor):
    """Mixing two mechanisms with a coin that does not depend on the data, whether it is shown or not."""
    closure.convexity(p, q, r, s, weight, factor)
    shown = [
        mix([weight, 1 - weight], [product_law([1], a), product_law([0, 1], b)]) for a, b in ((p, r), (q, s))
    ]  # the coin is part of the output
    parts = weight * hockey_stick(p, q, factor) + (1 - weight) * hockey_stick(r, s, factor)
    assert hockey_stick(*shown, factor) == parts


@given(laws, laws, laws, laws)
def test_independent_losses_add(p, q, r, s):
    """Ratios of independent outcomes multiply, exactly."""
    assume(set(p) <= set(q) and set(r) <= set(s))
    assert max_ratio(product_law(p, r), product_law(q, s)) == max_ratio(p, q) * max_ratio(r, s)


def noisy_count(alpha, bound=6):
    """A geometric count, clamped: sound for ε with e^{−ε} = alpha."""
    return lambda data: clamped_pmf(alpha, len(data), bound)


@given(st.fractions(Fraction(1, 5), Fraction(4, 5), max_denominator=10))
def test_a_sound_mechanism_holds_and_its_broken_twin_is_refuted_on_the_smallest_pair(alpha):
    """A clamped geometric count is ε-DP, tightly; with half the scale the first pair already refutes it."""
    assert check_mechanism(noisy_count(alpha), "ab", 1 / alpha)
    verdict = check_mechanism(noisy_count(alpha**2), "ab", 1 / alpha)
    assert not verdict.holds and verdict.pair == ((), ("a",)) and verdict.cases == 1
    assert not check_mechanism(noisy_count(alpha), "ab", 1 / alpha - Fraction(1, 1000))


@pytest.mark.parametrize("digits", [20, 45, 90, 170])
def test_near_ties_are_decided(digits):
    """Probabilities whose ratio is e^ε but for the last of so many digits."""
    factor = exp_enclosure(Fraction(1, 10), digits)
    for ratio, holds in ((factor.lower, True), (factor.upper, False)):
        p, q = ratio / 4, Fraction(1, 4)
        assert check_dp([p, 1 - p], [q, 1 - q], epsilon="1/10").holds is holds
        assert check_dp([q, 1 - q], [p, 1 - p], epsilon="1/10").holds is holds
        assert check_dp([p, 1 - p], [q, 1 - q], epsilon="1/10", delta=Fraction(1, 10 ** (digits - 3)))


def test_an_event_holds_only_what_is_too_likely_and_numbers_are_fractions():
    verdict = check_dp(["1/2", "1/2"], ["1/4", "3/4"], 2)
    assert verdict and verdict.event == () and verdict.excess == verdict.p_event == verdict.q_event == 0
    numbers = (verdict.p_event, verdict.q_event, verdict.excess, hockey_stick([1], [1], 1))
    assert {type(number) for number in numbers} == {Fraction}
    assert type(sensitivity(lambda data: [], "a").value) is Fraction


def test_what_is_allowed_at_the_borders():
    assert check_dp([1], {1: 1}, 1, delta=1) and check_dp([1], [1], epsilon=10_000) and check_dp([1], [1], epsilon=0)
    assert not check_dp([1], {1: 1}, 1, delta="9/10")
    assert allowed_region(3, 1) == [(0, 1), (0, 1), (0, 1)]
    assert allowed_region(3) == allowed_region(3, 0) == [(0, 0), (Fraction(1, 4), Fraction(3, 4)), (1, 1)]
    assert posterior(0, [1], [1], 0) == 0 and posterior(1, [1], [1], 0) == 1
    assert len(as_law([Fraction(1, 100_000)] * 100_000)) == 100_000
    assert len(product_law(*[as_law(["1/2", "1/2"])] * 16)) == 2**16
    assert len(product_law([Fraction(1, 316)] * 316, [Fraction(1, 316)] * 316)) == 99_856
    assert sum(1 for _ in datasets("a", 10_000)) == 10_001
    assert sum(1 for _ in datasets(range(199_999), 1)) == 200_000
    assert privacy_loss(["1/2", "1/2"], ["1/4", "3/4"], 1) == log_enclosure(Fraction(2), 1)
    assert privacy_loss(["1/2", "1/2"], ["1/4", "3/4"]) == log_enclosure(Fraction(2), 30)
    assert privacy_loss([1], [0, 1]) == math.inf


def test_a_verdict_on_a_mechanism_is_that_of_its_smallest_pair():
    """In ε and in e^ε: the pair is named, and all else is what the two laws say."""

    def mechanism(data):
        return {"many": 1} if len(data) > 1 else {"few": 1}

    for options in ({"epsilon": 1}, {"exp_epsilon": 3}, {"epsilon": 1, "delta": "1/2"}):
        verdict, of_laws = (
            check_mechanism(mechanism, "ab", **options),
            check_dp(mechanism("a"), mechanism("aa"), **options),
        )
        assert verdict.pair == (("a",), ("a", "a")) and verdict.cases == 3
        assert verdict == Verdict(
            False, of_laws.event, of_laws.excess, of_laws.p_event, of_laws.q_event, of_laws.swapped, verdict.pair, 3
        )
        assert str(verdict).startswith("fails, ['a'] against ['a', 'a']: P = 1 on {few}, ")
    assert check_mechanism(mechanism, "ab", epsilon=1, delta=1)
    lazy = check_mechanism(lambda data: ["1/2", "1/2"] if data else ["1/3", "2/3"], "a", "3/2")
    assert lazy and lazy.excess == 0 and lazy.event == () and lazy.p_event == lazy.q_event == 0


@pytest.mark.parametrize(("digits", "tight"), [({}, 27), ({"digits": 60}, 57)])
def test_a_privacy_loss_is_the_worse_of_both_ways(digits, tight):
    p, q = ["1/7", "6/7"], ["1/2", "1/2"]
    both_ends(lambda: privacy_loss(p, q, **digits), lambda: ln("7/2"), tight)
    both_ends(lambda: privacy_loss(q, p, **digits), lambda: ln("7/2"), tight)


@pytest.mark.parametrize("both", SMALL_PAIRS, ids=lambda both: both.name)
def test_every_sound_mechanism_spends_what_it_claims(both):
    """So the broken one differs by the bug, and not by noise to spare."""
    less = both.exp_epsilon - Fraction(1, 1000)
    assert not check_mechanism(both.sound, both.universe, less, relation=both.relation)


def test_a_leak_of_probability_delta_is_a_delta():
    """Data released with probability 1/10 break every ε; with δ = 1/10 the claim holds, with less it does not."""
    both = SMALL_ZOO["the data, now and then"]
    assert both.verdict("broken", delta="1/10") and not both.verdict("broken", delta="99/1000")
    assert not check_mechanism(both.broken, both.universe, 1000)


def test_a_substitution_is_what_the_noise_is_for():
    """The histogram that fails under substitution is sound under add/remove."""
    both = SMALL_ZOO["substitution at the price of add/remove"]
    assert check_mechanism(both.broken, both.universe, both.exp_epsilon)


def test_a_count_outside_the_clamps_is_refused():
    with pytest.raises(ValueError, match="between 0 and 5"):
        geometric(6)


def test_what_is_drawn_is_never_taken_for_a_table():
    """Not even where it looks like one: the whole probability on an outcome that is drawn; and not on the last pair."""
    draws = random.Random(3)

    def one_hot(data):
        return {draws.randrange(3): 1}

    def late(data):
        return one_hot(data) if len(data) == 2 else {0: 1}

    for mechanism in (one_hot, late):
        with pytest.raises(ValueError, match="it returned an output \\(dict\\)"):
            check_mechanism(mechanism, "ab", epsilon=1)
