"""Impurity, best splits and CART, by brute force and against scikit-learn."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from fdpedu.cart import (
    CodeSplit,
    best_grid_split,
    best_split,
    exact_scaled_half_gini,
    fit_cart,
    grid_histograms,
)
from fdpedu.claims.cart import laws as law
from fdpedu.claims.strategies import category_tables, domains, nodes, raw, tables
from fdpedu.domain import domain_from_data_not_private

class_counts = st.lists(st.integers(0, 40), min_size=2, max_size=4)
small_data = st.integers(1, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.lists(st.integers(0, 5), min_size=2, max_size=2), min_size=n, max_size=n),
        st.lists(st.integers(0, 2), min_size=n, max_size=n),
    )
)


@pytest.mark.claim("def-scaled-impurity")
@given(class_counts)
def test_the_conventions(counts):
    """gini = 1 − Σp̂² = 2·half_gini, scaled = n·half_gini; an empty node has impurity 0."""
    law.conventions(counts)


@pytest.mark.claim("lem-least-squares")
@given(nodes(60).filter(any))
def test_it_is_least_squares(node):
    """s(a,b) = ab/(a+b) is the squared error of the mean, and no other constant does better (report, eq. (4))."""
    law.least_squares(*node)


@pytest.mark.claim("lem-increment")
@given(nodes(200).filter(any))
def test_the_increment_identity(node):
    """s(a+1,b) − s(a,b) = b²/((a+b)(a+b+1)), in [0, n/(n+1)], with equality on the right iff a = 0."""
    law.increment(*node)


@pytest.mark.claim("lem-split-never-hurts")
@given(nodes(60), nodes(60))
def test_a_split_never_hurts(left, right):
    """What a split takes from n·h is a square over positive numbers."""
    law.never_hurts(*left, *right)


@pytest.mark.claim("lem-thresholds")
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=6), st.data())
def test_every_partition_is_reached(column, data):
    """Any doubles, huge, tiny and neighbouring ones: every cut between two values is found."""
    assume(len(set(column)) > 1)
    law.threshold_reaches(column, data.draw(st.sampled_from(sorted(set(column))[:-1])))


@pytest.mark.claim("lem-pooled-counts")
@given(st.lists(st.tuples(nodes(9), nodes(9)), min_size=1, max_size=4))
def test_counts_are_summed_then_divided(parties):
    """The impurity of a split over parties is that of the pooled rows; empty sides of a party do not matter."""
    law.pooled_counts(*zip(*parties, strict=True))


def brute_force(X, y):
    """The least n·G over all thresholds with two non-empty sides, by definition."""
    impurities = []
    for j in range(2):
        for t in sorted({row[j] for row in X}):
            sides = [[c for row, c in zip(X, y, strict=True) if (row[j] <= t) == side] for side in (True, False)]
            if all(sides):
                impurities.append(sum(exact_scaled_half_gini([side.count(c) for c in range(3)]) for side in sides))
    return min(impurities, default=None)


@pytest.mark.claim("lem-thresholds")
@given(small_data)
def test_best_split_is_the_best_of_all(data):
    X, y = data
    best, least = best_split(X, y, 3), brute_force(X, y)
    assert (best is None) == (least is None)
    if best is not None:
        assert best.impurity == least
        left = best.split.goes_left(np.array(X, dtype=float)[:, best.split.feature])
        assert tuple(np.bincount(np.array(y)[left], minlength=3)) == best.left
        assert tuple(np.bincount(np.array(y)[~left], minlength=3)) == best.right


@given(small_data)
def test_a_grid_on_the_values_finds_the_same(data):
    """With one bin for each value, the grid holds every threshold, so its best split is as good."""
    X, y = data
    domain = domain_from_data_not_private([[-0.5, -0.5], [5.5, 5.5]], [0, 1, 2], bins=6)
    labels = np.array(y, dtype=np.uint8)
    best = best_grid_split(grid_histograms(domain.encode(np.array(X, dtype=float)), labels, domain), domain)
    assert (None if best is None else best.impurity) == brute_force(X, y)


@pytest.mark.claim("thm-category-order")
@given(category_tables(most_codes=7, most=40))
def test_ordered_categories_hold_a_best_subset(counts):
    """For two classes no subset of categories beats the best prefix in the order of class shares."""
    law.ordered_categories(counts)


def test_ties_go_to_the_first_feature_and_the_lowest_threshold():
    best = best_split([[0, 0], [1, 1], [2, 2]], [0, 1, 0])
    assert (best.split.feature, best.split.threshold) == (0, 0.5)


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


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_predictions_agree_with_the_leaves(data):
    """Every row is sent to the leaf whose counts hold it, on grids with categories too."""
    domain = data.draw(domains())
    rows = data.draw(tables(domain, least=1))
    X, y = raw(rows, domain)
    tree = fit_cart(X, y, grid=domain, max_depth=3)
    where = tree.apply(X)
    for i, leaf in enumerate(tree.leaves()):
        labels = domain.encode_labels(y[where == i])
        assert tuple(np.bincount(labels, minlength=domain.n_classes)) == leaf.counts
    assert np.allclose(tree.predict_proba(X).sum(axis=1), 1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: fit_cart([[1.0], [np.nan]], [0, 1]),
        lambda: fit_cart([[1.0], ["a"]], [0, 1]),
        lambda: fit_cart([[1.0]], [0, 1]),
        lambda: fit_cart([], []),
        lambda: fit_cart([[1.0]], [0], max_depth=-1),
        lambda: fit_cart([[1.0]], [0], max_depth=1.5),
        lambda: fit_cart([[1.0]], [0], min_samples_split=1),
        lambda: fit_cart([[1.0]], [0], feature_names=["a", "b"]),
        lambda: fit_cart([[1.0]], [0]).predict([[1.0, 2.0]]),
        lambda: fit_cart([[1.0]], [0]).predict([[np.inf]]),
    ],
)
def test_bad_input_is_refused(call):
    with pytest.raises(ValueError):
        call()


def test_a_staircase_does_not_overflow():
    """Labels that alternate make the deepest trees; an unbounded one stops at depth 200."""
    X, y = np.arange(1500.0)[:, None], np.arange(1500) % 2
    assert fit_cart(X, y).depth <= 200


def test_a_code_split_sends_its_codes_left():
    assert CodeSplit(0, frozenset({0, 2})).goes_left(np.array([0, 1, 2, 3])).tolist() == [True, False, True, False]
