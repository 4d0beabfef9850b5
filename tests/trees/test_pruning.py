"""Leaves of one label become one leaf, and nothing else changes."""

import numpy as np

from fdpedu.cart import CodeSplit, Node
from fdpedu.trees.pruning import pruned_node

SPLIT = CodeSplit(0, frozenset([0]))


def leaf(counts, estimate=None):
    return Node(counts, estimate=estimate)


def fork(left, right, split=SPLIT):
    return Node(tuple(map(sum, zip(left.counts, right.counts, strict=True))), split, left, right)


def test_a_leaf_and_a_fork_of_two_labels_stay_the_very_same():
    alone, two = leaf((1, 2)), fork(leaf((3, 0)), leaf((0, 3)))
    assert pruned_node(alone) is alone
    assert pruned_node(two) == two and pruned_node(two).split is SPLIT


def test_what_is_merged_is_merged_with_its_sibling_in_turn():
    """Three levels of one label become one leaf; where the last sibling differs, it stops there."""
    inner = fork(leaf((2, 1)), fork(leaf((1, 0)), leaf((5, 5))))
    assert pruned_node(fork(inner, leaf((4, 1)))) == leaf((12, 7))
    assert pruned_node(fork(inner, leaf((0, 1)))) == fork(leaf((8, 6)), leaf((0, 1)))
    assert pruned_node(fork(leaf((0, 1)), inner)) == fork(leaf((0, 1)), leaf((8, 6)))


def test_estimates_are_added_in_thousandths_and_kept_where_they_say_more():
    assert pruned_node(fork(leaf((1, 0), (1.001, 0.1)), leaf((2, 0), (2.002, 0.2)))) == leaf((3, 0), (3.003, 0.3))
    assert pruned_node(fork(leaf((1, 0), (0.5, 0.0)), leaf((1, 0), (1.5, 0.0)))) == leaf((2, 0))
    assert pruned_node(fork(leaf((3, 1)), leaf((1, 0), (1.5, 0.25)))) == leaf((4, 1), (4.5, 1.25))
    assert pruned_node(fork(leaf((1, 0), (1.5, 0.25)), leaf((3, 1)))) == leaf((4, 1), (4.5, 1.25))
    zero = pruned_node(fork(leaf((0, 0), (-0.001, -0.5)), leaf((0, 0), (0.0009, -0.5))))
    assert str(zero.estimate) == "(0.0, -1.0)"


def test_leaves_whose_sum_no_float_tells_apart_stay():
    """Both predict the second class by a hair, which their sum in floats would lose."""
    big = 2.0**61
    two = fork(leaf((0, 0), (big, np.nextafter(big, 2 * big))), leaf((0, 0), (0.0, 0.001)))
    assert two.left.label == two.right.label == 1
    kept = pruned_node(two)
    assert kept == two or kept.label == 1
    lost = fork(leaf((0, 0), (0.0001, 0.0002)), leaf((0, 0), (0.0001, 0.0002)))
    assert pruned_node(lost) == lost  # in thousandths both sums are 0
