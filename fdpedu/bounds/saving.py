"""Algorithm 6, mended: a node asks for lower bounds first, and then only for histograms that may be worth their ε.

The report's Algorithm 6 inside the recursion of Algorithm 5 (:mod:`fdpedu.trees.recursive`). A node has ε_node and what
its parent has saved. A share of it pays for the parties' lower bounds of all p features, in one release that is charged
p times the rate of each (the report charges it once). The rest is for p histograms. They are asked for one by one, the
feature of the lowest bound first, until a bound is above the least n·G seen so far: that feature is *removed*, and so
are all after it. What they would have cost goes to both children: a record is in one of them, and which regions and
costs come next may depend on what was released (filter lemma).

Two more differences to the print. Bounds are compared with the n·G of the split that left it, of its own feature's
counts; the report multiplies the least G by the total of another feature, whose noise is another. And equal splits go
to the first feature in the domain's order, whichever was asked for first.

A tree of depth d takes at most (2^d − 1)·(p + 1) + 2^d rounds: whether a histogram is asked for is known only after
the one before it.

Guarantee: ε-DP for adding or removing one record, against an outsider and ``federation.tolerate`` colluders; integers.
Running time is not covered.

Claims: thm-saving-tree
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import add
from typing import Any, NamedTuple

import numpy as np

from fdpedu.bounds.saving_costs import Plan
from fdpedu.bounds.saving_report import NodeSaving, Savings, SavingTree
from fdpedu.cart import CodeSplit, GridSearch, Node, exact_scaled_half_gini
from fdpedu.cart.split import Counts
from fdpedu.domain import BY_VOTES, Region, require_classes
from fdpedu.exact import Rational
from fdpedu.federation import ClassCounts, ClassHistogram, NodeBounds
from fdpedu.federation.asker import Asker
from fdpedu.histograms import clip
from fdpedu.trees import LeafRelease
from fdpedu.trees.account import Account
from fdpedu.trees.recursive import FitTreeRecursive
from fdpedu.trees.replay import Replay, with_leaves

NOTHING, NO_SPLIT = Fraction(0), math.inf
Impurity = Fraction | float  # a float only where there is no split: ∞


class Found(NamedTuple):
    """The best split of one feature: the n·G that it leaves, and the codes that go left."""

    impurity: Fraction
    feature: int
    left: frozenset[int]


@dataclass(frozen=True)
class FitSavingTree(FitTreeRecursive):
    """The procedure of Algorithm 5, whose nodes are split by Algorithm 6."""

    bounds_share: Fraction
    lattice: int
    most_nodes: int  # with bounds; the derivation holds no more
    nodes: list[NodeSaving] = field(default_factory=list)
    leaves: list[LeafRelease] = field(default_factory=list)

    def fit(
        self,
        region: Region,
        depth: int,
        saved: Fraction = NOTHING,
    ) -> Node:
        """The tree of a region, to which its parent has left so much."""
        full = len(self.nodes) >= self.most_nodes
        if depth >= self.costs.depth or full:
            return self.create_leaf(region, depth, saved)
        tables, found, saved = self.look(region, self.costs.node + saved)
        if not found or self.stops(tables):
            return self.create_leaf(region, depth + 1, saved)
        _, feature, codes = min(found)
        others = region.codes(feature) - codes
        # lem-filter: a record is on one side, so each may spend it
        left = self.fit(region.restrict(feature, codes), depth + 1, saved)
        right = self.fit(region.restrict(feature, others), depth + 1, saved)
        counts = tuple(map(add, left.counts, right.counts))
        return Node(counts, CodeSplit(feature, codes), left, right)

    def look(
        self,
        region: Region,
        budget: Fraction,
    ) -> tuple[list[Counts], list[Found], Fraction]:
        """Algorithm 6: histograms, best splits, and what was saved.

        Claims: thm-saving-tree
        """
        # thm-node-bounds: one record moves all p bounds at once
        bounds = self.bounds(region, self.bounds_share * budget)
        each = (1 - self.bounds_share) * budget / len(bounds)
        saved = NOTHING
        least: Impurity = NO_SPLIT
        tables, asked = list[Counts](), list[tuple[int, Found | None]]()
        for j in sorted(range(len(bounds)), key=bounds.__getitem__):
            # thm-saving-tree: this depends on released numbers only
            if bounds[j] > least:  # no split of j is as good: removed
                saved += each
                continue
            cells = self.histogram(region, each, j)
            best = self.best_split(cells, j)
            least = min(best.impurity, least) if best else least
            tables.append(cells)
            asked.append((j, best))
        self.note(region, budget, bounds, asked, saved)
        return tables, [best for _, best in asked if best], saved

    def bounds(self, region: Region, epsilon: Fraction) -> list[Fraction]:
        """Theorem 7's bounds of all features, ε_bounds/p for each."""
        asked = NodeBounds(region, epsilon, self.lattice)
        (steps,) = self.account.release([asked])
        return [Fraction(n, self.lattice) for n in steps.tolist()]

    def histogram(self, region: Region, epsilon: Fraction, j: int) -> Counts:
        """Algorithm 3 for one feature; noise of empty cells is left out."""
        asked = ClassHistogram(region, epsilon, j)
        (cells,) = self.account.release([asked])
        outside = set(range(len(cells))) - region.codes(j)
        cells[sorted(outside)] = 0
        return clip(cells)

    def best_split(self, cells: Counts, j: int) -> Found | None:
        """Algorithm 4 for one feature, with the n·G of these counts."""
        table = np.zeros((sum(self.search.sizes), cells.shape[1]), np.int64)
        first = int(self.search.first[j])
        table[first : first + len(cells)] = cells
        best = self.search.best_splits(table[None])[0]
        if best is None:
            return None
        left, right = map(exact_scaled_half_gini, (best.left, best.right))
        return Found(left + right, j, best.split.left)

    def create_leaf(
        self,
        region: Region,
        paid: int,
        saved: Fraction = NOTHING,
    ) -> Node:
        """The class counts of a leaf; what is left may go to them."""
        epsilon = self.costs.of_leaf(paid)
        if self.costs.unspent_to_leaf:
            epsilon += saved
        asked = ClassCounts(region, epsilon)
        (counts,) = self.account.release([asked])
        released = tuple(counts.tolist())
        self.leaves.append(LeafRelease(region, released, epsilon))
        finer = None if counts.min() >= 0 else released
        return Node(tuple(clip(counts).tolist()), estimate=finer)

    def note(
        self,
        region: Region,
        budget: Fraction,
        bounds: Sequence[Fraction],
        asked: Sequence[tuple[int, Found | None]],
        saved: Fraction,
    ) -> None:
        """Keep what was released and saved here, for the tree's report."""
        impurities = tuple((j, best and best.impurity) for j, best in asked)
        node = NodeSaving(region, budget, tuple(bounds), impurities, saved)
        self.nodes.append(node)


def fit_saving_tree(
    federation: Asker,
    *,
    max_depth: int = 3,
    min_samples_split: int = 10,
    leaf_share: Rational = "1/2",
    bounds_share: Rational = "1/4",
    lattice: int = 4,
    epsilon: Rational | None = None,
    unspent_to_leaf: bool = True,
) -> SavingTree:
    """Grow a tree whose nodes ask for lower bounds first, and leave out histograms that cannot be worth their ε.

    The report's Algorithm 6 as it has to be paid: each of the p bounds of a node with ε_bounds/p.

    Claims: thm-saving-tree

    Parameters
    ----------
    federation : parties, domain and ledger
    max_depth : from 0 to 12
    min_samples_split : the report's min_samples_leaf, ≥ 0; compared with the totals of the histograms asked for
    leaf_share : the report's leaf_prop, strictly between 0 and 1
    bounds_share : the report's bounds_prop: the part of a node's budget that goes to bounds, strictly between 0 and 1
    lattice : m, from 1 to 2**16: bounds are released in steps of 1/m. The more steps, the less is
        lost by rounding, and the more is known to more than ``federation.tolerate`` colluders (thm-node-bounds)
    epsilon : what this tree may cost; all that the ledger has left unless given
    unspent_to_leaf : give a leaf what its path has not spent, saved budget included; else it is not spent

    Returns
    -------
    A tree with ``savings``: the bounds released for each node, the features that it removed, and what that saved. Where
    the derivation would become too large to be accepted, further nodes become leaves.

    Raises
    ------
    BudgetExceeded
        If ``epsilon`` is more than the ledger has left; then nothing is released.
    ValueError
        If a parameter is outside its domain, bounds of some feature cannot be computed, some noise could not be drawn,
        or costs would be fractions of more than 40 digits; before anything is charged.

    Examples
    --------
    >>> from fdpedu.accounting import Ledger
    >>> from fdpedu.domain import Domain, Numeric
    >>> from fdpedu.federation import Federation, Party
    >>> from fdpedu.randomness import ZeroWords
    >>> domain = Domain([Numeric.grid(name, 0, 4, bins=4) for name in ("age", "dose")], ("well", "ill"))
    >>> ill, well = [[3, 1, "ill"], [4, 3, "ill"]] * 3, [[1, 1, "well"], [2, 3, "well"]] * 3
    >>> parties = [Party(ill + well, domain), Party(well, domain)]
    >>> zeros = ZeroWords()  # a test: zero words, zero noise
    >>> both = Federation(parties, domain, Ledger(1), rng=zeros)
    >>> tree = fit_saving_tree(both, max_depth=1)
    >>> print(tree)
    age ≤ 2?
    ├─ yes: well  well 100%, ill 0%; counts 12, 0
    └─ no:  ill   well 0%, ill 100%; counts 0, 6
    >>> print(tree.savings.render())
    node         ε of the node  lower bounds, noisy  asked for, and the n·G left  removed  ε saved
    all records  1/2            age 0, dose 3          age 0                        dose     3/16
    """
    plan = Plan.of(
        federation,
        max_depth=max_depth,
        min_samples_split=min_samples_split,
        leaf_share=leaf_share,
        bounds_share=bounds_share,
        lattice=lattice,
        epsilon=epsilon,
        unspent_to_leaf=unspent_to_leaf,
    )
    return grown(FitSavingTree, federation, plan)


def grown(procedure: type[FitSavingTree], federation: Asker, plan: Plan) -> SavingTree:
    """The tree that a procedure grows as planned."""
    domain, ledger = federation.domain, federation.ledger
    require_classes(domain, "Algorithm 6", BY_VOTES)
    account, search = Account(federation), GridSearch(domain)

    def tree(by: type[FitSavingTree], asked: Any, *, unfinished: bool = False) -> SavingTree:
        fit = by(
            asked,
            plan.costs,
            search,
            plan.min_samples,
            plan.bounds_share,
            plan.lattice,
            plan.most_nodes,
        )
        return SavingTree(
            fit.fit(domain.everything, 0),
            domain.classes,
            tuple(feature.name for feature in domain.features),
            domain,
            derivation=ledger.derivation(),
            paid_in=account.rounds,
            leaf_releases=() if unfinished else tuple(fit.leaves),
            n_parties=federation.n_parties,
            tolerate=federation.tolerate,
            unfinished=unfinished,
            savings=Savings(domain, tuple(fit.nodes)),
        )

    def so_far() -> SavingTree:
        by = with_leaves(procedure, account.released, domain)
        return tree(by, Replay(account.released), unfinished=True)

    with account.delivering(so_far):
        return tree(procedure, account)
