"""The best threshold of each feature at a node, as CART chooses it.

A threshold lies halfway between two neighbouring values of the rows; the best one leaves the least loss on its two
sides together. The loss of rows is n times their Gini impurity, or the sum of squared distances from their mean. Of
equals the smallest threshold is taken, and equal means: equal but for the error of floats.

Not guaranteed: privacy. A threshold is a function of two patients' values.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import occurrences

Floats = NDArray[np.float64]
_ERROR = 1e-9  # of floats, as a share of the node's loss


class Best(NamedTuple):
    """For each feature the least loss that a threshold leaves, infinite if it has one value only; and the threshold."""

    losses: Floats
    thresholds: Floats


def best_thresholds(columns: Floats, targets: NDArray[Any], n_classes: int) -> Best:
    """The best threshold of every column.

    Parameters
    ----------
    columns : shape (n, q), n ≥ 1
    targets : positions of classes, or numbers if ``n_classes`` is 0; shape (n,)
    n_classes : C, or 0 for numbers

    Examples
    --------
    >>> best_thresholds(np.array([[1.0, 0.0], [2.0, 0.0], [6.0, 0.0]]), np.array([0, 0, 1]), 2)
    Best(losses=array([ 0., inf]), thresholds=array([ 4., nan]))
    """
    order = np.argsort(columns, axis=0, kind="stable")
    ordered = np.take_along_axis(columns, order, axis=0)
    losses = (_gini if n_classes else _squares)(targets, n_classes, order)
    losses[ordered[:-1] == ordered[1:]] = np.inf
    least = losses.min(axis=0, initial=np.inf)
    divides = np.isfinite(least)
    if not divides.any():
        return Best(least, np.full(len(least), np.nan))
    at = (losses <= least + _slack(targets, n_classes)).argmax(axis=0)
    here = np.arange(len(least), dtype=np.int64)
    middle = _between(ordered[at, here], ordered[at + 1, here])
    return Best(least, np.where(divides, middle, np.nan))


def first_of_least(losses: Floats, targets: NDArray[Any], n_classes: int) -> int | None:
    """The first of the features that leave the least; None if none divides the rows."""
    least = losses.min()
    return int((losses <= least + _slack(targets, n_classes)).argmax()) if np.isfinite(least) else None


def loss_of(targets: NDArray[Any], n_classes: int) -> float:
    """The loss of rows in one leaf."""
    if n_classes:
        counts = occurrences(targets, n_classes)
        return float(len(targets) - (counts @ counts) / len(targets))
    centred = targets - targets.mean()
    return float(centred @ centred)


def _slack(targets: NDArray[Any], n_classes: int) -> float:
    return _ERROR * loss_of(targets, n_classes)


def _between(low: Floats, high: Floats) -> Floats:
    """Halfway, and never as much as ``high``: a row is left iff it is at most the threshold."""
    with np.errstate(over="ignore"):
        middle = low + (high - low) / 2
    return np.where(middle < high, middle, low)


def _gini(targets: NDArray[Any], n_classes: int, order: NDArray[np.intp]) -> Floats:
    """What each cut leaves, shape (n − 1, q)."""
    one_hot = (targets[:, None] == np.arange(n_classes, dtype=np.int64)).astype(np.float64)
    counts = np.cumsum(one_hot[order], axis=0)
    left, right = counts[:-1], counts[-1] - counts[:-1]
    n, n_left = len(targets), np.arange(1, len(targets), dtype=np.int64)[:, None]
    return np.asarray(n - np.square(left).sum(-1) / n_left - np.square(right).sum(-1) / (n - n_left))


def _squares(targets: NDArray[Any], _: int, order: NDArray[np.intp]) -> Floats:
    """The same for squared distances: they are taken from the node's mean first, for the sake of floats."""
    centred = targets - targets.mean()
    sums = np.cumsum(centred[order], axis=0)
    left, right = sums[:-1], sums[-1] - sums[:-1]
    n, n_left = len(targets), np.arange(1, len(targets), dtype=np.int64)[:, None]
    return np.asarray(centred @ centred - np.square(left) / n_left - np.square(right) / (n - n_left))
