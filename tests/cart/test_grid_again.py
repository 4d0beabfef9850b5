"""The search on a grid where features differ in their totals, and where small sides are distrusted a little."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.cart import GridSearch
from fdpedu.cart.grid import shrunk_gain
from fdpedu.domain import Domain, Numeric

PAIR = Domain([Numeric.grid(name, 0, 3, bins=3) for name in "ab"], (0, 1))
FOUR = Domain([Numeric.grid("x", 0, 4, bins=4)], (0, 1))


def test_of_two_features_with_the_same_impurity_a_row_the_first_is_chosen():
    """The larger table has the larger n·G, and the same G: by n·G the second feature would be chosen."""
    table = np.array([[4, 1], [2, 2], [1, 6]])
    for scale in (1, 10**6):
        both = np.concatenate([2 * scale * table, scale * table])[None]
        for relative, feature in ((True, 0), (False, 1)):
            (found,) = GridSearch(PAIR).best_splits(both, relative=relative)
            assert found.split.feature == feature


@given(st.lists(st.integers(0, 6), min_size=8, max_size=8), st.fractions(Fraction(1, 100), Fraction(99, 100)))
def test_the_largest_shrunk_gain_is_chosen(cells, shrink):
    """Also where the shrinking is by less than a row."""
    table, rows = np.array(cells).reshape(4, 2), float(shrink)
    left = np.cumsum(table, axis=0)[:-1]
    right = table.sum(axis=0) - left
    allowed = (left.sum(axis=1) > 0) & (right.sum(axis=1) > 0)
    (found,) = GridSearch(FOUR).best_splits(table[None], shrink=rows)
    if not allowed.any():
        assert found is None
    else:
        gains = np.where(allowed, shrunk_gain(left, right, rows), -1)
        assert max(found.split.left) == int(gains.argmax())
