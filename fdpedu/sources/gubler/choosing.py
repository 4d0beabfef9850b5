"""What is made of released counts, for many nodes at once: stopping, splits, removed features. Post-processing only.

All arrays have the nodes first: counts (nodes, p, 2, bins), totals (nodes, p, 2). Each rule is there as printed and as
the published code has it, by the switch of :class:`fdpedu.sources.gubler.faults.Faults` that it is named by.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fdpedu.sources.gubler.faults import Faults
from fdpedu.sources.gubler.setting import MIN_SAMPLES

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
MARGIN = 0.3


class Chosen(NamedTuple):
    """For each node: is there a split, its feature, its last bin on the left, and which features were asked about."""

    found: Bools
    feature: NDArray[np.int64]
    border: NDArray[np.int64]
    visited: Bools


def scaled_impurities(counts: Floats, *, clipped_shares: bool) -> Floats:
    """n·G of each split between two bins, (nodes, p, bins − 1); ∞ where there is none.

    A side with a rows of class 0 and b of class 1 has n·p̂(1−p̂) = ab/(a+b). As printed, counts are taken as they are,
    whatever their sign; 0/0 is passed over. With ``clipped_shares`` sides ≤ 0 are passed over, and p̂ is clipped at 0
    and 1, so a side with a negative count is pure.

    >>> scaled_impurities(np.array([[[[4, 1.0], [0, 1]]]]), clipped_shares=False)
    array([[[0.5]]])
    """
    # Not scores_as_printed of tree.py: n·p̂(1−p̂) rounds otherwise, and a stored tree hangs on the last digit.
    running = counts.cumsum(axis=3)
    left = running[..., :-1]
    score, allowed = np.zeros(left[:, :, 0].shape), np.ones(left[:, :, 0].shape, dtype=bool)
    for side in (left, running[..., -1:] - left):
        n, product = side[:, :, 0] + side[:, :, 1], side[:, :, 0] * side[:, :, 1]
        if clipped_shares:
            allowed &= n > 0
            np.maximum(product, 0, out=product)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            score += np.divide(product, n, out=product)
    return np.where(allowed & ~np.isnan(score), score, np.inf)


def impurities(counts: Floats, *, clipped_shares: bool) -> Floats:
    """G of each split between two bins: n·G over the noisy total n, which may be negative; ∞ where there is none.

    >>> impurities(np.array([[[[1.0, -3], [1, -2]]]]), clipped_shares=False).round(3)
    array([[[0.233]]])
    """
    nG = scaled_impurities(counts, clipped_shares=clipped_shares)
    with np.errstate(divide="ignore", invalid="ignore"):
        G = nG / counts.sum(axis=(2, 3))[:, :, None]
    return np.where((nG == np.inf) | np.isnan(G), np.inf, G)


def choose_split(counts: Floats, faults: Faults) -> Chosen:
    """Algorithm 5: the least G over all features and borders, the first of equals."""
    G = impurities(counts, clipped_shares=faults.clipped_shares)
    flat = G.reshape(len(G), -1)
    best = flat.argmin(axis=1)
    feature, border = np.divmod(best, G.shape[2])
    found = flat[np.arange(len(G), dtype=np.int64), best] < np.inf
    return Chosen(found, feature, border, np.ones(counts.shape[:2], dtype=bool))


def choose_and_remove(counts: Floats, bounds: Floats, faults: Faults) -> Chosen:
    """Algorithm 6: features in ascending order of their bounds; a bound above n·(the least G so far) removes its own.

    A feature that is removed before its turn is not asked about: its counts stand in ``counts``, and nothing is made
    of them. A feature's border is that of its least G. With ``own_totals`` n·G is compared, each with its own n, and a
    feature's border is that of its least n·G; as printed G is compared, and n is the latest.

    Claims: lem-unvisited

    Parameters
    ----------
    counts : noisy counts of all features, (nodes, p, 2, bins)
    bounds : noisy lower bounds, (nodes, p)
    faults : which rules
    """
    nodes, p = bounds.shape
    score_of = scaled_impurities if faults.own_totals else impurities
    of_borders = score_of(counts, clipped_shares=faults.clipped_shares)
    border_of, scores = of_borders.argmin(axis=2), of_borders.min(axis=2)
    totals, every = counts.sum(axis=(2, 3)), np.arange(nodes, dtype=np.int64)
    best, limit = np.full(nodes, np.inf), np.full(nodes, np.inf)
    feature, visited = np.zeros(nodes, dtype=np.int64), np.zeros((nodes, p), dtype=bool)
    order = bounds.argsort(axis=1, kind="stable")
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for j in order.T:
            asked = bounds[every, j] <= limit
            visited[every, j] = asked
            better = asked & (scores[every, j] < best)
            best, feature = np.where(better, scores[every, j], best), np.where(better, j, feature)
            reached = best if faults.own_totals else np.where(best == np.inf, np.inf, totals[every, j] * best)
            limit = np.where(asked & (reached < limit), reached, limit)
    return Chosen(best < np.inf, feature, border_of[every, feature], visited)


def stops(totals: Floats, visited: Bools, faults: Faults, *, saving: bool) -> Bools:
    """Which nodes become leaves: all features that were asked count too few rows, or one class only.

    Parameters
    ----------
    totals : noisy totals of each feature and class, (nodes, p, 2)
    visited : which features were asked about, (nodes, p)
    faults : ``own_stopping``: 10 rows are too few, where the report says fewer than 10; and Algorithm 6 finds one class
        where every feature finds some class missing, where the report wants them to agree which
    saving : whether this is Algorithm 6

    Examples
    --------
    >>> stops(np.array([[[9.0, 1]], [[9, 2]], [[20, 0]]]), np.ones((3, 1), dtype=bool), Faults(), saving=False).tolist()
    [False, False, True]
    """
    n = totals.sum(axis=2)
    few = n <= MIN_SAMPLES if faults.own_stopping else n < MIN_SAMPLES
    missing: Bools = np.asarray(totals <= 0)
    unseen = ~visited
    if faults.own_stopping and saving:
        one_class = (missing.any(axis=2) | unseen).all(axis=1)
    else:
        one_class = np.asarray((missing | unseen[:, :, None]).all(axis=1)).any(axis=1)
    return np.asarray((few | unseen).all(axis=1) | one_class)


def leaf_labels(counts: Floats, faults: Faults) -> NDArray[np.int64]:
    """The class of the larger noisy count, (nodes, 2) → (nodes,); class 0 of equals, and within the margin.

    >>> counts = np.array([[2, 2.2], [2, 3]])
    >>> leaf_labels(counts, Faults()).tolist(), leaf_labels(counts, Faults(leaf_margin=True)).tolist()
    ([1, 1], [0, 1])
    """
    difference = counts[:, 1] - counts[:, 0]
    return (difference >= MARGIN if faults.leaf_margin else difference > 0).astype(np.int64)
