"""The last places: sums of a hundred digits, calls closer than floats, and ends where they are told."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fdpedu.mechanisms as m
from fdpedu.exact import Rate
from fdpedu.mechanisms import normal
from fdpedu.randomness import Rehearsal, ReplayedWords

HAIR = Fraction(1, 10**60)
ALL_ONES = 2**64 - 1


def held(enclosure, number, width):
    """Whether a number of a hundred digits lies in an enclosure that is no wider than this."""
    slack = Fraction(1, 10**90)
    return enclosure.lower - slack <= number <= enclosure.upper + slack and enclosure.upper - enclosure.lower <= width


def bell(k, variance):
    """e^{−k²/2σ²} in a hundred digits."""
    return (-Decimal(k * k) * variance.denominator / (2 * variance.numerator)).exp()


# Sums under the bell


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
    """With σ² = 1/20,000 all mass but 2·e^{−10,000} is at 0: below 1, and above 1 less any number that can be told."""
    found = m.discrete_gaussian_pmf(0, 10**4)
    assert 1 - Fraction(1, 10**55) < found.lower < 1 - Fraction(1, 10**4000) < found.upper


@pytest.mark.parametrize("rho", ["1/2", "1/7", "1/20", 2])
@pytest.mark.parametrize("epsilon", [0, "1/4", "1/2", "3/4", 1, "3/2", "5/2"])
def test_the_discrete_gaussian_s_delta_is_what_its_masses_say(epsilon, rho):
    """δ is the sum of what each mass at 0 has over e^ε times the mass at 1, where it has more."""
    masses = {k: float(m.discrete_gaussian_pmf(k, rho)) for k in range(-30, 12)}
    over = [masses[k] - math.exp(Fraction(epsilon)) * masses[k - 1] for k in range(-29, 12)]
    assert float(m.discrete_gaussian_delta(epsilon, rho)) == pytest.approx(sum(x for x in over if x > 0), abs=1e-13)


@pytest.mark.parametrize("rho", ["1/2", "1/50", "1/3000", 3])
def test_the_coin_of_a_discrete_gaussian_is_the_same_in_floats_and_in_fractions(rho, monkeypatch):
    """Where a float leaves a coin open, the fraction that settles it is the same coin; and it is a probability."""
    coins = normal.exp_coins

    def checked(likely, gamma, source):
        exact = [math.exp(-gamma(i)) for i in range(len(likely))]
        assert likely == pytest.approx(exact, rel=1e-12) and all(type(gamma(i)) is Fraction for i in range(len(likely)))
        return coins(likely, gamma, source)

    monkeypatch.setattr(normal, "exp_coins", checked)
    draws = m.discrete_gaussian(np.zeros(60, dtype=int), rho, Rehearsal(4))
    assert draws.shape == (60,) and (len(set(draws.tolist())) > 1 or rho == 3)


# One value


@pytest.mark.parametrize("mechanism", [m.discrete_laplace, m.discrete_gaussian])
def test_one_integer_is_released_as_in_an_array(mechanism):
    """Of any type: 7 and [7] get the same noise from the same words, and an integer gives an integer."""
    for seed in range(9):
        (expected,) = mechanism([7], "1/50", Rehearsal(seed)).tolist()
        for value in (7, np.int64(7), np.uint8(7)):
            found = mechanism(value, "1/50", Rehearsal(seed))
            assert type(found) is int and found == expected
        assert isinstance(mechanism(np.array(7), "1/50", Rehearsal(seed)), np.integer | np.ndarray)


@pytest.mark.parametrize("heads", range(4))
def test_rational_coins_are_counted(heads):
    """With a rational α: as many as show heads before the first tails; then the sign."""
    words = [*[ALL_ONES] * heads, 0]
    assert m.slow_discrete_laplace(7, rng=ReplayedWords([*words, 0]), alpha="1/2") == 7 + heads
    if heads:
        assert m.slow_discrete_laplace(7, rng=ReplayedWords([*words, ALL_ONES]), alpha="1/2") == 7 - heads


# Intervals


@given(st.fractions(Fraction(1, 9), Fraction(9, 10)), st.integers(0, 30))
def test_a_hair_more_confidence_is_one_more_on_either_side(alpha, half):
    """What an interval covers exactly is its own; 10⁻⁶⁰ more is not, and 10⁻⁶⁰ less is."""
    covered = 1 - m.discrete_laplace_tail(half, alpha=alpha)
    widths = [m.count_interval(0, alpha=alpha, confidence=covered + hair).half_width for hair in (-HAIR, 0, HAIR)]
    assert widths == [half, half, half + 1]


@pytest.mark.parametrize("digits", [3, 17, 19, 22, 30, 300])
def test_the_interval_of_a_tiny_epsilon_is_the_smallest_too(digits):
    """Its half-width has more digits than a float; at 10⁻³⁰⁰ it is the longest there is."""
    epsilon = Fraction(1, 10**digits)
    half = m.count_interval(0, epsilon).half_width
    rate, miss = Rate.of(epsilon), Fraction(1, 20)
    beyond, closer, one = (rate.power(t, 900) for t in (half + 1, half, 1))
    assert 2 * beyond.upper <= miss * (1 + one.lower) and 2 * closer.lower > miss * (1 + one.upper)


@pytest.mark.parametrize(("end", "half_width"), [("upper", 9), ("lower", 10)])
def test_a_confidence_that_is_right_to_two_hundred_digits_is_settled(end, half_width):
    power, one = (Rate.of("1/3").power(t, 200) for t in (10, 1))
    tail = 2 * power.upper / (1 + one.lower) if end == "upper" else 2 * power.lower / (1 + one.upper)
    assert m.count_interval(0, "1/3", confidence=1 - tail).half_width == half_width


def test_an_epsilon_below_the_least_is_refused_with_its_size():
    with pytest.raises(ValueError) as caught:
        m.count_interval(0, Fraction(1, 10**301))
    assert str(caught.value) == "epsilon / sensitivity must be at least 10^-300, got about 1E-301"
