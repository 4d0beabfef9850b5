"""What the records of each leaf of a private tree have paid, and have left."""

from __future__ import annotations

from dataclasses import dataclass

from fdpedu.accounting import Ledger
from fdpedu.accounting.cost import Paid, largest_of
from fdpedu.cart import Tree
from fdpedu.domain import Region
from fdpedu.exact import require_type
from fdpedu.trees.regions import leaves_of


@dataclass(frozen=True)
class LeafBudget:
    """A leaf of a private tree: where it is, at which level, and what its records have paid and have left."""

    region: Region
    level: int
    spent: Paid
    remaining: Paid


def leaf_budgets(tree: Tree, ledger: Ledger) -> list[LeafBudget]:
    """What the ledger has left for the records of each leaf, in the order of :meth:`Tree.leaves`.

    A leaf that was made early has (d−t−1)·ε_node left, unless it was given that for its counts. ``remaining`` is what
    the ledger would still accept on the leaf's region.
    """
    require_type(tree, Tree, "tree")
    require_type(ledger, Ledger, "ledger")
    if tree.domain is None or ledger.domain != tree.domain:
        raise ValueError("the ledger and the tree must have the same domain")
    return [
        LeafBudget(region, level, ledger.spent_on(region), _left(ledger, region))
        for _, region, level in leaves_of(tree.root, tree.domain)
    ]


def _left(ledger: Ledger, region: Region) -> Paid:
    """What the ledger would still accept on the region."""
    most = ledger.total.amount
    if ledger.accounts:
        most = largest_of(ledger.left(region, account) for account in ledger.accounts)
    return most.public(ledger.measure)
