"""The report's Algorithm 4 on histograms in the form of :mod:`fdpedu.simulation.grid`.

The scores are those of :mod:`fdpedu.trees.printed`: raw noisy counts, neither clipped nor corrected; floats decide, the
first of equals.
"""

from __future__ import annotations

import numpy as np

from fdpedu.simulation.grid import Floats, Grid, Mask
from fdpedu.simulation.search import Choice
from fdpedu.trees.printed import scores_as_printed


def best_as_printed(grid: Grid, cells: Floats, inside: Mask, *, relative: bool = True) -> Choice:
    """For each node the split of the smallest printed impurity.

    Parameters
    ----------
    grid : whose features they are
    cells : raw noisy counts, 0 outside of the node, shape (C, B, N, p)
    inside : which codes lie in the node and were asked for, shape (B, N, p)
    relative : the printed G; else n·G
    """
    scores = np.empty(inside.shape)
    for ordered in np.unique(grid.ordered).tolist():
        alike = slice(None) if (grid.ordered == ordered).all() else grid.ordered == ordered
        own = scores_as_printed(cells[..., alike], inside[..., alike], ordered=ordered, relative=relative)
        scores[..., alike] = own
    best = scores.min(axis=0)
    feature, nodes = best.argmin(axis=1), np.arange(len(best))
    code = scores[:, nodes, feature].argmin(axis=0)[:, None]
    codes, borders = np.arange(grid.most_codes), grid.ordered[feature][:, None]
    return Choice(best[nodes, feature] < np.inf, feature, np.where(borders, codes <= code, codes != code))
