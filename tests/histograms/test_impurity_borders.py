"""Impurity of tables at the edge of what is a table."""

import numpy as np
import pytest

from fdpedu.histograms import impurity_as_printed, impurity_from_counts


@pytest.mark.parametrize("function", [impurity_from_counts, impurity_as_printed])
def test_no_bins_and_one_bin_have_no_border(function):
    """There is nothing to divide, and nothing is refused."""
    for bins in (0, 1):
        assert function(np.ones((bins, 2), dtype=np.int64)).shape == (0,)
