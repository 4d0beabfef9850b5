"""Far out: tails that are told apart by sixty digits more than they have, and a δ that is nothing to a float."""

import math
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import fdpedu.mechanisms as m


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


@pytest.mark.parametrize("sigma", ["1/1000", "1/10", 1, 10, "15404.93719470559", 10**8, 10**12])
@pytest.mark.parametrize("epsilon", [0, "1/10000000000", 1, 40, 5000, "9596228.393430483", 10**9, 10**14])
def test_a_gaussian_delta_is_from_nothing_to_one(epsilon, sigma):
    """Whatever the floats on the way: no error, no negative number, and no minus before a zero."""
    delta = m.gaussian_delta(epsilon, sigma)
    assert 0 <= delta <= 1 and math.copysign(1, delta) == 1


def test_a_gaussian_delta_where_two_floats_are_one_is_nothing():
    """For small sensitivities and larger ε both terms are the same float, and so is each of its neighbours."""
    deltas = [m.gaussian_delta(f"{k}/7", 10**9) for k in range(1, 400)]
    assert {str(delta) for delta in deltas} == {"0.0"}
