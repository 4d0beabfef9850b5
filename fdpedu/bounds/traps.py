"""Four ways to compute a local bound for which one record matters more: each is one plausible change of the lemma.

- With the field's Gini, 2p̂(1−p̂), everything doubles, and 5/4 is too small.
- With entropy there is no constant at all: one record in n may be worth as much as 1 + ln n.
- With a least number of rows on each side (the report's tree has one, of 10) the family of splits depends on the rows.
- So it does with "both sides non-empty", if a node without such a split is given 0 in place of its own impurity.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from fdpedu.bounds.local import local_bound
from fdpedu.cart import exact_scaled_half_gini
from fdpedu.cart.local import count_table
from fdpedu.exact import Enclosure, as_integer, log_enclosure


def bound_with_fields_gini(table: ArrayLike) -> Fraction:
    """The local bound for 2p̂(1−p̂), as most texts and scikit-learn have it: twice the report's.

    Claims: five-quarters-of-the-fields-gini

    >>> bound_with_fields_gini([[2, 1], [0, 0]]) - bound_with_fields_gini([[2, 0], [0, 0]])
    Fraction(4, 3)
    """
    return 2 * local_bound(table)


def bound_with_least_rows(table: ArrayLike, least: int, *, none: str = "node") -> Fraction:
    """min n·G over the borders with at least the least number of rows on each side; without any, the node's n·h, or 0.

    Claims: lem-least-rows, local-bound-with-least-rows, non-empty-sides-or-nothing

    Parameters
    ----------
    table : integers ≥ 0 of shape (bins, classes), as in :func:`fdpedu.bounds.local_bound`
    least : the fewest rows of a side, ≥ 1
    none : what counts where no border has that many rows on each side: ``node`` (its n·h) or ``zero``

    Examples
    --------
    >>> bound_with_least_rows([[10, 0], [0, 9]], 10), bound_with_least_rows([[10, 0], [0, 10]], 10)
    (Fraction(90, 19), Fraction(0, 1))
    """
    fewest = as_integer(least, "least", minimum=1)
    if none not in ("node", "zero"):
        raise ValueError("none must be 'node' or 'zero'")
    cells = count_table(table)
    left = np.cumsum(cells, axis=0)
    right = left[-1] - left
    allowed = (left.sum(axis=1) >= fewest) & (right.sum(axis=1) >= fewest)
    found = [
        exact_scaled_half_gini(a) + exact_scaled_half_gini(b)
        for a, b in zip(left[allowed].tolist(), right[allowed].tolist(), strict=True)
    ]
    node = exact_scaled_half_gini(left[-1].tolist())
    return min(found, default=node if none == "node" else Fraction(0))


def entropy_increment(n: int) -> Enclosure:
    """(n+1)·ln(n+1) − n·ln n: what a record of another class adds to n·H of n rows of one class.

    It is more than 1 + ln n.

    Claims: lem-entropy

    >>> float(entropy_increment(1)), float(entropy_increment(1000)) > 7.9
    (1.3862943611198908, True)
    """
    rows = as_integer(n, "n", minimum=1, maximum=10**9)
    return (rows + 1) * log_enclosure(Fraction(rows + 1)) - rows * log_enclosure(Fraction(rows))
