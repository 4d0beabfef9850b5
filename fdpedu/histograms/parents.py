"""A tree as the list of its nodes' parents, read and gone through level by level."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.exact import as_integers, occurrences


def as_parents(parents: ArrayLike) -> NDArray[np.int64]:
    """The parents of a tree's nodes as an array; refused unless each node comes after its parent.

    Parameters
    ----------
    parents : for each node the index of its parent; −1 for node 0, which is the root and the only one

    Examples
    --------
    >>> as_parents([-1, 0, 0, 2]).tolist()
    [-1, 0, 0, 2]
    """
    above = as_integers(parents, "parents")
    if above.ndim != 1 or not len(above) or above[0] != -1:
        raise ValueError("parents must be a list of indices that begins with the root's, which is -1")
    wrong = np.flatnonzero((above[1:] < 0) | (above[1:] >= np.arange(1, len(above), dtype=np.int64)))
    if len(wrong):
        node = int(wrong[0]) + 1
        raise ValueError(
            f"parents[{node}] must be the index of an earlier node, from 0 to {node - 1}, got {above[node]}"
        )
    return above


def is_inner(above: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which nodes have children."""
    return occurrences(above[1:], len(above)) > 0


def children_of(above: NDArray[np.int64]) -> list[list[int]]:
    """For each node its children, in their order.

    >>> children_of(as_parents([-1, 0, 0, 2]))
    [[1, 2], [], [3], []]
    """
    children: list[list[int]] = [[] for _ in above]
    for child, parent in enumerate(above[1:].tolist(), 1):
        children[parent].append(child)
    return children


def levels_of(above: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The nodes of each depth, from the root down.

    >>> [level.tolist() for level in levels_of(as_parents([-1, 0, 1, 0]))]
    [[0], [1, 3], [2]]
    """
    depths, levels = [0], [[0]]
    for node, parent in enumerate(above[1:].tolist(), 1):
        depths.append(depths[parent] + 1)
        if depths[node] == len(levels):
            levels.append([])
        levels[depths[node]].append(node)
    return [np.array(level, dtype=np.int64) for level in levels]
