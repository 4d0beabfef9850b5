"""A tree as the list of its parents."""

import numpy as np
import pytest

from fdpedu.histograms import consistent_totals, least_squares, round_with_sums
from fdpedu.histograms.parents import as_parents, children_of, is_inner, levels_of


def test_a_tree_as_the_list_of_its_parents():
    above = as_parents([-1, 0, 1, 0, 2, 2])
    assert children_of(above) == [[1, 3], [2], [4, 5], [], [], []]
    assert is_inner(above).tolist() == [True, True, True, False, False, False]
    assert [level.tolist() for level in levels_of(above)] == [[0], [1, 3], [2], [4, 5]]
    assert children_of(as_parents([-1])) == [[]] and [a.tolist() for a in levels_of(as_parents([-1]))] == [[0]]


@pytest.mark.parametrize("parents", [[], [0], [[-1]], [-1, -1], [-1, 0, 2], [-1, 0, 3, 9], [-1, 0.0]])
def test_what_is_no_tree_is_refused_wherever_one_is_needed(parents):
    views = np.zeros(len(parents)).tolist()
    for function in (consistent_totals, least_squares):
        with pytest.raises(ValueError, match="parents"):
            function(parents, views, [1] * len(parents))
    with pytest.raises(ValueError, match="parents"):
        round_with_sums(parents, views)
