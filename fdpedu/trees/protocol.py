"""What every design of a tree answers for, whatever it asks its parties: the seam between designs and all else.

A design says its own defaults (:meth:`TreeDesign.settled`), grows (:meth:`TreeDesign.growth`), says what must have been
paid for a node that is split (:meth:`TreeDesign.require_split`), what its dearest path costs
(:meth:`TreeDesign.dearest_path`), how it is written in a tree's file (:meth:`TreeDesign.to_json`), and where its plan
for simulations stands (:attr:`TreeDesign.plan`). Who asks is a federation, or one curator: both are :class:`Asker`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from fdpedu.accounting import Cost
from fdpedu.cart import Node
from fdpedu.cart.candidates import Borders
from fdpedu.dlpa import LevelCost
from fdpedu.domain import Domain, Region
from fdpedu.exact import Rational
from fdpedu.federation import Asker
from fdpedu.federation.asker import Progress
from fdpedu.randomness import Source
from fdpedu.trees.account import Account
from fdpedu.trees.leaf_release import LeafRelease
from fdpedu.trees.shape import Asked, Shape
from fdpedu.trees.tree_paid import Paid


class Grown(NamedTuple):
    """The nodes of a tree, and the class counts that were released for its leaves, in the order of reading."""

    root: Node
    releases: tuple[LeafRelease, ...]
    design: TreeDesign | None = None  # what the design has become meanwhile, if it has


class Growth(Protocol):
    """A tree while it grows, one round after the other."""

    @property
    def account(self) -> Account:
        """That all is charged to."""
        ...

    @property
    def goes_on(self) -> bool:
        """Whether there is something left to ask."""
        ...

    def round(self, progress: Progress) -> None:
        """Ask once, and decide from what is released."""
        ...

    def finish(self) -> Grown:
        """The tree that was grown; while something is left to ask, of what was released so far (at least once).

        Nodes that wait are leaves then, which predict from what was released of them, or above them.
        """
        ...


class TreeDesign(Protocol):
    """How a tree is grown: everything that :func:`fdpedu.trees.fit_federated_tree` does not know itself."""

    @property
    def fresh_leaves(self) -> bool:
        """Whether leaves have class counts of their own."""
        ...

    @property
    def leaf_type(self) -> str:
        """The type of query that pays for a leaf: of its class counts, or of its label alone."""
        ...

    @property
    def public_splits(self) -> bool:
        """Whether all splits are functions of what is public, so that nothing is paid for them."""
        ...

    @property
    def borders(self) -> Borders:
        """The only borders between bins at which its tree has splits."""
        ...

    @property
    def prune(self) -> bool:
        """Whether sibling leaves of one label are merged."""
        ...

    @property
    def curated(self) -> bool:
        """Whether it is for one owner of all rows, and not for a federation."""
        ...

    @property
    def reads_size(self) -> bool:
        """Whether its shape follows the nominal size, if one is named."""
        ...

    @property
    def plan(self) -> str:
        """The function that makes its plan for :mod:`fdpedu.simulation`, as ``module:name``."""
        ...

    def for_domain(self, domain: Domain) -> TreeDesign:
        """The design for records of this domain; refuses, by name, a numeric target that it is not for."""
        ...

    def settled(self, asked: Asked, budget: Cost | Rational) -> tuple[TreeDesign, Shape]:
        """The design and the shape of a tree of this cost; refuses an option, or a measure, that it has no use for."""
        ...

    def growth(self, asker: Asker, shape: Shape, budget: Cost, coins: Source) -> Growth:
        """A tree that begins; refuses, before anything is charged, what could not be grown to its end."""
        ...

    def require_split(self, paid: Paid, region: Region, above: Region | None, feature: int | None) -> None:
        """Refuse a node whose split was not paid for; ``above`` is the region of its parent, None for the root."""
        ...

    def dearest_path(
        self, budget: Cost | Rational, shape: Shape, n_features: int, n_parties: int
    ) -> tuple[tuple[LevelCost, ...], Fraction]:
        """What a record pays at most: for each level, and for the counts of a leaf at full depth."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The entry of a tree's file."""
        ...
