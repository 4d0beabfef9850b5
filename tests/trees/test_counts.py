"""What the nodes of a private tree show, and what its leaves predict from."""

import json

import numpy as np
import pytest

from fdpedu.cart import CodeSplit, Node, Tree
from fdpedu.claims.federations import federate, grow
from fdpedu.claims.histograms import laws_tree_counts as grown
from fdpedu.domain import Domain
from fdpedu.files import FileRefused, digest
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import DESIGNS, Design, fit_federated_tree
from fdpedu.trees import Tree as PrivateTree
from fdpedu.trees.counts import View, estimates_and_counts

DOMAIN = Domain.from_spec({"features": {"x": [0, 4, 4], "w": ["A", "B", "C"]}, "classes": ["a", "b", "c"]})
ROWS = [[x % 4 + 0.5, "ABC"[x % 3], "abc"[(x * x + x // 5) % 3]] for x in range(60)]
CASE = DOMAIN, [ROWS[::2], ROWS[1::2]]


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
    tree = Tree(root, DOMAIN.classes, ("x", "w"), DOMAIN)
    assert tree.predict([[0.5, "A"], [3.5, "A"]]).tolist() == ["c", "b"]
    assert tree.predict_proba([[0.5, "A"]])[0] == pytest.approx(np.array([2.2, 0.1, 2.5]) / 4.8)
    told = tree.to_dict()["left"]
    assert told["label"] == "c" and told["counts"] == [3, 0, 0] and sum(told["probabilities"]) == pytest.approx(1)


@pytest.mark.claim("lem-tree-counts")
@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("tolerate", [0, 1])
def test_three_classes_and_a_categorical_feature(design, tolerate):
    for seed in range(5):
        grown.all_views(CASE, 2, 3, tolerate, seed, design)
        grown.shown(CASE, 2, 3, tolerate, seed, design)


@pytest.mark.claim("lem-tree-counts")
def test_the_reports_design_predicts_from_what_was_released_for_a_leaf():
    """And the default from the estimates: at leaves of little budget the two differ."""
    for design, consistent in (("algorithm-5-clipped", False), ("default", True)):
        tree, released, estimates = grown.grown(CASE, 2, 2, 1, 4, design)
        nodes, regions, _ = grown.by_level(tree)
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
        federation = federate(CASE[1], DOMAIN, 1, Rehearsal(3))
        trees[consistent] = fit_federated_tree(federation, max_depth=2, design=Design(consistent=consistent))
    assert [n.counts for _, n in trees[False].nodes()] == [n.counts for _, n in trees[True].nodes()]
    assert [n.estimate for n in trees[False].leaves()] != [n.estimate for n in trees[True].leaves()]


def document():
    tree, _ = grow(CASE, 1, Rehearsal(1), max_depth=2, min_samples_split=2)
    return tree, json.loads(tree.to_json())


def read(content):
    content.pop("digest", None)
    return PrivateTree.from_json(json.dumps({**content, "digest": digest(content)}), "t.json")


def first_leaf(content):
    node = content["root"]
    while "left" in node:
        node = node["left"]
    return node


def test_an_estimate_is_read_back_and_may_be_missing():
    tree, content = document()
    assert read(content) == tree
    del first_leaf(content)["estimate"]
    again = read(content)
    assert again != tree and again.leaves()[0].estimate is None and again.leaves()[1:] == tree.leaves()[1:]


@pytest.mark.parametrize(
    "estimate", [[1.0, 2.0], [1.0, 2.0, 3.0, 4.0], [1.0, True, 2.0], ["1", 2, 3], [1e300, 0, 0], [2**63, 0, 0], 5, []]
)
def test_an_estimate_that_is_none_is_refused(estimate):
    content = document()[1]
    first_leaf(content)["estimate"] = estimate
    with pytest.raises(FileRefused, match=r"t\.json: (the estimate of a leaf needs a number for each class|it lacks)"):
        read(content)


@pytest.mark.parametrize("counts", [[1, 2], [1, 2, 3, 4], [1, True, 2], [1.0, 2, 3], ["1", 2, 3], [2**63, 0, 0], []])
@pytest.mark.parametrize("where", ["root", "leaf"])
def test_counts_that_are_none_are_refused(counts, where):
    content = document()[1]
    (content["root"] if where == "root" else first_leaf(content))["counts"] = counts
    with pytest.raises(FileRefused, match=r"t\.json: a node needs an integer for each class"):
        read(content)


def test_an_estimate_is_never_a_negative_zero():
    """It would be written as -0.0; in thousandths a small negative number is 0."""
    estimates, counts = estimates_and_counts([-1], [[View(np.array([-0.0001, 2.0]), 1.0)]])
    assert str(estimates) == "[(0.0, 2.0)]" and counts == [(0, 2)]


def test_an_inner_node_has_no_estimate():
    content = document()[1]
    content["root"]["estimate"] = [1.0, 2.0, 3.0]
    with pytest.raises(FileRefused, match="needs exactly the keys counts, left, right, split"):
        read(content)


@pytest.mark.parametrize("budget", ["1/10000000000", 10**6])
def test_the_smallest_and_the_largest_budgets(budget):
    """Noise of 10¹² rows, and noise whose variance no float can tell from 0: counts add up all the same."""
    for seed in range(3):
        grown.shown(CASE, budget, 3, 1, seed, "default")
