"""Many classes: a score for each, probabilities by a public table, and what a row pulls, which is a vector.

With the scores s₁ … s_K a class has the probability e^{s_k}/Σe^{s_j}. The powers are looked up: E[j] is the integer
nearest to 2²⁰·e^{−j/64}, for how far a score lies below the highest one, in steps of 1/64. A row of class y *pulls*

    g = min(m/2, the integer nearest to m·(1 − p_y))

downwards at its own class, and the others share g among them in proportion to their probabilities, in whole numbers
that add up to it. So there is one clip for all classes together: a row's pull has the ℓ₁ norm 2g ≤ m, and the square
of its ℓ₂ norm is at most 2g² ≤ m²/2, however many classes there are.

"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain import Codes, Domain
from fdpedu.exact import Integers, exp_enclosure
from fdpedu.gradients.additive import MAX_TREES, MAX_WEIGHT, WeightedTrees, are_integers, are_weighted, sums_of
from fdpedu.gradients.packing import packed_trees, unpacked_trees
from fdpedu.gradients.table import PER_ONE, UNIT, as_steps
from fdpedu.secure_sum.binding import Canonical

MAX_SCORES = 32  # of a model
MAX_LEAF = 2**15 - 1  # a weight of a leaf: two bytes in a request, and scores up to 8
VECTORS = "vectors"  # with which such a model begins in a request
_WHOLE, _LOWEST = 2**20, 16 * PER_ONE
_ROWS = 2**14  # at once


@lru_cache(maxsize=1)
def powers() -> Integers:
    """E[j] for j = 0 … 1024: what a score that lies j/64 below the highest weighs. Not to be written to.

    Claims: lem-pull-vector

    >>> powers()[[0, 64, 1024]].tolist()  # 2²⁰, 2²⁰/e, and nothing
    [1048576, 385750, 0]
    """
    found = np.array([_nearest(Fraction(j, PER_ONE)) for j in range(_LOWEST + 1)], dtype=np.int64)
    found.flags.writeable = False
    return found


def _nearest(s: Fraction) -> int:
    """The integer nearest to 2²⁰·e^{−s}: for s > 0 it is irrational, so never half-way."""
    digits = 20
    while True:
        ends = exp_enclosure(-s, digits)
        # lem-pull-vector: rounded alike from both ends, or enclosed more closely
        low, high = (math.floor(_WHOLE * end + Fraction(1, 2)) for end in (ends.lower, ends.upper))
        if low == high:
            return low
        digits *= 2


def weights_of(scores: Integers) -> Integers:
    """What each class weighs at the scores of some rows, of shape (rows, classes): the highest one 2²⁰."""
    below = (scores.max(axis=1, keepdims=True) - scores + UNIT // PER_ONE // 2) // (UNIT // PER_ONE)
    return powers()[np.minimum(below, _LOWEST)]


def pull_vectors(scores: Integers, labels: NDArray[np.uint8], steps: int) -> Integers:
    """What each row pulls at each class: integers of shape (rows, classes), which add up to 0 in each row.

    Claims: lem-pull-vector

    Parameters
    ----------
    scores : of each row and class, in units of 1/4096
    labels : the class of each row
    steps : m, even

    Examples
    --------
    >>> pull_vectors(np.array([[0, 0, 0], [0, 4096, 8192]]), np.array([0, 0], dtype=np.uint8), 64).tolist()
    [[-32, 16, 16], [-32, 9, 23]]
    """
    m = as_steps(steps)
    found = np.empty(scores.shape, dtype=np.int64)
    for begin in range(0, len(scores), _ROWS):
        block = slice(begin, begin + _ROWS)
        found[block] = _pulled(weights_of(scores[block]), labels[block], m)
    return found


def _pulled(weights: Integers, labels: NDArray[np.uint8], m: int) -> Integers:
    """The pulls of rows whose classes weigh so much."""
    own, wrong = labels[:, None].astype(np.int64), weights.copy()
    np.put_along_axis(wrong, own, 0, axis=1)
    rest, whole = wrong.sum(axis=1, keepdims=True), weights.sum(axis=1, keepdims=True)
    # lem-pull-vector: one clip, for all classes of the row together
    pull = np.minimum(m // 2, (2 * m * rest + whole) // (2 * whole))
    found, over = np.divmod(pull * wrong, np.maximum(rest, 1))
    found += _largest(over, pull - found.sum(axis=1, keepdims=True))
    np.put_along_axis(found, own, -pull, axis=1)
    return found


def _largest(over: Integers, many: Integers) -> Integers:
    """1 where one of so many largest remainders of the row stands, of equal ones the first; else 0."""
    n = over.shape[1]
    keys = over * n + np.arange(n - 1, -1, -1, dtype=np.int64)
    least = np.take_along_axis(np.sort(keys, axis=1), np.minimum(n - many, n - 1), axis=1)
    return ((keys >= least) & (many > 0)).astype(np.int64)


def curvatures_of(scores: Integers) -> tuple[int, ...]:
    """For each class the mean of p(1 − p) over rows with these scores, and at least .32·(K − 1)/K²; in 1/4096.

    >>> curvatures_of(np.zeros((5, 4), dtype=np.int64))
    (768, 768, 768, 768)
    """
    weights = weights_of(scores)
    whole = weights.sum(axis=1, keepdims=True)
    p = (2 * UNIT * weights + whole) // (2 * whole)
    found, n, k = (p * (UNIT - p)).sum(axis=0), len(scores) * UNIT, scores.shape[1]
    least = (2 * 8 * UNIT * (k - 1) + 25 * k**2) // (2 * 25 * k**2)
    return tuple(max(least, (2 * int(one) + n) // (2 * n)) for one in found)


@dataclass(frozen=True)
class VectorModel:
    """Trees whose leaves have a weight for each class; a row has a score for each, and its class is the highest one.

    Parameters
    ----------
    trees : of each its questions, and for each leaf the weights of all classes, one leaf after the other, in units of
        1/4096: below 8
    intercepts : of each class, in the same units

    Examples
    --------
    >>> model = VectorModel(((((0, 0b0011),), (4096, 0, -4096, 0, 0, 8192)),), (0, 100, 0))
    >>> columns = np.array([[0, 3]], dtype=np.uint8)
    >>> model.scores(columns, np.arange(2)).tolist(), model.predict(columns, np.arange(2)).tolist()
    ([[4096, 100, -4096], [0, 100, 8192]], [0, 2])
    """

    trees: WeightedTrees
    intercepts: tuple[int, ...]

    @property
    def n_scores(self) -> int:
        """Of a row."""
        return len(self.intercepts)

    def to_wire(self) -> Canonical:
        """As it stands in a request."""
        return (VECTORS, packed_trees(self.trees, self.n_scores), self.intercepts)

    @classmethod
    def from_wire(cls, found: Any) -> VectorModel:
        """The model that was written so."""
        if type(found) is not tuple or len(found) != 3 or found[0] != VECTORS:
            raise ValueError("a model of vectors is written as its name, its trees and its intercepts")
        _, trees, intercepts = found
        if not _are_intercepts(intercepts) or type(trees) is not tuple:
            raise ValueError(f"a model of vectors must have 2 to {MAX_SCORES} intercepts, and packed trees")
        read = unpacked_trees(trees, len(intercepts))
        if not all(weights for _, weights in read):
            raise ValueError("each tree of a model must have weights for each leaf")
        return cls(read, intercepts)

    def check(self, domain: Domain) -> None:
        """Refuse what is no model of this domain, or has weights beyond the limits."""
        if not _are_intercepts(self.intercepts) or len(self.intercepts) != domain.n_classes:
            raise ValueError(
                f"intercepts must be integers of at most {MAX_WEIGHT}, one for each class of the domain, and there "
                f"may be at most {MAX_SCORES}"
            )
        trees: Any = self.trees
        if type(trees) is not tuple or len(trees) > MAX_TREES:
            raise ValueError(f"a model must have at most {MAX_TREES} trees")
        if not are_weighted(trees, domain, self.n_scores, MAX_LEAF):
            raise ValueError(
                f"each tree of a model must have questions of the domain, and for each leaf a weight of each class, an "
                f"integer of at most {MAX_LEAF}"
            )

    def scores(self, columns: Codes, rows: NDArray[np.intp]) -> Integers:
        """The scores of some rows in units of 1/4096, (rows, classes); ``columns`` are the codes of all, (p, n)."""
        return self.scores_of(sums_of(self.trees, columns, rows, self.n_scores))

    def scores_of(self, sums: Integers) -> Integers:
        """The scores, from what the trees' weights add up to."""
        return sums + np.array(self.intercepts, dtype=np.int64)

    def predict(self, columns: Codes, rows: NDArray[np.intp]) -> Integers:
        """The class of each row."""
        return self.chosen(self.scores(columns, rows))

    @staticmethod
    def chosen(scores: Integers) -> Integers:
        """The class of each row, from its scores: that of the highest one, of equal ones the first."""
        return scores.argmax(axis=1).astype(np.int64)


def _are_intercepts(found: Any) -> bool:
    alike = type(found) is tuple and 2 <= len(found) <= MAX_SCORES
    return alike and are_integers(list(found), -MAX_WEIGHT, MAX_WEIGHT)
