"""What the nodes of a private tree show, and what its leaves predict from."""

import numpy as np
import pytest

from fdpedu import cart
from fdpedu.cart import CodeSplit, Node
from fdpedu.claims.federations import federate, grow
from fdpedu.claims.histograms import tree_counts as topic
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import Design, fit_federated_tree
from fdpedu.trees.counts import View, estimates_and_counts
from tests.support.private_trees import CASE, DOMAIN, HALVES


def leaf(counts, estimate=None):
    return Node(counts, estimate=estimate)


def test_a_leaf_predicts_from_its_estimate():
    """Where it has one: its counts may be 0, or tied, or of another majority; the largest may be negative."""
    assert leaf((0, 0)).label == 0 and leaf((0, 3)).label == 1 and leaf((2, 2)).label == 0
    assert leaf((0, 0), (-3.5, -0.2)).label == 1 and leaf((2, 1), (1.4, 1.6)).label == 1
    assert leaf((0, 0), (-3.5, -0.2)).probabilities.tolist() == [0.5, 0.5]
    assert leaf((0, 0), (-1.0, 0.5)).probabilities.tolist() == [0, 1]
    assert leaf((1, 3)).probabilities.tolist() == [0.25, 0.75]
    assert leaf((0, 5), (1.0, 3.0)).probabilities.tolist() == [0.25, 0.75]


def test_a_tree_predicts_and_tells_what_its_leaves_estimate():
    root = Node((3, 1, 0), CodeSplit(0, frozenset([0])), leaf((3, 0, 0), (2.2, 0.1, 2.5)), leaf((0, 1, 0)))
    tree = cart.Tree(root, DOMAIN.classes, ("x", "w"), DOMAIN)
    assert tree.predict([[0.5, "A"], [3.5, "A"]]).tolist() == ["c", "b"]
    assert tree.predict_proba([[0.5, "A"]])[0] == pytest.approx(np.array([2.2, 0.1, 2.5]) / 4.8)
    left = tree.to_dict()["left"]
    assert left["label"] == "c" and left["counts"] == [3, 0, 0] and sum(left["probabilities"]) == pytest.approx(1)


@pytest.mark.claim("lem-tree-counts")
def test_the_reports_design_predicts_from_what_was_released_for_a_leaf():
    """And the default from the estimates: at leaves of little budget the two differ."""
    for design, consistent in (("algorithm-5-clipped", False), ("default", True)):
        tree, released, estimates = topic.grown(CASE, 2, 2, 1, 4, design)
        nodes, regions, _ = topic.by_level(tree)
        own = {query.region: answer.tolist() for query, answer in released if answer.ndim == 1}
        same = 0
        for node, region, estimate in zip(nodes, regions, estimates, strict=True):
            if node.is_leaf:
                finer = list(node.counts if node.estimate is None else node.estimate)
                assert finer == (np.round(estimate, 3).tolist() if consistent else own[region])
                same += finer == own[region]
        assert tree.depth > 0 and same == (0 if consistent else len(tree.leaves()))


def test_inner_nodes_have_counts_only_and_whole_estimates_are_not_kept():
    tree, _ = grow(CASE, 1, ZeroWords(), max_depth=3, min_samples_split=2)
    assert tree.depth > 1 and all(node.estimate is None for _, node in tree.nodes())
    tree, _ = grow(CASE, 1, Rehearsal(1), max_depth=3, min_samples_split=2)
    assert all(node.estimate is None for _, node in tree.nodes() if not node.is_leaf)
    assert any(node.estimate is not None for node in tree.leaves())
    assert all(len(f"{x:.10g}".partition(".")[2]) <= 3 for node in tree.leaves() for x in node.estimate or ())


def test_a_design_of_ones_own_may_ask_for_either():
    trees = {}
    for consistent in (False, True):
        federation = federate(HALVES, DOMAIN, 1, Rehearsal(3))
        trees[consistent] = fit_federated_tree(federation, max_depth=2, design=Design(consistent=consistent))
    assert [n.counts for _, n in trees[False].nodes()] == [n.counts for _, n in trees[True].nodes()]
    assert [n.estimate for n in trees[False].leaves()] != [n.estimate for n in trees[True].leaves()]


def test_an_estimate_is_never_a_negative_zero():
    """It would be written as -0.0; in thousandths a small negative number is 0."""
    estimates, counts = estimates_and_counts([-1], [[View(np.array([-0.0001, 2.0]), 1.0)]])
    assert str(estimates) == "[(0.0, 2.0)]" and counts == [(0, 2)]


@pytest.mark.parametrize("budget", ["1/10000000000", 10**6])
def test_the_smallest_and_the_largest_budgets(budget):
    """Noise of 10¹² rows, and noise whose variance no float can tell from 0: counts add up all the same."""
    for seed in range(3):
        topic.shown(CASE, budget, 3, 1, seed, "default")


@pytest.mark.claim("lem-tree-counts")
def test_early_leaves_of_the_reports_design_predict_from_their_own_counts():
    early = 0
    for seed in range(12):
        tree, released, _ = topic.grown(CASE, 8, 3, 1, seed, "algorithm-5-clipped")
        nodes, regions, _ = topic.by_level(tree)
        own = {query.region: answer.tolist() for query, answer in released if answer.ndim == 1}
        twice = {query.region for query, answer in released if answer.ndim == 2}
        for node, region in zip(nodes, regions, strict=True):
            if node.is_leaf:
                assert list(node.counts if node.estimate is None else node.estimate) == own[region]
                early += region in twice
    assert early


@pytest.mark.claim("lem-tree-counts")
def test_an_estimate_is_kept_where_one_class_differs():
    for seed in range(20):
        tree, _, estimates = topic.grown(CASE, 8, 2, 1, seed, "default")
        nodes, _, _ = topic.by_level(tree)
        for node, estimate in zip(nodes, estimates, strict=True):
            if node.is_leaf:
                finer = node.counts if node.estimate is None else node.estimate
                assert np.abs(np.array(finer) - estimate).max() <= 6e-4


def test_shares_of_huge_counts_are_not_negative():
    assert Node((2**62, 2**62)).probabilities.tolist() == [0.5, 0.5]
