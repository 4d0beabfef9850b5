"""The laws that see what no single cell shows: what they accept, and that each of them can fail."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.claims.checking import Refuted
from fdpedu.claims.dependence import (
    AlteredWords,
    bits_of,
    reached_by,
    require_distinct,
    require_own_words,
    require_unrelated,
)
from fdpedu.claims.mechanisms.words import among, require_moments
from fdpedu.claims.replay import require_joint_law
from fdpedu.randomness import Rehearsal, uniform_below

ROW = Rehearsal(1).words(4000)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda tape: np.repeat(tape.words(1), 3), "Pr"),
        (lambda tape: np.append(words := tape.words(2), words[0] ^ words[1]), "Pr"),  # any two are independent
        (lambda tape: tape.words(2), "outputs"),
        (lambda tape: tape.words(4)[:3], "undecided"),
    ],
)
def test_a_joint_law_is_that_of_all_outputs(draw, message):
    """Three fair bits hold; one bit three times, a parity, two bits, and what is not decided in time, do not."""
    require_joint_law(lambda tape: tape.words(3), [among(2)] * 3, 3, word_bits=1, slack=Fraction(0))
    with pytest.raises(Refuted, match=message):
        require_joint_law(draw, [among(2)] * 3, 3, word_bits=1, slack=Fraction(0))


def test_a_joint_law_takes_a_law_for_each_cell():
    bounds = np.array([2, 3])
    require_joint_law(lambda tape: uniform_below(bounds, tape), [among(2), among(3)], 5, word_bits=2)
    with pytest.raises(Refuted, match="stated"):
        require_joint_law(lambda tape: uniform_below(bounds, tape), [among(3), among(2)], 5, word_bits=2)


def test_words_are_altered_one_half_at_a_time():
    """Children have words of their own, and what was drawn before is not drawn again."""
    source = AlteredWords(1)
    children = [*source.spawn(2), *source.spawn(1)]
    drawn = np.concatenate([source.words(2), *(child.words(2) for child in children), source.words(1)])
    assert np.unique(drawn).size == 9 and len(source.places()) == 18
    other = AlteredWords(1, {((2,), 1, 1): 5})
    changed = np.concatenate([other.words(2), *(child.words(2) for child in other.spawn(3)), other.words(1)])
    assert np.flatnonzero(drawn != changed).tolist() == [7] and int(drawn[7] ^ changed[7]) == 5 << 32


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda source: np.tile(source.words(2), 2), "same word"),
        (lambda source: (words := source.words(3)) + np.roll(words, 1), "same word"),
        (lambda source: source.words(3) & np.uint64(2**32 - 1), r"\[1\] half words"),
        (lambda source: [7, 7], "half words"),
        (lambda source: [child.words(1)[0] for child in source.spawn(1) * 2], None),
    ],
)
def test_numbers_of_shared_words_are_noticed(draw, message):
    """Repeated, added to the neighbour's, half of a word, none at all; two words of one child are sound."""
    if message is None:
        require_own_words(draw, 1, least=2)
    else:
        with pytest.raises(Refuted, match=message):
            require_own_words(draw, 1, least=2)


def test_sources_are_counted():
    def sum_of_children(source):
        return sum(child.words(2) for child in source.spawn(3))

    require_own_words(sum_of_children, 1, least=2, sources=3)
    assert {path for path, _, _ in reached_by(sum_of_children, 1)[0]} == {(0,), (1,), (2,)}
    with pytest.raises(Refuted, match="4 sources"):
        require_own_words(sum_of_children, 1, sources=4)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (np.concatenate([ROW, ROW]), "apart"),
        (np.concatenate([ROW, ROW[::-1]]), "add up to"),
        (np.repeat(ROW, 2), "1 apart"),
        (np.concatenate([ROW, ~ROW]), "apart"),
        (ROW | np.uint64(1), "sum"),
    ],
)
def test_a_long_row_that_repeats_is_noticed(row, message):
    """At any distance, mirrored, turned around, or one-sided; not what is independent."""
    require_unrelated(bits_of(ROW, (0, 63)))
    with pytest.raises(Refuted, match=message):
        require_unrelated(bits_of(row, (0,)))


def test_numbers_that_come_twice_are_counted():
    require_distinct([1, 2, -3], "numbers")
    require_distinct([1, 2, -2], "numbers", most=1)
    with pytest.raises(Refuted, match="of 3 numbers, 1 came before"):
        require_distinct([1, 2, -2], "numbers")


@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_too_little_and_too_much_variance_are_noticed(factor):
    noise = np.random.default_rng(1).laplace(0, 1, 10**5)
    require_moments(noise, 2, 1)
    with pytest.raises(Refuted, match="mean square"):
        require_moments(noise * factor, 2, 1)
    with pytest.raises(Refuted, match="the mean of"):
        require_moments(noise + 0.1, 2, 1)
