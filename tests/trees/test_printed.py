"""Algorithm 5 as printed: splits by the printed impurity of raw counts, printed stops, counts as released."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.cart import CodeSplit, best_grid_split
from fdpedu.claims.federations import federate
from fdpedu.claims.histograms import laws_tree_counts as counts
from fdpedu.claims.trees import laws_free as law
from fdpedu.domain import Domain
from fdpedu.federation import ClassCounts
from fdpedu.histograms import choice_as_printed, impurity_as_printed, one_hot_histograms
from fdpedu.randomness import ZeroWords
from fdpedu.trees import DESIGNS, Design, fit_federated_tree
from fdpedu.trees.printed import splits_as_printed
from fdpedu.trees.stopping import Level, as_printed_unclipped

ORDERED = Domain.from_spec({"features": {"x": [0, 3, 3], "y": [0, 2, 2]}, "classes": ["a", "b"]})
WARDS = Domain.from_spec({"features": {"x": [0, 2, 2], "w": ["A", "B", "C"]}, "classes": ["a", "b"]})
THREE = Domain.from_spec({"features": {"x": [0, 3, 3], "w": ["A", "B", "C"]}, "classes": ["a", "b", "c"]})
ROWS = [[x % 3 + 0.5, "ABC"[x * x % 3], "abc"[(x * x + x // 5) % 3]] for x in range(60)]
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


def test_the_printed_stops():
    """All features count too few; or all but one class have no positive total anywhere. Counts are raw."""
    first, ones = np.array([0, 2]), np.ones((4, 4), dtype=bool)
    tables = np.array(
        [
            [[9, 3], [-9, 4], [2, 2], [1, 1]],  # 7 and 6 rows; clipped, the first feature would count 16
            [[9, 3], [-2, 4], [2, 2], [1, 1]],  # 14
            [[9, -3], [2, 2], [8, -1], [9, 1]],  # the second class has −1 and 0
            [[9, -3], [2, 2], [8, -1], [9, 2]],  # and here 1
        ]
    )
    level = Level(tables, ones, first, 1.0)
    assert as_printed_unclipped(level, 10).tolist() == [True, False, True, False]
    assert as_printed_unclipped(level, 7).tolist() == [False, False, True, False]
    assert as_printed_unclipped(level, 8).tolist() == [True, False, True, False]


def test_the_design_as_printed():
    design = DESIGNS["algorithm-5-as-printed"]
    assert design == Design(
        stop=as_printed_unclipped, relative=True, unspent_to_leaf=False, consistent=False, clip=False
    )
    for seed in range(8):
        rules = {"max_depth": 3, "min_samples_split": 2}
        tree, answered, federation = law.grown((THREE, [ROWS[::2], ROWS[1::2]]), 2, seed, design, **rules)
        own = {query.region: answer.tolist() for query, answer in answered if isinstance(query, ClassCounts)}
        nodes, regions, _ = counts.by_level(tree)
        for node, region in zip(nodes, regions, strict=True):
            if node.is_leaf:
                assert list(node.counts if node.estimate is None else node.estimate) == own[region]
        tables = {query.region: answer for query, answer in answered if not isinstance(query, ClassCounts)}
        for node, region in zip(nodes, regions, strict=True):
            if region in tables and not node.is_leaf:
                mask = np.array([code in region.codes(j) for j in (0, 1) for code in range(3)])
                (split,) = splits_as_printed((tables[region] * mask[:, None])[None], mask[None], THREE)
                assert node.split == split
        assert {query.epsilon for query, _ in answered if isinstance(query, ClassCounts)} == {1}
        assert federation.ledger.spent <= 2


def test_raw_counts_may_be_compared_in_three_ways():
    """By G, by n·G, and by the shrunk gain of raw counts; clipped ones are compared by the search of chapter 1."""
    trees = {}
    for name, design in (
        ("G", Design(clip=False, relative=True)),
        ("n·G", Design(clip=False)),
        ("gain", Design(clip=False, shrink=3)),
        ("clipped gain", Design(shrink=3)),
    ):
        trees[name] = [
            law.grown((THREE, [ROWS[::2], ROWS[1::2]]), 1, seed, design, max_depth=2)[0].root for seed in range(8)
        ]
    assert all(trees[a] != trees[b] for a in trees for b in trees if a != b)


@pytest.mark.parametrize("design", [Design(clip=False), Design(clip=False, shrink=1), "algorithm-5-as-printed"])
def test_without_noise_all_rows_are_there(design):
    federation = federate([ROWS[::2], ROWS[1::2]], THREE, 1, ZeroWords())
    tree = fit_federated_tree(federation, max_depth=3, min_samples_split=2, design=design)
    assert sum(tree.root.counts) == 60 and tree.depth > 1
