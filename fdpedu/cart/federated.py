"""The impurity of one split when the rows lie with several parties: the report's Algorithm 2, mended."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

CountsByParty = Sequence[tuple[int, int]]  # the negatives and positives that each party has on one side of a split


def federated_impurity(left: CountsByParty, right: CountsByParty) -> Fraction:
    """G(Q, θ) of the pooled node: *sum* the parties' integer counts, then divide. An empty side counts 0.

    The two sums over parties are what a private sum (Algorithm 1) delivers, and all it can: it adds integers.

    Claims: lem-pooled-counts

    Examples
    --------
    >>> federated_impurity(left=[(2, 1), (0, 0)], right=[(0, 1), (0, 4)])
    Fraction(1, 12)
    """
    impurity = Fraction(0)
    n = sum(a + b for a, b in [*left, *right])
    for parties in (left, right):
        n_side, positives = sum(a + b for a, b in parties), sum(b for _, b in parties)
        if n_side:
            p_hat = Fraction(positives, n_side)
            impurity += Fraction(n_side, n) * p_hat * (1 - p_hat)
    return impurity
