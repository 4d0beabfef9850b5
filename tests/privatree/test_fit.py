"""Fitting: what the options do, on how many classes, and at which sizes."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import Party
from fdpedu.randomness import Rehearsal
from fdpedu.trees import PrivaTree, fit_privatree, leaf_share_by_rule
from tests.support.privatrees import EVERY, MIXED, PLAIN, fitted, named, on_public_rows, rows, spelled


@pytest.mark.parametrize("options", EVERY, ids=named)
def test_the_words_decide_and_nothing_else_does(options):
    one, other, another = (fitted(seed=seed, max_depth=2, **spelled(options))[0] for seed in (3, 3, 4))
    assert one.root == other.root and one.design == other.design
    assert "rehearsal" in str(one.derivation.guarantee)
    assert one.root != another.root or options["leaves"] == "labels"


def test_what_is_left_out_is_as_the_reference_says():
    """Choices, errors, public edges, labels; four levels, a fifth for leaves, ten wide bins."""
    tree, ledger = fitted()
    assert tree.design == PrivaTree() and tree.depth == 4 and ledger.spent == 1 and tree.rounds == 5
    costs = {(step["type"], step["epsilon"]) for _, step in tree.derivation.releases()}
    assert costs == {("chosen-split", "1/5"), ("leaf-label", "1/5")}


@pytest.mark.claim("thm-privatree")
@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize("classes", [2, 3, 4])
def test_the_rule_for_leaves(depth, classes):
    """By ε, N, the classes and the depth; the true number of rows is no part of it."""
    domain = Domain([Numeric.grid("x", 0, 8, bins=8)], tuple("abcd"[:classes]))
    for n, size, budget in ((0, 500, 1), (900, 500, 1), (10, 10**6, "1/2"), (10, 20, 3)):
        table = [[k % 8 + 0.5, "abcd"[k % classes]] for k in range(n)]
        tree, ledger = fitted(
            table, domain=domain, budget=budget, max_depth=depth, leaf_share="rule", nominal_size=size
        )
        share = leaf_share_by_rule(budget, size, classes, depth)
        labels = {Fraction(s["epsilon"]) for _, s in tree.derivation.releases() if s["type"] == "leaf-label"}
        assert labels == {share * Fraction(budget)} and ledger.spent == Fraction(budget)


def test_the_rule_where_a_part_of_the_ledger_is_to_be_spent():
    tree, ledger = fitted(budget=3, epsilon="1/2", leaf_share="rule", nominal_size=5000, max_depth=2)
    share = leaf_share_by_rule("1/2", 5000, 3, 2)
    costs = {(s["type"], Fraction(s["epsilon"])) for _, s in tree.derivation.releases()}
    assert costs == {("leaf-label", share / 2), ("chosen-split", (1 - share) / 4)} and ledger.spent == 0.5


def test_a_nominal_size_alone_changes_nothing():
    assert fitted(nominal_size=7)[0].root == fitted(nominal_size=10**9)[0].root == fitted()[0].root


@pytest.mark.parametrize("classes", [2, 3, 4, 6])
@pytest.mark.parametrize("leaves", ["labels", "counts"])
@pytest.mark.parametrize("splits", ["choice", "histograms"])
def test_any_number_of_classes(classes, leaves, splits):
    """With a budget beyond all need the tree knows which class goes with which bin."""
    domain = Domain([Numeric.grid("x", 0, 12, bins=12)], tuple(range(classes)))
    table = [[k + 0.5, k * classes // 12] for k in range(12)] * 40
    tree, _ = fitted(table, domain=domain, budget=10**6, splits=splits, leaves=leaves, score="gini", max_depth=6)
    assert tree.score([row[:-1] for row in table], [row[-1] for row in table]) > 0.99


@pytest.mark.parametrize("edges", ["public", "joint", "histogram"])
def test_sizes_beyond_bytes_and_short_integers(edges):
    """256 bins, and 2¹⁷ rows in one of them: what is counted and decided is exact."""
    domain = Domain([Numeric.grid("x", 0, 256, bins=256)], ("a", "b"))
    table = [[200.5, "b"]] * (2**16 + 1) + [[100.5, "a"]] * 2**16 + [[255.5, "b"], [0.5, "a"]]
    for splits in ("choice", "histograms"):
        tree, ledger = fitted(
            table, domain=domain, budget=100, splits=splits, edges=edges, edge_bins=3, max_depth=1, leaves="counts"
        )
        assert ledger.spent == 100
        low, high = tree.root.left, tree.root.right
        assert abs(low.counts[0] - 2**16 - 1) < 5 and abs(high.counts[1] - 2**16 - 2) < 5
        assert tree.predict([[100.5], [200.5]]).tolist() == ["a", "b"]


def test_eight_levels_are_asked_to_the_end():
    tree, ledger = fitted(rows(100, PLAIN), domain=PLAIN, max_depth=8)
    assert ledger.spent == Fraction(tree.depth, 10) + Fraction(1, 5) and tree.rounds == tree.depth + 1 <= 7
    assert len(list(tree.leaves())) == 16


def test_constant_features_and_one_class_are_no_reason_to_refuse():
    """The domain says what may be; that all rows are alike is not public, so it must not be seen."""
    for table in ([[1.0, None, "A", 0.5, "b"]] * 300, [[1.0, 2.0, "C", 1.5, "a"]]):
        for options in EVERY:
            tree, ledger = fitted(table, max_depth=2, **spelled(options))
            assert ledger.spent == 1 and tree.depth >= 1
    tree, _ = fitted([[1.0, None, "A", 0.5, "b"]] * 300, budget=10)
    assert tree.predict([[1.0, None, "A", 0.5]]).tolist() == ["b"]


def test_two_owners_of_the_same_rows_in_another_order_get_the_same_tree():
    table = rows(80)
    trees = [fit_privatree(Party(some, MIXED), Ledger(1), rng=Rehearsal(2)) for some in (table, table[::-1])]
    assert trees[0].root == trees[1].root


def test_the_accuracy_of_a_tree_at_a_generous_budget():
    X, y = [row[:-1] for row in rows(600, seed=4)], [row[-1] for row in rows(600, seed=4)]
    for splits in ("choice", "histograms"):
        assert fitted(rows(600), budget=50, splits=splits)[0].score(X, y) > 0.85
    assert np.mean([fitted(rows(600), budget=50, splits="random", seed=k)[0].score(X, y) for k in range(5)]) > 0.4


def test_a_public_tree_of_the_same_depth_or_less_is_taken():
    for depth in (0, 1, 3):
        tree, ledger = fitted(splits=on_public_rows(depth=depth), max_depth=3, leaves="counts")
        assert tree.depth == depth and ledger.spent == 1
