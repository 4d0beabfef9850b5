"""Chapter 1. Classification trees: impurity, the best split, and CART.

A node is a vector of class counts. Its impurity says how far it is from holding one class only; a split is as good as the
impurity it leaves behind, weighted by rows; CART takes the best split, and then does the same with each side.

Conventions. The report's Gini entropy for two classes is h = p̂(1−p̂): here ``half_gini``. Most texts and scikit-learn use
1−Σp̂² = 2p̂(1−p̂): here ``gini``. The best split is the same, every constant differs by 2. What all later chapters work with
is the *scaled* impurity n·h, here ``scaled_half_gini``, with n·h = 0 at an empty node.

Comparisons are exact: candidates whose impurities agree to nine digits are compared as fractions, and a true tie goes to the
first feature and the lowest threshold. So a tree is a function of the counts, not of rounding.

Not guaranteed: any privacy at all. Thresholds are values of patients, and a pure leaf tells a patient's class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.domain import Codes, Domain
from fdpedu.exact import as_integer

Counts = NDArray[np.int64]
_CLOSE = 1e-9  # floats closer than this are compared as fractions
MAX_DEPTH = 200  # a tree that nobody bounded stops here


def gini(counts: ArrayLike) -> NDArray[np.float64]:
    """1 − Σ p̂², the probability that two random rows of the node differ in class; 0 when the node is empty.

    Parameters
    ----------
    counts : non-negative, shape (…, C): rows of each class

    >>> gini([[3, 1], [4, 0], [0, 0]]).tolist()
    [0.375, 0.0, 0.0]
    """
    return 2 * half_gini(counts)


def half_gini(counts: ArrayLike) -> NDArray[np.float64]:
    """(1 − Σ p̂²)/2, which is p̂(1−p̂) for two classes: the report's h. Shape (…, C) → (…).

    >>> float(half_gini([3, 1]))
    0.1875
    """
    table = np.asarray(counts, dtype=float)
    n = table.sum(axis=-1)
    return scaled_half_gini(table) / np.where(n > 0, n, 1)


def scaled_half_gini(counts: ArrayLike) -> NDArray[np.float64]:
    """n·half_gini = (n² − Σ c²)/(2n), which is ab/(a+b) for a and b rows of two classes; 0 when empty.

    It is also the least squared error of a constant prediction of the class: min over a of Σ (y − a)² for y in {0, 1}.

    Claims: def-scaled-impurity, lem-increment

    >>> float(scaled_half_gini([3, 1]))
    0.75
    """
    table = np.asarray(counts, dtype=float)
    n = table.sum(axis=-1)
    return (n * n - (table * table).sum(axis=-1)) / (2 * np.where(n > 0, n, 1))


def exact_scaled_half_gini(counts: Sequence[int]) -> Fraction:
    """:func:`scaled_half_gini` of one node as a fraction.

    >>> exact_scaled_half_gini([2, 1])
    Fraction(2, 3)
    """
    n = sum(map(int, counts))
    return Fraction(n * n - sum(int(c) ** 2 for c in counts), 2 * n) if n else Fraction(0)


@dataclass(frozen=True)
class ThresholdSplit:
    """x ≤ threshold goes left, on raw values."""

    feature: int
    threshold: float

    def goes_left(self, column: NDArray[Any]) -> NDArray[np.bool_]:
        return np.asarray(column <= self.threshold)


@dataclass(frozen=True)
class CodeSplit:
    """The codes in ``left`` go left: a prefix for an ordered feature, a subset for a categorical one."""

    feature: int
    left: frozenset[int]

    def goes_left(self, column: NDArray[Any]) -> NDArray[np.bool_]:
        return np.isin(column, sorted(self.left))


Split = ThresholdSplit | CodeSplit
S = TypeVar("S", bound=Split)


@dataclass(frozen=True)
class Candidate(Generic[S]):
    """A split with the class counts of its two sides and the scaled impurity n·G that it leaves."""

    split: S
    left: tuple[int, ...]
    right: tuple[int, ...]

    @property
    def impurity(self) -> Fraction:
        return exact_scaled_half_gini(self.left) + exact_scaled_half_gini(self.right)


def _first_best(left: Counts, right: Counts) -> int | None:
    """The index of the first smallest n·G among candidates with two non-empty sides, exactly; None if there is none."""
    allowed = np.flatnonzero((left.sum(axis=-1) > 0) & (right.sum(axis=-1) > 0))
    if not allowed.size:
        return None
    scores = scaled_half_gini(left[allowed]) + scaled_half_gini(right[allowed])
    close = allowed[scores <= scores.min() + _CLOSE * (1 + scores.min())]
    if close.size == 1:
        return int(close[0])
    return int(min(close, key=lambda i: exact_scaled_half_gini(left[i]) + exact_scaled_half_gini(right[i])))


def best_split(X: ArrayLike, y: ArrayLike, n_classes: int | None = None) -> Candidate[ThresholdSplit] | None:
    """The threshold split of raw rows with the least n·G; None if every column is constant.

    Parameters
    ----------
    X : floats, shape (n, p)
    y : class codes 0, 1, …, shape (n,)

    Thresholds lie halfway between neighbouring values, and x ≤ threshold goes left. A split with an empty side is no split.

    Examples
    --------
    >>> best = best_split([[1.0], [2.0], [3.0], [7.0]], [0, 0, 1, 1])
    >>> best.split, best.left, best.right, best.impurity
    (ThresholdSplit(feature=0, threshold=2.5), (2, 0), (0, 2), Fraction(0, 1))
    """
    rows, labels = np.asarray(X, dtype=float), np.asarray(y, dtype=np.int64)
    classes = n_classes or int(labels.max(initial=0)) + 1
    best: Candidate[ThresholdSplit] | None = None
    for j in range(rows.shape[1]):
        order = np.argsort(rows[:, j], kind="stable")
        values = rows[order, j]
        left = np.cumsum(np.eye(classes, dtype=np.int64)[labels[order]], axis=0)
        ends = np.flatnonzero(values[:-1] < values[1:])  # a threshold fits after these rows
        total = left[-1] if len(left) else np.zeros(classes, dtype=np.int64)
        at = _first_best(left[ends], total - left[ends])
        if at is not None:
            row = ends[at]
            threshold = _between(float(values[row]), float(values[row + 1]))
            best = _better(best, _candidate(ThresholdSplit(j, threshold), left[row], total - left[row]))
    return best


def best_grid_split(histograms: Sequence[Counts], domain: Domain) -> Candidate[CodeSplit] | None:
    """The split at bin borders, or of categories, with the least n·G, from class × bin counts alone.

    Parameters
    ----------
    histograms : for each feature of the domain, non-negative integers of shape (codes, classes). They may come from noise:
        then the features need not agree on the totals, and the choice is post-processing.

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> age = Domain([Numeric.grid("age", 0, 40, bins=4)], ("well", "ill"))
    >>> best_grid_split([np.array([[2, 0], [2, 1], [0, 2], [0, 0]])], age)
    Candidate(split=CodeSplit(feature=0, left=frozenset({0, 1})), left=(4, 1), right=(0, 2))
    """
    best: Candidate[CodeSplit] | None = None
    for j, (feature, table) in enumerate(zip(domain.features, histograms, strict=True)):
        orders = [np.arange(feature.n_codes)] if feature.ordered else _category_orders(table)
        for order in orders:
            left = np.cumsum(table[order], axis=0)
            at = _first_best(left[:-1], left[-1] - left[:-1])
            if at is not None:
                split = CodeSplit(j, frozenset(order[: at + 1].tolist()))
                best = _better(best, _candidate(split, left[at], left[-1] - left[at]))
    return best


def _category_orders(table: Counts) -> list[NDArray[np.int64]]:
    """For two classes, the order by the share of class 1, whose prefixes hold a best subset; else one order a class.

    Claims: thm-category-order (two classes)
    """
    n = table.sum(axis=1)
    classes = [1] if table.shape[1] == 2 else range(table.shape[1])
    shares = [[Fraction(int(a), int(b)) if b else Fraction(0) for a, b in zip(table[:, c], n, strict=True)] for c in classes]
    return [np.array(sorted(range(len(n)), key=lambda code: share[code])) for share in shares]


def _candidate(split: S, left: Counts, right: Counts) -> Candidate[S]:
    return Candidate(split, tuple(left.tolist()), tuple(right.tolist()))


def _better(best: Candidate[S] | None, new: Candidate[S]) -> Candidate[S]:
    return new if best is None or new.impurity < best.impurity else best


def _between(low: float, high: float) -> float:
    middle = low / 2 + high / 2
    return middle if low <= middle < high else low


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

    A tree grown on a grid has its :class:`Domain` and routes codes; one grown on raw values has none and compares values.
    ``derivation`` is the accounting of a private tree (None for an ordinary one), ``rounds`` its number of federated rounds.
    """

    root: Node
    classes: tuple[Any, ...]
    feature_names: tuple[str, ...]
    domain: Domain | None = None
    derivation: Any = field(default=None, compare=False)
    rounds: int = field(default=0, compare=False)

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row, shape (n,)."""
        labels = np.array([leaf.label for leaf in self.leaves()])[self.apply(X)]
        return np.asarray(self.classes)[labels]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class probabilities, shape (n, C): a function of the released leaf counts, so as private as the tree itself."""
        return np.array([leaf.probabilities for leaf in self.leaves()])[self.apply(X)]

    def score(self, X: Any, y: ArrayLike) -> float:
        """The share of rows whose predicted label is the given one."""
        return float(np.mean(self.predict(X) == np.asarray(y)))

    def apply(self, X: Any) -> NDArray[np.int64]:
        """For each row, the position of its leaf in :meth:`leaves`."""
        columns = self.domain.encode(X) if self.domain else _raw_rows(X, len(self.feature_names))
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

    def with_accounting(self, derivation: Any, rounds: int) -> Tree:
        return replace(self, derivation=derivation, rounds=rounds)


def fit_cart(
    X: Any,
    y: Any,
    *,
    grid: Domain | None = None,
    max_depth: int | None = None,
    min_samples_split: int = 2,
    feature_names: Sequence[str] | None = None,
) -> Tree:
    """Grow a classification tree on raw values, or with ``grid`` on the bins and categories of a domain. Not private.

    A node becomes a leaf when it is at ``max_depth`` (200 when none is given), has fewer than ``min_samples_split`` rows, holds one class only, or has no
    split with two non-empty sides.

    Parameters
    ----------
    X : rows of feature values, shape (n, p), n ≥ 1: finite floats, or whatever ``grid`` admits
    y : labels, shape (n,)

    Examples
    --------
    >>> tree = fit_cart([[1.0], [2.0], [3.0]], ["no", "no", "yes"])
    >>> tree.predict([[2.4], [2.6]]).tolist()
    ['no', 'yes']
    """
    depth_limit = MAX_DEPTH if max_depth is None else min(MAX_DEPTH, as_integer(max_depth, "max_depth", at_least=0))
    as_integer(min_samples_split, "min_samples_split", at_least=2)
    if grid is None:
        labels = np.asarray(y)
        if labels.ndim != 1 or not labels.size:
            raise ValueError("y must be a non-empty list of labels, shape (n,)")
        classes, codes = np.unique(labels, return_inverse=True)
        rows = _raw_rows(X, None)
        names = tuple(feature_names or (f"x{j}" for j in range(rows.shape[1])))
        find: Callable[[Any, Codes], Candidate[Any] | None] = lambda r, c: best_split(r, c, len(classes))  # noqa: E731
        outline = Tree(Node(()), tuple(classes.tolist()), names)
    else:
        rows, codes = grid.encode(X, "X"), grid.encode_labels(y, "y")
        find = lambda r, c: best_grid_split(grid_histograms(r, c, grid), grid)  # noqa: E731
        outline = Tree(Node(()), grid.classes, tuple(feature.name for feature in grid.features), grid)
    if len(rows) != len(codes) or not len(rows):
        raise ValueError(f"X and y must have the same number of rows, at least 1; got {len(rows)} and {len(codes)}")
    if len(outline.feature_names) != rows.shape[1]:
        raise ValueError(f"feature_names must name the {rows.shape[1]} columns")
    root = _grow(rows, codes, len(outline.classes), find, depth_limit, min_samples_split)
    return replace(outline, root=root)


def _grow(
    rows: NDArray[Any],
    labels: NDArray[Any],
    n_classes: int,
    find: Callable[[Any, Any], Candidate[Any] | None],
    depth_left: int,
    min_samples_split: int,
) -> Node:
    counts = np.bincount(labels, minlength=n_classes)
    stop = depth_left == 0 or len(labels) < min_samples_split or np.count_nonzero(counts) <= 1
    best = None if stop else find(rows, labels)
    if best is None:
        return Node(tuple(counts.tolist()))
    left = best.split.goes_left(rows[:, best.split.feature])
    sides = [_grow(rows[s], labels[s], n_classes, find, depth_left - 1, min_samples_split) for s in (left, ~left)]
    return Node(tuple(counts.tolist()), best.split, *sides)


def grid_histograms(codes: Codes, labels: Codes, domain: Domain) -> list[Counts]:
    """Exact class × bin counts of every feature: a list of integers of shape (codes, classes)."""
    n_classes = domain.n_classes
    tables = []
    for j, feature in enumerate(domain.features):
        cells = codes[:, j].astype(np.int64) * n_classes + labels
        tables.append(np.bincount(cells, minlength=feature.n_codes * n_classes).reshape(feature.n_codes, n_classes))
    return tables


def _raw_rows(X: Any, n_features: int | None) -> NDArray[np.float64]:
    try:
        rows = np.asarray(X, dtype=float)
    except (TypeError, ValueError):
        raise ValueError("X must be a table of numbers, shape (n, p)") from None
    if rows.ndim != 2 or not rows.shape[1] or (n_features is not None and rows.shape[1] != n_features):
        raise ValueError(f"X must have shape (n, {n_features or 'p'}), got {rows.shape}")
    if not np.isfinite(rows).all():
        row, column = (int(i) for i in np.argwhere(~np.isfinite(rows))[0])
        raise ValueError(f"X row {row}, column {column}: expected a finite number; missing values are refused")
    return rows
