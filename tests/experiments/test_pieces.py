"""Bins of many nodes, counted in pieces, and bounds: against each row, each party, and the recursion."""

import numpy as np
import pytest

from fdpedu.experiments import Faults, Setting, Variant, counting
from fdpedu.experiments.choosing import scaled_impurities
from fdpedu.experiments.growing import grow_runs
from fdpedu.experiments.readable import grow_tree
from fdpedu.experiments.sample import Sample


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


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_values_on_borders_go_the_same_way_as_in_the_recursion(seed, strict):
    """Whole numbers from 0 to 10, so that many lie on a border of ten bins; without noise, in every node's own bins."""
    rng, faults = np.random.default_rng(seed), Faults(raw_ranges=True, strict_threshold=strict)
    X, X_test = (rng.integers(0, 11, (300, 3)).astype(float) for _ in range(2))
    y, y_test = ((values.sum(axis=1) > 14).astype(np.int64) for values in (X, X_test))
    sample = Sample(X, y, rng.integers(0, 5, 300), X_test, y_test)
    setting, variant = Setting(3, 300, 3, 4, "0.3"), Variant("tried", faults, clip=True)
    for saving in (False, True):
        options = {"saving": saving, "epsilon": 1, "rng": None}
        right = grow_tree(sample, setting, variant, **options) == y_test
        assert grow_runs([sample, sample], setting, variant, **options).correct.tolist() == [right.sum()] * 2
        assert right.mean() > 0.6
