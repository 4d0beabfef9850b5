"""Losses that are equally spaced: δ and ε against the definition, on grids where a rounding of one unit shows."""

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting.lattice import LossLattice, decay, delta_at, epsilon_at, logarithm
from fdpedu.exact import exp_enclosure, log_enclosure
from fdpedu.privacy import hockey_stick


def by_outcomes(alpha, k):
    """The laws of k coins (1, α)/(1+α) and (α, 1)/(1+α), outcome by outcome: no binomial coefficient, no order."""
    p, q = (Fraction(1), alpha), (alpha, Fraction(1))
    return [
        {word: math.prod(coin[bit] for bit in word) / (1 + alpha) ** k for word in itertools.product((0, 1), repeat=k)}
        for coin in (p, q)
    ]


@settings(max_examples=40, deadline=None)
@given(st.fractions(Fraction(1, 9), Fraction(8, 9), max_denominator=9), st.integers(1, 7), st.integers(0, 8))
def test_the_lattice_s_hockey_stick_is_that_of_the_definition(alpha, k, twice):
    """For rational α everything is exact: Σ max(0, p − e^{ε'}q) over 2^k outcomes, at ε' = j·ε."""
    p, q = by_outcomes(alpha, k)
    step = -2 * log_enclosure(alpha, 80).upper  # the grid's unit 2ε, as a fraction within 10⁻⁸⁰
    scale = (alpha.numerator + alpha.denominator) ** k << 300
    masses = [math.comb(k, i) * alpha.numerator**i * alpha.denominator ** (k - i) for i in range(k + 1)]
    lattice = LossLattice(k * step / 2, step, scale, [(m << 300, m << 300) for m in masses])
    j = min(twice, k)
    found = delta_at(lattice, j * step / 2)
    exact = hockey_stick(p, q, alpha**-j)
    assert abs(found.upper - exact) < Fraction(1, 10**70) and found.upper - found.lower < Fraction(1, 10**70)


def test_a_loss_that_may_be_infinite_has_no_epsilon():
    assert epsilon_at(LossLattice(Fraction(1), Fraction(1), 10, [(9, 9)], (1, 1)), Fraction(1, 20)) is None
    assert epsilon_at(LossLattice(Fraction(1), Fraction(1), 10, [(9, 9)], (1, 1)), Fraction(1, 10)).upper == 1


SCALE, LITTLE = 20, Fraction(1, 10**30)


@st.composite
def coarse(draw):
    """A loss in units of 1/20, known to a unit or two, and masses that it may really have."""
    true = draw(st.lists(st.integers(0, 6), min_size=1, max_size=6))
    slack = [(draw(st.integers(0, 1)), draw(st.integers(0, 1))) for _ in (*true, 0)]
    infinite = draw(st.integers(0, 2))
    masses = [(max(0, m - a), m + b) for m, (a, b) in zip(true, slack[1:], strict=True)]
    beyond = (max(0, infinite - slack[0][0]), infinite + slack[0][1])
    step, top = draw(st.sampled_from([Fraction(1, 3), Fraction(1), Fraction(2)])), draw(st.integers(-1, 4))
    lattice = LossLattice(top * step, step, SCALE, masses, beyond)
    return lattice, true, infinite


def true_delta(lattice, true, infinite, epsilon):
    """E[(1 − e^{ε−L})₊], term by term."""
    total = Fraction(infinite, SCALE)
    for i, mass in enumerate(true):
        loss = lattice.top - i * lattice.step
        if loss > epsilon:
            total += Fraction(mass, SCALE) * (1 - exp_enclosure(epsilon - loss, 60).upper)
    return total


def sharp(lattice, true, infinite):
    """The same loss with its true masses, in units so small that no rounding shows."""
    masses = [(mass << 200, mass << 200) for mass in true]
    return LossLattice(lattice.top, lattice.step, SCALE << 200, masses, (infinite << 200, infinite << 200))


@settings(deadline=None)
@given(coarse(), st.fractions(0, 5, max_denominator=6))
def test_delta_of_a_coarse_loss_is_enclosed(case, epsilon):
    """Whatever the masses are between their ends; and where the ends meet, to 60 digits."""
    lattice, *_ = case
    found, exact = delta_at(lattice, epsilon), min(Fraction(1), true_delta(*case, epsilon))
    assert found.lower <= exact + LITTLE and exact <= found.upper + LITTLE
    found = delta_at(sharp(*case), epsilon)
    assert abs(found.lower - exact) < LITTLE and abs(found.upper - exact) < LITTLE


@settings(deadline=None)
@given(coarse(), st.fractions(0, 1, max_denominator=60))
def test_epsilon_of_a_coarse_loss_is_enclosed(case, delta):
    """At the upper end δ suffices, below the lower end it does not; and where the masses are known, to 30 digits."""
    lattice, true, infinite = case
    found = epsilon_at(lattice, delta)
    if found is None:
        assert lattice.beyond[1] > delta * SCALE
        return
    assert 0 <= found.lower <= found.upper
    assert true_delta(*case, found.upper) <= delta + LITTLE
    assert found.lower == 0 or true_delta(*case, found.lower) >= delta - LITTLE
    found = epsilon_at(sharp(*case), delta)
    assert true_delta(*case, found.upper) <= delta + LITTLE
    if true[0] and delta != Fraction(infinite, SCALE):
        assert found.upper - found.lower < LITTLE
        assert found.lower == 0 or abs(true_delta(*case, found.lower) - delta) < LITTLE
        assert found.lower > 0 or true_delta(*case, Fraction(0)) <= delta


def test_a_decay_beyond_all_use_and_a_logarithm_of_one():
    """e^{−x} for x > 5000 is between 0 and e^{−5000}; ln 1 is 0."""
    for x in (5001, 10**9):
        found = decay(Fraction(x))
        assert found.lower == 0 and exp_enclosure(Fraction(-5001)).upper < found.upper
        assert found.upper <= exp_enclosure(Fraction(-5000), 80).upper
    assert decay(Fraction(5000)).lower > 0
    assert logarithm(Fraction(1)).lower == logarithm(Fraction(1)).upper == 0


@pytest.mark.parametrize("n", [41, 50, 90, 200, 1000])
def test_a_logarithm_next_to_one_has_twice_the_digits(n):
    """ln(1 ± 10⁻ⁿ) to 2n − 1 places, by 1 − 1/x ≤ ln x ≤ x − 1."""
    for x in (Fraction(1, 10**n), -Fraction(1, 10**n)):
        found = logarithm(1 + x)
        assert found.lower <= x - x**2 / 2 + abs(x) ** 3 and x - x**2 / 2 - abs(x) ** 3 <= found.upper
        assert 0 < found.upper - found.lower < Fraction(2, 10 ** (2 * n))


@given(st.integers(1, 20), st.fractions(Fraction(1, 9), 3, max_denominator=9), st.fractions(0, 2, max_denominator=9))
def test_one_mass_that_is_known_gives_one_number(mass, loss, epsilon):
    """δ = m·(1 − e^{ε−L}), although the scale is as coarse as can be."""
    found = delta_at(LossLattice(loss, Fraction(1), 20, [(mass, mass)]), epsilon)
    truth = max(Fraction(0), Fraction(mass, 20) * (1 - exp_enclosure(epsilon - loss, 80).upper))
    assert abs(found.lower - truth) < Fraction(1, 10**60) and abs(found.upper - truth) < Fraction(1, 10**60)


@given(st.integers(1, 20), st.fractions(Fraction(1, 9), 3, max_denominator=9), st.fractions(0, 1, max_denominator=60))
def test_one_mass_that_is_known_has_one_epsilon(mass, top, delta):
    """m·(1 − e^{ε−L}) = δ."""
    found, rest = epsilon_at(LossLattice(top, Fraction(1), 20, [(mass, mass)]), delta), 1 - 20 * delta / mass
    truth = max(Fraction(0), top + log_enclosure(rest, 80).lower) if rest > 0 else Fraction(0)
    assert abs(found.upper - truth) < Fraction(1, 10**50) and abs(found.lower - truth) < Fraction(1, 10**50)


def test_masses_that_are_known_roughly_make_no_more_than_one():
    found = delta_at(LossLattice(Fraction(90), Fraction(1), 20, [(15, 16), (15, 16)], (1, 2)), Fraction(0))
    assert found.lower == found.upper == 1
