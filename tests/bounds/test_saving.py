"""Algorithm 6, mended: what a node asks for, what is saved, where that goes; a refusal charges nothing."""

from dataclasses import replace
from fractions import Fraction

import pytest

from fdpedu import derivation_checker as checker
from fdpedu.accounting import BudgetExceeded
from fdpedu.bounds import SavingTree, fit_saving_tree
from fdpedu.bounds.saving import FitSavingTree, grown
from fdpedu.bounds.saving_costs import Plan
from fdpedu.claims.bounds import saving as cases
from fdpedu.claims.federations import federate
from fdpedu.claims.laws.askers import Kept
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ClassCounts, ClassHistogram, InProcess, NodeBounds
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import Tree, count_intervals, leaf_budgets
from fdpedu.trees.recursive import fit_recursively
from tests.support.odd_values import ODD

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
AB = Domain([Numeric.grid(name, 0, 4, bins=4) for name in ("x", "y")], ("a", "b"))
ROWS = [[x, y, "ab"[x > 2]] for x in (1, 2, 3, 4) for y in (1, 2, 3, 4)]
GIVEN = {"max_depth": 2, "min_samples_split": 2, "leaf_share": "1/2", "bounds_share": "1/4", "lattice": 4}


def asked_of(rows=ROWS, **options):
    """The queries of a tree without noise, with the tree."""
    asker = Kept(federate([rows, []], AB, 1, ZeroWords()))
    tree = fit_saving_tree(asker, **{**GIVEN, **options})
    return asker.queries, tree, asker


def test_what_a_removed_feature_saves_goes_to_the_leaf_at_last():
    """One level: 1/8 for two bounds, 3/16 for one histogram; the other's 3/16 go to both leaves, beside 1/2."""
    queries, tree, federation = asked_of(max_depth=1)
    left, right = (AB.everything.restrict(0, codes) for codes in ([0, 1], [2, 3]))
    assert queries == [
        NodeBounds(AB.everything, Fraction(1, 8), 4),
        ClassHistogram(AB.everything, Fraction(3, 16), 0),
        ClassCounts(left, HALF + Fraction(3, 16)),
        ClassCounts(right, HALF + Fraction(3, 16)),
    ]
    (node,) = tree.savings.nodes
    assert node == (type(node))(AB.everything, HALF, (Fraction(0), Fraction(4)), ((0, Fraction(0)),), Fraction(3, 16))
    assert node.removed == (1,) and tree.savings.n_removed == 1
    assert tree.rounds == federation.rounds == 4 and federation.ledger.spent == 1
    assert [leaf.counts for leaf in tree.leaves()] == [(8, 0), (0, 8)]


def test_a_leaf_has_no_more_than_its_share_if_asked_so():
    queries, _, federation = asked_of(max_depth=1, unspent_to_leaf=False)
    assert [query.epsilon for query in queries[2:]] == [HALF, HALF]
    assert federation.ledger.spent == 1 - Fraction(3, 16)


def test_both_children_have_what_was_saved():
    """Two levels of 1/4: the root saves 3/32, so each child has 11/32; one class is left there, and they are leaves."""
    queries, tree, federation = asked_of()
    bounds = [query for query in queries if isinstance(query, NodeBounds)]
    assert [query.epsilon for query in bounds] == [Fraction(1, 16), Fraction(11, 128), Fraction(11, 128)]
    each = Fraction(3, 8) * Fraction(11, 32)
    histograms = [query.epsilon for query in queries if isinstance(query, ClassHistogram)]
    assert histograms == [Fraction(3, 32), each, each, each, each]
    assert [node.saved for node in tree.savings.nodes] == [Fraction(3, 32), 0, 0]
    assert [leaf.spent for leaf in leaf_budgets(tree, federation.ledger)] == [1, 1]
    assert tree.depth == 1 and [release.epsilon for release in tree.leaf_releases] == [HALF, HALF]


def test_what_is_not_given_is_as_stated():
    stated = {"max_depth": 3, "min_samples_split": 10, "leaf_share": "1/2", "bounds_share": "1/4", "lattice": 4}
    stated |= {"epsilon": None, "unspent_to_leaf": True}
    trees = [fit_saving_tree(federate([ROWS, ROWS], AB, 9, Rehearsal(1)), **how) for how in ({}, stated)]
    assert trees[0].derivation.content == trees[1].derivation.content and trees[0].root == trees[1].root


def test_without_levels_all_goes_to_one_leaf():
    queries, tree, _ = asked_of(max_depth=0)
    assert queries == [ClassCounts(AB.everything, Fraction(1))] and tree.savings.nodes == ()


def test_without_a_border_a_node_is_a_leaf():
    """All rows in one bin of each feature: no split is found, and no feature is removed."""
    queries, tree, federation = asked_of([[1, 1, "a"], [1, 1, "b"]] * 4)
    assert tree.depth == 0 and federation.ledger.spent == 1 and len(queries) == 4
    assert [left for _, left in tree.savings.nodes[0].asked] == [None, None]


@pytest.mark.parametrize(("least", "depth"), [(16, 1), (17, 0)])
def test_few_rows_are_fewer_than_asked_for(least, depth):
    """The second feature is removed, and what that saves goes to an early leaf, too."""
    queries, tree, _ = asked_of(max_depth=1, min_samples_split=least)
    assert tree.depth == depth and queries[-1].epsilon == HALF + Fraction(3, 16)


def test_categories_of_three_classes_are_bounded_by_all_subsets():
    """The bound is at most what the tree's own search leaves, which tries the orders of the classes' shares only."""
    ward = Domain([Categorical("w", tuple("ABCDE")), Numeric.grid("x", 0, 2, bins=2)], ("a", "b", "c"))
    rows = [["A", 1, "a"], ["B", 2, "b"], ["C", 1, "c"], ["D", 2, "a"], ["D", 1, "b"], ["E", 2, "c"], ["E", 1, "a"]] * 2
    federation = federate([rows, rows[3:]], ward, 1, ZeroWords())
    tree = fit_saving_tree(federation, max_depth=2, min_samples_split=2)
    plain = fit_recursively(
        federate([rows, rows[3:]], ward, 1, ZeroWords()), max_depth=2, min_samples_split=2, unspent_to_leaf=True
    )
    assert tree.root == plain.root
    assert all(node.bounds[j] <= left for node in tree.savings.nodes for j, left in node.asked if left is not None)


def test_a_node_for_which_there_is_no_room_is_a_leaf_that_has_the_rest():
    federation = federate([ROWS, ROWS], AB, 1, Rehearsal(3))
    plan = Plan.of(federation, **GIVEN, epsilon=None, unspent_to_leaf=True)
    tree = grown(FitSavingTree, federation, replace(plan, most_nodes=1, min_samples=0))
    assert len(tree.savings.nodes) == 1 and tree.depth == 1
    assert {leaf.spent for leaf in leaf_budgets(tree, federation.ledger)} == {1}


@pytest.mark.parametrize(("domain", "depth"), [(AB, 4), (cases.MIXED, 3)])
def test_nodes_are_those_of_the_derivation(domain, depth):
    """A tree's derivation takes its nodes' part of the limits or less, but a quarter of it at least."""
    federation = federate([[], []], domain, "1/10", Rehearsal(5))
    options = {**GIVEN, "max_depth": depth, "min_samples_split": 0}
    plan = Plan.of(federation, **options, epsilon=None, unspent_to_leaf=True)
    tree = fit_saving_tree(federation, **options)
    counts, n = federation.ledger.counts, len(tree.savings.nodes)
    taken = [getattr(counts, name) / checker.MAX_COUNTS[name] for name in ("steps", "names", "letters", "comparisons")]
    assert n > 4 and (n - 1) / plan.most_nodes / 4 < max(taken) <= (n + 2) / plan.most_nodes


def test_a_second_tree_is_counted_from_its_own_first_round():
    federation = federate([ROWS, []], AB, 2, ZeroWords())
    first, second = (fit_saving_tree(federation, **{**GIVEN, "max_depth": 1}, epsilon=1) for _ in range(2))
    assert first.rounds == second.rounds == 4 and federation.rounds == 8
    assert federation.ledger.accounts == ("tree that begins after round 0", "tree that begins after round 4")
    assert federation.ledger.spent == 2


def test_the_tree_is_kept_drawn_and_has_intervals(tmp_path):
    federation = federate([ROWS, ROWS], AB, 2, Rehearsal(1))
    tree = fit_saving_tree(federation, **GIVEN)
    tree.save(tmp_path / "tree.json")
    again, plain = SavingTree.load(tmp_path / "tree.json"), Tree.load(tmp_path / "tree.json")
    assert again == tree and again.savings is None and plain.root == tree.root and type(again) is SavingTree
    assert again.leaf_releases == tree.leaf_releases and (again.n_parties, again.tolerate) == (2, 1)
    assert len(count_intervals(tree)) == 2 * len(tree.leaves()) and "<svg" in tree._repr_html_()
    assert tree.feature_names == ("x", "y") and tree.classes == ("a", "b") and tree.predict([[1, 1]])[0] in "ab"


REFUSED = [
    ({"max_depth": 13}, ValueError, "max_depth"),
    ({"max_depth": -1}, ValueError, "max_depth"),
    ({"min_samples_split": -1}, ValueError, "min_samples_split"),
    ({"min_samples_split": 2**62 + 1}, ValueError, "min_samples_split"),
    ({"unspent_to_leaf": 1}, ValueError, "unspent_to_leaf"),
    ({"leaf_share": 1}, ValueError, "share"),
    ({"bounds_share": 1}, ValueError, "bounds_share"),
    ({"bounds_share": 0}, ValueError, "bounds_share"),
    ({"lattice": 0}, ValueError, "lattice"),
    ({"lattice": 2**16 + 1}, ValueError, "lattice"),
    ({"lattice": 2**16 + 1, "max_depth": 0}, ValueError, "lattice"),
    ({"epsilon": 0}, ValueError, "epsilon"),
    ({"epsilon": Fraction(1, 10**30)}, ValueError, "epsilon"),
    ({"leaf_share": Fraction(1, 10**13)}, ValueError, "epsilon"),
    ({"leaf_share": 1 - Fraction(1, 10**13)}, ValueError, "epsilon"),
    ({"bounds_share": Fraction(1, 10**12)}, ValueError, "epsilon"),
    ({"bounds_share": 1 - Fraction(1, 10**12)}, ValueError, "epsilon"),
    ({"lattice": 2**16, "bounds_share": Fraction(1, 10**8)}, ValueError, "epsilon"),
    ({"max_depth": 12, "bounds_share": "123/1000"}, ValueError, "digits"),
    ({"epsilon": 2}, BudgetExceeded, "left"),
]


@pytest.mark.parametrize(("options", "error", "words"), REFUSED)
def test_what_cannot_be_grown_is_refused_before_anything_is_charged(options, error, words):
    transport = InProcess()
    federation = federate([ROWS, []], AB, 1, ZeroWords(), transport=transport)
    sent = len(list(transport.manifest))
    with pytest.raises(error, match=words):
        fit_saving_tree(federation, **options)
    assert federation.ledger.spent == 0 and federation.rounds == 0 and len(list(transport.manifest)) == sent


def test_too_many_categories_are_refused_beforehand():
    many = Domain([Numeric.grid("x", 0, 2, bins=2), Categorical("w", tuple(range(15)))], ("a", "b", "c"))
    federation = federate([[], []], many, 1, ZeroWords())
    with pytest.raises(ValueError, match="'w'"):
        fit_saving_tree(federation)
    assert federation.ledger.spent == 0 and fit_saving_tree(federation, max_depth=0).depth == 0


def test_a_derivation_that_holds_no_more_charges_nothing(monkeypatch):
    """A ledger whose derivation is nearly as long as one may be: here, one of 20 steps."""
    federation = federate([ROWS, []], AB, 2, ZeroWords())
    fit_saving_tree(federation, epsilon=1, **GIVEN)
    monkeypatch.setitem(checker.MAX_COUNTS, "steps", 20)
    with pytest.raises(ValueError, match="derivation"):
        fit_saving_tree(federation, **GIVEN)
    assert federation.ledger.spent == 1


def test_borders_are_accepted():
    assert asked_of(max_depth=12, min_samples_split=2)[1].depth == 1
    assert asked_of(min_samples_split=2**62)[1].depth == 0
    federation = federate([ROWS, []], AB, 1, ZeroWords())
    assert fit_saving_tree(federation, **{**GIVEN, "lattice": 2**16}).savings.nodes[0].bounds == (0, 4)


@pytest.mark.parametrize("name", ["epsilon", "unspent_to_leaf", *GIVEN])
def test_odd_arguments_are_refused_before_anything_is_charged_or_read(name):
    federation = federate([ROWS, []], AB, 10**6, ZeroWords())
    for odd in ODD:
        spent, rounds = federation.ledger.spent, federation.rounds
        try:
            fit_saving_tree(federation, **{"epsilon": 1, "max_depth": 1, name: odd})
        except ValueError as error:
            assert str(error) and (federation.ledger.spent, federation.rounds) == (spent, rounds)


def test_what_was_saved_at_a_node_that_becomes_a_leaf_goes_to_its_counts():
    """One feature is removed, and then there are too few rows: 1/2 of the leaf's own, and 3/16 that were saved."""
    federation = federate([ROWS, []], AB, 1, ZeroWords())
    tree = fit_saving_tree(federation, **{**GIVEN, "max_depth": 1, "min_samples_split": 17})
    (node,) = tree.savings.nodes
    assert tree.depth == 0 and node.removed == (1,) and node.saved == Fraction(3, 16)
    assert [release.epsilon for release in tree.leaf_releases] == [Fraction(11, 16)] and federation.ledger.spent == 1
