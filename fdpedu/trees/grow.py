"""Algorithm 5: grow a tree level by level, each level from one round of released counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice

import numpy as np

from fdpedu.accounting import BudgetExceeded
from fdpedu.cart import GridSearch
from fdpedu.dlpa import count_noise_shares
from fdpedu.exact import Integers, Rate, Rational, as_integer, require_callable, require_type
from fdpedu.federation import ClassCounts, Federation, Query
from fdpedu.federation.endpoint import MAX_QUERIES
from fdpedu.federation.federation import Progress
from fdpedu.randomness import Rng, Source
from fdpedu.showing import TerminalBar
from fdpedu.trees.costs import Costs
from fdpedu.trees.counts import View, built, estimates_and_counts, in_order
from fdpedu.trees.design import Design, find_design
from fdpedu.trees.growing import Growing
from fdpedu.trees.leaf_release import LeafRelease
from fdpedu.trees.node_limit import NodeLimit
from fdpedu.trees.pruning import pruned_node
from fdpedu.trees.stopping import Level, noise_deviation
from fdpedu.trees.subset import drawn_features, public_coins
from fdpedu.trees.tree import Tree

MAX_DEPTH = 64  # deeper trees than any data fill; a derivation must not be nested without bound


def fit_federated_tree(
    federation: Federation,
    *,
    max_depth: int = 3,
    min_samples_split: int = 10,
    leaf_share: Rational = "1/2",
    epsilon: Rational | None = None,
    unspent_to_leaf: bool | None = None,
    design: str | Design = "default",
    progress: Progress | None = None,
    rng: Rng = None,
) -> Tree:
    """Grow one decision tree together; returns it with its derivation.

    Claims: thm-federated-tree, lem-grid-limit

    Parameters
    ----------
    federation : parties, domain and ledger
    max_depth : d, from 0 to 64; there are no more nodes than can be asked about and written down
        (:mod:`fdpedu.trees.node_limit`)
    min_samples_split : a node with fewer rows, as far as the noise lets one tell, becomes a leaf (the report's
        min_samples_leaf)
    leaf_share : the part of ε kept for leaf counts, strictly between 0 and 1
    epsilon : what this tree may cost; all that the ledger has left unless given
    unspent_to_leaf : give an early leaf the node budget that its depth did not use (False: the report's ε_leaf);
        as the design says unless given
    design : what is made of the released counts: a name of :data:`DESIGNS`, or a :class:`Design`
    progress : called with the number of answers so far and the most that there may be; unless given, a fit of more
        than three seconds shows a bar where standard error is a terminal
    rng : public coins, by which a design with ``features_per_node`` draws the features of a node; None for the
        operating system's. They hide nothing, so a generator is as good

    Raises
    ------
    BudgetExceeded
        If ``epsilon`` is more than the ledger has left; then nothing is released.
    ValueError
        If a release would cost so little that its noise cannot be drawn; before anything is charged.
    """
    require_type(federation, Federation, "federation")
    grown_by, coins = _design(design, unspent_to_leaf), public_coins(rng)
    depth = as_integer(max_depth, "max_depth", minimum=0)
    if depth > MAX_DEPTH:
        raise ValueError(f"max_depth must be at most {MAX_DEPTH}, got {depth}")
    least = as_integer(min_samples_split, "min_samples_split", minimum=0, maximum=2**62)
    if progress is not None:
        require_callable(progress, "progress")
    to_leaf, fresh = grown_by.unspent_to_leaf, grown_by.fresh_leaves
    remaining = federation.ledger.remaining()
    costs = Costs.within(remaining, epsilon, leaf_share, depth, unspent_to_leaf=to_leaf, fresh_leaves=fresh)
    growth = Growth(federation, grown_by, costs, least, coins)
    report = TerminalBar("growing a tree") if progress is None else progress
    while growth.level or growth.waiting:
        answers = growth.ask(report)
        tables = growth.read(answers)
        growth.split(tables)
    report(1, 1)
    return growth.finish()


def _design(design: str | Design, unspent_to_leaf: bool | None) -> Design:
    """The design of that name, or the design itself, with what is asked for beside it."""
    found = find_design(design)
    return found if unspent_to_leaf is None else replace(found, unspent_to_leaf=unspent_to_leaf)


@dataclass
class Growth:
    """A tree while it grows: the open nodes of a level, and the leaves that wait for counts of their own.

    Each round is one :meth:`ask`, one :meth:`read` and one :meth:`split`; :meth:`finish` makes the tree. ``level`` are
    the open nodes, ``depth`` is theirs and the number of rounds that are over; ``waiting`` are leaves with the cost of
    their counts.

    Parameters
    ----------
    federation : whom to ask
    design : how leaves and splits are chosen
    costs : of the histograms of a node, and of the counts of a leaf
    least : rows; a node with fewer, as far as the design can tell, becomes a leaf
    coins : public
    """

    federation: Federation
    design: Design
    costs: Costs
    least: int
    coins: Source
    level: list[Growing] = field(default_factory=list, init=False)
    waiting: list[tuple[Growing, Fraction]] = field(default_factory=list, init=False)
    depth: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        domain = self.federation.domain
        self.search, self.drawn = GridSearch(domain), self.design.histograms_per_node(domain.n_features)
        self.costs.require_drawable(self.drawn)
        self.limit = NodeLimit.of(self.federation, self.costs, self.drawn)
        self.account = f"tree that begins after round {self.federation.ledger.rounds}"
        self.rounds_before = self.federation.rounds
        self.root = Growing(domain.everything)
        self._enter([self.root], 0)

    def ask(self, progress: Progress) -> list[Integers]:
        """One round: histograms for the open nodes, class counts for the waiting leaves; the answers in this order."""
        n_features, asked = self.federation.domain.n_features, list[Query]()
        for node in self.level:
            # lem-feature-subset: drawn by public coins, before any record of the node is counted
            node.features = drawn_features(node.region, self.drawn, self.coins) if self.drawn < n_features else None
            asked += node.queries(self.costs.node)
        asked += [ClassCounts(leaf.region, epsilon) for leaf, epsilon in self.waiting]
        with _adding_what_is_paid(self.depth):
            return self.federation.release(asked, self.account, answered=self._part_of_all(progress))

    def read(self, answers: Sequence[Integers]) -> Integers:
        """Keep the counts of the leaves; returns a table for each open node, shape (nodes, Σ codes, classes)."""
        left = iter(answers)
        tables = [node.table(list(islice(left, node.n_queries)), self.search.sizes) for node in self.level]
        for (leaf, epsilon), answer in zip(self.waiting, left, strict=True):
            leaf.views.append(View(answer, self._noise(epsilon) ** 2))
            leaf.release = LeafRelease(leaf.region, tuple(answer.tolist()), epsilon)
        return np.array(tables)

    def split(self, tables: Integers) -> None:
        """Split the open nodes and go on with their sides; a node that is not split waits for counts of its own."""
        below, fresh = self._sides(tables) if self.level else [], self.design.fresh_leaves
        leaves = [node for node in self.level if fresh and node.chosen is None]
        # lem-unspent-leaf: a leaf may cost what its path has not paid
        self.waiting = [(leaf, self.costs.of_leaf(self.depth + 1)) for leaf in leaves]
        self._enter(below, self.depth + 1)

    def finish(self) -> Tree:
        """The tree with counts that add up: from all that was released of its nodes, post-processing."""
        federation, design = self.federation, self.design
        nodes, parents = in_order(self.root, lambda node: node.sides)
        # lem-consistency-free: a function of what was released and of what is public
        estimates, counts = estimates_and_counts(parents, [node.views for node in nodes])
        own = estimates if design.consistent else [_in_thousandths(node.views[-1]) for node in nodes]
        grown, domain = built(parents, [node.chosen for node in nodes], counts, own), federation.domain
        return Tree(
            pruned_node(grown) if design.prune else grown,
            domain.classes,
            tuple(feature.name for feature in domain.features),
            domain,
            derivation=federation.ledger.derivation(),
            rounds=federation.rounds - self.rounds_before,
            design=design,
            leaf_releases=self.root.releases(),
            n_parties=federation.n_parties,
            tolerate=federation.tolerate,
        )

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
        most = min(
            MAX_QUERIES // (2 * self.level[0].n_queries),  # the next round is one request
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

    def _seen(self, tables: Integers) -> Level:
        """What was released of the open nodes, as rules see it."""
        inside = np.array([node.inside(self.search.sizes) for node in self.level])
        tables *= inside[:, :, None]  # cells outside the node's region hold noise and no record, which is public
        return Level(tables, inside, self.search.first, self._noise(self.costs.node / self.drawn))

    def _noise(self, rate: Fraction) -> float:
        """The standard deviation of the noise of a cell that is released at a rate."""
        parties = self.federation.n_parties
        return noise_deviation(Rate(rate=rate), parties, count_noise_shares(parties, self.federation.tolerate))

    def _part_of_all(self, progress: Progress) -> Progress:
        """Progress of this round as progress of the whole tree."""
        rounds = self.costs.depth + self.design.fresh_leaves
        return lambda done, of: progress(self.depth * of + done, rounds * of)


def _in_thousandths(view: View) -> tuple[float, ...]:
    """The counts of a view: integers as they are, means to three decimals."""
    whole = np.issubdtype(view.counts.dtype, np.integer)
    return tuple((view.counts if whole else view.counts.round(3) + 0.0).tolist())


@contextmanager
def _adding_what_is_paid(rounds: int) -> Iterator[None]:
    """Add what was already paid to BudgetExceeded: another program may have spent what the tree still needs."""
    try:
        yield
    except BudgetExceeded as refusal:
        if not rounds:
            raise
        before = f"what this tree has charged in {rounds} round{'s' * (rounds > 1)} stays paid (Ledger.spent)"
        raise BudgetExceeded(f"{refusal}; {before}. Somebody else charged the same budget in the meantime") from None
