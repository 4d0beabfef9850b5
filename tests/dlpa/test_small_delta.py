"""Shares for a small δ: Poisson and Skellam numbers, sums of discrete Gaussian ones, and which noise is cheapest."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import compose_optimal, optimal_delta, rdp_to_epsilon, zcdp_to_epsilon
from fdpedu.claims.dlpa import laws_delta as law
from fdpedu.dlpa import (
    NoiseNeeded,
    discrete_gaussian_shares,
    gaussian_sum_delta,
    gaussian_sum_distance,
    noise_map,
    noise_needed,
    skellam_delta,
    skellam_loss,
    skellam_pmf,
    skellam_rdp,
    skellam_shares,
)
from fdpedu.dlpa.poisson import poisson, poisson_law
from fdpedu.mechanisms import discrete_gaussian_delta
from fdpedu.randomness import Rehearsal, ZeroWords

# --- Poisson numbers ---


@pytest.mark.claim("lem-poisson-law")
@pytest.mark.parametrize(("mean", "bits"), [("7/2", 40), ("5", 16), ("123/10", 96)])
def test_the_enclosures_hold_the_distribution_function(mean, bits):
    law.poisson_enclosed(Fraction(mean), bits)


@pytest.mark.claim("lem-poisson-law")
@pytest.mark.parametrize(("mean", "parts"), [("2/3", 1), ("1/2", 2)])
def test_poisson_numbers_from_replayed_words(mean, parts):
    law.replayed_poisson(Fraction(mean), parts, 4)


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


@pytest.mark.parametrize("mean", [0, Fraction(2**24 + 1), -1])
def test_other_means_are_refused(mean):
    with pytest.raises(ValueError, match="mean must be greater than 0 and at most"):
        poisson(Fraction(mean), 1, ZeroWords())


# --- Skellam shares ---


@pytest.mark.claim("thm-skellam")
@pytest.mark.parametrize("variance", ["1/10", "7", "1000"])
def test_the_law_against_scipy(variance):
    from scipy.stats import skellam

    x = Fraction(variance)
    truth = skellam(float(x) / 2, float(x) / 2)
    for k in (0, 1, -2, 9, 40):
        assert abs(float(skellam_pmf(k, x)) - truth.pmf(k)) <= 1e-9 * truth.pmf(k) + 1e-75
    total = sum(skellam_pmf(k, x).upper for k in range(-600, 601))
    assert 1 <= total < 1 + Fraction(1, 10**30)
    assert skellam_pmf(10**6, x).lower == 0 and skellam_pmf(10**6, x).upper < Fraction(1, 10**60)


@pytest.mark.claim("thm-skellam")
@pytest.mark.parametrize(("n", "tolerate", "present"), [(3, 0, 3), (5, 2, 3), (5, 2, 5), (4, 1, 1)])
def test_any_parties_shares_have_their_part_of_the_variance(n, tolerate, present):
    """40,000 sums (seeded): mean 0, variance h/m·σ², within 7 standard errors; and the share of zeros is Pr[0]."""
    drawn = skellam_shares(n, 9, 40_000, Rehearsal(15), tolerate=tolerate)
    total = drawn[n - present :].sum(axis=0)
    x = Fraction(9 * present, n - tolerate)
    kurtosis, zero = 3 + 1 / float(x), float(skellam_pmf(0, x))
    assert abs(total.mean()) < 7 * (float(x) / 40_000) ** 0.5
    assert abs((total**2).mean() - x) < 7 * float(x) * ((kurtosis - 1) / 40_000) ** 0.5
    assert abs((total == 0).mean() - zero) < 7 * (zero * (1 - zero) / 40_000) ** 0.5


@pytest.mark.claim("thm-skellam")
@pytest.mark.parametrize(("epsilon", "variance", "shift"), [("1", "20", 1), ("1/2", "3/2", 2), ("0", "5", 4)])
def test_delta_is_the_sum_of_the_positive_parts(epsilon, variance, shift):
    law.skellam_least_delta(Fraction(epsilon), Fraction(variance), shift)


def test_delta_decreases_and_is_never_0():
    """In ε and in the variance; for no ε is it 0: the loss is unbounded."""
    deltas = [skellam_delta(e, 5).upper for e in (0, "1/2", 1, 2, 3)]
    assert deltas == sorted(deltas, reverse=True) and skellam_delta(3, 5).lower > 0
    assert skellam_delta(1, 5).lower > skellam_delta(1, 6).upper


def test_an_insider_faces_skellam_noise_of_a_smaller_variance():
    """Five parties, one curious: 4/5 of the variance, with one tolerated all of it; δ is never 1."""
    inside = skellam_delta(1, Fraction(4, 5) * 20)
    assert skellam_delta(1, 20).upper < inside.lower < skellam_delta(1, Fraction(1, 5) * 20).lower < 1


def test_four_releases_by_the_table_and_by_the_bound():
    """The composed table encloses what two tables of half as many give; and the Rényi bound is above it."""
    table = skellam_loss(40, step="1/256")
    four, pairs = table.compose(4).epsilon(1e-6), table.compose(2).then(table.compose(2)).epsilon(1e-6)
    assert four.lower <= pairs.upper and pairs.lower <= four.upper
    bound = rdp_to_epsilon(lambda order: skellam_rdp(order, 40, times=4), 1e-6, range(2, 60))
    assert four.lower < bound.upper < 2 * four.upper


@pytest.mark.claim("lem-skellam-renyi")
@pytest.mark.parametrize(("order", "variance", "shift"), [(2, "1/4", 1), (7, "5", 3), (30, "100", 1)])
def test_the_divergence_is_within_the_bound(order, variance, shift):
    law.skellam_renyi(order, Fraction(variance), shift)


def test_the_bound_is_taken_at_the_next_whole_order():
    assert skellam_rdp("5/2", 20) == skellam_rdp(3, 20, times=1) and skellam_rdp(3, 20, times=4).upper == 4 * (
        Fraction(3, 40) + Fraction(5 + 6, 1600)
    )


# --- Discrete Gaussian shares ---


@pytest.mark.claim("thm-gaussian-sum")
@pytest.mark.parametrize(("m", "share"), [(4, "1/4"), (2, "3/4")])
def test_the_sum_is_as_near_as_stated(m, share):
    law.gaussian_distance(m, Fraction(share), 8)
    law.gaussian_deltas(m, Fraction(share), Fraction(3, 2))


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


# --- Which noise is the cheapest ---


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


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: skellam_shares(3, 0), "variance must be greater than 0"),
        (lambda: skellam_shares(1, 2**26), "at most 2\\*\\*25"),
        (lambda: skellam_shares(3, 1, tolerate=3), "tolerate must be less"),
        (lambda: skellam_pmf(0, "1/1001"), "from 1/1000"),
        (lambda: skellam_delta(-1, 1), "epsilon must be from 0 to 1000"),
        (lambda: skellam_delta(1, 1, sensitivity=0), "sensitivity must be"),
        (lambda: skellam_loss("1/2"), "from 1 to 10"),
        (lambda: skellam_rdp(1, 1), "order must be more than 1"),
        (lambda: discrete_gaussian_shares(5, 1), "at least 1/4 for each share"),
        (lambda: gaussian_sum_delta("1/2", 2, "1/2"), "more than 2θ"),
        (lambda: noise_needed(21, "1/10", 1), "epsilon must be from 1/100 to 20"),
        (lambda: noise_needed(1, "1/5", 1), "delta from 1e-15 to 1/10"),
        (lambda: noise_needed(1, "1/10", 0), "releases must be"),
        (lambda: noise_map(1, 3, [1]), "deltas must be a list"),
        (lambda: noise_map(1, ["1/100"], 3), "releases must be a list"),
    ],
)
def test_bad_parameters_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
