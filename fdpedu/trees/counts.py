"""The counts that a tree shows: they add up, and all that was released of its nodes goes into them.

Of each inner node there are p histograms, whose totals all estimate its class counts; of each leaf there are the counts
that were released for it, and where it was made early its histograms, too. Each of these *views* has a noise of known
variance. Views of one node are averaged in proportion to the inverses of their variances; then follow least squares on
the tree (:func:`fdpedu.histograms.consistent_totals`) and rounding from the root down
(:func:`fdpedu.histograms.round_with_sums`).

Claims: lem-consistency-free
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fdpedu.histograms import consistent_totals, round_with_sums

_LEAST_VARIANCE = 1e-60  # a budget beyond all need has a noise whose variance is no float


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
    weights = np.array([1 / max(view.variance, _LEAST_VARIANCE) for view in views])
    mean = weights @ np.array([view.counts for view in views]) / weights.sum()
    return View(mean, float(1 / weights.sum()))


def counts_that_add_up(parents: Sequence[int], views: Sequence[Sequence[View]]) -> list[tuple[int, ...]]:
    """The class counts of a tree's nodes: integers ≥ 0, each inner node's the sum of its children's.

    Parameters
    ----------
    parents : for each node the index of its parent, which comes before it; −1 for the root, which is node 0
    views : for each node what was released of it, at least one view
    """
    best = [combined(of_node) for of_node in views]
    estimates = consistent_totals(parents, [view.counts for view in best], [view.variance for view in best])
    return [tuple(counts) for counts in round_with_sums(parents, estimates).tolist()]
