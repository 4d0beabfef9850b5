"""Walks and tables on grids as coarse as can be, where a rounding of one unit would show."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import LossDistribution, compose_optimal, optimal_delta
from fdpedu.accounting.lattice import LossLattice, decay, delta_at, epsilon_at, logarithm
from fdpedu.accounting.loss import UNIT, _from_tails, _Law, _product
from fdpedu.accounting.normal import normal_tail
from fdpedu.exact import exp_enclosure

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


def test_a_decay_beyond_all_use_and_a_logarithm_close_to_zero():
    """e^{−x} for x > 5000 is between 0 and e^{−5000}; ln x next to 1 is as sharp as x is close."""
    for x in (5001, 10**9):
        found = decay(Fraction(x))
        assert found.lower == 0 and exp_enclosure(Fraction(-5001)).upper < found.upper
        assert found.upper <= exp_enclosure(Fraction(-5000), 80).upper
    assert decay(Fraction(5000)).lower > 0
    for sign in (1, -1):
        x = sign * Fraction(1, 10**50)
        found = logarithm(1 + x)
        assert found.lower <= x - x**2 / 2 + abs(x) ** 3 and x - x**2 / 2 - abs(x) ** 3 <= found.upper
        assert 0 < found.upper - found.lower < Fraction(2, 10**100)
    assert logarithm(Fraction(1)).lower == logarithm(Fraction(1)).upper == 0


def test_normal_tails_far_out():
    """Beyond 20 deviations a tail is below 10⁻⁸⁰, and e^{−z²/2}/z√(2π) is above it; at 20 it is still a series."""
    for z in (Fraction(201, 10), Fraction(50)):
        found = normal_tail(z)
        assert 0 == found.lower <= math.exp(-(float(z) ** 2) / 2) < found.upper <= Fraction(1, 10**80)
        assert normal_tail(-z).upper == 1 and normal_tail(-z).lower == 1 - found.upper
    assert 0 <= normal_tail(Fraction(20)).lower and normal_tail(Fraction(20)).upper < Fraction(1, 10**35)


# Tables


def tail_at(law, i):
    return law.infinite + sum(mass for j, mass in enumerate(law.masses) if law.first + j >= i)


@given(st.lists(st.sampled_from([0, 1, 9999, 10**4, 10**4 + 1, 10**9]), min_size=1, max_size=8), st.integers(-9, 9))
def test_a_table_is_cut_where_next_to_nothing_is_lost(masses, first):
    """Upwards every tail is at least what it was, downwards at most, and by no more than 10⁴ units; no more is kept."""
    tails = [sum(masses[i:]) for i in range(len(masses) + 1)]
    for up in (True, False):
        law = _from_tails(first, tails, up)
        for i, tail in enumerate(tails[:-1]):
            change = tail_at(law, first + i) - tail
            assert 0 <= change <= 10**4 if up else -(10**4) <= change <= 0
        total = sum(law.masses) + law.infinite
        assert total == tails[0] if up else total <= tails[0] <= total + 10**4
        start, stop = law.first - first, law.first - first + len(law.masses)
        assert 0 <= start < stop <= len(masses) and all(mass >= 0 for mass in law.masses)
        assert stop - start == 1 or (tails[0] - tails[start + 1] > 10**4 and tails[stop - 1] > 10**4)
        assert law.infinite == (tails[stop] if up else 0)


@given(*[st.lists(st.sampled_from([0, 1, 7, UNIT // 3, UNIT]), min_size=1, max_size=5)] * 2)
def test_a_product_of_tables_is_that_of_polynomials(a, b):
    found = [sum(a[i] * b[k - i] for i in range(len(a)) if 0 <= k - i < len(b)) for k in range(len(a) + len(b) - 1)]
    assert _product(a, b) == found


@pytest.mark.parametrize("k", range(1, 10))
def test_any_number_of_releases_is_their_sequence(k):
    """One after another or by squaring: on a grid that fits, the same table."""
    coin = LossDistribution.randomised_response("1/2", step="1/2")
    sequence = coin
    for _ in range(k - 1):
        sequence = sequence.then(coin)
    for found in (coin.compose(k), sequence):
        assert abs(found.epsilon("1/100").upper - compose_optimal("1/2", k, "1/100").upper) < Fraction(1, 10**20)
        assert abs(found.delta(0).lower - sequence.delta(0).lower) < Fraction(1, 10**25)


@settings(deadline=None)
@given(st.fractions(Fraction(1, 9), 3, max_denominator=9), st.integers(1, 12))
def test_a_laplace_loss_between_two_points_goes_up_or_down(epsilon, parts):
    """Upwards the tail at a point is Pr[L > the point before], downwards Pr[L ≥ the point]: ½ at ε, and 0 beyond."""
    table = LossDistribution.laplace(epsilon, step=epsilon / parts)

    def at_least(x):
        return Fraction(int(x <= -epsilon)) if abs(x) > epsilon or x == -epsilon else 1 - power(epsilon - x) / 2

    def above(x):
        return Fraction(int(x < -epsilon)) if x >= epsilon or x < -epsilon else 1 - power(epsilon - x) / 2

    def power(twice):
        return exp_enclosure(-twice / 2, 60).upper

    for i in range(-parts, parts + 2):
        x = i * table.step
        assert abs(Fraction(tail_at(table.optimistic, i), UNIT) - at_least(x)) < Fraction(2, UNIT)
        assert abs(Fraction(tail_at(table.pessimistic, i), UNIT) - above(x - table.step)) < Fraction(2, UNIT)


@settings(max_examples=25, deadline=None)
@given(st.integers(60, 1200), st.fractions(Fraction(9, 10), Fraction(99, 100), max_denominator=100))
def test_a_very_small_delta_has_twenty_digits(k, share):
    """Of k releases of ε = 1 nearly all against one: a δ down to 10⁻³⁰⁰ is known to 20 digits, relative to itself."""
    found = optimal_delta(1, k, share * k)
    assert 0 < found.upper - found.lower < found.lower / 10**20


@settings(deadline=None)
@given(st.fractions(Fraction(1, 9), 3, max_denominator=9), st.integers(1, 4), st.integers(1, 5))
def test_the_masses_of_a_noisy_sum_are_those_of_its_loss(epsilon, sensitivity, parts):
    """L is (Δ − 2j)·ε/Δ with mass 1/(1+α), then (1−α)α^j/(1+α), and α^Δ/(1+α) at −ε; on any finer grid too."""
    step = 2 * epsilon / sensitivity / parts
    table = LossDistribution.discrete_laplace(epsilon, sensitivity, step=step / 2)
    alpha = exp_enclosure(-epsilon / sensitivity, 60).upper
    masses = [1 / (1 + alpha), *((1 - alpha) * alpha**j / (1 + alpha) for j in range(1, sensitivity))]
    masses.append(1 - sum(masses))
    for law in (table.pessimistic, table.optimistic):
        assert isinstance(law, _Law) and law.infinite == 0
        held = {(law.first + i) * table.step: mass for i, mass in enumerate(law.masses) if mass > 1}
        stated = {(sensitivity - 2 * j) * epsilon / sensitivity: mass for j, mass in enumerate(masses)}
        assert held.keys() == stated.keys()
        assert all(abs(Fraction(held[loss], UNIT) - mass) < Fraction(3, UNIT) for loss, mass in stated.items())
