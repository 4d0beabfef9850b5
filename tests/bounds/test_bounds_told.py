"""Which argument a refusal names, and what is meant where nothing is said."""

from fractions import Fraction

import pytest

from fdpedu.bounds import (
    LossScore,
    half_gini_score,
    impurity_gap,
    impurity_lower_bound,
    lattice_bound,
    least_score,
    local_bounds_of_rows,
    power_score,
    search_near_one,
)
from fdpedu.cart import local_best_impurity

NUMBER = "a finite number (an int, a Fraction, a decimal, or text like '1/3')"
FLOATS = "X must be finite numbers of 2 dimensions, got"
IN_BETWEEN = [[1, 0], [0, 1], [1, 0]]  # as bins 1/2 is left, as categories nothing


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: impurity_gap(None, []), "tables must be a list, got None"),
        (lambda: local_bounds_of_rows([1.0], [0]), f"{FLOATS} float64 of shape (1,)"),
        (lambda: local_bounds_of_rows([[[1.0]]], [0]), f"{FLOATS} float64 of shape (1, 1, 1)"),
        (lambda: local_bounds_of_rows([[None]], [0]), f"{FLOATS} object of shape (1, 1)"),
        (
            lambda: local_bounds_of_rows([[1.0]], [0.5]),
            "y must be integers within ±2**62; got float64 (round real data before the noise)",
        ),
        (lambda: LossScore(3), "losses must be a list, got 3"),
        (lambda: LossScore((3,)), "losses must be a list, got 3"),
        (lambda: power_score(3, 1), "counts must be a list, got 3"),
        (lambda: power_score([1, 2], None), f"k must be {NUMBER}, got None"),
        (lambda: half_gini_score(3), "counts must be a list, got 3"),
        (lambda: half_gini_score([None]), f"counts must be {NUMBER}, got None"),
        (lambda: least_score(3, max), "table must be a list, got 3"),
        (lambda: least_score([3], max), "table must be a list, got 3"),
        (lambda: search_near_one(None), f"goal must be {NUMBER}, got None"),
    ],
)
def test_refusals_name_what_was_given(call, message):
    with pytest.raises(ValueError) as refused:
        call()
    assert str(refused.value) == message


def test_codes_are_bins_unless_they_are_said_not_to_be():
    assert impurity_lower_bound([IN_BETWEEN]) == impurity_lower_bound([IN_BETWEEN], ordered=True) == Fraction(1, 2)
    assert lattice_bound(IN_BETWEEN, 2) == lattice_bound(IN_BETWEEN, 2, ordered=True) == 1
    assert local_best_impurity(IN_BETWEEN) == Fraction(1, 2)
    assert impurity_lower_bound([IN_BETWEEN], ordered=False) == lattice_bound(IN_BETWEEN, 2, ordered=False) == 0


def test_a_sum_over_no_parties_is_a_fraction():
    assert type(impurity_lower_bound([])) is Fraction


def test_a_search_is_among_two_bins_unless_told():
    assert [each.shape for each in search_near_one("1/2")[:2]] == [(2, 2), (2, 2)]


def test_rows_of_one_class():
    """The largest code is 0: there may be one class."""
    assert local_bounds_of_rows([[1.0], [2.0]], [0, 0], 1) == [0]


def test_counts_whose_sum_is_too_long_for_64_bits_are_refused():
    """As integers they add up to 0."""
    with pytest.raises(ValueError, match="add up to at most"):
        local_best_impurity([[2**62, 2**62], [2**62, 2**62]])
