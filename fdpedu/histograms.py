"""Chapter 7. Federated private histograms, and impurity from noisy counts.

One class × bin histogram of a feature costs one ε, although it has many cells: a record is counted in one of them.
This is the report's Algorithm 3, with integer noise shares in place of real ones; Algorithm 4 computes the impurity
of every bin border from the released counts, which is post-processing and free.

Algorithm 4 as printed puts negative counts into p̂(1−p̂), and the smallest "impurity" then belongs to nonsense.
Clipping the cells at 0 first is post-processing too. The printed rule stays available as :func:`impurity_as_printed`.

Claims: thm-histogram
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.cart import scaled_half_gini
from fdpedu.domain import Region
from fdpedu.exact import Rational, as_floats, as_positive_fraction, require_type
from fdpedu.federation import ClassHistogram, Federation


def private_histogram(
    federation: Federation, feature: int | str, epsilon: Rational, region: Region | None = None
) -> NDArray[np.int64]:
    """Algorithm 3: the noisy class × bin counts of one feature, summed over all parties.

    ε-DP for add/remove, against an outsider and ``federation.tolerate`` colluders; one round. Counts may be negative.

    Claims: thm-histogram

    Parameters
    ----------
    federation : the parties, and the ledger that is charged before anything is drawn or sent
    feature : its name or its index in the domain
    epsilon : the cost, greater than 0, read exactly
    region : the records that are counted; all of them when left out

    Returns
    -------
    Integers of shape (codes, classes), the codes of the feature in the domain's order.

    Raises
    ------
    BudgetExceeded
        If the ledger refuses the round; then nothing is released and nothing charged.
    """
    require_type(federation, Federation, "federation")
    position = federation.domain.index(feature) if isinstance(feature, str) else feature
    where = region if region is not None else federation.domain.everything
    return federation.release([ClassHistogram(where, as_positive_fraction(epsilon, "epsilon"), position)])[0]


def clip(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Counts below 0 become 0.

    This is post-processing; it raises a cell of true count c by about (b/2)·e^{−c/b}, b the noise scale.
    """
    return np.maximum(counts, 0)


def impurity_from_counts(counts: ArrayLike) -> NDArray[np.float64]:
    """Algorithm 4, mended: G of the split at each inner bin border from noisy counts, clipped at 0.

    An empty side counts 0; if all cells are clipped away, every G is 0.

    Parameters
    ----------
    counts : integers of any sign, shape (r, C): one row a bin, in the order of the bins

    Returns
    -------
    G for each of the r − 1 inner borders.

    Examples
    --------
    >>> impurity_from_counts([[4, -1], [1, 1], [0, 5]]).round(3).tolist()
    [0.078, 0.076]
    """
    cells = np.maximum(as_floats(counts, "counts", ndim=2), 0)
    left = np.cumsum(cells, axis=0)[:-1]
    n = cells.sum()
    return (scaled_half_gini(left) + scaled_half_gini(cells.sum(axis=0) - left)) / max(n, 1)


def impurity_as_printed(counts: ArrayLike) -> NDArray[np.float64]:
    """Algorithm 4 as the report prints it, on raw noisy counts of two classes.

    The result is negative, infinite or NaN where such counts make it so.

    >>> float(impurity_as_printed([[4, -1], [1, 1], [0, 5]])[0]) < 0  # "better" than a perfect split
    True
    """
    cells = as_floats(counts, "counts", ndim=2)
    if cells.shape[1] != 2:
        raise ValueError(f"counts must have two classes, got {cells.shape[1]}")
    left = np.cumsum(cells, axis=0)[:-1]
    right = cells.sum(axis=0) - left
    n_left, n_right = left.sum(axis=1), right.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        p_left, p_right = left[:, 1] / n_left, right[:, 1] / n_right
        return (n_left * p_left * (1 - p_left) + n_right * p_right * (1 - p_right)) / (n_left + n_right)
