"""Rounding first: values and their moves on a lattice."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.dlpa import real_values as topic
from fdpedu.dlpa import lattice_sensitivity, on_lattice, polya_shares
from fdpedu.randomness import ZeroWords


@pytest.mark.claim("thm-lattice-first")
@settings(max_examples=60, deadline=None)
@given(st.lists(st.fractions(-9, 9, max_denominator=30), max_size=4), st.integers(1, 40))
def test_a_lower_bound_stays_one(values, lattice):
    for value in values:
        topic.floors(value, lattice)
    gap = sum(values) - Fraction(int(on_lattice(values, lattice).sum()), lattice)
    assert 0 <= gap and (gap < Fraction(len(values), lattice) or not values)


@pytest.mark.claim("thm-lattice-first")
@settings(max_examples=60, deadline=None)
@given(st.fractions(-9, 9, max_denominator=30), st.fractions(0, 2, max_denominator=9), st.integers(1, 40))
def test_no_move_is_larger_than_stated(value, move, lattice):
    low, high = on_lattice([value, value + move], lattice).tolist()
    assert 0 <= high - low <= (lattice_sensitivity(move, lattice) if move else 0)


def test_impurities_of_a_party_on_the_lattice():
    """n·G of 3 and 1 records is 3/4; a record of either class moves it by less than 1, on the lattice by at most m."""
    from fdpedu.cart import exact_scaled_half_gini

    counts = [[a, b] for a in range(6) for b in range(6)]
    z = dict(zip(map(tuple, counts), on_lattice(map(exact_scaled_half_gini, counts), 100).tolist(), strict=True))
    assert z[3, 1] == 75
    moves = [z[a + i, b + 1 - i] - z[a, b] for a in range(5) for b in range(5) for i in (0, 1)]
    assert 0 <= min(moves) and max(moves) <= lattice_sensitivity(1, 100)
    assert polya_shares(2, 1, 3, ZeroWords(), sensitivity=lattice_sensitivity(1, 100)).shape == (2, 3)
