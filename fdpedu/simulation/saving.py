"""Algorithm 6 for many nodes at once: lower bounds first, then histograms of the features that may be worth theirs.

In a tree that is grown, features are asked for one by one, until a bound is above what was found so far. Here the
histograms of all features are drawn, and those that would not have been asked for are not looked at: they are
independent of all others, so what is decided has the same law. In the order of the bounds the features that are removed
are the last ones.

Every node has a budget of its own, so noise is drawn by :func:`fdpedu.simulation.noise.laplace_noise_of_rates`, and
budgets are floats.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fdpedu.cart.split import Counts
from fdpedu.exact import as_indices, occurrences
from fdpedu.randomness import Source
from fdpedu.simulation.grid import Floats, Mask
from fdpedu.simulation.noise import laplace_noise_of_rates
from fdpedu.simulation.plan import Decided, Nodes, Plan, stopped
from fdpedu.simulation.search import Choice, Indices, Sides
from fdpedu.trees import stopping
from fdpedu.trees.costs import Costs
from fdpedu.trees.stopping import Level

_EQUAL = 1e-12  # floats that differ by less, relatively, are the same fraction
_STEP_ERROR = 2.0**-44  # so much a whole number of steps may be missed


@dataclass(frozen=True)
class Saving(Plan):
    """Algorithm 6, mended: :func:`fdpedu.bounds.fit_saving_tree`.

    Parameters
    ----------
    domain, depth, least : of any plan
    costs : of nodes and leaves, before anything is saved
    bounds_share : the part of a node's budget that is for bounds
    lattice : m, bounds are reported in steps of 1/m
    n_parties : K
    """

    costs: Costs
    bounds_share: float
    lattice: int
    n_parties: int

    def decide(self, nodes: Nodes, source: Source) -> Decided:
        """Bounds, histograms in the order of the bounds, and the best split of those that were looked at."""
        budget, p = float(self.costs.node) + nodes.saved, self.grid.n_features
        # a record moves a bound by at most m steps, and p bounds share ε_bounds (lem-lattice-bound)
        rates = np.repeat((self.bounds_share * budget / (p * self.lattice))[:, None], as_indices(p), axis=1)
        bounds = (local_bounds(self, nodes) + laplace_noise_of_rates(rates, 1, source)[0]) / self.lattice
        each = (1 - self.bounds_share) * budget / p
        shape = nodes.counts.shape
        cells = laplace_noise_of_rates(
            np.repeat(each[:, None], as_indices(p), axis=1), shape[0] * shape[1], source
        ).reshape(shape)
        cells += nodes.counts
        np.maximum(cells, 0, out=cells)
        cells *= nodes.inside
        sides, codes = self.search.sides(cells)
        # lem-unvisited: features that are not asked for are not looked at, and independent of those that are
        asked = visited(bounds, self.search.by_feature(sides.best))
        choice = self.choose(sides, codes, asked)
        return Decided(stopped(choice, self.stops(sides, asked)), (p - asked.sum(axis=1)) * each)

    def choose(self, sides: Sides, codes: dict[int, Indices], asked: Mask) -> Choice:
        """The split with the least n·G of the features that were asked for, shape (N, p)."""
        return self.search.choice(codes, *sides.least_left(allowed=asked[:, self.search.feature_of]))

    def stops(self, sides: Sides, asked: Mask) -> Mask:
        """As Algorithm 5 does, on what was asked for."""
        totals = (np.moveaxis(sides.left[:, -1][..., self.search.first_slot], 0, -1) * asked[..., None]).astype(
            np.int64
        )
        seen = Level(totals, asked, np.arange(self.grid.n_features, dtype=np.int64), 0.0)
        return stopping.as_printed(seen, self.least)

    def release(self, counts: Counts, saved: Floats, paid: int, source: Source) -> Floats:
        """Class counts with fresh noise, paid by what is left for the leaf."""
        rates = float(self.costs.of_leaf(paid)) + saved
        return counts + laplace_noise_of_rates(rates, counts.shape[1], source).T


def visited(bounds: Floats, least: Floats) -> Mask:
    """Which features are asked for: in the order of their bounds, all up to the first whose bound is above the limit.

    The limit is the least n·G of the features before.

    Parameters
    ----------
    bounds : noisy lower bounds, shape (N, p)
    least : the least n·G of each feature's splits, ∞ where it has none, shape (N, p)

    Examples
    --------
    >>> visited(np.array([[2.0, 0, 3]]), np.array([[4.0, 2.5, 1]]))
    array([[ True,  True, False]])
    """
    order = np.argsort(bounds, axis=1, kind="stable")
    limits = np.minimum.accumulate(np.take_along_axis(least, order, axis=1), axis=1)
    limits *= np.where(limits < np.inf, 1 + _EQUAL, 1)
    asked, found = np.ones(bounds.shape, dtype=bool), np.empty(bounds.shape, dtype=bool)
    asked[:, 1:] = np.take_along_axis(bounds, order, axis=1)[:, 1:] <= limits[:, :-1] + _EQUAL
    np.put_along_axis(found, order, np.logical_and.accumulate(asked, axis=1), axis=1)
    return found


def local_bounds(plan: Saving, nodes: Nodes) -> Floats:
    """The sums of the parties' ⌊m·F⌋, F the least n·G of a feature's splits on a party's rows of a node: shape (N, p).

    The splits are all of the grid's, one without rows on one side among them. A party whose rows are of one class has
    F = 0 everywhere. Floors are those of the exact F where a party has at most about 10⁴ rows in a node.
    """
    grid, (_, _, n_nodes, p) = plan.grid, nodes.counts.shape
    pair, labels = nodes.parties * n_nodes + nodes.at, nodes.places[:, 0] // grid.most_codes
    pairs = plan.n_parties * n_nodes
    found = occurrences(pair * grid.n_classes + labels, pairs * grid.n_classes).reshape(pairs, -1)
    mixed = np.flatnonzero(np.count_nonzero(found, axis=1) > 1)
    number = np.full(pairs, -1)
    number[mixed] = np.arange(len(mixed), dtype=np.int64)
    rows = np.flatnonzero(number[pair] >= 0)
    counts = grid.count(nodes.places[rows], number[pair[rows]], len(mixed))
    sides, _ = plan.search.sides(counts.astype(np.float64))
    n = found[mixed].sum(axis=1)
    whole = (n * n - (found[mixed] ** 2).sum(axis=1)) / (2 * n)
    steps = plan.lattice * np.minimum(plan.search.by_feature(sides.best), whole[:, None])
    sums = np.zeros((n_nodes, p))
    np.add.at(sums, mixed % n_nodes, np.floor(steps + (1 + steps) * _STEP_ERROR))
    return sums
