"""Splits by the printed impurity of raw counts: to the last digit, in any place, of categories as dummies."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.cart import CodeSplit, best_grid_split
from fdpedu.domain import Domain
from fdpedu.histograms import one_hot_histograms
from fdpedu.sources.gubler import choice_as_printed, impurity_as_printed
from fdpedu.sources.gubler.tree import _impurity, splits_as_printed

ORDERED = Domain.from_spec({"features": {"x": [0, 3, 3], "y": [0, 2, 2]}, "classes": ["a", "b"]})
WARDS = Domain.from_spec({"features": {"x": [0, 2, 2], "w": ["A", "B", "C"]}, "classes": ["a", "b"]})
THREE = Domain.from_spec({"features": {"x": [0, 3, 3], "w": ["A", "B", "C"]}, "classes": ["a", "b", "c"]})
raw = st.lists(st.tuples(st.integers(-9, 20), st.integers(-9, 20)), min_size=5, max_size=5)


def inside(n, *without):
    return np.array([[code not in without for code in range(n)]])


@settings(max_examples=200, deadline=None)
@given(raw)
def test_of_two_classes_it_is_the_choice_of_chapter_7(table):
    (split,) = splits_as_printed(np.array([table]), inside(5), ORDERED)
    try:
        known = choice_as_printed([table[:3], table[3:]])
    except ValueError:
        assert split is None
        return
    assert split == CodeSplit(known.feature, frozenset(range(known.border + 1)))


def test_it_prefers_negative_counts():
    table = [[5, 1], [1, 6], [3, 3], [4, -1], [2, 8]]
    (split,) = splits_as_printed(np.array([table]), inside(5), ORDERED)
    assert split == CodeSplit(1, frozenset([0]))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(*[st.integers(-9, 20)] * 2), min_size=5, max_size=5))
def test_categories_are_compared_as_dummies(table):
    """The others on the left, as a dummy of 0 is; two bins each, by the printed formula."""
    tables = np.array(table)
    (split,) = splits_as_printed(tables[None], inside(5), WARDS)
    scores = [impurity_as_printed(table[:2])[0]]
    scores += [impurity_as_printed(dummy)[0] for dummy in one_hot_histograms(tables[2:])]
    scores = np.where(np.isnan(scores), np.inf, scores)
    if scores.min() == np.inf:
        assert split is None
        return
    best = scores[1 if split.feature else 0]
    if split.feature:
        (code,) = {0, 1, 2} - split.left
        best = scores[1 + code]
    assert best == pytest.approx(scores.min(), rel=1e-12)


def test_each_category_has_its_turn():
    for code in range(3):
        table = np.array([[4, 4], [4, 4], *[[0, 6] if c == code else [6, 0] for c in range(3)]])
        (split,) = splits_as_printed(table[None], inside(5), WARDS)
        assert split == CodeSplit(1, frozenset({0, 1, 2} - {code}))


def impurity(left, right, relative):
    total = 0
    for side in (left, right):
        total += sum(side) * sum(c / sum(side) * (1 - c / sum(side)) for c in side) / 2
    return total / (sum(left) + sum(right)) if relative else total


@pytest.mark.parametrize("relative", [True, False])
def test_three_classes_by_hand(relative):
    """Both features of a node, and two nodes at once; G divides by what each feature counts."""
    nodes = np.array(
        [
            [[5, 1, -1], [2, 2, 3], [0, 4, 9], [4, 0, 1], [1, 8, 1], [-2, 3, 5]],
            [[90, 10, 5], [10, 95, 10], [5, 8, 90], [2, 1, 1], [1, 2, 1], [1, 1, 2]],
        ]
    )
    found = splits_as_printed(nodes, np.ones((2, 6), dtype=bool), THREE, relative=relative)
    for table, split in zip(nodes, found, strict=True):
        scores = {}
        for cut in (1, 2):
            sides = table[:cut].sum(axis=0).tolist(), table[cut:3].sum(axis=0).tolist()
            scores[0, frozenset(range(cut))] = impurity(*sides, relative)
        for code in range(3):
            one = table[3 + code].tolist()
            rest = (table[3:].sum(axis=0) - table[3 + code]).tolist()
            scores[1, frozenset({0, 1, 2} - {code})] = impurity(rest, one, relative)
        assert scores[split.feature, split.left] == pytest.approx(min(scores.values()))
    if relative:
        assert found != splits_as_printed(nodes, np.ones((2, 6), dtype=bool), THREE, relative=False)


def test_borders_outside_of_the_node_are_none():
    """Without codes on one side there is no split, whatever the counts are; nor where everything is 0/0."""
    table = np.array([[[3, 1], [2, 2], [0, 0], [0, 0], [0, 0]]])
    assert splits_as_printed(table, inside(5, 2, 3), ORDERED) == [CodeSplit(0, frozenset([0]))]
    assert splits_as_printed(table, inside(5, 1, 2, 3), ORDERED) == [None]
    assert splits_as_printed(table, inside(5, 0, 1), ORDERED) == [None]
    assert splits_as_printed(np.zeros((1, 5, 2), dtype=int), inside(5), ORDERED) == [None]
    wards = np.array([[[0, 0], [0, 0], [3, 1], [0, 0], [0, 0]]])
    assert splits_as_printed(wards, inside(5, 3, 4), WARDS) == [None]
    assert splits_as_printed(wards[:0], inside(5)[:0], WARDS) == []


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(*[st.integers(1, 20)] * 2), min_size=5, max_size=5))
def test_without_negative_counts_it_is_the_least_impurity(table):
    """n·G of an ordered domain, as chapter 1 finds it."""
    tables = [np.array(table[:3]), np.array(table[3:])]
    (split,) = splits_as_printed(np.array([table]), inside(5), ORDERED, relative=False)
    left = sum((tables[split.feature][code] for code in split.left), np.zeros(2, dtype=int))
    right = tables[split.feature].sum(axis=0) - left
    own = sum(a * b / (a + b) for a, b in (left, right))
    assert own == pytest.approx(float(best_grid_split(tables, ORDERED).impurity))


LONG = Domain.from_spec({"features": {"x": [0, 2, 2], "y": [0, 4, 4], "z": [0, 3, 3]}, "classes": ["a", "b"]})
RNG = np.random.default_rng(11)


@pytest.mark.parametrize("shape", [(2,), (2, 5), (2, 4, 3), (2, 4, 2), (2, 2, 7)])
def test_of_two_classes_it_is_the_printed_product_to_the_last_digit(shape):
    counts = RNG.integers(1, 50, size=shape).astype(float)
    total = counts.sum(axis=0)
    share = counts[1] / total
    assert (_impurity(counts) == total * share * (1 - share)).all() and _impurity(counts).shape == shape[1:]


@pytest.mark.parametrize("shape", [(3,), (3, 2), (3, 3, 2), (4, 2, 5)])
def test_of_more_classes_it_is_half_the_sum_over_all(shape):
    counts = RNG.integers(-9, 50, size=shape)
    counts[0] += 9 * shape[0]  # so that nobody divides by 0
    found = _impurity(counts.astype(float)).ravel()
    for value, cells in zip(found, counts.reshape(shape[0], -1).T.tolist(), strict=True):
        n = sum(cells)
        assert value == pytest.approx(float(sum(Fraction(c, n) * (n - c) for c in cells) / 2), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("feature", [0, 1, 2])
def test_each_of_three_features_has_its_place(feature):
    """The one that divides the classes is found, wherever its codes stand."""
    first, sizes = [0, 2, 6], [2, 4, 3]
    table = np.full((9, 2), 6)
    for code in range(sizes[feature]):
        table[first[feature] + code] = [12, 0] if code == 0 else [0, 12]
    (split,) = splits_as_printed(table[None], np.ones((1, 9), dtype=bool), LONG)
    assert split == CodeSplit(feature, frozenset([0]))


def test_a_node_may_begin_at_a_later_code():
    """Of codes 1 to 3, the borders after 1 and after 2 are left."""
    inside = np.array([[True, False, False, True, True, True, True, False, False]])
    table = np.zeros((1, 9, 2), dtype=int)
    table[0, 0], table[0, 3:6], table[0, 6] = [9, 9], [[5, 1], [4, 0], [0, 8]], [9, 9]
    assert splits_as_printed(table, inside, LONG) == [CodeSplit(1, frozenset([0, 1, 2]))]


def test_where_a_side_has_no_code_there_is_no_split_whatever_stands_there():
    """Of two nodes at once, each for itself."""
    everything = np.ones(9, dtype=bool)
    narrow = np.array([True, False, True, False, False, False, False, False, True])
    table = RNG.integers(1, 9, size=(9, 2))
    wide, none = splits_as_printed(np.array([table, table]), np.array([everything, narrow]), LONG)
    assert wide is not None and none is None
