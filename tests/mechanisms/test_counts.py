"""Noise on counts: the shipped sampler has the law that stands beside it, and that law is private, exactly."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fdpedu.mechanisms as m
from fdpedu.claims.frequencies import require_frequencies
from fdpedu.claims.mechanisms import laws as law
from fdpedu.claims.mechanisms import laws_counts as counts
from fdpedu.claims.noisy_counts import clamped_law, worst_ratio
from fdpedu.claims.replay import require_law
from fdpedu.claims.strategies import alphas
from fdpedu.exact import Enclosure, Rate
from fdpedu.randomness import Rehearsal, SeededSource
from tests.support.mechanisms import halves, slow


@pytest.mark.claim("thm-discrete-laplace")
@slow
@given(halves, st.integers(-3, 3))
def test_discrete_laplace_from_replayed_bits(alpha, value):
    """The alias table and the rational coins both have the stated law."""
    law.replayed(value, {"alpha": alpha}, 3)
    require_law(
        lambda tape: m.slow_discrete_laplace(value, rng=tape, alpha=alpha),
        lambda k: m.discrete_laplace_pmf(k - value, alpha=alpha),
        words=3,
        slack=Fraction(3, 4),
    )


@pytest.mark.claim("thm-discrete-laplace")
@pytest.mark.parametrize("epsilon", ["1/4", "3/2"])
def test_rational_coins_make_a_rate_of_any_fraction(epsilon):
    """X = U + t·V and ⌊X/s⌋ for ε = s/t: 1,500 draws against the law, chi-square, α = 10⁻⁹ each (seeded)."""
    source = Rehearsal(5)
    draws = np.array([m.slow_discrete_laplace(0, epsilon, source) for _ in range(1500)])
    pmf = np.array([float(m.discrete_laplace_pmf(k, epsilon)) for k in range(-3, 4)])
    pmf[[0, -1]] = (1 - pmf[1:-1].sum()) / 2
    require_frequencies(np.bincount(np.clip(draws, -3, 3) + 3, minlength=7), pmf, alpha=1e-9)


@given(alphas)
def test_half_the_scale_breaks_it(alpha):
    """The broken twin, noise of half the scale (α² for α), exceeds the claimed ratio on the smallest pair, 0 and 1."""
    assert worst_ratio([0], [1], alpha**2) > 1 / alpha


@given(alphas, st.integers(-5, 5), st.integers(1, 8), st.integers(1, 8))
def test_the_clamped_law_is_the_mechanism_s(alpha, centre, below, above):
    """Inside it is the shipped pmf, and each end has half of the shipped tail; together they are 1."""
    clamped = clamped_law(alpha, centre, centre - below, centre + above)
    ends = [m.discrete_laplace_tail(t - 1, alpha=alpha) / 2 for t in (below, above)]
    inside = [m.discrete_laplace_pmf(k, alpha=alpha) for k in range(1 - below, above)]
    assert list(clamped.values()) == [ends[0], *inside, ends[1]] and sum(clamped.values()) == 1
    assert list(clamped) == list(range(centre - below, centre + above + 1))


@pytest.mark.parametrize("epsilon", ["1/100", "1/2", 3])
def test_the_pmf_in_epsilon_encloses(epsilon):
    """In ε the pmf is an enclosure, and the enclosures of −60…60/ε add up to almost 1; the tail is what is left."""
    width = int(60 / Fraction(epsilon))
    parts = [m.discrete_laplace_pmf(k, epsilon) for k in range(width)]
    total = 2 * sum((p.upper for p in parts), Fraction(0)) - parts[0].lower
    assert all(isinstance(p, Enclosure) and p.lower < p.upper for p in parts) and abs(total - 1) < Fraction(1, 10**20)
    inner = 2 * sum(parts[1:10], parts[0]) - parts[0]
    tail = m.discrete_laplace_tail(9, epsilon)
    assert (1 - inner).lower <= tail.upper and tail.lower <= (1 - inner).upper


@pytest.mark.claim("thm-discrete-laplace")
def test_frequencies():
    """10⁶ draws against the law: chi-square over 9 cells; a false alarm has probability below 2·10⁻⁹ (seeded)."""
    draws = m.discrete_laplace(np.zeros(10**6, dtype=int), "1/2", SeededSource(np.random.default_rng(3)))
    pmf = np.array([float(m.discrete_laplace_pmf(k, "1/2").lower) for k in range(-4, 5)])
    pmf[[0, -1]] = (1 - pmf[1:-1].sum()) / 2
    require_frequencies(np.bincount(np.clip(draws, -4, 4) + 4, minlength=9), pmf, alpha=2e-9)


@pytest.mark.parametrize(("epsilon", "sensitivity"), [("1/2", 1), (3, 2)])
def test_epsilon_is_a_rate_and_not_a_scale(epsilon, sensitivity):
    """Pr[0]/Pr[1] = e^{ε/Δ}, by an exponential that is not ours: ε away from 1, where a rate and a scale differ."""
    zero, one = (m.discrete_laplace_pmf(k, epsilon, sensitivity=sensitivity) for k in (0, 1))
    assert float(zero.upper / one.lower) == pytest.approx(math.exp(float(Fraction(epsilon)) / sensitivity), rel=1e-12)


@pytest.mark.claim("lem-count-interval")
@given(
    st.fractions(Fraction(1, 50), 5),
    st.fractions(Fraction(1, 20), Fraction(99, 100)),
    st.integers(1, 9),
    st.integers(1, 5),
)
def test_the_interval_is_the_smallest(epsilon, confidence, simultaneous, sensitivity):
    """The tail beyond the half-width is small enough; beyond one less it is not."""
    counts.interval_in_epsilon(epsilon, confidence, simultaneous, sensitivity)


@pytest.mark.parametrize(("end", "half_width"), [("upper", 9), ("lower", 10)])
def test_the_closest_call_of_an_interval_is_settled_by_digits(end, half_width):
    """A confidence that is right to seventy digits, from above or from below, still gets the right half-width."""
    rate = Rate.of(epsilon="1/3")
    tail = 2 * rate.power(10, digits=70) / (1 + rate.power(1, digits=70))
    assert m.count_interval(0, "1/3", confidence=1 - getattr(tail, end)).half_width == half_width


def test_an_interval_whose_confidence_is_its_own_coverage():
    """For a rational α the tail may equal what is allowed, which no number of digits decides; fractions do."""
    first = m.count_interval(0, alpha="9/10", confidence="0.999")
    assert m.count_interval(0, alpha="9/10", confidence=first.coverage).half_width == first.half_width


@pytest.mark.claim("lem-leaf-error")
@pytest.mark.parametrize("classes", [2, 3, 10])
def test_the_constant_of_the_leaves(classes):
    """The enclosure holds the maximum over a fine grid; for two classes it is 1/e; and a law attains it at its p."""
    p = np.linspace(1e-6, 1 - 1e-6, 10**5)
    values = 2 * np.log(1 / p) * (1 - (1 - (1 - p) ** classes) / (classes * p))
    constant = m.leaf_error_constant(classes)
    assert float(constant.lower) - 1e-9 <= values.max() + 2e-5 and values.max() <= float(constant) + 1e-12
    alpha, gap = Fraction(1, 2), 3  # all but one candidate lie `gap` below: p = α^gap, ε = 2·ln(1/α)
    error = m.expected_error(
        m.permute_and_flip_pmf([gap] + [0] * (classes - 1), alpha=alpha), [gap] + [0] * (classes - 1)
    )
    q = float(alpha**gap)
    at = 2 * math.log(1 / q) * (1 - (1 - (1 - q) ** classes) / (classes * q))
    assert float(error) * 2 * math.log(2) == pytest.approx(at, rel=1e-12) and at <= float(constant)
