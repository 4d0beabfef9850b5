"""Gaussian noise: δ and σ, discrete laws to the last places, and quantiles of words."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fdpedu.mechanisms as m
from fdpedu.claims.replay import require_law
from fdpedu.mechanisms import discrete_gaussian_delta, discrete_gaussian_pmf
from fdpedu.randomness import Rehearsal, ReplayedWords
from tests.support.both_ends import both_ends
from tests.support.truths import exp, gaussian_sum


@pytest.mark.claim("thm-discrete-gaussian")
@pytest.mark.parametrize("rho", ["1/2", "2", "1/20"])
def test_discrete_gaussian_from_replayed_bits(pytestconfig, rho):
    """Over all tapes of three words, with ``--deep`` of four."""
    require_law(
        lambda tape: m.discrete_gaussian(0, rho, tape),
        lambda k: m.discrete_gaussian_pmf(k, rho),
        words=4 if pytestconfig.getoption("--deep") else 3,
        slack=Fraction(3, 4),
    )


@pytest.mark.claim("thm-discrete-gaussian")
@pytest.mark.parametrize("rho", ["1/2", "1/50", "8"])
def test_discrete_gaussian_against_a_plain_sum(rho):
    """pmf and δ(ε) against sums in floats; its δ is near the continuous one and not above the zCDP bound's."""
    sigma = math.sqrt(1 / (2 * Fraction(rho)))
    k = np.arange(-400, 401)
    weights = np.exp(-(k**2) / (2 * sigma**2))
    p = weights / weights.sum()
    assert float(m.discrete_gaussian_pmf(2, rho)) == pytest.approx(p[402], rel=1e-12)
    for epsilon in (0, 0.5, 2):
        loss = p - math.exp(epsilon) * np.roll(p, 1)
        assert float(m.discrete_gaussian_delta(epsilon, rho)) == pytest.approx(
            loss[loss > 0].sum(), rel=1e-9, abs=1e-15
        )


def test_a_wide_discrete_gaussian():
    """Mean, variance and fourth moment of 10⁵ draws with σ = 10⁶/√2, within 6.2 standard errors (seeded)."""
    n, sigma = 10**5, 10**6 / math.sqrt(2)
    draws = m.discrete_gaussian(np.zeros(n, dtype=int), "1/1000000000000", Rehearsal(5)) / sigma
    assert abs(draws.mean()) < 6.2 / math.sqrt(n)
    assert abs((draws**2).mean() - 1) < 6.2 * math.sqrt(2 / n) and abs((draws**4).mean() - 3) < 6.2 * math.sqrt(96 / n)


@pytest.mark.claim("thm-gaussian")
@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-3), (1, 1e-6), (8, 1e-10)])
def test_the_gaussian_delta_is_the_hockey_stick_of_two_densities(epsilon, delta):
    """∫ (p − e^ε·q)₊ by quadrature is the closed form, and the calibrated σ meets δ and is the least that does."""
    sigma = m.gaussian_sigma(epsilon, delta)
    edge = 0.5 - epsilon * sigma**2  # beyond it the loss is below ε
    x = np.linspace(edge - 40 * sigma, edge, 2_000_001)
    p, q = (np.exp(m.gaussian_logpdf(x - shift, sigma)) for shift in (0, 1))
    integral = np.trapezoid(p - math.exp(epsilon) * q, x)
    assert integral == pytest.approx(m.gaussian_delta(epsilon, sigma), rel=1e-4)
    assert m.gaussian_delta(epsilon, sigma) <= delta < m.gaussian_delta(epsilon, sigma * (1 - 1e-9))


def held(enclosure, number, width):
    """Whether a number of a hundred digits lies in an enclosure that is no wider than this."""
    slack = Fraction(1, 10**90)
    return enclosure.lower - slack <= number <= enclosure.upper + slack and enclosure.upper - enclosure.lower <= width


def bell(k, variance):
    """e^{−k²/2σ²} in a hundred digits."""
    return (-Decimal(k * k) * variance.denominator / (2 * variance.numerator)).exp()


@settings(max_examples=12, deadline=None)
@given(st.fractions(Fraction(1, 30), 30, max_denominator=30), st.integers(-6, 6), st.integers(1, 3))
def test_bells_add_up_in_a_hundred_digits(rho, k, sensitivity):
    """Pr[k] is e^{−k²/2σ²} over the sum of all, by decimals that are added one by one."""
    variance = Fraction(sensitivity**2) / (2 * rho)
    with localcontext(prec=100):
        total = 1 + 2 * sum(bell(j, variance) for j in range(1, 20 + math.isqrt(500 * math.ceil(variance))))
        truth = Fraction(bell(k, variance) / total)
    found = m.discrete_gaussian_pmf(k, rho, sensitivity=sensitivity)
    assert held(found, truth, Fraction(1, 10 ** (38 if k else 55))) and found == m.discrete_gaussian_pmf(
        -k, rho, sensitivity=sensitivity
    )


def test_a_bell_too_narrow_for_its_places_is_enclosed_on_both_sides():
    """With σ² = 1/20,000 all mass but 2·e^{−10,000} is at 0: below 1, and nearer to it than decimals can show."""
    found = m.discrete_gaussian_pmf(0, 10**4)
    assert 1 - Fraction(1, 10**55) < found.lower < 1 - Fraction(1, 10**4000) < found.upper


@pytest.mark.parametrize("rho", ["1/2", "1/7", "1/20", 2])
@pytest.mark.parametrize("epsilon", [0, "1/4", "1/2", "3/4", 1, "3/2", "5/2"])
def test_the_discrete_gaussian_s_delta_is_what_its_masses_say(epsilon, rho):
    """δ is the sum of what each mass at 0 has over e^ε times the mass at 1, where it has more."""
    masses = {k: float(m.discrete_gaussian_pmf(k, rho)) for k in range(-30, 12)}
    over = [masses[k] - math.exp(Fraction(epsilon)) * masses[k - 1] for k in range(-29, 12)]
    assert float(m.discrete_gaussian_delta(epsilon, rho)) == pytest.approx(sum(x for x in over if x > 0), abs=1e-13)


@pytest.mark.parametrize("sigma", ["1/1000", "1/10", 1, 10, "15404.93719470559", 10**8, 10**12])
@pytest.mark.parametrize("epsilon", [0, "1/10000000000", 1, 40, 5000, "9596228.393430483", 10**9, 10**14])
def test_a_gaussian_delta_is_from_nothing_to_one(epsilon, sigma):
    """Whatever the floats on the way: no error, no negative number, and no minus before a zero."""
    delta = m.gaussian_delta(epsilon, sigma)
    assert 0 <= delta <= 1 and math.copysign(1, delta) == 1


def test_a_gaussian_delta_where_two_floats_are_one_is_nothing():
    """For small sensitivities and larger ε both terms are the same float, and so is each of its neighbours."""
    deltas = [m.gaussian_delta(f"{k}/7", 10**9) for k in range(1, 400)]
    assert {str(delta) for delta in deltas} == {"0.0"}


scales, ninths = st.floats(0.01, 100), st.fractions(Fraction(1, 9), 4)


@given(scales, st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=4))
def test_gaussian_noise_is_the_quantile_of_its_word(sigma, words):
    """The j-th of 2⁵² cells gives the quantile at its middle; a word and its complement give opposite noise."""
    drawn, opposite = (
        m.gaussian(np.zeros(len(words)), sigma, ReplayedWords(tape))
        for tape in (words, [2**64 - 1 - word for word in words])
    )
    for noise, other, word in zip(drawn.tolist(), opposite.tolist(), words, strict=True):
        assert noise == pytest.approx(sigma * NormalDist().inv_cdf(((word >> 12) + 0.5) / 2**52), rel=1e-7, abs=1e-9)
        assert noise == pytest.approx(-other, rel=1e-12) and np.isfinite(noise)
    shifted = m.gaussian([[1.5] * len(words)], sigma, ReplayedWords(words))
    assert shifted.shape == (1, len(words)) and shifted[0] == pytest.approx(drawn + 1.5, abs=1e-9 * (1 + sigma))


@settings(max_examples=25, deadline=None)
@given(st.floats(0, 8), st.floats(0.05, 20), scales)
def test_gaussian_delta_and_sigma_scale_with_the_sensitivity(epsilon, sigma, sensitivity):
    """Only Δ/σ counts. δ is by the normal distribution function, and falls in σ and in ε; σ meets δ from above."""
    delta = m.gaussian_delta(epsilon, sigma)
    phi, mu = NormalDist().cdf, 1 / sigma
    plain = phi(mu / 2 - epsilon / mu) - math.exp(epsilon) * phi(-mu / 2 - epsilon / mu)
    assert delta == pytest.approx(plain, abs=1e-9) and delta >= 0
    assert m.gaussian_delta(epsilon, sigma * sensitivity, sensitivity=sensitivity) == pytest.approx(delta, rel=1e-6)
    assert m.gaussian_delta(epsilon, 2 * sigma) <= delta >= m.gaussian_delta(epsilon + 1, sigma)
    if 1e-12 < delta < 0.9:
        one = m.gaussian_sigma(epsilon, delta)
        assert one == pytest.approx(sigma, rel=1e-6) and m.gaussian_delta(epsilon, one) <= delta
        assert m.gaussian_sigma(epsilon, delta, sensitivity=sensitivity) == pytest.approx(sensitivity * one, rel=1e-12)


def test_gaussian_sigma_from_very_small_to_very_large():
    """An ε of 10⁹ is met by little noise, and ε = 0 with δ = 10⁻¹² by much: σ = Δ/(2·Φ⁻¹((1 + δ)/2))."""
    assert m.gaussian_sigma(10**9, "1/2") == pytest.approx(1 / math.sqrt(2e9), rel=1e-4)
    assert m.gaussian_sigma(0, 1e-12) == pytest.approx(1e12 / math.sqrt(2 * math.pi), rel=1e-3)


@given(st.floats(0.01, 0.99), st.floats(1e-12, 0.5), scales)
def test_the_textbook_s_sigma_is_its_formula(epsilon, delta, sensitivity):
    formula = sensitivity / epsilon * math.sqrt(2 * (math.log(5) - math.log(4) - math.log(delta)))
    assert m.classical_gaussian_sigma(epsilon, delta, sensitivity=sensitivity) == pytest.approx(formula, rel=1e-12)


@pytest.mark.claim("thm-discrete-gaussian")
@pytest.mark.parametrize("sigma", [300, 400, 2000, 6000])
def test_the_sum_below_the_law_is_found_for_every_sigma_that_is_promised(sigma):
    """1/σ√(2π) to more digits than a float has: the sum differs from its integral by 2e^(−2π²σ²) of it."""
    top = discrete_gaussian_pmf(0, "1/2", sensitivity=sigma)
    assert abs(float(top) * sigma * 2.5066282746310002 - 1) < 1e-14
    assert top.upper - top.lower < Fraction(1, 10**50)


F = Fraction


@pytest.mark.parametrize(
    ("rho", "s", "k"),
    [("1/2", 1, 0), ("1/50", 1, 7), ("1/50", 3, -60), (8, 1, 1), ("1/2000000", 1, 900), ("1/20000", 1, 0)],
)
def test_both_ends_of_discrete_gaussian(rho, s, k):
    v = F(s * s) / (2 * F(rho))
    both_ends(
        lambda: discrete_gaussian_pmf(k, rho, sensitivity=s), lambda: exp(-F(k * k) / (2 * v)) / gaussian_sum(v), 35
    )


@pytest.mark.parametrize(("e", "rho"), [(1, "1/2"), (0, "1/18"), ("1/3", "1/50"), (3, "1/8")])
def test_both_ends_of_delta_of_the_discrete_gaussian(e, rho):
    v = 1 / (2 * F(rho))
    m = math.ceil(F(1, 2) - F(e) * v) - 1
    both_ends(
        lambda: discrete_gaussian_delta(e, rho),
        lambda: (gaussian_sum(v, -m) - exp(F(e)) * gaussian_sum(v, 1 - m)) / gaussian_sum(v),
        35,
    )
