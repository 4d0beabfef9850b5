"""Chapter 8. The federated differentially private tree (the report's Algorithm 5), grown level by level.

All open nodes of a level and all features travel in one round, so a tree of depth d needs d+1 rounds. At a node every
feature's class × bin histogram costs ε_node/p (one record is counted in every feature: the features compose in
sequence), and a leaf's class counts cost ε_leaf. A record is in one node of each level, so it pays at most d·ε_node +
ε_leaf = ε.

What is chosen from released counts is post-processing: the totals (averaged over the p histograms), the stopping
tests, the split (on counts clipped at 0). A stopping test may use that the noise's variance is public: by default a
node becomes a leaf only where its rows are few *beyond the noise* (:mod:`fdpedu.trees.stopping`). A node that stops
early leaves (d−t−1)·ε_node unspent; by the filter lemma its leaf may have it. In the end all totals that were released
are reconciled: the counts that a tree shows add up (:mod:`fdpedu.trees.counts`).

What else costs nothing, or divides ε in another way, is an option of a :class:`Design`; ``Design.reasons()`` says why.
Leaves of one label may be merged (:meth:`Tree.pruned`), and :func:`count_intervals` says how many rows a leaf has.

Guarantee: ε-DP for adding or removing one record, against an outsider and ``federation.tolerate`` colluders; integers.
``predict`` and ``predict_proba`` are functions of the released tree, so they cost nothing more.

Claims: thm-federated-tree
"""

from fdpedu.trees.budgets import LeafBudget, leaf_budgets
from fdpedu.trees.count_interval import CountInterval
from fdpedu.trees.designs import SYSTEMS, Owner, PrivaTree, Rotating, Votes
from fdpedu.trees.designs.counts import DESIGNS, Design
from fdpedu.trees.designs.privatree.fit import fit_privatree
from fdpedu.trees.designs.privatree.leaf_share import leaf_share_by_rule
from fdpedu.trees.grow import fit_federated_tree, fit_owner_tree
from fdpedu.trees.intervals import ShareInterval, count_intervals, share_intervals
from fdpedu.trees.leaf_release import LeafRelease
from fdpedu.trees.nominal import LargeDeltaWarning, NominalSizeWarning
from fdpedu.trees.tree import Tree

__all__ = [
    "DESIGNS",
    "SYSTEMS",
    "CountInterval",
    "Design",
    "LargeDeltaWarning",
    "LeafBudget",
    "LeafRelease",
    "NominalSizeWarning",
    "Owner",
    "PrivaTree",
    "Rotating",
    "ShareInterval",
    "Tree",
    "Votes",
    "count_intervals",
    "fit_federated_tree",
    "fit_owner_tree",
    "fit_privatree",
    "leaf_budgets",
    "leaf_share_by_rule",
    "share_intervals",
]
