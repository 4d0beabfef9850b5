"""The words of each source, and the exact integers made from them."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fdpedu.claims.replay import enumerate_law
from fdpedu.randomness import (
    Rehearsal,
    ReplayedWords,
    SeededReleaseWarning,
    SeededSource,
    Source,
    SystemSource,
    TapeExhausted,
    ZeroWords,
    as_source,
    short_words,
    uniform_below,
)

long_words = st.integers(0, 2**64 - 1)
MAKERS = {
    "system": SystemSource,
    "seeded": lambda: as_source(np.random.default_rng(7)),
    "rehearsal": lambda: Rehearsal(7),
    "zero": ZeroWords,
    "tape": lambda: ReplayedWords(range(50)),
}


@pytest.mark.parametrize("name", MAKERS)
def test_a_source_yields_as_many_words_as_asked_for(name):
    source = MAKERS[name]()
    assert isinstance(source, Source) and source.word_bits == 64
    for size in (0, 1, 7):
        words = source.words(size)
        assert words.dtype == np.uint64 and words.shape == (size,)


@pytest.mark.claim("asm-random-words")
def test_the_default_is_the_operating_system(monkeypatch):
    asked = []
    monkeypatch.setattr("os.urandom", lambda n: asked.append(n) or bytes(range(n % 256)) + bytes(n - n % 256))
    assert as_source().words(3).dtype == np.uint64 and asked == [24]


@pytest.mark.parametrize("bad", [0, 1.5, "seed", np.random.RandomState(0)])
def test_anything_else_is_refused(bad):
    with pytest.raises(ValueError, match="rng"):
        as_source(bad)


@pytest.mark.parametrize("kind", ["operating system", "seeded generator", "dice"])
def test_only_the_system_s_own_source_is_called_so(kind):
    """Anybody's source is admitted under any other name; under that one only the SystemSource, for it is believed."""

    class Own(ZeroWords):
        pass

    own = Own()
    own.kind = kind
    if kind == SystemSource.kind:
        with pytest.raises(ValueError, match=f"kind {kind!r}"):
            as_source(own)
    else:
        assert as_source(own) is own
    system = SystemSource()
    assert as_source(system) is system and type(as_source(None)) is SystemSource


@given(st.integers(0, 2**32), st.integers(0, 20))
def test_seeded_words_are_the_raw_words_of_the_generator(seed, size):
    """Every bit that PCG64 makes, and no other; a rehearsal is the same without the warning."""
    raw = np.random.default_rng(seed).bit_generator.random_raw(size).tolist()
    assert SeededSource(np.random.default_rng(seed)).words(size).tolist() == raw
    assert Rehearsal(seed).words(size).tolist() == raw


def test_zero_words_are_zero():
    assert ZeroWords().words(9).tolist() == [0] * 9


def test_a_tape_ends():
    tape = ReplayedWords([1, 2])
    assert tape.words(2).tolist() == [1, 2]
    with pytest.raises(TapeExhausted):
        tape.words(1)


@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("name", sorted(set(MAKERS) - {"seeded"}))
def test_a_source_that_others_may_share_spawns_itself(name, n):
    source = MAKERS[name]()
    assert all(child is source for child in source.spawn(n)) and len(source.spawn(n)) == n


def test_seeded_children_are_those_of_the_generator():
    children = as_source(np.random.default_rng(7)).spawn(3)
    raw = [child.bit_generator.random_raw(4).tolist() for child in np.random.default_rng(7).spawn(3)]
    assert [child.words(4).tolist() for child in children] == raw and len({tuple(words) for words in raw}) == 3


def release(rng):
    """As a mechanism reads its argument."""
    return as_source(rng)


@pytest.fixture
def caught(monkeypatch):
    """All warnings of a session that has not warned yet."""
    monkeypatch.setattr(SeededSource, "_warned", False)
    with warnings.catch_warnings(record=True) as recorded:
        warnings.simplefilter("always")
        yield recorded


def test_the_warning_comes_once(caught):
    """Not for a second generator, and not for the children of the first."""
    release(np.random.default_rng(1)).spawn(2)
    release(np.random.default_rng(1))
    (warning,) = caught
    assert warning.category is SeededReleaseWarning and "whoever knows the seed can subtract" in str(warning.message)


def test_the_warning_points_at_the_line_that_asked_for_a_release(caught):
    release(np.random.default_rng(1))
    code = test_the_warning_points_at_the_line_that_asked_for_a_release.__code__
    assert caught[0].filename == __file__ and caught[0].lineno == code.co_firstlineno + 1


@given(st.lists(long_words, min_size=1, max_size=9))
def test_the_bits_of_short_words_are_those_of_the_long_ones(tape):
    """Each word is its two halves, the low one first, on a machine that stores them so."""
    halves = [half for word in tape for half in (word % 2**32, word // 2**32)]
    for size in (2 * len(tape), 2 * len(tape) - 1):
        words = short_words(ReplayedWords(tape), size)
        assert words.dtype == np.uint32 and words.tolist() == halves[:size]
    assert short_words(ReplayedWords([3], word_bits=32), 1).dtype == np.uint32


def test_the_words_of_a_short_tape_stay_as_they_are():
    assert short_words(ReplayedWords([5, 9], word_bits=4), 2).tolist() == [5, 9]
    assert short_words(ReplayedWords([]), 0).size == 0


def test_the_odd_half_of_a_word_is_thrown_away():
    """Of three short words the fourth half is not used again; the next draw begins with a new word."""
    tape = ReplayedWords([1 + (2 << 32), 3 + (4 << 32), 5 + (6 << 32)])
    assert short_words(tape, 3).tolist() == [1, 2, 3] and short_words(tape, 2).tolist() == [5, 6]


@pytest.mark.parametrize("bound", [1, 2, 3, 5, 7, 8, 15, 16])
def test_uniform_integers_are_exactly_uniform(bound):
    """All tapes of 4-bit words give each value below the bound the same mass, and what is undecided shrinks as it
    must.
    """
    decided, undecided = enumerate_law(lambda tape: int(uniform_below(np.array([bound]), tape)[0]), 4, 3)
    assert set(decided) == set(range(bound)) and len(set(decided.values())) == 1
    assert undecided == Fraction(16 % bound, 16) ** 3


@given(st.integers(1, 2**62), st.lists(long_words, max_size=5), long_words)
def test_long_words_are_reduced_exactly(bound, refused, accepted):
    """A word below the largest multiple of the bound gives its remainder, whatever refused words came before it."""
    most = 2**64 // bound * bound
    assume(accepted < most)
    refused = [word for word in refused if word >= most]
    drawn = uniform_below([bound], ReplayedWords([*refused, accepted]))
    assert drawn.dtype == np.int64 and drawn.tolist() == [accepted % bound]


@pytest.mark.parametrize("bound", [3, 2**61 + 1, 2**62])
def test_the_first_word_that_is_refused(bound):
    most = 2**64 // bound * bound
    for word in range(most, min(most + 2, 2**64)):
        assert uniform_below([bound], ReplayedWords([word, bound])).tolist() == [0]
    assert uniform_below([bound], ReplayedWords([most - 1, 0])).tolist() == [bound - 1]


@given(st.lists(st.tuples(st.integers(1, 2**62), long_words), min_size=1, max_size=6))
def test_a_refused_word_is_drawn_again_for_its_own_cell(cells):
    """First a word for each cell; then, round by round, one for each cell that has none yet, in their order."""
    bounds = [bound for bound, _ in cells]
    again = [i for i, (bound, word) in enumerate(cells) if word >= 2**64 // bound * bound]
    tape = [word for _, word in cells] + [bounds[i] - 1 for i in again]
    expected = [bounds[i] - 1 if i in again else word % bounds[i] for i, (_, word) in enumerate(cells)]
    assert uniform_below(np.array(bounds), ReplayedWords(tape)).tolist() == expected
