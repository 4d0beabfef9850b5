"""Impurity from noisy counts: the report's Algorithm 4, mended by clipping the counts at 0 first."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.cart import scaled_half_gini
from fdpedu.exact import as_floats

MAX_COUNT = 2**53


def clip(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Counts below 0 become 0.

    This is post-processing. It raises the mean of a cell of true count c by ``clipping_bias(c, …)``, about
    (b/2)·e^{−c/b} for the noise scale b.

    Claims: lem-clipping
    """
    return np.maximum(counts, 0)


def impurity_from_counts(counts: ArrayLike) -> NDArray[np.float64]:
    """Algorithm 4, mended: G of the split at each inner bin border from noisy counts, clipped at 0.

    An empty side counts 0; if all cells are clipped away, every G is 0. Any number of classes; half the field's Gini.

    Claims: alg-noisy-impurity

    Parameters
    ----------
    counts : of any sign, within ±2**53, shape (r, C): one row a bin, in the order of the bins

    Returns
    -------
    G for each of the r − 1 inner borders.

    Examples
    --------
    >>> impurity_from_counts([[4, -1], [1, 1], [0, 5]]).round(3).tolist()
    [0.078, 0.076]
    """
    # alg-noisy-impurity: clipped first, so that all shares lie in [0, 1]
    cells = np.maximum(as_table(counts), 0)
    left = np.cumsum(cells, axis=0)[:-1]
    n = cells.sum()
    return (scaled_half_gini(left) + scaled_half_gini(cells.sum(axis=0) - left)) / (n if n > 0 else 1)


def as_table(counts: ArrayLike) -> NDArray[np.float64]:
    """Counts of two dimensions, small enough that their squares can be added up."""
    cells = as_floats(counts, "counts", ndim=2)
    if not (np.abs(cells) <= MAX_COUNT).all():  # nor is NaN
        raise ValueError("counts must lie within ±2**53, where floats are whole numbers")
    return cells
