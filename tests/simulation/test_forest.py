"""Leaves of many trees predict what those of each tree for itself would: from counts that add up, or as they are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.simulation.forest import Forest
from fdpedu.simulation.plan import Views
from fdpedu.trees.counts import View, estimates_and_counts


class Grown:
    """A forest of random trees of depth 3, and what was released of the nodes of each tree."""

    def __init__(self, seed, trees, classes, views):
        rng = np.random.default_rng(seed)
        self.forest, self.released = Forest(trees, classes), []
        self.parents = [[-1] for _ in range(trees)]
        self.views = [[] for _ in range(trees)]
        self.places = []  # of each node of the forest: its tree, and where it stands there
        tree_of, place = np.arange(trees), np.zeros(trees, dtype=int)
        for level in range(4):
            nodes = len(tree_of)
            self.places += list(zip(tree_of.tolist(), place.tolist(), strict=True))
            split = (rng.random(nodes) < 0.7) & (level < 3)
            leaf = np.flatnonzero(~split)
            known = (
                Views(rng.normal(0, 9, (nodes, classes)), rng.uniform(0.1, 9, nodes)) if views and level < 3 else None
            )
            counts = rng.integers(-9, 20, (len(leaf), classes)).astype(float)
            variance = float(rng.uniform(0.1, 9))
            self.forest.learn(known, leaf, counts, variance)
            self._note(known, leaf, counts, variance, tree_of)
            above = np.repeat(np.flatnonzero(split), 2)
            if not len(above):
                break
            self.forest.grow(above)
            tree_of, place = self._below(above, tree_of, place)

    def _note(self, known, leaf, counts, variance, tree_of):
        for node, tree in enumerate(tree_of):
            own = [View(known.counts[node], known.variance[node])] if known else []
            if node in leaf:
                own.append(View(counts[leaf.tolist().index(node)], variance))
            self.views[tree].append(own or [View(np.zeros(counts.shape[1]), 1e90)])

    def _below(self, above, tree_of, place):
        here = []
        for node in above:
            self.parents[tree_of[node]].append(int(place[node]))
            here.append(len(self.parents[tree_of[node]]) - 1)
        return tree_of[above], np.array(here)


@settings(max_examples=30)
@given(seed=st.integers(0, 10**6), trees=st.integers(1, 4), classes=st.integers(2, 3))
def test_reconciled_labels_are_those_of_least_squares_on_each_tree(seed, trees, classes):
    """Of all nodes, inner ones too; early leaves have two views. The first class of equals, in thousandths."""
    grown = Grown(seed, trees, classes, views=True)
    labels = grown.forest.labels(reconciled=True)
    for tree in range(trees):
        estimates, _ = estimates_and_counts(grown.parents[tree], grown.views[tree])
        own = [label for (t, _), label in zip(grown.places, labels, strict=True) if t == tree]
        order = [place for t, place in grown.places if t == tree]
        assert own == [int(np.argmax(estimates[place])) for place in order]


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), trees=st.integers(1, 3))
def test_other_leaves_predict_from_what_was_released_for_them(seed, trees):
    grown = Grown(seed, trees, 3, views=False)
    labels = grown.forest.labels(reconciled=False)
    for (tree, place), label in zip(grown.places, labels.tolist(), strict=True):
        view = grown.views[tree][place][-1]
        if view.variance < 1e90:
            assert label == int(np.argmax(view.counts))


@pytest.mark.parametrize("variance", [0.0, 1e-80])
def test_a_budget_beyond_all_need_has_a_view_of_nearly_no_variance(variance):
    """Its counts are then the estimate, and nothing is divided by 0."""
    forest = Forest(1, 2)
    views = Views(np.array([[9.0, 0.0]]), np.array([1.0]))
    forest.learn(views, np.array([0]), np.array([[1.0, 2.0]]), variance)
    assert forest.labels(reconciled=True).tolist() == [1]


def test_classes_are_equal_that_differ_by_less_than_a_thousandth():
    """The first of them is predicted; more than that tells."""
    forest = Forest(4, 3)
    released = np.array([[1.0001, 1.0004, 1.0004], [1.0, 1.002, 1.0015], [5.0, 5.0, 5.0004], [-3.0, -2.999, -2.9988]])
    forest.learn(None, np.arange(4), released, 1.0)
    assert forest.labels(reconciled=False).tolist() == [0, 1, 0, 1]
