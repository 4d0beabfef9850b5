"""CART: the best split of a node, then the same for each side, until a stopping rule says leaf."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.cart.split import Candidate, best_grid_split, best_split, grid_histograms
from fdpedu.cart.tree import Node, Tree, class_array, kind_of, raw_rows
from fdpedu.domain import BY_VOTES, Domain, require_classes
from fdpedu.domain.columns import FILL_IN, as_cells, is_missing, one_form
from fdpedu.exact import as_integer, as_list, occurrences, require_type
from fdpedu.exact.foreign import require_one_order

MAX_DEPTH = 200  # of a tree whose depth was not limited


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

    A node becomes a leaf when it is at ``max_depth`` (200 when none is given), has fewer than ``min_samples_split``
    rows, holds one class only, or has no split with two non-empty sides.

    Parameters
    ----------
    X : rows of feature values, n ≥ 1, in a table of any kind: finite floats, or whatever ``grid`` admits
    y : labels, shape (n,): all of one type, none of them missing; with ``grid``, classes of the domain
    grid : the domain whose bins and categories are split; None for thresholds between raw values
    max_depth : the most splits on a branch, ≥ 0; None for 200, which no tree may exceed
    min_samples_split : a node with fewer rows is a leaf, ≥ 2
    feature_names : p names, used without ``grid``; when left out, the names of the columns, or x0, x1, …

    Raises
    ------
    ValueError
        If ``X`` and ``y`` differ in length or are empty, a label is missing or of another type than the others, or a
        parameter is outside its domain.

    Examples
    --------
    >>> tree = fit_cart([[1.0], [2.0], [3.0]], ["no", "no", "yes"])
    >>> tree.predict([[2.4], [2.6]]).tolist()
    ['no', 'yes']
    """
    depth_limit = MAX_DEPTH if max_depth is None else min(MAX_DEPTH, as_integer(max_depth, "max_depth", minimum=0))
    as_integer(min_samples_split, "min_samples_split", minimum=2)
    require_one_order(X, y, "y")
    given = None if feature_names is None else as_list(feature_names, "feature_names")
    rows: NDArray[Any]
    codes: NDArray[Any]
    if grid is None:
        (rows, found), (codes, classes) = raw_rows(X, given), _label_codes(y)
        names = tuple(found or (f"x{j}" for j in range(rows.shape[1])) if given is None else given)
    else:
        require_type(grid, Domain, "grid")
        require_classes(grid, "fit_cart", BY_VOTES)
        rows, codes, classes = grid.encode(X, "X"), grid.encode_labels(y, "y"), grid.classes
        names = tuple(feature.name for feature in grid.features)

    def find(rows: NDArray[Any], labels: NDArray[Any]) -> Candidate[Any] | None:
        if grid is None:
            return best_split(rows, labels, len(classes))
        return best_grid_split(grid_histograms(rows, labels, grid), grid)

    if len(rows) != len(codes) or not len(rows):
        raise ValueError(f"X and y must have the same number of rows, at least 1; got {len(rows)} and {len(codes)}")
    if len(names) != rows.shape[1]:
        raise ValueError(f"feature_names must name the {rows.shape[1]} columns")
    root = _grow(rows, codes, len(classes), find, depth_limit, min_samples_split)
    return Tree(root, classes, names, grid)


def _label_codes(y: Any) -> tuple[NDArray[Any], tuple[Any, ...]]:
    """The code of each label, and the labels that occur, in ascending order: so all of them are of one type."""
    labels = one_form(as_cells(y, "y"))
    if not labels:
        raise ValueError("y must be a non-empty list of labels, shape (n,)")
    one_of_each = {type(label): label for label in labels}
    kinds = sorted({kind_of(label) for label in one_of_each.values()})
    try:
        if any(map(is_missing, set(labels))):
            row = next(i for i, label in enumerate(labels) if is_missing(label))
            raise ValueError(f"y row {row}: expected a label; {FILL_IN}")
        if len(kinds) == 1:
            classes, codes = np.unique(class_array(labels), return_inverse=True)
            return codes, tuple(classes.tolist())
    except TypeError:  # it cannot be hashed, or has no order
        pass
    found = " and ".join(kinds)
    raise ValueError(f"y: expected labels of one type that has an order, such as text or numbers, got {found}")


def _grow(
    rows: NDArray[Any],
    labels: NDArray[Any],
    n_classes: int,
    find: Callable[[Any, Any], Candidate[Any] | None],
    depth_left: int,
    min_samples_split: int,
) -> Node:
    counts = occurrences(labels, n_classes)
    stop = depth_left == 0 or len(labels) < min_samples_split or np.count_nonzero(counts) <= 1
    best = None if stop else find(rows, labels)
    if best is None:
        return Node(tuple(counts.tolist()))
    left = best.split.goes_left(rows[:, best.split.feature])
    sides = [_grow(rows[s], labels[s], n_classes, find, depth_left - 1, min_samples_split) for s in (left, ~left)]
    return Node(tuple(counts.tolist()), best.split, *sides)
