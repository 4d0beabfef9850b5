"""The rotating tree: each level is designed by one party, on its own rows, and the parties take turns.

The party of a level draws the split of each of its nodes by permute-and-flip and tells it to all. A record lies at one
party, so it pays for the levels of this party only, and for the counts of its leaf: ε in all, whatever the number of
parties, features and bins is.

Guarantee: for records added or removed, a person's rows at one party; against an outsider and ``tolerate`` colluders;
integers. Splits need no other party's noise. Not guaranteed: that a party designs its level honestly; running time.

Claims: thm-rotating-tree, thm-designed-insiders
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from fdpedu.accounting import Cost
from fdpedu.better_trees.rules import designers, level_costs, rotating_shape
from fdpedu.dlpa import LevelCost
from fdpedu.domain import Region
from fdpedu.exact import Integers, Rational, require_type
from fdpedu.federation import DesignedSplit, Federation
from fdpedu.randomness import Source
from fdpedu.trees.account import Account
from fdpedu.trees.choices import ChoiceGrowth, Choices, epsilon_of, leaf_cost, require_levels
from fdpedu.trees.growing import Growing
from fdpedu.trees.protocol import Asker
from fdpedu.trees.shape import Asked, Shape
from fdpedu.trees.subset import shuffled
from fdpedu.trees.tree_paid import Paid

MAX_PARTIES = 256


@dataclass(frozen=True)
class Rotating(Choices):
    """Each level is designed by one party, in a public random order.

    Examples
    --------
    >>> Rotating().settled(Asked(nominal_size=5000), 1)
    (Rotating(loss='mixed', lattice=1024, prune=False), Shape(depth=5, leaf_share=Fraction(1, 5), least=0))
    """

    @property
    def curated(self) -> bool:
        """It is for a federation."""
        return False

    @property
    def plan(self) -> str:
        """Where its plan for :mod:`fdpedu.simulation` is made."""
        return "fdpedu.simulation.choosing:rotating_plan"

    def settled(self, asked: Asked, budget: Cost | Rational) -> tuple[Rotating, Shape]:
        """As asked; else what N·ε says."""
        asked.require_only(("max_depth", "leaf_share", "nominal_size"), "rotating")
        shape = asked.shape(*rotating_shape(asked.nominal_size, epsilon_of(budget, "rotating")))
        require_levels(shape.depth, "rotating")
        return self, shape

    def growth(self, asker: Asker, shape: Shape, budget: Cost, coins: Source) -> RotatingGrowth:
        """A tree that begins, with a public random order of the parties."""
        require_type(asker, Federation, "federation")
        require_few_parties(asker.n_parties)
        # thm-rotating-tree: the order depends on public coins only
        designs = designers(shuffled(range(asker.n_parties), coins), shape.depth)
        account = Account(asker)
        epsilon = epsilon_of(budget, "rotating")
        costs = level_costs(designs, epsilon, shape.leaf_share)
        return RotatingGrowth(asker, account, self, costs, leaf_cost(shape, epsilon), designs)

    def require_split(self, paid: Paid, region: Region, above: Region | None, feature: int | None) -> None:
        """Refuse a split that no party was paid for."""
        paid.require_choice(region, DesignedSplit.type)

    def dearest_path(
        self, budget: Cost | Rational, shape: Shape, n_features: int, n_parties: int
    ) -> tuple[tuple[LevelCost, ...], Fraction]:
        """The levels of the party that designs first, and no others; then the counts of a leaf."""
        designs = designers(range(n_parties), shape.depth)
        epsilon = epsilon_of(budget, "rotating")
        costs = level_costs(designs, epsilon, shape.leaf_share)
        own = [LevelCost(cost, 1, shared=False) for cost, party in zip(costs, designs, strict=True) if party == 0]
        return tuple(own), leaf_cost(shape, epsilon)


def require_few_parties(n_parties: int) -> None:
    """Refuse more parties than a ledger can tell apart."""
    if n_parties > MAX_PARTIES:
        raise ValueError(
            f"the design 'rotating' is for at most {MAX_PARTIES} parties, got {n_parties}: take 'screened'"
        )


@dataclass
class RotatingGrowth(ChoiceGrowth):
    """A rotating tree while it grows: a turn for each level.

    Parameters
    ----------
    asker, account, design, costs, leaf : of any tree of choices
    designs : the party of each level
    """

    designs: tuple[int, ...]

    def question(self, region: Region, turn: int) -> DesignedSplit:
        """The split of a node, asked of the party of this level."""
        return DesignedSplit(region, self.costs[turn], self.designs[turn], self.design.loss, self.design.lattice)

    def sides(self, node: Growing, answer: Integers) -> Iterable[Growing]:
        """Two."""
        return self.split(node, int(answer[0]))
