"""Splits, and the search for the best one: on raw values, or at the bin borders and categories of a public grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.cart.impurity import exact_scaled_half_gini, scaled_half_gini
from fdpedu.domain import Codes, Domain
from fdpedu.exact import as_floats, as_integer, as_integers, occurrences, require_type
from fdpedu.exact.foreign import require_one_order


@dataclass(frozen=True)
class ThresholdSplit:
    """x ≤ threshold goes left, on raw values."""

    feature: int
    threshold: float

    def goes_left(self, column: NDArray[Any]) -> NDArray[np.bool_]:
        return np.asarray(column <= self.threshold)


@dataclass(frozen=True)
class CodeSplit:
    """The codes in ``left`` go left: a prefix of one of the feature's public orders, or a subset of its categories."""

    feature: int
    left: frozenset[int]

    def goes_left(self, column: NDArray[Any]) -> NDArray[np.bool_]:
        return np.isin(column, sorted(self.left))


Split = ThresholdSplit | CodeSplit
S = TypeVar("S", bound=Split)
Counts = NDArray[np.int64]
_MAX_CLASSES = 10_000  # of raw labels
_CLOSE = 1e-9  # scores closer than this, relatively, are compared as fractions
_ROUNDING = 1e-15  # of a score, for each row that it is made of


@dataclass(frozen=True)
class Candidate(Generic[S]):
    """A split with the class counts of its two sides and the scaled impurity n·G that it leaves.

    Claims: lem-split-never-hurts
    """

    split: S
    left: tuple[int, ...]
    right: tuple[int, ...]

    @property
    def impurity(self) -> Fraction:
        return exact_scaled_half_gini(self.left) + exact_scaled_half_gini(self.right)


def slack(least: Any, n: Any) -> Any:
    """By how much the float score of an optimal split of n rows may exceed the least float score."""
    return _CLOSE * (1 + least) + _ROUNDING * n


def _first_best(left: Counts, right: Counts) -> int | None:
    """The index of the first smallest n·G among candidates with two non-empty sides, exactly; None if there is none."""
    allowed = np.flatnonzero((left.sum(axis=-1) > 0) & (right.sum(axis=-1) > 0))
    if not allowed.size:
        return None
    scores = scaled_half_gini(left[allowed]) + scaled_half_gini(right[allowed])
    close = allowed[scores <= scores.min() + slack(scores.min(), left[0].sum() + right[0].sum())]
    if close.size == 1:
        return int(close[0])
    return int(min(close, key=lambda i: _exact_impurity(left[i], right[i])))


def _exact_impurity(left: Counts, right: Counts) -> Fraction:
    return exact_scaled_half_gini(left.tolist()) + exact_scaled_half_gini(right.tolist())


def threshold_counts(
    column: ArrayLike, y: ArrayLike, n_classes: int | None = None
) -> tuple[NDArray[np.float64], Counts, Counts]:
    """All thresholds that divide one column differently, and the class counts of the two sides of each.

    Claims: lem-thresholds

    Parameters
    ----------
    column : floats, shape (n,)
    y : class codes 0, 1, …, shape (n,)
    n_classes : C, more than every code; the largest code and 1 when left out

    Returns
    -------
    The m − 1 thresholds halfway between the m distinct values, ascending, and the counts (m − 1, C) of the rows with
    x ≤ threshold and of those with x > threshold.

    Examples
    --------
    >>> thresholds, left, right = threshold_counts([1.0, 2.0, 2.0, 7.0], [0, 0, 1, 1])
    >>> thresholds.tolist(), left.tolist(), right.tolist()
    ([1.5, 4.5], [[1, 0], [2, 1]], [[1, 2], [0, 1]])
    """
    require_one_order(column, y, "y", "column")
    values, (labels, classes) = as_floats(column, "column", ndim=1), _labelled(y, len(np.atleast_1d(column)), n_classes)
    order = np.argsort(values, kind="stable")
    values = values[order]
    counts = np.cumsum(np.eye(classes, dtype=np.int64)[labels[order]], axis=0)
    ends = np.flatnonzero(values[:-1] < values[1:])  # a threshold fits after these rows
    left, total = counts[ends], counts[-1:]
    return _between(values[ends], values[ends + 1]), left, total - left


def _labelled(y: ArrayLike, n: int, n_classes: int | None) -> tuple[NDArray[np.int64], int]:
    """The class codes of n rows, and how many classes there are."""
    labels = as_integers(y, "y")
    if labels.shape != (n,) or labels.min(initial=0) < 0:
        raise ValueError(f"y must be {n} class codes 0, 1, …, one for each row; got shape {labels.shape}")
    least = int(labels.max(initial=0)) + 1
    given = least if n_classes is None else n_classes
    return labels, as_integer(given, "n_classes", minimum=least, maximum=_MAX_CLASSES)


def best_split(X: ArrayLike, y: ArrayLike, n_classes: int | None = None) -> Candidate[ThresholdSplit] | None:
    """The threshold split of raw rows with the least n·G; None if every column is constant.

    Thresholds lie halfway between neighbouring values, and x ≤ threshold goes left. A split with an empty side is no
    split.

    Parameters
    ----------
    X : floats, shape (n, p)
    y : class codes 0, 1, …, shape (n,)
    n_classes : C, more than every code; the largest code and 1 when left out

    Examples
    --------
    >>> best = best_split([[1.0], [2.0], [3.0], [7.0]], [0, 0, 1, 1])
    >>> best.split, best.left, best.right, best.impurity
    (ThresholdSplit(feature=0, threshold=2.5), (2, 0), (0, 2), Fraction(0, 1))
    """
    require_one_order(X, y, "y")
    rows = as_floats(X, "X", ndim=2)
    labels, classes = _labelled(y, len(rows), n_classes)
    best: Candidate[ThresholdSplit] | None = None
    for j in range(rows.shape[1]):
        thresholds, left, right = threshold_counts(rows[:, j], labels, classes)
        at = _first_best(left, right)
        if at is not None:
            best = _better(best, _candidate(ThresholdSplit(j, float(thresholds[at])), left[at], right[at]))
    return best


def best_grid_split(histograms: Sequence[Counts], domain: Domain) -> Candidate[CodeSplit] | None:
    """The split at bin borders, or of categories, with the least n·G, from class × bin counts alone.

    The counts may come from noise: then the features need not agree on the totals, and the choice is post-processing. A
    code for missing values is a bin without a place: each border may send it to either side.

    Claims: lem-missing-code

    Parameters
    ----------
    histograms : for each feature of the domain, non-negative integers of shape (codes, classes)
    domain : whose features the histograms count, in the same order

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> age = Domain([Numeric.grid("age", 0, 40, bins=4)], ("well", "ill"))
    >>> best_grid_split([np.array([[2, 0], [2, 1], [0, 2], [0, 0]])], age)
    Candidate(split=CodeSplit(feature=0, left=frozenset({0, 1})), left=(4, 1), right=(0, 2))
    """
    require_type(domain, Domain, "domain")
    best: Candidate[CodeSplit] | None = None
    for j, (feature, table) in enumerate(zip(domain.features, _tables(histograms, domain), strict=True)):
        orders = [np.array(order, dtype=np.int64) for order in feature.orders] or _category_orders(table)
        for order in orders:
            left = np.cumsum(table[order], axis=0)
            at = _first_best(left[:-1], left[-1] - left[:-1])
            if at is not None:
                split = CodeSplit(j, frozenset(order[: at + 1].tolist()))
                best = _better(best, _candidate(split, left[at], left[-1] - left[at]))
    return best


def _tables(histograms: Sequence[Counts], domain: Domain) -> list[Counts]:
    """The histograms, one for each feature, of its shape."""
    shapes = [(feature.n_codes, domain.n_classes) for feature in domain.features]
    if not isinstance(histograms, Sequence) or [np.shape(table) for table in histograms] != shapes:
        raise ValueError(f"histograms must be a list of tables of shapes {shapes}")
    return [as_integers(table, "histograms") for table in histograms]


def _category_orders(table: Counts) -> list[NDArray[np.int64]]:
    """For two classes, the order by the share of class 1, whose prefixes hold a best subset; else one order a class.

    Claims: thm-category-order (two classes)
    """
    n = table.sum(axis=1)
    classes = [1] if table.shape[1] == 2 else range(table.shape[1])
    shares = [
        [Fraction(int(a), int(b)) if b else Fraction(0) for a, b in zip(table[:, c], n, strict=True)] for c in classes
    ]
    return [np.array(sorted(range(len(n)), key=lambda code: share[code])) for share in shares]


def _candidate(split: S, left: Counts, right: Counts) -> Candidate[S]:
    return Candidate(split, tuple(left.tolist()), tuple(right.tolist()))


def _better(best: Candidate[S] | None, new: Candidate[S]) -> Candidate[S]:
    return new if best is None or new.impurity < best.impurity else best


def _between(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
    middle = low / 2 + high / 2
    return np.where((low <= middle) & (middle < high), middle, low)  # no float may lie between the two


def grid_histograms(codes: Codes, labels: Codes, domain: Domain) -> list[Counts]:
    """Exact class × bin counts of every feature: a list of integers of shape (codes, classes)."""
    n_classes = domain.n_classes
    tables = []
    for j, feature in enumerate(domain.features):
        cells = codes[:, j].astype(np.int64) * n_classes + labels
        tables.append(occurrences(cells, feature.n_codes * n_classes).reshape(feature.n_codes, n_classes))
    return tables
