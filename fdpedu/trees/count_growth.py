"""A tree of noisy counts, grown level by level, each level from one round of released counts: Algorithm 5."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fdpedu.cart import CodeSplit, GridSearch
from fdpedu.cart.split import Counts
from fdpedu.dlpa import count_noise_shares
from fdpedu.exact import Integers
from fdpedu.federation import ClassCounts, Query
from fdpedu.federation.asker import Asker, Progress
from fdpedu.federation.endpoint import MAX_QUERIES
from fdpedu.randomness import Source
from fdpedu.trees import stopping
from fdpedu.trees.account import Account
from fdpedu.trees.cell_noise import cell_deviation
from fdpedu.trees.costs import Costs
from fdpedu.trees.counts import View, built, estimates_and_counts, in_order
from fdpedu.trees.growing import Growing
from fdpedu.trees.leaf_release import LeafRelease
from fdpedu.trees.node_limit import NodeLimit
from fdpedu.trees.protocol import Grown
from fdpedu.trees.pruning import pruned_node
from fdpedu.trees.stopping import Level
from fdpedu.trees.subset import drawn_features


class Counting(Protocol):
    """What growth has to know of a :class:`fdpedu.trees.Design`."""

    @property
    def stop(self) -> stopping.Rule: ...
    @property
    def consistent(self) -> bool: ...
    @property
    def fresh_leaves(self) -> bool: ...
    @property
    def prune(self) -> bool: ...
    @property
    def keep(self) -> int | None: ...
    def histograms_at(self, level: int, n_features: int) -> int: ...
    def best_splits(
        self, tables: Counts, inside: NDArray[np.bool_], search: GridSearch, deviation: float
    ) -> list[CodeSplit | None]: ...
    def kept_features(self, table: Counts, search: GridSearch, deviation: float) -> tuple[int, ...]: ...


@dataclass
class CountGrowth:
    """A tree while it grows: the open nodes of a level, and the leaves that wait for counts of their own.

    Each round is one :meth:`ask`, one :meth:`read` and one :meth:`split`; :meth:`finish` makes the tree. ``level`` are
    the open nodes, ``depth`` is theirs and the number of rounds that are over; ``waiting`` are leaves with the cost of
    their counts; ``kept`` are the features that a screening design still asks for below the root.

    Parameters
    ----------
    federation : whom to ask; a curator of all rows is as good
    design : how leaves and splits are chosen
    costs : of the histograms of a node, and of the counts of a leaf
    least : rows; a node with fewer, as far as the design can tell, becomes a leaf
    coins : public
    """

    federation: Asker
    design: Counting
    costs: Costs
    least: int
    coins: Source
    level: list[Growing] = field(default_factory=list, init=False)
    waiting: list[tuple[Growing, Fraction]] = field(default_factory=list, init=False)
    depth: int = field(default=0, init=False)
    kept: tuple[int, ...] | None = field(default=None, init=False)
    above: list[tuple[Growing, Counts, float]] = field(default_factory=list, init=False)  # tables of the last level

    def __post_init__(self) -> None:
        domain, levels = self.federation.domain, range(max(1, self.costs.depth))
        drawn = [self.design.histograms_at(level, domain.n_features) for level in levels]
        self.search, self.drawn_at = GridSearch(domain), drawn
        self.limit = NodeLimit.of(self.federation, self.costs, *drawn)
        self.costs.require_xi(count_noise_shares(self.federation.n_parties, self.federation.tolerate), *drawn)
        self.account = Account(self.federation)
        self.root = Growing(domain.everything)
        self._enter([self.root], 0)

    @property
    def goes_on(self) -> bool:
        """Whether nodes are open, or leaves wait for their counts."""
        return bool(self.level or self.waiting)

    def round(self, progress: Progress) -> None:
        """Ask, read and split."""
        answers = self.ask(progress)
        tables = self.read(answers)
        self.split(tables)

    @property
    def drawn(self) -> int:
        """How many histograms share the cost of a node of the open level."""
        return self.drawn_at[self.depth]

    def ask(self, progress: Progress) -> list[Integers]:
        """One round: histograms for the open nodes, class counts for the waiting leaves; the answers in this order."""
        n_features, asked = self.federation.domain.n_features, list[Query]()
        for node in self.level:
            if self.kept is not None:
                node.features = self.kept
            else:
                # lem-feature-subset: drawn by public coins, before any record of the node is counted
                node.features = drawn_features(node.region, self.drawn, self.coins) if self.drawn < n_features else None
            asked += node.queries(self.costs.paid(self.costs.of_level(self.depth)))
        asked += [ClassCounts(leaf.region, self.costs.paid(value)) for leaf, value in self.waiting]
        return self.account.release(asked, answered=self._part_of_all(progress))

    def read(self, answers: Sequence[Integers]) -> Integers:
        """Keep the counts of the leaves; returns a table for each open node, shape (nodes, Σ codes, classes)."""
        left = iter(answers)
        tables = [node.table(list(islice(left, node.n_queries)), self.search.sizes) for node in self.level]
        for (leaf, value), answer in zip(self.waiting, left, strict=True):
            leaf.views.append(View(answer, self._noise(value) ** 2))
            leaf.release = LeafRelease(leaf.region, tuple(answer.tolist()), self.costs.paid(value))
        return np.array(tables)

    def split(self, tables: Integers) -> None:
        """Split the open nodes and go on with their sides; a node that is not split waits for counts of its own."""
        below, fresh = self._sides(tables) if self.level else [], self.design.fresh_leaves
        if self.level:
            variance = self._noise(self.costs.of_level(self.depth) / self.drawn) ** 2
            self.above = [(node, table, variance) for node, table in zip(self.level, tables, strict=True)]
        leaves = [node for node in self.level if fresh and node.chosen is None]
        # lem-unspent-leaf: a leaf may cost what its path has not paid
        self.waiting = [(leaf, self.costs.of_leaf(self.depth + 1)) for leaf in leaves]
        self._enter(below, self.depth + 1)

    def finish(self) -> Grown:
        """The tree with counts that add up: from all that was released of its nodes, post-processing."""
        design = self.design
        self._read_what_waits()
        nodes, parents = in_order(self.root, lambda node: node.sides)
        # lem-consistency-free: a function of what was released and of what is public
        estimates, counts = estimates_and_counts(parents, [node.views for node in nodes])
        own = estimates if design.consistent else [in_thousandths(node.views[-1]) for node in nodes]
        grown = built(parents, [node.chosen for node in nodes], counts, own)
        return Grown(pruned_node(grown) if design.prune else grown, self.root.releases())

    def _read_what_waits(self) -> None:
        """Let nodes of which nothing was released yet have what the histograms of their parents hold of them."""
        for node, table, variance in self.above:
            if not all(side.views for side in node.sides):
                node.read_sides(table, self.search.first, variance)

    def _enter(self, nodes: list[Growing], depth: int) -> None:
        """Open the nodes at a depth; at full depth they are leaves."""
        self.level, self.depth = nodes, depth
        if depth == self.costs.depth:
            self.level = []
            if self.design.fresh_leaves:
                self.waiting += [(node, self.costs.of_leaf(depth)) for node in nodes]

    def _sides(self, tables: Integers) -> list[Growing]:
        """Decide from released counts alone which nodes are split, and how: post-processing. Returns their sides."""
        # thm-federated-tree: decided from what has been released, and from nothing else
        seen = self._seen(tables)
        going_on = np.flatnonzero(~self.design.stop(seen, self.least))
        for node, totals, variance in zip(self.level, *seen.best_totals(), strict=True):
            node.views.append(View(totals, variance))
        splits = self.design.best_splits(tables[going_on], seen.inside[going_on], self.search, seen.deviation)
        if self.design.keep is not None and self.kept is None and self.drawn > self.design.keep:
            # lem-screening-free: chosen from the released counts of the root
            self.kept = self.design.kept_features(tables[0], self.search, seen.deviation)
        most = min(
            MAX_QUERIES // (2 * self._queries_below()),  # the next round is one request
            self.limit.below(len(self.level), self.depth + 1),
        )
        below = list[Growing]()
        for i, chosen in zip(going_on.tolist(), splits, strict=True):
            if chosen is not None and len(below) + 2 <= most:
                # lem-filter: the regions of both sides follow from released counts
                below += self.level[i].split(chosen)
        if not self.design.fresh_leaves and self.depth + 1 == self.costs.depth:
            for node, table in zip(self.level, tables, strict=True):
                node.read_sides(table, self.search.first, seen.deviation**2)
        return below

    def _queries_below(self) -> int:
        """How many queries a node of the next level asks."""
        return self.level[0].n_queries if self.kept is None else len(self.kept)

    def _seen(self, tables: Integers) -> Level:
        """What was released of the open nodes, as rules see it."""
        inside = np.array([node.inside(self.search.sizes) for node in self.level])
        tables *= inside[:, :, None]  # cells outside the node's region hold noise and no record, which is public
        return Level(tables, inside, self.search.first, self._noise(self.costs.of_level(self.depth) / self.drawn))

    def _noise(self, value: Fraction) -> float:
        """The standard deviation of the noise of a cell that is released at this cost."""
        parties = self.federation.n_parties
        shares = count_noise_shares(parties, self.federation.tolerate)
        return cell_deviation(self.costs.paid(value), parties, shares)

    def _part_of_all(self, progress: Progress) -> Progress:
        """Progress of this round as progress of the whole tree."""
        rounds = self.costs.depth + self.design.fresh_leaves
        return lambda done, of: progress(self.depth * of + done, rounds * of)


def in_thousandths(view: View) -> tuple[float, ...]:
    """The counts of a view: integers as they are, means to three decimals."""
    whole = np.issubdtype(view.counts.dtype, np.integer)
    return tuple((view.counts if whole else view.counts.round(3) + 0.0).tolist())
