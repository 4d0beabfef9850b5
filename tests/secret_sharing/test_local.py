"""What a party finds out on its own rows: against all thresholds, tried one by one, and against another library."""

from itertools import pairwise
from math import isclose, log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import ZeroWords
from fdpedu.sources.elzein import fit_local_tree
from fdpedu.sources.elzein.local import (
    Best,
    Rows,
    chosen_attribute,
    correct_by_depth,
    n_times,
    read_rows,
    sides,
)
from fdpedu.sources.raw_rows import read_values

MIXED = Domain(
    [Numeric.grid("x", 0, 8, bins=4), Categorical("w", ("A", "B", "C")), Numeric.grid("z", 0, 8, bins=8)],
    ("a", "b", "c"),
)
LINE = Domain([Numeric.grid("x", 0, 8, bins=4)], ("a", "b", "c"))
CELL = st.tuples(st.integers(0, 8), st.sampled_from("ABC"), st.integers(0, 8), st.sampled_from("abc"))
TABLE = st.lists(CELL, min_size=1, max_size=14)


def rows_of(table, domain=MIXED, **options):
    return read_rows([row[:-1] for row in table], [row[-1] for row in table], domain, "here", **options)


def left_by(criterion, *groups):
    """n times the impurity of the parts, from their labels."""
    found = 0.0
    for labels in groups:
        shares = [labels.count(one) / len(labels) for one in set(labels)]
        one = 1 - sum(p * p for p in shares) if criterion == "gini" else -sum(p * log2(p) for p in shares)
        found += len(labels) * one
    return found


def tried(table, j, criterion):
    """Gain and threshold of every cut halfway between values; of a category the gain of all its branches."""
    labels = [row[-1] for row in table]
    values = sorted({row[j] for row in table})
    if isinstance(MIXED.features[j], Categorical):
        parts = [[row[-1] for row in table if row[j] == value] for value in values]
        return [(left_by(criterion, labels) - left_by(criterion, *parts), None)] if len(values) > 1 else []
    cuts = [(a + b) / 2 for a, b in pairwise(values)]
    both = [([r[-1] for r in table if r[j] <= t], [r[-1] for r in table if r[j] > t]) for t in cuts]
    return [(left_by(criterion, labels) - left_by(criterion, *pair), t) for pair, t in zip(both, cuts, strict=True)]


@settings(max_examples=60, deadline=None)
@given(TABLE, st.sampled_from(["entropy", "gini"]))
def test_the_best_split_of_each_attribute_is_the_first_of_largest_gain(table, criterion):
    """Of equals the smallest threshold, and the first attribute; where all rows are of one class, none."""
    best = rows_of(table).best(criterion, [0, 1, 2])
    if len({row[-1] for row in table}) == 1:
        assert best.gains.tolist() == [-1] * 3 and np.isnan(best.thresholds).all()
        assert chosen_attribute(best) is None
        return
    expected = [tried(table, j, criterion) for j in range(3)]
    for j, cuts in enumerate(expected):
        if not cuts:
            assert best.gains[j] == -1 and np.isnan(best.thresholds[j])
            continue
        most = max(gain for gain, _ in cuts)
        assert isclose(best.gains[j], most, abs_tol=1e-9)
        first = next(t for gain, t in cuts if gain > most - 1e-8)
        assert np.isnan(best.thresholds[j]) if first is None else best.thresholds[j] == first
    most = max(gain for cuts in expected for gain, _ in cuts) if any(expected) else 0
    wanted = [j for j, cuts in enumerate(expected) if any(gain > max(most - 1e-8, 1e-8) for gain, _ in cuts)]
    assert chosen_attribute(best) == (wanted[0] if wanted else None)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("criterion", ["entropy", "gini"])
def test_a_stump_has_the_gain_of_another_librarys(criterion, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 9, (40, 4)), rng.integers(0, 3, 40)
    domain = Domain([Numeric.grid(f"x{j}", 0, 8, bins=8) for j in range(4)], (0, 1, 2))
    best = read_rows(X, y.tolist(), domain, "here").best(criterion, range(4))
    tree = DecisionTreeClassifier(criterion=criterion, max_depth=1).fit(X, y).tree_
    left = tree.impurity[1:] @ tree.n_node_samples[1:]
    assert best.gains.max() == pytest.approx(40 * tree.impurity[0] - left)


def test_gains_are_compared_with_the_error_of_floats_and_no_gain_is_none():
    nan = np.nan
    for gains, expected in (
        ([0.0, -1.0], None),
        ([1e-10, 0.0], None),
        ([1e-8, 0.0], 0),
        ([1.0, 1.0 + 1e-10], 0),
        ([1.0, 1.0 + 1e-8], 1),
        ([2.0, 3.0], 1),
    ):
        assert chosen_attribute(Best(np.array(gains), np.array([nan, nan]))) == expected
    best = Best(np.array([3.0, 2.0, 1.0]), np.array([nan] * 3))
    assert [chosen_attribute(best, among) for among in ([1, 2], [2], [], [0])] == [1, 2, None, 0]
    one = Best(np.array([0.25]), np.array([nan]))
    assert chosen_attribute(one) == 0 and chosen_attribute(one, []) is None


def test_n_times_the_impurity_by_hand():
    assert n_times("entropy", np.array([[2, 2, 0], [4, 0, 0], [0, 0, 0]])).tolist() == [4, 0, 0]
    assert n_times("gini", np.array([[2, 2, 0], [0, 1, 0]])).tolist() == [2, 0]


def test_rows_on_edges_are_the_upper_edges_of_their_bins_and_cut_at_edges():
    raw, on = (rows_of([(0, "a"), (1, "a"), (7.5, "b")], LINE, on_edges=flag) for flag in (False, True))
    assert raw.values[:, 0].tolist() == [0, 1, 7.5] and on.values[:, 0].tolist() == [2, 2, 8]
    assert raw.best("gini", [0]).thresholds.tolist() == [4.25] and on.best("gini", [0]).thresholds.tolist() == [2]
    assert on.on_edges and not raw.on_edges and on.kept([0]).on_edges
    assert read_values([[-3], [99], [3]], LINE, "here").tolist() == [[0], [8], [3]]
    assert read_values([[-3], [99], [3]], LINE, "here", on_edges=True).tolist() == [[2], [8], [4]]
    assert read_values([["B", 8, 1]], Domain(MIXED.features[1:] + MIXED.features[:1], (0, 1)), "here").tolist() == [
        [1, 8, 1]
    ]


def test_labels_and_sides():
    rows = rows_of([(1, "A", 0, "b"), (2, "C", 0, "c"), (3, "C", 0, "b"), (4, "A", 0, "c")])
    assert rows.class_counts.tolist() == [0, 2, 2] and rows.label == 1 and len(rows) == 4
    assert [part.values[:, 0].tolist() for part in sides(rows, 0, 2)] == [[1, 2], [3, 4]]
    assert [part.values[:, 0].tolist() for part in sides(rows, 1, None)] == [[1, 4], [], [2, 3]]
    assert [part.labels.tolist() for part in sides(rows, 1, None)] == [[1, 2], [], [2, 1]]
    nobody = rows.kept([False] * 4)
    assert len(nobody) == 0 and nobody.best("gini", [0, 1, 2]).gains.tolist() == [-1] * 3
    assert isinstance(nobody, Rows) and nobody.domain is MIXED


@settings(max_examples=20, deadline=None)
@given(TABLE, TABLE, st.sampled_from(["entropy", "gini"]))
def test_right_predictions_at_each_depth_are_those_of_trees_that_are_grown_so_deep(train, test, criterion):
    """Of numbers and of categories of which all are there, so that no branch is without rows."""
    train = [*train, *((k, code, k, "a") for k, code in enumerate("ABC"))]
    numbers = Domain([MIXED.features[0], MIXED.features[2]], MIXED.classes)
    test = [(x + 0.25, w, z + 0.25, c) for x, w, z, c in test]  # thresholds are rounded to steps of the range
    own, other = ([(row[0], row[2], row[3]) for row in some] for some in (train, test))
    for domain, a, b, attributes in ((numbers, own, other, [0, 1]), (MIXED, train, test, [0, 1, 2])):
        deepest = 5 if domain is numbers else 1
        found = correct_by_depth(rows_of(a, domain), rows_of(b, domain), criterion, attributes, deepest)
        for depth in range(deepest + 1):
            given = {"criterion": criterion, "max_depth": depth, "rng": ZeroWords()}
            tree = fit_local_tree([r[:-1] for r in a], [r[-1] for r in a], domain, **given)
            right = tree.predict([r[:-1] for r in b]) == np.array([r[-1] for r in b])
            assert found[depth] == right.sum()
