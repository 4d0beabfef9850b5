"""The tree itself: nodes with counts, prediction, and its forms as text, picture and plain data."""

from __future__ import annotations

import numbers
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.cart.split import Split, ThresholdSplit
from fdpedu.domain import Categorical, Domain
from fdpedu.domain.columns import as_cells, numbers_of, one_form
from fdpedu.domain.features import expected_number
from fdpedu.domain.tables import Columns, Named, as_table, by_position, width_of
from fdpedu.exact import as_integer, require_type
from fdpedu.exact.foreign import require_one_order
from fdpedu.printable import decimals_apart, escape, thresholds_by_feature


@dataclass(frozen=True)
class Node:
    """A node with its class counts; a leaf has no split.

    ``estimate`` is what a leaf predicts from, where its counts are the rounded form of something finer: of noisy counts
    that had to add up (:mod:`fdpedu.trees.counts`). It may be negative.
    """

    counts: tuple[int, ...]
    split: Split | None = None
    left: Node | None = None
    right: Node | None = None
    estimate: tuple[float, ...] | None = field(default=None, kw_only=True)

    @property
    def is_leaf(self) -> bool:
        return self.split is None

    @property
    def label(self) -> int:
        """The majority class; ties go to the first class."""
        return int(np.argmax(self._weights))

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Class shares, of what is left when negative numbers become 0; all equal when nothing is left."""
        clipped = np.maximum(np.array(self._weights, dtype=float), 0)
        total = clipped.sum()
        return clipped / total if total else np.full(len(clipped), 1 / len(clipped))

    @property
    def _weights(self) -> tuple[float, ...]:
        return self.counts if self.estimate is None else self.estimate


@dataclass(frozen=True, repr=False)
class Tree:
    """A classification tree. ``predict`` takes raw rows; NaN, unknown categories and wrong shapes are refused.

    Rows come in a table of any kind: a data frame or another table with names gives its columns by name. A tree grown
    on a grid has its :class:`Domain` and routes codes; one grown on raw values has none and compares values.

    Parameters
    ----------
    root : a node, which holds its children
    classes : the C labels, in the order of a node's counts
    feature_names : p names, in the order of the columns
    domain : of the grid, or None
    """

    root: Node
    classes: tuple[Any, ...]
    feature_names: tuple[str, ...]
    domain: Domain | None = None

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row, shape (n,)."""
        return class_array(self.classes)[self._predicted(X)]

    def _predicted(self, X: Any) -> NDArray[np.int64]:
        return np.array([leaf.label for leaf in self.leaves()], dtype=np.int64)[self.apply(X)]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class probabilities, shape (n, C): a function of the leaves, so as private as the tree itself."""
        return np.array([leaf.probabilities for leaf in self.leaves()])[self.apply(X)]

    def score(self, X: Any, y: ArrayLike) -> float:
        """The share of rows whose predicted label is the given one: exact, so for public rows, or for your own eyes.

        On private rows it is an exact function of them, which no ε covers: one row more makes another number.

        Parameters
        ----------
        X : rows, as in :meth:`predict`; at least one
        y : their labels, each of the type of the classes; of a tree with a domain, each of its classes
        """
        require_one_order(X, y, "y")
        predicted, labels = self._predicted(X), as_cells(y, "y")
        if len(predicted) != len(labels) or not len(labels):
            raise ValueError(f"X and y must have as many rows, at least 1; got {len(predicted)} and {len(labels)}")
        if self.domain:
            return float(np.mean(predicted == self.domain.encode_labels(labels, "y")))
        _check_types(labels.tolist(), self.classes)
        pairs = zip(predicted, one_form(labels), strict=True)
        return float(np.mean([self.classes[code] == label for code, label in pairs]))

    def apply(self, X: Any) -> NDArray[np.int64]:
        """For each row, the position of its leaf in :meth:`leaves`."""
        return self.route(self.domain.encode(X, "X") if self.domain else raw_rows(X, self.feature_names)[0])

    def route(self, columns: NDArray[Any]) -> NDArray[np.int64]:
        """The same for rows that were read: codes of the domain, or floats where there is none; shape (n, p)."""
        where = np.zeros(len(columns), dtype=np.int64)
        pending, leaves = [(self.root, np.arange(len(columns), dtype=np.int64))], 0
        while pending:
            node, rows = pending.pop()
            if node.split is None:
                where[rows] = leaves
                leaves += 1
                continue
            left = node.split.goes_left(columns[rows, node.split.feature])
            assert node.left and node.right
            pending += [(node.right, rows[~left]), (node.left, rows[left])]
        return where

    def nodes(self) -> Iterator[tuple[int, Node]]:
        """All nodes with their depth, in order of reading: a node, its left side, its right side."""
        pending = [(0, self.root)]
        while pending:
            depth, node = pending.pop()
            yield depth, node
            if node.left and node.right:
                pending += [(depth + 1, node.right), (depth + 1, node.left)]

    def leaves(self) -> list[Node]:
        return [node for _, node in self.nodes() if node.is_leaf]

    @property
    def depth(self) -> int:
        return max(depth for depth, _ in self.nodes())

    def describe_split(self, split: Split) -> str:
        """The test in words, e.g. ``worst radius ≤ 16.25``."""
        if isinstance(split, ThresholdSplit):
            texts = self._thresholds.get(split.feature, {})
            return f"{self.feature_names[split.feature]} ≤ {texts.get(split.threshold, f'{split.threshold:.6g}')}"
        assert self.domain is not None
        return self.domain.features[split.feature].describe_split(split.left)

    @cached_property
    def _thresholds(self) -> Mapping[int, Mapping[float, str]]:
        """In a tree without a domain: of each feature its thresholds, in as many digits as tell them apart."""
        splits = (node.split for _, node in self.nodes() if isinstance(node.split, ThresholdSplit))
        return thresholds_by_feature((split.feature, split.threshold) for split in splits)

    def to_dict(self, node: Node | None = None) -> dict[str, Any]:
        """The tree as plain data (the form that ``viz.draw_tree`` takes)."""
        at = node or self.root
        if at.split is None:
            probabilities = [float(p) for p in at.probabilities]  # rounded ones need not add up to 1
            return {"label": str(self.classes[at.label]), "probabilities": probabilities, "counts": list(at.counts)}
        assert at.left and at.right
        return {
            "test": self.describe_split(at.split),
            "feature": self.feature_names[at.split.feature],
            "counts": list(at.counts),
            "left": self.to_dict(at.left),
            "right": self.to_dict(at.right),
        }

    @property
    def _shown_classes(self) -> list[str]:
        """The names of the classes, as drawings and texts have them."""
        return [str(c) for c in self.classes]

    def to_text(self) -> str:
        """The tree as aligned text."""
        from fdpedu.viz import tree_as_text

        return tree_as_text(self.to_dict(), self._shown_classes)

    def to_sklearn_text(self, *, decimals: int | None = None, show_weights: bool = False) -> str:
        """The tree as ``sklearn.tree.export_text`` writes it; a tree that is deeper than ten is not cut off.

        Parameters
        ----------
        decimals : of thresholds and counts, 0 to 17; if None 2, and of a feature's thresholds as many as tell its edges
            apart
        show_weights : whether leaves show their class counts
        """
        from fdpedu.viz import tree_as_rules

        places = None if decimals is None else as_integer(decimals, "decimals", minimum=0, maximum=17)
        require_type(show_weights, bool, "show_weights")
        rules = self._with_rules(self.to_dict(), self.root, places)
        of_leaves = self._decimals_of_leaves if places is None else places
        return tree_as_rules(rules, self._shown_classes, decimals=of_leaves, show_weights=show_weights)

    @property
    def _decimals_of_leaves(self) -> int:
        return 2

    def _with_rules(self, shown: dict[str, Any], node: Node, decimals: int | None) -> dict[str, Any]:
        """The plain data of a node, with the tests of both sides as scikit-learn writes them."""
        if not (node.split and node.left and node.right):
            return shown
        yes, no = self._tests(node.split, decimals)
        sides = {"left": node.left, "right": node.right}
        below = {side: self._with_rules(shown[side], under, decimals) for side, under in sides.items()}
        return {**shown, "test": yes, "otherwise": no, **below}

    def _tests(self, split: Split, decimals: int | None) -> tuple[str, str]:
        name, missing = self.feature_names[split.feature], (False, False)
        if isinstance(split, ThresholdSplit):
            threshold, edges = split.threshold, tuple(self._thresholds.get(split.feature, ()))
        else:
            assert self.domain is not None
            feature = self.domain.features[split.feature]
            if isinstance(feature, Categorical):
                return feature.in_words(split.left, "in"), feature.in_words(split.left, "not in")
            last, or_missing = feature.last_bin(split.left)
            if last is None:
                return f"{name} missing", f"{name} not missing"
            if feature.missing and last == feature.n_bins - 1:
                return f"{name} not missing", f"{name} missing"
            threshold, edges = feature.edges[last + 1], feature.edges
            missing = (or_missing, feature.missing and not or_missing)
        places = decimals_apart(edges) if decimals is None else decimals
        tests = (f"{name} <= {threshold:.{places}f}", f"{name} >  {threshold:.{places}f}")
        yes, no = (test + " or missing" * there for test, there in zip(tests, missing, strict=True))
        return yes, no

    def to_graphviz(self) -> str:
        """The tree in the DOT language, which Graphviz draws (``dot -Tsvg``)."""
        from fdpedu.viz import tree_as_dot

        return tree_as_dot(self.to_dict(), self._shown_classes)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        answers = "classes" if self.domain is None or self.domain.target is None else "levels"
        return f"{type(self).__name__}(depth {self.depth}, {len(self.leaves())} leaves, {len(self.classes)} {answers})"

    def _repr_html_(self) -> str:
        """A drawing; of a tree that is too deep for one, or has too many classes, the text."""
        from fdpedu.viz import draw_tree
        from fdpedu.viz.tree_nodes import MAX_CLASSES, MAX_DEPTH

        if self.depth > MAX_DEPTH or len(self._shown_classes) > MAX_CLASSES:
            return f'<pre tabindex="0">{escape(self.to_text())}</pre>'
        return draw_tree(self.to_dict(), self._shown_classes, title="Decision tree")


def raw_rows(X: Any, names: Sequence[str] | None) -> tuple[NDArray[np.float64], tuple[str, ...] | None]:
    """The rows as floats, shape (n, p), and the names of the columns, if there are any.

    Parameters
    ----------
    X : a table of numbers, of any kind
    names : the columns to take; None for all of them
    """
    table = as_table(X, "X")
    if isinstance(table, Named):
        found = tuple(name for name in (table.names if names is None else names) if name is not None)
        if not found or (names is None and None in table.names):
            raise ValueError("X must have columns with text as names; rename them, or give an array")
        return _floats(table.select(found, "X"), found), found
    width = len(names) if names is not None else width_of(table)
    if not width:
        raise ValueError("X must be a table of numbers with at least one row and one column, shape (n, p)")
    return _floats(by_position(table, width, f"{width} feature values", "X"), range(width)), None


def _floats(columns: Columns, names: Sequence[str | int]) -> NDArray[np.float64]:
    found = []
    for name, cells in zip(names, columns.cells, strict=True):
        values, faults = numbers_of(cells)
        if faults.any():
            row = int(np.flatnonzero(faults)[0])
            raise ValueError(f"X {columns.row(row)}, column {name!r}: {expected_number(int(faults[row]))}")
        found.append(values)
    return np.column_stack(found)


def class_array(classes: Sequence[Any]) -> NDArray[Any]:
    """The classes as an array that keeps them as they are; NumPy makes text of numbers that stand beside text."""
    array = np.asarray(classes)
    return array if array.ndim == 1 and array.tolist() == list(classes) else np.fromiter(classes, dtype=object)


def _check_types(labels: Sequence[Any], classes: Sequence[Any]) -> None:
    """Refuses a label that no class could equal, being of another kind: it would count as a wrong prediction."""
    kinds = set(map(kind_of, classes))
    for i, label in enumerate(labels):
        if kind_of(label) not in kinds:
            raise ValueError(f"y row {i}: expected a label of the type of the classes, {' or '.join(sorted(kinds))}")


def kind_of(label: Any) -> str:
    """The type of a label as a message names it; labels of one kind can be equal."""
    if isinstance(label, (bool, np.bool_)):
        return "bool"
    if isinstance(label, numbers.Real) and label == label:
        return "number"
    return "str" if isinstance(label, str) else type(label).__name__
