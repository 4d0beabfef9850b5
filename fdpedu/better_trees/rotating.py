"""The rotating tree: each level is designed by one party, on its own rows, and the parties take turns.

The party of a level draws the split of each of its nodes by permute-and-flip and tells it to all. A record lies at one
party, so it pays for the levels of this party only, and for the counts of its leaf: ε in all, whatever the number of
parties, features and bins is.

Guarantee: for records added or removed, a person's rows at one party; against an outsider and ``tolerate`` colluders;
integers. Splits need no other party's noise. Not guaranteed: that a party designs its level honestly; running time.

Claims: thm-rotating-tree, thm-designed-insiders
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any

from fdpedu.better_trees.choices import Choosing, positions, require_levels
from fdpedu.better_trees.rules import designers, level_costs, rotating_shape
from fdpedu.cart.losses import LOSSES
from fdpedu.dlpa import LevelCost
from fdpedu.domain import Region
from fdpedu.exact import Rational, as_integer, quoted, require_type
from fdpedu.federation import ClassCounts, DesignedSplit, Federation
from fdpedu.federation.federation import Progress
from fdpedu.federation.queries.choices import MAX_LATTICE
from fdpedu.randomness import Source
from fdpedu.trees.protocol import Asker, Grown
from fdpedu.trees.shape import Asked, Shape
from fdpedu.trees.subset import shuffled
from fdpedu.trees.tree_paid import Paid

MAX_PARTIES = 256


@dataclass(frozen=True)
class Choices:
    """What designs of choices have in common: how a split is judged, and what is made of the tree in the end.

    Parameters
    ----------
    loss : a name of :data:`fdpedu.cart.LOSSES`; a record raises it by at most 1
    lattice : m, losses are compared in steps of 1/m
    prune : sibling leaves of one label are merged at the end
    """

    loss: str = "mixed"
    lattice: int = 1024
    prune: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.loss, str) or self.loss not in LOSSES:
            raise ValueError(f"loss must be one of {', '.join(LOSSES)}; got {quoted(self.loss)}")
        object.__setattr__(self, "lattice", as_integer(self.lattice, "lattice", minimum=1, maximum=MAX_LATTICE))
        require_type(self.prune, bool, "prune")

    @property
    def fresh_leaves(self) -> bool:
        """Leaves have class counts of their own."""
        return True

    def to_json(self) -> dict[str, Any]:
        """The entry of a tree's file."""
        return {"name": type(self).__name__.lower(), **vars(self)}

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Any:
        """The design that was written so."""
        names = {"name", *(each.name for each in fields(cls))}
        if not set(found) <= names:
            raise ValueError(f"a design of choices has {', '.join(sorted(names))} and nothing else")
        return cls(**{name: value for name, value in found.items() if name != "name"})


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

    def settled(self, asked: Asked, epsilon: Rational) -> tuple[Rotating, Shape]:
        """As asked; else what N·ε says."""
        asked.require_only(("max_depth", "leaf_share", "nominal_size"), "rotating")
        shape = asked.shape(*rotating_shape(asked.nominal_size, epsilon))
        require_levels(shape.depth, "rotating")
        return self, shape

    def growth(self, asker: Asker, shape: Shape, epsilon: Fraction, coins: Source) -> RotatingGrowth:
        """A tree that begins, with a public random order of the parties."""
        require_type(asker, Federation, "federation")
        require_few_parties(asker.n_parties)
        # thm-rotating-tree: the order depends on public coins only
        designs = designers(shuffled(range(asker.n_parties), coins), shape.depth)
        return RotatingGrowth(asker, self, designs, shape, epsilon)  # type: ignore[arg-type]

    def require_split(self, paid: Paid, region: Region, above: Region | None, feature: int | None) -> None:
        """Refuse a split that no party was paid for."""
        paid.require_choice(region, DesignedSplit.type)

    def dearest_path(
        self, epsilon: Fraction, shape: Shape, n_features: int, n_parties: int
    ) -> tuple[tuple[LevelCost, ...], Fraction]:
        """The levels of the party that designs first, and no others; then the counts of a leaf."""
        designs = designers(range(n_parties), shape.depth)
        costs = level_costs(designs, epsilon, shape.leaf_share)
        own = [LevelCost(cost, 1, shared=False) for cost, party in zip(costs, designs, strict=True) if party == 0]
        return tuple(own), shape.leaf_share * epsilon if shape.depth else epsilon


def require_few_parties(n_parties: int) -> None:
    """Refuse more parties than a ledger can tell apart."""
    if n_parties > MAX_PARTIES:
        raise ValueError(
            f"the design 'rotating' is for at most {MAX_PARTIES} parties, got {n_parties}: take 'screened'"
        )


@dataclass
class RotatingGrowth:
    """A rotating tree while it grows: a round for each level, and one for all leaves.

    Parameters
    ----------
    federation : whom to ask
    design : how splits are judged
    designs : the party of each level
    shape, epsilon : of the tree
    """

    federation: Federation
    design: Rotating
    designs: tuple[int, ...]
    shape: Shape
    epsilon: Fraction
    tree: Choosing = field(init=False)

    def __post_init__(self) -> None:
        federation, depth = self.federation, self.shape.depth
        self.costs = level_costs(self.designs, self.epsilon, self.shape.leaf_share)
        leaf = self.shape.leaf_share * self.epsilon if depth else self.epsilon
        account = federation.own_account(f"tree that begins after round {federation.ledger.rounds}")
        self.tree = Choosing(federation, account, leaf, depth + 1, self.design.prune)
        self._require_possible(leaf)
        self.tree.enter([self.tree.root], deepest=not depth)

    def _require_possible(self, leaf: Fraction) -> None:
        """Refuse, before anything is charged, what a later round would refuse."""
        domain, colluders = self.federation.domain, self.federation.colluders
        asked = [self._asked(domain.everything, level) for level in range(self.shape.depth)]
        for query in asked:
            query.check(domain)
        charged = [query.charge(domain, colluders, "any") for query in (*asked, ClassCounts(domain.everything, leaf))]
        self.tree.require_room(charged, self.shape.depth)

    def _asked(self, region: Region, level: int) -> DesignedSplit:
        """The question for the split of a node."""
        design = self.design
        return DesignedSplit(region, self.costs[level], self.designs[level], design.loss, design.lattice)

    @property
    def goes_on(self) -> bool:
        """Whether leaves still wait for their counts."""
        return self.tree.goes_on

    def round(self, progress: Progress) -> None:
        """One level: its party tells the split of each node; or the counts of all leaves."""
        tree = self.tree
        if not tree.open:
            tree.count_leaves(progress)
            return
        answers = tree.release([self._asked(node.region, tree.done) for node in tree.open], progress)
        below = [
            side
            for node, (position,) in zip(tree.open, positions(answers), strict=True)
            for side in tree.split(node, position)
        ]
        tree.enter(below, deepest=tree.done == self.shape.depth)

    def finish(self) -> Grown:
        """The tree."""
        return self.tree.finish()
