"""The tree itself: nodes with counts, prediction, and its forms as text, picture and plain data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.cart.split import Split, ThresholdSplit
from fdpedu.domain import Domain


@dataclass(frozen=True)
class Node:
    """A node with its class counts (exact, or released and noisy); a leaf has no split."""

    counts: tuple[int, ...]
    split: Split | None = None
    left: Node | None = None
    right: Node | None = None

    @property
    def is_leaf(self) -> bool:
        return self.split is None

    @property
    def label(self) -> int:
        """The majority class; ties go to the first class."""
        return int(np.argmax(self.counts))

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Class shares of the counts clipped at 0; all equal when nothing is left."""
        clipped = np.maximum(self.counts, 0)
        total = clipped.sum()
        return clipped / total if total else np.full(len(clipped), 1 / len(clipped))


@dataclass(frozen=True)
class Tree:
    """A classification tree. ``predict`` takes raw rows; NaN, unknown categories and wrong shapes are refused.

    A tree grown on a grid has its :class:`Domain` and routes codes; one grown on raw values has none and compares
    values.

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
        labels = np.array([leaf.label for leaf in self.leaves()])[self.apply(X)]
        return np.asarray(self.classes)[labels]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class probabilities, shape (n, C): a function of the leaf counts, so as private as the tree itself."""
        return np.array([leaf.probabilities for leaf in self.leaves()])[self.apply(X)]

    def score(self, X: Any, y: ArrayLike) -> float:
        """The share of rows whose predicted label is the given one."""
        return float(np.mean(self.predict(X) == np.asarray(y)))

    def apply(self, X: Any) -> NDArray[np.int64]:
        """For each row, the position of its leaf in :meth:`leaves`."""
        columns = self.domain.encode(X) if self.domain else raw_rows(X, len(self.feature_names))
        where = np.zeros(len(columns), dtype=np.int64)
        pending, leaves = [(self.root, np.arange(len(columns)))], 0
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
            return f"{self.feature_names[split.feature]} ≤ {split.threshold:.6g}"
        assert self.domain is not None
        return self.domain.features[split.feature].describe_split(split.left)

    def to_dict(self, node: Node | None = None) -> dict[str, Any]:
        """The tree as plain data (the form that ``viz.draw_tree`` takes)."""
        at = node or self.root
        if at.split is None:
            probabilities = [round(float(p), 4) for p in at.probabilities]
            return {"label": str(self.classes[at.label]), "probabilities": probabilities, "counts": list(at.counts)}
        assert at.left and at.right
        return {
            "test": self.describe_split(at.split),
            "counts": list(at.counts),
            "left": self.to_dict(at.left),
            "right": self.to_dict(at.right),
        }

    def to_text(self) -> str:
        """The tree as aligned text."""
        from fdpedu.viz import tree_as_text

        return tree_as_text(self.to_dict(), [str(c) for c in self.classes])

    def _repr_html_(self) -> str:
        from fdpedu.viz import draw_tree

        return draw_tree(self.to_dict(), [str(c) for c in self.classes], title="Decision tree")


def raw_rows(X: Any, n_features: int | None) -> NDArray[np.float64]:
    try:
        rows = np.asarray(X, dtype=float) if not np.iscomplexobj(X) else None
    except (TypeError, ValueError, OverflowError):
        rows = None
    if rows is None:
        raise ValueError("X must be a table of numbers, shape (n, p)") from None
    if rows.ndim != 2 or not rows.shape[1] or (n_features is not None and rows.shape[1] != n_features):
        raise ValueError(f"X must have shape (n, {n_features or 'p'}), got {rows.shape}")
    if not np.isfinite(rows).all():
        row, column = (int(i) for i in np.argwhere(~np.isfinite(rows))[0])
        raise ValueError(f"X row {row}, column {column}: expected a finite number; missing values are refused")
    return rows
