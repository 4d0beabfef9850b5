"""A party finds the rows of a region as if it had looked at every row, whatever was asked before."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.strategies import domains, regions, tables
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, ClassHistogram, NodeHistograms
from fdpedu.federation.records import Records


def records(domain, rows):
    return Records(domain.encode([r[:-1] for r in rows]), domain.encode_labels([r[-1] for r in rows]), domain)


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_rows_of_any_sequence_of_rounds(data):
    """Random regions over several rounds: nested, equal, overlapping or not; each round's answer is the plain one."""
    domain = data.draw(domains())
    rows = data.draw(tables(domain, most=15))
    party, codes = records(domain, rows), domain.encode([r[:-1] for r in rows])
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


def test_what_is_kept_is_the_last_round():
    """A party's memory does not grow with the number of rounds."""
    domain = Domain([Numeric.grid("x", 0, 64, bins=64)], (0, 1))
    party = records(domain, [[i, i % 2] for i in range(64)])
    for code in range(64):
        party.within([domain.everything.restrict(0, [code])])
    assert len(party._known) == 1
