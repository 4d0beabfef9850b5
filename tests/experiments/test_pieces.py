"""Long arrays are counted in pieces: the bins of nodes, and bounds, against each row and each party for itself."""

import numpy as np
import pytest

from fdpedu.experiments import counting
from fdpedu.experiments.choosing import scaled_impurities


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(("rows", "p", "nodes"), [(30_000, 1, 2), (900, 60, 700), (3, 20_000, 2), (0, 2, 3)])
def test_bins_between_the_limits_of_each_node(rows, p, nodes, strict):
    """Each row for itself, between the least and the largest value of its node; all alike: the last bin."""
    rng = np.random.default_rng(rows)
    X, at = rng.integers(0, 40, (rows, p)) / 8, np.sort(rng.integers(0, nodes, rows))
    X[:, 0] = at  # all values of a node are the same
    ranges = counting.raw_ranges(X, at, nodes)
    found = counting.bins_in_nodes(X, at, ranges, strict=strict)
    assert found.shape == X.shape and (found[:, 0] == 9).all()
    for node in set(at.tolist()):
        own = X[at == node]
        low, high = own.min(axis=0), own.max(axis=0)
        assert np.array_equal(ranges.low[node], low) and np.array_equal(ranges.high[node], high)
        expected = [counting.bins_of(row, low, high, strict=strict) for row in own]
        assert np.array_equal(found[at == node], expected)
    empty = np.setdiff1d(np.arange(nodes), at)
    assert (ranges.low[empty] == 0).all() and (ranges.high[empty] == 1).all()


def test_bounds_are_the_least_impurities_of_the_parties():
    """By the rule for splits of chapter 10, which is another piece of code; no split at all is a split too."""
    rng = np.random.default_rng(3)
    rows, nodes = 2_000, 40
    codes, y, party = rng.integers(0, 10, (rows, 3)), rng.integers(0, 2, rows), rng.integers(0, 5, rows)
    at = np.sort(rng.integers(0, nodes, rows))
    expected = np.zeros((nodes, 3))
    for k in range(5):
        counts = counting.histograms(*(part[party == k] for part in (codes, y, at)), nodes)
        n, ill = counts.sum(axis=(2, 3)), counts[:, :, 1].sum(axis=2)
        whole = np.divide((n - ill) * ill, n, out=np.zeros(n.shape), where=n > 0)
        # a border with an empty side is no split there, and as good as none here
        expected += np.minimum(scaled_impurities(counts, clipped_shares=True).min(axis=2), whole)
    assert np.allclose(counting.true_bounds(codes, y, party, at, nodes), expected)
