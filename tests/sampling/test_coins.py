"""Coins are exact whatever the float says, and ask for exact digits in close calls only."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.mechanisms.gaussian import coin
from fdpedu.exact import exp_enclosure
from fdpedu.randomness import ReplayedWords
from fdpedu.sampling import exp_coins, finite_law
from fdpedu.sampling.coins import coin_law, enclosed_coins, exp_coin


def test_a_coin_has_two_sides():
    law = coin_law(lambda digits: exp_enclosure(Fraction(-1), digits))
    assert (law.terms, law.last) == (2, 1) and law.bounds(2, 8) == ([94, 256], [95, 256])


@settings(max_examples=20, deadline=None)
@given(st.fractions(0, 5, max_denominator=30))
def test_coins_are_exact_whatever_the_float_says(gamma):
    """Over all tapes of 4-bit words, heads has a mass that encloses e^{−γ}, although floats settle most calls."""
    coin(gamma, words=3)


def test_coins_ask_for_digits_in_close_calls():
    """A word as near to e^{−γ} as a 64-bit word can be is settled by exact digits and another word."""
    gamma, asked = Fraction(1), []
    border = int(exp_enclosure(-gamma).lower * 2**64)

    def exact(i):
        asked.append(i)
        return gamma

    for low, heads in ((0, True), (2**64 - 1, False)):
        assert exp_coins(np.array([float(np.exp(-1))]), exact, ReplayedWords([border, low]))[0] == heads
    assert asked == [0, 0]


@given(st.integers(2**52, 2**53 - 1), st.lists(st.integers(-(2**14), 2**14), min_size=1, max_size=20))
def test_words_next_to_a_bound_are_settled_as_their_own_bits_say(units, offsets):
    """A word is read as a float and rounded; where that could move it over the bound, the law decides by the word."""
    border = units << 11  # of 64 bits, and the bound is a float exactly
    words = [min(border + offset, 2**64 - 1) for offset in (-1025, -1024, -1, 0, 1, 1024, 1025, *offsets)]
    bound = np.full(len(words), float(Fraction(border, 2**64)))
    law = finite_law([units, 2**53 - units])
    heads = enclosed_coins(bound, bound, lambda i: law, ReplayedWords([*words, *[0] * len(words)]))
    assert heads.tolist() == [word < border for word in words]


def test_a_law_is_asked_for_in_close_calls_only():
    """Of a thousand words in order, by those that are between the bounds, or next to them."""
    words, asked = [i << 54 for i in range(1, 1024)], []

    def exact(i):
        asked.append(i)
        return finite_law([1, 2])

    low, high = np.full(1023, 0.25), np.full(1023, 0.375)
    heads = enclosed_coins(low, high, exact, ReplayedWords([*words, *[0] * 1023]))
    assert asked == list(range(255, 384))  # from 1/4 on, and up to 3/8
    assert heads.tolist() == [word < 2**64 / 3 for word in words]


@pytest.mark.parametrize("hanging", [1, 2, 3, 12])
def test_a_coin_is_settled_however_long_it_hangs(hanging):
    """The words are the first bits of e^{−γ} itself, hundreds of them; the one after them decides."""
    gamma = Fraction(2, 7)
    border = int(exp_enclosure(-gamma, 300).lower * 2 ** (64 * hanging))
    words = [border >> 64 * i & 2**64 - 1 for i in reversed(range(hanging))]
    approximate = np.array([float(np.exp(-2 / 7))])
    for last, heads in ((0, True), (2**64 - 1, False)):
        assert exp_coin(gamma, ReplayedWords([*words, last])) is heads
        assert exp_coins(approximate, lambda i: gamma, ReplayedWords([*words, last])).tolist() == [heads]
