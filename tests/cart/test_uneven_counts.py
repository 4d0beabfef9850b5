"""Splits of many rows, few of which stand on one side."""

import numpy as np
import pytest

from fdpedu.cart import CodeSplit, GridSearch, best_grid_split
from fdpedu.domain import Domain, Numeric

NARROW = Domain([Numeric.grid("x", 0, 3, bins=3)], (0, 1))


@pytest.mark.parametrize("many", [10**3, 10**6, 10**9, 10**12])
def test_a_first_side_of_one_row(many):
    """What floats may be wrong by grows with all rows, and not with how unevenly they are divided."""
    for table, best in (
        ([[1, 0], [many, 0], [0, many]], {0, 1}),
        ([[many, 0], [0, many], [0, 1]], {0}),
        ([[1, 1], [many, 0], [0, many]], {0, 1}),
    ):
        split = CodeSplit(0, frozenset(best))
        (found,) = GridSearch(NARROW).best_splits(np.array([table]))
        assert found.split == best_grid_split([np.array(table)], NARROW).split == split
