"""What a tree of a numeric target predicts: the mean of the counts of levels that were released for a leaf.

A level stands for the number at its middle. Counts below 0 count as 0, so the noise that is left has a mean above 0
and pulls the answer to the middle of the range, the more so with many levels or a small ε: few levels, 8 to 16, are
better. Where nothing is left, the leaf answers as the node above it does, whose counts are the sums of those below; and
where nothing is left of the whole tree, the answer is the middle of the public range. So the prediction always lies
between the first and the last middle. All of it is computed from what was released.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from fdpedu.cart import Node


def level_mean(weights: Sequence[float], middles: Sequence[float]) -> float | None:
    """Σ(weight·middle)/Σ weight, weights below 0 being 0; None if nothing is left.

    >>> level_mean([3, -2, 1], [5.0, 15.0, 25.0]), level_mean([0, -1], [5.0, 15.0])
    (10.0, None)
    """
    left = [max(float(weight), 0.0) for weight in weights]
    total = math.fsum(left)
    if not total:
        return None
    found = math.fsum(weight * middle for weight, middle in zip(left, middles, strict=True)) / total
    return min(max(found, middles[0]), middles[-1])  # rounding may leave the range by one unit in the last place


def leaf_means(root: Node, middles: Sequence[float]) -> list[float]:
    """The answer of each leaf, from left to right.

    >>> from fdpedu.cart import CodeSplit
    >>> root = Node((3, 1), CodeSplit(0, frozenset({0})), Node((3, 1)), Node((0, 0), estimate=(-2.0, -1.0)))
    >>> leaf_means(root, [10.0, 30.0])
    [15.0, 15.0]
    """
    return list(_means(root, middles, (middles[0] + middles[-1]) / 2))


def _means(node: Node, middles: Sequence[float], above: float) -> Iterator[float]:
    own = level_mean(node.counts if node.estimate is None else node.estimate, middles)
    here = above if own is None else own
    if node.left and node.right:
        yield from _means(node.left, middles, here)
        yield from _means(node.right, middles, here)
    else:
        yield here
