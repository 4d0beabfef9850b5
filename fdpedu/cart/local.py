"""The least n·G that a party finds among splits which were fixed before anybody looked at its rows.

This is what a party can tell of its rows towards a lower bound (the report's Theorem 7). The family of splits is
public: all borders of a grid, all subsets of a list of categories, all real thresholds. It contains the division with
all rows on one side, so no rule about small sides is needed, and none is allowed: a rule such as "both sides non-empty"
would make the family depend on the rows, and then one row may change the minimum by more than 1.

For the same reason more than two classes have all subsets of the categories here, while :func:`best_grid_split` tries
those in order of the classes' shares only: that order depends on the rows.

Exact: floats find the splits that come near the minimum, fractions decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.cart.grid import by_share
from fdpedu.cart.impurity import scaled_half_gini
from fdpedu.cart.split import Counts, slack
from fdpedu.exact import as_floats, as_integer, as_integers
from fdpedu.exact.foreign import require_one_order

MAX_SUBSETS_OF = 14  # categories whose subsets are all tried
_MAX_ROWS = 2**53  # floats are whole numbers up to here


def local_best_impurity(table: ArrayLike, *, ordered: bool = True, missing: bool = False) -> Fraction:
    """min n·G over the splits of a grid's codes, from the class × bin counts of one feature, exactly.

    Claims: lem-local-bound

    Parameters
    ----------
    table : integers ≥ 0 of shape (codes, classes), which add up to at most 2**53
    ordered : whether the codes are bins, divided at a border; else they are categories, and every subset is a split.
        With more than two classes there may be at most 14 categories
    missing : whether the last code is that of missing values, which each border of bins may send to either side; among
        categories it is one of them

    Examples
    --------
    >>> local_best_impurity([[2, 0], [2, 1], [0, 2], [0, 0]])
    Fraction(4, 5)
    >>> local_best_impurity([[3, 1], [0, 0]])  # no border divides these rows: this is their n·h
    Fraction(3, 4)
    """
    cells = count_table(table)
    total = cells.sum(axis=0)
    for name, flag in (("ordered", ordered), ("missing", missing)):
        if flag is not True and flag is not False:
            raise ValueError(f"{name} must be True or False, got {type(flag).__name__}")
    if ordered:
        left = np.cumsum(cells, axis=0)
        # lem-missing-code: the second order has missing values first; it is as public as the first
        return _least(np.concatenate([left, np.cumsum(np.roll(cells, 1, axis=0), axis=0)]) if missing else left, total)
    if cells.shape[1] <= 2:
        ranked = cells[by_share(cells[None], -1)[0]]  # prefixes hold a best subset of all (thm-category-order)
        return _least(np.cumsum(ranked, axis=0), total)
    return _least(subsets(len(cells)) @ cells, total)


def local_best_impurities(X: ArrayLike, y: ArrayLike, n_classes: int | None = None) -> list[Fraction]:
    """For each column of raw rows, min n·G over all real thresholds, exactly: the report's n_k·G(Q_k, θ*_kj).

    Claims: lem-local-bound

    Parameters
    ----------
    X : floats, shape (n, p)
    y : class codes 0, 1, …, shape (n,)
    n_classes : C, more than every code; the largest code and 1 when left out

    Examples
    --------
    >>> local_best_impurities([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]], [0, 1, 1])
    [Fraction(0, 1), Fraction(2, 3)]
    """
    require_one_order(X, y, "y")
    rows, labels = as_floats(X, "X", ndim=2), as_integers(y, "y")
    if labels.shape != rows.shape[:1] or labels.min(initial=0) < 0:
        raise ValueError(f"y must be {len(rows)} class codes 0, 1, …, one for each row; got shape {labels.shape}")
    least = int(labels.max(initial=0)) + 1
    classes = as_integer(least if n_classes is None else n_classes, "n_classes", minimum=least, maximum=10_000)
    if not rows.size:
        return [Fraction(0)] * rows.shape[1]
    columns = np.ascontiguousarray(rows.T)
    order = np.argsort(columns, axis=1)
    values, sorted_labels = np.take_along_axis(columns, order, axis=1), labels[order]
    left = [np.cumsum(sorted_labels == c, axis=1, dtype=np.int64) for c in range(classes)]
    found, at = np.nonzero(_near(values, left))
    sides = np.stack([counts[found, at] for counts in left], axis=1)
    totals = np.stack([counts[found, -1] for counts in left], axis=1)
    best: dict[int, Fraction] = {}
    for j, a, b in zip(found.tolist(), sides.tolist(), (totals - sides).tolist(), strict=True):
        impurity = _left_over(a, b)
        best[j] = min(impurity, best.get(j, impurity))
    return [best[j] for j in range(len(columns))]


def _near(values: NDArray[np.float64], left: list[Counts]) -> NDArray[np.bool_]:
    """Whether the first i rows of sorted column j, on the left, are a division by a threshold, and close to the best.

    n·G is half of n − Σ l²/n_left − Σ r²/n_right, summed over the classes; all rows may go left.
    """
    n = values.shape[1]
    n_left, kept = np.arange(1.0, n + 1, dtype=np.float64), np.zeros(values.shape)
    n_right = np.maximum(n - n_left, 1)
    for counts in left:
        right = counts[:, -1:] - counts
        kept += counts * counts / n_left + right * right / n_right
    scores = (n - kept) / 2
    scores[:, :-1][values[:, :-1] == values[:, 1:]] = np.inf
    least = scores.min(axis=1)
    return np.asarray(scores <= (least + slack(least, n))[:, None])


def count_table(table: ArrayLike) -> Counts:
    """Counts as an array of shape (codes, classes), or a ValueError."""
    cells = as_integers(table, "table")
    if cells.ndim != 2 or min(cells.shape) < 1 or cells.min() < 0 or not _few(cells):
        raise ValueError("table must be counts ≥ 0 of shape (codes, classes) that add up to at most 2**53")
    return cells


def _few(cells: Counts) -> bool:
    """At most 2**53 rows: a first sum, in floats, is nearly right; then a sum of integers does not overflow."""
    return bool(cells.sum(dtype=float) <= 2 * _MAX_ROWS and cells.sum() <= _MAX_ROWS)


def _least(left: Counts, total: Counts) -> Fraction:
    """The least n·G of the divisions into ``left`` (m, C) and the rest of ``total`` (C,)."""
    right = total - left
    scores = scaled_half_gini(left) + scaled_half_gini(right)
    near = np.flatnonzero(scores <= scores.min() + slack(scores.min(), int(total.sum())))
    pairs = {(tuple(left[i].tolist()), tuple(right[i].tolist())) for i in near}
    return min(_left_over(a, b) for a, b in pairs)


def _left_over(left: Sequence[int], right: Sequence[int]) -> Fraction:
    """n·G of a division as one fraction: n/2 − Σ l²/(2·n_left) − Σ r²/(2·n_right); an empty side has no term."""
    n_left, n_right = sum(left), sum(right)
    a, b = n_left or 1, n_right or 1
    kept = b * sum([c * c for c in left]) + a * sum([c * c for c in right])
    return Fraction((n_left + n_right) * a * b - kept, 2 * a * b)


def subsets(codes: int) -> Counts:
    """Every subset of the codes with the last one out, and the empty one, as rows of zeros and ones."""
    if codes > MAX_SUBSETS_OF:
        raise ValueError(
            f"table must have at most {MAX_SUBSETS_OF} categories for more than two classes, got {codes}: "
            "merge categories, or give them a public order (ordered=True)"
        )
    numbers = np.arange(2 ** (codes - 1), dtype=np.int64)
    return np.asarray((numbers[:, None] >> np.arange(codes, dtype=np.int64)) & 1, dtype=np.int64)
