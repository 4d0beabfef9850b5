"""Distributions that are known within bounds: what a float can mean, sound verdicts, and tails that are kept."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.claims.noisy_counts import clamped_law
from fdpedu.claims.strategies import deltas, exp_epsilons
from fdpedu.exact import Enclosure, exp_enclosure
from fdpedu.mechanisms import (
    discrete_gaussian_pmf,
    discrete_laplace_pmf,
    exponential_pmf,
    permute_and_flip_pmf,
    randomised_response_pmf,
    report_noisy_max_pmf,
    snapped_laplace_pmf,
)
from fdpedu.privacy import check_dp, clamped, enclosed_law, hockey_stick, privacy_loss, rational_law
from tests.support.both_ends import both_ends
from tests.support.truths import ln

laws = st.lists(st.integers(0, 9), min_size=1, max_size=4).filter(any).map(rational_law)


@pytest.mark.claim("lem-enclosed-tables")
@given(laws, laws, st.fractions(0, 3, max_denominator=8), deltas)
def test_tables_without_width_are_decided_as_fractions_are(p, q, epsilon, delta):
    """In ε too: an enclosure of one number is that number."""
    points = [{y: Enclosure.exactly(mass) for y, mass in law.items()} for law in (p, q)]
    verdict = check_dp(*points, epsilon=epsilon, delta=delta)
    assert verdict.decided and verdict == check_dp(p, q, epsilon=epsilon, delta=delta)


@given(st.floats(1e-300, 1, exclude_max=True))
def test_a_float_is_read_as_all_that_it_can_mean(x):
    """The decimal that it prints as, its binary value, whatever is rounded to it, and a thousand roundings more."""
    read = enclosed_law([x, 1 - Fraction(x)])
    inside = Enclosure(read.lower[0], read.upper[0])
    step = Fraction(math.ulp(x))
    for meaning in (Fraction(repr(x)), Fraction(x), Fraction(x) - step / 2, Fraction(x) + 1000 * step):
        assert meaning in inside or meaning > 1
    assert read.floats and not read.exact and inside.upper - inside.lower < Fraction(x) / 10**11


@given(laws, laws, exp_epsilons, deltas)
def test_a_verdict_on_floats_is_that_of_the_fractions_behind_them(p, q, factor, delta):
    """Wherever it is one; and where it is none, the claim is closer to the truth than floats can tell."""
    floats = [{y: float(mass) for y, mass in law.items()} for law in (p, q)]
    verdict, truth = check_dp(*floats, factor, delta=delta), check_dp(p, q, factor, delta=delta)
    assert verdict.holds <= truth.holds and verdict.fails <= truth.fails
    worst = max(hockey_stick(a, b, factor) - delta for a, b in ((p, q), (q, p)))
    assert verdict.decided or abs(worst) < Fraction(1, 10**9)


def test_a_float_of_zero_may_be_too_small_a_number_and_an_integer_zero_is_none():
    assert not check_dp([0.5, 0.5, 0.0], [0.5, 0.5, 0.0], 2).decided
    assert check_dp([0.5, 0.5, 0], [0.5, 0.5, 0], 2)
    assert check_dp([0.5, 0.5, 0.0], [0.25, 0.25, 0.5], 100).fails
    assert check_dp([1.0, 5e-324], [1, 0], 10**9).decided is False


def test_numbers_of_all_kinds_may_stand_in_one_table():
    table = {"a": "1/4", "b": 0.25, "c": Decimal("0.25"), "d": Enclosure(Fraction(1, 5), Fraction(2, 5)), "e": 0}
    read = enclosed_law(table)
    assert list(read.upper) == ["a", "b", "c", "d"] and read.lower["a"] == read.upper["a"] == Fraction(1, 4)
    assert enclosed_law(read) is read and enclosed_law(np.array([0.5, 0.5])).floats
    assert enclosed_law([Enclosure(Fraction(-1, 9), Fraction(1, 9)), Enclosure(Fraction(8, 9), Fraction(2))]).lower == {
        0: 0,
        1: Fraction(8, 9),
    }
    assert enclosed_law([Enclosure(Fraction(1, 2), Fraction(2)), 0.5]).upper[0] == 1


# Every law of the library on two neighbours: within a little more than its ε, and not within a little less.
OWN = {
    "discrete_laplace_pmf": lambda n: clamped(lambda k: discrete_laplace_pmf(k - n, 1), 0, 4, centre=n),
    "snapped_laplace_pmf": lambda n: clamped(lambda k: snapped_laplace_pmf(k, n, 1, grid=1), 0, 4, centre=n),
    "randomised_response_pmf": lambda n: [randomised_response_pmf(k, n, 1, categories=3) for k in range(3)],
    "exponential_pmf": lambda n: exponential_pmf([10, 10 * n], 1, sensitivity=10, monotone=True),
    "permute_and_flip_pmf": lambda n: permute_and_flip_pmf([1, n], 1, monotone=True),
    "report_noisy_max_pmf": lambda n: report_noisy_max_pmf([1, n], 1, monotone=True),
}


@pytest.mark.parametrize("name", OWN)
def test_what_the_library_returns_can_be_checked(name):
    law = OWN[name]
    assert any(isinstance(p, Enclosure) for p in (law(1).values() if isinstance(law(1), dict) else law(1)))
    actual = check_dp(law(0), law(1), epsilon=1).actual_epsilon
    assert actual.upper - actual.lower < Fraction(1, 10**20) and actual.lower < 1 + Fraction(1, 10**20)
    more, less = (actual.upper + Fraction(1, 10**6), actual.lower - Fraction(1, 10**6))
    assert check_dp(law(0), law(1), epsilon=more) and check_dp(law(0), law(1), epsilon=less).fails


def test_gaussian_noise_is_checked_with_a_delta():
    """As its exact δ says: a little more of it holds, a little less fails."""
    laws = [clamped(lambda k, n=n: discrete_gaussian_pmf(k - n, "1/2"), -8, 9, centre=n) for n in (0, 1)]
    assert check_dp(*laws, epsilon=1, delta="0.142") and check_dp(*laws, epsilon=1, delta="0.141").fails


def test_a_loss_of_enclosures_encloses_the_loss():
    near = exp_enclosure(Fraction(-1), 40)
    both_ends(
        lambda: privacy_loss([near, 1 - near], [1 - near, near], 30),
        lambda: ln("1.71828182845904523536028747135266249775724709369995957496696763"),
        20,
    )
    assert privacy_loss([near, 1 - near], [1]) == math.inf


# --- clamped ----------------------------------------------------------------------------------------------------------

alphas = st.fractions(Fraction(1, 9), Fraction(8, 9), max_denominator=9)


@given(alphas, st.integers(-6, 6), st.integers(-6, 5), st.integers(1, 9))
def test_a_noisy_count_that_is_clamped_has_its_tails_on_the_end_points(alpha, centre, low, width):
    """As the geometric series say, wherever the window lies."""
    high = low + width
    law = clamped(lambda k: discrete_laplace_pmf(k - centre, alpha=alpha), low, high, centre=centre)
    assert list(law) == list(range(low, high + 1)) and sum(law.values()) == 1
    far = clamped_law(alpha, centre, min(low, centre) - 1, max(high, centre) + 1)
    expected = dict.fromkeys(range(low, high + 1), Fraction(0))
    for k, mass in far.items():
        expected[min(max(k, low), high)] += mass
    assert law == expected


@given(laws, laws, st.integers(-2, 3), st.integers(1, 4), exp_epsilons)
def test_a_table_that_is_clamped_is_no_further_apart(p, q, low, width, factor):
    one, other = clamped(p, low, low + width), clamped(q, low, low + width)
    assert sum(one.values()) == 1 and set(one) == set(other) == set(range(low, low + width + 1))
    assert hockey_stick(one, other, factor) <= hockey_stick(p, q, factor)


def test_half_a_centre_and_enclosures_and_floats_are_clamped():
    """Symmetric about a half; and the enclosed tails add up to what the formula says."""
    assert clamped(lambda k: Fraction(1, 4) if -1 <= k <= 2 else 0, 0, 1, centre="1/2") == {
        0: Fraction(1, 2),
        1: Fraction(1, 2),
    }
    law = clamped(lambda k: discrete_laplace_pmf(k, 1), -1, 2, centre=0)
    decay = exp_enclosure(Fraction(-1), 60)
    for k, truth in ((-1, decay / (1 + decay)), (2, decay * decay / (1 + decay))):
        assert law[k].lower <= truth.lower and truth.upper <= law[k].upper
        assert law[k].upper - law[k].lower < Fraction(1, 10**30)
    floats = clamped({0: 0.25, 5: 0.75}, 1, 2)
    assert [0.25 in floats[1], 0.75 in floats[2]] == [True, True]
