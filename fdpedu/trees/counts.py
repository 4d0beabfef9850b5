"""The counts that a tree shows: they add up, and all that was released of its nodes goes into them.

Of each inner node there are p histograms, whose totals all estimate its class counts; of each leaf there are the counts
that were released for it, and where it was made early its histograms, too. Each of these *views* has a noise of known
variance. Views of one node are averaged in proportion to the inverses of their variances; then follow least squares on
the tree (:func:`fdpedu.histograms.consistent_totals`) and rounding from the root down
(:func:`fdpedu.histograms.round_with_sums`).

A leaf predicts from its estimate before the rounding. Its label and its class shares would be taken from the integers
at a loss: with few rows and little budget half of the leaves show zeros. (Measured: `benchmarks/consistency.py`.) The
totals of the two sides that stand in a node's chosen histogram are no views of the sides: they were chosen by their own
noise, and with them nothing gets better.

Claims: lem-tree-counts, lem-consistency-free
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from fdpedu.cart import CodeSplit, Node
from fdpedu.histograms import consistent_totals, round_with_sums

T = TypeVar("T")
_LEAST_VARIANCE = 1e-60  # a budget beyond all need has a noise whose variance is no float
UNKNOWN = 1e90
"""The variance of a view that says nothing: beside it, no other view gives way."""


@dataclass(frozen=True)
class View:
    """Class counts of a node as they were released, and the variance of the noise in each of them."""

    counts: NDArray[np.int64] | NDArray[np.float64]
    variance: float


def combined(views: Sequence[View]) -> View:
    """The inverse-variance mean of views of one node, and its variance.

    >>> combined([View(np.array([8, 2]), 2.0), View(np.array([5, 2]), 1.0)]).counts.round(9).tolist()
    [6.0, 2.0]
    """
    if len(views) == 1:
        return views[0]
    weights = np.array([1 / max(view.variance, _LEAST_VARIANCE) for view in views])
    mean = weights @ np.array([view.counts for view in views]) / weights.sum()
    return View(mean, float(1 / weights.sum()))


def estimates_and_counts(
    parents: Sequence[int], views: Sequence[Sequence[View]]
) -> tuple[list[tuple[float, ...]], list[tuple[int, ...]]]:
    """The least-squares estimates of a tree's class counts, in thousandths; and integers ≥ 0 near them that add up.

    Claims: lem-tree-counts

    Parameters
    ----------
    parents : for each node the index of its parent, which comes before it; −1 for the root, which is node 0
    views : for each node what was released of it, at least one view

    Examples
    --------
    >>> one, two, three = (View(np.array(counts), 1.0) for counts in ([7, 1], [3, 1], [1, -3]))
    >>> estimates_and_counts([-1, 0, 0], [[one], [two], [three]])
    ([(6.0, 0.0), (4.0, 2.0), (2.0, -2.0)], [(6, 0), (4, 0), (2, 0)])
    """
    best = [combined(of_node) for of_node in views]
    variances = np.maximum([view.variance for view in best], _LEAST_VARIANCE)
    estimates = consistent_totals(parents, np.array([view.counts for view in best]), variances)
    counts = round_with_sums(parents, estimates)
    return [tuple(found) for found in (estimates.round(3) + 0.0).tolist()], [tuple(found) for found in counts.tolist()]


def in_order(root: T, sides: Callable[[T], Sequence[T]]) -> tuple[list[T], list[int]]:
    """The nodes of a tree, each before its sides, and for each the index of its parent, −1 for the root."""
    nodes, parents = [root], [-1]
    for i, node in enumerate(nodes):  # grows meanwhile
        nodes += sides(node)
        parents += [i] * len(sides(node))
    return nodes, parents


def built(
    parents: Sequence[int],
    splits: Sequence[CodeSplit | None],
    counts: Sequence[tuple[int, ...]],
    estimates: Sequence[tuple[float, ...]],
) -> Node:
    """The tree with these counts; a leaf keeps its estimate where that says more than its counts."""
    sides: list[list[Node]] = [[] for _ in parents]
    for i in reversed(range(len(parents))):
        finer = None if sides[i] or estimates[i] == counts[i] else estimates[i]
        node = Node(counts[i], splits[i], *reversed(sides[i]), estimate=finer)
        if parents[i] < 0:
            return node
        sides[parents[i]].append(node)
    raise AssertionError("a tree has a root")
