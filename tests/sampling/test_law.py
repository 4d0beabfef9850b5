"""Laws to the last bit: however many bits of a distribution function are asked for, they are there, and right."""

from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fdpedu.exact import Rate, exp_enclosure
from fdpedu.randomness import ReplayedWords
from fdpedu.sampling.coins import coin_law
from fdpedu.sampling.digits import geometric_digit_law, geometric_law, two_sided_law
from fdpedu.sampling.law import Law, finite_law, invert

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


@given(st.lists(st.integers(0, 9), min_size=1, max_size=6).filter(any), st.integers(2, 40))
def test_a_finite_law_has_as_many_values_as_weights(weights, factor):
    law = finite_law(weights, lambda i: factor * i)
    assert (law.terms, law.last) == (len(weights), len(weights) - 1)
    assert [law.value(i) for i in range(3)] == [0, factor, 2 * factor]
    assert law.bounds(law.terms, 9)[0][law.last] == 2**9


def halves(asked):
    """Pr[k] = 2^{−k−1}, its terms asked for one at a time; ``asked`` notes what is."""

    def bounds(n, bits):
        asked.append((n, bits))
        below = [((1 << k + 1) - 1 << bits) // (1 << k + 1) for k in range(n)]
        return below, [-((1 - (1 << k + 1) << bits) // (1 << k + 1)) for k in range(n)]

    return Law(bounds, terms=1)


@pytest.mark.parametrize("word", range(15))
def test_no_word_is_asked_for_that_decides_nothing(word):
    """A law whose distribution function is known exactly needs one word of 4 bits for each value but the last ones."""
    k = next(k for k in range(4) if word < 16 - (8 >> k))
    assert invert(halves([]), ReplayedWords([word], word_bits=4)) == k


def test_bounds_are_found_once_and_not_kept_for_ever():
    """A law that is asked again for the same remembers it; of a thousand different questions it forgets the first."""
    asked = []
    law = halves(asked)
    assert law.bounds(3, 8) == law.bounds(3, 8) == ([128, 192, 224], [128, 192, 224]) and asked == [(3, 8)]
    for bits in range(1000):
        law.bounds(1, bits)
    law.bounds(3, 8)
    assert asked[-1] == (3, 8)


def test_finite_laws_need_weights():
    for bad in ([], [0, 0], [1, -1]):
        with pytest.raises(ValueError, match="weights"):
            finite_law(bad)
