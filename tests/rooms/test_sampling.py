"""Exact sampling: the alias table and its residual are the law, over the integers and over replayed bits."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.frequencies import require_frequencies
from fdpedu.claims.mechanisms import laws_sampling
from fdpedu.claims.mechanisms.laws_normal import coin
from fdpedu.exact import Rate, exp_enclosure
from fdpedu.randomness import Rehearsal, ReplayedWords, SystemSource, TapeExhausted, ZeroWords, short_words
from fdpedu.sampling import AliasTable, Law, exp_coins, finite_law, geometric, geometric_law, sample
from fdpedu.sampling import two_sided_geometric as two_sided
from fdpedu.sampling.alias import RESIDUAL, fill_columns
from fdpedu.sampling.coins import coin_law
from fdpedu.sampling.digits import _digits, two_sided_law

ratios = st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=20)


@pytest.mark.claim("thm-alias-table")
@settings(max_examples=25, deadline=None)
@given(ratios, st.sampled_from([4, 7, 12, 32]))
def test_table_plus_residual_is_the_law_over_the_integers(alpha, word_bits):
    """With the residual the words are the law, exactly; and a value in the table has at most one word too few."""
    for stated in (*laws_sampling.laws(Rate.of(alpha=alpha)), laws_sampling.finite((3, 1, 0, 7))):
        laws_sampling.table(stated, word_bits, 60)
        table = AliasTable.of(stated.law, word_bits)
        owned = table.words_of()
        for i in range(min(stated.law.terms, (1 << table.column_bits) - 1)):
            assert 2**word_bits * stated.pmf(i) - owned.get(stated.law.value(i), 0) < 2


@pytest.mark.claim("thm-alias-table")
def test_a_wide_enclosure_never_gives_a_value_too_many_words():
    """Where F is known roughly only, the table gives each value at most what is certain, and the rest is residual."""
    sharp = finite_law([1, 1, 2])

    def rough(n, bits):
        lower, upper = sharp.bounds(n, bits)
        slack = 1 << max(0, bits - 3)
        return [max(0, b - slack) for b in lower[:-1]] + lower[-1:], [min(1 << bits, b + slack) for b in upper]

    owned = AliasTable.of(Law(rough, terms=3, last=2), 8).words_of()
    assert owned.get(0, 0) <= 64 and owned.get(1, 0) <= 64 and owned.get(2, 0) <= 128 and owned[RESIDUAL] >= 64


@pytest.mark.claim("thm-alias-table")
@given(st.lists(st.integers(0, 40), min_size=1, max_size=9), st.integers(1, 9))
def test_columns_keep_every_weight(weights, height):
    """However weights are cut into columns, each value keeps its exact weight, and no column holds more than two."""
    weights[0] += -sum(weights) % (height * len(weights))  # fill up to a multiple, then make the heights fit
    laws_sampling.columns(tuple(weights), sum(weights) // len(weights))
    thresholds, alias = fill_columns(weights, full := sum(weights) // len(weights))
    for c, weight in enumerate(weights):
        assert weight != full or (thresholds[c], alias[c]) == (full, c)  # one that is full is shared with nobody


def test_the_residual_is_a_law_on_the_same_values():
    """It has the indices and values of its law, and its bounds are those of a distribution function."""
    thirds = finite_law([1, 1, 1])
    rough = Law(lambda n, bits: ([0, 0, 1 << bits], [1 << bits] * 3), terms=3, last=2)
    for law in (thirds, rough, geometric_law(Rate.of(alpha="1/2")), two_sided_law(Rate.of(alpha="1/3"))):
        residual = AliasTable.of(law, 5).residual
        assert (residual.terms, residual.last, residual.value) == (law.terms, law.last, law.value)
        lower, upper = residual.bounds(law.terms, 9)
        assert all(0 <= low <= high <= 2**9 for low, high in zip(lower, upper, strict=True))


def test_a_table_is_made_once_for_words_of_one_length():
    law = finite_law([1, 3])
    sample(law, 1, ZeroWords())
    made = law.tables[32]
    sample(law, 1, ZeroWords())
    sample(law, 1, ReplayedWords([0], word_bits=4))
    assert law.tables[32] is made and sorted(law.tables) == [4, 32]


def test_what_is_counted_is_what_is_looked_up():
    """On both sides of every threshold of a 32-bit table, a word gives the value that the count says."""
    table = AliasTable.of(geometric_law(Rate.of(alpha="2/3")), 32)
    for c, threshold in enumerate(table.thresholds.tolist()):
        for height in {max(threshold - 1, 0), min(threshold, 2 ** (32 - table.column_bits) - 1)}:
            out = np.empty(1, dtype=np.int64)
            table.look_up(np.array([height << table.column_bits | c], dtype=np.uint32), out)
            assert out[0] == table.values[2 * c + (height >= threshold)]


@pytest.mark.claim("thm-alias-table")
@settings(max_examples=4, deadline=None)
@given(st.fractions(Fraction(1, 10), Fraction(1, 2), max_denominator=20))
def test_fast_and_slow_have_the_law_from_replayed_bits(alpha):
    """Over all tapes of 4-bit words, look-up with residual and slow inversion both have the exact law."""
    for stated in laws_sampling.laws(Rate.of(alpha=alpha)):
        laws_sampling.drawn(stated, words=3)


@pytest.mark.parametrize(("alpha", "base"), [("2/3", 3), ("1/3", 4)])
def test_digits_from_replayed_bits(alpha, base):
    """Written in digits of base 3 or 4, the two-sided and the one-sided law are unchanged: sign, digits and all."""
    laws_sampling.in_digits(Fraction(alpha), base, words=3)


def test_a_word_of_the_residual_goes_the_slow_way():
    """The table is silent on some words; then further words decide, by the residual law, and none is wasted."""
    law = geometric_law(Rate.of(alpha="1/3"))
    table = AliasTable.of(law, 32)
    top = 2 ** (32 - table.column_bits) - 1
    edges = [(c, height) for c, t in enumerate(table.thresholds.tolist()) for height in (0, t - 1, t, top)]
    words = [height << table.column_bits | c for c, height in edges if 0 <= height <= top]
    out = np.empty(len(words), dtype=np.int64)
    table.look_up(np.array(words, dtype=np.uint32), out)
    silent = [word for word, value in zip(words, out.tolist(), strict=True) if value == RESIDUAL]
    assert silent
    with pytest.raises(TapeExhausted):
        sample(law, 1, ReplayedWords(silent[:1]))
    assert sample(law, 1, ReplayedWords([silent[0], 0, 0]))[0] == 0  # the least U is in the first cell of the residual
    far = sample(law, 1, ReplayedWords([silent[0], 2**64 - 1, 0]))[0]  # the largest lies beyond the table
    assert far > law.terms


def test_tiles_use_every_word_once():
    """40,000 draws, more than two tiles, are the look-ups of 20,000 long words in their order."""
    words = np.random.default_rng(5).integers(0, 2**64, size=20_000, dtype=np.uint64)
    law = geometric_law(Rate.of(alpha="1/2"))
    drawn = sample(law, 40_000, ReplayedWords([*words.tolist(), *[0] * 50]))
    expected = np.empty(40_000, dtype=np.int64)
    AliasTable.of(law, 32).look_up(short_words(ReplayedWords(words.tolist()), 40_000), expected)
    settled = expected != RESIDUAL
    assert settled.mean() > 0.999 and (drawn[settled] == expected[settled]).all()


@pytest.mark.claim("thm-alias-table")
@pytest.mark.parametrize("epsilon", ["3", "1/2", "1/90", "1/1000", "1/1000000"])
def test_frequencies(epsilon):
    """200,000 draws, in cells of about equal mass, by a two-sided chi-square test; α = 10⁻⁹ each (seeded)."""
    draws = two_sided(Rate.of(epsilon=epsilon), 200_000, Rehearsal(11))
    rate = float(Fraction(epsilon))
    edges = np.unique(np.floor(np.array([-2.0, -1, -0.6, -0.3, 0.0, 0.3, 0.6, 1, 2]) / rate).astype(int))

    def at_most(k):
        a = np.exp(-rate)
        return np.where(
            k < 0, a ** (-np.minimum(k, 0).astype(float)) / (1 + a), 1 - a ** (np.maximum(k, 0) + 1.0) / (1 + a)
        )

    pmf = np.diff([0.0, *at_most(edges), 1.0])
    require_frequencies(np.bincount(np.searchsorted(edges, draws, side="left"), minlength=pmf.size), pmf, alpha=1e-9)


@pytest.mark.parametrize("epsilon", ["1/1000", "1/1000000", "1/100000000000"])
def test_slow_decay_is_written_in_digits(epsilon):
    """Mean and spread of 20,000 draws: with probability 1 − 10⁻⁹ within 6.2 standard errors (normal approximation)."""
    rate = Rate.of(epsilon=epsilon)
    draws = geometric(rate, 20_000, Rehearsal(7)) * float(rate)
    assert abs(draws.mean() - 1) < 6.2 / 20_000**0.5  # an exponential has mean 1, sd 1; its square mean 2, sd √20
    assert abs((draws**2).mean() - 2) < 6.2 * (20 / 20_000) ** 0.5
    assert len(set((draws / float(rate)).astype(np.int64) % 1023)) > 1000 * (float(rate) < 1e-4)


def test_zeros_are_no_noise_and_tiny_rates_are_refused():
    for draw in (geometric, two_sided):
        assert draw(Rate.of(epsilon="1/1000000"), 3, ZeroWords()).tolist() == [0, 0, 0]
        with pytest.raises(ValueError, match="2\\*\\*-40"):
            draw(Rate.of(epsilon=Fraction(1, 2**41)), 1, SystemSource())


@given(st.fractions(Fraction(1, 100), 30))
def test_a_table_holds_all_but_one_value_in_2_to_the_24(epsilon):
    """As many values as that takes and no more, up to 4,095; of both signs for the two-sided law, and two at least."""
    reach = 24 * np.log(2) / float(epsilon)
    for law, sides in ((geometric_law(Rate.of(epsilon=epsilon)), 1), (two_sided_law(Rate.of(epsilon=epsilon)), 2)):
        assert law.last is None
        if law.terms not in (2, 4095):
            assert sides * reach - 1e-6 <= law.terms <= sides * (1.002 * reach + 1)
        else:
            assert sides * reach <= 2 or sides * (1.002 * reach + 1) >= 4095


def test_the_slowest_rate_and_the_slowest_without_digits():
    """2⁻⁴⁰ is drawn, and 2⁻⁷ without digits; a little less has digits of base 1,023, until what is left is as fast."""
    assert geometric(Rate.of(epsilon=Fraction(1, 2**40)), 2, ZeroWords()).tolist() == [0, 0]
    for epsilon, stride in (("1/128", 1), ("1/129", 1023), (Fraction(1, 128 * 1023), 1023), ("1/130945", 1023**2)):
        low, found = _digits(Rate.of(epsilon=epsilon), 3, ZeroWords())
        assert found == stride and (low is None) == (stride == 1)


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


def test_finite_laws_need_weights():
    for bad in ([], [0, 0], [1, -1]):
        with pytest.raises(ValueError, match="weights"):
            finite_law(bad)
