"""Algorithm 5 as a recursion: the tree that is grown level by level, a round for every node."""

from fractions import Fraction

import pytest

from fdpedu.accounting import BudgetExceeded
from fdpedu.claims.checking import Refuted
from fdpedu.claims.federations import federate
from fdpedu.claims.trees import growing as topic
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import InProcess
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import fit_federated_tree
from fdpedu.trees.recursive import MAX_DEPTH, FitTreeRecursive, fit_recursively
from fdpedu.trees.tree import Tree
from tests.support.odd_values import ODD

TWO = Domain([Numeric.grid("x", 0, 4, bins=4), Categorical("w", ("A", "B", "C"))], ("a", "b", "c"))
ROWS = [[1, "A", "a"], [1, "B", "a"], [3, "A", "b"], [3, "C", "b"], [4, "B", "c"], [4, "C", "c"]]
CASE = (TWO, [ROWS[::2], ROWS[1::2]])


def grown(rows=ROWS, budget=1, **options):
    federation = federate([rows, []], TWO, budget, ZeroWords())
    return fit_recursively(federation, **{"min_samples_split": 2, **options}), federation


@pytest.mark.claim("lem-level-by-level")
def test_another_stopping_test_is_not_the_same_tree(monkeypatch):
    """The law compares something: a recursion that never stops early is distinguished."""
    monkeypatch.setattr(FitTreeRecursive, "stops", lambda self, tables: False)
    with pytest.raises(Refuted, match="by level"):
        topic.same_tree(CASE, Fraction(1, 3), 2, 7, True, (0, 0))


def test_rounds_and_costs_of_a_whole_tree():
    """Three classes at depth 2: two nodes that are split, one made a leaf after its histograms, three leaves."""
    tree, federation = grown(max_depth=2)
    assert [leaf.counts for leaf in tree.leaves()] == [(2, 0, 0), (0, 2, 0), (0, 0, 2)]
    assert tree.root.counts == (2, 2, 2) and tree.root.right.counts == (0, 2, 2)
    assert tree.rounds == federation.rounds == 6
    assert federation.ledger.spent == 1 and federation.ledger.accounts == ("tree that begins after round 0",)


def test_a_second_tree_is_counted_from_its_own_first_round():
    federation = federate([ROWS, []], TWO, 2, ZeroWords())
    first, second = (fit_recursively(federation, max_depth=1, min_samples_split=2, epsilon=1) for _ in range(2))
    assert first.rounds == second.rounds == 3 and federation.rounds == 6
    assert federation.ledger.accounts == ("tree that begins after round 0", "tree that begins after round 3")
    assert federation.ledger.spent == 2


@pytest.mark.parametrize(
    ("unspent", "cost"),
    [({}, "1/2"), ({"unspent_to_leaf": False}, "1/2"), ({"unspent_to_leaf": True}, "3/4")],
)
def test_an_early_leaf_pays_what_it_was_given(unspent, cost):
    """One class: a leaf after the first of two levels, whose path has paid a quarter."""
    tree, federation = grown([[1, "A", "b"]] * 4, max_depth=2, **unspent)
    assert tree.depth == 0 and tree.rounds == 2
    assert federation.ledger.spent == Fraction(1, 4) + Fraction(cost)


@pytest.mark.parametrize(("least", "depth"), [(6, 1), (7, 0)])
def test_few_rows_are_fewer_than_asked_for(least, depth):
    federation = federate([ROWS, []], TWO, 1, ZeroWords())
    assert fit_recursively(federation, max_depth=1, min_samples_split=least).depth == depth


def test_without_a_border_there_is_a_leaf():
    """Two classes in one bin of each feature."""
    tree, federation = grown([[1, "A", "a"], [1, "A", "b"]] * 3, max_depth=2)
    assert tree.depth == 0 and tree.root.counts == (3, 3, 0) and federation.rounds == 2


def test_one_leaf_has_the_whole_budget_at_depth_0():
    tree, federation = grown(max_depth=0)
    assert tree.rounds == 1 and tree.root.counts == (2, 2, 2) and federation.ledger.spent == 1


def test_a_leaf_shows_what_is_at_least_0_and_predicts_from_what_was_released():
    """So the tree's document is read back as it is, prediction for prediction."""
    found = set()
    for seed in range(8):
        federation = federate([ROWS, []], TWO, "1/2", Rehearsal(seed))
        tree = fit_recursively(federation, max_depth=1)
        again = Tree.from_json(tree.to_json())
        assert again.root == tree.root and again.rounds == tree.rounds
        for leaf in tree.leaves():
            assert min(leaf.counts) >= 0
            assert leaf.estimate is None or tuple(max(n, 0) for n in leaf.estimate) == leaf.counts
            found.add(leaf.estimate is None)
    assert found == {True, False}


REFUSED = [
    ({"max_depth": MAX_DEPTH + 1}, ValueError, "max_depth"),
    ({"max_depth": -1}, ValueError, "max_depth"),
    ({"min_samples_split": -1}, ValueError, "min_samples_split"),
    ({"min_samples_split": 2**62 + 1}, ValueError, "min_samples_split"),
    ({"unspent_to_leaf": 1}, ValueError, "unspent_to_leaf"),
    ({"leaf_share": 1}, ValueError, "share"),
    ({"epsilon": 0}, ValueError, "epsilon"),
    ({"epsilon": Fraction(1, 10**30)}, ValueError, "2..-40"),
    ({"leaf_share": Fraction(1, 10**13)}, ValueError, "2..-40"),
    ({"leaf_share": 1 - Fraction(1, 10**13)}, ValueError, "2..-40"),
    ({"epsilon": 2}, BudgetExceeded, "left"),
]


@pytest.mark.parametrize(("options", "error", "words"), REFUSED)
def test_what_cannot_be_grown_is_refused_before_anything_is_charged(options, error, words):
    transport = InProcess()
    federation = federate([ROWS, []], TWO, 1, ZeroWords(), transport=transport)
    sent = len(list(transport.manifest))
    with pytest.raises(error, match=words):
        fit_recursively(federation, **options)
    assert federation.ledger.spent == 0 and federation.rounds == 0 and len(list(transport.manifest)) == sent


def test_borders_are_accepted():
    tree, _ = grown(max_depth=MAX_DEPTH)
    assert tree.depth == 2
    federation = federate([ROWS, []], TWO, 1, ZeroWords())
    assert fit_recursively(federation, min_samples_split=2**62).depth == 0


def test_what_is_not_given_is_as_in_the_tree_by_levels():
    """Ten rows are enough for a split, three levels share a half, and an early leaf has the report's ε_leaf."""
    rows = [*ROWS, *ROWS[:4]]
    federations = [federate([some, []], TWO, 1, Rehearsal(1)) for some in (rows, rows)]
    given = {"max_depth": 3, "min_samples_split": 10, "leaf_share": "1/2", "epsilon": None, "unspent_to_leaf": False}
    plain, stated = fit_recursively(federations[0]), fit_recursively(federations[1], **given)
    assert plain.derivation.content == stated.derivation.content and plain.root == stated.root
    by_levels = fit_federated_tree(federate([rows, []], TWO, 1, ZeroWords()), design="algorithm-5-clipped")
    exact = fit_recursively(federate([rows, []], TWO, 1, ZeroWords()))
    assert exact.root == by_levels.root and exact.depth > 0


@pytest.mark.parametrize("name", ["max_depth", "min_samples_split", "leaf_share", "epsilon", "unspent_to_leaf"])
def test_odd_arguments_are_refused_before_anything_is_charged_or_read(name):
    federation = federate([ROWS, []], TWO, 10**6, ZeroWords())
    for odd in ODD:
        spent, rounds = federation.ledger.spent, federation.rounds
        try:
            fit_recursively(federation, **{"epsilon": 1, name: odd})
        except ValueError as error:
            assert str(error) and (federation.ledger.spent, federation.rounds) == (spent, rounds)


def test_its_features_and_classes_are_those_of_the_domain():
    tree, _ = grown(max_depth=1, min_samples_split=0)
    assert (tree.feature_names, tree.classes, tree.domain) == (("x", "w"), TWO.classes, TWO) and tree.depth == 1
