"""Sampling at its margins: what is settled without exact digits is sure, and little is left to them."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.exact import Rate, exp_enclosure
from fdpedu.randomness import ReplayedWords
from fdpedu.sampling.alias import fill_columns
from fdpedu.sampling.blocks import MARGIN, BlockTable, Cells
from fdpedu.sampling.coins import enclosed_coins, exp_coin, exp_coins
from fdpedu.sampling.digits import two_sided_law
from fdpedu.sampling.law import Law, finite_law, invert
from fdpedu.sampling.polya_weights import NegativeBinomialWeights, product, stirling


def shipped(epsilon, m):
    weights = NegativeBinomialWeights(Rate.of(epsilon=epsilon), m)
    return BlockTable.of(weights, Cells.cut(weights.decay), 64)


@settings(max_examples=12, deadline=None)
@given(st.fractions(Fraction(1, 10**7), Fraction(1, 300), max_denominator=10**7), st.integers(2, 2000), st.data())
def test_a_word_is_sure_if_it_is_below_every_ratio_by_two_margins(epsilon, m, data):
    """A word below ``sure`` is kept whatever its offset, and no word is unsure that is much farther away than that."""
    table = shipped(epsilon, m)
    j = data.draw(st.integers(1024, table.cells.starts.size - 1))
    start, shift, sure = (int(x[j]) for x in (table.cells.starts, table.cells.shifts, table.sure))
    least, steps = table._ratio(start, start + (1 << shift) - 1, 40), 1 << (64 - shift)
    assert sure % (1 << shift) == 0 and Fraction(sure, 1 << 64) <= least.lower
    assert least.upper - Fraction(sure, 1 << 64) <= Fraction(5, 2) * Fraction(MARGIN) + Fraction(1, steps)


@pytest.mark.parametrize("word_bits", [12, 64])
def test_where_a_block_falls_steeply_no_word_is_sure(word_bits):
    """The second value of a block is kept with probability 2⁻⁴⁰/3."""
    weights = NegativeBinomialWeights(Rate.of(alpha=Fraction(1, 2**40)), 3)
    table = BlockTable.of(weights, Cells(np.array([0]), np.array([1]), 2, 0), word_bits)
    assert table.sure.tolist() == [0]


def test_a_block_is_as_long_as_a_word_at_most():
    """In the table, or beyond it: the offset is what a word of the source gives."""
    weights = NegativeBinomialWeights(Rate.of(epsilon="1/300"), 2)
    for shift, beyond in ((8, 0), (0, 8), (8, 8)):
        made = BlockTable.of(weights, Cells(np.array([0]), np.array([shift]), 1 << shift, beyond), 8)
        assert made.masks.tolist() == [(1 << shift) - 1]
    for shift, beyond in ((9, 0), (0, 9)):
        with pytest.raises(ValueError, match="8-bit words"):
            BlockTable.of(weights, Cells(np.array([0]), np.array([shift]), 1 << shift, beyond), 8)


@given(st.integers(1, 30), st.integers(1, 20), st.data())
def test_a_column_that_is_full_is_shared_with_nobody(n, height, data):
    """Where each donor has just what one other lacks, so many columns are shared and the donors' are their own."""
    lacks = [data.draw(st.integers(1, height)) for _ in range(n)]
    thresholds, alias = fill_columns([*(height - d for d in lacks), *(height + d for d in lacks)], height)
    assert thresholds == [*(height - d for d in lacks), *[height] * n]
    assert alias == [*range(n, 2 * n), *range(n, 2 * n)]


@pytest.mark.parametrize("digits", [1, 5, 30])
def test_a_coin_of_a_block_is_a_probability(digits):
    """However roughly it is asked for: the first value's is 1, and so is that of a cell which lacks all of the room."""
    table = shipped("1/3000", 3)
    for start in (7, 1024, 9000):
        ratio = table._ratio(start, start, digits)
        assert 1 - Fraction(3, 10**digits) < ratio.lower <= 1 == ratio.upper
        lacks = table.scale * table.weights.enclosure(start, 60).lower
        missing = table._missing(start, 0, 0, 0, lacks, digits)
        assert 1 - Fraction(3, 10**digits) < missing.lower <= 1 == missing.upper


def test_a_cell_may_lack_all_of_the_room_and_no_more():
    table = shipped("1/3000", 3)  # r(0) is 1, exactly
    found = table._missing(0, 0, 0, 0, table.scale, 20)
    assert found.lower == found.upper == 1
    with pytest.raises(AssertionError, match="more is missing"):
        table._missing(0, 0, 0, 0, table.scale * Fraction(999, 1000), 20)


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


# Laws


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


@given(st.lists(st.integers(0, 9), min_size=1, max_size=6).filter(any), st.integers(2, 40))
def test_a_finite_law_has_as_many_values_as_weights(weights, factor):
    law = finite_law(weights, lambda i: factor * i)
    assert (law.terms, law.last) == (len(weights), len(weights) - 1)
    assert [law.value(i) for i in range(3)] == [0, factor, 2 * factor]
    assert law.bounds(law.terms, 9)[0][law.last] == 2**9


@given(st.integers(0, 2**62))
def test_the_values_of_a_two_sided_law_are_integers_of_both_signs(g):
    """0, −1, 1, −2, 2, …, however far one goes."""
    value = two_sided_law(Rate.of(alpha="1/3")).value
    found = [value(2 * g), value(2 * g + 1)]
    assert found == [g, -1 - g] and {type(x) for x in found} == {int}


def test_no_values_have_no_weights():
    found = NegativeBinomialWeights(Rate.of(alpha="1/3"), 4).log(np.array([], dtype=np.int64))
    assert found.shape == (0,) and found.dtype == np.float64


def test_the_product_of_nothing_is_one():
    found = product()
    assert found.lower == found.upper == 1 and {type(found.lower), type(found.upper)} == {Fraction}


@pytest.mark.parametrize("x", [*range(64, 100, 3), 1000])
def test_stirlings_series_is_cut_where_it_is_said(x):
    """After as many decimal places as are asked for, and it gets there."""
    for digits in range(1, 86):
        found = stirling(Fraction(2 * x + 1, 2), digits)
        assert 0 < found.upper - found.lower < Fraction(1, 10**digits)
