"""The designs of trees by name: those of noisy counts, and those of the systems that build on this package.

A system stands in a module of a later tier, so its design is named here by a path and loaded when it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, cast

from fdpedu.trees import stopping
from fdpedu.trees.designs.counts import DESIGNS, Design
from fdpedu.trees.designs.owner import Owner
from fdpedu.trees.designs.rotating import Rotating
from fdpedu.trees.designs.votes import Votes
from fdpedu.trees.protocol import TreeDesign

__all__ = ["DESIGNS", "OF_FILES", "SYSTEMS", "Design", "Owner", "Rotating", "Votes", "find_design", "is_design"]

SYSTEMS: Mapping[str, str] = MappingProxyType(
    {"rotating": "fdpedu.trees.designs.rotating:Rotating", "votes": "fdpedu.trees.designs.votes:Votes"}
)
"""The designs of other systems that a federation grows: each a class, as ``module:name``."""

OF_FILES: Mapping[str, str] = MappingProxyType(
    {**SYSTEMS, "owner": "fdpedu.trees.designs.owner:Owner", "privatree": "fdpedu.trees.designs.privatree:PrivaTree"}
)
"""The same with the designs that are no federation's, but stand in files of trees."""


def loaded(path: str) -> Any:
    """What stands at ``module:name``."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def is_design(found: object) -> bool:
    """Whether it is a design: of noisy counts, or of a system."""
    return isinstance(found, Design) or type(found) in [loaded(path) for path in OF_FILES.values()]


def find_design(name: str | TreeDesign) -> TreeDesign:
    """The design of that name that a federation can grow, or the design itself.

    >>> find_design("default") is DESIGNS["default"]
    True
    """
    if isinstance(name, Design):
        if name.stop is stopping.not_kept:
            raise ValueError(stopping.NOT_KEPT)
        return name
    if isinstance(name, str) and name in DESIGNS:
        return DESIGNS[name]
    if isinstance(name, str) and name in SYSTEMS:
        return cast(TreeDesign, loaded(SYSTEMS[name])())
    if not isinstance(name, str) and is_design(name) and not name.curated:
        return name
    if name in ("owner", "privatree") or is_design(name):
        raise ValueError(
            "the designs 'owner' and 'privatree' are for one owner of all rows: fdpedu.trees.fit_owner_tree and "
            "fdpedu.trees.fit_privatree"
        )
    known = ", ".join(map(repr, (*DESIGNS, *SYSTEMS)))
    raise ValueError(f"design must be one of {known}, or a Design, got {name!r:.40}")


def counting_design(name: str | Design) -> Design:
    """The same, if it is a design of noisy counts."""
    found = find_design(name)
    if not isinstance(found, Design):
        raise ValueError(f"design must be one of noisy counts: {', '.join(map(repr, DESIGNS))}, or a Design")
    return found


def design_from_json(found: Any) -> TreeDesign:
    """The design that a tree's file names; one without a name is of noisy counts."""
    name = found.get("name") if isinstance(found, Mapping) else None
    if name is None:
        return Design.from_json(found)
    if not isinstance(name, str) or name not in OF_FILES:
        raise ValueError(f"a design must be one of {', '.join(OF_FILES)}, or one of noisy counts without a name")
    return cast(TreeDesign, loaded(OF_FILES[name]).from_json(found))
