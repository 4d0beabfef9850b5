"""The alias table and its residual are the law, over the integers and over replayed bits."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.mechanisms import sampling as laws_sampling
from fdpedu.exact import Rate
from fdpedu.randomness import Rehearsal, ReplayedWords, TapeExhausted, ZeroWords, short_words
from fdpedu.sampling import AliasTable, Law, finite_law, geometric_law, sample
from fdpedu.sampling.alias import RESIDUAL, fill_columns
from fdpedu.sampling.digits import two_sided_law

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


@given(st.integers(1, 30), st.integers(1, 20), st.data())
def test_a_column_that_is_full_is_shared_with_nobody(n, height, data):
    """Where each donor has just what one other lacks, so many columns are shared and the donors' are their own."""
    lacks = [data.draw(st.integers(1, height)) for _ in range(n)]
    thresholds, alias = fill_columns([*(height - d for d in lacks), *(height + d for d in lacks)], height)
    assert thresholds == [*(height - d for d in lacks), *[height] * n]
    assert alias == [*range(n, 2 * n), *range(n, 2 * n)]


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


@pytest.mark.parametrize("size", [16383, 16384, 16385, 32768, 40001])
def test_draws_past_a_tile_go_on_where_the_words_are(size):
    """So many draws at once are the draws of the first tiles and then of the rest, from the same stream of words."""
    law, rest = finite_law([3, 5, 7, 1]), size % 16384
    one, parts = Rehearsal(size), Rehearsal(size)
    pieces = [sample(law, 16384, parts) for _ in range(size // 16384)] + ([sample(law, rest, parts)] if rest else [])
    assert sample(law, size, one).tolist() == np.concatenate(pieces).tolist()
    assert one.words(1) == parts.words(1)
