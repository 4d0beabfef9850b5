"""Windows, brackets and walks: what is left out is bounded as it is said, and no end is off by a unit."""

from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fdpedu.accounting import (
    compose_optimal,
    gaussian_to_zcdp,
    optimal_delta,
    rdp_gaussian,
    rdp_laplace,
    rdp_to_epsilon,
    zcdp_to_delta,
    zcdp_to_epsilon,
)
from fdpedu.accounting.composition import _losses, _series
from fdpedu.accounting.concentrated import _phi, _psi, _root
from fdpedu.accounting.lattice import LossLattice, decay, delta_at, logarithm
from fdpedu.accounting.worked.by_hand import columns_in_parallel, theorem_6
from fdpedu.accounting.worked.columns import _at_most
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import exp_enclosure, log_enclosure


def tossed(epsilon, k):
    """The masses a_i, to 150 digits: each from the one before it, and divided by their sum."""
    ratio, weights = int(exp_enclosure(-epsilon, 250).lower * 2**800), [2**800]
    for i in range(k):
        weights.append((weights[-1] * ratio >> 800) * (k - i) // (i + 1))
    return [Fraction(weight, sum(weights)) for weight in weights]


@settings(max_examples=10, deadline=None)
@given(st.fractions(Fraction(1, 99), 2, max_denominator=99), st.integers(1, 400), st.integers(1, 30))
@example(Fraction(1, 99), 300, 6)  # what is left out is many times a unit of the last place, on both sides
@example(Fraction(1, 3), 400, 12)
@example(Fraction(1, 99), 40, 30)  # nothing is left out, and only roundings are between the ends
@example(Fraction(2), 400, 3)
def test_a_window_on_k_tosses_holds_their_masses_and_bounds_the_rest(epsilon, k, bits):
    """a_i = C(k, i)·r^i/(1 + r)^k; before and after the window a geometric series, after it as part of the last."""
    lattice, masses = _losses(epsilon, k, bits), tossed(epsilon, k)
    r, ends = exp_enclosure(-epsilon, 150).upper, list(lattice.masses)
    start = (k * epsilon - lattice.top) / (2 * epsilon)
    assert lattice.step == 2 * epsilon and start.denominator == 1
    start, stop = int(start), int(start) + len(ends) - 1
    assert 0 <= start <= stop <= k
    low, high = ([Fraction(end[side], lattice.scale) for end in ends] for side in (0, 1))
    slack, units, spare = 1 + Fraction(2, 2**bits * 1000), Fraction(2**32, lattice.scale), Fraction(1, 10**100)
    known, after = sum(masses[start : stop + 1]), sum(masses[stop + 1 :])
    for i, (least, most) in enumerate(zip(low[:-1], high[:-1], strict=True), start):
        assert least <= masses[i] + spare and masses[i] <= most + spare
        assert most <= masses[i] / known * slack + units
    assert low[-1] <= masses[stop] + spare and masses[stop] + after <= high[-1] + spare
    before_q, after_q = start / (r * (k - start + 1)), r * (k - stop) / (stop + 1)
    assert high[-1] <= masses[stop] * (1 + after_q / (1 - after_q)) / known * slack + units
    assert lattice.beyond[0] == 0 and sum(masses[:start]) <= Fraction(lattice.beyond[1], lattice.scale) + spare
    before = masses[start] * before_q / (1 - before_q) / known
    assert Fraction(lattice.beyond[1], lattice.scale) <= before * slack + units
    rest = before + masses[stop] * after_q / (1 - after_q)
    assert all(least >= masses[i] / ((1 + rest) * slack) - units for i, least in enumerate(low, start))


def test_a_series_that_does_not_fall_has_no_sum():
    for ratio in (1, Fraction(3, 2), 7):
        with pytest.raises(AssertionError, match="past the mode"):
            _series(1, Fraction(ratio))


@pytest.mark.parametrize("zeros", [3, 30, 42])
def test_a_delta_next_to_one_has_its_digits_too(zeros):
    """One release of ε = 100: δ = 1 − 10⁻ⁿ leaves 1 + e^{ε'} = 10⁻ⁿ·(1 + e^{100})."""
    found = compose_optimal(100, 1, 1 - Fraction(1, 10**zeros))
    odds = (1 + exp_enclosure(Fraction(100), 200).upper) / 10**zeros - 1
    truth = logarithm(odds, 100)
    assert found.lower <= truth.upper and truth.lower <= found.upper
    assert found.upper - found.lower < Fraction(100, 10**20)


@given(st.fractions(Fraction(1, 50), 3, max_denominator=50), st.integers(1, 50))
def test_at_the_sum_nothing_is_left(epsilon, k):
    found = optimal_delta(epsilon, k, k * epsilon)
    assert found.lower == found.upper == 0


@pytest.mark.parametrize("k", [120, 200, 400, 1100])
def test_a_delta_is_known_to_twenty_digits_however_small(k):
    """Of k releases of ε = 1 all but a few against one: δ from 10⁻²⁷ down to 10⁻³⁰⁰ and below."""
    for less in (1, 2, 7):
        found = optimal_delta(1, k, k - less)
        assert 0 < found.upper - found.lower < found.lower / 10**20


# Zero-concentrated privacy


def test_one_is_the_sensitivity_that_nobody_states():
    for sigma in (1, "1/3", 40):
        assert gaussian_to_zcdp(sigma) == gaussian_to_zcdp(sigma, 1) == gaussian_to_zcdp(sigma, 2) / 4


@pytest.mark.parametrize("rho", [1, 100, 1000])
def test_a_delta_is_a_probability(rho):
    found = zcdp_to_delta(rho, 0)
    assert Fraction(1, 2) < found.lower <= found.upper <= 1


@given(st.fractions(Fraction(1, 10**9), 10**9))
def test_a_root_is_known_to_a_unit(x):
    """From 1 on a unit is 10⁻⁶⁰."""
    found = _root(x)
    assert found.lower**2 <= x <= found.upper**2
    assert found.upper - found.lower <= Fraction(1, 10**60) * max(1, found.upper) * min(1, 2 * found.upper)


@pytest.mark.parametrize("u", [8, 12, 2**20, Fraction(1, 2**9), Fraction(3, 2**9)])
@pytest.mark.parametrize("rho", [Fraction(1, 1000), Fraction(1, 2), 3])
def test_a_curve_is_enclosed_where_the_search_meets_it(rho, u):
    """The ε of an order that is tried, to more digits than the search has: it cannot say on which side that lies."""
    middle = (_phi(Fraction(rho), Fraction(u)).lower + _phi(Fraction(rho), Fraction(u)).upper) / 2
    if 0 < middle <= 1000:
        found, truth = zcdp_to_delta(rho, middle), _psi(Fraction(rho), Fraction(u))
        assert found.lower <= decay(truth.lower).upper and decay(truth.upper).lower <= found.upper
        assert found.lower < found.upper <= 1


def test_the_search_goes_as_far_as_it_must():
    """δ so close to 1 that the order is 10⁻¹³⁰⁰ above 1."""
    found = zcdp_to_epsilon("1/2", 1 - Fraction(1, 10**1300))
    assert found.lower == found.upper == 0


# Losses that are equally spaced


@pytest.mark.parametrize("n", [41, 90, 200, 1000])
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


# Orders


@pytest.mark.parametrize("order", [2, "3/2", "11/10", 5, 64, "129/128", 7, 300])
def test_no_end_of_a_divergence_is_on_the_wrong_side(order):
    """ln(α/(2α−1)·e^{(α−1)ε} + (α−1)/(2α−1)·e^{−αε})/(α−1), to 400 digits."""
    a = Fraction(order)
    for epsilon in (Fraction(1, 3), Fraction(1), Fraction(7, 5), Fraction(1, 100)):
        found = rdp_laplace(order, epsilon)
        inside = a / (2 * a - 1) * exp_enclosure((a - 1) * epsilon, 400).lower
        inside += (a - 1) / (2 * a - 1) * exp_enclosure(-a * epsilon, 400).lower
        truth = log_enclosure(inside, 400).lower / (a - 1)
        assert found.lower < truth < found.upper


def test_a_gaussian_release_of_sensitivity_one_is_what_nobody_states():
    for order, sigma in ((2, 1), ("7/2", "1/3")):
        found = [rdp_gaussian(order, sigma, *more).lower for more in ((), (1,), (1, 1), (2,), (1, 4))]
        assert found[0] == found[1] == found[2] == found[3] / 4 == found[4] / 4


def test_the_least_order_is_a_billionth_above_one():
    step = Fraction(1, 10**9)
    assert rdp_gaussian(1 + step, 1).lower == (1 + step) / 2
    with pytest.raises(ValueError, match="order must be more than 1"):
        rdp_gaussian(1 + step * Fraction(999, 1000), 1)
    with pytest.raises(ValueError) as caught:
        rdp_to_epsilon(7, "1/2")
    assert str(caught.value) == "curve must be a function, got 7"


# By hand


def test_a_leaf_gets_its_share_and_no_more_unless_that_is_asked_for():
    """A leaf at once, where three splits were paid for."""
    domain = Domain([Numeric.grid("x", 0, 4, bins=4)], (0, 1))
    texts = [theorem_6(domain, None, epsilon=1, max_depth=3, **more).to_json() for more in UNSPENT]
    assert texts[0] == texts[1] != texts[2]


UNSPENT = ({}, {"unspent_to_leaf": False}, {"unspent_to_leaf": True})


def test_columns_in_parallel_are_of_their_domain():
    domain = Domain([Numeric.grid(name, 0, 4, bins=4) for name in "xy"], (0, 1))
    assert columns_in_parallel(domain, 1).domain is domain


@given(st.fractions(Fraction(1, 50), Fraction(49, 50)), st.integers(-30, 0))
def test_noise_below_a_number_is_a_sum_of_its_masses(alpha, t):
    """(1−α)/(1+α)·α^{−t} at t ≤ 0, and what is above 0 is as likely as what is below."""
    assert _at_most(t, alpha) - _at_most(t - 1, alpha) == (1 - alpha) / (1 + alpha) * alpha**-t
    assert _at_most(0, alpha) + _at_most(-1, alpha) == 1
