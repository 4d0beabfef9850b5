"""What was learnt of the nodes of many trees, and what their leaves predict from it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fdpedu.histograms import consistent_totals
from fdpedu.simulation.grid import Floats
from fdpedu.simulation.plan import Views
from fdpedu.simulation.search import Indices

_LEAST_VARIANCE = 1e-60  # as in fdpedu.trees.counts


class Forest:
    """The trees of all runs as one list of nodes, level by level; the roots come first.

    Parameters
    ----------
    trees : how many
    n_classes : C
    """

    def __init__(self, trees: int, n_classes: int) -> None:
        self.first, self._n_classes = 0, n_classes
        self._parents = [np.full(trees, -1, dtype=np.int64)]
        self._counts, self._variances = list[Floats](), list[Floats]()

    def learn(self, views: Views | None, leaf: Indices, released: Floats, variance: float) -> None:
        """Take note of the deepest level: views of its nodes, if there are any, and what its leaves released.

        Parameters
        ----------
        views : of all nodes of the level
        leaf : which of them are leaves
        released : their class counts, shape (leaves, C)
        variance : of the noise in these; infinite if they say nothing
        """
        nodes = len(self._parents[-1])
        counts, variances = views or Views(np.zeros((nodes, self._n_classes)), np.full(nodes, np.inf))
        own, other = 1 / max(variance, _LEAST_VARIANCE), 1 / np.maximum(variances[leaf], _LEAST_VARIANCE)
        weights = np.stack([other, np.full(len(leaf), own)])
        means = weights[0][:, None] * counts[leaf] + weights[1][:, None] * released
        counts, variances = counts.copy(), variances.copy()
        counts[leaf] = released if views is None else means / weights.sum(axis=0)[:, None]
        variances[leaf] = 1 / weights.sum(axis=0)
        self._counts.append(counts)
        self._variances.append(variances)

    def grow(self, parents: Indices) -> None:
        """Add a level: of each new node, where its parent stands in the level above."""
        above = self.first
        self.first += len(self._parents[-1])
        self._parents.append(above + parents)

    def labels(self, *, reconciled: bool) -> NDArray[np.int64]:
        """The class that each node predicts as a leaf, ties to the first.

        Parameters
        ----------
        reconciled : from the totals that add up and come nearest to all views; else from the views as they are
        """
        counts = np.concatenate(self._counts)
        return (self._reconciled(counts) if reconciled else counts).round(3).argmax(axis=1)

    def _reconciled(self, counts: Floats) -> Floats:
        """Least squares on all trees at once: they hang at one more node, of which nothing is known."""
        parents = np.concatenate([[-1], np.concatenate(self._parents) + 1])
        variances = np.maximum(np.concatenate(self._variances), _LEAST_VARIANCE)
        views = np.concatenate([np.zeros((1, self._n_classes)), counts])
        return consistent_totals(parents, views, [None, *variances.tolist()])[1:]
