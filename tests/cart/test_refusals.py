"""What CART refuses, and in which words: in one table."""

import math
from dataclasses import replace

import numpy as np

from fdpedu.cart import (
    best_grid_split,
    best_split,
    exact_scaled_half_gini,
    fit_cart,
    gini,
    half_gini,
    local_best_impurities,
    local_best_impurity,
    local_impurity_steps,
    scaled_half_gini,
    threshold_counts,
)
from fdpedu.cart.grid import GridSearch
from fdpedu.domain import Categorical, Domain, Numeric
from tests.support.sentences import INTEGERS, at_least, at_most, no, no_list, said_in_full

AGE_ROW = "X row 0, column 'age': expected a number"
COLUMN = "column must be finite numbers of 1 dimension, got"
COUNT_LIST = "counts must be a list of integers"
AGE = Domain([Numeric.grid("age", 0, 40, bins=4)], ("well", "ill"))
X = Numeric.grid("x", 0, 3, bins=3)
BINARY = Domain([Categorical("w", tuple("ABCD")), X, Categorical("v", tuple("KLM"))], ("a", "b"))
NAMED = fit_cart({"a": [1, 2]}, ["x", "y"])
BOTH = Domain([Numeric.grid("age", 0, 40, bins=4)], ("ill", 1))
MIXED = replace(fit_cart([[1], [39]], ["ill", 1], grid=BOTH), domain=None)
AS_MANY = "X and y must have as many rows, at least 1; got"
OF_TYPE = "expected a label of the type of the classes"
LARGE = float(np.nextafter(2.0**62, math.inf))
FLOATS = "counts must lie within ±2**62, so that their squares are floats"
MATRIX = "X must be finite numbers of 2 dimensions, got"
NAMES = "X must have columns with text as names; rename them, or give an array"
FILL_IN = "a missing value must be filled in or its row left out beforehand"
LABELS = "y: expected labels of one type that has an order, such as text or numbers, got"
ROWS = "X and y must have the same number of rows, at least 1; got"
LIST = "y must be a non-empty list of labels, shape (n,)"
SHAPES = "histograms must be a list of tables of shapes [(4, 2)]"
CODES = "class codes 0, 1, …, one for each row; got shape"
COUNTS = "table must be counts ≥ 0 of shape (codes, classes) that add up to at most 2**53"
ALL_CODES = "table must be counts of shape (10, 2), all features' codes and classes; got"


def wards(n, classes):
    return Domain([Categorical("ward", tuple(range(n))), X], tuple(range(classes)))


REFUSED = [
    (lambda: gini("ab"), "counts must be finite numbers, got str64 of shape ()"),
    (lambda: exact_scaled_half_gini([1.5, 1]), COUNT_LIST),
    (lambda: exact_scaled_half_gini(7), COUNT_LIST),
    (lambda: threshold_counts("ab", [0]), f"{COLUMN} str64 of shape ()"),
    (
        lambda: threshold_counts([[1.0], [2.0]], [0, 1]),
        f"{COLUMN} float64 of shape (2, 1)",
    ),
    (lambda: threshold_counts([1.0, 2.0], [0]), f"y must be 2 {CODES} (1,)"),
    (lambda: threshold_counts([1.0], [-1]), f"y must be 1 {CODES} (1,)"),
    (
        lambda: threshold_counts([1.0], ["a"]),
        "y must be integers within ±2**62; got str32 (round real data before the noise)",
    ),
    (lambda: threshold_counts([1.0], [1], 1), at_least("n_classes", 2, 1)),
    (lambda: threshold_counts([1.0], [1], 10_001), at_most("n_classes", 10000, 10001)),
    (lambda: best_split("ab", [0]), f"{MATRIX} str64 of shape ()"),
    (lambda: best_split([1.0, 2.0], [0, 1]), f"{MATRIX} float64 of shape (2,)"),
    (lambda: best_grid_split([], 7), no("Domain", "domain", "int")),
    (lambda: best_grid_split([], AGE), SHAPES),
    (lambda: best_grid_split(np.zeros((1, 4, 2), dtype=int), AGE), SHAPES),
    (lambda: best_grid_split([np.full((4, 2), 0.5)], AGE), f"histograms {INTEGERS}"),
    (lambda: GridSearch(7), no("Domain", "domain", "int")),
    (lambda: fit_cart([[1]], [0], max_depth=-1), at_least("max_depth", 0, -1)),
    (lambda: fit_cart([[1]], [0], min_samples_split=1), at_least("min_samples_split", 2, 1)),
    (lambda: fit_cart([[1]], [0], feature_names="a"), no_list("feature_names", "'a'")),
    (lambda: fit_cart([[1]], [0], grid=7), no("Domain", "grid", "int")),
    (lambda: fit_cart([[1], [2]], [0]), f"{ROWS} 2 and 1"),
    (lambda: fit_cart([[1]], ["well"] * 2, grid=AGE), f"{ROWS} 1 and 2"),
    (lambda: fit_cart([[1]], []), LIST),
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
    (
        lambda: fit_cart([[1]], ["no"], grid=AGE),
        "y row 0, the class: expected one of the 2 public categories ('well', 'ill')",
    ),
    (lambda: fit_cart([["x"]], ["ill"], grid=AGE), AGE_ROW),
    (lambda: fit_cart([["x"]], [0]), "X row 0, column 0: expected a number"),
    (lambda: fit_cart([[1, 2], [3, None]], [0, 1]), f"X row 1, column 1: expected a finite number; {FILL_IN}"),
    (lambda: fit_cart({"a": [1, math.inf]}, [0, 1]), "X row 1, column 'a': expected a finite number"),
    (lambda: fit_cart([], [0]), "X must be a table of numbers with at least one row and one column, shape (n, p)"),
    (lambda: fit_cart({1: [2]}, [0]), NAMES),
    (lambda: fit_cart({"a": [2], 1: [2]}, [0]), NAMES),
    (lambda: fit_cart({}, [0]), NAMES),
    (lambda: fit_cart([[1]], [0], feature_names=["a", "b"]), "X row 0: expected 2 feature values"),
    (lambda: fit_cart(7, [0]), "X: expected a sequence, got int"),
    (lambda: gini([LARGE, 0]), FLOATS),
    (lambda: gini([[1, -LARGE]]), FLOATS),
    (lambda: half_gini([LARGE, 0]), FLOATS),
    (lambda: half_gini([[1, -LARGE]]), FLOATS),
    (lambda: scaled_half_gini([LARGE, 0]), FLOATS),
    (lambda: scaled_half_gini([[1, -LARGE]]), FLOATS),
    (lambda: NAMED.predict([[1, 2]]), "X row 0: expected 1 feature values"),
    (lambda: NAMED.predict({"b": [1]}), "X: the table has no column 'a'"),
    (lambda: NAMED.score({"a": [1, 2]}, ["x"]), f"{AS_MANY} 2 and 1"),
    (lambda: NAMED.score({"a": [1, 2]}, ["x"] * 3), f"{AS_MANY} 2 and 3"),
    (lambda: NAMED.score({"a": [1, 2]}, 7), "y: expected a sequence, got int"),
    (lambda: fit_cart([[1], [2]], [1, 2]).score([[1], [2]], [1, "2"]), f"y row 1: {OF_TYPE}, number"),
    (lambda: MIXED.score([[1], [39]], [None, 1]), f"y row 0: {OF_TYPE}, number or str"),
    (lambda: NAMED.to_sklearn_text(decimals=-1), at_least("decimals", 0, -1)),
    (
        lambda: fit_cart([[1], [39]], ["well", "ill"], grid=AGE).predict([["x"]]),
        AGE_ROW,
    ),
    (lambda: fit_cart({"a": [1, 2]}, [0, 1], feature_names=["b"]), "X: the table has no column 'b'"),
    (lambda: fit_cart({"a": [1, 2]}, [0, 1], feature_names=[None, "a"]), "feature_names must name the 1 columns"),
    (lambda: fit_cart([[1.0], [np.nan]], [0, 1]), f"X row 1, column 0: expected a finite number; {FILL_IN}"),
    (lambda: fit_cart([[1.0], ["a"]], [0, 1]), "X row 1, column 0: expected a number"),
    (lambda: fit_cart([[1.0]], [0], max_depth=1.5), at_least("max_depth", 0, "1.5")),
    (lambda: fit_cart([[1.0]], [0]).predict([[np.inf]]), "X row 0, column 0: expected a finite number"),
    (lambda: local_best_impurity([1, 2]), COUNTS),
    (lambda: local_best_impurity([[-1, 2]]), COUNTS),
    (lambda: local_best_impurity([[]]), COUNTS),
    (lambda: local_best_impurity([]), COUNTS),
    (lambda: local_best_impurity([[[1]]]), COUNTS),
    (lambda: local_best_impurity([[2**52, 2**52], [1, 0]]), COUNTS),
    (lambda: local_best_impurity([[2**62, 2**62], [2**62, 2**62]]), COUNTS),
    (lambda: local_best_impurity([[1.5]]), f"table {INTEGERS}"),
    (lambda: local_best_impurity([[1]], ordered=1), "ordered must be True or False, got int"),
    (
        lambda: local_best_impurity([[0, 0, 1]] * 15, ordered=False),
        "table must have at most 14 categories for more than two classes, got 15: merge categories, or give them a "
        "public order (ordered=True)",
    ),
    (lambda: local_best_impurities([[1.0]], [0, 1]), f"y must be 1 {CODES} (2,)"),
    (lambda: local_best_impurities([[1.0]], [-1]), f"y must be 1 {CODES} (1,)"),
    (lambda: local_best_impurities([[1.0]], [2], 2), at_least("n_classes", 3, 2)),
    (lambda: local_best_impurities([[1.0]], [2], 10_001), at_most("n_classes", 10000, 10001)),
    (lambda: local_best_impurities([1.0], [0]), f"{MATRIX} float64 of shape (1,)"),
    (
        lambda: local_best_impurities([[[1.0]]], [0]),
        f"{MATRIX} float64 of shape (1, 1, 1)",
    ),
    (
        lambda: local_best_impurities([[None]], [0]),
        f"{MATRIX} object of shape (1, 1)",
    ),
    (lambda: local_best_impurities([[1.0]], [0.5]), f"y {INTEGERS}"),
    (
        lambda: local_impurity_steps([[0] * 3] * 18, wards(15, 3), 4),
        "for lower bounds with more than two classes, a feature may have at most 14 categories; 'ward' has 15: merge "
        "some of them, or give them a public order",
    ),
    (lambda: local_impurity_steps([[1, 2]] * 4, BINARY, 4), f"{ALL_CODES} (4, 2)"),
    (lambda: local_impurity_steps([[1, 2, 3]] * 10, BINARY, 4), f"{ALL_CODES} (10, 3)"),
    (lambda: local_impurity_steps([[1, -1]] * 10, BINARY, 4), COUNTS),
    (lambda: local_impurity_steps([[2**52, 0]] * 10, BINARY, 4), COUNTS),
    (
        lambda: local_impurity_steps([[2**46, 0], *[[0, 0]] * 8, [1, 0]], BINARY, 2**16),
        "table must be of so few rows that 65536 times the sum of its counts is at most 2**62",
    ),
    (lambda: local_impurity_steps([[1, 2]] * 10, BINARY, 0), at_least("lattice", 1, 0)),
    (lambda: local_impurity_steps([[1, 2]] * 10, BINARY, 2**16 + 1), at_most("lattice", 65536, 65537)),
    (lambda: local_impurity_steps([[1, 2]] * 10, None, 4), no("Domain", "domain", "NoneType")),
]


test_sentences_of_refusals = said_in_full(REFUSED)
