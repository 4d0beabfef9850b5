"""The split search for many nodes at once takes the splits of `GridSearch`, ties and large counts included."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.cart import GridSearch
from fdpedu.domain import Domain, Numeric
from fdpedu.simulation.grid import Grid, cumulated
from fdpedu.simulation.printed import best_as_printed
from fdpedu.simulation.search import Search
from fdpedu.trees.printed import splits_as_printed
from tests.support.simulated import domains


def shaped(domain, tables):
    """Tables (N, Σ codes, C) in the form of a grid, and in which cells they lie."""
    grid = Grid(domain)
    there = np.arange(grid.most_codes)[:, None] < grid.sizes
    cells = np.zeros((grid.n_classes, grid.most_codes, len(tables), grid.n_features))
    first = np.cumsum([0, *grid.sizes])
    for j, size in enumerate(grid.sizes):
        cells[:, :size, :, j] = tables[:, first[j] : first[j] + size].transpose(2, 1, 0)
    return grid, cells, np.repeat(there[:, None], len(tables), axis=1)


def listed(grid, choice):
    return [
        (int(j), frozenset(np.flatnonzero(left[: grid.sizes[j]]).tolist())) if found else None
        for found, j, left in zip(*choice, strict=True)
    ]


def expected(found):
    return [None if split is None else (split.feature, split.left) for split in found]


@settings(max_examples=60)
@given(
    domain=domains(),
    seed=st.integers(0, 10**6),
    most=st.sampled_from([1, 2, 3, 40]),
    scale=st.sampled_from([1, 700, 10**6, 10**9]),
    relative=st.booleans(),
)
def test_the_same_splits_among_tables_full_of_ties(domain, seed, most, scale, relative):
    """Small counts times a number: true ties stay ties, and beyond 2,200 rows only long integers can tell."""
    rng = np.random.default_rng(seed)
    tables = rng.integers(0, most + 1, size=(20, domain.n_codes, domain.n_classes)) * scale
    grid, cells, _ = shaped(domain, tables)
    own = GridSearch(domain).best_splits(tables, relative=relative)
    assert listed(grid, Search(grid).best(cells, relative=relative)) == expected([c and c.split for c in own])


@pytest.mark.parametrize("scale", [1, 9, 1100, 1101, 10**5, 10**8])
@pytest.mark.parametrize("relative", [False, True])
def test_a_difference_that_no_float_sees_is_seen(scale, relative):
    """The second feature is better by less than floats can tell of large counts; if as good, the first is taken."""
    domain = Domain([Numeric.grid("x", 0, 2, 2), Numeric.grid("y", 0, 2, 2)], (0, 1))
    rows = np.array([[[3, 1], [1, 3], [3, 1], [1, 3]]]) * scale
    for more, feature in ((0, 0), (1, 1), (-1, 0)):
        tables = rows.copy()
        tables[0, 2, 0] += more
        tables[0, 3, 0] -= more
        grid, cells, _ = shaped(domain, tables)
        (own,) = GridSearch(domain).best_splits(tables, relative=relative)
        assert listed(grid, Search(grid).best(cells, relative=relative)) == [(own.split.feature, own.split.left)]
        assert own.split.feature == feature


@settings(max_examples=40)
@given(domain=domains(), seed=st.integers(0, 10**6), shrink=st.sampled_from([0.25, 3.0]))
def test_the_same_splits_by_the_shrunk_gain(domain, seed, shrink):
    """In floats; also of raw counts below 0."""
    rng = np.random.default_rng(seed)
    for low in (0, -3):
        tables = rng.integers(low, 9, size=(20, domain.n_codes, domain.n_classes))
        grid, cells, _ = shaped(domain, tables)
        own = GridSearch(domain).best_splits(tables, shrink=shrink)
        assert listed(grid, Search(grid).best(cells, shrink=shrink)) == expected([c and c.split for c in own])


def test_nine_classes_are_added_up_in_the_same_order():
    """Eight numbers in a row are summed in another order than one after the other; so gains agree to the last digit."""
    domain = Domain([Numeric.grid("x", 0, 4, 4), Numeric.grid("y", 0, 3, 3)], range(9))
    tables = np.random.default_rng(4).integers(0, 2, size=(300, 7, 9))
    grid, cells, _ = shaped(domain, tables)
    own = GridSearch(domain).best_splits(tables, shrink=1.5)
    assert listed(grid, Search(grid).best(cells, shrink=1.5)) == expected([c and c.split for c in own])


@settings(max_examples=60)
@given(domain=domains(), seed=st.integers(0, 10**6), relative=st.booleans(), low=st.sampled_from([-1, -4]))
def test_the_same_splits_as_printed(domain, seed, relative, low):
    """Raw counts, totals of 0 and infinite impurities among them; some codes lie outside of the nodes."""
    rng = np.random.default_rng(seed)
    tables = rng.integers(low, 4, size=(20, domain.n_codes, domain.n_classes))
    inside = rng.random((20, domain.n_codes)) < 0.8
    tables *= inside[:, :, None]
    grid, cells, there = shaped(domain, tables)
    within = shaped(domain, np.repeat(inside[:, :, None], domain.n_classes, axis=2))[1][0] > 0
    own = splits_as_printed(tables, inside, domain, relative=relative)
    assert listed(grid, best_as_printed(grid, cells, within & there, relative=relative)) == expected(own)


def test_cumulative_sums_are_those_of_numpy():
    cells = np.random.default_rng(1).integers(-9, 9, size=(3, 5, 4, 2)).astype(float)
    assert np.array_equal(cumulated(cells), np.cumsum(cells, axis=1))


def test_rows_are_counted_where_they_lie():
    """Three classes, two features of unequal size, two nodes: one row and one cell each."""
    domain = Domain([Numeric.grid("x", 0, 2, 2), Numeric.grid("y", 0, 3, 3)], (0, 1, 2))
    grid = Grid(domain)
    codes, labels, at = np.array([[1, 2], [0, 0], [1, 2]], dtype=np.uint8), np.array([2, 0, 2]), np.array([1, 0, 1])
    counts = grid.count(grid.places(codes, labels), at, 2)
    assert counts.shape == (3, 3, 2, 2) and counts.sum() == 6
    assert counts[2, 1, 1, 0] == counts[2, 2, 1, 1] == 2 and counts[0, 0, 0].tolist() == [1, 1]
    assert grid.everything(2)[2].tolist() == [[False, True]] * 2
