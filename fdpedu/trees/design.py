"""What a federated tree makes of the counts that are released: a choice that costs nothing, under a name."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from fdpedu.exact import require_callable, require_type
from fdpedu.trees import stopping


@dataclass(frozen=True)
class Design:
    """How a tree is grown from noisy counts; all of it post-processing, so all designs cost the same.

    Parameters
    ----------
    stop : when a node becomes a leaf, a rule of :mod:`fdpedu.trees.stopping`
    relative : compare splits by G, each feature dividing by its own total, instead of by n·G
    shrink : if positive, compare splits by their gain, shrunk by so many standard deviations of a cell's noise
    unspent_to_leaf : give an early leaf the node budget that its depth did not use; else the report's ε_leaf
    consistent : leaves predict from the estimates that all views of the tree give together; else from what was released
        for them alone. The counts that a tree shows add up in any case (:mod:`fdpedu.trees.counts`)
    """

    stop: stopping.Rule = stopping.confident
    relative: bool = False
    shrink: float = 0
    unspent_to_leaf: bool = True
    consistent: bool = True

    def __post_init__(self) -> None:
        require_callable(self.stop, "stop")
        for name in ("relative", "unspent_to_leaf", "consistent"):
            require_type(getattr(self, name), bool, name)
        if (
            isinstance(self.shrink, bool)
            or not isinstance(self.shrink, (int, float))
            or not 0 <= self.shrink < math.inf
        ):
            raise ValueError(f"shrink must be a finite number of at least 0, got {self.shrink!r:.40}")


DESIGNS: Mapping[str, Design] = MappingProxyType(
    {
        "default": Design(shrink=3),
        "averaged": Design(stop=stopping.averaged),
        "algorithm-5-clipped": Design(stop=stopping.as_printed, relative=True, unspent_to_leaf=False, consistent=False),
    }
)
"""The designs by name. ``algorithm-5-clipped`` is the report's Algorithm 5 on counts that are clipped at 0."""


def find_design(name: str | Design) -> Design:
    """The design of that name, or the design itself."""
    if isinstance(name, Design):
        return name
    if not isinstance(name, str) or name not in DESIGNS:
        raise ValueError(f"design must be one of {', '.join(map(repr, DESIGNS))}, or a Design, got {name!r:.40}")
    return DESIGNS[name]
