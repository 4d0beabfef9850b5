"""Bounds behind Poisson, Skellam and Gaussian shares: both sides, their width, and where they end."""

import decimal
from fractions import Fraction
from itertools import accumulate

import pytest

from fdpedu.dlpa import gaussian_sum_delta, gaussian_sum_distance, noise_needed, skellam_delta, skellam_pmf
from fdpedu.dlpa.poisson import _around, _bounds, _side
from fdpedu.dlpa.skellam import _ONE, _table
from fdpedu.dlpa.small_delta import _added, _power
from fdpedu.exact import Enclosure


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


def test_where_skellam_numbers_end():
    table = _table(Fraction(5))
    last = table.last
    assert table.tail(last) == Enclosure(Fraction(table.tail_low[last], _ONE), Fraction(table.tail_high[last], _ONE))
    assert table.tail(last + 1) == Enclosure(Fraction(0), Fraction(table.tail_high[-1], _ONE))
    assert table.mass(last + 1) == table.tail(last + 1) != table.tail(last)
    assert table.mass(last) == Enclosure(Fraction(table.low[last], _ONE), Fraction(table.high[last], _ONE))
    assert table.tail(-3).upper == 1 - table.tail(4).lower and table.tail(-3).lower == 1 - table.tail(4).upper
    assert skellam_pmf(-(2**63), 5).lower == 0
    for k in (-(2**63) - 1, 0.5):
        with pytest.raises(ValueError, match="k must"):
            skellam_pmf(k, 5)


@pytest.mark.parametrize(("epsilon", "variance"), [(1, 5), ("1/10", 20), (3, 2)])
def test_deltas_are_narrow(epsilon, variance):
    """The two ends are as near as 2^−256 and the digits of e^ε allow."""
    found = skellam_delta(epsilon, variance)
    assert 0 <= found.upper - found.lower < Fraction(1, 10**70)


def test_terms_of_the_distance_are_narrow():
    """Where shares are large the terms after the third do not count; far out, a power is 0 at least."""
    for s in (Fraction(1), Fraction(3)):
        found = _added(s)
        assert 0 < found.upper - found.lower < found.lower / 10**30
    near, far = _power(Enclosure.exactly(Fraction(7))), _power(Enclosure.exactly(Fraction(6000)))
    with decimal.localcontext(decimal.Context(prec=90)):
        truth = Fraction(decimal.Decimal(-7).exp())
    assert near.lower <= truth <= near.upper and near.upper - near.lower < truth / 10**50
    assert far.lower == 0 < far.upper < Fraction(1, 10**2000)
    assert _power(Enclosure.exactly(Fraction(5000))).lower > 0


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: gaussian_sum_delta(1, 2, "no"), "variance must"),
        (lambda: gaussian_sum_distance("no", 8), "n_shares must"),
        (lambda: gaussian_sum_delta("no", 2, 8), "epsilon must"),
        (lambda: gaussian_sum_delta("1/1000", 9, 3), "epsilon must be more than 2θ"),
        (lambda: noise_needed("1/101", "1/100", 1), "epsilon must be from 1/100 to 20"),
        (lambda: noise_needed("201/10", "1/100", 1), "epsilon must be from 1/100 to 20"),
        (lambda: noise_needed(1, Fraction(1, 10**15 + 1), 1), "delta from 1e-15 to 1/10"),
        (lambda: noise_needed(1, "1/9", 1), "delta from 1e-15 to 1/10"),
        (lambda: noise_needed(1, "1/10", 0), "releases must"),
        (lambda: noise_needed(1, "1/10", 1001), "releases must"),
        (lambda: noise_needed(1, "1/10", 1, n_shares=1001), "n_shares must"),
    ],
)
def test_borders_are_told(call, told):
    with pytest.raises(ValueError, match=told):
        call()
