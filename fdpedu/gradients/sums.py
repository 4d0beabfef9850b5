"""The exact sums that a party computes: pulls by leaf, and pulls and curvatures of all its rows. Pure, integers.

Claims: lem-one-leaf-a-tree, lem-intercept-sums
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import Integers, sums_at
from fdpedu.gradients.additive import packed
from fdpedu.gradients.table import curvatures, positions, pulls


def pull_sums(leaves: NDArray[np.uint8], n_leaves: int, pull: Integers) -> Integers:
    """Σ of the pulls of the rows of each leaf of each tree: integers of shape (trees, leaves).

    Where a pull is a vector, of shape (n, classes), the sums have the shape (trees, leaves, classes).

    Claims: lem-one-leaf-a-tree

    Parameters
    ----------
    leaves : the leaf of each row in each tree, shape (trees, n)
    n_leaves : of a tree
    pull : of each row, shape (n,) or (n, classes), at most 4096 in absolute value; n < 2^40

    Examples
    --------
    >>> pull_sums(np.array([[0, 1, 1], [0, 0, 0]], dtype=np.uint8), 2, np.array([5, -2, 1])).tolist()
    [[5, -1], [4, 0]]
    """
    if pull.ndim > 1:
        return np.stack([pull_sums(leaves, n_leaves, one) for one in pull.T], axis=-1)
    exact = pull.astype(np.float64)  # floats of 53 bits add up integers exactly, as long as no sum is longer
    found = list[NDArray[np.float64]]()
    for which, code in packed(leaves, n_leaves):
        several = len(leaves[which])
        table = sums_at(code, exact, n_leaves**several).reshape((n_leaves,) * several)
        # each tree's sums are those of all leaves of the others
        found += [table.sum(axis=tuple(j for j in range(several) if j != i)) for i in range(several)]
    return np.array(found).astype(np.int64)


def intercept_sums(scores: Integers, labels: NDArray[np.uint8], steps: int) -> Integers:
    """(Σ pulls clipped at m/2, Σ curvatures) of all rows.

    Claims: lem-intercept-sums

    Parameters
    ----------
    scores : of each row, in units of 1/4096
    labels : 0 or 1
    steps : m, even

    Examples
    --------
    >>> intercept_sums(np.array([0, 0, 4096]), np.array([0, 1, 1], dtype=np.uint8), 64).tolist()
    [-17, 44]
    """
    at = positions(scores)
    return np.array([pulls(steps, steps // 2)[labels, at].sum(), curvatures(steps)[at].sum()])
