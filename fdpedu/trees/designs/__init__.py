"""The designs of trees, a file each, and the table of their names.

:data:`DESIGNS` are those of noisy counts, which differ in options; :data:`NAMED` are classes of their own. What all of
them answer for, and what they are unless they say otherwise, is :class:`fdpedu.trees.designs.base.TreeDesign`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from fdpedu.trees import stopping
from fdpedu.trees.designs.base import TreeDesign
from fdpedu.trees.designs.counts import DESIGNS, Design
from fdpedu.trees.designs.owner import Owner
from fdpedu.trees.designs.privatree.design import PrivaTree
from fdpedu.trees.designs.rotating import Rotating
from fdpedu.trees.designs.votes import Votes

__all__ = [
    "DESIGNS",
    "NAMED",
    "SYSTEMS",
    "Design",
    "Owner",
    "PrivaTree",
    "Rotating",
    "Votes",
    "find_design",
    "is_design",
]

NAMED: Mapping[str, type[TreeDesign]] = MappingProxyType(
    {kind.name: kind for kind in (Rotating, Votes, Owner, PrivaTree)}
)
"""The classes of designs that a tree's file knows by name. To add a design is to add its class here."""

SYSTEMS: Mapping[str, type[TreeDesign]] = MappingProxyType(
    {name: kind for name, kind in NAMED.items() if not kind.curated}
)
"""Those of them that a federation grows; the others are for one owner of all rows."""


def is_design(found: object) -> bool:
    """Whether it is a design of this table."""
    return isinstance(found, Design) or type(found) in NAMED.values()


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
        return SYSTEMS[name]()
    if not isinstance(name, str) and is_design(name) and not name.curated:
        return name
    if is_design(name) or (isinstance(name, str) and name in NAMED):
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
    if not isinstance(name, str) or name not in NAMED:
        raise ValueError(f"a design must be one of {', '.join(NAMED)}, or one of noisy counts without a name")
    return NAMED[name].from_json(found)
