"""Skellam shares: their law, δ, divergence and table of losses, and where a table ends."""

import math
from fractions import Fraction

import pytest
from scipy.special import ive

from fdpedu.accounting import rdp_to_epsilon
from fdpedu.dlpa import skellam_delta, skellam_loss, skellam_pmf, skellam_rdp, skellam_shares
from fdpedu.dlpa.skellam import _ONE, _table
from fdpedu.exact import Enclosure
from fdpedu.randomness import Rehearsal, ZeroWords


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


def test_the_bound_is_taken_at_the_next_whole_order():
    assert skellam_rdp("5/2", 20) == skellam_rdp(3, 20, times=1) and skellam_rdp(3, 20, times=4).upper == 4 * (
        Fraction(3, 40) + Fraction(5 + 6, 1600)
    )


@pytest.mark.parametrize("order", [2, 16, 500])
@pytest.mark.parametrize("variance", [1, 10, 1000, 10**6])
@pytest.mark.parametrize("sensitivity", [1, 7, 61])
def test_a_divergence_is_that_of_a_gaussian_and_the_smaller_of_two_rests(order, variance, sensitivity):
    """α·Δ²/2σ² + min(((2α − 1)·Δ² + 6Δ)/4σ⁴, 3Δ/2σ²), and so often as there are releases."""
    d, x = sensitivity, Fraction(variance)
    rest = min(((2 * order - 1) * d * d + 6 * d) / (4 * x * x), 3 * d / (2 * x))
    for times in (1, 61):
        found = skellam_rdp(order, variance, sensitivity=sensitivity, times=times)
        assert found.lower == found.upper == times * (order * d * d / (2 * x) + rest)


def end_of_table(variance):
    """Seventeen standard deviations and sixty more."""
    return math.ceil(17 * math.sqrt(variance)) + 60


@pytest.mark.parametrize("variance", [1000, 10**4, 10**6])
def test_what_lies_beyond_a_table_is_bounded_by_the_sum_of_all_of_it(variance):
    """Pr[k] = e^{−σ²}·I_k(σ²), by an independent library's scaled Bessel function of the first kind."""
    last = end_of_table(variance)
    beyond = sum(float(ive(k, variance)) for k in range(last + 1, last + 20 * math.isqrt(variance)))
    for k in (last + 1, last + 2, 10 * last):
        found = skellam_pmf(k, variance)
        assert found.lower == 0 and beyond <= float(found.upper) * (1 + 1e-9) <= 1.2 * beyond + 1e-76


@pytest.mark.parametrize("variance", [10**4, 10**6])
def test_within_a_table_all_probabilities_are_known(variance):
    for k in range(0, end_of_table(variance) + 1, 97):
        found = skellam_pmf(k, variance)
        assert 0 < found.lower and found.upper - found.lower < found.lower / 10**6
    last = skellam_pmf(end_of_table(variance), variance)
    assert 0 < last.lower and last.upper - last.lower < last.lower / 10**6


def test_no_probability_is_less_than_none():
    """At ε = 1000 and σ = 1000 no output that a table has is worth ε, so δ is what lies beyond, and at least 0."""
    found = skellam_delta(1000, 10**6)
    assert found.lower == 0 and 0 < found.upper < Fraction(1, 10**60)


def test_the_largest_variance_of_a_table_of_losses():
    assert skellam_loss(10**5, step=1).epsilon(Fraction(1, 10**6)).upper < 1
    with pytest.raises(ValueError, match="variance"):
        skellam_loss(10**5 + 1)


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
        with pytest.raises(ValueError, match="k"):
            skellam_pmf(k, 5)


@pytest.mark.parametrize(("epsilon", "variance"), [(1, 5), ("1/10", 20), (3, 2)])
def test_deltas_are_narrow(epsilon, variance):
    """The two ends are as near as 2^−256 and the digits of e^ε allow."""
    found = skellam_delta(epsilon, variance)
    assert 0 <= found.upper - found.lower < Fraction(1, 10**70)


@pytest.mark.claim("thm-skellam")
@pytest.mark.parametrize(("variance", "sensitivity"), [(5, 1), (20, 1), (20, 2)])
def test_the_table_of_losses_gives_the_delta(variance, sensitivity):
    """Both ends, on a fine grid: what the law gives term by term lies between them, and they are near."""
    losses = skellam_loss(variance, sensitivity=sensitivity, step="1/1000")
    for epsilon in ("1/4", "1/2", 1):
        truth, found = skellam_delta(epsilon, variance, sensitivity=sensitivity), losses.delta(Fraction(epsilon))
        assert found.lower <= truth.upper and truth.lower <= found.upper
        assert found.upper - found.lower < truth.upper / 20 + Fraction(1, 10**12)


def test_no_cells_have_no_shares():
    assert skellam_shares(2, 5, 0, ZeroWords()).shape == (2, 0)
