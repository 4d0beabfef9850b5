"""Chapter 8. The federated differentially private tree (the report's Algorithm 5), grown level by level.

All open nodes of a level and all features travel in one round, so a tree of depth d needs d+1 rounds. At a node every
feature's class × bin histogram costs ε_node/p (one record is counted in every feature: the features compose in
sequence), and a leaf's class counts cost ε_leaf. A record is in one node of each level, so it pays at most d·ε_node +
ε_leaf = ε.

What is chosen from released counts is post-processing: the totals (averaged over the p histograms), the stopping
tests, the split (on counts clipped at 0). A node that stops early leaves (d−t−1)·ε_node unspent; by the filter lemma
its leaf may have it.

Guarantee: ε-DP for adding or removing one record, against an outsider and ``federation.tolerate`` colluders; integers.
``predict`` and ``predict_proba`` are functions of the released tree, so they cost nothing more.

Claims: thm-federated-tree
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from fdpedu.accounting import BudgetExceeded, Ledger, split_budget
from fdpedu.cart import Candidate, CodeSplit, Node, Tree, best_grid_split
from fdpedu.domain import Region
from fdpedu.exact import as_integer, as_positive_fraction, shown
from fdpedu.federation import ClassCounts, ClassHistogram, Federation
from fdpedu.federation.queries import Counts
from fdpedu.histograms import clip

__all__ = ["LeafBudget", "Tree", "fit_federated_tree", "leaf_budgets"]


@dataclass
class _Growing:
    """A node while it grows: open (to be split), waiting (for its leaf counts), or done."""

    region: Region
    level: int
    totals: tuple[int, ...] = ()
    chosen: Candidate[CodeSplit] | None = None
    left: _Growing | None = None
    right: _Growing | None = None
    leaf_counts: tuple[int, ...] = ()

    def finished(self) -> Node:
        if self.chosen is None:
            return Node(self.leaf_counts)
        assert self.left and self.right
        return Node(self.totals, self.chosen.split, self.left.finished(), self.right.finished())


def fit_federated_tree(
    federation: Federation,
    *,
    max_depth: int = 3,
    min_samples_split: int = 10,
    leaf_share: Any = "1/2",
    epsilon: Any = None,
    unspent_to_leaf: bool = True,
) -> Tree:
    """Grow one decision tree together; returns it with its derivation.

    Parameters
    ----------
    federation : parties, domain and ledger
    max_depth : d ≥ 0
    min_samples_split : a node whose averaged noisy total is below it becomes a leaf (the report's min_samples_leaf)
    leaf_share : the part of ε kept for leaf counts, strictly between 0 and 1
    epsilon : what this tree may cost; all that the ledger has left unless given
    unspent_to_leaf : give an early leaf the node budget that its depth did not use (False: the report's ε_leaf)

    Raises
    ------
    BudgetExceeded
        If ``epsilon`` is more than the ledger has left; then nothing is released.

    Claims: thm-federated-tree
    """
    depth = as_integer(max_depth, "max_depth", at_least=0)
    as_integer(min_samples_split, "min_samples_split", at_least=0)
    left = federation.ledger.remaining()
    if left <= 0 or (epsilon is not None and as_positive_fraction(epsilon, "epsilon") > left):
        raise BudgetExceeded(f"the ledger has ε = {shown(left)} left; nothing was charged")
    budget = as_positive_fraction(epsilon, "epsilon") if epsilon is not None else left
    for_leaf, for_nodes = split_budget(budget, leaf_share)
    node_epsilon = for_nodes / depth if depth else Fraction(0)

    def leaf_epsilon(node: _Growing, levels_paid: int) -> Fraction:
        return budget - levels_paid * node_epsilon if unspent_to_leaf or not depth else for_leaf

    root, book = _Growing(federation.domain.everything, 0), f"tree that begins after round {federation.rounds}"
    level, waiting = [root], list[tuple[_Growing, Fraction]]()
    for t in range(depth + 1):
        if t == depth:
            waiting += [(node, leaf_epsilon(node, t)) for node in level]
            level = []
        if not level and not waiting:
            break
        histograms = _release_round(federation, book, level, node_epsilon, waiting)
        waiting, below = [], list[_Growing]()
        for node, tables in zip(level, histograms, strict=True):
            if _split(node, tables, federation, min_samples_split):
                assert node.left and node.right
                below += [node.left, node.right]
            else:
                waiting.append((node, leaf_epsilon(node, t + 1)))
        level = below
    names = tuple(feature.name for feature in federation.domain.features)
    tree = Tree(root.finished(), federation.domain.classes, names, federation.domain)
    return tree.with_accounting(federation.ledger.derivation(), federation.rounds)


@dataclass(frozen=True)
class LeafBudget:
    """A leaf of a private tree: where it is, at which level, and what its records have paid and have left."""

    region: Region
    level: int
    spent: Fraction
    remaining: Fraction


def leaf_budgets(tree: Tree, ledger: Ledger) -> list[LeafBudget]:
    """What the ledger has left for the records of each leaf, in the order of :meth:`Tree.leaves`.

    A leaf that was made early has (d−t−1)·ε_node left, unless it was given that for its counts. ``remaining`` is what
    the ledger would still accept on the leaf's region.
    """
    if tree.domain is None or ledger.domain != tree.domain:
        raise ValueError("the ledger and the tree must have the same domain")
    found = list[LeafBudget]()
    pending: list[tuple[Node, Region, int]] = [(tree.root, tree.domain.everything, 0)]
    while pending:
        node, region, level = pending.pop()
        if isinstance(node.split, CodeSplit) and node.left and node.right:
            feature, codes = node.split.feature, node.split.left
            pending.append((node.right, region.restrict(feature, region.codes(feature) - codes), level + 1))
            pending.append((node.left, region.restrict(feature, codes), level + 1))
        else:
            left = max((ledger.remaining(region, book) for book in ledger.books), default=ledger.budget)
            found.append(LeafBudget(region, level, ledger.spent_on(region), left))
    return found


def _release_round(
    federation: Federation,
    book: str,
    level: Sequence[_Growing],
    node_epsilon: Fraction,
    leaves: Sequence[tuple[_Growing, Fraction]],
) -> list[list[Counts]]:
    """One round: histograms of all features for the open nodes, class counts for the waiting leaves."""
    p = federation.domain.n_features
    histograms = [ClassHistogram(node.region, node_epsilon / p, j) for node in level for j in range(p)]
    counts = [ClassCounts(node.region, epsilon) for node, epsilon in leaves]
    answers = federation.release([*histograms, *counts], book)
    for (leaf, _), answer in zip(leaves, answers[len(histograms) :], strict=True):
        leaf.leaf_counts = tuple(answer.tolist())
    return [answers[i * p : (i + 1) * p] for i in range(len(level))]


def _split(node: _Growing, tables: list[Counts], federation: Federation, min_samples_split: int) -> bool:
    """Decide from released counts alone whether and how to split; post-processing."""
    tables = [_only_inside(table, node.region, j) for j, table in enumerate(tables)]
    totals = np.sum([table.sum(axis=0) for table in tables], axis=0)  # p times the averaged class totals
    p = len(tables)
    if totals.sum() < p * min_samples_split or np.count_nonzero(totals > 0) <= 1:
        return False
    node.totals = tuple(int(total) for total in np.floor_divide(2 * totals + p, 2 * p))  # rounded averages
    node.chosen = best_grid_split([clip(table) for table in tables], federation.domain)
    if node.chosen is None:
        return False
    feature, codes = node.chosen.split.feature, node.chosen.split.left
    here = node.region.codes(feature)
    node.left, node.right = (
        _Growing(node.region.restrict(feature, side), node.level + 1) for side in (codes & here, here - codes)
    )
    return True


def _only_inside(table: Counts, region: Region, feature: int) -> Counts:
    """Cells outside the node's region hold noise and no record, which is public: they are set to 0."""
    inside = np.isin(np.arange(len(table)), sorted(region.codes(feature)))
    return np.where(inside[:, None], table, 0)
