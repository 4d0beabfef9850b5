"""Where a table is read, and how often each place is: the two types of integers that the machine would choose.

NumPy's own positions, and what it counts, have 64 bits on most machines and 32 in a browser. There ``take``,
``repeat``, ``reduceat`` and ``bincount`` refuse positions of 64 bits, and counts of 32 overflow in the next product. So
positions are cast here, for these four, and counts have 64 bits everywhere.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def as_indices(value: ArrayLike) -> NDArray[np.intp]:
    """The same positions, in the machine's own type; where that is theirs, the same array.

    >>> as_indices(np.array([2, 0], dtype=np.uint8)).tolist(), as_indices([]).tolist()
    ([2, 0], [])
    """
    found = np.asarray(value)
    # of no positions NumPy makes floats
    return found.astype(np.intp, casting="same_kind" if found.size else "unsafe", copy=False)


def occurrences(codes: ArrayLike, size: int) -> NDArray[np.int64]:
    """How often each of the codes 0, 1, …, size − 1 stands in an array of one dimension: int64, (size,).

    >>> occurrences(np.array([2, 0, 2], dtype=np.uint8), 4).tolist()
    [1, 0, 2, 0]
    """
    return np.bincount(as_indices(codes), minlength=size).astype(np.int64, copy=False)


def sums_at(codes: ArrayLike, weights: ArrayLike, size: int) -> NDArray[np.float64]:
    """Sum of the weights at each of the codes 0, 1, …, size − 1: floats, (size,).

    >>> sums_at(np.array([2, 0, 2]), np.array([1.0, 2.0, 0.5]), 3).tolist()
    [2.0, 0.0, 1.5]
    """
    return np.bincount(as_indices(codes), weights=weights, minlength=size).astype(np.float64, copy=False)
