"""A tree while it grows, whatever its design asks: what :func:`fdpedu.trees.fit_federated_tree` needs of it."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from fdpedu.cart import Node
from fdpedu.federation.asker import Progress
from fdpedu.trees.account import Account
from fdpedu.trees.leaf_release import LeafRelease


class Grown(NamedTuple):
    """The nodes of a tree, and the class counts that were released for its leaves, in the order of reading."""

    root: Node
    releases: tuple[LeafRelease, ...]
    design: Any = None  # what the design has become meanwhile, if it has


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
