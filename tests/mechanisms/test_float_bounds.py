"""Floats that enclose: not wider than they need to be, right where floats end, and settled by any number of digits."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import fdpedu.mechanisms as m
from fdpedu.exact import Rate, exp_enclosure
from fdpedu.mechanisms import weights as weighing
from fdpedu.mechanisms.utilities import LEAST, Utilities
from fdpedu.mechanisms.weights import Weights, _rate_bounds, drawn
from fdpedu.randomness import Rehearsal

HALF = 2.0**999  # of the largest gap that is told
numbers = st.one_of(
    st.integers(-(10**6), 10**6),
    st.fractions(-(10**6), 10**6, max_denominator=999),
    st.floats(-1e6, 1e6, allow_subnormal=False),
)
same = st.one_of(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1), st.lists(st.floats(-1e9, 1e9), min_size=1))


# Gaps


@settings(deadline=None)
@given(st.one_of(st.lists(numbers, min_size=1, max_size=6), same))
@example([Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**30), Fraction(1, 3)])  # one float for all
@example([Fraction(1, 3), 2, 2.0, Fraction(2) - Fraction(1, 10**40), 0])
@example([-Fraction(1, 3), -Fraction(1, 3) - Fraction(1, 10**40)])
@example([0.0, 6.2e-302])
@example([0.0, -1e-290, 3e-286])
def test_gaps_are_known_to_a_few_units(utilities):
    """The floats around a gap differ by less than sixteen units of the larger of the two utilities, or where floats
    end by five of the least step there.
    """
    read = Utilities(utilities)
    assert read.best == min(r for r, gap in enumerate(read.gaps) if gap == 0)
    for r, (gap, low, high) in enumerate(zip(read.gaps, *map(np.ndarray.tolist, read.gap_bounds()), strict=True)):
        size = max(abs(read.value(read.best)), abs(read.value(r)))
        assert 0 <= low <= gap <= high and high - low <= 16 * 2.0**-52 * max(size, gap) + 5 * LEAST


@pytest.mark.parametrize("lower", [0.0, -(2.0**998), -HALF, -(2.0**1000), Fraction(-(2**1200)), -(2**1400)], ids=str)
def test_a_gap_of_half_of_the_largest_or_more_is_known_to_be_no_less(lower):
    """And nothing else; a smaller one is known from both sides."""
    utilities = [1.0, lower] if isinstance(lower, float) else [1, lower]
    low, high = Utilities(utilities).gap_bounds()
    assert low[0] == high[0] == 0 and HALF >= low[1] >= min(max(-lower, 1), HALF) * (1 - 1e-15)
    assert (high[1] == np.inf) == (-lower >= HALF)


@pytest.mark.parametrize("small", [5e-324, 1e-310, 2.0**-1000])
def test_gaps_where_floats_end_are_enclosed_too(small):
    low, high = Utilities([0.0, -small, small]).gap_bounds()
    assert low[2] == high[2] == 0 and (low[:2] <= [small, 2 * small]).all() and (high[:2] >= [small, 2 * small]).all()
    assert (low >= 0).all() and (high <= 2.0**-990).all()


# Rates and weights


@pytest.mark.parametrize("digits", [-320, -300, -20, -1, 0, 1, 20, 300, 301, 302, 400])
def test_a_rate_lies_between_its_floats(digits):
    for number in (Fraction(10) ** digits, Fraction(10) ** digits / 3, Fraction(10) ** digits * 7):
        low, high = _rate_bounds(Rate(rate=number))
        assert 0 <= low <= number and (high == np.inf or high >= number)
        assert (high == np.inf) == (number >= 2**1000)
        if 10**-290 < number < 2**1000:
            assert high - low <= 16 * 2.0**-52 * high


@given(st.fractions(Fraction(1, 10**9), 1 - Fraction(1, 10**9)))
@example(Fraction(1, 10**400))
@example(1 - Fraction(1, 10**30))
def test_the_logarithm_of_an_alpha_lies_between_its_floats(alpha):
    low, high = _rate_bounds(Rate(alpha=alpha))
    assert 0 < low < high <= low * (1 + 16 * 2.0**-52)
    assert exp_enclosure(-Fraction(high), 60).lower < alpha < exp_enclosure(-Fraction(low), 60).upper


@settings(deadline=None, max_examples=50)
@given(st.lists(st.integers(0, 40), min_size=1, max_size=6), st.fractions(Fraction(1, 100), 3))
def test_weights_and_sums_are_known_to_a_dozen_digits(utilities, epsilon):
    weigh = Weights(utilities, epsilon, None, 1, True)
    low, high = weigh.float_bounds
    assert ((high - low) <= high * 2.0**-41).all() and (low > 0).all() and (low[0], high[0]) == (1, 1)
    assert ((low == 1) == (high == 1)).all()
    lower, upper = weigh.float_sums
    assert ((upper - lower)[:-1] <= upper[:-1] * 2.0**-39).all() and lower[-1] == np.inf
    assert (lower[:-1] > 0).all() and (upper >= [*lower[:-1], 0]).all()


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=5),
    st.sampled_from([{"alpha": Fraction(1, 3)}, {"epsilon": Fraction(2, 3)}, {"epsilon": Fraction(99)}]),
    st.sampled_from([8, 64, 300, 900]),
)
def test_the_law_of_a_choice_is_known_to_the_last_bit(utilities, rate, bits):
    """Sums of weights in the row, over all of them, within two units of any number of bits; the last is 1."""
    weigh = Weights(utilities, rate.get("epsilon"), rate.get("alpha"), 1, False)
    lower, upper = weigh.law.bounds(len(weigh), bits)
    top = utilities.index(max(utilities))
    gaps = [max(utilities) - u for u in (*utilities[top:], *utilities[:top])]
    ends = [weigh.power(Fraction(gap), bits) for gap in gaps]
    parts = [
        Fraction(sum(end.lower for end in ends[: k + 1]), sum(end.lower for end in ends)) for k in range(len(ends))
    ]
    assert (weigh.law.terms, weigh.law.last, len(lower), len(upper)) == (len(ends), len(ends) - 1, len(ends), len(ends))
    for low, high, part in zip(lower, upper, parts, strict=True):
        assert low - 1 <= part * 2**bits <= high + 1 and 0 <= low <= high <= 2**bits and high - low <= 2
    assert lower[-1] == upper[-1] == 2**bits


# Integers, noise, draws


@pytest.mark.parametrize("shift", [0, 2**80])
@pytest.mark.parametrize(("gap", "kind"), [(2**62 - 1, "i"), (2**62, "i"), (2**62 + 1, "O"), (2**63, "O")])
def test_gaps_beyond_two_to_the_62_are_integers_of_python(gap, kind, shift):
    found = Weights([shift + 5, shift + 5 - gap], 1, None, 1, False).integers()
    assert found.tolist() == [0, -gap] and found.dtype.kind == kind


@pytest.mark.parametrize("most", [2**50, 2**52 - 1, 2**52, 2**52 + 1, 2**60])
def test_noise_that_does_not_fit_64_bits_is_made_of_integers_of_python(most, monkeypatch):
    """A lower digit and 1,023 times the upper one, whatever that one is."""
    low, high = np.arange(6), np.array([0, 1, 2, 3, 4, most])
    monkeypatch.setattr(weighing, "_digits", lambda rate, size, source: (low, 1023))
    monkeypatch.setattr(weighing, "sample", lambda law, size, source: high)
    noise = Weights([1, 2], "1/100", None, 1, False).noise(3, Rehearsal(1))
    assert noise.shape == (3, 2)
    assert noise.ravel().tolist() == [a + 1023 * b for a, b in zip(low.tolist(), high.tolist(), strict=True)]
    assert noise.dtype == (np.int64 if most < 2**62 // 1023 else object)


@pytest.mark.parametrize(
    ("size", "width"), [(1, 1), (65_536, 1), (65_537, 1), (70, 2**11), (7, 2**20), (40, 2**16 // 3)]
)
def test_draws_are_made_in_tiles(size, width):
    """As many as fit 2¹⁶ numbers at a time, and at least one; in the end as many as were asked for."""
    tiles = []

    def draw(n, source):
        tiles.append(n)
        return np.arange(n)

    tile = max(1, 2**16 // width)
    found = drawn(draw, size, Rehearsal(1), width)
    assert tiles == [tile] * (size // tile) + [size % tile] * (size % tile > 0) and found.shape == (size,)
    assert found.tolist() == [i % tile for i in range(size)]


def test_more_draws_than_two_to_the_32_are_refused():
    for size in (2**32 + 1, -1):
        with pytest.raises(ValueError, match="size"):
            m.exponential([1, 2], 1, size=size)
    assert drawn(lambda n, source: np.zeros(0, dtype=np.int64), 2**32, Rehearsal(1)).size == 0
    assert drawn(lambda n, source: np.zeros(n), 0, Rehearsal(1)).dtype == np.int64
    assert type(drawn(lambda n, source: np.arange(n) + 5, None, Rehearsal(1))) is int
