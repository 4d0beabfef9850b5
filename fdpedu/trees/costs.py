"""How the budget of a tree is divided: to the histograms of each level, and to the counts of its leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from fdpedu.accounting import Amount, BudgetExceeded, Cost, Ledger, as_cost, split_budget
from fdpedu.accounting.charge import too_much
from fdpedu.accounting.cost import KINDS, PURE
from fdpedu.dlpa.gaussian_noise import gaussian_noise
from fdpedu.exact import Rate, Rational, as_fraction, shown
from fdpedu.sampling import require_drawable


@dataclass(frozen=True)
class Costs:
    """What the releases of one tree cost.

    Parameters
    ----------
    budget : of the whole tree, in ε or in ρ, as ``measure`` says
    node : the histograms of a node, all features together; 0 if there are none
    leaf : what is kept for the counts of a leaf; 0 if leaves have none of their own
    depth : the number of levels of histograms
    unspent_to_leaf : give a leaf what its path has not spent
    levels : what the histograms of a node cost at each level, where that is not the same for all
    measure : of all of these
    xi : of a tree in ρ, what its shares of noise may take beside ρ

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
    measure: str = PURE
    xi: Fraction = Fraction(0)

    @classmethod
    def within(
        cls,
        remaining: Cost | Rational,
        epsilon: Cost | Rational | None,
        leaf_share: Rational,
        depth: int,
        *,
        unspent_to_leaf: bool,
        fresh_leaves: bool = True,
        weights: Sequence[int] = (),
    ) -> Costs:
        """The costs that ``epsilon`` pays for, by default all that remains; refuses more than remains.

        Both are ε if they are numbers; costs in ρ are divided in the same way.

        Without fresh leaves the histograms have all of it, whatever the leaf share is. Levels cost in proportion to
        their weights, where these are given.
        """
        if isinstance(remaining, Cost):
            paid = budget_within(remaining.amount, remaining.measure, epsilon)
        else:
            paid = budget_within(Amount(as_fraction(remaining, "remaining")), PURE, epsilon)
        budget = paid.value
        for_leaf, for_nodes = split_budget(budget, leaf_share)
        if not fresh_leaves:
            if not depth:
                raise ValueError(
                    "max_depth must be at least 1 where leaves read the histograms above them: there are none"
                )
            for_leaf, for_nodes, unspent_to_leaf = Fraction(0), budget, False
        # lem-screening-free: public weights divide what is there for the levels
        levels = tuple(for_nodes * weight / sum(weights) for weight in weights)
        return cls(
            budget,
            for_nodes / depth if depth else Fraction(0),
            for_leaf,
            depth,
            unspent_to_leaf,
            levels,
            *(paid.measure, paid.xi),
        )

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

    def paid(self, value: Fraction) -> Cost:
        """What a release costs, in the tree's measure."""
        return Cost(self.measure, value)

    def require_xi(self, n_noise_shares: int, *n_histograms: int) -> None:
        """Refuse a tree whose shares of noise would take more ξ than it has, on a path to full depth.

        ``n_noise_shares`` make up the full noise; ``n_histograms`` as for :meth:`require_drawable`.
        """
        if self.measure == PURE:
            return
        taken = Fraction(0)
        for level in range(self.depth):
            q = n_histograms[level] if self.levels else n_histograms[0]
            taken += gaussian_noise(self.paid(self.of_level(level)), l2_squared=q, cells=q, n_shares=n_noise_shares).xi
        if self.leaf or not self.depth:
            paid = range(self.depth + 1) if self.unspent_to_leaf else [self.depth]
            rest = (self.of_leaf(levels) for levels in paid)
            taken += max(
                gaussian_noise(self.paid(each), l2_squared=1, cells=1, n_shares=n_noise_shares).xi for each in rest
            )
        if taken > self.xi:
            raise BudgetExceeded(
                f"the noise of this tree takes ξ = {shown(taken)}, and ξ = {shown(self.xi)} is left in the ledger: "
                "with so many parties the shares of noise are too small; nothing was charged"
            )

    def require_drawable(self, *n_histograms: int) -> None:
        """Refuse costs so small that the noise of some release could not be drawn, whatever the tree will be.

        ``n_histograms`` share the cost of a node: one number for all levels, or one for each.
        """
        if self.measure != PURE:
            self._require_variances(n_histograms)
            return
        if self.leaf:
            require_drawable(Rate(rate=self.of_leaf(self.depth)))
        shared = n_histograms if self.levels else n_histograms[:1] * bool(self.depth)
        for level, number in enumerate(shared):
            require_drawable(Rate(rate=self.of_level(level) / number))

    def _require_variances(self, n_histograms: tuple[int, ...]) -> None:
        """The same in ρ, where one share alone is the largest."""
        for level in range(self.depth):
            q = n_histograms[level] if self.levels else n_histograms[0]
            gaussian_noise(self.paid(self.of_level(level)), l2_squared=q, cells=q, n_shares=1)
        if self.leaf or not self.depth:
            gaussian_noise(self.paid(self.of_leaf(self.depth)), l2_squared=1, cells=1, n_shares=1)


def budget_within(left: Amount, measure: str, epsilon: Cost | Rational | None, delta: Fraction = Fraction(0)) -> Cost:
    """``epsilon``, or all that is left; refuses more than is left, by what is possible at δ, and the other measure."""
    if epsilon is None:
        if left.value <= 0:
            raise BudgetExceeded("nothing is left in the ledger; nothing was charged")
        return Cost(measure, *left)
    asked = as_cost(epsilon, "epsilon")
    if asked.measure != measure:
        raise ValueError(
            f"epsilon must be in the measure of the ledger, which is one of {KINDS[measure]}, got {asked}: leave it "
            f"out for all that is left, or give Cost({measure!r}, …)"
        )
    # without a ξ of its own, a cost in ρ may use what is left of it
    budget = asked if asked.is_pure or asked.xi else Cost(measure, asked.value, left.xi)
    if not budget.amount.within(left):
        raise BudgetExceeded(f"{too_much(budget.amount, left, measure, delta)}; nothing was charged")
    return budget


def pure_left(ledger: Ledger, what: str) -> Fraction:
    """The ε that a ledger has left; refuses one of ρ, for what is paid in ε only."""
    if ledger.measure != PURE:
        raise ValueError(f"{what} needs a ledger of ε, Ledger(epsilon), and this is one of ρ: {ledger.total}")
    return ledger.left().value
