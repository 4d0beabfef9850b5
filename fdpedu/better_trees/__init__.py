"""Chapter 11. A better private tree: ask for choices, not for counts.

A tree of noisy counts divides ε among the histograms of all features, although only one split comes of them. A party
that tells a split in place of counts spends ε on one choice, whatever the number of features.

Claims: thm-rotating-tree
"""

from fdpedu.better_trees.owner import Owner, fit_owner_tree
from fdpedu.better_trees.recommending import Recommendation, recommend
from fdpedu.better_trees.rotating import Rotating
from fdpedu.better_trees.rules import designers, level_costs, owner_shape, rotating_shape

__all__ = [
    "Owner",
    "Recommendation",
    "Rotating",
    "designers",
    "fit_owner_tree",
    "level_costs",
    "owner_shape",
    "recommend",
    "rotating_shape",
]
