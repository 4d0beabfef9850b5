"""Lower bounds: their sum over parties, in steps of a lattice, their sensitivity, and how codes are read."""

from fractions import Fraction

import pytest

from fdpedu.bounds import (
    REPORT_SENSITIVITY,
    SENSITIVITY,
    impurity_lower_bound,
    joint_sensitivity,
    lattice_bound,
    local_bounds_of_rows,
)
from fdpedu.cart import local_best_impurity
from fdpedu.claims.bounds import vectors as topic


def test_the_sum_over_parties():
    assert impurity_lower_bound([[[1, 1], [0, 2]], [[0, 0], [0, 0]], [[2, 0], [1, 1]]]) == 1
    assert impurity_lower_bound([[[1, 0], [0, 1], [1, 0]]] * 3, ordered=False) == 0
    assert impurity_lower_bound([]) == 0


@pytest.mark.claim("lem-bounds-vector")
def test_constants():
    assert (SENSITIVITY, REPORT_SENSITIVITY) == (1, Fraction(5, 4))
    assert [joint_sensitivity(7, norm) for norm in ("l1", "l2 squared", "linf")] == [7, 7, 1]
    assert joint_sensitivity(1) == 1
    topic.vector([(0, 1, 2), (0, 1, 2)], (0, 1, 0))
    topic.vector_tight(7, 50)


@pytest.mark.claim("lem-lattice-bound")
@pytest.mark.parametrize(("lattice", "whole"), [(1, 0), (2, 1), (4, 3), (5, 3), (10**9, 750_000_000)])
def test_rounded_down(lattice, whole):
    assert lattice_bound([[3, 1]], lattice) == whole
    assert lattice_bound([[1, 0], [0, 1], [1, 0]], lattice, ordered=False) == 0
    assert lattice_bound([[2, 1]], 10**17) == 2 * 10**17 // 3
    topic.on_lattice([[3, 1], [2, 2]], lattice)


IN_BETWEEN = [[1, 0], [0, 1], [1, 0]]  # as bins 1/2 is left, as categories nothing


def test_codes_are_bins_unless_they_are_said_not_to_be():
    assert impurity_lower_bound([IN_BETWEEN]) == impurity_lower_bound([IN_BETWEEN], ordered=True) == Fraction(1, 2)
    assert lattice_bound(IN_BETWEEN, 2) == lattice_bound(IN_BETWEEN, 2, ordered=True) == 1
    assert local_best_impurity(IN_BETWEEN) == Fraction(1, 2)
    assert impurity_lower_bound([IN_BETWEEN], ordered=False) == lattice_bound(IN_BETWEEN, 2, ordered=False) == 0


def test_a_sum_over_no_parties_is_a_fraction():
    assert type(impurity_lower_bound([])) is Fraction


def test_rows_of_one_class():
    """The largest code is 0: there may be one class."""
    assert local_bounds_of_rows([[1.0], [2.0]], [0, 0], 1) == [0]
