"""Small trees for exercises: bare shapes, and trees with splits on two features."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

Shape = Any  # None for a leaf, a pair of shapes for a split
Split = Any  # None for a leaf, (feature, codes, left, right) for a split

CODES = (3, 2)
"""How many codes the two features have."""


@cache
def shapes(leaves: int) -> tuple[Shape, ...]:
    """All shapes with so many leaves, 1, 2, 5, 14, … of them from two leaves on."""
    if leaves == 1:
        return (None,)
    parts = [(shapes(n), shapes(leaves - n)) for n in range(1, leaves)]
    return tuple(pair for left, right in parts for pair in product(left, right))


def depth(tree: Shape | Split) -> int:
    """The number of splits on the longest way down; the last two items of a split are its sides."""
    return 0 if tree is None else 1 + max(depth(side) for side in tree[-2:])


def splits(tree: Shape | Split) -> int:
    """How many splits there are in all."""
    return 0 if tree is None else 1 + sum(splits(side) for side in tree[-2:])


@cache
def split_trees() -> tuple[Split, ...]:
    """All trees of depth up to 2 of some splits, where a side splits on the other feature; fewest splits first.

    Feature 0 has three categories, so its left codes need not be the smallest ones.
    """
    choices = ([(0, [0]), (0, [1]), (0, [0, 2])], [(1, [0])])
    found: list[Split] = [None]
    for feature in (0, 1):
        below = [None, *((*split, None, None) for split in choices[1 - feature])]
        found += [(*split, left, right) for split in choices[feature] for left, right in product(below, below)]
    return tuple(sorted(found, key=splits))
