"""Whole counts that add up: estimates of totals become integers ≥ 0, from the root down.

The root's estimate goes to the nearest integer ≥ 0. The children of a node share out its integer: their estimates are
moved to the nearest point (Euclidean) whose coordinates are at least 0 and add up to it, all coordinates are rounded
down, and what is then lacking, which is less than one for each child, goes to the largest remainders. Rounding each
node for itself would lose the sums again.

All of it is post-processing, each class for itself. It is not linear, and it is not unbiased: where there is nothing,
noise can only add.

Claims: lem-rounding-with-sums
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.exact import unmasked
from fdpedu.exact.integers import has_truth_values
from fdpedu.histograms.parents import as_parents, children_of

_MAX_VALUE = 2**62


def round_with_sums(parents: ArrayLike, estimates: ArrayLike | Sequence[Any]) -> NDArray[np.int64]:
    """Integers ≥ 0, each inner node's being the sum of its children's, near the estimates.

    Claims: lem-rounding-with-sums

    Parameters
    ----------
    parents : for each node the index of its parent, which comes before it; −1 for the root, which is node 0
    estimates : numbers or fractions within ±2**62, shape (nodes,) or (nodes, classes)

    Returns
    -------
    Integers of the same shape. A node's is less than 1 from what the projection onto its parent's integer gives it;
    estimates that are integers ≥ 0 and add up are kept.

    Examples
    --------
    >>> round_with_sums([-1, 0, 0], [[6.5, 1.2], [4.9, -0.3], [1.6, 1.5]]).tolist()
    [[7, 1], [5, 0], [2, 1]]
    """
    above = as_parents(parents)
    columns, shape = _read(estimates, len(above))
    families = [(node, below) for node, below in enumerate(children_of(above)) if below]
    whole = np.zeros((len(above), len(columns)), dtype=np.int64)
    for c, wishes in enumerate(columns):
        found = {0: max(0, math.floor(wishes[0] + Fraction(1, 2)))}
        for node, below in families:
            shares = share_out([wishes[child] for child in below], found[node])
            found.update((child, shares[i]) for i, child in enumerate(below))
        whole[:, c] = [found[node] for node in range(len(above))]
    return whole.reshape(shape)


def share_out(wishes: Sequence[Fraction], total: int) -> list[int]:
    """Integers ≥ 0 of the given sum: the projection of the wishes, rounded by largest remainders, ties to the first.

    >>> share_out([Fraction(5, 2), Fraction(5, 2), Fraction(-3)], 5)
    [3, 2, 0]
    """
    if len(wishes) == 2:  # the same in one step: ⌊x + ½⌋ for the first one's share x of the projection
        first = min(total, max(0, (total + 1 + wishes[0] - wishes[1]) // 2))
        return [first, total - first]
    # lem-rounding-with-sums: less than 1 a child is lacking then
    exact = project(wishes, total)
    shares = [math.floor(share) for share in exact]
    # lem-rounding-with-sums: the sort is stable, for equal remainders
    by_remainder = sorted(range(len(exact)), key=lambda i: shares[i] - exact[i])
    for i in by_remainder[: total - sum(shares)]:
        shares[i] += 1
    return shares


def project(wishes: Sequence[Fraction], total: int) -> list[Fraction]:
    """The nearest point, in the Euclidean distance, whose coordinates are at least 0 and add up to ``total``.

    Every coordinate gives up the same amount, except those that would fall below 0, which become 0. The amount is the
    largest of the means by which the k largest wishes together exceed the total, k = 1, 2, ….

    >>> [str(share) for share in project([Fraction(3), Fraction(1), Fraction(-4)], 3)]
    ['5/2', '1/2', '0']
    """
    sums = accumulate(sorted(wishes, reverse=True))
    amount = max((of_largest - total) / count for count, of_largest in enumerate(sums, 1))
    return [max(Fraction(0), wish - amount) for wish in wishes]


def _read(estimates: ArrayLike | Sequence[Any], nodes: int) -> tuple[list[list[Fraction]], tuple[int, ...]]:
    """For each class the estimates of all nodes, exactly; and the shape in which they came."""
    table = unmasked(estimates, "estimates")
    if table.ndim not in (1, 2) or len(table) != nodes or table.dtype.kind not in ("i", "u", "f", "O"):
        raise ValueError(f"estimates must be numbers of shape ({nodes},) or ({nodes}, classes), got {table.shape}")
    if has_truth_values(estimates):  # NumPy has made numbers of them
        raise ValueError("estimates must be numbers within ±2**62")
    columns = [[_exactly(number) for number in column] for column in np.atleast_2d(table.T).tolist()]
    return columns, table.shape


def _exactly(number: Any) -> Fraction:
    whole = isinstance(number, (int, np.integer)) and not isinstance(number, bool)
    if (whole or isinstance(number, (float, Fraction))) and -_MAX_VALUE <= number <= _MAX_VALUE:
        return Fraction(int(number)) if whole else Fraction(number)
    raise ValueError("estimates must be numbers within ±2**62")
