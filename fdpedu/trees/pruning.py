"""Sibling leaves of one label become one leaf: a smaller tree with the same predictions, and it costs nothing.

Only what the tree already shows is looked at: the labels of its leaves. So pruning is post-processing. A merged leaf
has the sums of its sides' counts and estimates, and hence their label, ties included: where class c is the first
largest in both summands, it is the first largest in their sum. Class shares are those of the merged leaf, so
``predict_proba`` may change where ``predict`` does not.

Claims: lem-pruning-free
"""

from __future__ import annotations

from operator import add

from fdpedu.cart import Node
from fdpedu.exact import require_type


def pruned_node(root: Node) -> Node:
    """The tree below ``root`` whose sibling leaves of one label are merged, again and again from below.

    The label of every row stays the same. Nodes are merged only if the merged leaf has their label in floats, too.

    Claims: lem-pruning-free

    Examples
    --------
    >>> from fdpedu.cart import CodeSplit
    >>> below = Node((5, 3), CodeSplit(1, frozenset([0])), Node((3, 1)), Node((2, 2)))
    >>> pruned_node(Node((5, 7), CodeSplit(0, frozenset([0])), below, Node((0, 4)))).left
    Node(counts=(5, 3), split=None, left=None, right=None, estimate=None)
    """
    require_type(root, Node, "root")
    if root.left is None or root.right is None:
        return root
    left, right = pruned_node(root.left), pruned_node(root.right)
    if left.is_leaf and right.is_leaf and left.label == right.label:
        merged = _merged(left, right)
        if merged.label == left.label:
            return merged
    return Node(root.counts, root.split, left, right)


def _merged(left: Node, right: Node) -> Node:
    """One leaf with the counts and the estimates of both."""
    counts = tuple(map(add, left.counts, right.counts))
    if left.estimate is None and right.estimate is None:
        return Node(counts)
    finer = tuple(round(a + b, 3) + 0.0 for a, b in zip(_weights(left), _weights(right), strict=True))
    return Node(counts, estimate=None if finer == counts else finer)


def _weights(leaf: Node) -> tuple[float, ...]:
    return leaf.counts if leaf.estimate is None else leaf.estimate
