"""CART against scikit-learn; names, labels and sizes of its trees."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from fdpedu.cart import Node, best_split, exact_scaled_half_gini, fit_cart
from fdpedu.domain import Domain, Numeric
from tests.support.records import ORDERS, SPECIAL, outline, special_rows, turned_about


def sklearn_nodes(tree):
    """Preorder list of (feature, threshold) or class counts of a scikit-learn tree."""
    t, pending, found = tree.tree_, [0], []
    while pending:
        i = pending.pop()
        counts = tuple(np.rint(t.value[i][0] * t.n_node_samples[i]).astype(int))
        if t.children_left[i] < 0:
            found.append(counts)
        else:
            found.append((int(t.feature[i]), float(t.threshold[i]), counts))
            pending += [int(t.children_right[i]), int(t.children_left[i])]
    return found


def has_ties(tree, X, y):
    """Whether some node on the way has two splits equally good: then trees may differ."""
    pending = [(tree.root, np.arange(len(y)))]
    while pending:
        node, rows = pending.pop()
        if node.split is None:
            continue
        seen = set()
        for j in range(X.shape[1]):
            for t in sorted(set(X[rows, j]))[:-1]:
                left = y[rows][X[rows, j] <= t]
                right = y[rows][X[rows, j] > t]
                seen.add(
                    (
                        exact_scaled_half_gini(np.bincount(left, minlength=3))
                        + exact_scaled_half_gini(np.bincount(right, minlength=3)),
                        j,
                        t,
                    )
                )
        values = sorted(value for value, *_ in seen)
        if len(values) > 1 and values[0] == values[1]:
            return True
        goes = node.split.goes_left(X[rows, node.split.feature])
        pending += [(node.left, rows[goes]), (node.right, rows[~goes])]
    return False


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(5, 40), st.integers(1, 4), st.integers(2, 6))
def test_the_same_tree_as_scikit_learn_without_ties(seed, n, depth, least):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 1000, (n, 3)).astype(float), rng.integers(0, 3, n)
    assume(len(set(y)) == 3)
    ours = fit_cart(X, y, max_depth=depth, min_samples_split=least)
    assume(not has_ties(ours, X, y))
    theirs = DecisionTreeClassifier(max_depth=depth, min_samples_split=least).fit(X, y)
    nodes = [
        node.counts if node.is_leaf else (node.split.feature, node.split.threshold, node.counts)
        for _, node in ours.nodes()
    ]
    assert nodes == sklearn_nodes(theirs)


small_data = st.integers(1, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.lists(st.integers(0, 5), min_size=2, max_size=2), min_size=n, max_size=n),
        st.lists(st.integers(0, 2), min_size=n, max_size=n),
    )
)


@settings(max_examples=60, deadline=None)
@given(small_data)
def test_the_same_impurity_as_a_scikit_learn_stump_with_ties(data):
    X, y = np.array(data[0], dtype=float), np.array(data[1])
    theirs = DecisionTreeClassifier(max_depth=1).fit(X, y).tree_
    best = best_split(X, y, 3) if len(set(y)) > 1 else None
    if theirs.node_count == 1:
        assert best is None
    else:
        scaled = (
            sum(theirs.impurity[i] * theirs.n_node_samples[i] for i in (1, 2)) / 2
        )  # theirs is gini, ours half of it
        assert best is not None and float(best.impurity) == pytest.approx(scaled)


def test_a_staircase_does_not_overflow():
    """Labels that alternate make the deepest trees; an unbounded one stops at depth 200."""
    X, y = np.arange(1500.0)[:, None], np.arange(1500) % 2
    assert fit_cart(X, y).depth <= 200


AGE = Domain([Numeric.grid("age", 0, 40, bins=4)], ("well", "ill"))


def test_trees_that_are_no_larger_than_they_must_be():
    assert fit_cart([[1], [2]], [0, 1]).depth == 1 and fit_cart([[1], [2]], [0, 1], min_samples_split=3).depth == 0
    assert fit_cart([[1], [2]], [0, 1], max_depth=0).depth == 0
    for options in ({}, {"grid": AGE}):
        pure = fit_cart([[1], [39]], ["ill", "ill"], **options)
        assert pure.root == Node(pure.root.counts) and sum(pure.root.counts) == 2


def test_names_that_are_given_or_found():
    rows, labels = [[1, 5], [2, 5]], [0, 1]
    assert fit_cart(rows, labels).feature_names == ("x0", "x1")
    assert fit_cart(rows, labels, feature_names=["u", "v"]).feature_names == ("u", "v")
    table = {"u": [1, 2], "v": [4, 3], "w": ["a", "b"]}
    assert fit_cart({"u": [1, 2], "v": [4, 3]}, labels).feature_names == ("u", "v")
    chosen = fit_cart(table, labels, feature_names=["v"])
    assert chosen.feature_names == ("v",) and str(chosen).count("v ≤ 3.5") == 1
    assert chosen.predict(table).tolist() == [0, 1]
    assert fit_cart(
        rows, ["well", "ill"], grid=Domain([Numeric.grid(n, 0, 9, bins=3) for n in "ab"], ("well", "ill"))
    ).feature_names == ("a", "b")


@pytest.mark.parametrize("seed", [1, 2])
def test_cart_on_a_grid_follows_features_and_classes(seed):
    rows = special_rows(600, seed)
    trees = []
    for order in ORDERS:
        turned, domain = turned_about(rows, *order)
        tree = fit_cart([row[:-1] for row in turned], [row[-1] for row in turned], grid=domain, max_depth=3)
        trees.append(outline(tree.root, tree))
    assert all(tree == trees[0] for tree in trees) and len(str(trees[0])) > 800
    doubled = fit_cart([row[:-1] for row in rows * 2], [row[-1] for row in rows * 2], grid=SPECIAL, max_depth=3)
    single = fit_cart([row[:-1] for row in rows], [row[-1] for row in rows], grid=SPECIAL, max_depth=3)
    both = list(zip(doubled.nodes(), single.nodes(), strict=True))
    assert all(a.split == b.split and a.counts == tuple(2 * n for n in b.counts) for (_, a), (_, b) in both)
