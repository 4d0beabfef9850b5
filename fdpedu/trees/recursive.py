"""Algorithm 5 as one reads it: a recursion, in which every node asks its own question.

It is made of chapters 4 to 7 and nothing else: a ledger that is charged, a federation that releases noisy counts,
counts clipped at 0, and the best split of a grid.

:func:`fdpedu.trees.fit_federated_tree` grows the same tree: with the same noise in the same cells it takes the same
splits, and its leaves predict from the same counts. It asks for all nodes of a level in one round, so a tree of depth d
takes at most d + 1 rounds there. Here a node takes one and a leaf another: up to 2^(d+1) − 1. And there the counts of
nodes, which no prediction uses, come from all that was released; here an inner node shows the sum of its leaves.

Guarantee: ε-DP for adding or removing one record, against an outsider and ``federation.tolerate`` colluders; integers.
Running time is not covered.

Claims: lem-level-by-level
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import add
from typing import Any

import numpy as np

from fdpedu.cart import CodeSplit, GridSearch, Node
from fdpedu.domain import BY_VOTES, Region, require_classes
from fdpedu.exact import Rational, as_integer, require_type
from fdpedu.federation import ClassCounts, NodeHistograms
from fdpedu.federation.asker import Asker, require_federation
from fdpedu.histograms import clip
from fdpedu.trees.account import Account
from fdpedu.trees.costs import Costs, pure_left
from fdpedu.trees.node_limit import checked_questions
from fdpedu.trees.replay import Replay, with_leaves
from fdpedu.trees.tree import Tree

MAX_DEPTH = 12  # a round for every node, and there may be 2^depth


@dataclass(frozen=True)
class FitTreeRecursive:
    """The procedure of Algorithm 5, with what stays the same in all calls."""

    account: Account
    costs: Costs
    search: GridSearch
    min_samples: int

    def fit(self, region: Region, depth: int) -> Node:
        """The tree of the records in a region, ``depth`` splits below the root."""
        if depth >= self.costs.depth:
            return self.create_leaf(region, depth)
        tables = self.histograms(region)
        if self.stops(tables):
            return self.create_leaf(region, depth + 1)
        cells = np.concatenate(tables)[None]
        best = self.search.best_splits(cells, relative=True)[0]
        if best is None:  # all that is left lies in one bin of each feature
            return self.create_leaf(region, depth + 1)
        feature, codes = best.split.feature, best.split.left
        others = region.codes(feature) - codes
        left = self.fit(region.restrict(feature, codes), depth + 1)
        right = self.fit(region.restrict(feature, others), depth + 1)
        counts = tuple(map(add, left.counts, right.counts))
        return Node(counts, CodeSplit(feature, codes), left, right)

    def histograms(self, region: Region) -> list[Any]:
        """Algorithm 3 for every feature j, with the budget ε_node/p each."""
        asked = NodeHistograms(region, self.costs.node)
        (table,) = self.account.release([asked])
        tables = np.split(table, self.search.first[1:])
        for j, cells in enumerate(tables):
            outside = set(range(len(cells))) - region.codes(j)
            cells[sorted(outside)] = 0  # there is no record: that is public
        return [clip(cells) for cells in tables]

    def stops(self, tables: list[Any]) -> bool:
        """Few rows for all j, or for all j none of any class but one.

        Claims: stopping-as-printed
        """
        totals = np.array([cells.sum(axis=0) for cells in tables])
        few = (totals.sum(axis=1) < self.min_samples).all()
        return bool(few or (totals > 0).any(axis=0).sum() <= 1)

    def create_leaf(self, region: Region, paid: int) -> Node:
        """The class counts of a leaf, given how many levels were paid on its path."""
        asked = ClassCounts(region, self.costs.of_leaf(paid))
        (counts,) = self.account.release([asked])
        shown = tuple(clip(counts).tolist())
        finer = None if counts.min() >= 0 else tuple(counts.tolist())
        return Node(shown, estimate=finer)


def fit_recursively(
    federation: Asker,
    *,
    max_depth: int = 3,
    min_samples_split: int = 10,
    leaf_share: Rational = "1/2",
    epsilon: Rational | None = None,
    unspent_to_leaf: bool = False,
) -> Tree:
    """Grow a tree as the report's Algorithm 5 does, on clipped counts, with a round for every node.

    Claims: lem-level-by-level, thm-federated-tree

    Parameters
    ----------
    federation : parties, domain and ledger
    max_depth : from 0 to 12
    min_samples_split : the report's min_samples_leaf, ≥ 0
    leaf_share : the report's leaf_prop, strictly between 0 and 1
    epsilon : what this tree may cost; all that the ledger has left unless given
    unspent_to_leaf : give a leaf what its path has not spent

    Raises
    ------
    BudgetExceeded
        If ``epsilon`` is more than the ledger has left; then nothing is released.
    ValueError
        If a parameter is outside its domain, or some noise could not be drawn; before anything is charged.

    Examples
    --------
    >>> from fdpedu.accounting import Ledger
    >>> from fdpedu.domain import Domain, Numeric
    >>> from fdpedu.federation import Federation, Party
    >>> from fdpedu.randomness import ZeroWords
    >>> age = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
    >>> old, young = [[60, "ill"]] * 6, [[20, "well"]] * 6
    >>> parties = [Party(old, age), Party(young, age)]
    >>> zeros = ZeroWords()  # a test: zero words, zero noise
    >>> both = Federation(parties, age, Ledger(1), rng=zeros)
    >>> tree = fit_recursively(both, max_depth=1)
    >>> print(tree)
    age ≤ 25?
    ├─ yes: well  well 100%, ill 0%; counts 6, 0
    └─ no:  ill   well 0%, ill 100%; counts 0, 6
    >>> tree.rounds
    3
    """
    require_federation(federation)
    require_classes(federation.domain, "fit_recursively", BY_VOTES)
    require_type(unspent_to_leaf, bool, "unspent_to_leaf")
    depth = as_integer(max_depth, "max_depth", minimum=0, maximum=MAX_DEPTH)
    least = as_integer(min_samples_split, "min_samples_split", minimum=0, maximum=2**62)
    domain, ledger = federation.domain, federation.ledger
    costs = Costs.within(
        pure_left(ledger, "fit_recursively"), epsilon, leaf_share, depth, unspent_to_leaf=unspent_to_leaf
    )
    checked_questions(domain, costs, domain.n_features)
    account, search = Account(federation), GridSearch(domain)
    names = tuple(feature.name for feature in domain.features)

    def tree(root: Node, *, unfinished: bool = False) -> Tree:
        derivation, paid_in = ledger.derivation(), account.rounds
        classes = domain.classes
        return Tree(root, classes, names, domain, derivation=derivation, paid_in=paid_in, unfinished=unfinished)

    def so_far() -> Tree:
        procedure = with_leaves(FitTreeRecursive, account.released, domain)
        again = procedure(Replay(account.released), costs, search, least)
        return tree(again.fit(domain.everything, 0), unfinished=True)

    with account.delivering(so_far):
        root = FitTreeRecursive(account, costs, search, least).fit(domain.everything, 0)
    return tree(root)
