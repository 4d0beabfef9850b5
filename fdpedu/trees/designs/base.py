"""What designs of trees are unless they say otherwise: the defaults of every design, and of those that make choices."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar, Self

from fdpedu.accounting import Cost, as_cost
from fdpedu.cart.candidates import ALL_BORDERS, Borders
from fdpedu.cart.losses import LOSSES, require_loss
from fdpedu.dlpa import LevelCost
from fdpedu.domain import BY_VOTES, Domain, Region, require_classes
from fdpedu.exact import Rational, as_integer, require_type
from fdpedu.federation import ClassCounts
from fdpedu.federation.asker import Asker
from fdpedu.federation.queries.choices import MAX_LATTICE
from fdpedu.randomness import Source
from fdpedu.trees.protocol import Growth
from fdpedu.trees.shape import Asked, Shape
from fdpedu.trees.tree_paid import Paid

MAX_LEVELS = 8
"""Every node is split, so a tree has 2^levels leaves."""


def require_levels(levels: int, design: str) -> None:
    """Refuse a tree of more levels than :data:`MAX_LEVELS`."""
    if levels > MAX_LEVELS:
        raise ValueError(
            f"max_depth must be at most {MAX_LEVELS} for the design {design!r}, got {levels}: every node is split, so "
            "each level doubles the number of leaves"
        )


def leaf_cost(shape: Shape, epsilon: Fraction) -> Fraction:
    """What the counts of a leaf cost: the share of the leaves, or all of ε where there are no splits."""
    return shape.leaf_share * epsilon if shape.depth else epsilon


def epsilon_of(budget: Cost | Rational, design: str) -> Fraction:
    """The ε of a budget; one in ρ is refused, as nothing but ε is proved of a choice."""
    cost = as_cost(budget, "epsilon")
    if not cost.is_pure:
        raise ValueError(
            f"the design {design!r} makes choices, which cost ε, and the budget is in ρ ({cost}): take a ledger of ε, "
            "or a design of noisy counts such as 'screened'"
        )
    return cost.value


@dataclass(frozen=True)
class TreeDesign(ABC):
    """How a tree is grown: everything that :func:`fdpedu.trees.fit_federated_tree` does not know itself.

    A design is a frozen dataclass; it stands in the table of :mod:`fdpedu.trees.designs` under its name.

    Attributes
    ----------
    name : by which it is asked for, and found in a tree's file
    curated : whether it is for one owner of all rows, and not for a federation
    """

    name: ClassVar[str] = ""
    curated: ClassVar[bool] = False

    @abstractmethod
    def settled(self, asked: Asked, budget: Cost | Rational) -> tuple[Self, Shape]:
        """The design and the shape of a tree of this cost; refuses an option, or a measure, that it has no use for."""

    @abstractmethod
    def growth(self, asker: Asker, shape: Shape, budget: Cost, coins: Source) -> Growth:
        """A tree that begins; refuses, before anything is charged, what could not be grown to its end."""

    @abstractmethod
    def require_split(self, paid: Paid, region: Region, above: Region | None, feature: int | None) -> None:
        """Refuse a node whose split was not paid for; ``above`` is the region of its parent, None for the root."""

    @abstractmethod
    def dearest_path(
        self, budget: Cost | Rational, shape: Shape, n_features: int, n_parties: int
    ) -> tuple[tuple[LevelCost, ...], Fraction]:
        """What a record pays at most: for each level, and for the counts of a leaf at full depth."""

    @property
    def fresh_leaves(self) -> bool:
        """Whether leaves have class counts of their own."""
        return True

    @property
    def leaf_type(self) -> str:
        """The type of query that pays for a leaf: of its class counts, or of its label alone."""
        return ClassCounts.type

    @property
    def public_splits(self) -> bool:
        """Whether all splits are functions of what is public, so that nothing is paid for them."""
        return False

    @property
    def borders(self) -> Borders:
        """The only borders between bins at which its tree has splits."""
        return ALL_BORDERS

    @property
    def prune(self) -> bool:
        """Whether sibling leaves of one label are merged."""
        return False

    @property
    def reads_size(self) -> bool:
        """Whether its shape follows the nominal size, if one is named."""
        return False

    def for_domain(self, domain: Domain) -> Self:
        """The design for records of this domain; refuses, by name, a numeric target that it is not for."""
        require_classes(domain, f"the design {self.name!r}" if self.name else "a design of noisy counts", BY_VOTES)
        return self

    def to_json(self) -> dict[str, Any]:
        """The entry of a tree's file."""
        return {"name": self.name, **vars(self)}

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Self:
        """The design that was written so."""
        names = {"name", *(each.name for each in fields(cls))}
        if not set(found) <= names:
            raise ValueError(f"a design {cls.name} has {', '.join(sorted(names))} and nothing else")
        return cls(**{name: value for name, value in found.items() if name != "name"})


@dataclass(frozen=True)
class Choices(TreeDesign):
    """What designs of choices have in common: how a split is judged, and what is made of the tree in the end.

    Parameters
    ----------
    loss : a name of :data:`fdpedu.cart.LOSSES`; a record raises it by at most 1
    lattice : m, losses are compared in steps of 1/m
    prune : sibling leaves of one label are merged at the end
    """

    loss: Any = "mixed"
    lattice: int = 1024
    prune: bool = False
    losses: ClassVar[tuple[str, ...]] = LOSSES

    def __post_init__(self) -> None:
        self._require_loss()
        object.__setattr__(self, "lattice", as_integer(self.lattice, "lattice", minimum=1, maximum=MAX_LATTICE))
        require_type(self.prune, bool, "prune")

    def _require_loss(self) -> None:
        require_loss(self.loss, self.losses)
