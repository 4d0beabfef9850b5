"""Noise on numbers: the discrete Gaussian, snapped Laplace noise, and the attack on floats."""

import math
from fractions import Fraction

import numpy as np
import pytest

import fdpedu.mechanisms as m
from fdpedu.claims.mechanisms import laws_reals as law
from fdpedu.claims.replay import require_law
from fdpedu.randomness import Rehearsal


@pytest.mark.claim("thm-discrete-gaussian")
@pytest.mark.parametrize("rho", ["1/2", "2", "1/20"])
def test_discrete_gaussian_from_replayed_bits(rho):
    require_law(
        lambda tape: m.discrete_gaussian(0, rho, tape),
        lambda k: m.discrete_gaussian_pmf(k, rho),
        words=4,
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


@pytest.mark.claim("float-laplace-as-coded")
def test_the_attack_knows_numpy_bit_for_bit():
    """The formula under attack is NumPy's own: 20,000 draws and their uniform numbers agree in every bit."""
    for value, scale in ((0.0, 1.0), (1.0, 3.7), (-250.0, 0.01)):
        generator, twin = np.random.default_rng(9), np.random.default_rng(9)
        drawn, uniform = generator.laplace(value, scale, 20_000), twin.random(20_000)
        assert [m.numpy_laplace_value(value, scale, u) for u in uniform.tolist()] == drawn.tolist()
        assert all(m.reachable(x, value, scale) for x in drawn[:300].tolist())


@pytest.mark.claim("float-laplace-as-coded")
def test_a_handful_of_floats_gives_the_input_away():
    """Reachable is exhaustive (on a coarse grid, all uniform numbers), so an unreachable output is proof."""
    needed = [m.outputs_needed(1, 0.0, 1.0, Rehearsal(i)) for i in range(40)]
    assert max(needed) < 30
    outputs = {m.numpy_laplace_value(0.0, 1.0, j * 2.0**-53) for j in range(2**52, 2**52 + 3000)}
    others = {m.numpy_laplace_value(1.0, 1.0, j * 2.0**-53) for j in range(1656790000000000, 1656790000003000)}
    for output in sorted(others)[1:-1:7]:
        inside = output in outputs
        assert not inside or m.reachable(output, 0.0, 1.0)


@pytest.mark.claim("thm-snapped-laplace")
@pytest.mark.parametrize(("value", "grid"), [(0, 2), ("3/10", "2/3"), (-1.25, "5/2")])
def test_snapped_laplace(value, grid):
    """The shipped law over replayed bits; the pmf against the ideal distribution function; every point reachable."""
    law.snapped_sampler(value, 1, Fraction(grid), sensitivity=1, words=3)
    v, g = float(Fraction(str(value))), float(Fraction(grid))

    def below(x):
        return 0.5 * math.exp(x - v) if x < v else 1 - 0.5 * math.exp(v - x)

    for k in range(-8, 9):
        ideal = below((k + 0.5) * g) - below((k - 0.5) * g)
        assert float(m.snapped_laplace_pmf(k, value, 1, grid=grid)) == pytest.approx(ideal, rel=1e-9) and ideal > 0


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
