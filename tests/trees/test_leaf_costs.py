"""What the leaves of one tree have paid and have left, where they lie at different depths; and what is refused."""

from fractions import Fraction

import pytest

from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.cart import Node, fit_cart
from fdpedu.cart import Tree as PlainTree
from fdpedu.claims.federations import federate
from fdpedu.domain import Domain
from fdpedu.randomness import ZeroWords
from fdpedu.trees import fit_federated_tree, leaf_budgets
from fdpedu.trees.budgets import LeafBudget
from fdpedu.trees.costs import Costs

DOMAIN = Domain.from_spec({"features": {"x": [0, 4, 4]}, "classes": ["a", "b"]})
ROWS = [[0.5, "a"], [1.5, "b"], [2.5, "a"], [3.5, "b"]] * 20
HALF = Fraction(1, 2)


def grown(federation, **options):
    """Without noise: one border after the other, so that each level has a pure leaf, and the last has two."""
    rules = {"epsilon": 3, "max_depth": 4, "min_samples_split": 2, "design": "algorithm-5-clipped", **options}
    return fit_federated_tree(federation, **rules)


def test_leaves_of_different_depths_have_paid_differently():
    """Half of ε = 3 is for four levels; a leaf at level t < 4 has paid t + 1 of them, and its counts."""
    federation = federate([ROWS[::2], ROWS[1::2]], DOMAIN, 5, ZeroWords())
    tree = grown(federation)
    found = leaf_budgets(tree, federation.ledger)
    assert sorted({budget.level for budget in found}) == [1, 2, 3] and len(found) == 4
    for budget, leaf in zip(found, sorted(range(4)), strict=True):
        paid = 3 * HALF + 3 * HALF * Fraction(budget.level + 1, 4)
        assert (budget.spent, budget.remaining) == (paid, 5 - paid) and budget.region.codes(0) == {leaf}
    assert isinstance(found[0], LeafBudget)


def test_of_a_second_tree_both_accounts_are_seen():
    """A leaf of the first tree may spend what its own path left, and what is kept for all of the second."""
    federation = federate([ROWS[::2], ROWS[1::2]], DOMAIN, 7, ZeroWords())
    first, second = grown(federation), grown(federation, epsilon=2, max_depth=1)
    left, right = leaf_budgets(second, federation.ledger)
    assert (left.spent, left.remaining) == (3 * HALF + 3 * HALF * HALF + 2, Fraction(11, 4))  # in the first's account
    assert (right.spent, right.remaining) == (5, 2)
    early = leaf_budgets(first, federation.ledger)[0]
    assert early.level == 1 and early.spent == 3 * HALF + 3 * HALF * HALF + 2
    assert early.remaining == 7 - early.spent


@pytest.mark.parametrize(
    ("tree", "ledger", "message"),
    [
        (None, Ledger(1, domain=DOMAIN), r"^tree must be a Tree, got NoneType"),
        (PlainTree(Node((1, 2)), DOMAIN.classes, ("x",), DOMAIN), 3, r"^ledger must be a Ledger, got int"),
        (PlainTree(Node((1, 2)), DOMAIN.classes, ("x",), DOMAIN), Ledger(1), r"^the ledger and the tree must have the"),
        (fit_cart([[1], [2]], ["a", "b"]), Ledger(1), r"^the ledger and the tree must have the same domain$"),
        (fit_cart([[1], [2]], ["a", "b"]), Ledger(1, domain=DOMAIN), r"^the ledger and the tree must have the same"),
    ],
)
def test_only_a_tree_and_a_ledger_of_one_domain(tree, ledger, message):
    with pytest.raises(ValueError, match=message):
        leaf_budgets(tree, ledger)


def test_a_cost_that_is_none_is_told_by_its_name():
    for epsilon, message in ((0, r"^epsilon must be greater than 0"), ("x", r"^epsilon must be a finite number")):
        with pytest.raises(ValueError, match=message):
            Costs.within(Fraction(1), epsilon, "1/2", 2, unspent_to_leaf=False)
    for share in (0, 1, "x"):
        with pytest.raises(ValueError, match="share"):
            Costs.within(Fraction(1), None, share, 2, unspent_to_leaf=False)
    with pytest.raises(BudgetExceeded, match=r"^the ledger has ε = 0 left; nothing was charged$"):
        Costs.within(Fraction(0), None, "1/2", 2, unspent_to_leaf=False)
    assert Costs.within(Fraction(1), 1, "1/2", 2, unspent_to_leaf=False).budget == 1
