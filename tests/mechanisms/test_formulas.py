"""What the formulas say, asked in another way: symmetries, scales, quantiles, sums; and an interval in words."""

import math
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fdpedu.mechanisms as m
from fdpedu.claims.strategies import alphas
from fdpedu.randomness import Rehearsal, ReplayedWords, ZeroWords

scales, ninths = st.floats(0.01, 100), st.fractions(Fraction(1, 9), 4)

DEFAULTS = {
    "discrete_laplace": (7, "1/3", Rehearsal),
    "slow_discrete_laplace": (7, "1/3", Rehearsal),
    "discrete_laplace_pmf": (2, "1/3"),
    "discrete_laplace_tail": (2, "1/3"),
    "count_interval": (2, "1/3"),
    "gaussian_delta": ("1/3", 2),
    "gaussian_sigma": ("1/3", "1/100"),
    "classical_gaussian_sigma": ("1/3", "1/100"),
    "discrete_gaussian": (7, "1/300", Rehearsal),
    "discrete_gaussian_pmf": (2, "1/3"),
    "laplace": (2.5, "1/3", Rehearsal),
    "laplace_logpdf": (2.5, "1/3"),
    "snapped_laplace": (2, "1/30", Rehearsal),
    "snapped_laplace_pmf": (2, 1, "1/3"),
    "exponential": ([1, 2, 3], "1/3", Rehearsal),
    "exponential_pmf": ([1, 2, 3], "1/3"),
    "permute_and_flip": ([1, 2, 3], "1/3", Rehearsal),
    "permute_and_flip_pmf": ([1, 2, 3], "1/3"),
    "report_noisy_max": ([1, 2, 3], "1/3", Rehearsal),
    "report_noisy_max_pmf": ([1, 2, 3], "1/3"),
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_what_is_not_said_is_a_sensitivity_of_one_and_nothing_is_monotone(name):
    """The same answer as when it is said; and a sensitivity of two gives another one, in forty draws at least once."""

    def ask(seed, **options):
        arguments = [Rehearsal(seed) if each is Rehearsal else each for each in DEFAULTS[name]]
        return getattr(m, name)(*arguments, **({"grid": 1} if name.startswith("snapped") else {}), **options)

    monotone = {"monotone": False} if "epsilon" not in name and isinstance(DEFAULTS[name][0], list) else {}
    assert [ask(seed) for seed in range(40)] == [ask(seed, sensitivity=1, **monotone) for seed in range(40)]
    assert [ask(seed) for seed in range(40)] != [ask(seed, sensitivity=2) for seed in range(40)]


# Counts


@given(alphas, st.integers(0, 70), st.integers(-9, 9))
def test_an_interval_covers_what_its_masses_add_up_to(alpha, half, centre):
    """Asked for just the mass within ±t, the interval is ±t and covers that mass; one asked for more is wider."""
    mass = sum(m.discrete_laplace_pmf(k, alpha=alpha) for k in range(-half, half + 1))
    found = m.count_interval(centre, alpha=alpha, confidence=mass)
    assert (found.low, found.high, found.half_width) == (centre - half, centre + half, half)
    assert found.coverage == found.confidence == mass
    assert m.count_interval(centre, alpha=alpha, confidence=(1 + mass) / 2).half_width > half
    if 2 * mass > 1:  # two intervals miss at most twice as often
        assert m.count_interval(0, alpha=alpha, confidence=2 * mass - 1, simultaneous=2).half_width == half


def test_an_interval_in_words():
    found, said = m.count_interval(40, 1), "the true count lies in [37, 43], with a confidence of at least 95 %"
    assert str(found) == said and found._repr_html_() == f"<p>{said.capitalize()}.</p>"


@given(st.fractions(Fraction(1, 9), 9), st.integers(-20, 20))
def test_the_printed_equation_falls_by_epsilon_at_each_step(epsilon, k):
    """As printed: (1−ε)/(1+ε) at 0, the same at k and −k, and each step away from 0 multiplies by ε."""
    at = [m.vos_equation_4_as_printed(j, epsilon) for j in (0, k, -k, abs(k) + 1)]
    assert at[0] * (1 + epsilon) == 1 - epsilon and at[1] == at[2] and at[3] == at[1] * epsilon


# Reals


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


@given(scales, scales, st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=4))
def test_laplace_noise_is_the_quantile_of_its_word(epsilon, sensitivity, words):
    """The high bits are the size, −b·ln(1 − j/2⁵³) with b = Δ/ε; the lowest bit is the sign."""
    drawn = m.laplace([[2.5] * len(words)], epsilon, ReplayedWords(words), sensitivity=sensitivity)
    scale = sensitivity / epsilon
    assert drawn.shape == (1, len(words))
    for value, word in zip(drawn[0].tolist(), words, strict=True):
        size = -math.log1p(-(word >> 11) / 2**53) * scale
        assert value == pytest.approx(2.5 - size if word & 1 else 2.5 + size, rel=1e-12, abs=1e-12)


@given(st.floats(-50, 50), scales, scales)
def test_log_densities_are_those_of_the_laws(x, scale, sensitivity):
    """Against the density of the standard library, and e^{−|x|/b}/2b."""
    assert m.gaussian_logpdf(x, scale) == pytest.approx(
        -((x / scale) ** 2) / 2 - math.log(scale * math.sqrt(2 * math.pi)), rel=1e-12, abs=1e-12
    )
    b = sensitivity / scale
    assert m.laplace_logpdf(x, scale, sensitivity=sensitivity) == pytest.approx(-abs(x) / b - math.log(2 * b), abs=1e-9)


def test_log_densities_far_out_are_minus_infinity_without_a_warning():
    assert m.gaussian_logpdf(1e300, 1e-300) == m.laplace_logpdf(1e300, 1e300) == -np.inf


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


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 2**53 - 1), st.floats(-100, 100), scales)
def test_what_numpy_draws_is_reachable_and_rises_with_its_uniform(j, value, scale):
    """From the first to the last uniform number, and 0.5 gives the value itself."""
    for uniform in (j, 1, 2**53 - 1):
        output = m.numpy_laplace_value(value, scale, uniform / 2**53)
        assert m.reachable(output, value, scale)
        size = -math.log(2 * min(uniform, 2**53 - uniform) / 2**53)
        expected = value + math.copysign(scale * size, uniform - 2**52)
        assert output == pytest.approx(expected, abs=1e-3 * scale if uniform < 2**53 - 2**12 else scale)
    assert m.numpy_laplace_value(value, scale, 0.5) == value
    beyond = np.nextafter(m.numpy_laplace_value(value, scale, 1 - 2**-53), np.inf)
    assert not m.reachable(float(beyond), value, scale)


def test_outputs_are_counted_from_one():
    """The first output of some source tells already, and it takes as many as the outputs that do not, and one."""
    for seed in range(6):
        needed, source = m.outputs_needed(1, 0.0, 1.0, Rehearsal(seed)), Rehearsal(seed)
        outputs = [m.numpy_laplace_value(0.0, 1.0, int(source.words(1)[0] >> 11) / 2**53) for _ in range(needed)]
        assert [m.reachable(output, 1.0, 1.0) for output in outputs] == [True] * (needed - 1) + [False]
    words = [0, 1, *Rehearsal(0).words(40).tolist()]  # a uniform number of 0 is drawn again, and does not count
    assert m.outputs_needed(1, 0.0, 1.0, ReplayedWords(words)) == m.outputs_needed(1, 0.0, 1.0, Rehearsal(0))


@given(
    st.fractions(-9, 9),
    st.fractions(Fraction(1, 9), 5),
    st.fractions(Fraction(1, 9), 4),
    st.fractions(Fraction(1, 9), 4),
)
def test_a_snapped_law_is_that_of_intervals(value, epsilon, grid, sensitivity):
    """Each grid point has the mass of its interval; epsilon over sensitivity is what counts; the masses add up to 1."""
    centre, rate = round(value / grid), float(epsilon / sensitivity)

    def below(x):
        y = rate * float(x - value)
        return math.exp(y) / 2 if y < 0 else 1 - math.exp(-y) / 2

    for k in range(centre - 4, centre + 5):
        mass = m.snapped_laplace_pmf(k, value, epsilon, grid=grid, sensitivity=sensitivity)
        ends = (below((k + half) * grid) for half in (Fraction(1, 2), Fraction(-1, 2)))
        assert float(mass) == pytest.approx(next(ends) - next(ends), abs=1e-12)
        assert mass.upper - mass.lower < Fraction(1, 10**35)
    assert m.snapped_laplace(value, epsilon, ZeroWords(), grid=grid, sensitivity=sensitivity) == centre * grid
