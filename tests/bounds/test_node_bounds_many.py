"""A row alone on a side, among so many rows that floats choose which splits are looked at."""

import pytest

from fdpedu.bounds import lattice_bound
from fdpedu.cart import local_impurity_steps
from fdpedu.domain import Domain, Numeric

AB = Domain([Numeric.grid("x", 0, 3, bins=3)], ("a", "b"))


@pytest.mark.parametrize("k", [20_000, 10**7])
@pytest.mark.parametrize("turned", [False, True])
def test_a_row_that_is_worth_a_side_of_its_own(k, turned):
    """In the middle it cannot be alone; then splits leave 1/100 more, nine tenths of one class throughout."""
    many, one = [k, 9 * k], [0, 1]
    table = [one, many, many][:: -1 if turned else 1]
    (found,) = local_impurity_steps(table, AB, 2**16)
    assert found == lattice_bound(table, 2**16) < lattice_bound([many, one, many], 2**16)
