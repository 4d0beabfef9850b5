"""A party finds the rows of a region as if it had looked at every row, whatever was asked before."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.strategies import domains, regions, tables
from fdpedu.domain import Categorical, Domain, Numeric, Region
from fdpedu.federation import ClassCounts, ClassHistogram, NodeHistograms
from fdpedu.federation.records import Records

DOMAIN = Domain([Numeric.grid("x", 0, 3, bins=3), Categorical("w", ("A", "B"))], ("a", "b", "c"))
WHOLE = DOMAIN.everything
PART = WHOLE.restrict(0, [1, 2]).restrict_class([0, 2])
ROWS = [(0.5, "A", "a"), (1.5, "A", "a"), (2.5, "A", "c"), (1.2, "B", "b"), (1.7, "A", "a"), (0.1, "A", "b")]


def records(rows=ROWS, domain=DOMAIN):
    return Records(domain.encode([r[:-1] for r in rows]), domain.encode_labels([r[-1] for r in rows]), domain)


def test_positions_take_as_few_bytes_as_they_need():
    """Two as long as all positions fit; the last position of the largest such domain is its own."""
    assert records().cells.dtype == np.uint16 and records().cells.tolist()[2] == [8, 11]
    x = Numeric.grid("x", 0, 1, bins=256)
    just = Domain([x], range(256))
    assert records([(1, 255), (0, 0)], just).cells.tolist() == [[2**16 - 1], [0]]
    assert records([(1, 255)], just).cells.dtype == np.uint16
    more = Domain([x, Categorical("w", ("A", "B"))], range(200))
    assert records([(1, "B", 199)], more).cells.tolist() == [[51199, 51599]]
    wide = Domain([x, Numeric.grid("y", 0, 1, bins=256)], range(200))
    party = records([(1, 1, 199), (0, 1, 3)], wide)
    assert party.cells.tolist() == [[51199, 102399], [3, 102203]] and party.cells.dtype == np.uint32


def test_rows_are_found_whatever_was_asked_before():
    """Inside the last regions, beside them, around them, and the same once more in one round."""
    party = records()
    young, second = WHOLE.restrict(0, [0]), WHOLE.restrict(1, [1])
    inner = WHOLE.restrict(0, [1]).restrict_class([0])
    found = {WHOLE: [0, 1, 2, 3, 4, 5], young: [0, 5], second: [3], PART: [1, 2, 4], inner: [1, 4]}
    for asked in (
        [WHOLE],
        [young, PART],
        [young, inner, young, inner],
        [second, WHOLE],
        [PART, PART, second, young],
        [inner, second, young],
        [WHOLE, inner],
    ):
        assert [rows.tolist() for rows in party.within(asked)] == [found[region] for region in asked]
        assert {region: rows.tolist() for region, rows in party._known.items()} == {
            region: found[region] for region in asked
        }
    assert party.within(iter([inner]))[0].dtype == np.intp


@pytest.mark.parametrize("region", [Region((7,), 7), Region((6, 3, 1), 7)])
def test_rows_of_a_region_of_other_features_are_not_found(region):
    party = records()
    with pytest.raises(ValueError):
        party.within([region])
    for outer in (WHOLE, region):
        with pytest.raises(ValueError):
            party._narrow(np.arange(6), outer, region)


def test_the_search_goes_on_where_it_ended():
    """Of regions that lie in the same order as those around them, each is compared with two at most."""
    domain = Domain([Numeric.grid("x", 0, 64, bins=64)], (0, 1))
    party = records([[i, i % 2] for i in range(64)], domain)
    outer = [domain.everything.restrict(0, [2 * k, 2 * k + 1]) for k in range(32)]
    party.within(outer)
    compared = []
    contains = Region.contains
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Region, "contains", lambda self, other: compared.append(self) or contains(self, other))
        party.within([domain.everything.restrict(0, [code]) for code in range(64)])
    assert len(compared) == 64 + 31
    party.within([domain.everything.restrict(0, [7])])
    assert len(party._known) == 1, "a party's memory does not grow with the number of rounds"


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_rows_of_any_sequence_of_rounds(data):
    """Random regions over several rounds: nested, equal, overlapping or not; each round's answer is the plain one."""
    domain = data.draw(domains())
    rows = data.draw(tables(domain, most=15))
    party, codes = records(rows, domain), domain.encode([r[:-1] for r in rows])
    labels = domain.encode_labels([r[-1] for r in rows])
    for _ in range(data.draw(st.integers(1, 4))):
        asked = data.draw(st.lists(regions(domain), min_size=1, max_size=4))
        if data.draw(st.booleans()):
            asked.append(domain.everything)
        for region, found in zip(asked, party.within(asked), strict=True):
            assert found.tolist() == np.flatnonzero(region.holds(codes, labels, domain.everything)).tolist()


@pytest.mark.claim("thm-node-histograms")
@pytest.mark.parametrize(("bins", "classes", "n"), [(4, 2, 10_000), (256, 200, 300)])
def test_node_histograms_are_the_histograms_of_all_features(bins, classes, n):
    """More rows than a block; and more cells than 16 bits can number."""
    rng = np.random.default_rng(0)
    domain = Domain([Numeric.grid(f"x{j}", 0, 1, bins=bins) for j in range(3)], range(classes))
    X, y = rng.random((n, 3)), rng.integers(0, classes, n)
    party = Records(domain.encode(X), domain.encode_labels(y), domain)
    region = domain.everything.restrict(1, range(bins // 2))
    (rows,) = party.within([region])
    whole = NodeHistograms(region, 1).tally(party, rows, domain).reshape(NodeHistograms(region, 1).shape(domain))
    for j, part in enumerate(np.split(whole, 3)):
        expected, _, _ = np.histogram2d(
            np.searchsorted(np.linspace(0, 1, bins + 1)[1:-1], X[rows, j]),
            y[rows],
            bins=[range(bins + 1), range(classes + 1)],
        )
        assert part.tolist() == expected.astype(int).tolist()
        assert part.ravel().tolist() == ClassHistogram(region, 1, j).tally(party, rows, domain).tolist()
    assert (
        ClassCounts(region, 1).tally(party, rows, domain).tolist() == np.bincount(y[rows], minlength=classes).tolist()
    )
