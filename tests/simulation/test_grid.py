"""Rows are counted where they lie, whatever their number, and cells are those that there are."""

import numpy as np
import pytest

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.simulation import grid as grid_module
from fdpedu.simulation.grid import Grid


def test_rows_are_counted_where_they_lie():
    """Three classes, two features of unequal size, two nodes: one row and one cell each."""
    domain = Domain([Numeric.grid("x", 0, 2, 2), Numeric.grid("y", 0, 3, 3)], (0, 1, 2))
    grid = Grid(domain)
    codes, labels, at = np.array([[1, 2], [0, 0], [1, 2]], dtype=np.uint8), np.array([2, 0, 2]), np.array([1, 0, 1])
    counts = grid.count(grid.places(codes, labels), at, 2)
    assert counts.shape == (3, 3, 2, 2) and counts.sum() == 6
    assert counts[2, 1, 1, 0] == counts[2, 2, 1, 1] == 2 and counts[0, 0, 0].tolist() == [1, 1]
    assert grid.everything(2)[2].tolist() == [[False, True]] * 2


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
