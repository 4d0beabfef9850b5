"""The report's Algorithm 4 for many nodes at once, as :func:`fdpedu.trees.printed.splits_as_printed` has it.

Raw noisy counts, neither clipped nor corrected; floats decide, the first of equals. Histograms are in the form of
:mod:`fdpedu.simulation.grid`.
"""

from __future__ import annotations

import numpy as np

from fdpedu.simulation.grid import Floats, Grid, Mask, cumulated
from fdpedu.simulation.search import Choice


def best_as_printed(grid: Grid, cells: Floats, inside: Mask, *, relative: bool = True) -> Choice:
    """For each node the split of the smallest printed impurity.

    Parameters
    ----------
    grid : whose features they are
    cells : raw noisy counts, 0 outside of the node, shape (C, B, N, p)
    inside : which codes lie in the node and were asked for, shape (B, N, p)
    relative : the printed G; else n·G
    """
    scores = np.full(inside.shape, np.inf)
    left, total = cumulated(cells), cells.sum(axis=1, keepdims=True)
    on_left = np.logical_or.accumulate(inside, axis=0)
    on_right = np.logical_or.accumulate(inside[::-1], axis=0)[::-1]
    allowed = on_left[:-1] & on_right[1:]
    scores[:-1] = np.where(allowed, _scores(left[:, :-1], total, relative), np.inf)
    dummies = np.flatnonzero(~grid.ordered)
    if dummies.size:
        own = inside[..., dummies]
        others = own.sum(axis=0) - own > 0
        found = _scores(cells[..., dummies], total[..., dummies], relative)
        scores[..., dummies] = np.where(own & others, found, np.inf)
    scores[np.isnan(scores)] = np.inf
    best = scores.min(axis=0)
    feature, nodes = best.argmin(axis=1), np.arange(len(best[:, 0]))
    code = scores[:, nodes, feature].argmin(axis=0)
    codes = np.arange(grid.most_codes)
    ordered = grid.ordered[feature][:, None]
    return Choice(
        best[nodes, feature] < np.inf, feature, np.where(ordered, codes <= code[:, None], codes != code[:, None])
    )


def _scores(left: Floats, total: Floats, relative: bool) -> Floats:
    """The printed impurity of each candidate; NaN where it is 0/0."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        score = _impurity(left) + _impurity(total - left)
        return score / total.sum(axis=0) if relative else score


def _impurity(counts: Floats) -> Floats:
    """n·p̂(1−p̂), or n·½·Σ_c p̂_c(1−p̂_c), of counts of any sign, shape (C, …) → (…)."""
    n = counts.sum(axis=0)
    if len(counts) == 2:
        share = counts[1] / n
        return np.asarray(n * share * (1 - share))
    shares = counts / n
    return np.asarray(n * (shares * (1 - shares)).sum(axis=0) / 2)
