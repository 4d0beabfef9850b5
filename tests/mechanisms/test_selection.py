"""Choosing a candidate: laws by other ways of summing, replayed bits, privacy, and choices among many candidates."""

import math
from bisect import bisect_right
from decimal import Decimal
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fdpedu.mechanisms as m
from fdpedu.claims.checking import Refuted
from fdpedu.claims.frequencies import require_frequencies
from fdpedu.claims.mechanisms import exponential as choices
from fdpedu.claims.mechanisms import exponential as topic
from fdpedu.claims.mechanisms import words
from fdpedu.claims.strategies import alphas
from fdpedu.mechanisms import (
    expected_error,
    exponential_pmf,
    leaf_error_constant,
    permute_and_flip_pmf,
    report_noisy_max_pmf,
)
from fdpedu.randomness import Rehearsal, ZeroWords
from tests.support.both_ends import both_ends
from tests.support.mechanisms import LAWS, MECHANISMS, halves
from tests.support.truths import choice, error, exp, leaf_constant


@pytest.mark.claim("thm-report-noisy-max")
@settings(max_examples=20, deadline=None)
@given(halves, st.lists(st.integers(0, 3), min_size=1, max_size=3))
def test_report_noisy_max_by_summing_all_noises(alpha, utilities):
    """The closed form is the sum over all geometric noises up to 12, and what lies beyond."""
    found, reach = [Fraction(0)] * len(utilities), 12
    for noises in product(range(reach + 1), repeat=len(utilities)):
        sums = [u + z for u, z in zip(utilities, noises, strict=True)]
        found[sums.index(max(sums))] += math.prod((1 - alpha) * alpha**z for z in noises)
    stated, beyond = m.report_noisy_max_pmf(utilities, alpha=alpha), 1 - sum(found)
    assert sum(stated) == 1 and all(p <= q <= p + beyond for p, q in zip(found, stated, strict=True))


@pytest.mark.parametrize("name", words.SAMPLERS)
def test_selection_from_replayed_bits(pytestconfig, name):
    """Each shipped selection has its stated law, with α given and with ε given (general and monotone).

    Each of these with utilities of its own, with ``--deep`` with all of them.
    """
    utilities = [[0, 2, 1], [1, 1, 0], [1, 0]]
    given = [{"alpha": Fraction(1, 3)}, {"epsilon": 2}, {"epsilon": 1, "monotone": True}]
    pairs = product(utilities, given) if pytestconfig.getoption("--deep") else zip(utilities, given, strict=True)
    for values, options in pairs:
        topic.sampled(name, values, options, words=3, slack=Fraction(1, 3))


@pytest.mark.parametrize("name", words.PMFS)
@settings(max_examples=60, deadline=None)
@given(alphas, st.lists(st.tuples(st.integers(0, 4), st.integers(-1, 1)), min_size=1, max_size=4))
def test_selection_is_private(name, alpha, pairs):
    """For all utilities that differ by at most 1: the ratio is at most α⁻² (= e^ε); one-sided: at most α⁻¹ (= e^ε)."""
    before, moves = zip(*pairs, strict=True)
    topic.private(name, before, moves, alpha, one_way=False)
    topic.private(name, before, tuple(map(abs, moves)), alpha, one_way=True)


@pytest.mark.claim("exponential-without-two")
@pytest.mark.parametrize("name", words.PMFS)
def test_a_utility_that_is_not_monotone_needs_the_two(name):
    """With half the noise, two utilities that move apart break the claim: two candidates are enough."""
    with pytest.raises(Refuted, match=r"ε is 2$"):
        topic.private(name, (2, 0), (-1, 1), Fraction(1, 2), one_way=True)


@settings(deadline=None)
@given(alphas, st.lists(st.integers(0, 4), min_size=1, max_size=4))
def test_new_probabilities_after_each_tails_by_all_orders(alpha, utilities):
    """As described by Vos et al.: in every order, each coin has the weight's share among those that are left."""
    weights, n = [alpha ** (max(utilities) - u) for u in utilities], len(utilities)
    law_ = [Fraction(0)] * n
    for order in permutations(range(n)):
        mass = Fraction(1, math.factorial(n))
        for place, r in enumerate(order):
            coin = weights[r] / sum(weights[s] for s in order[place:])
            law_[r] += mass * coin
            mass *= 1 - coin
    assert m.permute_and_flip_as_described(utilities, alpha=alpha) == law_ and sum(law_) == 1


def test_monotone_and_sensitivity_set_the_base():
    """α = e^{−ε/(2Δ)}, and e^{−ε/Δ} for monotone utilities: twice the ε, or half the Δ, is the same topic."""
    expected = m.exponential_pmf([0, 3, 1], 1)
    for same in (
        {"epsilon": 2, "sensitivity": 2},
        {"epsilon": "1/2", "monotone": True},
        {"epsilon": "1/4", "sensitivity": "1/4"},
    ):
        assert m.exponential_pmf([0, 3, 1], **same) == expected
    two = m.exponential_pmf([1, 0], 1)
    assert float((two[0] / two[1]).upper) == pytest.approx(math.exp(0.5), rel=1e-12)


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
    row, edges = choices.intervals(utilities, {"epsilon": "1/5"})
    right = [row[bisect_right(edges, Fraction(int(word), 2**64))] for word in Rehearsal(6).words(200)]
    assert m.exponential(utilities, "1/5", Rehearsal(6), size=200).tolist() == right


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


@pytest.mark.claim("lem-leaf-error")
@pytest.mark.parametrize("classes", [2, 3, 10])
def test_the_constant_of_the_leaves(classes):
    """The enclosure holds the maximum over a fine grid; for two classes it is 1/e; and a law attains it at its p."""
    p = np.linspace(1e-6, 1 - 1e-6, 10**5)
    values = 2 * np.log(1 / p) * (1 - (1 - (1 - p) ** classes) / (classes * p))
    constant = m.leaf_error_constant(classes)
    assert float(constant.lower) - 1e-9 <= values.max() + 2e-5 and values.max() <= float(constant) + 1e-12
    alpha, gap = Fraction(1, 2), 3  # all but one candidate lie `gap` below: p = α^gap, ε = 2·ln(1/α)
    error = m.expected_error(
        m.permute_and_flip_pmf([gap] + [0] * (classes - 1), alpha=alpha), [gap] + [0] * (classes - 1)
    )
    q = float(alpha**gap)
    at = 2 * math.log(1 / q) * (1 - (1 - (1 - q) ** classes) / (classes * q))
    assert float(error) * 2 * math.log(2) == pytest.approx(at, rel=1e-12) and at <= float(constant)


@pytest.mark.parametrize(("utilities", "e"), [((5, 3, 5, -2), "1/3"), ((0, 7, 2), 2)])
@pytest.mark.parametrize(
    ("rule", "pmf"),
    {
        "exponential": lambda u, e: exponential_pmf(u, e),
        "permute and flip": lambda u, e: permute_and_flip_pmf(u, e),
        "report noisy max": lambda u, e: report_noisy_max_pmf(u, e),
    }.items(),
)
def test_both_ends_of_choices(rule, pmf, utilities, e):
    """The probability of each candidate, and the expected error."""
    for r in range(len(utilities)):
        both_ends(lambda r=r: pmf(utilities, e)[r], lambda r=r: choice(utilities, e, rule)[r], 55)
    both_ends(
        lambda: expected_error(pmf(utilities, e), utilities), lambda: error(choice(utilities, e, rule), utilities), 55
    )


@pytest.mark.parametrize(("classes", "digits"), [(2, 37), (3, 4), (30, 4)])
def test_both_ends_of_constant_of_leaves(classes, digits):
    both_ends(lambda: leaf_error_constant(classes), lambda: exp(-1) if classes == 2 else leaf_constant(classes), digits)
