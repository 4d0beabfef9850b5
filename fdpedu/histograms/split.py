"""The report's Algorithm 2, mended, through the secure sum: what a split leaves, from the parties' class counts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from fdpedu.cart import exact_scaled_half_gini
from fdpedu.exact import as_integers
from fdpedu.secure_sum import Masks, private_sum, require_no_overflow

MAX_COUNT = 2**40  # of one party, so that no sum of parties is reduced


def summed_impurity(left: ArrayLike, right: ArrayLike, *, keys: Sequence[Masks] | None = None) -> Fraction:
    """G(Q, θ) of the pooled node: integer class counts through one private sum (Algorithm 1), then one division.

    No step divides by a count of one party, which may be 0, and nothing but integers is summed. An empty side counts 0.
    The pooled counts of both sides become known, without noise: no ε-DP. Against an aggregator that is honest but
    curious, and colluding parties, the counts of each other party stay hidden, as long as two others do not collude.

    Claims: lem-summed-split

    Parameters
    ----------
    left, right : counts of each class on the two sides, integers from 0 to 2**40, shape (K, C): one row a party
    keys : what ``fdpedu.secure_sum.pairwise_keys`` gives, for one sum only; fresh ones when left out

    Examples
    --------
    >>> summed_impurity(left=[[2, 1], [0, 0]], right=[[0, 1], [0, 4]])
    Fraction(1, 12)
    >>> summed_impurity(left=[[2, 0, 0], [1, 1, 0]], right=[[0, 0, 3], [0, 0, 1]])
    Fraction(3, 32)
    """
    sides = [_counts(left, "left"), _counts(right, "right")]
    if sides[0].shape != sides[1].shape:
        raise ValueError(f"left and right must have one shape, got {sides[0].shape} and {sides[1].shape}")
    # lem-no-overflow: both sums must lie in the centred range, or they would come out wrong
    require_no_overflow(MAX_COUNT, len(sides[0]))
    one, other = np.split(private_sum(np.hstack(sides), keys=keys), 2)
    impurity = exact_scaled_half_gini(one.tolist()) + exact_scaled_half_gini(other.tolist())
    return impurity / max(1, int(one.sum() + other.sum()))


def _counts(side: ArrayLike, name: str) -> np.ndarray:
    counts = as_integers(side, name)
    if counts.ndim != 2 or not counts.size or counts.min() < 0 or counts.max() > MAX_COUNT:
        raise ValueError(f"{name} must be counts from 0 to 2**40 of shape (parties, classes), got {counts.shape}")
    return counts
