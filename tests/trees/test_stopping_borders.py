"""Rules of stopping where one row decides."""

import numpy as np
import pytest

from fdpedu.trees.stopping import Level, as_printed, as_printed_unclipped, averaged, confident


@pytest.mark.parametrize("rule", [averaged, as_printed, as_printed_unclipped, confident])
@pytest.mark.parametrize(("counts", "stops"), [((9, 1), False), ((9, 0), True), ((1, 9), False), ((0, 9), True)])
def test_one_row_of_a_second_class_keeps_a_node_open(rule, counts, stops):
    """One feature, no noise; and of ten rows that are asked for, none may lack."""
    tables = np.array([[[0, 0], counts]])
    level = Level(tables, np.ones((1, 2), dtype=bool), np.array([0]), 0.0)
    assert rule(level, 2).tolist() == [stops] == rule(level, sum(counts)).tolist()
    assert rule(level, sum(counts) + 1).tolist() == [True]
