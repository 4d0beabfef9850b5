"""The sources, and the exact samplers built on them."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.laws import enumerate_law
from fdpedu.exact import Rate
from fdpedu.inversion import geometric, geometric_digit_law, geometric_law, sample
from fdpedu.randomness import (
    ReplayedWords,
    SeededReleaseWarning,
    SeededSource,
    SystemSource,
    TapeExhausted,
    ZeroWords,
    as_source,
    uniform_below,
)


def test_a_seeded_source_warns_once(monkeypatch):
    monkeypatch.setattr(SeededSource, "_warned", False)
    with pytest.warns(SeededReleaseWarning, match="not private"):
        as_source(np.random.default_rng(1))
    as_source(np.random.default_rng(1))  # a second warning would be an error here


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


@pytest.mark.parametrize("bound", [1, 2, 3, 5, 7, 8, 15, 16])
def test_uniform_integers_are_exactly_uniform(bound):
    """All tapes of 4-bit words give each value below the bound the same mass, and what is undecided shrinks as it
    must.
    """
    decided, undecided = enumerate_law(lambda tape: int(uniform_below(np.array([bound]), tape)[0]), 4, 3)
    assert set(decided) == set(range(bound)) and len(set(decided.values())) == 1
    assert undecided == Fraction(16 % bound, 16) ** 3


def encloses(decided, undecided, pmf):
    """The enumerated law and its undecided rest enclose the stated one, and leave no room for another."""
    assert undecided < Fraction(1, 50)
    for value, mass in decided.items():
        assert mass <= pmf(value) <= mass + undecided, value
    assert sum(decided.values()) + undecided == 1


@settings(max_examples=15, deadline=None)
@given(st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=20))
def test_the_geometric_law_from_replayed_bits(alpha):
    decided, undecided = enumerate_law(lambda tape: int(geometric(Rate.of(alpha=alpha), 1, tape)[0]), 4, 3)
    encloses(decided, undecided, lambda k: (1 - alpha) * alpha**k)


@settings(max_examples=10, deadline=None)
@given(st.fractions(Fraction(1, 10), Fraction(9, 10), max_denominator=20), st.integers(1, 3), st.integers(2, 6))
def test_a_digit_from_replayed_bits(alpha, stride, base):
    law, beta = geometric_digit_law(Rate.of(alpha=alpha), stride, base), alpha**stride
    decided, undecided = enumerate_law(lambda tape: int(sample(law, 1, tape)[0]), 4, 3)
    encloses(decided, undecided, lambda k: (1 - beta) * beta**k / (1 - beta**base))


def test_the_64_bit_table_is_the_law_at_every_border():
    """Just below ⌊2⁶⁴F(k)⌋ the shipped sampler returns k, just above k+1, and on it, it asks for another word."""
    alpha = Fraction(1, 3)
    for k in range(20):
        border = int((1 - alpha ** (k + 1)) * 2**64)

        def draw(*tape):
            return int(sample(geometric_law(Rate.of(alpha=alpha)), 1, ReplayedWords(tape))[0])

        assert draw(border - 1) == k and draw(border + 1) == k + 1
        with pytest.raises(TapeExhausted):
            draw(border)
        assert draw(border, 0) == k and draw(border, 2**64 - 1) == k + 1


def test_beyond_the_table_the_slow_way_continues():
    """A word beyond the first table is not lost: the law goes on."""
    law = geometric_law(Rate.of(alpha="1/2"))
    top = 2**64 - 1
    value = int(sample(law, 1, ReplayedWords([top - 2**20, 0, 0]))[0])
    assert value == 64 - 21  # 1 − U is about 2**(20−64)
    assert int(sample(law, 1, ReplayedWords([top, 2**63 - 1, 0]))[0]) == 64  # just below F(64) = 1 − 2⁻⁶⁵
    assert int(sample(law, 1, ReplayedWords([top, 2**63, 0]))[0]) == 65


@pytest.mark.parametrize("epsilon", ["1/1000", "1/1000000", "1/100000000000"])
def test_slow_decay_is_written_in_digits(epsilon):
    """Mean and spread of 20,000 draws: with probability 1 − 10⁻⁹ within 6.2 standard errors (normal approximation)."""
    rate = Rate.of(epsilon=epsilon)
    draws = geometric(rate, 20_000, SeededSource(np.random.default_rng(7))) * float(rate)
    assert (
        abs(draws.mean() - 1) < 6.2 / 20_000**0.5
    )  # an exponential has mean 1, sd 1, and its square has mean 2, sd √20
    assert abs((draws**2).mean() - 2) < 6.2 * (20 / 20_000) ** 0.5


def test_zeros_are_no_noise_and_tiny_rates_are_refused():
    assert geometric(Rate.of(epsilon="1/1000000"), 3, ZeroWords()).tolist() == [0, 0, 0]
    with pytest.raises(ValueError, match="2\\*\\*-40"):
        geometric(Rate.of(epsilon=Fraction(1, 2**41)), 1, SystemSource())


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
    ],
)
def test_a_law_takes_exactly_one_parameter(kwargs):
    with pytest.raises(ValueError):
        Rate.of(**kwargs)
