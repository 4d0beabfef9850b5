"""Every δ of the library is what its definition says: the sum of what one distribution exceeds e^ε times the other.

The distributions are tabulated here from their textbook formulas, in floats, and nothing of the library is used.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import binom, gammaln, ive
from scipy.stats import norm

from fdpedu.accounting import optimal_delta
from fdpedu.dlpa import gaussian_sum_delta, insider_delta, skellam_delta
from fdpedu.mechanisms import discrete_gaussian_delta, gaussian_delta

VALUES = np.arange(-300, 301)  # beyond them all tables here have less than 10⁻¹⁶


def discrete_gaussian(variance):
    weights = np.exp(-(VALUES**2) / (2 * variance))
    return weights / weights.sum()


def skellam(variance):
    return ive(np.abs(VALUES), variance)


def polya_difference(epsilon, kept):
    """The difference of two negative binomial numbers: a share ``kept`` of discrete Laplace noise."""
    k = np.arange(301)
    logs = gammaln(kept + k) - gammaln(kept) - gammaln(k + 1) + kept * math.log(-math.expm1(-epsilon)) - epsilon * k
    return np.convolve(np.exp(logs), np.exp(logs)[::-1])


def delta(law, epsilon, step=1):
    shifted = np.concatenate([law[step:], np.zeros(step)])
    return float(np.maximum(0, law - math.exp(epsilon) * shifted).sum())


def require_between(found, truth, width):
    """The enclosure holds the truth, up to what floats lose, and is as narrow as stated."""
    assert found.lower <= truth * (1 + 1e-10) and truth * (1 - 1e-10) <= found.upper
    assert float(found.upper - found.lower) <= width * truth


@pytest.mark.parametrize(("epsilon", "variance"), [("1/2", 3), (1, "5/2"), (2, 2), ("1/10", 20)])
def test_of_discrete_gaussian_noise(epsilon, variance):
    truth = delta(discrete_gaussian(float(Fraction(variance))), float(Fraction(epsilon)))
    require_between(discrete_gaussian_delta(epsilon, 1 / (2 * Fraction(variance))), truth, 1e-15)


@pytest.mark.parametrize(("epsilon", "m", "variance"), [(1, 2, 2), (1, 3, "9/2"), ("1/2", 4, 6), (2, 2, 3)])
def test_of_a_sum_of_discrete_gaussian_shares(epsilon, m, variance):
    """The stated δ is at least the sum's own, and exceeds it by no more than θ accounts for."""
    law = share = discrete_gaussian(float(Fraction(variance)) / m)
    for _ in range(m - 1):
        law = np.convolve(law, share, mode="same")
    truth, found = delta(law, float(Fraction(epsilon))), gaussian_sum_delta(epsilon, m, variance)
    assert truth * (1 - 1e-10) <= found.upper <= 1.01 * truth


@pytest.mark.parametrize(("epsilon", "variance", "step"), [(1, 4, 1), ("1/2", "3/2", 2), (2, 10, 3), (0, 1, 1)])
def test_of_skellam_noise(epsilon, variance, step):
    truth = delta(skellam(float(Fraction(variance))), float(Fraction(epsilon)), step)
    require_between(skellam_delta(epsilon, variance, sensitivity=step), truth, 1e-9)


@pytest.mark.parametrize(
    ("epsilon", "parties", "colluders", "allowed"), [(1, 5, 0, "1/2"), (1, 5, 1, 1), (2, 3, 1, 1), ("3/2", 4, 2, "3/2")]
)
def test_of_what_insiders_leave(epsilon, parties, colluders, allowed):
    law = polya_difference(float(Fraction(epsilon)), (parties - colluders) / parties)
    require_between(insider_delta(epsilon, parties, colluders, allowed), delta(law, float(Fraction(allowed))), 0.02)


@pytest.mark.parametrize(("epsilon", "k", "allowed"), [("1/2", 3, "1/2"), (1, 4, 1), ("1/4", 10, 1), (2, 2, 0)])
def test_of_many_releases(epsilon, k, allowed):
    """k randomised responses, of which j say the one thing."""
    j, p = np.arange(k + 1), 1 / (1 + math.exp(-float(Fraction(epsilon))))
    law = binom(k, j) * p**j * (1 - p) ** (k - j)
    truth = float(np.maximum(0, law - math.exp(float(Fraction(allowed))) * law[::-1]).sum())
    require_between(optimal_delta(epsilon, k, allowed), truth, 1e-15)


@pytest.mark.parametrize(("epsilon", "sigma"), [(1, 1), ("1/2", 3), (2, "1/2"), (0, 2)])
def test_of_gaussian_noise(epsilon, sigma):
    """By integration of what one density exceeds e^ε times the other."""
    eps, s = float(Fraction(epsilon)), float(Fraction(sigma))
    end = 0.5 - eps * s * s  # up to there the loss is larger than ε
    truth, _ = quad(lambda x: norm.pdf(x, 0, s) - math.exp(eps) * norm.pdf(x, 1, s), end - 30 * s, end, epsabs=1e-13)
    assert gaussian_delta(epsilon, sigma) == pytest.approx(truth, rel=1e-8)
