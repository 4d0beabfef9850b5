"""The best split of noisy counts, and the order of categories."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.cart import CodeSplit
from fdpedu.cart.candidates import ALL_BORDERS, Borders
from fdpedu.claims.privatree import search as topic
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.trees.designs.privatree.search import best_noisy_split, category_order, splits_of

LINE = Domain([Numeric.grid("x", 0, 4, bins=4)], ("a", "b"))
WARDS = Domain([Categorical("w", ("A", "B", "C", "D"))], ("a", "b"))
WARDS3 = Domain([Categorical("w", ("A", "B", "C", "D"))], ("a", "b", "c"))
BOTH = Domain([Numeric.grid("x", 0, 2, bins=2), Numeric.grid("z", 0, 2, bins=2)], ("a", "b"))


@pytest.mark.claim("lem-noisy-search-free")
def test_of_three_classes_the_beginnings_of_the_domains_order_are_compared():
    counts = np.array([[9, 0, 0], [0, 9, 0], [9, 0, 0], [0, 0, 9]])
    found = [split.left for split in splits_of(counts, WARDS3, WARDS3.everything, ALL_BORDERS)]
    assert found == [frozenset({0}), frozenset({0, 1}), frozenset({0, 1, 2})]
    assert category_order(counts, [3, 1]) == [3, 1]
    assert best_noisy_split(counts, WARDS3, WARDS3.everything, "errors").left == {0, 1, 2}


def test_the_order_of_categories():
    """By the share of the first class, falling; without counts as if half; ties as they stand."""
    counts = np.array([[1, 3], [0, 0], [4, 0], [1, 1]])
    assert category_order(counts, [0, 1, 2, 3]) == [2, 1, 3, 0]
    assert category_order(counts, [3, 1]) == [3, 1] and category_order(counts, [1, 3]) == [1, 3]
    large = np.array([[2**53 + 1, 2**53], [1, 1], [2**53, 2**53 + 1]])
    assert category_order(large, [2, 1, 0]) == [0, 1, 2]


@pytest.mark.parametrize(
    ("table", "domain", "split"),
    [
        ([[9, 0], [9, 0], [0, 9], [0, 9]], LINE, CodeSplit(0, frozenset({0, 1}))),
        ([[-9, 0], [9, 0], [0, 9], [0, -9]], LINE, CodeSplit(0, frozenset({0, 1}))),
        ([[0, 0]] * 4, LINE, None),
        ([[-3, -1]] * 4, LINE, None),
        ([[5, 5]] * 4, LINE, CodeSplit(0, frozenset({0}))),  # the first of several
        ([[9, 0], [0, 9], [9, 0], [0, 9]], WARDS, CodeSplit(0, frozenset({0, 2}))),
        ([[1, 1], [1, 1], [9, 0], [0, 9]], BOTH, CodeSplit(1, frozenset({0}))),
        ([[0, 0], [0, 0], [9, 0], [1, 9]], BOTH, CodeSplit(1, frozenset({0}))),  # a feature without counts
        ([[90, 10], [10, 90], [4, 1], [1, 4]], BOTH, CodeSplit(0, frozenset({0}))),  # shares, not numbers
    ],
)
def test_known_answers(table, domain, split):
    for score in ("errors", "gini", "mixed"):
        assert best_noisy_split(np.array(table), domain, domain.everything, score) == split


def test_only_the_codes_of_the_region_count():
    table = np.array([[9, 0], [0, 9], [9, 0], [0, 9]])
    region = LINE.everything.restrict(0, {1, 2})
    assert best_noisy_split(table, LINE, region, "errors").left == {0, 1}
    assert best_noisy_split(table, LINE, LINE.everything.restrict(0, {2}), "errors") is None
    wards = WARDS.everything.restrict(0, {1, 2, 3})
    assert best_noisy_split(table, WARDS, wards, "errors").left == {2}


def test_only_at_kept_borders():
    table = np.array([[9, 0], [0, 9], [0, 9], [0, 9]])
    assert best_noisy_split(table, LINE, LINE.everything, "errors", Borders([[2, 3]])).left == {0, 1}
    assert best_noisy_split(table, LINE, LINE.everything, "errors", Borders([[1, 3]])).left == {0}
    assert best_noisy_split(table, LINE, LINE.everything.restrict(0, {0, 1}), "errors", Borders([[3]])) is None
    assert best_noisy_split(table, WARDS, WARDS.everything, "errors", Borders([None])).left in ({0}, {1, 2, 3})


def test_large_counts_are_compared_exactly():
    """Shares that differ by less than a float's last bit."""
    n = 2**40
    table = np.array([[n, 1], [1, n - 4], [n, 1], [1, n]])
    assert best_noisy_split(table, BOTH, BOTH.everything, "errors").feature in (0, 1)
    least, shares = topic.best_by_hand(table, BOTH, BOTH.everything, "gini", ALL_BORDERS)
    split = best_noisy_split(table, BOTH, BOTH.everything, "gini")
    assert shares[split.feature, split.left] == least and isinstance(least, Fraction)
