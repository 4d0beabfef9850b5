"""Edges on the widest grids that there are, of three features, three classes and up to nine parties."""

import pytest

from fdpedu.claims.histograms import laws_edges as law


@pytest.mark.claim("thm-quantile-edges")
@pytest.mark.parametrize("case", range(3))
def test_edges_of_wide_grids(case):
    law.released_edges(*list(law.wide_grids(101))[case])
