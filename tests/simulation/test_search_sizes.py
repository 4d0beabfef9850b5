"""Histograms and splits beyond every table, window and small integer: many rows, codes, classes, nodes and rivals."""

import numpy as np
import pytest

from fdpedu.cart import GridSearch
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.simulation import grid as grid_module
from fdpedu.simulation.grid import Grid
from fdpedu.simulation.printed import best_as_printed
from fdpedu.simulation.search import Search
from fdpedu.trees.printed import splits_as_printed
from tests.simulation.test_search import expected, listed, shaped


def counted(grid, codes, labels, at, nodes):
    """The same histograms, a row and a feature after the other."""
    counts = np.zeros((grid.n_classes, grid.most_codes, nodes, grid.n_features), dtype=np.int64)
    for j in range(grid.n_features):
        np.add.at(counts, (labels, codes[:, j], at, j), 1)
    return counts


@pytest.mark.parametrize(
    ("sizes", "classes", "rows", "nodes"),
    [
        ([2, 3, 5], 3, 200_000, 2),  # counts beyond 2¹⁵, and more rows than are counted at a time
        ([4, 4], 2, 5_000, 6_000),  # 2¹⁶ cells and more, most of them without a row
        ([200], 200, 3_000, 1),  # 40,000 places of one feature
        ([2] * 40, 2, 20_000, 3),  # many features
    ],
)
def test_rows_are_counted_one_by_one(sizes, classes, rows, nodes):
    """Whatever the number of rows, codes, classes, features and nodes."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 1, size) for j, size in enumerate(sizes)], range(classes))
    rng = np.random.default_rng(rows)
    codes = (rng.random((rows, len(sizes))) ** 2 * sizes).astype(np.uint8)
    labels, at = (rng.random(rows) ** 2 * classes).astype(np.int64), np.sort(rng.integers(0, nodes, rows))
    grid = Grid(domain)
    assert np.array_equal(grid.count(grid.places(codes, labels), at, nodes), counted(grid, codes, labels, at, nodes))


@pytest.mark.parametrize("most", [1, 6, 7, 10**6])
def test_rows_are_counted_in_parts(most, monkeypatch):
    """One row at a time, two, or all at once: the same."""
    monkeypatch.setattr(grid_module, "_AT_ONCE", most)
    grid, rng = Grid(Domain([Numeric.grid(name, 0, 3, 3) for name in "xyz"], (0, 1))), np.random.default_rng(1)
    codes, labels, at = rng.integers(0, 3, (25, 3)), rng.integers(0, 2, 25), np.sort(rng.integers(0, 4, 25))
    found = grid.count(grid.places(codes.astype(np.uint8), labels), at, 4)
    assert np.array_equal(found, counted(grid, codes, labels, at, 4)) and found.dtype == np.int64


def test_cells_that_there_are():
    """In each node, of each feature as many as it has codes."""
    grid = Grid(
        Domain([Numeric.grid("x", 0, 2, 2), Categorical("w", list("abcd")), Numeric.grid("y", 0, 3, 3)], (0, 1))
    )
    there = grid.everything(5)
    assert there.shape == (4, 5, 3) and there.dtype == bool
    assert there.sum(axis=0).tolist() == [[2, 4, 3]] * 5 and grid.cells_per_node == 24


@pytest.mark.parametrize("scale", [1, 50, 1000, 10**7])
@pytest.mark.parametrize("relative", [False, True])
@pytest.mark.parametrize("better", range(5))
def test_the_best_of_many_rivals(better, relative, scale):
    """Five features that no float can tell apart at large counts; the one that is better by a record is found."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 2, 2) for j in range(5)], (0, 1))
    tables = np.array([[[3, 1], [1, 3]] * 5]) * scale
    tables[0, 2 * better, 0] += 1
    tables[0, 2 * better + 1, 0] -= 1
    grid, cells, _ = shaped(domain, tables)
    own = GridSearch(domain).best_splits(tables, relative=relative)
    assert listed(grid, Search(grid).best(cells, relative=relative)) == expected([c and c.split for c in own])
    assert own[0].split.feature == better


@pytest.mark.parametrize("size", [2199, 2200, 2201, 4000, 30_000])
def test_tables_with_the_largest_numerators(size):
    """Around the number of rows up to which 64 bits are enough; halves and thirds of rows on a side."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 3, 3) for j in range(3)], (0, 1, 2))
    rng, tables = np.random.default_rng(size), []
    for _ in range(40):
        base = rng.multinomial(size, np.ones(9) / 9).reshape(3, 3)
        tables.append(np.concatenate([base, base[::-1], base[[1, 0, 2]]]))
    tables = np.array(tables)
    grid, cells, _ = shaped(domain, tables)
    for relative in (False, True):
        own = GridSearch(domain).best_splits(tables, relative=relative)
        assert listed(grid, Search(grid).best(cells, relative=relative)) == expected([c and c.split for c in own])


@pytest.mark.parametrize("classes", [2, 3, 7, 8, 9])
@pytest.mark.parametrize("shrink", [0, 2.5])
def test_categories_and_borders_of_many_classes(classes, shrink):
    """One slot for each class of a feature without order; every kind of feature between two others."""
    features = [
        Categorical("v", list("abc")),
        Numeric.grid("x", 0, 4, 4),
        Categorical("w", list("abcd")),
        Numeric.grid("y", 0, 2, 2),
    ]
    domain = Domain(features, range(classes))
    rng = np.random.default_rng(classes)
    for most in (2, 30):
        tables = rng.integers(0, most, size=(60, domain.n_codes, classes))
        tables[:5] = 0
        tables[5:9, 1:] = 0
        grid, cells, _ = shaped(domain, tables)
        own = GridSearch(domain).best_splits(tables, shrink=shrink)
        found = Search(grid).best(cells, shrink=shrink)
        assert listed(grid, found) == expected([c and c.split for c in own])


@pytest.mark.parametrize("relative", [False, True])
def test_printed_splits_of_many_classes_and_large_counts(relative):
    """Raw counts up to ±10⁹, totals of 0, features whose codes lie outside of the node."""
    features = [
        Numeric.grid("x", 0, 4, 4),
        Categorical("w", list("abc")),
        Numeric.grid("y", 0, 2, 2),
        Categorical("v", list("ab")),
    ]
    for classes in (2, 3, 5):
        domain, rng = Domain(features, range(classes)), np.random.default_rng(classes)
        for most in (1, 3, 10**9):
            tables = rng.integers(-most, most + 1, size=(150, domain.n_codes, classes))
            inside = rng.random((150, domain.n_codes)) < 0.7
            tables *= inside[:, :, None]
            grid, cells, there = shaped(domain, tables)
            within = shaped(domain, np.repeat(inside[:, :, None], classes, axis=2))[1][0] > 0
            own = splits_as_printed(tables, inside, domain, relative=relative)
            assert listed(grid, best_as_printed(grid, cells, within & there, relative=relative)) == expected(own)
