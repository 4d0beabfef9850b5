"""The leaves of a private tree with their places in the record domain."""

from __future__ import annotations

from fdpedu.cart import CodeSplit, Node
from fdpedu.domain import Domain, Region


def leaves_of(root: Node, domain: Domain) -> list[tuple[Node, Region, int]]:
    """Each leaf with its region and its level, in the order of :meth:`fdpedu.cart.Tree.leaves`."""
    found, pending = list[tuple[Node, Region, int]](), [(root, domain.everything, 0)]
    while pending:
        node, region, level = pending.pop()
        if isinstance(node.split, CodeSplit) and node.left and node.right:
            feature, codes = node.split.feature, node.split.left
            pending.append((node.right, region.restrict(feature, region.codes(feature) - codes), level + 1))
            pending.append((node.left, region.restrict(feature, codes), level + 1))
        else:
            found.append((node, region, level))
    return found
