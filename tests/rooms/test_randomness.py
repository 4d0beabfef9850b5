"""The sources of random words, and the exact integers made from them."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.claims.replay import enumerate_law
from fdpedu.exact import Rate
from fdpedu.randomness import (
    ReplayedWords,
    TapeExhausted,
    as_source,
    short_words,
    uniform_below,
)


@pytest.mark.claim("asm-random-words")
def test_the_default_is_the_operating_system(monkeypatch):
    asked = []
    monkeypatch.setattr("os.urandom", lambda n: asked.append(n) or bytes(range(n % 256)) + bytes(n - n % 256))
    assert as_source().words(3).dtype == np.uint64 and asked == [24]


@pytest.mark.parametrize("bad", [0, 1.5, "seed", np.random.RandomState(0)])
def test_anything_else_is_refused(bad):
    with pytest.raises(ValueError, match="rng must be"):
        as_source(bad)


def test_a_tape_ends():
    tape = ReplayedWords([1, 2])
    assert tape.words(2).tolist() == [1, 2]
    with pytest.raises(TapeExhausted):
        tape.words(1)


def test_short_words_are_the_halves_of_long_ones():
    """Every bit of a 64-bit word is used once; the words of a short tape stay as they are."""
    tape = ReplayedWords([1 + 2**33, 2**64 - 1])
    assert sorted(short_words(tape, 4).tolist()) == [1, 2, 2**32 - 1, 2**32 - 1]
    assert short_words(ReplayedWords([5, 9], word_bits=4), 2).tolist() == [5, 9]
    assert short_words(ReplayedWords([7, 8]), 3).size == 3 and short_words(ReplayedWords([]), 0).size == 0


@pytest.mark.parametrize("bound", [1, 2, 3, 5, 7, 8, 15, 16])
def test_uniform_integers_are_exactly_uniform(bound):
    """All tapes of 4-bit words give each value below the bound the same mass, and what is undecided shrinks as it
    must.
    """
    decided, undecided = enumerate_law(lambda tape: int(uniform_below(np.array([bound]), tape)[0]), 4, 3)
    assert set(decided) == set(range(bound)) and len(set(decided.values())) == 1
    assert undecided == Fraction(16 % bound, 16) ** 3


@pytest.mark.parametrize(
    "kwargs",
    [
        {},
        {"epsilon": 1, "alpha": "1/2"},
        {"epsilon": 0},
        {"alpha": 1},
        {"epsilon": "x"},
        {"epsilon": float("nan")},
        {"epsilon": True},
        {"epsilon": 1, "sensitivity": 0},
        {"alpha": "1/2", "sensitivity": 2},
    ],
)
def test_a_law_takes_exactly_one_parameter(kwargs):
    with pytest.raises(ValueError):
        Rate.of(**kwargs)
