"""Counts of many nodes, in pieces and at any size: against each row, each party, and the recursion."""

import numpy as np
import pytest

from fdpedu.sources.gubler import Faults, Setting, Variant, counting
from fdpedu.sources.gubler.choosing import scaled_impurities
from fdpedu.sources.gubler.counting import (
    bins_of,
    class_counts,
    histograms,
    raw_ranges,
    short_counts,
    some_party_lacks_class_1,
    true_bounds,
)
from fdpedu.sources.gubler.growing import grow_runs
from fdpedu.sources.gubler.sample import Sample
from tests.support.report_trees import grow_tree


def test_short_counts_forget_that_class_1_is_empty():
    assert short_counts(np.array([[7.0, 0], [0, 7], [2, 1], [0, 0]])).tolist() == [[7, 7], [0, 7], [2, 1], [0, 0]]


def test_bins_on_borders():
    """On a border: above it with x < t, below it with x ≤ t; ends and what lies outside are in the end bins."""
    values, low, high = np.array([-1.0, 0, 0.5, 1, 2]), np.zeros(5), np.ones(5)
    assert bins_of(values, low, high, strict=True).tolist() == [0, 0, 5, 9, 9]
    assert bins_of(values, low, high, strict=False).tolist() == [0, 0, 4, 9, 9]


def test_a_range_of_width_0_has_all_rows_in_its_last_bin():
    """One row, or equal ones: x < t holds for no border, so all of them go right."""
    one = np.array([2.0])
    assert [bins_of(one, one, one, strict=strict).tolist() for strict in (True, False)] == [[9], [9]]


@pytest.mark.parametrize("seed", range(5))
def test_counts_one_by_one(seed):
    """Histograms, class counts, ranges, bounds and missing classes, against loops over rows."""
    rng = np.random.default_rng(seed)
    X, y, at = rng.normal(size=(40, 2)), rng.integers(2, size=40), rng.integers(4, size=40)
    at[at == 2] = 3  # a node without rows
    at.sort()
    party, codes = rng.integers(-1, 5, size=40), rng.integers(10, size=(40, 2))
    tables, classes = histograms(codes, y, at, 4), class_counts(y, at, 4)
    low, high = raw_ranges(X, at, 4)
    lacks, bounds = some_party_lacks_class_1(y, party, at, 4), true_bounds(codes, y, party, at, 4)
    for node in range(4):
        own = at == node
        assert classes[node].tolist() == [np.sum(own & (y == c)) for c in (0, 1)]
        assert lacks[node] == any(not np.any(own & (party == k) & (y == 1)) for k in range(5))
        for j in range(2):
            for c in (0, 1):
                expected = np.bincount(codes[own & (y == c), j], minlength=10)
                assert tables[node, j, c].tolist() == expected.tolist()
            if own.any():
                assert (low[node, j], high[node, j]) == (X[own, j].min(), X[own, j].max())
            best = [least(codes[own & (party == k), j], y[own & (party == k)]) for k in range(5)]
            assert bounds[node, j] == pytest.approx(sum(best))


def least(codes, y):
    """The least n·G over all borders, and no split."""
    sides = [[y[codes <= t], y[codes > t]] for t in range(10)]
    return min(sum(len(s) * s.mean() * (1 - s.mean()) for s in pair if len(s)) for pair in sides)


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


# --- sizes past small integers ----------------------------------------------------------------------------------------


def one_by_one(codes, y, at, nodes):
    counts = np.zeros((nodes, codes.shape[1], 2, 10))
    for j in range(codes.shape[1]):
        np.add.at(counts, (at, j, y, codes[:, j]), 1)
    return counts


@pytest.mark.parametrize(("rows", "p", "nodes"), [(150_000, 2, 1), (3_000, 7, 1_500), (2_000, 400, 20), (0, 3, 4)])
def test_histograms_of_any_size(rows, p, nodes):
    """Counts beyond 2¹⁶ in a cell, 2¹⁶ cells and more, rows of all nodes to the last; and nodes without rows."""
    rng = np.random.default_rng(rows)
    codes, y = (rng.random((rows, p)) ** 4 * 10).astype(np.int64), (rng.random(rows) < 0.1).astype(np.int64)
    at = np.sort(rng.integers(0, nodes, rows))
    expected = one_by_one(codes, y, at, nodes)
    assert np.array_equal(counting.histograms(codes, y, at, nodes), expected)
    assert np.array_equal(counting.class_counts(y, at, nodes), expected[:, 0].sum(axis=2))
    assert rows < 100_000 or expected.max() > 2**16


def test_bounds_and_parties_of_many_nodes():
    """Each node for itself, to the last; each of five parties for itself, rows of nobody left out."""
    rng = np.random.default_rng(2)
    rows, nodes = 6_000, 700
    codes, y, party = rng.integers(0, 10, (rows, 3)), rng.integers(0, 2, rows), rng.integers(-1, 5, rows)
    at = np.sort(rng.integers(0, nodes, rows))
    bounds = counting.true_bounds(codes, y, party, at, nodes)
    lacks = counting.some_party_lacks_class_1(y, party, at, nodes)
    for node in (0, 1, 350, nodes - 1):
        own = at == node
        alone = codes[own], y[own], party[own], at[own] * 0
        assert np.array_equal(counting.true_bounds(*alone, 1)[0], bounds[node])
        parts = [own & (party == k) for k in range(5)]
        summed = sum(counting.true_bounds(codes[k], y[k], party[k], at[k] * 0, 1)[0] for k in parts)
        assert np.allclose(summed, bounds[node])
        assert lacks[node] == any(not y[k].any() for k in parts)
