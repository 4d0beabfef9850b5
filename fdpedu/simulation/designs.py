"""Trees from noisy histograms: Algorithm 5 in all its designs (:mod:`fdpedu.trees`), for many nodes at once.

The stopping rules, the clipping and what a design costs are those of the trees themselves: the same functions. They
look at the class totals of each feature only, so a feature's codes are added up first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from fdpedu.accounting import Cost
from fdpedu.accounting.cost import PURE
from fdpedu.cart import CodeSplit, GridSearch
from fdpedu.cart.split import Counts
from fdpedu.exact import Rate
from fdpedu.histograms import clip
from fdpedu.randomness import Source
from fdpedu.simulation.grid import Floats, Mask
from fdpedu.simulation.noise import noise_scale, summed_noise
from fdpedu.simulation.plan import Decided, Nodes, Plan, Views, stopped
from fdpedu.simulation.search import Choice, Indices
from fdpedu.trees import Design, stopping
from fdpedu.trees.costs import Costs
from fdpedu.trees.counts import UNKNOWN
from fdpedu.trees.stopping import Level

_BY_TOTALS = (stopping.never, stopping.confident, stopping.averaged)


@dataclass(frozen=True)
class Noisy(Plan):
    """A tree of :func:`fdpedu.trees.fit_federated_tree`.

    Parameters
    ----------
    domain, depth, least : of any plan
    design : what is made of noisy counts
    costs : of nodes and leaves
    n_parties, tolerate : K, and how many shares may be missing from the noise
    """

    design: Design
    costs: Costs
    n_parties: int
    tolerate: int

    @cached_property
    def n_drawn(self) -> int:
        """q, how many histograms share the cost of a node."""
        return self.design.histograms_per_node(self.grid.n_features)

    @cached_property
    def cell_rate(self) -> Rate | Cost:
        """The rate of a cell's noise, or its cost in ρ; defined only where there are histograms."""
        return self._rate(self.costs.node / self.n_drawn)

    def _rate(self, value: Fraction) -> Rate | Cost:
        """The rate of noise in a release of sensitivity 1 that costs so much; in ρ the cost itself."""
        return Rate(rate=value) if self.costs.measure == PURE else self.costs.paid(value)

    def deviation(self, rate: Rate | Cost) -> float:
        """The standard deviation of the noise of a cell that is released at a rate, or at a cost in ρ."""
        return noise_scale(rate, self.n_parties, self.tolerate)

    def decide(self, nodes: Nodes, source: Source) -> Decided:
        """Add the noise, then stop or split as the design says."""
        asked = self.asked(nodes.inside, source)
        cells = self.noisy(nodes.counts, self.cell_rate, source)
        cells *= asked
        return self.learnt(nodes, cells, asked, *self.judged(cells, asked))

    def learnt(self, nodes: Nodes, cells: Floats, asked: Mask, choice: Choice, views: Views) -> Decided:
        """The decision with what later reads of the totals."""
        return Decided(choice, nodes.saved, views if self.reconciles else None)

    def noisy(self, counts: Counts, rate: Rate | Cost, source: Source) -> Floats:
        """Counts with fresh noise of that rate."""
        noise = summed_noise(rate, self.n_parties, self.tolerate, counts.size, source).reshape(counts.shape)
        noise += counts
        return noise

    def judged(self, cells: Floats, asked: Mask) -> tuple[Choice, Views]:
        """What becomes of nodes with these noisy cells (0 where nothing was asked), and what their totals are."""
        seen = self.seen(cells, asked)
        return stopped(self.best(cells, asked), self.design.stop(seen, self.least)), Views(*seen.best_totals())

    def asked(self, inside: Mask, source: Source) -> Mask:
        """The codes in each node of the features that it asks for: q drawn by coins, wide ones first."""
        if self.n_drawn == self.grid.n_features:
            return inside
        codes = inside.sum(axis=0)
        keys = (source.words(codes.size) >> np.uint64(11)).reshape(codes.shape) * 2.0**-53 + (codes <= 1)
        drawn = np.argsort(np.argsort(keys, axis=1, kind="stable"), axis=1) < self.n_drawn
        return inside & drawn

    def seen(self, cells: Floats, asked: Mask) -> Level:
        """The nodes as a stopping rule sees them: by the totals of each feature, where the rule needs no more."""
        rule, deviation = self.design.stop, self.deviation(self.cell_rate)
        if rule in (*_BY_TOTALS, stopping.as_printed):
            shown = np.maximum(cells, 0) if rule is stopping.as_printed else cells
            codes: Any = asked.sum(axis=0)
            totals = np.moveaxis(shown.sum(axis=1), 0, -1).astype(np.int64)
            return Level(totals, codes, np.arange(self.grid.n_features, dtype=np.int64), deviation)
        return Level(*self.tables(cells, asked), np.cumsum([0, *self.grid.sizes[:-1]], dtype=np.int64), deviation)

    def tables(self, cells: Floats, asked: Mask) -> tuple[Counts, Mask]:
        """The cells of each node, and which were asked for, code after code of feature after feature."""
        there = np.arange(self.grid.most_codes, dtype=np.int64) < self.grid.sizes[:, None]
        return cells.transpose(2, 3, 1, 0)[:, there].astype(np.int64), asked.transpose(1, 2, 0)[:, there]

    def best(self, cells: Floats, asked: Mask) -> Choice:
        """The best split of each node as the design compares them."""
        design = self.design
        if design.own_comparison:
            return self.chosen(
                design.best_splits(*self.tables(cells, asked), self.grid_search, self.deviation(self.cell_rate))
            )
        counts: Any = clip(cells) if design.clip else cells  # type: ignore[arg-type]  # floats that hold integers
        return self.search.best(counts, relative=design.relative, shrink=design.shrink * self.deviation(self.cell_rate))

    @cached_property
    def grid_search(self) -> GridSearch:
        """The search of the trees, for designs that compare splits in a way of their own."""
        return GridSearch(self.domain)

    def chosen(self, splits: Sequence[CodeSplit | None]) -> Choice:
        """The splits of a release, one or none for each node, as a choice."""
        left = np.zeros((len(splits), self.grid.most_codes), dtype=bool)
        for node, split in enumerate(splits):
            left[node, [] if split is None else [*split.left]] = True
        found = np.array([split is not None for split in splits], dtype=bool)
        return Choice(found, np.array([split.feature if split else 0 for split in splits], dtype=np.int64), left)

    def release(self, counts: Counts, saved: Floats, paid: int, source: Source) -> Floats:
        """Class counts with fresh noise of what is left for a leaf."""
        return self.noisy(counts, self.leaf_rate(paid), source)

    def leaf_rate(self, paid: int) -> Rate | Cost:
        """The rate of the noise in a leaf's counts, or their cost in ρ, given how many levels were paid on its path."""
        return self._rate(self.costs.of_leaf(paid))

    @property
    def reconciles(self) -> bool:
        """As the design says."""
        return self.design.consistent

    def leaf_variance(self, paid: int) -> float:
        """The variance of the noise in each count of a leaf."""
        return self.deviation(self.leaf_rate(paid)) ** 2


@dataclass(frozen=True)
class Screened(Noisy):
    """A design that asks below the root only for the features of largest noisy gain there."""

    @cached_property
    def at(self) -> tuple[Noisy, ...]:
        """What each level is like: its cost, and how many histograms share it."""
        numbers = [self.design.histograms_at(level, self.grid.n_features) for level in range(self.depth)]
        return tuple(
            Noisy(
                *(self.domain, self.depth, self.least),
                replace(self.design, keep=None, features_per_node=number),
                replace(self.costs, node=self.costs.of_level(level), levels=()),
                *(self.n_parties, self.tolerate),
            )
            for level, number in enumerate(numbers)
        )

    def decide(self, nodes: Nodes, source: Source) -> Decided:
        """As other designs do, on what the root has left to ask for; a root tells what that is."""
        here = self.at[nodes.level]
        asked = nodes.inside if nodes.told is None else nodes.inside & (nodes.told > 0)
        cells = here.noisy(nodes.counts, here.cell_rate, source)
        cells *= asked
        choice, views = here.judged(cells, asked)
        told = self.kept(np.maximum(cells, 0), here) if nodes.told is None else nodes.told
        return self.learnt(nodes, cells, asked, choice, views)._replace(told=told.repeat(2, axis=0))

    def kept(self, cells: Floats, root: Noisy) -> Indices:
        """For each root 1 for the features of largest gain, ties to the first, and 0 for others: shape (N, p)."""
        keep = self.design.histograms_at(1, self.grid.n_features)
        sides, _ = self.search.sides(cells)
        with np.errstate(divide="ignore", invalid="ignore"):
            gains = sides.gains(self.design.shrink * root.deviation(root.cell_rate)).max(axis=0)
        order = np.argsort(self.search.by_feature(-gains), axis=1, kind="stable")
        kept = np.zeros(order.shape, dtype=np.int64)
        np.put_along_axis(kept, order[:, :keep], 1, axis=1)
        return kept


@dataclass(frozen=True)
class Reusing(Noisy):
    """A design whose leaves have no counts of their own: they read the histograms of their node, or of its parent."""

    def learnt(self, nodes: Nodes, cells: Floats, asked: Mask, choice: Choice, views: Views) -> Decided:
        """At the last level the sides have the chosen histogram, and the node the others."""
        if not nodes.deepest:
            return Decided(choice, nodes.saved, views)
        variance, here = self.deviation(self.cell_rate) ** 2, np.arange(len(choice.found), dtype=np.int64)
        chosen, codes = cells[:, :, here, choice.feature], asked[:, here, choice.feature].T
        sides = np.stack([codes & choice.left, codes & ~choice.left], axis=1).reshape(-1, codes.shape[1])
        counts = np.einsum("cbn,nsb->nsc", chosen, sides.reshape(len(here), 2, -1)).reshape(-1, len(chosen))
        known = Views(counts, variance * sides.sum(axis=1))
        return Decided(choice, nodes.saved, self._others(cells, asked, choice, views, variance), known)

    @staticmethod
    def _others(cells: Floats, asked: Mask, choice: Choice, views: Views, variance: float) -> Views:
        """The totals of each node that is split, from the histograms that were not chosen; those of the others stay."""
        codes = asked.sum(axis=0)
        weights = np.where(codes > 0, 1 / np.maximum(codes, 1), 0)
        weights[np.arange(len(codes), dtype=np.int64), choice.feature] *= ~choice.found
        all_weights, totals = weights.sum(axis=1), cells.sum(axis=1)
        known = np.maximum(all_weights, variance / UNKNOWN)
        means = np.einsum("np,cnp->nc", weights, totals) / known[:, None]
        split = choice.found
        return Views(np.where(split[:, None], means, views.counts), np.where(split, variance / known, views.variance))

    def release(self, counts: Counts, saved: Floats, paid: int, source: Source) -> Floats:
        """Nothing is released."""
        return np.zeros(counts.shape)

    def leaf_variance(self, paid: int) -> float:
        """Nothing is known from this."""
        return np.inf
