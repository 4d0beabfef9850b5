"""What a party does with a structure on its own rows: it chooses thresholds as CART does, node by node, and labels.

A node whose rows are all alike in its feature, or in what is predicted, is not split: it becomes a leaf, and what the
structure has below it is left out. A leaf says the class of most rows, of equals the first, or the mean of the numbers.

A party fits many structures that begin in the same way. So a :class:`Cell` keeps what it has found, its label, its
errors and the split of each feature, and structures share their common nodes.

Not guaranteed: any privacy. A tree holds its party's values; in FedGA-Tree it stays at home, and what travels is its
structure and its score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fdpedu.cart.structures import Structure
from fdpedu.cart.tree import class_array
from fdpedu.domain import Categorical, Domain
from fdpedu.exact import occurrences
from fdpedu.printable import thresholds_by_feature
from fdpedu.sources.fedga.rows import Rows
from fdpedu.sources.fedga.scoring import Errors
from fdpedu.sources.fedga.splits import best_thresholds, first_of_least
from fdpedu.sources.raw_rows import Floats, read_values

Index = NDArray[np.intp]


class Split(NamedTuple):
    """A threshold of a feature, and the cells of the rows up to it and above it."""

    threshold: float
    left: Cell
    right: Cell


class Cell:
    """The rows that reach a node: by some the tree is grown, on others, or on the same, it is scored."""

    def __init__(self, grown: Rows, scored: Rows, here: Index, there: Index) -> None:
        self.grown, self.scored, self.here, self.there = grown, scored, here, there
        self.targets = grown.targets[here]
        self.n_classes = grown.domain.n_classes if grown.task == "classification" else 0
        self._splits: dict[int, Split | None] = {}

    @classmethod
    def of(cls, grown: Rows, scored: Rows | None = None) -> Cell:
        """The cell of all rows; scored on the rows by which it is grown, unless others are given."""
        other = grown if scored is None else scored
        return cls(grown, other, np.arange(len(grown), dtype=np.int64), np.arange(len(other), dtype=np.int64))

    @cached_property
    def label(self) -> float:
        """The class of most rows, of equals the first, as its position; or the mean."""
        if self.n_classes:
            return float(occurrences(self.targets, self.n_classes).argmax())
        return float(self.targets.mean())

    @cached_property
    def pure(self) -> bool:
        """Whether there is nothing left to tell apart."""
        return bool((self.targets == self.targets[0]).all())

    @cached_property
    def errors(self) -> Errors:
        """How well the label fits the rows that are scored."""
        return Errors.of_leaf(self.scored.targets[self.there], self.label, self.n_classes)

    def split(self, feature: int) -> Split | None:
        """By the best threshold of a feature; None if the rows are pure, or alike in it."""
        if feature not in self._splits:
            self._splits[feature] = self._found(feature)
        return self._splits[feature]

    def best(self) -> int | None:
        """The feature by which CART splits, of equals the first; None if there is none."""
        if self.pure:
            return None
        losses = best_thresholds(self.grown.values[self.here], self.targets, self.n_classes).losses
        return first_of_least(losses, self.targets, self.n_classes)

    def _found(self, feature: int) -> Split | None:
        if self.pure:
            return None
        column = self.grown.values[self.here, feature]
        threshold = float(best_thresholds(column[:, None], self.targets, self.n_classes).thresholds[0])
        if np.isnan(threshold):
            return None
        low, scored_low = column <= threshold, self.scored.values[self.there, feature] <= threshold
        return Split(threshold, *(self._part(a, b) for a, b in ((low, scored_low), (~low, ~scored_low))))

    def _part(self, which: NDArray[np.bool_], scored: NDArray[np.bool_]) -> Cell:
        return Cell(self.grown, self.scored, self.here[which], self.there[scored])


class LocalNode(NamedTuple):
    """A node of a tree: a question, with the places of its sides in the list of nodes; or a leaf.

    Parameters
    ----------
    depth : 0 of the root
    feature, threshold : rows up to the threshold go left; None of a leaf
    sides : the places of the left and the right side
    label : of a leaf, the position of a class or a number; of an inner node what it would say as a leaf
    n_rows : of the party
    """

    depth: int
    feature: int | None
    threshold: float | None
    sides: tuple[int, int] | tuple[()]
    label: float
    n_rows: int


@dataclass(frozen=True, repr=False)
class LocalTree:
    """A tree of one party's rows.

    Parameters
    ----------
    nodes : each before its sides, the root first
    domain, task : what is public
    """

    nodes: tuple[LocalNode, ...]
    domain: Domain
    task: str

    @property
    def structure(self) -> Structure:
        """What remains without thresholds and labels."""
        return self._structure(0)

    def _structure(self, at: int) -> Structure:
        node = self.nodes[at]
        return Structure(node.feature, *map(self._structure, node.sides))

    @property
    def depth(self) -> int:
        return max(node.depth for node in self.nodes)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row, or a number; shape (n,)."""
        found = self.labels_of(read_values(X, self.domain, "X"))
        return class_array(self.domain.classes)[found.astype(np.intp)] if self.task == "classification" else found

    def labels_of(self, values: Floats) -> Floats:
        """Positions of classes, or numbers, for numbers and positions of categories, shape (n, p)."""
        found = np.empty(len(values))
        pending = [(0, np.arange(len(values), dtype=np.int64))]
        while pending:
            at, rows = pending.pop()
            node = self.nodes[at]
            if node.feature is None:
                found[rows] = node.label
                continue
            low = values[rows, node.feature] <= node.threshold
            pending += [(side, rows[part]) for side, part in zip(node.sides, (low, ~low), strict=True)]
        return found

    def to_text(self) -> str:
        """The tree as indented text."""
        return "\n".join(self._lines(0))

    def _lines(self, at: int) -> Iterator[str]:
        node = self.nodes[at]
        if node.feature is None:
            yield self._said(node.label)
            return
        for i, side in enumerate(node.sides):
            lines = list(self._lines(side))
            if self.nodes[side].feature is None:
                yield f"{self._test(node, i)}: {lines[0]}"
            else:
                yield self._test(node, i)
                yield from (f"|   {line}" for line in lines)

    def _said(self, label: float) -> str:
        return f"class {self.domain.classes[int(label)]}" if self.task == "classification" else f"{label:.6g}"

    def _test(self, node: LocalNode, side: int) -> str:
        assert node.feature is not None and node.threshold is not None
        feature = self.domain.features[node.feature]
        if isinstance(feature, Categorical):
            return feature.in_words([c for c in range(feature.n_codes) if (c > node.threshold) == bool(side)], "in")
        return f"{feature.name} {'>' if side else '≤'} {self._threshold_texts[node.feature][node.threshold]}"

    @cached_property
    def _threshold_texts(self) -> Mapping[int, Mapping[float, str]]:
        """Of each feature its thresholds in the tree, in as many digits as tell them apart."""
        return thresholds_by_feature((node.feature, node.threshold) for node in self.nodes)

    def __repr__(self) -> str:
        return f"LocalTree({self.task}, {len(self.nodes)} nodes; not private: it is an exact function of the rows)"

    def __str__(self) -> str:
        return self.to_text()


def fit_cell(root: Cell, structure: Structure) -> LocalTree:
    """The tree of a cell's rows with a structure, or with what remains of it where rows cannot be split."""
    nodes = list[LocalNode]()
    _write(root, structure, 0, nodes)
    return LocalTree(tuple(nodes), root.grown.domain, root.grown.task)


def _write(cell: Cell, structure: Structure, depth: int, nodes: list[LocalNode]) -> int:
    at = len(nodes)
    split = None if structure.feature is None else cell.split(structure.feature)
    nodes.append(LocalNode(depth, None, None, (), cell.label, len(cell.here)))
    if split is not None:
        left, right = (
            _write(side, below, depth + 1, nodes)
            for side, below in zip((split.left, split.right), structure.sides, strict=True)
        )
        nodes[at] = nodes[at]._replace(feature=structure.feature, threshold=split.threshold, sides=(left, right))
    return at


def errors_at(cell: Cell, structure: Structure) -> Errors:
    """How well the tree with a structure does on the rows that are scored."""
    split = None if structure.feature is None else cell.split(structure.feature)
    if split is None:
        return cell.errors
    left, right = structure.sides
    return errors_at(split.left, left) + errors_at(split.right, right)


def grown_structure(cell: Cell, max_depth: int) -> Structure:
    """The structure of CART: at each node the best feature, down to a depth."""
    feature = cell.best() if max_depth else None
    split = None if feature is None else cell.split(feature)
    if split is None:
        return Structure()
    return Structure(feature, *(grown_structure(side, max_depth - 1) for side in (split.left, split.right)))


def errors_by_depth(cell: Cell, max_depth: int) -> list[Errors]:
    """How well CART does on the rows that are scored if it stops at depth 0, 1, …, ``max_depth``."""
    own = [cell.errors] * (max_depth + 1)
    feature = cell.best() if max_depth else None
    split = None if feature is None else cell.split(feature)
    if split is None:
        return own
    sides = (errors_by_depth(side, max_depth - 1) for side in (split.left, split.right))
    return [own[0], *(a + b for a, b in zip(*sides, strict=True))]
