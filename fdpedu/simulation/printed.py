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
    natural = np.arange(grid.most_codes)
    slots = [(j, order) for j, orders in enumerate(grid.orders) for order in orders or (None,)]
    of_slot = np.array([j for j, _ in slots])
    if len(slots) > grid.n_features:  # a feature with a code for missing values has a second order
        orders = np.stack([natural if order is None else order for _, order in slots], axis=1)
        cells = cells[:, orders[:, None], np.arange(cells.shape[2])[:, None], of_slot]
        inside = inside[orders[:, None], np.arange(inside.shape[1])[:, None], of_slot]
    ordered_slots, scores = grid.ordered[of_slot], np.empty(inside.shape)
    for ordered in np.unique(ordered_slots).tolist():
        alike = slice(None) if (ordered_slots == ordered).all() else ordered_slots == ordered
        own = scores_as_printed(cells[..., alike], inside[..., alike], ordered=ordered, relative=relative)
        scores[..., alike] = own
    best = scores.min(axis=0)
    slot, nodes = best.argmin(axis=1), np.arange(len(best))
    place = scores[:, nodes, slot].argmin(axis=0)[:, None]
    at = np.stack([natural if order is None else np.argsort(order) for _, order in slots])[slot]  # each code's place
    left = np.where(ordered_slots[slot][:, None], at <= place, at != place)
    return Choice(best[nodes, slot] < np.inf, of_slot[slot], left)
