"""What CART refuses, word by word; splits where floats cannot decide; and the ends of what is allowed."""

import math
from dataclasses import replace
from datetime import date
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.cart import (
    CodeSplit,
    Node,
    ThresholdSplit,
    best_grid_split,
    best_split,
    exact_scaled_half_gini,
    fit_cart,
    gini,
    half_gini,
    scaled_half_gini,
    threshold_counts,
)
from fdpedu.cart.grid import GridSearch, shrunk_gain
from fdpedu.domain import Categorical, Domain, Numeric

AGE = Domain([Numeric.grid("age", 0, 40, bins=4)], ("well", "ill"))
LARGE = float(np.nextafter(2.0**62, math.inf))
RANGE = "counts must lie within ±2**62, so that their squares are floats"
NAMES = "X must have columns with text as names; rename them, or give an array"
FILL_IN = "a missing value must be filled in or its row left out beforehand"
LABELS = "y: expected labels of one type that has an order, such as text or numbers, got"
TOLD = [
    *[(lambda call=call: call([LARGE, 0]), RANGE) for call in (gini, half_gini, scaled_half_gini)],
    *[(lambda call=call: call([[1, -LARGE]]), RANGE) for call in (gini, half_gini, scaled_half_gini)],
    (lambda: gini("ab"), "counts must be finite numbers, got"),
    (lambda: exact_scaled_half_gini([1.5, 1]), "counts must be a list of integers"),
    (lambda: exact_scaled_half_gini(7), "counts must be a list of integers"),
    (lambda: threshold_counts("ab", [0]), "column must be"),
    (lambda: threshold_counts([[1.0], [2.0]], [0, 1]), "column must"),
    (lambda: threshold_counts([1.0, 2.0], [0]), "y must be 2 class codes 0, 1, …, one for each row; got shape (1,)"),
    (lambda: threshold_counts([1.0], [-1]), "y must be 1 class codes 0, 1, …, one for each row; got shape (1,)"),
    (lambda: threshold_counts([1.0], ["a"]), "y must be"),
    (lambda: threshold_counts([1.0], [1], 1), "n_classes must be an integer ≥ 2, got 1"),
    (lambda: threshold_counts([1.0], [1], 10_001), "n_classes must be at most 10000, got 10001"),
    (lambda: best_split("ab", [0]), "X must be"),
    (lambda: best_split([1.0, 2.0], [0, 1]), "X must"),
    (lambda: best_grid_split([], 7), "domain must be a Domain, got int"),
    (lambda: best_grid_split([], AGE), "histograms must be a list of tables of shapes [(4, 2)]"),
    (
        lambda: best_grid_split(np.zeros((1, 4, 2), dtype=int), AGE),
        "histograms must be a list of tables of shapes [(4, 2)]",
    ),
    (lambda: best_grid_split([np.full((4, 2), 0.5)], AGE), "histograms must be"),
    (lambda: GridSearch(7), "domain must be a Domain, got int"),
    (lambda: fit_cart([[1]], [0], max_depth=-1), "max_depth must be an integer ≥ 0, got -1"),
    (lambda: fit_cart([[1]], [0], min_samples_split=1), "min_samples_split must be an integer ≥ 2, got 1"),
    (lambda: fit_cart([[1]], [0], feature_names="a"), "feature_names must be a list, got 'a'"),
    (lambda: fit_cart([[1]], [0], grid=7), "grid must be a Domain, got int"),
    (lambda: fit_cart([[1], [2]], [0]), "X and y must have the same number of rows, at least 1; got 2 and 1"),
    (
        lambda: fit_cart([[1]], ["well"] * 2, grid=AGE),
        "X and y must have the same number of rows, at least 1; got 1 and 2",
    ),
    (lambda: fit_cart([[1]], []), "y must be a non-empty list of labels, shape (n,)"),
    (lambda: fit_cart([[1]], 0), "y: expected a sequence, got int"),
    (lambda: fit_cart([[1]], np.zeros((1, 1))), "y: expected one dimension, got 2"),
    (lambda: fit_cart([[1]], [[0]]), f"{LABELS} list"),
    (lambda: fit_cart([[1], [2]], [{}, {}]), f"{LABELS} dict"),
    (lambda: fit_cart([[1], [2]], [1, "a"]), f"{LABELS} number and str"),
    (lambda: fit_cart([[1], [2]], np.array([2, True], dtype=object)), f"{LABELS} bool and number"),
    (lambda: fit_cart([[1], [2]], [len, max]), f"{LABELS} builtin_function_or_method"),
    (lambda: fit_cart([[1], [2]], ["a", None]), f"y row 1: expected a label; {FILL_IN}"),
    (lambda: fit_cart([[1], [2]], np.array([math.nan, 1])), f"y row 0: expected a label; {FILL_IN}"),
    (lambda: fit_cart([[1], [2]], np.ma.array([1, 2], mask=[0, 1])), f"y row 1: expected a label; {FILL_IN}"),
    (lambda: fit_cart([[1]], ["no"], grid=AGE), "y row 0, the class: expected"),
    (lambda: fit_cart([["x"]], ["ill"], grid=AGE), "X row 0, column 'age': expected"),
    (lambda: fit_cart([["x"]], [0]), "X row 0, column 0: expected a number"),
    (lambda: fit_cart([[1, 2], [3, None]], [0, 1]), f"X row 1, column 1: expected a finite number; {FILL_IN}"),
    (lambda: fit_cart({"a": [1, math.inf]}, [0, 1]), "X row 1, column 'a': expected a finite number"),
    (lambda: fit_cart([], [0]), "X must be a table of numbers with at least one row and one column, shape (n, p)"),
    (lambda: fit_cart({1: [2]}, [0]), NAMES),
    (lambda: fit_cart({"a": [2], 1: [2]}, [0]), NAMES),
    (lambda: fit_cart({}, [0]), NAMES),
    (lambda: fit_cart([[1]], [0], feature_names=["a", "b"]), "X row"),
    (lambda: fit_cart(7, [0]), "X: expected a sequence, got int"),
]


@pytest.mark.parametrize(("call", "told"), TOLD, ids=range(len(TOLD)))
def test_what_is_refused_is_told_in_these_words(call, told):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value).startswith(told)


# --- What is decided where floats are not enough ----------------------------------------------------------------------

NARROW = Domain([Numeric.grid("x", 0, 3, bins=3)], (0, 1))
counts_of = st.integers(0, 3)


def first_least(table):
    """The first of the best prefixes of a table, in fractions, and what it leaves."""
    whole = [sum(column) for column in zip(*table, strict=True)]
    found = []
    for k in range(1, len(table)):
        left = [sum(column) for column in zip(*table[:k], strict=True)]
        right = [n - m for n, m in zip(whole, left, strict=True)]
        if sum(left) and sum(right):
            found.append((exact_scaled_half_gini(left) + exact_scaled_half_gini(right), k))
    return min(found, key=lambda pair: pair[0], default=None)


@settings(max_examples=200)
@given(st.integers(3, 2**40), st.lists(counts_of, min_size=6, max_size=6), st.booleans())
def test_near_ties_of_large_counts_are_decided_exactly(large, small, mirrored):
    """Both borders leave almost the same: floats do not tell which leaves less."""
    a, b, c, d, e, f = small
    table = [[large + a, b], [c, d], [e, large + f]]
    table = table[::-1] if mirrored else table
    least, k = first_least(table)
    for found in (best_grid_split([np.array(table)], NARROW), *GridSearch(NARROW).best_splits(np.array([table]))):
        assert found.split == CodeSplit(0, frozenset(range(k))) and found.impurity == least


def test_the_second_border_is_better_by_less_than_floats_show():
    """(N, 0), (1, 1), (0, N + 1): the borders leave 1 − 1/(N + 3) and 1 − 1/(N + 2)."""
    for n in (10**6, 10**9, 10**12):
        for table, k in ([[n, 0], [1, 1], [0, n + 1]], 2), ([[n + 1, 0], [1, 1], [0, n]], 1):
            assert best_grid_split([np.array(table)], NARROW).split.left == set(range(k))


@pytest.mark.parametrize("low", [1.0, 1 + 2**-52, -1 - 2**-52, 5e-324, 1.5e-323, 0.1, -1e308])
def test_between_neighbouring_floats_the_lower_one_divides(low):
    """Halves of large or tiny numbers, and halfway points that are rounded upwards, stay between the two."""
    high = float(np.nextafter(low, math.inf))
    (threshold,), left, right = threshold_counts([high, low], [1, 0])
    assert low <= threshold < high and left.tolist() == [[1, 0]] and right.tolist() == [[0, 1]]
    (threshold,), _, _ = threshold_counts([-1e308, 1e308], [0, 1])
    assert threshold == 0
    assert fit_cart([[low], [high]], ["low", "high"]).predict([[low], [high]]).tolist() == ["low", "high"]


def test_what_is_equal_to_a_threshold_goes_left():
    assert ThresholdSplit(0, 2.0).goes_left(np.array([1.0, 2.0, 3.0])).tolist() == [True, True, False]


# --- The ends of what is allowed --------------------------------------------------------------------------------------


def test_the_largest_counts_and_parts_of_a_row():
    assert scaled_half_gini([2.0**62, 2.0**62]) == 2.0**61 and half_gini([[2.0**62, 2.0**62]]).tolist() == [0.25]
    for counts in ([0.25, 0.25], [0.5, 0.25, 0.125], [3, 1]):
        for scale in (0.25, 0.5, 1, 2.0**40):
            scaled = [scale * c for c in counts]
            assert half_gini(scaled) == half_gini(counts) and scaled_half_gini(scaled) == scale * scaled_half_gini(
                counts
            )
    table = [[3, 1], [4, 0], [0, 0], [2, 2]]
    assert half_gini(table).tolist() == [float(half_gini(row)) for row in table] == [0.1875, 0, 0, 0.25]


def test_no_rows_have_no_split_and_classes_are_as_many_as_are_named():
    assert best_split(np.empty((0, 1)), []) is None and best_split([[1.0], [1.0]], [0, 1]) is None
    assert best_split([[1.0], [2.0]], [0, 0]).left == (1,) and best_split([[1.0], [2.0]], [0, 0], 3).left == (1, 0, 0)
    thresholds, left, right = threshold_counts([1.0], [0], 10_000)
    assert thresholds.shape == (0,) and left.shape == right.shape == (0, 10_000)


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


def test_scores_of_raw_trees_and_of_trees_on_a_grid():
    rows, labels = [[1], [39]], ["well", "ill"]
    for tree in (fit_cart(rows, labels), fit_cart(rows, labels, grid=AGE)):
        assert tree.score(rows, labels) == 1 and tree.score(rows, ["well", "well"]) == 0.5
        for y in (["ill"], ["ill"] * 3):
            with pytest.raises(ValueError, match=rf"^X and y must have as many rows, at least 1; got 2 and {len(y)}$"):
                tree.score(rows, y)
        with pytest.raises(ValueError, match=r"^y\b.*"):
            tree.score(rows, [1, 2])
        with pytest.raises(ValueError, match=r"^y: expected a sequence, got int$"):
            tree.score(rows, 7)
    with pytest.raises(ValueError, match=r"^y row 1: expected a label of the type of the classes, number$"):
        fit_cart(rows, [1, 2]).score(rows, [1, "2"])
    both = Domain([Numeric.grid("age", 0, 40, bins=4)], ("ill", 1))
    with pytest.raises(ValueError, match=r"^y row 0: expected a label of the type of the classes, number or str$"):
        replace(fit_cart(rows, ["ill", 1], grid=both), domain=None).score(rows, [None, 1])


@pytest.mark.parametrize(
    "labels",
    [
        [np.str_("b"), "a"],
        [True, np.bool_(False)],
        [2, 1.5],
        [2**70, 1],
        [2**63 + 1, 2**63],
        ["a\0", "a"],
        [(1, 2), (0, 3)],
        [math.inf, 1],
        [date(2026, 1, 2), date(2026, 1, 1)],
        np.array(["2026-01-02", "2026-01-01"], dtype="M8[D]"),
        np.ma.array([2, 1], mask=[0, 0]),
    ],
    ids=str,
)
def test_labels_are_predicted_and_scored_as_they_were_given(labels):
    """In ascending order; long numbers and texts that NumPy would cut off stay what they are."""
    tree, own = fit_cart([[1], [2]], labels), list(getattr(labels, "tolist", lambda: labels)())
    assert list(tree.classes) == sorted(own) and list(tree.predict([[1], [2]])) == own
    assert tree.score([[1], [2]], labels) == tree.score([[1], [2]], own) == 1


# --- The search on a grid ---------------------------------------------------------------------------------------------


def test_gains_of_single_rows_and_of_none():
    one, none = np.array([1, 0]), np.array([0, 0])
    assert shrunk_gain(one, none, 0) == shrunk_gain(none, none, 0) == 0
    gain = float(shrunk_gain(one, np.array([0, 1]), 0))
    assert math.isclose(gain, 2 * 0.5, rel_tol=1e-12)  # two classes share what one row of each loses
    for left, right in ([1, 0], [2, 3]), ([0, 1], [5, 0]):
        whole = [a + b for a, b in zip(left, right, strict=True)]
        gained = exact_scaled_half_gini(whole) - exact_scaled_half_gini(left) - exact_scaled_half_gini(right)
        assert math.isclose(shrunk_gain(np.array(left), np.array(right), 0), 2 * Fraction(gained), rel_tol=1e-12)


def test_shares_of_many_nodes_are_sorted_each_by_itself():
    """Categories of two nodes, beyond counts that floats divide exactly too."""
    domain = Domain([Categorical("c", ("a", "b", "c", "d"))], (0, 1))
    for scale in (1, 2**26, 2**40):
        tables = scale * np.array([[[1, 3], [2, 2], [3, 1], [9, 1]], [[9, 1], [3, 1], [2, 2], [1, 3]]])
        for table, found in zip(tables, GridSearch(domain).best_splits(tables), strict=True):
            assert found == best_grid_split([table], domain)
