"""What a draw of joint quantiles relies on: however rough the powers are, the law lies between its bounds."""

from fractions import Fraction
from itertools import accumulate

import pytest

from fdpedu.exact import Rate
from fdpedu.histograms import trusted_joint_quantiles_pmf
from fdpedu.histograms.joint import Chain

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


def test_counts_are_named_where_they_are_no_integers():
    with pytest.raises(ValueError, match=r"^counts must be integers within"):
        trusted_joint_quantiles_pmf([1.5, 2], 2, 1)


def test_a_law_knows_its_last_edge():
    law = Chain((1, 0, 3, 1), 2, Rate(alpha=Fraction(1, 2))).law(2, 0)
    assert (law.terms, law.last) == (3, 2)
