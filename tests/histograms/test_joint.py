"""The joint exponential mechanism for quantiles: utility, law, sampler, and what a draw relies on."""

from fractions import Fraction
from itertools import accumulate, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.claims.histograms import joint_edges as topic
from fdpedu.claims.replay import patched
from fdpedu.exact import Rate
from fdpedu.histograms import joint_sensitivity, joint_utility, trusted_joint_quantiles, trusted_joint_quantiles_pmf
from fdpedu.mechanisms.chain import Chain
from fdpedu.randomness import Rehearsal, ReplayedWords, ZeroWords

small_tables = st.lists(st.integers(0, 9), min_size=2, max_size=7).map(tuple)


def test_the_law_of_a_table():
    """Two choices, of utilities −2 and −6; all choices of two edges among three; nothing to choose."""
    assert trusted_joint_quantiles_pmf([2, 1], 2, alpha="1/3") == {(1,): 1}
    assert trusted_joint_quantiles_pmf([2, 1, 0], 2, alpha="1/3") == {(1,): Fraction(81, 82), (2,): Fraction(1, 82)}
    assert list(trusted_joint_quantiles_pmf([1] * 4, 3, alpha="1/3")) == [(1, 2), (1, 3), (2, 3)]
    enclosed = trusted_joint_quantiles_pmf([2, 1, 0], 2, 4)  # the base is e^(−4/4)
    odds = float(enclosed[(1,)]) / float(enclosed[(2,)])
    assert odds == pytest.approx(np.exp(4))


def test_draws_of_a_seed():
    """The same words at two rates: with a small ε anything may come, with a large one the best; the grid has halves."""
    counts = [5, 9, 0, 2, 14, 3, 3, 0, 1]
    drawn = [trusted_joint_quantiles(counts, [i / 2 for i in range(10)], 4, eps, Rehearsal(7)) for eps in ("1/9", 9)]
    assert drawn == [(0, 1, 3, 4, 4.5), (0, 0.5, 2, 2.5, 4.5)]


def test_one_choice_needs_no_luck():
    assert trusted_joint_quantiles([7, 0, 3], range(4), 3, 1, ZeroWords()) == (0, 1, 2, 3)
    assert trusted_joint_quantiles([0, 2**40], [0, 5, 6], 2, "1/1000", ZeroWords()) == (0, 5, 6)


def test_as_many_choices_as_may_be_listed():
    """Six fine bins and three wide ones have C(5, 2) = 10 choices."""
    with patched("fdpedu.histograms.joint", MAX_LISTED=10):
        assert len(trusted_joint_quantiles_pmf([1] * 6, 3, 1)) == 10
    with patched("fdpedu.histograms.joint", MAX_LISTED=9), pytest.raises(ValueError, match="too many choices"):
        trusted_joint_quantiles_pmf([1] * 6, 3, 1)


@given(small_tables, st.data())
def test_the_utility_by_definition(cells, data):
    bins = data.draw(st.integers(2, len(cells)))
    places = data.draw(st.sampled_from(list(combinations(range(1, len(cells)), bins - 1))))
    assert joint_utility(cells, places) == topic.by_definition(cells, places) <= 0


def test_probable_edges_of_a_large_grid():
    """10⁶ records on 256 fine bins: with ε = 1 the edges are within a few hundred records of their shares."""
    counts = np.bincount((np.random.default_rng(0).beta(2, 5, 10**6) * 256).astype(int), minlength=256)
    edges = trusted_joint_quantiles(counts, range(257), 16, 1, Rehearsal(4))
    assert len(edges) == 17 and list(edges) == sorted(set(edges)) and (edges[0], edges[-1]) == (0, 256)
    prefix = np.cumsum([0, *counts])
    misses = [abs(prefix[int(k)] - 10**6 * i / 16) for i, k in enumerate(edges[1:-1], 1)]
    assert max(misses) <= counts.max()


def test_the_share_of_words_of_a_choice():
    """All words of 8 bits are played: the first edge has its share of them, to within one word."""
    cells, epsilon = (4, 1, 3), Fraction(2)
    stated = trusted_joint_quantiles_pmf(cells, 2, epsilon)[(1,)]
    firsts = sum(
        trusted_joint_quantiles(cells, range(4), 2, epsilon, ReplayedWords([word, 0], 8))[1] == 1 for word in range(256)
    )
    assert firsts / 256 - 1 / 256 <= float(stated) <= firsts / 256 + 1 / 256


@pytest.mark.parametrize("epsilon", ["1e-300", Fraction(1, 10**400), 10**400])
def test_rates_of_any_size(epsilon):
    """With hardly any ε every choice is as likely, with a huge one the best is certain."""
    chosen = {trusted_joint_quantiles([9, 1, 1], range(4), 2, epsilon, ReplayedWords([w] * 3, 4))[1] for w in (1, 14)}
    assert chosen == ({1} if epsilon == 10**400 else {1, 2})


def test_powers_lie_between_their_ends():
    """Below, at and above a step of the table of powers, and beyond what is negligible; never wider than 4 units."""
    chain = Chain([1, 1], 2, Rate(rate=Fraction(1, 40)))
    power = chain._power(100)
    for gap in (0, 1, 511, 512, 513, 1024, 2772, 2773, 2774, 2775, 10**9):
        low, high = power(gap)
        true = chain.rate.power(gap, 60)
        assert Fraction(low, 2**100) <= true.lower and true.upper <= Fraction(high, 2**100) and high - low <= 4
    assert power(0) == (2**100, 2**100) and power(10**9) == (0, 1)


CASES = [((3, 0, 2), 2), ((3, 0, 2, 1), 3), ((0, 4, 1, 1, 2), 3), ((2, 0, 0, 5, 1, 1), 4), ((1, 2), 2), ((7, 7, 7), 3)]


class Rough(Chain):
    """Powers that are known to within a half only, but for the largest."""

    def _power(self, scale):
        fine = super()._power(scale)

        def power(gap):
            low, high = fine(gap)
            return (low // 2, high * 3 // 2 + 1) if gap else (low, high)

        return power


def first_edges(cells, bins, alpha):
    """The distribution function of the first inner edge."""
    law = trusted_joint_quantiles_pmf(cells, bins, alpha=alpha)
    places = range(1, len(cells) - bins + 2)
    return list(accumulate(sum(p for choice, p in law.items() if choice[0] == k) for k in places))


@pytest.mark.parametrize(("cells", "bins"), CASES)
@pytest.mark.parametrize("kind", [Chain, Rough])
@pytest.mark.parametrize("alpha", [Fraction(1, 3), Fraction(9, 10)])
def test_the_law_lies_between_its_bounds(cells, bins, kind, alpha):
    """Rough powers give wide bounds, but sound ones; fine ones give bounds that differ by a unit or two."""
    law, bits = kind(cells, bins, Rate(alpha=alpha)).law(bins, 0), 40
    lower, upper = law.bounds(1, bits)
    truth = first_edges(cells, bins, alpha)
    assert len(lower) == len(upper) == len(truth) == law.terms == law.last + 1
    assert [law.value(t) for t in range(law.terms)] == list(range(1, law.terms + 1))
    assert all(low <= 2**bits * true <= high for low, true, high in zip(lower, truth, upper, strict=True))
    assert lower == sorted(lower) and upper == sorted(upper) and lower[-1] == upper[-1] == 2**bits
    if kind is Chain:
        assert all(high - low <= 2 for low, high in zip(lower, upper, strict=True))


@pytest.mark.parametrize(("cells", "bins"), CASES[1:4])
def test_rough_powers_give_wide_bounds(cells, bins):
    lower, upper = Rough(cells, bins, Rate(alpha=Fraction(9, 10))).law(bins, 0).bounds(1, 40)
    assert max(high - low for low, high in zip(lower, upper, strict=True)) > 2**36


@pytest.mark.parametrize(("cells", "bins"), CASES)
def test_sums_of_weights_lie_between_theirs(cells, bins):
    """All ways to go on, listed: their weights relative to the cheapest one."""
    alpha, scale = Fraction(2, 3), 64
    chain = Rough(cells, bins, Rate(alpha=alpha))
    tables = chain._tables(scale)[1]
    assert [len(table) for table in tables] == [0, *(len(cells) - left + 1 for left in range(1, bins))]
    for left in range(1, bins):
        for k in range(len(cells) - left + 1):
            true = sum(alpha ** (cost - min(costs(cells, bins, left, k))) for cost in costs(cells, bins, left, k))
            low, high = tables[left][k]
            assert low <= true * 2**scale <= high


def costs(cells, bins, left, k):
    """What each way costs to make ``left`` bins of the cells from k on."""
    ends = range(k + 1, len(cells) - left + 2) if left > 1 else [len(cells)]
    own = [abs(bins * sum(cells[k:end]) - sum(cells)) for end in ends]
    if left == 1:
        return own
    return [cost + rest for cost, end in zip(own, ends, strict=True) for rest in costs(cells, bins, left - 1, end)]


def test_a_law_knows_its_last_edge():
    law = Chain((1, 0, 3, 1), 2, Rate(alpha=Fraction(1, 2))).law(2, 0)
    assert (law.terms, law.last) == (3, 2)


@pytest.mark.claim("lem-joint-quantile-sensitivity")
def test_the_joint_sensitivity_for_every_number_of_bins():
    """Attained where there is no record, and one comes."""
    for bins in range(2, 257):
        places, nobody = list(range(1, bins)), [0] * bins
        moved = joint_utility(nobody, places) - joint_utility([*nobody[:-1], 1], places)
        assert moved == joint_sensitivity(bins) == 2 * (bins - 1)


@pytest.mark.parametrize("gap", [2**20 - 1, 2**20 + 5, 10**9 + 77, 2**36 + 3])
def test_powers_of_large_gaps_are_enclosed(gap):
    chain = Chain([1, 1], 2, Rate(rate=Fraction(1, 10**9)))
    (low, high), truth = chain._power(100)(gap), chain.rate.power(gap, 60)
    assert Fraction(low, 2**100) <= truth.upper and truth.lower <= Fraction(high, 2**100) and high - low <= 4
