"""Counts that add up: weighted least squares on a tree of totals, in two passes (Hay, Rastogi, Miklau and Suciu 2010).

Each node of a tree may have a *view*: its total plus noise of known variance. The true totals add up, each inner node
being the sum of its children, and the views do not. Of all totals that add up, the estimate is the one of the least
Σ (view − total)²/variance. It takes one pass up the tree and one down. All of it is post-processing.

For a tree that was fixed beforehand and noise without correlation, no linear unbiased estimate from the same views has
a smaller variance, at any node. A tree that was grown from the same noise is not fixed beforehand: what the estimate
gains there is a matter of measurement.

:func:`least_squares` is the method in fractions, to be read; :func:`consistent_totals` is the same in floats, level by
level and for all classes at once, for trees of thousands of nodes. A tree is the list of its nodes' parents.

Not guaranteed: estimates that are whole or at least 0, for which there is :func:`round_with_sums`.

Claims: thm-least-squares-tree, thm-consistency-variance, lem-selected-histogram, lem-consistency-free
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.exact import Rational, as_floats, as_fraction, as_list, as_positive_fraction
from fdpedu.histograms.parents import as_parents, children_of, is_inner, levels_of

_MAX_VALUE = 2.0**62  # of a value, as of a count
_FARTHEST = 1e100  # variances between this and its inverse neither overflow nor vanish


def least_squares(
    parents: Sequence[int], values: Sequence[Rational], variances: Sequence[Rational | None]
) -> list[Fraction]:
    """The totals that add up and have the least Σ (view − total)²/variance, exactly.

    Claims: thm-least-squares-tree, thm-consistency-variance

    Parameters
    ----------
    parents : for each node the index of its parent, which comes before it; −1 for the root, which is node 0
    values : for each node its view, read exactly; any number where the node has none
    variances : for each node the variance of its view, greater than 0; None for an inner node without a view

    Returns
    -------
    One fraction for each node; an inner node's is the sum of its children's.

    Examples
    --------
    Two leaves were counted as 3 and 1, their parent as 7, each with the same variance: all three give way by 1.

    >>> [str(total) for total in least_squares([-1, 0, 0], [7, 3, 1], [1, 1, 1])]
    ['6', '4', '2']
    """
    above = as_parents(parents)
    (total, spread), children = _read_exactly(values, variances, above), children_of(above)
    for node in reversed(range(len(total))):  # up: the inverse-variance mean of the own view and the children's sum
        if below := children[node]:
            doubt = sum(spread[child] for child in below)
            seen = doubt / spread[node] if node in spread else Fraction(0)
            total[node] = (seen * total[node] + sum(total[child] for child in below)) / (seen + 1)
            spread[node] = doubt / (seen + 1)
    for node, below in enumerate(children):  # down: what the children lack, in proportion to their variances by now
        lacking = total[node] - sum(total[child] for child in below)
        doubt = sum(spread[child] for child in below)
        for child in below:
            total[child] += lacking * spread[child] / doubt
    return total


def consistent_totals(
    parents: ArrayLike, values: ArrayLike, variances: Sequence[float | None] | NDArray[np.float64]
) -> NDArray[np.float64]:
    """:func:`least_squares` in floats, of one total a node or of one for each class.

    Claims: thm-least-squares-tree, thm-consistency-variance

    Parameters
    ----------
    parents : for each node the index of its parent, which comes before it; −1 for the root, which is node 0
    values : views within ±2**62, shape (nodes,) or (nodes, classes); any numbers where the node has none
    variances : for each node the variance of its view in each class, from 1e-100 to 1e100; None for an inner node
        without a view

    Returns
    -------
    Estimates of the shape of ``values``; an inner node's are the sums of its children's, up to rounding of floats.

    Examples
    --------
    >>> consistent_totals([-1, 0, 0], [[7, 2], [3, 1], [1, 1]], [1, 1, 1]).tolist()
    [[6.0, 2.0], [4.0, 1.0], [2.0, 1.0]]
    """
    above = as_parents(parents)
    levels, views, spread = levels_of(above), _as_views(values, len(above)), _as_spread(variances, above)
    total = (views if views.ndim == 2 else views[:, None]).copy()
    below, doubt = np.zeros_like(total), np.zeros_like(spread)  # sums of the children's totals, and of their variances
    for level in reversed(levels[1:]):
        np.add.at(below, above[level], total[level])
        np.add.at(doubt, above[level], spread[level])
        node = np.unique(above[level])
        seen = doubt[node] / spread[node]
        total[node] = (seen[:, None] * total[node] + below[node]) / (seen[:, None] + 1)
        spread[node] = doubt[node] / (seen + 1)
    for level in levels[1:]:
        node = above[level]
        total[level] += (total[node] - below[node]) * (spread[level] / doubt[node])[:, None]
    return total.reshape(views.shape)


def _read_exactly(
    values: Sequence[Rational], variances: Sequence[Rational | None], above: NDArray[np.int64]
) -> tuple[list[Fraction], dict[int, Fraction]]:
    """The views, and the variances of the nodes that have one."""
    given, spread = as_list(values, "values"), _as_variances(variances, above)
    if len(given) != len(spread):
        raise ValueError(f"values must be {len(spread)} numbers, one for each node, got {len(given)}")
    seen = {node: as_positive_fraction(v, "variances") for node, v in enumerate(spread) if v is not None}
    return [as_fraction(value, "values") for value in given], seen


def _as_variances(variances: Any, above: NDArray[np.int64]) -> list[Any]:
    """One for each node, None at inner nodes only."""
    given = as_list(variances, "variances")
    if len(given) != len(above):
        raise ValueError(f"variances must be {len(above)} numbers, one for each node, got {len(given)}")
    if missing := [node for node in np.flatnonzero(~is_inner(above)).tolist() if given[node] is None]:
        raise ValueError(f"variances[{missing[0]}] must be a number, got None: a node without children needs a view")
    return given


def _as_views(values: ArrayLike, nodes: int) -> NDArray[np.float64]:
    views = as_floats(values, "values")
    if views.ndim not in (1, 2) or len(views) != nodes:
        raise ValueError(f"values must have shape ({nodes},) or ({nodes}, classes), got {views.shape}")
    if not (np.abs(views) <= _MAX_VALUE).all():  # nor is NaN
        raise ValueError("values must be numbers within ±2**62")
    return views


def _as_spread(variances: Any, above: NDArray[np.int64]) -> NDArray[np.float64]:
    """The variances in an array of its own, infinite where a node has no view."""
    given = _as_variances(variances, above)
    spread = as_floats([_FARTHEST if v is None else v for v in given], "variances", ndim=1)
    if not ((spread >= 1 / _FARTHEST) & (spread <= _FARTHEST)).all():
        raise ValueError("variances must be from 1e-100 to 1e100; only their ratios matter, so they may be scaled")
    return np.where([v is None for v in given], np.inf, spread)
