"""What the leaves of one tree have paid and have left, where they lie at different depths; and what is refused."""

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.accounting import BudgetExceeded, Ledger
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


TREE = fitted(federate([ROWS[::2], ROWS[1::2]], DOMAIN, 3, ZeroWords()))
PLACES = [DOMAIN.everything.restrict(0, codes) for codes in ({0, 1, 2, 3}, {0, 1}, {2, 3}, {0}, {1}, {2}, {3})]


def charged(rounds):
    """A ledger of 2 with these charges, each an account, a place and a cost; what is too much is left out."""
    ledger = Ledger(2, domain=DOMAIN)
    for account, place, epsilon in rounds:
        with suppress(BudgetExceeded):
            ledger.charge([charge(place, epsilon)], account)
    return ledger


def takes(rounds, region, epsilon):
    """Whether the ledger that was charged so takes this charge, in one of its accounts, or in any if there is none."""
    ledger = charged(rounds)
    for account in ledger.accounts or ("a",):
        try:
            return bool(ledger.charge([charge(region, epsilon)], account))
        except BudgetExceeded:
            pass
    return False


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from(PLACES), st.sampled_from([HALF, Fraction(1, 3)])), max_size=8
    )
)
def test_what_remains_of_a_leaf_is_taken_and_no_more(rounds):
    """By the account in which it has most left, wherever these were charged; what its records paid is their sum."""
    ledger, least = charged(rounds), Fraction(1, 1000)
    for leaf in leaf_budgets(TREE, ledger):
        assert leaf.remaining == 0 or takes(rounds, leaf.region, leaf.remaining)
        assert not takes(rounds, leaf.region, leaf.remaining + least)
        assert leaf.spent == ledger.spent_on(leaf.region)


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
