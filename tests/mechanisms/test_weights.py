"""Weights of candidates: floats that enclose them, and any number of digits where floats leave a choice open."""

from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import fdpedu.mechanisms as m
from fdpedu.claims.replay import patched
from fdpedu.exact import Rate, exp_enclosure
from fdpedu.mechanisms import weights as weighing
from fdpedu.mechanisms.weights import Weights, _rate_bounds, drawn
from fdpedu.randomness import Rehearsal
from tests.support.mechanisms import MECHANISMS, exact_ends, lists

rates = st.one_of(st.fractions(Fraction(1, 1000), 1000), st.sampled_from([Fraction(1, 10**9), Fraction(10) ** -320]))


@settings(deadline=None)
@given(lists, rates)
@example([1e9 + k / 10 for k in range(60)], Fraction(1000))  # decimals that floats miss by half a unit
@example([2**53 + 1, 2.0**53, Fraction(1, 3)], Fraction(1000))  # one float for two numbers
@example([2**63, 0, 2**64 - 1], Fraction(1000))
@example([0, 10**400, Fraction(1, 3)], Fraction(3, 10**400))
def test_weights_and_their_sums_lie_between_their_floats(utilities, epsilon):
    """Every weight and every sum of weights in the row, against enclosures of 60 digits."""
    weigh = Weights(utilities, epsilon, None, 1, True)
    row = [weigh.in_row(k) for k in range(len(weigh))]
    weights = [weigh.power(weigh.utilities.gaps[r]) for r in row]
    for weight, (low, high) in zip(weights, exact_ends(*weigh.float_bounds), strict=True):
        assert low <= weight.lower and min(1, weight.upper) <= high <= 1
    assert row[0] == weigh.utilities.best and sorted(row) == list(range(len(row)))
    total = sum(weights[1:], weights[0])
    sums = exact_ends(*(end[:-1] for end in weigh.float_sums))
    for part, (low, high) in zip(accumulate(weights[:-1]), sums, strict=True):
        assert low <= (part / total).lower and (part / total).upper <= high


@pytest.mark.parametrize("candidates", [10, 1000, 100_000])
def test_floats_leave_few_words_open(candidates):
    """For integers and for floats the share of words that need digits is below 10⁻⁵, for 1,000 candidates 10⁻⁹."""
    steps = np.arange(candidates) * 7919 % 211
    for utilities in (steps, steps * 0.37 - 20.1):
        lower, upper = Weights(utilities, "1/10", None, 1, False).float_sums
        assert (upper - lower)[:-1].sum() < (1e-5 if candidates > 1000 else 1e-9)


@pytest.mark.parametrize("choose", MECHANISMS)
def test_many_draws_at_a_time_or_few(choose):
    """However many draws are made at a time, as many are made as asked for, and no words are used twice."""
    utilities, drawn = [3, 1, 2, 3], {}
    for tile in (1, 12, 2**16):
        with patched("fdpedu.mechanisms.weights", _TILE=tile):
            drawn[tile] = choose(utilities, 1, Rehearsal(2), size=203)
        assert drawn[tile].shape == (203,) and drawn[tile].dtype == np.int64
        assert not (drawn[tile][:100] == drawn[tile][100:200]).all() and len(set(drawn[tile][-9:].tolist())) > 1
    if choose is m.exponential:  # one word a draw
        assert (drawn[1] == drawn[2**16]).all()


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


@pytest.mark.parametrize(
    ("size", "width"), [(1, 1), (65_536, 1), (65_537, 1), (70, 2**11), (7, 2**20), (40, 2**16 // 3)]
)
def test_draws_are_made_in_tiles(size, width):
    """As many as fit 2¹⁶ far_numbers at a time, and at least one; in the end as many as were asked for."""
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


RATES = [{"alpha": Fraction(9, 10)}, {"epsilon": Fraction(1, 5)}]


def weigh(utilities, alpha=None, epsilon=None):
    return Weights(utilities, epsilon, alpha, 1, False)


def power_of(gap, bits, alpha=None, epsilon=None):
    return alpha**gap if alpha else exp_enclosure(-epsilon / 2 * gap, bits).lower


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("gap", [1, 64, 65, 200])
@pytest.mark.parametrize("bits", [64, 300, 900])
def test_the_law_of_two_candidates_is_known_to_the_last_bit(rate, gap, bits):
    lower, upper = weigh([gap, 0], **rate).law.bounds(2, bits)
    truth = 2**bits / (1 + power_of(gap, bits, **rate))
    assert lower[0] - 1 <= truth <= upper[0] + 1 and upper[0] - lower[0] <= 2 and lower[1] == upper[1] == 2**bits


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("gap", [1, 64, 65, 200])
def test_the_coins_of_candidates_are_known_to_the_last_bit(rate, gap, monkeypatch):
    """Tails has 1 less the weight; the best candidates have no coin, and floats enclose those that there are."""
    seen = []

    def caught(low, high, tails, source):
        seen.append((low, high, tails))
        return np.zeros(low.size, dtype=bool)

    monkeypatch.setattr(weighing, "enclosed_coins", caught)
    heads = weigh([gap, 0, gap, 1], **rate).flip(3, Rehearsal(1))
    assert heads.dtype == bool and heads.shape == (3, 4) and heads.all()
    ((low, high, tails),) = seen
    for i, each in enumerate([gap, gap - 1] * 3 if gap > 1 else [1] * 3):
        for bits in (64, 300, 900):
            truth = (1 - power_of(each, bits, **rate)) * 2**bits
            (first, last), (top, end) = tails(i).bounds(2, bits)
            assert first - 1 <= truth <= top + 1 and top - first <= 2 and last == end == 2**bits
        assert low[i] < truth / 2**bits < high[i] < low[i] + 1e-9


@pytest.mark.parametrize("choose", [m.permute_and_flip, m.report_noisy_max])
@pytest.mark.parametrize(("candidates", "at_a_time"), [(3, 4), (4, 3), (5, 2), (7, 1), (12, 1), (41, 1)])
def test_parts_of_many_draws_are_calls_of_their_own(choose, candidates, at_a_time):
    """With memory for twelve numbers: so many draws at a time that their candidates fit, and one at least."""
    utilities = np.arange(candidates) * 5 % 7
    with patched("fdpedu.mechanisms.weights", _TILE=12):
        together = choose(utilities, "1/3", Rehearsal(6), size=9 * at_a_time + 1)
        source = Rehearsal(6)
        parts = [choose(utilities, "1/3", source, size=at_a_time) for _ in range(9)]
        parts.append(choose(utilities, "1/3", source, size=1))
    assert together.tolist() == np.concatenate(parts).tolist() and together.dtype == np.int64
