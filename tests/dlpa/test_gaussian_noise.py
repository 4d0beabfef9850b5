"""Gaussian shares for an account in ρ: the public rule, what is booked, and how far sums reach."""

import decimal
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import Cost
from fdpedu.claims.dlpa import gaussian_renyi as topic
from fdpedu.dlpa import (
    GaussianNoise,
    gaussian_noise,
    gaussian_reach,
    gaussian_share,
    gaussian_sum_distance,
    sub_gaussian_reach,
)
from fdpedu.dlpa.gaussian_noise import _rounded_up, _theta_bound
from fdpedu.mechanisms import discrete_gaussian_pmf
from fdpedu.randomness import Rehearsal
from fdpedu.sampling.gaussians import discrete_gaussian_noise

F = Fraction


def test_without_xi_it_would_not_be():
    """Two shares of 1/4: the divergence of order 7 is more than λρ by a quarter of ξ, and that of order 2 is λρ."""
    extra = {order: topic.least_divergence(order, 2, F(1, 4), 1) - order for order in (2, 7)}  # ρ is 1
    assert abs(extra[2]) < F(1, 10**30) and extra[7] > F(1, 4) * gaussian_sum_distance(2, F(1, 2)).upper


def test_divergences_against_sums_in_floats():
    """Three shares of 2: Σ P^λ·Q^{1−λ} by NumPy's convolution, at three orders."""
    one = np.exp(-(np.arange(-60, 61) ** 2) / 4)
    law = np.convolve(np.convolve(one / one.sum(), one / one.sum(), "same"), one / one.sum(), "same")
    for order in (2, 3, 7):
        total = np.exp(order * np.log(law[20:100]) + (1 - order) * np.log(law[19:99])).sum()
        found = topic.least_divergence(order, 3, F(2), 1)
        assert float(found) == pytest.approx(math.log(total) / (order - 1), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(st.fractions(1, 10**15, max_denominator=10**6))
def test_rounded_up_to_four_digits(x):
    """The least such number that is not below: a step less is below x."""
    found = _rounded_up(x)
    step = F(10) ** (len(str(int(found))) - 4)
    assert (x <= found and found - step < x) or found == 10 ** len(str(int(x)))
    assert (found / step).denominator == 1 and _rounded_up(found) == found


@pytest.mark.parametrize(
    ("rho", "share"),
    [("1/20", 11), ("1", 2), ("1/2", 2), ("1/5", "7/2"), ("3/100", "17.67"), ("3/10000000", 1667000), (1000, 2)],
)
def test_shares_of_one_count(rho, share):
    """1/(2·ρ) + 1 for one share; two of them have half of it each, but at least 2."""
    one, two = (gaussian_noise(rho, l2_squared=1, cells=1, n_shares=n) for n in (1, 2))
    assert one == GaussianNoise(F(share), 1, F(3, 10**13)) and one.variance == one.share
    assert two.share == max(F(2), _rounded_up(max(F(1), (1 / (2 * F(rho)) + 1) / 2))) and two.variance == 2 * two.share


def test_it_is_the_same_however_numbers_are_written():
    found = gaussian_noise("1/8", l2_squared=8, cells=8, n_shares=4)
    assert found == gaussian_noise(0.125, l2_squared=np.int8(8), cells=np.uint64(8), n_shares=np.int64(4))
    assert found.share == F(33, 4) and type(found.n_shares) is int and found.xi == F(25, 10**13)


@pytest.mark.parametrize("m", [2, 3, 40, 1000])
@pytest.mark.parametrize("share", ["2", "5/2", "7"])
def test_the_bound_of_theta_is_one_and_hardly_more(m, share):
    """Against the enclosure of θ: not below, for up to 3 shares hardly more, and for 1000 not thrice it."""
    theta = gaussian_sum_distance(m, m * F(share))
    assert theta.upper <= _theta_bound(F(share), m) <= theta.lower * (F(1001, 1000) if m <= 3 else F(5, 2))
    assert _theta_bound(F(share), 1) == 0


def test_theta_of_a_thousand_million_shares():
    """There θ is no sum any more that one adds up; by decimals of 50 digits the first terms and the last bound it."""
    with decimal.localcontext(decimal.Context(prec=50)):
        pi = decimal.Decimal("3.14159265358979323846264338327950288")
        x = [(-2 * pi * pi * 2 * k / (k + 1)).exp() for k in range(1, 200)]
        truth = 4 * (sum(x) + (10**9 - 200) * x[-1])
    assert Fraction(truth) < _theta_bound(F(2), 10**9)
    large = gaussian_noise(1, l2_squared=1, cells=1, n_shares=10**9)
    assert large.xi >= Fraction(truth) and large.share == 2


def test_the_largest_share():
    """2⁶⁰ is between two numbers of four digits: the lower one is the largest share."""
    most = F(1152 * 10**15)
    assert gaussian_noise(1 / (2 * (most - 1)), l2_squared=1, cells=1, n_shares=1).share == most
    for least in (most, F(2**60), F(2**60) + 1, F(10) ** 500):
        with pytest.raises(ValueError, match="rho is too small"):
            gaussian_noise(1 / (2 * least), l2_squared=1, cells=1, n_shares=1)


def test_a_share_is_the_sampler_s():
    drawn = gaussian_share(F(90), 40, Rehearsal(3))
    assert np.array_equal(drawn, discrete_gaussian_noise(F(90), 40, Rehearsal(3))) and drawn.dtype == np.int64
    with pytest.raises(ValueError, match="variance"):
        gaussian_share(F(0), 1, Rehearsal(3))


def test_shares_add_up_to_the_variance():
    """40,000 sums of four shares of 3 (seeded): variance 12, and Pr[0] that of one number, within 7 standard errors."""
    source, n = Rehearsal(5), 40_000
    total = sum(gaussian_share(F(3), n, source) for _ in range(4))
    zero = float(discrete_gaussian_pmf(0, F(1, 24)))
    assert abs((total**2).mean() - 12) < 7 * 12 * (2 / n) ** 0.5
    assert abs((total == 0).mean() - zero) < 7 * (zero * (1 - zero) / n) ** 0.5


@settings(max_examples=100, deadline=None)
@given(st.fractions(F(1, 9), 10**9, max_denominator=99), st.integers(1, 10**6), st.integers(1, 300))
def test_the_reach_is_by_its_formula(share, n, places):
    """The least t with 2·e^{−(t+1)²/(2nv)} ≤ miss, in floats; it grows with all three."""
    t, miss = gaussian_reach(share, n, F(1, 10**places)), places * math.log(10)
    square = float(2 * n * share) * (math.log(2) + miss)
    assert (t + 1) ** 2 >= square * (1 - 1e-9) and (t == 0 or t**2 <= square * (1 + 1e-9))
    assert t <= gaussian_reach(share, n + 1, F(1, 10**places)) and t <= gaussian_reach(
        share, n, F(1, 10 ** (places + 1))
    )


def test_what_is_hardly_ever_missed_and_what_hardly_ever_moves():
    assert gaussian_reach("1/1000000", 1, "1/2") == 0 and gaussian_reach(2**60, 10**9, "1e-9000") > 10**15
    assert type(gaussian_reach(2, 2, "1/10")) is int and gaussian_reach(2, 3, 0.1) == sub_gaussian_reach(6, "1/10")


@pytest.mark.parametrize(("cells", "m"), [(1, 2), (7, 2), (40, 5)])
def test_xi_is_theta_and_the_rounding_of_a_cell(cells, m):
    """At the least share, where it is more than its step; in the older measure it is 3θ, in steps of 10⁻¹²."""
    found = gaussian_noise(9, l2_squared=cells, cells=cells, n_shares=m)
    theta = _theta_bound(F(2), m)
    assert found.xi == F(math.ceil(cells * (theta * 10**13 + 3)), 10**13) > F(1, 10**9)
    older = gaussian_noise(Cost("concentrated", 9), l2_squared=cells, cells=cells, n_shares=m)
    assert older.xi == F(math.ceil(3 * cells * theta * 10**12), 10**12)


@pytest.mark.claim("lem-smoothed-gaussian")
@pytest.mark.parametrize("variance", [2, 3, 20])
@pytest.mark.parametrize("k", [0, 1, -2, 4])
def test_a_rounded_normal_number_is_a_discrete_gaussian_one(variance, k):
    """By the trapezoid rule with steps of 1/64, exact to 10⁻¹⁵ for functions as smooth as these; to 2·10⁻¹²."""
    s, h, reach = math.sqrt(variance - 1), 1 / 64, 12 * math.sqrt(variance)
    total = 0.0
    for y in (i * h for i in range(-int(reach / h), int(reach / h) + 1)):
        weights = math.fsum(math.exp(-((j - y) ** 2) / 2) for j in range(math.floor(y) - 9, math.floor(y) + 11))
        total += h * math.exp(-y * y / (2 * s * s)) * math.exp(-((k - y) ** 2) / 2) / weights
    whole = math.fsum(math.exp(-j * j / (2 * variance)) for j in range(-int(reach), int(reach) + 1))
    stated = math.exp(-k * k / (2 * variance)) / whole
    assert abs(total / (s * math.sqrt(2 * math.pi)) / stated - 1) < 2e-12
