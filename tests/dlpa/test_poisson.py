"""Poisson numbers: their law, from replayed words and in frequencies; sums of weights are enclosed to the last unit."""

import decimal
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest

from fdpedu.dlpa.poisson import _around, _bounds, _side, poisson, poisson_law
from fdpedu.randomness import Rehearsal


@pytest.mark.parametrize("mean", ["1/50", "3", "50", "65536", "100000"])
def test_frequencies_of_poisson_numbers(mean):
    """100,000 draws in cells of about equal mass, chi-square, level 10⁻⁸ each side (seeded)."""
    from scipy.stats import chi2
    from scipy.stats import poisson as stated

    truth = stated(float(Fraction(mean)))
    edges = np.unique([-1.0, *truth.ppf(np.linspace(0, 1, 15)[1:-1])])
    expected = 100_000 * np.diff([*truth.cdf(edges), 1.0])
    draws = poisson(Fraction(mean), 100_000, Rehearsal(21))
    observed = np.bincount(np.searchsorted(edges, draws, side="left") - 1, minlength=expected.size)
    used = expected > 20
    statistic = float(((observed - expected)[used] ** 2 / expected[used]).sum())
    freedom = max(1, used.sum() - 1)
    assert chi2.sf(statistic, freedom) > 1e-8 and chi2.cdf(statistic, freedom) > 1e-8 and draws.min() >= 0


def test_the_table_of_a_large_mean_is_not_long():
    """So a draw hardly ever goes the slow way: less than 10⁻⁷ lies beyond the table."""
    for mean in ("1/7", "100", "65536"):
        table = poisson_law(Fraction(mean))
        lower, _ = table.bounds(table.terms, 64)
        assert table.terms < 4095 and 1 - Fraction(lower[-1], 2**64) < Fraction(1, 10**7)


def poisson_sums(mean, n):
    """F of the first n outcomes in the order of the law, in decimals of 120 digits."""
    with decimal.localcontext(decimal.Context(prec=120)):
        rate = decimal.Decimal(mean.numerator) / decimal.Decimal(mean.denominator)
        masses, factorial = [], decimal.Decimal(1)
        for k in range(int(mean) + n + 2):
            factorial *= max(k, 1)
            masses.append((-rate).exp() * rate**k / factorial)
        order = [_around(int(mean), index) for index in range(n)]
        return [Fraction(x) for x in accumulate(masses[k] if k >= 0 else decimal.Decimal(0) for k in order)]


@pytest.mark.parametrize("bits", [8, 64, 200])
@pytest.mark.parametrize("mean", ["1/3", "2", "17/2", "40"])
def test_sums_of_poisson_weights_are_enclosed_to_the_last_unit(mean, bits):
    """Also past the last weight that is looked at; and never more than one."""
    mean = Fraction(mean)
    for n in (1, 5, 150):
        lower, upper = _bounds(mean, n, bits)
        assert len(lower) == len(upper) == n
        for low, high, truth in zip(lower, upper, poisson_sums(mean, n), strict=True):
            assert low <= truth * 2**bits <= high <= 2**bits + (truth > 1) and high - low <= 2


@pytest.mark.parametrize("r", ["1/2", "3/4", "99/100", "1/1000"])
@pytest.mark.parametrize("scale", [10, 40, 90])
def test_what_follows_the_last_weight_is_bounded(r, scale):
    """Of a geometric series everything is known: the sums of both sides enclose it, within a few units a weight."""
    r = Fraction(r)
    lows, highs = _side(lambda i: r, scale)
    truth = 2**scale * r / (1 - r)
    assert sum(lows) <= truth <= sum(highs) and len(lows) == len(highs)
    units = 2 + 2 / (1 - r)
    assert sum(highs) - sum(lows) <= units * (len(highs) + 1)
    for i, (low, high) in enumerate(zip(lows[:-1], highs[:-1], strict=True), 1):
        assert low <= 2**scale * r**i <= high and high - low <= units
    assert lows[-1] == 0 and highs[-1] >= 2**scale * r ** len(highs) / (1 - r)


def test_weights_that_end_end():
    """Below the mode there are so many; nothing is added to them."""
    lows, highs = _side(lambda i: Fraction(3 - i, 2), 20)  # 1, 1/2, then 0
    assert lows == highs == [2**20, 2**19]
