"""Sampling from blocks of a law: cells, words that are sure, and every attempt from replayed bits."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.exact import Rate
from fdpedu.randomness import Rehearsal, ReplayedWords, TapeExhausted, short_words
from fdpedu.sampling import geometric, negative_binomial
from fdpedu.sampling.alias import RESIDUAL
from fdpedu.sampling.blocks import FAILED, MARGIN, BlockTable, Cells, _make_table
from fdpedu.sampling.polya_weights import NegativeBinomialWeights


def shipped(epsilon, m, word_bits=64):
    weights = NegativeBinomialWeights(Rate.of(epsilon=epsilon), m)
    return BlockTable.of(weights, Cells.cut(weights.decay), word_bits)


@settings(deadline=None)
@given(
    st.floats(1e-9, 2), st.integers(1, 4095), st.integers(1, 2000), st.integers(1, 64), st.sampled_from([0.5, 3, 14.0])
)
def test_cells_are_as_wide_as_is_promised_and_no_narrower(decay, most, singles, fineness, reach):
    """Single values first; then 2^b values where s/fineness and 1/(fineness·decay) allow as many, and not twice."""
    cells = Cells.cut(decay, most, singles=singles, fineness=fineness, reach=reach)
    starts, widths = cells.starts.tolist(), (1 << cells.shifts).tolist()
    least, allowed = int(reach / decay) + 1, 1 / (fineness * decay)
    assert [*starts, cells.end] == [0, *np.cumsum(widths, dtype=np.int64).tolist()] and len(starts) <= most
    for start, width in zip(starts, widths, strict=True):
        bound = min(start / fineness, allowed) if start >= singles else 1
        assert width <= max(1, bound) < 2 * max(width, 1)
    assert starts[-1] < least and (len(starts) == most or cells.end >= least)
    assert decay * 2**cells.beyond > np.log(2) and (cells.beyond == 0 or decay * 2 ** (cells.beyond - 1) <= 0.7)


def test_the_shipped_cells():
    """1,024 single values, then 32 to a doubling of the start; the table ends at 14 times the scale."""
    cells = Cells.cut(1e-6)
    assert cells.shifts[:1024].tolist() == [0] * 1024 and cells.shifts[1024:1056].tolist() == [5] * 32
    assert 14e6 <= cells.end <= 14e6 + 2 ** int(cells.shifts[-1]) and cells.starts.size < 4096


@pytest.mark.claim("lem-nb-weights")
@pytest.mark.parametrize("digits", [1, 4, 12, 30])
def test_rough_enclosures_contain_the_number(digits):
    """What is asked to few digits lies on both sides of what is asked to 70: weights, ratios, and what a cell lacks."""
    table = shipped("1/3000", 3)
    for start, shift in ((5, 0), (66, 1), (1024, 5), (9000, 6), (table.cells.end, table.cells.beyond)):
        offset, owned = (1 << shift) - 1, int(table.scale * (1 << shift) * table.weights.enclosure(start, 70).lower)
        # in the last, as good as nothing is lacking, and at the rough end less than nothing
        for enclose in (
            lambda d, k=start: table.weights.enclosure(k, d),
            lambda d, k=start, o=offset: table._ratio(k, k + o, d),
            lambda d, k=start, b=shift, o=offset: table._missing(k, b, 0, o, Fraction(2**33), d),
            lambda d, k=start, b=shift, o=offset, w=owned: table._missing(k, b, w, o, Fraction(2), d),
        ):
            rough, fine = enclose(digits), enclose(70)
            assert 0 <= rough.lower <= fine.lower <= fine.upper <= rough.upper
            assert rough.upper - rough.lower <= Fraction(2, 10 ** (digits - 1))


@pytest.mark.parametrize("digits", [1, 5, 30])
def test_a_coin_of_a_block_is_a_probability(digits):
    """The first value's is 1 to any number of digits, and so is the coin of a cell that lacks the whole residual."""
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


@pytest.mark.parametrize("last", [0, 1, 7_232, 16_383])
@pytest.mark.parametrize("epsilon", ["1/20", "1/3000", "1/1000000000"])
def test_tiles_of_blocks_use_every_word_once(epsilon, last):
    """Two full tiles and a rest follow each other from the same source; what fails is attempted again."""
    table, source, size = shipped(epsilon, 2), Rehearsal(9), 32_768 + last
    tiles = [table._attempts(part, source) for part in (16_384, 16_384, last)]
    whole = table._attempts(size, Rehearsal(9))
    assert (whole == np.concatenate(tiles)).all() and (tiles[0] != tiles[1]).mean() > 0.2
    failed = np.flatnonzero(whole == FAILED)
    while failed.size:
        whole[failed] = table._attempts(failed.size, source)
        failed = failed[whole[failed] == FAILED]
    drawn = table.sample(size, Rehearsal(9))
    assert (drawn == whole).all() and drawn.min() >= 0


@pytest.mark.parametrize("epsilon", ["1/20", "1/3000", "1/1000000000"])
def test_every_attempt_has_words_of_its_own(epsilon):
    """The attempts of a tile are, each by itself, the look-up of its short word, then start and offset by its long
    word; an attempt in a block fails only on a word that is not sure to be kept.
    """
    table, size = shipped(epsilon, 2), 16_000
    drawn, source = table._attempts(size, Rehearsal(3)), Rehearsal(3)
    labels = np.empty(size, dtype=np.int64)
    table.columns.look_up(short_words(source, size), labels)
    assert RESIDUAL not in labels
    expected, in_blocks = labels.tolist(), np.flatnonzero(labels < FAILED)
    for i, word in zip(in_blocks.tolist(), source.words(in_blocks.size).tolist(), strict=True):
        j = -1 - expected[i]
        failed = drawn[i] == FAILED and word >= int(table.sure[j])
        expected[i] = FAILED if failed else int(table.cells.starts[j]) + word % (1 << int(table.cells.shifts[j]))
    assert drawn.tolist() == expected


def test_few_attempts_fail_and_few_are_slow():
    """κ·Σr(k) is close to 1, and the residual is met less than once in 100,000 attempts."""
    for epsilon in ("1/20", "1/3000", "1/1000000000"):
        table = shipped(epsilon, 3)
        success = float(table.scale) / 2**32 * (-np.expm1(-float(Fraction(epsilon)))) ** (-1 / 3)
        assert table.rest < 2**32 / 10**5 and 0.97 < success < 1


@pytest.mark.parametrize("epsilon", ["1", "1/3000", "1/1000000000"])
def test_a_word_of_the_residual_reaches_the_table_and_beyond(epsilon):
    """A silent word, then a cell and a coin: zeros give 0; an odd word leads beyond the table."""
    table = shipped(epsilon, 4)
    low = 1 << table.columns.column_bits
    edges = [(c, h) for c, t in enumerate(table.columns.thresholds.tolist()) for h in (0, max(t - 1, 0), t)]
    words = np.array([h << table.columns.column_bits | c for c, h in edges if h < 2**32 // low], dtype=np.uint32)
    out = np.empty(words.size, dtype=np.int64)
    table.columns.look_up(words, out)
    silent = int(words[out == RESIDUAL][0])
    with pytest.raises(TapeExhausted):
        table.sample(1, ReplayedWords([silent]))
    assert table.sample(1, ReplayedWords([silent, 0, 0])).tolist() == [0]
    assert table.sample(1, ReplayedWords([silent, 1, 0, 0, 0])).tolist() == [table.cells.end]
    padding = (low - 1) << 1  # a column that stands for no cell: the attempt fails, and the next word is 0
    assert table.sample(1, ReplayedWords([silent, padding, 0])).tolist() == [0]


@pytest.mark.claim("lem-nb-blocks")
@pytest.mark.parametrize("epsilon", ["1/3000", "1/1000000000"])
def test_close_calls_in_a_block_are_settled_exactly(epsilon):
    """A word as near to r(k)/r(s) as one can be is settled by enclosures and another word; one further, by floats."""
    table = shipped(epsilon, 3)
    for j in (1500, 1600, table.cells.starts.size - 1):
        start, shift = int(table.cells.starts[j]), int(table.cells.shifts[j])
        offset = (1 << shift) - 1
        ratio = table._ratio(start, start + offset, 60)
        border = int(ratio.lower * 2 ** (64 - shift))
        block = np.array([j])
        for next_word, heads in ((0, True), (2**64 - 1, False)):
            got = table._within(block, ReplayedWords([border << shift | offset, next_word]))[0]
            assert got == (start + offset if heads else FAILED)
        for words, value in (([border - 1, 0], start + offset), ([border + 1, 0], FAILED)):
            assert table._within(block, ReplayedWords([words[0] << shift | offset, 0]))[0] == value
        away = 2**40 >> shift  # far beyond the margin of a float: no second word is asked for
        assert table._within(block, ReplayedWords([border - away << shift | offset]))[0] == start + offset
        assert table._within(block, ReplayedWords([border + away << shift | offset]))[0] == FAILED


def test_short_words_make_short_tables_or_none():
    weights = NegativeBinomialWeights(Rate.of(alpha="1/2"), 2)
    with pytest.raises(ValueError, match="4-bit words"):
        BlockTable.of(weights, Cells.cut(weights.decay), 4)
    slow = NegativeBinomialWeights(Rate.of(epsilon="1/1000000"), 2)
    with pytest.raises(ValueError, match="8-bit words"):
        BlockTable.of(slow, Cells.cut(slow.decay, 7), 8)


@pytest.mark.parametrize("epsilon", ["2", "1/3000"])
def test_shares_are_drawn_from_the_table_of_their_law(epsilon):
    """The sampler is the table of that rate, of as many shares, for the source's words; one share is geometric."""
    rate = Rate.of(epsilon=epsilon)
    for m in (2, 3, 20):
        drawn = negative_binomial(rate, m, 3000, Rehearsal(4))
        assert (drawn == shipped(epsilon, m).sample(3000, Rehearsal(4))).all() and drawn.max() > 0
    assert (negative_binomial(rate, 1, 50, Rehearsal(4)) == geometric(rate, 50, Rehearsal(4))).all()


def test_what_is_no_rate_or_too_small_a_rate_is_refused():
    for m in (1, 2):
        with pytest.raises(ValueError, match="rate"):
            negative_binomial("1", m, 1, Rehearsal(1))
        with pytest.raises(ValueError, match="epsilon/sensitivity"):
            negative_binomial(Rate.of(epsilon=Fraction(1, 2**41)), m, 1, Rehearsal(1))


def test_the_table_of_short_words_has_as_many_cells_as_fit():
    """An eighth of the words and at most 4,095; fewer where the law needs no more."""
    for alpha, word_bits, cells in (
        ("1/2", 4, 1), ("1/2", 5, 3), ("1/2", 6, 7), ("1/2", 7, 15), ("1/2", 8, 21), ("1/2", 64, 21),
        ("99/100", 10, 127), ("99/100", 12, 511), ("99/100", 13, 1023), ("99/100", 14, 1209), ("99/100", 64, 1209),
    ):  # fmt: skip
        table = _make_table(Rate.of(alpha=alpha), 3, word_bits)
        assert (table.word_bits, table.weights.n_noise_shares) == (word_bits, 3)
        assert table.cells.starts.size == cells
