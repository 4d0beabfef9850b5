"""How the budget of a tree is divided among its levels and leaves."""

from dataclasses import replace
from fractions import Fraction

import pytest

from fdpedu.accounting import BudgetExceeded
from fdpedu.trees.costs import Costs

THIRD = Fraction(1, 3)


def test_the_costs_go_to_the_histograms():
    costs = Costs.within(Fraction(1), None, "1/2", 4, unspent_to_leaf=True, fresh_leaves=False)
    assert costs == Costs(Fraction(1), Fraction(1, 4), Fraction(0), 4, False)
    costs.require_drawable(1)  # nothing is drawn at 0
    assert Costs.within(Fraction(1), "1/2", "1/4", 0, unspent_to_leaf=False) == Costs(
        Fraction(1, 2), Fraction(0), Fraction(1, 8), 0, False
    )
    with pytest.raises(ValueError, match="max_depth"):
        Costs.within(Fraction(1), None, "1/2", 0, unspent_to_leaf=False, fresh_leaves=False)
    with pytest.raises(BudgetExceeded, match="ledger"):
        Costs.within(Fraction(1), 2, "1/2", 3, unspent_to_leaf=False, fresh_leaves=False)


def test_what_a_leaf_costs_by_its_level():
    early = Costs.within(Fraction(3), None, "1/3", 2, unspent_to_leaf=True)
    assert (early.node, early.leaf) == (1, 1) and [early.of_leaf(t) for t in (0, 1, 2)] == [3, 2, 1]
    late = replace(early, unspent_to_leaf=False)
    assert [late.of_leaf(t) for t in (0, 1, 2)] == [1, 1, 1]
    bare = Costs.within(Fraction(3), None, "1/3", 0, unspent_to_leaf=False)
    assert bare.of_leaf(0) == 3 and bare.node == 0
    for costs, histograms in ((Costs(Fraction(1), Fraction(1), Fraction(1, 10**13), 1, False), 1), (early, 10**13)):
        with pytest.raises(ValueError, match="epsilon"):
            costs.require_drawable(histograms)
    bare.require_drawable(10**13)


@pytest.mark.claim("lem-unspent-leaf")
def test_a_leaf_costs_what_its_path_leaves():
    """ε = 3, a third of it for leaves, four levels of 1/2 each; and at depth 0 all of it."""
    saved, fixed = (Costs.within(Fraction(3), None, THIRD, 4, unspent_to_leaf=unspent) for unspent in (True, False))
    assert saved.node == fixed.node == Fraction(1, 2)
    assert [saved.of_leaf(paid) for paid in range(1, 5)] == [Fraction(5, 2), 2, Fraction(3, 2), 1]
    assert {fixed.of_leaf(paid) for paid in range(1, 5)} == {1}
    assert Costs.within(Fraction(3), 2, THIRD, 0, unspent_to_leaf=False).of_leaf(0) == 2


def test_the_refusal_of_what_is_no_cost_names_it():
    for epsilon in (0, "x"):
        with pytest.raises(ValueError, match="epsilon"):
            Costs.within(Fraction(1), epsilon, "1/2", 2, unspent_to_leaf=False)
    for share in (0, 1, "x"):
        with pytest.raises(ValueError, match="share"):
            Costs.within(Fraction(1), None, share, 2, unspent_to_leaf=False)
    with pytest.raises(BudgetExceeded, match="ledger"):
        Costs.within(Fraction(0), None, "1/2", 2, unspent_to_leaf=False)
    assert Costs.within(Fraction(1), 1, "1/2", 2, unspent_to_leaf=False).budget == 1
