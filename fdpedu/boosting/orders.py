"""What a tree says of each of its features by itself, and what only of several together: ANOVA on a few leaves.

A tree's leaves are the cells of a product: of k questions about k features, or of the intervals of one feature. If
features are independent, a leaf's share μ is the product of its sides' shares. Then weights are, in one way only, a
mean, a main effect of each factor, and a rest that has no mean over any of them. The three are orthogonal.

Arrays have the trees of a round on their first axis. ``sides`` of shape (trees, factors, levels) are the shares of the
sides that each question has, or of the intervals; leaves are numbered with the first factor as the first digit.

Claims: lem-orders-apart, lem-noise-of-interactions
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import as_indices

Floats = NDArray[np.float64]


def leaf_shares(sides: Floats) -> Floats:
    """The share of each leaf, the product of those of its sides: shape (trees, leaves).

    >>> leaf_shares(np.array([[[0.5, 0.5], [0.25, 0.75]]])).tolist()
    [[0.125, 0.375, 0.125, 0.375]]
    """
    found = np.ones((len(sides), 1))
    for side in sides.swapaxes(0, 1):
        found = (found[:, :, None] * side[:, None, :]).reshape(len(sides), -1)
    return found


def orders_apart(weights: Floats, sides: Floats) -> tuple[Floats, Floats, Floats]:
    """The mean of each tree, the main effect of each side, and the rest, which only several features make together.

    Claims: lem-orders-apart

    Parameters
    ----------
    weights : of the leaves, shape (trees, leaves), 0 in a leaf of no share
    sides : shares, shape (trees, factors, levels)

    Returns
    -------
    shapes (trees,), (trees, factors, levels) and (trees, leaves); 0 where a share is 0

    Examples
    --------
    >>> mean, main, rest = orders_apart(np.array([[0.0, 0.0, 0.0, 4.0]]), np.full((1, 2, 2), 0.5))
    >>> mean.tolist(), main.tolist(), rest.tolist()
    ([1.0], [[[-1.0, 1.0], [-1.0, 1.0]]], [[1.0, -1.0, -1.0, 1.0]])
    """
    n, factors, levels = sides.shape
    shares = leaf_shares(sides)
    moved = shares * weights
    mean = moved.sum(axis=1)
    main = np.empty_like(sides)
    for i in range(factors):
        # the mean over all leaves that answer so, less that over all leaves
        total = moved.reshape(n, levels**i, levels, -1).sum(axis=(1, 3))
        main[:, i] = np.divide(
            total, sides[:, i], out=np.repeat(mean[:, None], as_indices(levels), 1), where=sides[:, i] > 0
        )
    main -= mean[:, None, None]
    rest = np.where(shares > 0, weights - mean[:, None] - of_leaves(main), 0.0)
    return mean, main, rest


def of_leaves(main: Floats) -> Floats:
    """What the main effects of a leaf's sides add up to: shape (trees, leaves)."""
    found = np.zeros((len(main), 1))
    for effect in main.swapaxes(0, 1):
        found = (found[:, :, None] + effect[:, None, :]).reshape(len(main), -1)
    return found


def noise_of_interactions(variances: Floats, sides: Floats) -> Floats:
    """What Σ μ·rest² of each tree is expected to be if its weights are noise of these variances: shape (trees,).

    Claims: lem-noise-of-interactions

    >>> noise_of_interactions(np.ones((1, 4)), np.full((1, 2, 2), 0.5)).tolist()  # one of four dimensions
    [0.25]
    """
    shares = leaf_shares(sides)
    kept = 1.0 - shares
    for i in range(sides.shape[1]):
        others = sides.copy()
        others[:, i] = 1.0
        own = np.ones_like(sides)
        own[:, i] = sides[:, i]
        # lem-noise-of-interactions: its own noise less its part in the mean, and in the main effect of this side
        kept -= (1.0 - leaf_shares(own)) * leaf_shares(others)
    return np.asarray((shares * variances * kept).sum(axis=1))
