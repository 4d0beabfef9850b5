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
    lattice : m, bounds are told in steps of 1/m
    n_parties : K
    """

    costs: Costs
    bounds_share: float
    lattice: int
    n_parties: int

    def decide(self, nodes: Nodes, source: Source) -> Decided:
        """Bounds, histograms in the order of the bounds, and the best split of those that were looked at."""
        budget = float(self.costs.node) + nodes.saved
        p = self.grid.n_features
        rates = np.repeat(self.rate_of_bounds(budget)[:, None], p, axis=1)
        told = (local_bounds(self, nodes) + laplace_noise_of_rates(rates, 1, source)[0]) / self.lattice
        each = (1 - self.bounds_share) * budget / p
        shape = nodes.counts.shape
        cells = laplace_noise_of_rates(np.repeat(each[:, None], p, axis=1), shape[0] * shape[1], source).reshape(shape)
        cells += nodes.counts
        np.maximum(cells, 0, out=cells)
        cells *= nodes.inside
        sides, codes = self.search.sides(cells)
        rank = np.argsort(np.argsort(told, axis=1, kind="stable"), axis=1)
        visited = self.visited(told, rank, sides)
        choice = stopped(self.choose(sides, codes, visited, rank), self.stops(sides, visited))
        return Decided(choice, (p - visited.sum(axis=1)) * each)

    def rate_of_bounds(self, budget: Floats) -> Floats:
        """Of the noise of a bound, in steps: a record moves it by at most m steps, and p of them share ε_bounds."""
        return self.bounds_share * budget / (self.grid.n_features * self.lattice)

    def limits(self, sides: Sides, order: Indices) -> Floats:
        """What bounds are compared with after the first, the second, … feature in order, shape (N, p)."""
        return np.minimum.accumulate(np.take_along_axis(sides.best, order, axis=1), axis=1)

    def visited(self, told: Floats, rank: Indices, sides: Sides) -> Mask:
        """Which features are asked for, shape (N, p): all up to the first whose bound is above the limit."""
        order = np.argsort(rank, axis=1)
        limits = self.limits(sides, order)
        limits *= np.where(limits < np.inf, 1 + _EQUAL, 1)
        asked = np.ones(told.shape, dtype=bool)
        asked[:, 1:] = np.take_along_axis(told, order, axis=1)[:, 1:] <= limits[:, :-1] + _EQUAL
        return np.take_along_axis(np.logical_and.accumulate(asked, axis=1), rank, axis=1)

    def choose(self, sides: Sides, codes: dict[int, Indices], visited: Mask, rank: Indices) -> Choice:
        """The least n·G of the features that were asked for, ties to the first feature."""
        return self.search.choice(codes, *sides.least_left(allowed=visited))

    def stops(self, sides: Sides, visited: Mask) -> Mask:
        """As Algorithm 5 does, on what was asked for."""
        totals = (np.moveaxis(sides.left[:, -1], 0, -1) * visited[..., None]).astype(np.int64)
        seen = Level(totals, visited, np.arange(self.grid.n_features), 0.0)
        return stopping.as_printed(seen, self.least)

    def release(self, counts: Counts, saved: Floats, paid: int, source: Source) -> Floats:
        """Class counts with fresh noise, paid by what is left for the leaf."""
        rates = float(self.costs.of_leaf(paid)) + saved * self.costs.unspent_to_leaf
        return counts + laplace_noise_of_rates(rates, counts.shape[1], source).T


@dataclass(frozen=True)
class SavingAsPrinted(Saving):
    """Algorithm 6 to the letter, on clipped counts: :func:`fdpedu.bounds.fit_saving_tree_as_printed`.

    It costs more than it says: each bound is released with all of ε_bounds.
    """

    def rate_of_bounds(self, budget: Floats) -> Floats:
        """Each bound with all of ε_bounds."""
        return self.bounds_share * budget / self.lattice

    def limits(self, sides: Sides, order: Indices) -> Floats:
        """The least G so far times the latest feature's own n, and never more than before; ∞ where nothing counts."""
        n = np.take_along_axis(sides.n_left[-1], order, axis=1)
        best = np.take_along_axis(sides.best, order, axis=1) / np.maximum(n, 1)
        so_far = np.minimum.accumulate(best, axis=1)
        products = np.where((n > 0) & (so_far < np.inf), n, 1) * np.where(n > 0, so_far, np.inf)
        return np.minimum.accumulate(products, axis=1)

    def choose(self, sides: Sides, codes: dict[int, Indices], visited: Mask, rank: Indices) -> Choice:
        """The least G of the features that were asked for, ties to the one asked for first."""
        relative = np.where(visited, sides.best / np.maximum(sides.n_left[-1], 1), np.inf)
        least = relative.min(axis=1)
        ties = relative <= (least * (1 + _EQUAL))[:, None]
        feature = np.where(ties & visited, rank, rank.shape[1]).argmin(axis=1)
        own = Sides(sides.left[:, :, np.arange(len(feature)), feature][..., None])
        return self.search.choice(codes, own.least_left()[0], feature)


def local_bounds(plan: Saving, nodes: Nodes) -> Floats:
    """The sums of the parties' ⌊m·F⌋, F the least n·G of a feature's splits on a party's rows of a node: shape (N, p).

    The splits are all of the grid's, one without rows on one side among them. A party whose rows are of one class has
    F = 0 everywhere. Floors are those of the exact F where a party has at most about 10⁴ rows in a node.
    """
    grid, (_, _, n_nodes, p) = plan.grid, nodes.counts.shape
    pair, labels = nodes.parties * n_nodes + nodes.at, nodes.places[:, 0] // grid.most_codes
    pairs = plan.n_parties * n_nodes
    found = np.bincount(pair * grid.n_classes + labels, minlength=pairs * grid.n_classes).reshape(pairs, -1)
    mixed = np.flatnonzero(np.count_nonzero(found, axis=1) > 1)
    number = np.full(pairs, -1)
    number[mixed] = np.arange(len(mixed))
    rows = np.flatnonzero(number[pair] >= 0)
    counts = grid.count(nodes.places[rows], number[pair[rows]], len(mixed))
    sides, _ = plan.search.sides(counts.astype(np.float64))
    n = found[mixed].sum(axis=1)
    whole = (n * n - (found[mixed] ** 2).sum(axis=1)) / (2 * n)
    steps = plan.lattice * np.minimum(sides.best, whole[:, None])
    sums = np.zeros((n_nodes, p))
    np.add.at(sums, mixed % n_nodes, np.floor(steps + (1 + steps) * _STEP_ERROR))
    return sums
