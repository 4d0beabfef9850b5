"""The discrete Laplace mechanism: its law, exactly, and the inequality that makes it private."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.checks import mechanisms as law
from fdpedu.claims.laws import clamped_pmf, worst_ratio
from fdpedu.claims.strategies import alphas
from fdpedu.exact import Enclosure
from fdpedu.mechanisms import discrete_laplace, discrete_laplace_pmf
from fdpedu.randomness import SeededSource, ZeroWords


@pytest.mark.claim("thm-discrete-laplace")
@settings(max_examples=4, deadline=None)
@given(st.fractions(Fraction(1, 10), Fraction(1, 2), max_denominator=20), st.integers(-3, 3))
def test_the_law_from_replayed_bits(alpha, value):
    """Played over all tapes, the shipped sampler has the stated law, up to what is undecided."""
    law.replayed_law(4, value, 1, alpha=alpha)


@pytest.mark.claim("thm-discrete-laplace")
@given(alphas, st.integers(-4, 4), st.integers(-4, 4))
def test_the_inequality_is_met_with_equality(alpha, a, b):
    """The worst ratio of neighbouring outputs is exactly α^{−|a−b|}: ε-DP for sensitivity 1, and no better."""
    law.tight(alpha, a, b)


@given(alphas)
def test_half_the_scale_breaks_it(alpha):
    """The broken twin, noise of half the scale (α² for α), exceeds the claimed ratio on the smallest pair, 0 and 1."""
    assert worst_ratio([0], [1], alpha**2) > 1 / alpha


@given(alphas, st.integers(-5, 5), st.integers(1, 8))
def test_the_clamped_law_is_a_law(alpha, centre, bound):
    assert sum(clamped_pmf(alpha, centre, bound + abs(centre))) == 1


@pytest.mark.parametrize("epsilon", ["1/100", "1/2", 3])
def test_the_pmf_in_epsilon_encloses(epsilon):
    """In ε the pmf is an enclosure, and the enclosures of −60…60/ε add up to almost 1."""
    width = int(60 / Fraction(epsilon))
    parts = [discrete_laplace_pmf(k, epsilon) for k in range(width)]
    total = 2 * sum((p.upper for p in parts), Fraction(0)) - parts[0].lower
    assert all(isinstance(p, Enclosure) and p.lower < p.upper for p in parts) and abs(total - 1) < Fraction(1, 10**20)


@pytest.mark.claim("thm-discrete-laplace")
def test_frequencies():
    """10⁶ draws against the law: chi-square over 9 cells; a false alarm has probability below 10⁻⁹ (seeded)."""
    from scipy.stats import chi2

    draws = discrete_laplace(np.zeros(10**6, dtype=int), "1/2", SeededSource(np.random.default_rng(3)))
    cells = np.clip(draws, -4, 4)
    pmf = np.array([float(discrete_laplace_pmf(k, "1/2").lower) for k in range(-4, 5)])
    pmf[[0, -1]] = (1 - pmf[1:-1].sum()) / 2
    observed = np.bincount(cells + 4, minlength=9)
    statistic = float((((observed - 10**6 * pmf) ** 2) / (10**6 * pmf)).sum())
    assert chi2.sf(statistic, 8) > 1e-9 and chi2.cdf(statistic, 8) > 1e-9  # neither too far from the law nor too near


def test_shapes_and_types():
    assert isinstance(discrete_laplace(3, 1, ZeroWords()), int)
    assert discrete_laplace(np.zeros((2, 0, 3), dtype=int), 1).shape == (2, 0, 3)
    assert discrete_laplace([2**62, -(2**62)], 1, ZeroWords()).tolist() == [2**62, -(2**62)]


@pytest.mark.parametrize(
    "value", [1.0, [0.5], "3", None, True, 2**63, [2**62 + 1], np.array([2**64 - 1], dtype=np.uint64), [[1], [2, 3]]]
)
def test_values_that_are_no_integers_are_refused(value):
    with pytest.raises(ValueError):
        discrete_laplace(value, 1, ZeroWords())


@pytest.mark.parametrize(("epsilon", "sensitivity"), [("1/2", 1), (3, 2)])
def test_epsilon_is_a_rate_and_not_a_scale(epsilon, sensitivity):
    """Pr[0]/Pr[1] = e^{ε/Δ}, by an exponential that is not ours: ε away from 1, where a rate and a scale differ."""
    zero, one = (discrete_laplace_pmf(k, epsilon, sensitivity=sensitivity) for k in (0, 1))
    assert float(zero.upper / one.lower) == pytest.approx(
        float(np.exp(float(Fraction(epsilon)) / sensitivity)), rel=1e-12
    )
