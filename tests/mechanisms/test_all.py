"""What all mechanisms keep to: shapes, defaults, words of their own, scales, noise that does not look at the value."""

import math
from fractions import Fraction

import numpy as np
import pytest

import fdpedu.mechanisms as m
from fdpedu.claims.mechanisms import words as streams
from fdpedu.randomness import Rehearsal, ZeroWords


def test_shapes_and_types():
    assert isinstance(m.discrete_laplace(3, 1, ZeroWords()), int)
    assert m.discrete_laplace(np.zeros((2, 0, 3), dtype=int), 1).shape == (2, 0, 3)
    assert m.discrete_laplace([2**62, -(2**62)], 1, ZeroWords()).tolist() == [2**62, -(2**62)]
    assert m.discrete_gaussian([], 1).shape == (0,) and m.randomised_response([], 1).shape == (0,)
    assert m.exponential([1, 2], 1, ZeroWords(), size=0).shape == (0,)
    assert m.discrete_laplace(np.full(3_000_000, -(2**62)), "1/1000", Rehearsal(1)).max() < -(2**62) + 2**16


def test_extreme_parameters_are_right():
    """ε up to 10⁴⁰⁰ is no noise; ε = 10⁻⁶ and sensitivity 10⁶ agree; nothing wraps."""
    assert m.discrete_laplace([5, -5], 10**400).tolist() == [5, -5]
    small = m.discrete_laplace(np.zeros(50_000, dtype=int), "1/1000000", Rehearsal(2)) / 1e6
    scaled = m.discrete_laplace(np.zeros(50_000, dtype=int), 1, Rehearsal(3), sensitivity=10**6) / 1e6
    for draws in (small, scaled):  # Laplace(1): variance 2, fourth moment 24
        assert abs((draws**2).mean() - 2) < 6.2 * math.sqrt(20 / 50_000)
    assert m.exponential([0, 10**30], 1) == m.permute_and_flip([0, 10**30], 1) == 1
    assert m.exponential_pmf([0, 10**30], 1)[0].upper < Fraction(1, 10**1000)
    assert m.discrete_laplace_pmf(10**15, 1).upper < Fraction(1, 10**1000)
    assert m.discrete_gaussian(7, 10**9) == 7 and float(m.discrete_gaussian_pmf(0, 10**4)) == pytest.approx(1)


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


@pytest.mark.parametrize("name", streams.VECTORS)
def test_each_number_has_its_own_words(name):
    streams.own_words(name, 77)


@pytest.mark.parametrize("name", streams.LONG)
@pytest.mark.parametrize("size", [1200, 70_400])
def test_a_long_draw_does_not_repeat(name, size):
    streams.long_draw(name, size)


@pytest.mark.parametrize("name", streams.SCALED)
def test_a_sensitivity_divides_the_rate(name):
    streams.same_words(name, Fraction(5, 2), 7)


@pytest.mark.parametrize("name", streams.SHIFTED)
@pytest.mark.parametrize("shift", [7, -(2**40), 2**60 + 3])
def test_noise_does_not_depend_on_the_value(name, shift):
    streams.same_noise(name, shift)
