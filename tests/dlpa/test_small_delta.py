"""Sums of discrete Gaussian shares, and which noise is cheapest for a small δ."""

import decimal
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import compose_optimal, optimal_delta, zcdp_to_epsilon
from fdpedu.dlpa import (
    NoiseNeeded,
    discrete_gaussian_shares,
    gaussian_sum_delta,
    gaussian_sum_distance,
    noise_map,
    noise_needed,
    skellam_loss,
    small_delta,
)
from fdpedu.dlpa.small_delta import _added, _power
from fdpedu.exact import Enclosure
from fdpedu.mechanisms import discrete_gaussian_delta
from fdpedu.randomness import Rehearsal


def test_the_distance_is_smaller_than_the_paper_s():
    """Kairouz, Liu and Steinke have 10·Σ e^{−2π²sk/(k+1)}; ours is little more than 4 times that sum."""
    for m, variance in ((2, 2), (5, 10), (9, 3)):
        s = variance / m
        paper = sum(np.exp(-2 * np.pi**2 * s * k / (k + 1)) for k in range(1, m))
        assert 3.99 * paper < float(gaussian_sum_distance(m, variance)) < 5 * paper
    assert gaussian_sum_distance(1, 3).upper == 0


@pytest.mark.claim("thm-gaussian-sum")
def test_far_out_the_two_deltas_are_the_same():
    """θ is below 10⁻³⁰ for shares of variance 9; for small ones the stated δ is larger."""
    one, other = gaussian_sum_delta(1, 5, 45), discrete_gaussian_delta(1, Fraction(1, 90))
    assert abs(one.upper - other.upper) < other.upper / 10**20
    assert gaussian_sum_delta(1, 2, "1/2").lower > discrete_gaussian_delta(1, 1).upper


def test_gaussian_shares_have_their_variance():
    """40,000 sums of any three of five parties (seeded): the variance is 12, within 7 standard errors."""
    drawn = discrete_gaussian_shares(5, 12, 40_000, Rehearsal(17), tolerate=2)
    assert drawn.shape == (5, 40_000)
    assert abs((drawn[1:4].sum(axis=0) ** 2).mean() - 12) < 7 * 12 * (2 / 40_000) ** 0.5
    assert abs((drawn.sum(axis=0) ** 2).mean() - 20) < 7 * 20 * (2 / 40_000) ** 0.5


@pytest.mark.parametrize(("releases", "delta"), [(1, "1/1000000"), (8, "1/1000"), (50, "1/100000")])
def test_what_is_needed_is_enough_and_not_much_more(releases, delta):
    """Against enclosures: a per cent more keeps (1, δ), a third less does not."""
    needed = noise_needed(1, delta, releases)
    for factor, keeps in ((1.01, True), (0.65, False)):
        rate = 2 * np.arcsinh((2 * needed.polya * factor) ** -0.5)
        polya = optimal_delta(Fraction(f"{rate:.9g}"), releases, 1)
        table = skellam_loss(Fraction(f"{needed.skellam * factor:.9g}"), step="1/512").compose(releases).delta(1)
        assert (polya.upper <= Fraction(delta)) == (table.upper <= Fraction(delta)) == keeps


def renyi_epsilon(variance, releases, delta):
    """The same conversion from masses by SciPy, at a thousand orders."""
    from scipy.special import ive, logsumexp

    law = np.log(ive(np.abs(np.arange(-90, 91)), variance))
    orders = 1 + np.geomspace(1 / 20, 25, 1000)
    found = [logsumexp(a * law[1:] + (1 - a) * law[:-1]) / (a - 1) for a in orders]
    rest = np.log1p(-1 / orders) - (np.log(delta) + np.log(orders)) / (orders - 1)
    return float((releases * np.array(found) + rest).min())


@pytest.mark.parametrize(("releases", "delta", "m"), [(1, 1e-6, 5), (4, 1e-3, 5), (4, 1e-2, 60)])
def test_what_is_needed_is_what_the_accounting_says(releases, delta, m):
    """At these variances each way of accounting comes to ε = 2, to four digits."""
    needed = noise_needed(2, delta, releases, n_shares=m)
    rate = Fraction(f"{2 * np.arcsinh((2 * needed.polya) ** -0.5):.12g}")
    assert abs(float(compose_optimal(rate, releases, delta)) - 2) < 2e-4
    assert abs(renyi_epsilon(needed.skellam, releases, delta) - 2) < 4e-3
    variance = Fraction(f"{needed.gaussian:.12g}")
    tau = releases * float(gaussian_sum_distance(m, variance))
    found = float(zcdp_to_epsilon(releases / (2 * variance), Fraction(delta * np.exp(-tau)))) + 2 * tau
    assert abs(found - 2) < 2e-3 and (tau > 0.01 or m == 5)


def test_the_map_has_two_regions():
    """Few releases: Pólya shares; many, or a larger δ: Skellam; and a discrete Gaussian is never much cheaper."""
    releases = [1, 2, 5, 20, 100]
    rows = noise_map(1, ["1/1000000000", "1/100"], releases)
    assert [[cell.cheapest for cell in row] for row in rows] == [
        ["polya"] * 3 + ["skellam"] * 2,
        ["polya"] * 2 + ["skellam"] * 3,
    ]
    assert all(cell.skellam < 1.001 * cell.gaussian for row in rows for cell in row)
    assert rows[1][2] == noise_needed(1, "1/100", 5) and rows == noise_map(
        1, ["1/1000000000", 0.01], releases, n_shares=5
    )


def test_a_thousand_gaussian_shares_need_a_variance_of_their_own():
    """A share's variance is at least 1/4, and θ must be small: with large ε the sum is dearer than Skellam noise."""
    few, many = (noise_needed(8, "1/1000", 1, n_shares=m) for m in (2, 1000))
    assert many.gaussian >= 250 > 20 * few.gaussian and few.skellam == many.skellam
    assert NoiseNeeded(3.0, 2.0, 1.0).cheapest == "gaussian"


PI = "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803"


@pytest.mark.parametrize(("m", "variance"), [(2, 2), (5, 10), (9, 3), (40, 10)])
def test_the_distance_of_a_sum_of_gaussian_shares(m, variance):
    """In decimals of 80 digits: both ends of θ, within 10⁻⁸ of each other, and much less for shares of variance 2."""
    with decimal.localcontext(decimal.Context(prec=80)):
        pi = decimal.Decimal(PI)
        theta = decimal.Decimal(0)
        for k in range(1, m):
            s = decimal.Decimal(variance * k) / decimal.Decimal(m * (k + 1))
            q = 2 * sum((-2 * pi * pi * s * n * n).exp() for n in range(1, 40))
            theta += ((1 + q) / (1 - q)).ln()
        truth = Fraction(theta)
    found = gaussian_sum_distance(m, variance)
    assert found.lower <= truth <= found.upper and found.upper - found.lower < Fraction(
        1, 10 ** (60 if variance >= 2 * m else 8)
    )


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


def test_shares_come_from_the_source_that_was_given():
    """The same words give the same shares, other words other ones; no numbers are asked for by 0."""
    drawn = [discrete_gaussian_shares(3, 30, 40, Rehearsal(seed)) for seed in (1, 1, 2)]
    assert np.array_equal(drawn[0], drawn[1]) and not np.array_equal(drawn[0], drawn[2])
    assert drawn[0].shape == (3, 40) and discrete_gaussian_shares(3, 30, 0, Rehearsal(1)).shape == (3, 0)


def test_a_refusal_names_what_epsilon_has_to_be_more_than():
    twice = 2 * gaussian_sum_distance(5, 2).upper
    with pytest.raises(ValueError, match=f"about {float(twice):.3g}, got 1/1000000000"):
        gaussian_sum_delta("1/1000000000", 5, 2)
    assert gaussian_sum_delta(twice + Fraction(1, 100), 5, 2).upper < 1


def test_planning_begins_where_shares_may_begin():
    """A share's variance is at least 1/4; Skellam noise is looked for from 1/1000 on."""
    for shares in (1, 2, 20):
        assert noise_needed(20, "1/10", 1, n_shares=shares).gaussian == shares / 4
    assert noise_needed(20, "1/10", 1).skellam == 1e-3


def test_a_map_knows_how_many_shares_there_are():
    """More shares of one variance are further from one number, so they need more."""
    for shares in (1, 20):
        assert noise_map(5, ["1/1000"], [1], n_shares=shares) == [[noise_needed(5, "1/1000", 1, n_shares=shares)]]
    assert noise_needed(5, "1/1000", 1, n_shares=20).gaussian > 2 * noise_needed(5, "1/1000", 1, n_shares=1).gaussian


@pytest.mark.parametrize("threshold", [0.02, 1.7, 3.999, 4096.3])
def test_the_least_that_is_enough_is_found_to_a_millionth(threshold):
    found = small_delta._least(lambda x: x >= threshold, 0.01)
    assert threshold <= found <= threshold * (1 + 1.1e-6)
