"""Structures: trees that say which feature is asked at each node, without thresholds and without labels.

A structure is written as a string of integers, which has an entry for each inner node of the full binary tree of a
depth, each node before its sides, and the left side before the right one. An entry below a leaf means nothing: such a
subtree is detached, and different strings may be one structure.

How good a structure can be on some rows is computed in :mod:`fdpedu.cart.least_loss`.

Claims: lem-phenotypes
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fdpedu.domain import Domain
from fdpedu.exact import as_integer, as_list, require_type

LEAF = -1
"""What stands in a string where a node asks nothing."""
MAX_DEPTH = 8


@dataclass(frozen=True)
class Structure:
    """A node that asks for a feature, with its two sides; or a leaf, which has neither.

    Examples
    --------
    >>> Structure(1, Structure(0)) == to_structure((1, 0, LEAF))
    True
    >>> print(Structure(1, Structure(0)))
    1(0, ·)
    """

    feature: int | None = None
    left: Structure | None = None
    right: Structure | None = None

    def __post_init__(self) -> None:
        if self.feature is None:
            if self.left is not None or self.right is not None:
                raise ValueError("left and right must be left out of a leaf, which asks for no feature")
            return
        object.__setattr__(self, "feature", as_integer(self.feature, "feature", minimum=0, maximum=2**16))
        for name in ("left", "right"):
            side = getattr(self, name)
            object.__setattr__(self, name, Structure() if side is None else side)
            require_type(getattr(self, name), Structure, name)

    @property
    def sides(self) -> tuple[Structure, ...]:
        """The left and the right one; none of a leaf."""
        return () if self.left is None or self.right is None else (self.left, self.right)

    @property
    def depth(self) -> int:
        """The number of questions on the longest path."""
        return 1 + max(side.depth for side in self.sides) if self.sides else 0

    @property
    def features(self) -> tuple[int, ...]:
        """What the inner nodes ask for, each node before its sides."""
        if self.feature is None:
            return ()
        return (self.feature, *(feature for side in self.sides for feature in side.features))

    @property
    def n_nodes(self) -> int:
        """The number of questions."""
        return len(self.features)

    def __str__(self) -> str:
        if not self.n_nodes:
            return "·"
        below = ", ".join(map(str, self.sides))
        return f"{self.feature}({below})" if self.n_nodes > 1 else str(self.feature)


def to_string(tree: Any, depth: int) -> tuple[int, ...]:
    """A structure as 2^depth − 1 integers: positions of features, and :data:`LEAF`.

    Parameters
    ----------
    tree : a structure, or what has one under that name
    depth : of the full tree, at least the structure's own, at most 8

    Examples
    --------
    >>> to_string(Structure(1, Structure(0)), 2)
    (1, 0, -1)
    """
    structure = getattr(tree, "structure", tree)
    require_type(structure, Structure, "tree")
    levels = as_integer(depth, "depth", minimum=0, maximum=MAX_DEPTH)
    if structure.depth > levels:
        raise ValueError(f"depth must be at least that of the tree, {structure.depth}, got {levels}")
    return tuple(_written(structure, levels))


def _written(structure: Structure, depth: int) -> list[int]:
    if structure.feature is None or not depth:
        return [LEAF] * (2**depth - 1)
    return [structure.feature, *(entry for side in structure.sides for entry in _written(side, depth - 1))]


def to_structure(string: Sequence[int]) -> Structure:
    """The structure that is connected with the root; detached subtrees are left out.

    Parameters
    ----------
    string : 2^d − 1 integers, for d from 0 to 8: positions of features from 0, or :data:`LEAF`

    Examples
    --------
    >>> to_structure((LEAF, 0, 2)) == to_structure((LEAF, LEAF, LEAF)) == Structure()
    True
    """
    entries = [as_integer(entry, "string", minimum=LEAF, maximum=2**16) for entry in as_list(string, "string")]
    if (size := len(entries) + 1) & (size - 1) or size > 2**MAX_DEPTH:
        raise ValueError(f"string must have 2^d − 1 entries, for d from 0 to {MAX_DEPTH}, got {len(entries)}")
    return _read(entries)


def _read(entries: list[int]) -> Structure:
    if not entries or entries[0] == LEAF:
        return Structure()
    half = len(entries) // 2
    return Structure(entries[0], _read(entries[1 : 1 + half]), _read(entries[1 + half :]))


def count_structures(n_features: int, depth: int) -> int:
    """How many structures there are up to a depth: T(0) = 1, T(d) = 1 + p·T(d−1)².

    Claims: lem-phenotypes

    Examples
    --------
    >>> [count_structures(3, depth) for depth in range(4)]
    [1, 4, 49, 7204]
    """
    p = as_integer(n_features, "n_features", minimum=1, maximum=2**16)
    count = 1
    for _ in range(as_integer(depth, "depth", minimum=0, maximum=MAX_DEPTH)):
        count = 1 + p * count * count  # lem-phenotypes: a leaf, or a feature and two structures
    return count


def require_structure(structure: Structure, domain: Domain, name: str = "structure") -> None:
    """Refuse a structure that asks for a feature that the domain has not."""
    unknown = [feature for feature in structure.features if feature >= domain.n_features]
    if unknown:
        raise ValueError(f"{name} must ask for features from 0 to {domain.n_features - 1} only, got {unknown[0]}")
