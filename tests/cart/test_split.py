"""Best splits, by brute force; thresholds between neighbouring floats, ties, and any order."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.cart import (
    CodeSplit,
    GridSearch,
    ThresholdSplit,
    best_grid_split,
    best_split,
    exact_scaled_half_gini,
    fit_cart,
    grid_histograms,
    threshold_counts,
)
from fdpedu.claims.strategies import category_tables, domains
from fdpedu.domain import Domain, Numeric, domain_from_data_not_private

small_data = st.integers(1, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.lists(st.integers(0, 5), min_size=2, max_size=2), min_size=n, max_size=n),
        st.lists(st.integers(0, 2), min_size=n, max_size=n),
    )
)


def brute_force(X, y):
    """The least n·G over all thresholds with two non-empty sides, by definition."""
    impurities = []
    for j in range(2):
        for t in sorted({row[j] for row in X}):
            sides = [[c for row, c in zip(X, y, strict=True) if (row[j] <= t) == side] for side in (True, False)]
            if all(sides):
                squares = (Fraction(sum(side.count(c) ** 2 for c in range(3)), len(side)) for side in sides)
                impurities.append((len(X) - sum(squares)) / 2)
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


def test_ties_go_to_the_first_feature_and_the_lowest_threshold():
    best = best_split([[0, 0], [1, 1], [2, 2]], [0, 1, 0])
    assert (best.split.feature, best.split.threshold) == (0, 0.5)


def test_a_code_split_sends_its_codes_left():
    assert CodeSplit(0, frozenset({0, 2})).goes_left(np.array([0, 1, 2, 3])).tolist() == [True, False, True, False]


NARROW = Domain([Numeric.grid("x", 0, 3, bins=3)], (0, 1))


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


def test_no_rows_have_no_split_and_classes_are_as_many_as_are_named():
    assert best_split(np.empty((0, 1)), []) is None and best_split([[1.0], [1.0]], [0, 1]) is None
    assert best_split([[1.0], [2.0]], [0, 0]).left == (1,) and best_split([[1.0], [2.0]], [0, 0], 3).left == (1, 0, 0)
    thresholds, left, right = threshold_counts([1.0], [0], 10_000)
    assert thresholds.shape == (0,) and left.shape == right.shape == (0, 10_000)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_best_split_is_as_good_in_any_order(data):
    """Of two classes: its impurity does not depend on the order of features, categories, classes; searches agree."""
    domain = data.draw(domains(most_classes=2))
    p, classes = domain.n_features, list(data.draw(st.permutations(range(domain.n_classes))))
    histograms = [
        np.array(data.draw(st.lists(st.tuples(*[st.integers(0, 9)] * domain.n_classes), min_size=n, max_size=n)))
        for n in (feature.n_codes for feature in domain.features)
    ]
    features = list(data.draw(st.permutations(range(p))))
    other = Domain([domain.features[j] for j in features], domain.classes)
    turned = [
        histograms[j][:, classes] if domain.features[j].ordered else histograms[j][::-1][:, classes] for j in features
    ]
    found = [best_grid_split(histograms, domain), best_grid_split(turned, other)]
    fast = GridSearch(other).best_splits(np.concatenate(turned)[None])[0]
    assert (found[0] is None) == (found[1] is None) == (fast is None)
    if found[0] is not None:
        assert found[0].impurity == found[1].impurity == fast.impurity


@given(category_tables(most_codes=5, most=5))
def test_raw_values_and_codes_have_the_same_split(table):
    """Values 0, 1, 2, … as raw numbers, and as bins of a grid: the same sides on both paths, in any order of rows."""
    rows = [(code, c) for code, counts in enumerate(table) for c in (0, 1) for _ in range(counts[c])]
    domain = Domain([Numeric.grid("x", -1, len(table) - 1, bins=len(table))], (0, 1))
    for some in (rows, rows[::-1]):
        X, y = [[float(code)] for code, _ in some], [c for _, c in some]
        raw = best_split(np.array(X).reshape(-1, 1), np.array(y, dtype=int), 2) if some else None
        grid = best_grid_split([np.array(table)], domain)
        assert (raw and (raw.left, raw.right)) == (grid and (grid.left, grid.right))


@settings(max_examples=60, deadline=None)
@given(domains(), st.data(), st.sampled_from([2**k + d for k in (20, 24, 25, 26, 27, 31, 32, 40) for d in (-1, 0, 1)]))
def test_a_split_does_not_depend_on_the_unit(domain, data, factor):
    """Counts that are as many times as large, past 2²⁶, 2³¹ and 2³² rows, have the same best split, on both paths."""
    size = sum(feature.n_codes for feature in domain.features)
    rows = st.lists(st.tuples(*[st.integers(0, 7)] * domain.n_classes), min_size=size, max_size=size)
    table = np.array(data.draw(rows))
    ends = np.cumsum([feature.n_codes for feature in domain.features])[:-1]
    search = GridSearch(domain)
    for relative in (False, True):
        plain, large = search.best_splits(np.array([table, factor * table]), relative=relative)
        assert (plain and plain.split) == (large and large.split)
    slow = best_grid_split(np.split(factor * table, ends), domain)
    fast = search.best_splits(factor * table[None])[0]
    assert slow == fast


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(*[st.integers(-3, 3)] * 2), min_size=2, max_size=6),
    st.sampled_from([2**k for k in (22, 26, 30, 31, 32, 36)]),
    st.sampled_from([(1, 0), (1, 1), (3, 1), (1, 1000)]),
)
def test_close_calls_among_large_counts_are_settled_exactly(near, large, shape):
    """Bins that differ by a few of billions of rows: the first candidate with the least n·G, by fractions."""
    table = np.array([[max(0, large * shape[0] + a), max(0, large * shape[1] + b)] for a, b in near])
    domain = Domain([Numeric.grid("x", 0, 1, bins=len(table))], (0, 1))
    totals, best = table.sum(axis=0), None
    for end in range(1, len(table)):
        left = table[:end].sum(axis=0)
        sides = [left.tolist(), (totals - left).tolist()]
        if all(map(sum, sides)):
            impurity = sum(map(exact_scaled_half_gini, sides), Fraction(0))
            if best is None or impurity < best[0]:
                best = impurity, CodeSplit(0, frozenset(range(end)))
    slow, fast = best_grid_split([table], domain), GridSearch(domain).best_splits(table[None])[0]
    assert (best and best[1]) == (slow and slow.split) == (fast and fast.split)
