"""Leaves without counts of their own: what they cost, what they read, and how a file of such a tree is checked."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import BudgetExceeded
from fdpedu.cart import CodeSplit
from fdpedu.claims.federations import federate
from fdpedu.claims.trees import laws_free_reuse as law
from fdpedu.domain import Domain
from fdpedu.files import FileRefused, digest
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import Design, Tree, fit_federated_tree
from fdpedu.trees.costs import Costs
from fdpedu.trees.counts import UNKNOWN, View
from fdpedu.trees.grow import _in_thousandths
from fdpedu.trees.growing import Growing

DOMAIN = Domain.from_spec({"features": {"x": [0, 4, 4], "w": ["A", "B", "C"]}, "classes": ["a", "b", "c"]})
ROWS = [[x % 4 + 0.5, "ABC"[x % 3], "abc"[(x * x + x // 5) % 3]] for x in range(60)]
CASE = DOMAIN, [ROWS[::2], ROWS[1::2]]
ONLY = Domain.from_spec({"features": {"x": [0, 4, 4]}, "classes": ["a", "b"]})


@pytest.mark.claim("lem-histogram-reuse")
def test_three_classes_cost_and_views():
    for seed in range(4):
        law.reuse_cost(CASE, Fraction(2), 3, 2, seed)
        for consistent in (True, False):
            law.reuse_views(CASE, Fraction(2), 2, 1, seed, consistent)
            law.reuse_views((ONLY, [[[1, "a"]] * 9, [[3, "b"]] * 9]), Fraction(1), 2, 0, seed, consistent)


@pytest.mark.claim("lem-histogram-reuse")
def test_without_noise_it_is_the_same_tree():
    for depth in (1, 2, 4):
        law.noiseless_reuse(CASE, depth)


@pytest.mark.claim("lem-histogram-reuse")
def test_a_chosen_histogram_errs_more():
    law.selection(10)


def test_the_costs_go_to_the_histograms():
    costs = Costs.within(Fraction(1), None, "1/2", 4, unspent_to_leaf=True, fresh_leaves=False)
    assert costs == Costs(Fraction(1), Fraction(1, 4), Fraction(0), 4, False)
    costs.require_drawable(1)  # nothing is drawn at 0
    assert Costs.within(Fraction(1), "1/2", "1/4", 0, unspent_to_leaf=False) == Costs(
        Fraction(1, 2), Fraction(0), Fraction(1, 8), 0, False
    )
    with pytest.raises(ValueError, match="max_depth must be at least 1 where leaves read the histograms above them: "):
        Costs.within(Fraction(1), None, "1/2", 0, unspent_to_leaf=False, fresh_leaves=False)
    with pytest.raises(BudgetExceeded, match="the ledger has ε = 1 left; nothing was charged"):
        Costs.within(Fraction(1), 2, "1/2", 3, unspent_to_leaf=False, fresh_leaves=False)


def test_what_a_leaf_costs_by_its_level():
    early = Costs.within(Fraction(3), None, "1/3", 2, unspent_to_leaf=True)
    assert (early.node, early.leaf) == (1, 1) and [early.of_leaf(t) for t in (0, 1, 2)] == [3, 2, 1]
    late = replace(early, unspent_to_leaf=False)
    assert [late.of_leaf(t) for t in (0, 1, 2)] == [1, 1, 1]
    bare = Costs.within(Fraction(3), None, "1/3", 0, unspent_to_leaf=False)
    assert bare.of_leaf(0) == 3 and bare.node == 0
    for costs, histograms in ((Costs(Fraction(1), Fraction(1), Fraction(1, 10**13), 1, False), 1), (early, 10**13)):
        with pytest.raises(ValueError, match="must be at least"):
            costs.require_drawable(histograms)
    bare.require_drawable(10**13)


def node(features=None):
    """A node with codes 0–2 of feature 0 and both codes of feature 1, split by {0} of the first."""
    domain = Domain.from_spec({"features": {"x": [0, 4, 4], "y": [0, 2, 2]}, "classes": ["a", "b"]})
    region = domain.everything.restrict(0, {0, 1, 2})
    found = Growing(region, features, views=[View(np.zeros(2), 1.0)])
    found.split(CodeSplit(0, frozenset([0])))
    return found


TABLE = np.array([[5, 1], [2, 2], [-1, 3], [0, 0], [4, 4], [1, 3]])


def test_sides_read_the_chosen_histogram_and_the_node_the_others():
    here = node()
    here.read_sides(TABLE, np.array([0, 4]), 2.5)
    ((left,), (right,), (own,)) = (side.views for side in (*here.sides, here))
    assert (left.counts.tolist(), left.variance) == ([5, 1], 2.5)
    assert (right.counts.tolist(), right.variance) == ([1, 5], 5.0)
    assert (own.counts.tolist(), own.variance) == ([5, 7], 5.0)
    alone = node((0,))
    alone.read_sides(TABLE, np.array([0, 4]), 2.5)
    (unknown,) = alone.views
    assert (unknown.counts.tolist(), unknown.variance) == ([0, 0], UNKNOWN)


def test_a_node_that_was_not_split_keeps_its_views():
    here = node()
    here.chosen, before = None, list(here.views)
    here.read_sides(TABLE, np.array([0, 4]), 2.5)
    assert here.views == before and not here.sides[0].views


def test_the_two_sides_of_a_split():
    here = node()
    left, right = here.sides
    assert here.inside([4, 2]).tolist() == [True, True, True, False, True, True]
    assert left.inside([4, 2]).tolist() == [True, False, False, False, True, True]
    assert right.inside([4, 2]).tolist() == [False, True, True, False, True, True]
    assert left.region == here.region.restrict(0, {0}) and right.region == here.region.restrict(0, {1, 2})
    assert (here.chosen.left, left.chosen, left.sides, left.views, left.release) == ({0}, None, (), [], None)
    assert here.releases() == ()


def grown(**options):
    federation = federate(CASE[1], DOMAIN, 3, Rehearsal(1))
    rules = {"max_depth": 2, "min_samples_split": 2, "design": Design(fresh_leaves=False, **options)}
    return fit_federated_tree(federation, **rules), federation


def test_rounds_progress_and_budget():
    steps, federation = [], federate(CASE[1], DOMAIN, 3, ZeroWords())
    tree = fit_federated_tree(
        federation,
        max_depth=2,
        min_samples_split=2,
        design=Design(fresh_leaves=False),
        progress=lambda done, of: steps.append((done, of)),
    )
    assert steps == [(1, 4), (2, 4), (3, 4), (4, 4), (1, 1)] and tree.rounds == 2 == tree.depth
    assert federation.ledger.spent == 3
    with pytest.raises(ValueError, match="max_depth must be at least 1"):
        fit_federated_tree(federate(CASE[1], DOMAIN, 3, ZeroWords()), max_depth=0, design=Design(fresh_leaves=False))


def test_an_early_leaf_predicts_from_the_mean_of_its_totals_in_thousandths():
    def stop(level, least):
        return np.ones(len(level.inside), dtype=bool)

    tree, federation = grown(stop=stop, consistent=False)
    assert tree.depth == 0 and federation.ledger.spent == Fraction(3, 2)
    (found,) = tree.leaves()
    assert all(round(x, 3) == x for x in found.estimate) and "-0.0," not in str(found.estimate)


def test_means_are_kept_in_thousandths_and_integers_as_they_are():
    assert str(_in_thousandths(View(np.array([-0.0001, 2.50049]), 1.0))) == "(0.0, 2.5)"
    assert str(_in_thousandths(View(np.array([-3, 7]), 1.0))) == "(-3, 7)"


def read(content):
    content.pop("digest", None)
    return Tree.from_json(json.dumps({**content, "digest": digest(content)}), "t.json")


def test_its_file_needs_histograms_only():
    tree, _ = grown()
    content = json.loads(tree.to_json())
    assert "leaf_releases" not in content and content["design"]["fresh_leaves"] is False and read(content) == tree
    del content["design"]
    with pytest.raises(FileRefused, match="no release of class counts of a leaf"):
        read(content)


def test_its_leaves_are_no_deeper_than_what_was_paid():
    tree, _ = grown()
    content = json.loads(tree.to_json())
    leaf = content["root"]
    while "left" in leaf:
        leaf = leaf["left"]
    leaf.update(split={"feature": "w", "left": [0]}, left={"counts": [0, 0, 0]}, right={"counts": leaf["counts"]})
    leaf.pop("estimate", None)
    with pytest.raises(FileRefused, match="no release of class × bin histograms of all features"):
        read(content)


def test_a_bare_root_must_have_histograms():
    """Class counts of the root alone do not make a tree of histograms."""
    federation = federate(CASE[1], DOMAIN, 3, Rehearsal(1))
    content = json.loads(fit_federated_tree(federation, max_depth=0).to_json())
    del content["leaf_releases"]
    assert read(json.loads(json.dumps(content))).depth == 0
    content["design"]["fresh_leaves"] = False
    with pytest.raises(FileRefused, match="no release of class × bin histograms of all features on all records"):
        read(content)


def test_leaf_releases_and_leaves_without_them_exclude_each_other():
    federation = federate(CASE[1], DOMAIN, 3, Rehearsal(1))
    content = json.loads(fit_federated_tree(federation, max_depth=1).to_json())
    content["design"]["fresh_leaves"] = False
    with pytest.raises(FileRefused, match="leaf_releases must be left out where the design has no fresh leaves"):
        read(content)
