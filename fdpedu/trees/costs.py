"""How the budget of a tree is divided: to the histograms of each level, and to the counts of its leaves."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from fdpedu.accounting import BudgetExceeded, split_budget
from fdpedu.accounting.charge import too_much
from fdpedu.exact import Rate, Rational, as_positive_fraction
from fdpedu.sampling import require_drawable


@dataclass(frozen=True)
class Costs:
    """What the releases of one tree cost.

    Parameters
    ----------
    budget : of the whole tree
    node : the histograms of a node, all features together; 0 if there are none
    leaf : what is kept for the counts of a leaf; 0 if leaves have none of their own
    depth : the number of levels of histograms
    unspent_to_leaf : give a leaf what its path has not spent

    Examples
    --------
    >>> costs = Costs.within(Fraction(1), None, "1/2", 2, unspent_to_leaf=True)
    >>> costs.node, costs.of_leaf(1), costs.of_leaf(2)
    (Fraction(1, 4), Fraction(3, 4), Fraction(1, 2))
    """

    budget: Fraction
    node: Fraction
    leaf: Fraction
    depth: int
    unspent_to_leaf: bool

    @classmethod
    def within(
        cls,
        remaining: Fraction,
        epsilon: Rational | None,
        leaf_share: Rational,
        depth: int,
        *,
        unspent_to_leaf: bool,
        fresh_leaves: bool = True,
    ) -> Costs:
        """The costs that ``epsilon`` pays for, by default all that remains; refuses more than remains.

        Without fresh leaves the histograms have all of it, whatever the leaf share is.
        """
        budget = remaining if epsilon is None else as_positive_fraction(epsilon, "epsilon")
        if not 0 < budget <= remaining:
            what = too_much(budget, remaining) if budget else "nothing is left in the ledger"
            raise BudgetExceeded(f"{what}; nothing was charged")
        for_leaf, for_nodes = split_budget(budget, leaf_share)
        if not fresh_leaves:
            if not depth:
                raise ValueError(
                    "max_depth must be at least 1 where leaves read the histograms above them: there are none"
                )
            for_leaf, for_nodes, unspent_to_leaf = Fraction(0), budget, False
        return cls(budget, for_nodes / depth if depth else Fraction(0), for_leaf, depth, unspent_to_leaf)

    def of_leaf(self, levels_paid: int) -> Fraction:
        """The cost of a leaf's counts, given how many levels were paid on its path.

        Claims: lem-unspent-leaf
        """
        if self.unspent_to_leaf or not self.depth:
            return self.budget - levels_paid * self.node
        return self.leaf

    def require_drawable(self, n_histograms: int) -> None:
        """Refuse costs so small that the noise of some release could not be drawn, whatever the tree will be."""
        if self.leaf:
            require_drawable(Rate(rate=self.of_leaf(self.depth)))
        if self.depth:
            require_drawable(Rate(rate=self.node / n_histograms))
