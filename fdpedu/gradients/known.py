"""What a party keeps between two questions: sums of trees that it knows, and leaves that it was asked about.

Claims: lem-one-leaf-a-tree
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain import Codes
from fdpedu.exact import Integers
from fdpedu.gradients.additive import (
    AdditiveModel,
    Questions,
    TreeShapes,
    WeightedTrees,
    add_weights,
    no_sums,
    sums_of,
)
from fdpedu.gradients.vectors import VectorModel

MAX_KEPT = 2**26  # leaves, a byte each


class KnownSums:
    """What the trees of a model add up to on the rows of one party, kept for the next model that begins with them.

    Kept are also the leaves of the trees that were last asked about: these are the ones that the next model has more.
    It is no state: a model that begins otherwise is added up anew, so the sums are always those of the model asked for.

    Parameters
    ----------
    columns : the codes of all records, shape (p, n)
    """

    def __init__(self, columns: Codes) -> None:
        self._columns, self._every = columns, np.arange(columns.shape[1], dtype=np.intp)
        self._known: tuple[WeightedTrees, Integers] = (), np.zeros(columns.shape[1], dtype=np.int64)
        self._asked: tuple[tuple[Questions, ...], NDArray[np.uint8]] = (), np.zeros((0, len(self._every)), np.uint8)

    def leaves(self, shapes: TreeShapes) -> NDArray[np.uint8]:
        """The leaf of each record in each tree."""
        trees, found = self._asked  # read at once, and replaced at once: another thread may ask as well
        if shapes.trees != trees:
            found = shapes.leaves(self._columns, self._every)
            if found.size <= MAX_KEPT:
                self._asked = shapes.trees, found
        return found

    def of(self, model: AdditiveModel | VectorModel) -> Integers:
        """The scores of all records by this model: of each record one, or of a model of vectors one for each class."""
        trees, sums = self._known
        if not trees or model.trees[: len(trees)] != trees:
            trees, sums = (), no_sums(len(self._every), model.n_scores)
        # lem-one-leaf-a-tree: a function of the model that stands in the question, and of the row
        sums = sums + self._added(model.trees[len(trees) :], model.n_scores)
        self._known = model.trees, sums
        return model.scores_of(sums)

    def _added(self, trees: WeightedTrees, n_scores: int) -> Integers:
        """What these trees add up to; the leaves may be known, as they were asked about."""
        asked, leaves = self._asked
        if tuple(questions for questions, _ in trees) != asked or not trees:
            return sums_of(trees, self._columns, self._every, n_scores)
        found = no_sums(len(self._every), n_scores)
        add_weights(found, leaves, [weights for _, weights in trees])
        return found
