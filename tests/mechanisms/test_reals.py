"""Noise on numbers: Laplace noise in floats and the attack on them, and snapped Laplace noise."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fdpedu.mechanisms as m
from fdpedu.claims.mechanisms import reals as topic
from fdpedu.exact import exp_enclosure
from fdpedu.mechanisms import reals, snapped_laplace_pmf
from fdpedu.randomness import Rehearsal, ReplayedWords, ZeroWords
from tests.support.both_ends import both_ends
from tests.support.truths import snapped


@pytest.mark.claim("float-laplace-as-coded")
def test_the_attack_knows_numpy_bit_for_bit():
    """The formula under attack is NumPy's own: 20,000 draws and their uniform numbers agree in every bit."""
    for value, scale in ((0.0, 1.0), (1.0, 3.7), (-250.0, 0.01)):
        generator, other = np.random.default_rng(9), np.random.default_rng(9)
        drawn, uniform = generator.laplace(value, scale, 20_000), other.random(20_000)
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
    topic.snapped_sampler(value, 1, Fraction(grid), sensitivity=1, words=3)
    v, g = float(Fraction(str(value))), float(Fraction(grid))

    def below(x):
        return 0.5 * math.exp(x - v) if x < v else 1 - 0.5 * math.exp(v - x)

    for k in range(-8, 9):
        ideal = below((k + 0.5) * g) - below((k - 0.5) * g)
        assert float(m.snapped_laplace_pmf(k, value, 1, grid=grid)) == pytest.approx(ideal, rel=1e-9) and ideal > 0


scales, ninths = st.floats(0.01, 100), st.fractions(Fraction(1, 9), 4)


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


def test_an_attack_gives_up_after_ten_thousand_outputs_and_not_before(monkeypatch):
    """Each output takes one word, and the last that may tell is the ten-thousandth."""
    seen = []
    monkeypatch.setattr(reals, "reachable", lambda output, value, scale: seen.append(output) or True)
    with pytest.raises(ValueError, match="outputs"):
        m.outputs_needed(1, 0.0, 1.0, Rehearsal(1))
    assert len(seen) == len(set(seen)) == 10_000
    outputs = iter(range(10_000))
    monkeypatch.setattr(reals, "reachable", lambda output, value, scale: next(outputs) < 9_999)
    assert m.outputs_needed(1, 0.0, 1.0, Rehearsal(1)) == 10_000


class Counted(ReplayedWords):
    """Words that count how many were taken."""

    taken = 0

    def words(self, n):
        self.taken += n
        return super().words(n)


def test_an_attack_takes_a_word_for_each_output():
    needed = m.outputs_needed(1, 0.0, 1.0, Rehearsal(3))
    source = Counted(Rehearsal(3).words(50).tolist())
    assert m.outputs_needed(1, 0.0, 1.0, source) == needed == source.taken


def test_the_nearest_point_of_a_grid_takes_one_word():
    """How far it is beyond the next point is asked only where the draw is beyond it."""
    source = Counted([0, 0, 0])
    assert m.snapped_laplace(3, 1, source, grid=2) == 4 and source.taken == 1
    source = Counted([2**64 - 1, 0, 0])
    assert m.snapped_laplace(3, 1, source, grid=2) != 4 and source.taken > 1


def test_what_is_snapped_is_named_when_it_is_no_number():
    with pytest.raises(ValueError, match="value"):
        m.snapped_laplace("x", 1, grid=1)


TENTHS = st.fractions(Fraction(1, 10), 4, max_denominator=20)


@given(TENTHS, TENTHS, st.fractions(-2, 2, max_denominator=9), st.sampled_from([8, 64, 300, 900]))
def test_the_side_of_a_snapped_draw_is_known_to_the_last_bit(rate, grid, value, bits):
    """Any number of bits of its distribution function: right, within two units, and 1 at the last of three."""
    centre = round(value / grid)
    law = reals._side_law(rate, grid, value - centre * grid)
    lower, upper = law.bounds(law.terms, bits)
    edges = [(centre + half) * grid - value for half in (Fraction(1, 2), Fraction(-1, 2))]
    right, left = (exp_enclosure(-rate * abs(edge), bits) for edge in edges)
    exact = [1 - right.lower / 2 - left.lower / 2, 1 - left.lower / 2, Fraction(1)]
    assert (law.terms, law.last, len(lower), len(upper)) == (3, 2, 3, 3)
    for low, high, truth in zip(lower, upper, exact, strict=True):
        assert low - 1 <= truth * 2**bits <= high + 1 and high - low <= 2 and 0 <= low <= high <= 2**bits
    assert lower[-1] == upper[-1] == 2**bits


def test_past_the_largest_float_lies_infinity():
    """Where the noise of a float leads beyond all floats, the sum is infinite, without a warning."""
    for noisy in (lambda rng: m.gaussian(1.7e308, 1.7e308, rng), lambda rng: m.laplace(1.7e308, "1e-308", rng)):
        sums = [float(noisy(Rehearsal(seed))) for seed in range(20)]
        assert np.inf in sums and min(sums) < 1.7e308
    assert m.laplace_logpdf(0, "1e-308") == pytest.approx(-math.log(2) - math.log(1e308))


@pytest.mark.parametrize(
    ("k", "value", "e", "grid"),
    [(0, 0, 1, 2), (3, "1/3", "1/2", "1/4"), (-9, "5/2", 2, 1), (0, "1/2", "1/10", 1), (200, 3, 1, 1)],
)
def test_both_ends_of_a_snapped_probability(k, value, e, grid):
    both_ends(lambda: snapped_laplace_pmf(k, value, e, grid=grid), lambda: snapped(k, value, e, grid), 35)
