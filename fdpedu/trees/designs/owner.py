"""One owner's tree: blocks of three splits, each drawn at once for one ε.

One owner holds all rows, and publishes a tree. A block of depth 2 is drawn among all blocks, with probability
∝ e^{−ε·loss}: three splits at the price of one, because a record is in one of the four leaves of the block.

Guarantee: for records added or removed; against whoever sees the tree. The owner sees the rows: there are no shares
and no masks. Integers. Not guaranteed: running time.

Claims: thm-owner-tree
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from fdpedu.accounting import Cost
from fdpedu.dlpa import LevelCost
from fdpedu.domain import Region
from fdpedu.exact import Integers, Rational
from fdpedu.federation import ChosenBlock
from fdpedu.federation.asker import Asker, require_curator
from fdpedu.randomness import Source
from fdpedu.trees.account import Account
from fdpedu.trees.choice_growth import ChoiceGrowth
from fdpedu.trees.designs.base import Choices, epsilon_of, leaf_cost, require_levels
from fdpedu.trees.growing import Growing
from fdpedu.trees.shape import Asked, Shape, by_rows_and_epsilon
from fdpedu.trees.tree_paid import Paid

LEAF_SHARE = Fraction(1, 5)


def owner_shape(nominal_size: int | None, epsilon: Rational) -> tuple[int, Fraction]:
    """The number of blocks, each of two levels, and the leaf share of one owner's tree: 1 block, from 400 on 2, 3.

    >>> [owner_shape(n, 1)[0] for n in (399, 400, 10_000, None)]
    [1, 2, 3, 2]
    """
    return by_rows_and_epsilon(nominal_size, epsilon, [(400, 2), (10_000, 3)], 1, 2), LEAF_SHARE


@dataclass(frozen=True)
class Owner(Choices):
    """Blocks of two levels, drawn by one owner of all rows.

    Examples
    --------
    >>> Owner().settled(Asked(nominal_size=300), 1)[1]
    Shape(depth=2, leaf_share=Fraction(1, 5), least=0)
    """

    name: ClassVar[str] = "owner"
    curated: ClassVar[bool] = True

    @property
    def reads_size(self) -> bool:
        """The shape follows it."""
        return True

    def settled(self, asked: Asked, budget: Cost | Rational) -> tuple[Owner, Shape]:
        """As asked; else what N·ε says. A block has two levels, so the depth is even."""
        asked.require_only(("max_depth", "leaf_share", "nominal_size"), "owner")
        blocks, share = owner_shape(asked.nominal_size, epsilon_of(budget, "owner"))
        shape = asked.shape(2 * blocks, share)
        if shape.depth % 2:
            raise ValueError(
                f"max_depth must be even for the design 'owner', whose blocks have two levels; got {shape.depth}"
            )
        require_levels(shape.depth, "owner")
        return self, shape

    def growth(self, asker: Asker, shape: Shape, budget: Cost, coins: Source) -> OwnerGrowth:
        """A tree that begins."""
        require_curator(asker)
        path, leaf = self.dearest_path(budget, shape, asker.domain.n_features, asker.n_parties)
        account = Account(asker)
        return OwnerGrowth(asker, account, self, tuple(block.epsilon for block in path), leaf)

    def require_split(self, paid: Paid, region: Region, above: Region | None, feature: int | None) -> None:
        """Refuse a split that stands in no block that was paid for."""
        if above is None or not paid.has(above, ChosenBlock.type):
            paid.require_choice(region, ChosenBlock.type)

    def dearest_path(
        self, budget: Cost | Rational, shape: Shape, n_features: int, n_parties: int
    ) -> tuple[tuple[LevelCost, ...], Fraction]:
        """Of each block its cost, for both of its levels; then the counts of a leaf."""
        epsilon = epsilon_of(budget, "owner")
        blocks, splits = shape.depth // 2, (1 - shape.leaf_share) * epsilon
        path = tuple(LevelCost(splits / blocks, 1, shared=False) for _ in range(blocks))
        return path, leaf_cost(shape, epsilon)


@dataclass
class OwnerGrowth(ChoiceGrowth):
    """One owner's tree while it grows: a turn for each level of blocks, which makes two levels of splits."""

    levels: ClassVar[int] = 2

    def question(self, region: Region, turn: int) -> ChosenBlock:
        """A block."""
        return ChosenBlock(region, self.costs[turn], self.design.loss, self.design.lattice)

    def sides(self, node: Growing, answer: Integers) -> Iterable[Growing]:
        """The sides of both sides; a side that nothing divides stays as it is."""
        root, *below = answer.tolist()
        for side, position in zip(self.split(node, root), below, strict=True):
            yield from self.split(side, position) if position else [side]
