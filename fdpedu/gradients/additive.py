"""Models that add up what many small trees say, as they stand in a request: public integers.

A tree asks each of its questions of every row, so a tree of k questions has 2^k leaves. A question is a feature and the
set of codes that go left. The leaf's number in binary says how the row answered: 0 for left, the first question first.

Claims: lem-one-leaf-a-tree
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import lt
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain import Codes, Domain
from fdpedu.domain.features import MAX_CODES
from fdpedu.exact import Integers, as_indices
from fdpedu.gradients.packing import MAX_QUESTIONS as MAX_QUESTIONS
from fdpedu.gradients.packing import Question as Question
from fdpedu.gradients.packing import Questions as Questions
from fdpedu.gradients.packing import Tree, packed_trees, unpacked_trees
from fdpedu.secure_sum.binding import Canonical

WeightedTrees = tuple[Tree, ...]
MAX_TREES = 4096  # of a model
MAX_WEIGHT = 2**20  # of a leaf or an intercept: scores up to 256
MODEL_NAMES = ("packed", "additive")  # with which it begins, as bytes or number by number
MAX_ENDS = 8  # of a set that rows are compared with
SIXTEENTHS, MAX_SCALE = 16, 64  # the scale of a model that is not enlarged; and fourfold, the most


@dataclass(frozen=True)
class TreeShapes:
    """Some trees without weights: all have the same number of questions, so that their leaves make a table.

    Parameters
    ----------
    trees : of each its questions, from 1 to 6
    packed : whether they are written as bytes; those of older files were written number by number

    Examples
    --------
    >>> shapes = TreeShapes((((0, 0b0011), (1, 0b01)), ((1, 0b10), (1, 0b10))))
    >>> shapes.leaves(np.array([[0, 3], [1, 0]], dtype=np.uint8), np.arange(2)).tolist()  # a row a column
    [[1, 2], [0, 3]]
    """

    trees: tuple[Questions, ...]
    packed: bool = field(default=True, repr=False)

    def __len__(self) -> int:
        return len(self.trees)

    @property
    def n_leaves(self) -> int:
        """Of each tree."""
        return 1 << len(self.trees[0])

    def to_wire(self) -> Canonical:
        """As they stand in a request."""
        return ("packed", *packed_trees([(tree, ()) for tree in self.trees])) if self.packed else self.trees

    @classmethod
    def from_wire(cls, found: Any) -> TreeShapes:
        """The trees that were written so, in either way."""
        if type(found) is not tuple or found[:1] != ("packed",):
            return cls(found, packed=False)
        trees = unpacked_trees(found[1:])
        if any(weights for _, weights in trees):
            raise ValueError("trees must be TreeShapes, and these have weights")
        return cls(tuple(questions for questions, _ in trees))

    def check(self, domain: Domain) -> None:
        """Refuse what are no trees of this domain."""
        trees: Any = self.trees
        if type(trees) is not tuple or not 1 <= len(trees) <= MAX_TREES or not all(type(t) is tuple for t in trees):
            raise ValueError(f"trees must be a tuple of 1 to {MAX_TREES} trees, each a tuple of questions")
        if not 1 <= len(trees[0]) <= MAX_QUESTIONS or len({len(t) for t in trees}) > 1:
            raise ValueError(f"each tree must have the same number of questions, 1 to {MAX_QUESTIONS}")
        if not are_questions([one for t in trees for one in t], domain):
            raise ValueError("each question must be a feature of the domain and a mask of its codes")

    def leaves(self, columns: Codes, rows: NDArray[np.intp]) -> NDArray[np.uint8]:
        """The number of each row's leaf in each tree, shape (trees, rows); ``columns`` are all codes, (p, n)."""
        found = np.zeros((len(self.trees), len(rows)), dtype=np.uint8)
        every = len(rows) == columns.shape[1]  # rows are distinct and ascending
        for leaf, tree in zip(found, self.trees, strict=True):
            for feature, mask in tree:
                leaf += leaf
                leaf |= answers(mask, columns[feature] if every else columns[feature].take(as_indices(rows)))
        return found


def are_questions(found: list[Any], domain: Domain) -> bool:
    """Whether each asks for a set of codes of a feature of the domain; thousands of them at once."""
    if not all(type(one) is tuple and len(one) == 2 for one in found):
        return False
    features, masks = [feature for feature, _ in found], [mask for _, mask in found]
    if not are_integers(features, 0, domain.n_features - 1) or not are_integers(masks, 0, 1 << MAX_CODES):
        return False
    ends = [1 << feature.n_codes for feature in domain.features]
    return all(map(lt, masks, map(ends.__getitem__, features)))


def are_integers(found: list[Any], least: int, most: int) -> bool:
    """Whether all are integers, and nothing that only equals one, from the least to the most."""
    return set(map(type, found)) <= {int} and (not found or least <= min(found) <= max(found) <= most)


def goes_right(mask: int) -> NDArray[np.uint8]:
    """For each code 0 if it is in the mask, else 1."""
    bits = np.frombuffer(mask.to_bytes(MAX_CODES // 8, "little"), dtype=np.uint8)
    found: NDArray[np.uint8] = 1 - np.unpackbits(bits, bitorder="little")
    return found


def leaf_of_codes(questions: Questions, n_codes: int) -> NDArray[np.intp]:
    """The leaf of each code of the one feature that these questions are about.

    >>> leaf_of_codes(((0, 0b0011), (0, 0b0101)), 4).tolist()
    [0, 1, 2, 3]
    """
    found = np.zeros(n_codes, dtype=np.intp)
    for _, left in questions:
        found = 2 * found + goes_right(left)[:n_codes]
    return found


def questions_of(feature: int, leaves: Sequence[int], n_questions: int) -> Questions:
    """The questions about one feature by which each code is in its leaf.

    >>> questions_of(0, [0, 1, 2, 3], 2)
    ((0, 3), (0, 5))
    """
    digits = [1 << n_questions - 1 - i for i in range(n_questions)]  # the first question asks for the highest
    return tuple((feature, sum(1 << code for code, leaf in enumerate(leaves) if not leaf & d)) for d in digits)


def answers(mask: int, column: Codes) -> NDArray[np.uint8]:
    """Of each code 0 if it is in the mask, else 1: by comparisons where a set begins and ends a few times only."""
    ends = mask ^ mask << 1  # where a code is in the set and the one before is not, or the other way round
    if ends.bit_count() > MAX_ENDS:
        return np.frombuffer(column.tobytes().translate(goes_right(mask).tobytes()), dtype=np.uint8)
    found = np.full(column.shape, not mask & 1)
    for at in range(1, min(ends.bit_length(), MAX_CODES)):
        if ends >> at & 1:
            found ^= column >= at
    return found.view(np.uint8)


def packed(leaves: NDArray[np.uint8], n_leaves: int) -> Iterator[tuple[slice, NDArray[np.uint16]]]:
    """Leaves of as many trees at once as fit into 12 bits, and which trees these are; the first has the first digit."""
    at_once = 12 // (n_leaves.bit_length() - 1)
    for begin in range(0, len(leaves), at_once):
        which = slice(begin, min(begin + at_once, len(leaves)))
        code = leaves[begin].astype(np.uint16)
        for leaf in leaves[which][1:]:
            code *= n_leaves
            code += leaf
        yield which, code


@dataclass(frozen=True)
class AdditiveModel:
    """Trees with the weights of their leaves; a row's score is what its leaves add up to, enlarged, and the intercept.

    Parameters
    ----------
    trees : of each its questions, and 2^k weights in units of 1/4096
    intercept : in the same units
    scale : by how many sixteenths the sum of the weights is multiplied, rounded down, before the intercept is added
    packed : whether it is written as bytes; those of older files were written number by number

    Examples
    --------
    >>> model = AdditiveModel(((((0, 0b0011),), (-4096, 2048)),), intercept=100, scale=32)
    >>> columns = np.array([[0, 3]], dtype=np.uint8)
    >>> model.scores(columns, np.arange(2)).tolist(), model.predict(columns, np.arange(2)).tolist()
    ([-8092, 4196], [0, 1])
    """

    trees: WeightedTrees = ()
    intercept: int = 0
    scale: int = SIXTEENTHS
    packed: bool = field(default=True, repr=False)
    n_scores: ClassVar[int] = 1  # of a row

    def to_wire(self) -> Canonical:
        """As it stands in a request."""
        name, trees = ("packed", packed_trees(self.trees)) if self.packed else ("additive", self.trees)
        return (name, trees, self.intercept, self.scale)

    @classmethod
    def from_wire(cls, found: Any) -> AdditiveModel:
        """The model that was written so, in either way."""
        if type(found) is not tuple or len(found) != 4 or found[0] not in MODEL_NAMES:
            raise ValueError("an additive model is written as its name, its trees, its intercept and its scale")
        name, trees, intercept, scale = found
        if name == "additive":
            return cls(trees, intercept, scale, packed=False)
        if type(trees) is not tuple:
            raise ValueError("packed trees are blocks of bytes")
        read = unpacked_trees(trees)
        if not all(weights for _, weights in read):
            raise ValueError("each tree of a model must have a weight for each leaf")
        return cls(read, intercept, scale)

    def plain(self) -> AdditiveModel:
        """The same model, to be written as in older files."""
        return replace(self, packed=False)

    def check(self, domain: Domain) -> None:
        """Refuse what is no model of this domain, or has weights beyond the limits."""
        trees: Any = self.trees
        if type(trees) is not tuple or len(trees) > MAX_TREES:
            raise ValueError(f"a model must have at most {MAX_TREES} trees")
        if not are_weighted(trees, domain):
            raise ValueError(
                f"each tree of a model must have 1 to {MAX_QUESTIONS} questions of the domain, and a weight for each "
                f"leaf, an integer of at most {MAX_WEIGHT}"
            )
        if not are_integers([self.intercept], -MAX_WEIGHT, MAX_WEIGHT):
            raise ValueError(f"intercept must be an integer of at most {MAX_WEIGHT} in its absolute value")
        if type(self.scale) is not int or not SIXTEENTHS <= self.scale <= MAX_SCALE:
            raise ValueError(f"scale must be an integer from {SIXTEENTHS} to {MAX_SCALE}")

    def scores(self, columns: Codes, rows: NDArray[np.intp]) -> Integers:
        """The scores of the given rows, in units of 1/4096; ``columns`` are the codes of all records, shape (p, n)."""
        return self.scores_of(sums_of(self.trees, columns, rows))

    def scores_of(self, sums: Integers) -> Integers:
        """The scores, from what the trees' weights add up to."""
        return sums * self.scale // SIXTEENTHS + self.intercept

    def predict(self, columns: Codes, rows: NDArray[np.intp]) -> Integers:
        """The class of each row."""
        return self.chosen(self.scores(columns, rows))

    @staticmethod
    def chosen(scores: Integers) -> Integers:
        """The class of each row, from its scores: the second if it is above 0."""
        return (scores > 0).astype(np.int64)


def are_weighted(trees: Any, domain: Domain, n_scores: int = 1, most: int = MAX_WEIGHT) -> bool:
    """Whether each is a tuple of questions of the domain and of so many weights for each leaf, none beyond the most."""
    if not all(type(tree) is tuple and len(tree) == 2 and type(tree[0]) is type(tree[1]) is tuple for tree in trees):
        return False
    sizes = [(len(asked), len(weights)) for asked, weights in trees]
    if not all(1 <= k <= MAX_QUESTIONS and n == n_scores << k for k, n in sizes):
        return False
    asked, weights = ([one for tree in trees for one in tree[part]] for part in (0, 1))
    return are_questions(asked, domain) and are_integers(weights, -most, most)


def no_sums(n_rows: int, n_scores: int) -> Integers:
    """What no trees add up to: 0 for each row, and of several scores for each."""
    return np.zeros(n_rows if n_scores == 1 else (n_rows, n_scores), dtype=np.int64)


def sums_of(trees: WeightedTrees, columns: Codes, rows: NDArray[np.intp], n_scores: int = 1) -> Integers:
    """What the weights of some trees add up to for each of the rows."""
    found = no_sums(len(rows), n_scores)
    for k in sorted({len(questions) for questions, _ in trees}):
        alike = [tree for tree in trees if len(tree[0]) == k]
        add_weights(found, TreeShapes(tuple(q for q, _ in alike)).leaves(columns, rows), [w for _, w in alike])
    return found


def add_weights(sums: Integers, leaves: NDArray[np.uint8], weights: Sequence[tuple[int, ...]]) -> None:
    """Add to each row's sum the weight of its leaf in each tree; of several scores to each sum the weight of it."""
    n_leaves = len(weights[0]) // (1 if sums.ndim == 1 else sums.shape[1])
    for which, code in packed(leaves, n_leaves):
        # a weight is at most 2^20, and at most twelve trees are packed
        parts = [np.array(each, dtype=np.int32).reshape(n_leaves, *sums.shape[1:]) for each in weights[which]]
        sums += reduce(_outer_sum, parts).take(as_indices(code), axis=0)


def _outer_sum(one: NDArray[np.int32], other: NDArray[np.int32]) -> NDArray[np.int32]:
    """Every row of the one plus every row of the other, the first ones first."""
    return (one[:, None] + other[None]).reshape(-1, *one.shape[1:])
