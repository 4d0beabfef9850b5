"""Counts past 2²⁶, 2³¹ and 2³² rows, and more nodes than a block of the grid search, change nothing else."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.cart import GridSearch, best_grid_split, scaled_half_gini
from fdpedu.cart.impurity import exact_scaled_half_gini
from fdpedu.cart.split import CodeSplit
from fdpedu.claims.strategies import domains
from fdpedu.domain import Domain, Numeric
from tests.support.records import SPECIAL


@settings(max_examples=60, deadline=None)
@given(domains(), st.data(), st.sampled_from([2**k + d for k in (20, 24, 25, 26, 27, 31, 32, 40) for d in (-1, 0, 1)]))
def test_a_split_does_not_depend_on_the_unit(domain, data, factor):
    """Counts that are as many times as large, past 2²⁶, 2³¹ and 2³² rows, have the same best split, on both paths."""
    size = sum(feature.n_codes for feature in domain.features)
    rows = st.lists(st.tuples(*[st.integers(0, 7)] * domain.n_classes), min_size=size, max_size=size)
    table = np.array(data.draw(rows))
    ends = np.cumsum([feature.n_codes for feature in domain.features])[:-1]
    search = GridSearch(domain)
    for relative in (False, True):
        plain, large = search.best_splits(np.array([table, factor * table]), relative=relative)
        assert (plain and plain.split) == (large and large.split)
    slow = best_grid_split(np.split(factor * table, ends), domain)
    fast = search.best_splits(factor * table[None])[0]
    assert slow == fast


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(*[st.integers(-3, 3)] * 2), min_size=2, max_size=6),
    st.sampled_from([2**k for k in (22, 26, 30, 31, 32, 36)]),
    st.sampled_from([(1, 0), (1, 1), (3, 1), (1, 1000)]),
)
def test_close_calls_among_large_counts_are_settled_exactly(near, large, shape):
    """Bins that differ by a few of billions of rows: the first candidate with the least n·G, by fractions."""
    table = np.array([[max(0, large * shape[0] + a), max(0, large * shape[1] + b)] for a, b in near])
    domain = Domain([Numeric.grid("x", 0, 1, bins=len(table))], (0, 1))
    totals, best = table.sum(axis=0), None
    for end in range(1, len(table)):
        left = table[:end].sum(axis=0)
        sides = [left.tolist(), (totals - left).tolist()]
        if all(map(sum, sides)):
            impurity = sum(map(exact_scaled_half_gini, sides), Fraction(0))
            if best is None or impurity < best[0]:
                best = impurity, CodeSplit(0, frozenset(range(end)))
    slow, fast = best_grid_split([table], domain), GridSearch(domain).best_splits(table[None])[0]
    assert (best and best[1]) == (slow and slow.split) == (fast and fast.split)


@pytest.mark.parametrize("n", [1, 31, 32, 33, 64, 65])
def test_nodes_do_not_depend_on_their_neighbours(n):
    """As many nodes as fit in a block and one more: each is searched as if it were alone."""
    tables_of = np.random.default_rng(n).integers(0, 9, (n, 21, 3))
    search = GridSearch(SPECIAL)
    for options in ({}, {"relative": True}, {"shrink": 2.5}):
        together = search.best_splits(tables_of, **options)
        assert together == [search.best_splits(table[None], **options)[0] for table in tables_of]


@given(st.lists(st.integers(0, 9), min_size=2, max_size=4), st.sampled_from([2**30, 2**31, 2**33, 2**45]))
def test_the_impurity_of_large_counts(counts, factor):
    """As many times the counts have as many times the n·half_gini, to a few units in 10¹⁵ of n."""
    exact = factor * exact_scaled_half_gini(counts)
    for dtype in (np.int64, np.uint64, object):
        found = Fraction(float(scaled_half_gini(np.array([factor * n for n in counts], dtype=dtype))))
        assert abs(found - exact) <= factor * sum(counts) * Fraction(2, 10**15)
