"""Choices among many candidates: floats that enclose the truth, utilities in whatever form, words next to an edge."""

from bisect import bisect_right
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import fdpedu.mechanisms as m
from fdpedu.claims.frequencies import require_frequencies
from fdpedu.claims.mechanisms import laws_choices as law
from fdpedu.claims.replay import patched
from fdpedu.exact import as_fraction
from fdpedu.mechanisms.utilities import Utilities
from fdpedu.mechanisms.weights import Weights
from fdpedu.randomness import Rehearsal, ZeroWords

MECHANISMS = (m.exponential, m.permute_and_flip, m.report_noisy_max)
LAWS = (m.exponential_pmf, m.permute_and_flip_pmf, m.report_noisy_max_pmf)

numbers = st.one_of(
    st.integers(-(2**66), 2**66),
    st.integers(-5, 5),
    st.floats(-1e9, 1e9),
    st.floats(allow_nan=False, allow_infinity=False),
    st.fractions(max_denominator=50),
    st.sampled_from([0.1, 0.3, 0.1 + 0.2, 1e16, Fraction(1, 10), Fraction(3, 10), 2**53 + 1, 2.0**53, 5e-324]),
)
lists = st.one_of(
    st.lists(numbers, min_size=1, max_size=6),
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=6),
    st.lists(st.integers(0, 3), min_size=1, max_size=6),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=6),
)
rates = st.one_of(st.fractions(Fraction(1, 1000), 1000), st.sampled_from([Fraction(1, 10**9), Fraction(10) ** -320]))


def exact_ends(low, high):
    return [
        (Fraction(a), Fraction(b) if b < np.inf else None) for a, b in zip(low.tolist(), high.tolist(), strict=True)
    ]


# Floats that enclose the truth


@settings(deadline=None)
@given(lists)
@example([1e9 + k / 10 for k in range(60)])  # decimals that floats miss by half a unit
@example([2**53 + 1, 2.0**53, Fraction(1, 3)])  # one float for two numbers
@example([2**63, 0, 2**64 - 1])
@example([0, 10**400, Fraction(1, 3)])  # a gap beyond all floats
def test_gaps_lie_between_their_floats(utilities):
    """Integers, floats and fractions, of any size and mixed: the best is the first of the largest, exactly."""
    true = [as_fraction(u) for u in utilities]
    read = Utilities(utilities)
    assert read.best == true.index(max(true))
    assert read.gaps == [read.gap(r) for r in range(len(true))] == [max(true) - u for u in true]
    for gap, (low, high) in zip(read.gaps, exact_ends(*read.gap_bounds()), strict=True):
        assert low <= gap and (high is None or gap <= high)
        assert (high == 0) == (gap == 0)


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


# The same utilities in other forms, and the same words


def forms():
    """Numbers that all forms can hold exactly, in these forms."""
    values = [3, -2, 7, 7, 0, 5, -2, 6]
    yield "list", values
    yield "tuple", tuple(values)
    for kind in ("int8", "int16", "int32", "int64", "float16", "float32", "float64", "longdouble", "object"):
        yield kind, np.array(values).astype(kind)
    for kind in ("uint8", "uint64"):
        yield kind, (np.array(values) + 2).astype(kind)
    yield "floats", [float(v) for v in values]
    yield "fractions", [Fraction(v) for v in values]
    yield "numpy numbers", [np.int16(v) if v % 2 else np.float32(v) for v in values]
    yield "mixed", [3, -2.0, Fraction(7), 7, Decimal(0), "5", np.int8(-2), 6.0]
    yield "not contiguous", np.repeat(np.array(values), 2)[::2]
    yield "beyond 64 bits", [v + 2**80 for v in values]
    yield "from the least to the largest integer", [v + 2**63 - 8 for v in values]
    yield "large and unsigned", (np.array(values) + 2).astype(np.uint64) + np.uint64(2**64 - 10)


@pytest.mark.parametrize("options", [{"epsilon": "1/2"}, {"epsilon": 3, "sensitivity": 2}, {"alpha": "2/3"}])
@pytest.mark.parametrize("choose", MECHANISMS)
def test_the_same_words_choose_the_same(choose, options):
    """The draw is a function of the words and of the exact utilities, whatever form they come in."""
    first, *others = [(name, choose(u, rng=Rehearsal(4), size=400, **options).tolist()) for name, u in forms()]
    assert len(set(first[1])) > 4
    for name, chosen in others:
        assert chosen == first[1], name


@pytest.mark.claim("thm-exponential")
@pytest.mark.parametrize(
    "utilities",
    [
        [0.1, Fraction(1, 3), 7, -2.5, "1/7", Decimal("6.9")],
        list(range(40)),
        [k * k % 97 / 7 for k in range(300)],
        [Fraction(k * k % 97, 7) for k in range(5000)],  # more than any table holds
    ],
)
def test_exponential_by_exact_sums(utilities):
    """For 200 words, seeded, the shipped sampler and a search among exact sums find the same candidate."""
    row, edges = law.intervals(utilities, {"epsilon": "1/5"})
    right = [row[bisect_right(edges, Fraction(int(word), 2**64))] for word in Rehearsal(6).words(200)]
    assert m.exponential(utilities, "1/5", Rehearsal(6), size=200).tolist() == right


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


@pytest.mark.parametrize(("choose", "pmf"), list(zip(MECHANISMS, LAWS, strict=True)))
def test_frequencies_of_choices(choose, pmf):
    """60,000 draws against the law, and pairs of draws in a row against the product of two laws: chi-square, seeded; a
    false alarm has probability below 10⁻⁹ each.
    """
    utilities, n = [4, 0, 3, 4, 1], 60_000
    p = np.array([float(mass) for mass in pmf(utilities, "3/2")])
    drawn = choose(utilities, "3/2", Rehearsal(8), size=n)
    pairs = drawn[::2] * 5 + drawn[1::2]
    require_frequencies(np.bincount(drawn, minlength=5), p, alpha=1e-9)
    require_frequencies(np.bincount(pairs, minlength=25), np.outer(p, p).ravel(), alpha=1e-9)


# Large numbers of candidates, large and small numbers


@pytest.mark.parametrize("choose", MECHANISMS)
def test_zeros_choose_the_first_of_the_best(choose):
    for utilities in ([3, 9, 4, 9], np.arange(10**5) % 1000, [0, 10**30, 10**30], [5], [-(2**63), 2**63 - 1]):
        assert choose(utilities, "1/10", ZeroWords()) == list(utilities).index(max(utilities))
        assert set(choose(utilities, "1/10", ZeroWords(), size=3)) == {list(utilities).index(max(utilities))}


@pytest.mark.parametrize("choose", MECHANISMS)
def test_a_hundred_thousand_candidates(choose):
    """With ε = 10⁻⁶ all are about equally likely; with ε = 100 only the ten best are ever chosen (seeded)."""
    utilities = np.arange(10**5) // 10
    drawn = choose(utilities, "1/1000000", Rehearsal(1), size=40)
    assert len(set(drawn.tolist())) > 35 and drawn.min() < 20_000 and drawn.max() >= 80_000
    drawn = choose(utilities, 100, Rehearsal(1), size=40)
    assert drawn.min() >= 10**5 - 10 and len(set(drawn.tolist())) > (1 if choose is not m.report_noisy_max else 0)


@pytest.mark.parametrize("choose", MECHANISMS)
@pytest.mark.parametrize("epsilon", [Fraction(10) ** 400, 1, "1/1000000000"])
def test_gaps_far_beyond_floats(choose, epsilon):
    """Gaps of 10⁴⁰⁰ are never closed; a gap of 1 beside them may be, and is where ε is small."""
    utilities = [0, 10**400, 10**400 - 1, -(10**400)]
    drawn = choose(utilities, epsilon, Rehearsal(3), size=60).tolist()
    assert set(drawn) == ({1} if epsilon == Fraction(10) ** 400 else {1, 2})


def test_a_gap_and_a_rate_that_cancel():
    """u* − u = 10⁴⁰⁰ and ε = 2·10⁻⁴⁰⁰ give a coin of e⁻¹, which no float knows: digits decide."""
    drawn = [f([10**400, 0], Fraction(2, 10**400), Rehearsal(5), size=300) for f in MECHANISMS[:2]]
    for chosen, p in zip(drawn, (0.269, 0.184), strict=True):  # 1/(1+e), 1/2e
        assert abs(chosen.mean() - p) < 0.17  # Hoeffding: 2·exp(−2·300·0.17²) < 10⁻⁷


def test_floats_are_the_decimals_that_they_print_as():
    assert m.exponential([0.3, Fraction(3, 10), 0.1 + 0.2], 1, ZeroWords()) == 2
    assert m.exponential([Fraction(3, 10), 0.3], 1, ZeroWords()) == 0
    assert m.exponential([Fraction(1, 3), 1 / 3], 1, ZeroWords()) == 0  # 0.3333333333333333 is less
    assert m.exponential([2.0**53, 2**53, 2**53 + 1], 1, ZeroWords()) == 2
    assert m.exponential(np.array([0.1, 0.2], dtype=np.float32), 1, ZeroWords()) == 1


# What is refused

UNREADABLE = [
    [], (), np.array([]), np.zeros((2, 2)), np.array(3), "12", b"12", 5, None, {1, 2}, {1: 2}, [True, 1],
    np.array([True]), [1, None], [float("nan")], np.array([1.0, np.inf]), [1, 1j], ["x"], [[1], [2]],
    np.array(["2020-01-01"], dtype="datetime64[D]"),
]  # fmt: skip


@pytest.mark.parametrize("utilities", UNREADABLE)
def test_what_is_no_list_of_numbers_is_refused(utilities):
    for choose in (*MECHANISMS, *LAWS):
        with pytest.raises(ValueError, match="utilities"):
            choose(utilities, 1)


@pytest.mark.parametrize("call", [*MECHANISMS, *LAWS])
def test_alpha_is_the_base_itself(call):
    """With ``alpha`` there is nothing that a sensitivity or ``monotone`` could change, so they are refused."""
    for given_ in ({"monotone": True}, {"sensitivity": 2}, {"sensitivity": "1/2", "monotone": True}):
        with pytest.raises(ValueError, match="alpha is the base of the coins itself"):
            call([1, 0], alpha="1/2", **given_)
    call([1, 0], alpha="1/2", sensitivity=1, monotone=False)
    for fractional in ([0.5, 0], [Fraction(1, 3), 0], np.array([0.25, 1])):
        with pytest.raises(ValueError, match="integers"):
            call(fractional, alpha="1/2")
    call([0.5, 1.5], alpha="1/2")  # differences are what counts


def test_the_noisy_maximum_needs_integer_gaps_and_no_more():
    for utilities in ([0.5, 0], [0, "1/3"], np.array([0.25, 1])):
        with pytest.raises(ValueError, match="differ by integers"):
            m.report_noisy_max(utilities, 1)
    assert m.report_noisy_max(np.array([0.5, 2.5, 1.5]), 9, ZeroWords()) == 1
    assert m.report_noisy_max([0, 2**63, 2**90], 1, Rehearsal(1)) == 2
    assert m.report_noisy_max_pmf([0, 2**90], 1)[0].upper < Fraction(1, 10**1000)
