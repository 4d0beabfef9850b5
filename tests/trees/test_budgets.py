"""What the leaves of one tree have paid and have left, where they lie at different depths; and what is refused."""

from fractions import Fraction

import pytest

from fdpedu.accounting import BudgetExceeded, Charge, Ledger
from fdpedu.claims.accounting.composition import charge
from fdpedu.claims.federations import federate
from fdpedu.domain import Domain
from fdpedu.randomness import ZeroWords
from fdpedu.trees import fit_federated_tree, leaf_budgets
from fdpedu.trees.budgets import LeafBudget
from fdpedu.trees.regions import leaves_of
from tests.support import private_trees

DOMAIN = Domain.from_spec({"features": {"x": [0, 4, 4]}, "classes": ["a", "b"]})
ROWS = [[0.5, "a"], [1.5, "b"], [2.5, "a"], [3.5, "b"]] * 20
HALF = Fraction(1, 2)


def fitted(federation, **options):
    """Without noise: one border after the other, so that each level has a pure leaf, and the last has two."""
    rules = {"epsilon": 3, "max_depth": 4, "min_samples_split": 2, "design": "algorithm-5-clipped", **options}
    return fit_federated_tree(federation, **rules)


def test_leaves_of_different_depths_have_paid_differently():
    """Half of ε = 3 is for four levels; a leaf at level t < 4 has paid t + 1 of them, and its counts."""
    federation = federate([ROWS[::2], ROWS[1::2]], DOMAIN, 5, ZeroWords())
    tree = fitted(federation)
    found = leaf_budgets(tree, federation.ledger)
    assert sorted({budget.level for budget in found}) == [1, 2, 3] and len(found) == 4
    for budget, leaf in zip(found, sorted(range(4)), strict=True):
        paid = 3 * HALF + 3 * HALF * Fraction(budget.level + 1, 4)
        assert (budget.spent, budget.remaining) == (paid, 5 - paid) and budget.region.codes(0) == {leaf}
    assert isinstance(found[0], LeafBudget)


def test_of_a_second_tree_both_accounts_are_seen():
    """A leaf of the first tree may spend what its own path left, and what is kept for all of the second."""
    federation = federate([ROWS[::2], ROWS[1::2]], DOMAIN, 7, ZeroWords())
    first, second = fitted(federation), fitted(federation, epsilon=2, max_depth=1)
    left, right = leaf_budgets(second, federation.ledger)
    assert (left.spent, left.remaining) == (3 * HALF + 3 * HALF * HALF + 2, Fraction(11, 4))  # in the first's account
    assert (right.spent, right.remaining) == (5, 2)
    early = leaf_budgets(first, federation.ledger)[0]
    assert early.level == 1 and early.spent == 3 * HALF + 3 * HALF * HALF + 2
    assert early.remaining == 7 - early.spent


def test_budgets_of_the_leaves():
    tree, federation = private_trees.grown("algorithm-5-clipped", seed=5)
    for budget, (_, region, level) in zip(
        leaf_budgets(tree, federation.ledger), leaves_of(tree.root, private_trees.DOMAIN), strict=True
    ):
        assert (budget.region, budget.level, budget.spent) == (region, level, federation.ledger.spent_on(region))
        assert budget.remaining == 3 - budget.spent
    fresh = Ledger(7)
    fresh.bind(private_trees.DOMAIN)
    assert {(b.spent, b.remaining) for b in leaf_budgets(tree, fresh)} == {(0, 7)}


PARTS = [[[1, "a"]] * 20 + [[4, "b"]] * 20, [[1, "a"]] * 10 + [[3, "b"]] * 20]


@pytest.mark.parametrize("unspent", [False, True])
def test_what_remains_after_an_early_leaf(unspent):
    """x ≤ 1 or 2 splits the classes apart: both leaves are made at level 1 of at most 4, after 2 nodes' budget."""
    f = federate(PARTS, DOMAIN, 1, ZeroWords())
    tree = fit_federated_tree(f, max_depth=4, min_samples_split=2, design="averaged", unspent_to_leaf=unspent)
    leaves = leaf_budgets(tree, f.ledger)
    node, leaf = Fraction(1, 8), Fraction(1, 2)
    assert [budget.level for budget in leaves] == [1, 1] and len(tree.leaves()) == 2
    for budget in leaves:
        assert budget.remaining == (0 if unspent else (4 - 1 - 1) * node)
        assert budget.spent + budget.remaining == 1 and (unspent or budget.spent == 2 * node + leaf)
    with pytest.raises(ValueError, match="domain"):
        leaf_budgets(tree, Ledger(1))


def test_what_remains_can_be_spent_and_no_more():
    """The filter accepts the remainder of an early leaf in the tree's book, to the last fraction."""
    f = federate(PARTS, DOMAIN, 1, ZeroWords())
    tree = fit_federated_tree(f, max_depth=4, min_samples_split=2, design="averaged", unspent_to_leaf=False)
    left = leaf_budgets(tree, f.ledger)[0]
    book = f.ledger.accounts[0]
    more = Charge(left.region, left.remaining, "class counts of a leaf", "m", 1, "thm-histogram", 1)
    f.ledger.charge([more], book)
    assert f.ledger.spent == 1 and leaf_budgets(tree, f.ledger)[0].remaining == 0
    assert leaf_budgets(tree, f.ledger)[1].remaining == left.remaining
    with pytest.raises(BudgetExceeded):
        f.ledger.charge([charge(left.region, "1/1" + "0" * 300)], book)
