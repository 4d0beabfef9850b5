"""Every design of trees, and every type of query, is tried by every law of its suite; none can be left out."""

import pytest

from fdpedu.claims.checking import explore
from fdpedu.claims.laws import designs, queries
from fdpedu.federation.queries.closed_set import CLOSED_SET, CURATED
from fdpedu.trees import DESIGNS
from fdpedu.trees.designs import NAMED

TRIED = 5


def test_no_design_and_no_type_of_query_is_left_out():
    assert set(designs.DESIGN_LAWS) == {*DESIGNS, *NAMED}
    assert set(queries.ASKED) == {kind.type for kind in (*CLOSED_SET, *CURATED)}


@pytest.mark.parametrize("law", designs.LAWS)
@pytest.mark.parametrize("design", designs.DESIGN_LAWS)
def test_a_design_keeps_the_law(design, law):
    condition, cases = (getattr(designs.DESIGN_LAWS[design], name) for name in designs.LAWS[law])
    assert explore(condition, cases, TRIED) >= 1


@pytest.mark.claim("thm-one-owner")
@pytest.mark.parametrize("law", designs.LAWS)
@pytest.mark.parametrize("design", designs.OF_ONE_OWNER)
def test_a_design_of_noisy_counts_keeps_the_law_where_one_owner_has_all_rows(design, law):
    condition, cases = (getattr(designs.OF_ONE_OWNER[design], name) for name in designs.LAWS[law])
    assert explore(condition, cases, 2) >= 1


@pytest.mark.parametrize("law", [law for law in designs.LAWS if law != "insiders"])
@pytest.mark.parametrize("options", designs.OPTIONS)
def test_options_of_noisy_counts_keep_the_law(options, law):
    """Leaves that read histograms have no release of their own, for which a promise could be made beforehand."""
    condition, cases = (getattr(designs.OPTIONS[options], name) for name in designs.LAWS[law])
    assert explore(condition, cases, TRIED) >= 1


@pytest.mark.parametrize("law", queries.LAWS)
@pytest.mark.parametrize("kind", queries.ASKED)
def test_a_type_of_query_keeps_the_law(kind, law):
    assert explore(queries.LAWS[law], queries.cases(kind), 2 * TRIED) >= 1
