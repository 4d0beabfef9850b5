"""k releases of pure ε: the best δ and ε against the binomial sum, windows of masses and their rest."""

import math
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fdpedu.accounting import compose_optimal, optimal_delta, pure_to_zcdp, zcdp_to_epsilon, zcdp_to_epsilon_classical
from fdpedu.accounting.composition import _losses, _series
from fdpedu.accounting.lattice import logarithm
from fdpedu.claims.accounting import concentrated as orders
from fdpedu.exact import Enclosure, exp_enclosure

epsilons = st.fractions(Fraction(1, 50), 3, max_denominator=50)
small = st.integers(1, 12)


@settings(max_examples=60, deadline=None)
@given(epsilons, small, epsilons)
def test_optimal_delta_is_the_binomial_sum(epsilon, k, target):
    """The enclosure meets the sum of the docstring, term by term in 60 digits; and it is narrow."""
    found = optimal_delta(epsilon, k, target)
    total = Enclosure.exactly(Fraction(0))
    for i in range(k + 1):
        if (k - 2 * i) * epsilon > target:
            a, b = exp_enclosure((k - i) * epsilon, 80), exp_enclosure(target + i * epsilon, 80)
            total += Enclosure(math.comb(k, i) * (a.lower - b.upper), math.comb(k, i) * (a.upper - b.lower))
    one = exp_enclosure(epsilon, 80)
    low, high = total.lower / (1 + one.upper) ** k, total.upper / (1 + one.lower) ** k
    assert found.lower <= high and low <= found.upper and found.upper - found.lower < Fraction(1, 10**50)


deltas = st.sampled_from([Fraction(1, 10**15), Fraction(1, 10**6), Fraction(1, 100), Fraction(1, 3), Fraction(9, 10)])


@settings(max_examples=60, deadline=None)
@given(epsilons, st.integers(1, 300), deltas)
def test_the_two_are_inverse(epsilon, k, delta):
    """At the upper end δ suffices; a little below the lower end it does not; and basic composition is never beaten by
    it.
    """
    found = compose_optimal(epsilon, k, delta)
    assert 0 <= found.lower <= found.upper <= k * epsilon
    assert optimal_delta(epsilon, k, found.upper).lower <= delta
    assert optimal_delta(epsilon, k, found.upper + Fraction(1, 10**30)).upper <= delta
    if found.lower > 0:
        assert optimal_delta(epsilon, k, found.lower * (1 - Fraction(1, 10**20))).lower > delta * (
            1 - Fraction(1, 10**15)
        )
    assert compose_optimal(epsilon, k, 0) == Enclosure.exactly(k * epsilon)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (lambda: compose_optimal("1/4", 16, 1e-6), "3.98990"),
        (lambda: compose_optimal("1/10", 30, 1e-6), "2.34588"),
        (lambda: zcdp_to_epsilon("1/2", 1e-6), "5.2215"),
        (lambda: zcdp_to_epsilon_classical("1/2", 1e-6), "5.7565"),
    ],
)
def test_anchors(value, shown):
    assert str(float(value())).startswith(shown)


@pytest.mark.parametrize("delta", ["1e-15", "1e-6", "0.5"])
@pytest.mark.parametrize(("epsilon", "k"), [("1e-4", 10**5), (1, 10**5), (1000, 7), ("1e-4", 3), (50, 10**6)])
def test_extreme_parameters_have_narrow_answers(epsilon, k, delta):
    found = compose_optimal(epsilon, k, delta)
    assert found.upper - found.lower <= found.upper / 10**20


@settings(max_examples=40, deadline=None)
@given(epsilons, st.integers(1, 60), deltas)
def test_what_is_larger_is_larger(epsilon, k, delta):
    """optimal ≤ zCDP's tight ≤ zCDP's classical; more releases cost more; a larger δ costs less."""
    orders.many_coins(epsilon, k, delta)
    optimal, rho = compose_optimal(epsilon, k, delta), k * pure_to_zcdp(epsilon)
    assert zcdp_to_epsilon(rho, delta).lower <= zcdp_to_epsilon_classical(rho, delta).upper
    assert optimal.lower <= compose_optimal(epsilon, k + 1, delta).upper
    assert compose_optimal(epsilon, k, delta + Fraction(1, 20)).lower <= optimal.upper


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


@settings(max_examples=25, deadline=None)
@given(st.integers(60, 1200), st.fractions(Fraction(9, 10), Fraction(99, 100), max_denominator=100))
def test_a_very_small_delta_has_twenty_digits(k, share):
    """Of k releases of ε = 1 nearly all against one: a δ down to 10⁻³⁰⁰ is known to 20 digits, relative to itself."""
    found = optimal_delta(1, k, share * k)
    assert 0 < found.upper - found.lower < found.lower / 10**20
