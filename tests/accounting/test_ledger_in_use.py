"""A ledger of federations: rounds that fail, two federations, and what remains after an early leaf."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import BudgetExceeded, Charge, Ledger
from fdpedu.claims.accounting.laws import charge
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, Federation, InProcess, Party
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum import RoundLost
from fdpedu.trees import fit_federated_tree, leaf_budgets

DOMAIN = Domain([Numeric.grid("x", 0, 4, bins=4)], ("a", "b"))
PARTS = [[[1, "a"]] * 20 + [[4, "b"]] * 20, [[1, "a"]] * 10 + [[3, "b"]] * 20]


def a_federation(budget=1, **options):
    return Federation([Party(rows, DOMAIN) for rows in PARTS], DOMAIN, Ledger(budget), **options)


class Failing(InProcess):
    """A transport that breaks down on the way to the second party."""

    def gather(self, number, names, request, endpoints):
        def broken(_):
            raise ConnectionError

        return super().gather(number, names, request, [endpoints[0], broken])


def test_a_round_whose_sending_fails_stays_charged_and_in_the_manifest():
    """The first party has answered: what may have been seen is paid for, and the query has its release."""
    f = a_federation(transport=Failing(), rng=ZeroWords())
    with pytest.raises(RoundLost, match=r"'party 2' does not answer in round 1.*silent"):
        f.release([ClassCounts(DOMAIN.everything, "1/2")])
    assert f.ledger.spent == Fraction(1, 2) and f.rounds == 1
    f.transport.gather = InProcess.gather.__get__(f.transport)
    f.release([ClassCounts(DOMAIN.everything, "1/2")])
    assert f.ledger.spent == 1 and list(f.transport.requests) == [1, 2]


def test_rounds_of_one_ledger_have_different_numbers_in_two_federations():
    """A round's number is the ledger's, so that releases of two federations cannot be taken for each other."""
    ledger = Ledger(2)
    first, second = (
        Federation([Party(rows, DOMAIN) for rows in PARTS], DOMAIN, ledger, rng=np.random.default_rng(1))
        for _ in range(2)
    )
    first.release([ClassCounts(DOMAIN.everything, "1/2")])
    second.release([ClassCounts(DOMAIN.everything, "1/2")])
    assert (list(first.transport.requests), list(second.transport.requests)) == ([1], [2])
    assert ledger.derivation().spent == 1


@pytest.mark.parametrize("unspent", [False, True])
def test_what_remains_after_an_early_leaf(unspent):
    """x ≤ 1 or 2 splits the classes apart: both leaves are made at level 1 of at most 4, after 2 nodes' budget."""
    f = a_federation(rng=ZeroWords())
    tree = fit_federated_tree(f, max_depth=4, min_samples_split=2, design="averaged", unspent_to_leaf=unspent)
    leaves = leaf_budgets(tree, f.ledger)
    node, leaf = Fraction(1, 8), Fraction(1, 2)
    assert [budget.level for budget in leaves] == [1, 1] and len(tree.leaves()) == 2
    for budget in leaves:
        assert budget.remaining == (0 if unspent else (4 - 1 - 1) * node)
        assert budget.spent + budget.remaining == 1 and (unspent or budget.spent == 2 * node + leaf)
    with pytest.raises(ValueError, match="same domain"):
        leaf_budgets(tree, Ledger(1))


def test_what_remains_can_be_spent_and_no_more():
    """The filter accepts the remainder of an early leaf in the tree's book, to the last fraction."""
    f = a_federation(rng=ZeroWords())
    tree = fit_federated_tree(f, max_depth=4, min_samples_split=2, design="averaged", unspent_to_leaf=False)
    left = leaf_budgets(tree, f.ledger)[0]
    book = f.ledger.accounts[0]
    more = Charge(left.region, left.remaining, "class counts of a leaf", "m", 1, "thm-histogram", 1)
    f.ledger.charge([more], book)
    assert f.ledger.spent == 1 and leaf_budgets(tree, f.ledger)[0].remaining == 0
    assert leaf_budgets(tree, f.ledger)[1].remaining == left.remaining
    with pytest.raises(BudgetExceeded):
        f.ledger.charge([charge(left.region, "1/1" + "0" * 300)], book)
