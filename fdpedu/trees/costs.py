"""How the budget of a tree is divided: to the histograms of each level, and to the counts of its leaves."""

from __future__ import annotations

from collections.abc import Sequence
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
    levels : what the histograms of a node cost at each level, where that is not the same for all

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
    levels: tuple[Fraction, ...] = ()

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
        weights: Sequence[int] = (),
    ) -> Costs:
        """The costs that ``epsilon`` pays for, by default all that remains; refuses more than remains.

        Without fresh leaves the histograms have all of it, whatever the leaf share is. Levels cost in proportion to
        their weights, where these are given.
        """
        budget = budget_within(remaining, epsilon)
        for_leaf, for_nodes = split_budget(budget, leaf_share)
        if not fresh_leaves:
            if not depth:
                raise ValueError(
                    "max_depth must be at least 1 where leaves read the histograms above them: there are none"
                )
            for_leaf, for_nodes, unspent_to_leaf = Fraction(0), budget, False
        # lem-screening-free: public weights divide what is there for the levels
        levels = tuple(for_nodes * weight / sum(weights) for weight in weights)
        return cls(budget, for_nodes / depth if depth else Fraction(0), for_leaf, depth, unspent_to_leaf, levels)

    def of_level(self, level: int) -> Fraction:
        """The cost of a node's histograms at a level, counted from 0."""
        return self.levels[level] if self.levels else self.node

    def of_levels(self, paid: int) -> Fraction:
        """The cost of the first levels of a path."""
        return sum(self.levels[:paid], Fraction(0)) if self.levels else paid * self.node

    def of_leaf(self, levels_paid: int) -> Fraction:
        """The cost of a leaf's counts, given how many levels were paid on its path.

        Claims: lem-unspent-leaf
        """
        if self.unspent_to_leaf or not self.depth:
            return self.budget - self.of_levels(levels_paid)
        return self.leaf

    def require_drawable(self, *n_histograms: int) -> None:
        """Refuse costs so small that the noise of some release could not be drawn, whatever the tree will be.

        ``n_histograms`` share the cost of a node: one number for all levels, or one for each.
        """
        if self.leaf:
            require_drawable(Rate(rate=self.of_leaf(self.depth)))
        shared = n_histograms if self.levels else n_histograms[:1] * bool(self.depth)
        for level, number in enumerate(shared):
            require_drawable(Rate(rate=self.of_level(level) / number))


def budget_within(remaining: Fraction, epsilon: Rational | None) -> Fraction:
    """``epsilon``, or all that remains; refuses more than remains."""
    budget = remaining if epsilon is None else as_positive_fraction(epsilon, "epsilon")
    if not 0 < budget <= remaining:
        what = too_much(budget, remaining) if budget else "nothing is left in the ledger"
        raise BudgetExceeded(f"{what}; nothing was charged")
    return budget
