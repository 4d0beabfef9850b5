"""Noise on counts: the shipped sampler has the law that stands beside it, it is private, intervals are the smallest."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import fdpedu.mechanisms as m
from fdpedu.claims.frequencies import require_frequencies
from fdpedu.claims.mechanisms import discrete_laplace as topic
from fdpedu.claims.noisy_counts import clamped_law, worst_ratio
from fdpedu.claims.replay import require_law
from fdpedu.claims.strategies import alphas
from fdpedu.exact import Enclosure, Rate
from fdpedu.mechanisms import count_interval, discrete_laplace_pmf, discrete_laplace_tail
from fdpedu.mechanisms import weights as weighing
from fdpedu.mechanisms.weights import Weights
from fdpedu.randomness import Rehearsal, ReplayedWords, SeededSource
from fdpedu.sources.vos import equation_4_as_printed
from tests.support.both_ends import both_ends
from tests.support.mechanisms import halves, slow
from tests.support.truths import exp


@pytest.mark.claim("thm-discrete-laplace")
@slow
@given(halves, st.integers(-3, 3))
def test_discrete_laplace_from_replayed_bits(alpha, value):
    """The alias table and the rational coins both have the stated topic."""
    topic.replayed(value, {"alpha": alpha}, 3)
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
    """A broken variant, noise of half the scale (α² for α), exceeds the claimed ratio on the smallest pair, 0 and 1."""
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


@pytest.mark.parametrize("mechanism", [m.discrete_laplace, m.discrete_gaussian])
def test_one_integer_is_released_as_in_an_array(mechanism):
    """Of any type: 7 and [7] get the same noise from the same words, and an integer gives an integer."""
    for seed in range(9):
        (expected,) = mechanism([7], "1/50", Rehearsal(seed)).tolist()
        for value in (7, np.int64(7), np.uint8(7)):
            found = mechanism(value, "1/50", Rehearsal(seed))
            assert type(found) is int and found == expected
        assert isinstance(mechanism(np.array(7), "1/50", Rehearsal(seed)), np.integer | np.ndarray)


ALL_ONES = 2**64 - 1


@pytest.mark.parametrize("heads", range(4))
def test_rational_coins_are_counted(heads):
    """With a rational α: as many as show heads before the first tails; then the sign."""
    words = [*[ALL_ONES] * heads, 0]
    assert m.slow_discrete_laplace(7, rng=ReplayedWords([*words, 0]), alpha="1/2") == 7 + heads
    if heads:
        assert m.slow_discrete_laplace(7, rng=ReplayedWords([*words, ALL_ONES]), alpha="1/2") == 7 - heads


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


@given(st.fractions(Fraction(1, 9), Fraction(99, 100)), st.integers(0, 150))
@example(Fraction(9, 10), 63)
@example(Fraction(9, 10), 64)
@example(Fraction(9, 10), 65)
def test_a_hair_of_the_tail_is_one_more_on_either_side(alpha, half):
    """What an interval covers exactly is its own; a tail that is 10⁻⁶⁰ of itself smaller is not, a larger one is."""
    tail = m.discrete_laplace_tail(half, alpha=alpha)
    hair = tail / 10**60
    widths = [m.count_interval(0, alpha=alpha, confidence=1 - tail + each).half_width for each in (-hair, 0, hair)]
    assert widths == [half, half, half + 1]


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
    at = [equation_4_as_printed(j, epsilon) for j in (0, k, -k, abs(k) + 1)]
    assert at[0] * (1 + epsilon) == 1 - epsilon and at[1] == at[2] and at[3] == at[1] * epsilon


@pytest.mark.parametrize("most", [2**50, 2**52 - 1, 2**52, 2**52 + 1, 2**60])
def test_noise_that_does_not_fit_64_bits_is_made_of_integers_of_python(most, monkeypatch):
    """A lower digit and 1,023 times the upper one, whatever that one is."""
    low, high = np.arange(6), np.array([0, 1, 2, 3, 4, most])
    monkeypatch.setattr(weighing, "low_digits", lambda rate, size, source: (low, 1023))
    monkeypatch.setattr(weighing, "sample", lambda law, size, source: high)
    noise = Weights([1, 2], "1/100", None, 1, False).noise(3, Rehearsal(1))
    assert noise.shape == (3, 2)
    assert noise.ravel().tolist() == [a + 1023 * b for a, b in zip(low.tolist(), high.tolist(), strict=True)]
    assert noise.dtype == (np.int64 if most < 2**62 // 1023 else object)


F = Fraction


@pytest.mark.parametrize(("e", "s", "k"), [("1/100", 1, 0), ("1/2", 3, -7), (4, 1, 5), ("1/100", 1, 2**19)])
def test_both_ends_of_discrete_laplace(e, s, k):
    """The probability of a value, and that of its tail."""
    a = F(e) / s
    both_ends(
        lambda: discrete_laplace_pmf(k, e, sensitivity=s), lambda: (1 - exp(-a)) / (1 + exp(-a)) * exp(-a * abs(k)), 35
    )
    both_ends(
        lambda: discrete_laplace_tail(abs(k), e, sensitivity=s),
        lambda: 2 * exp(-a * (abs(k) + 1)) / (1 + exp(-a)),
        35,
    )


@settings(max_examples=max(20, settings().max_examples // 2), deadline=None)
@given(st.fractions(F(1, 50), 3, max_denominator=50), st.integers(65, 2000))
def test_both_ends_of_tail_of_any_budget(e, k):
    both_ends(lambda: discrete_laplace_tail(k, e), lambda: 2 * exp(-(k + 1) * e) / (1 + exp(-e)), 35)


@pytest.mark.parametrize(("e", "simultaneous"), [("1/3", 1), ("1/50", 7)])
def test_the_coverage_of_an_interval(e, simultaneous):
    """1 − the tail: both ends, and not less than was asked for."""
    found = count_interval(40, e, confidence="0.99", simultaneous=simultaneous)
    both_ends(lambda: found.coverage, lambda: 1 - 2 * exp(-F(e) * (found.half_width + 1)) / (1 + exp(-F(e))), 30)
    assert found.coverage.lower >= F(99, 100)
