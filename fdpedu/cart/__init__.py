"""Chapter 1. Classification trees: impurity, the best split, and CART.

A node is a vector of class counts. Its impurity says how far it is from holding one class only; a split is as good as
the impurity it leaves behind, weighted by rows; CART takes the best split, and then does the same with each side.

Conventions. The report's Gini entropy for two classes is h = p̂(1−p̂): here ``half_gini``. Most texts and
scikit-learn use 1−Σp̂² = 2p̂(1−p̂): here ``gini``. The best split is the same, every constant differs by 2. What all
later chapters work with is the *scaled* impurity n·h, here ``scaled_half_gini``, with n·h = 0 at an empty node.

Comparisons are exact: candidates whose impurities agree to nine digits are compared as fractions, and a true tie goes
to the first feature and the lowest threshold. So a tree is a function of the counts, not of rounding.

Not guaranteed: any privacy at all. Thresholds are values of patients, and a pure leaf tells a patient's class.
"""

from fdpedu.cart.candidates import candidates
from fdpedu.cart.federated import federated_impurity
from fdpedu.cart.grid import GridSearch
from fdpedu.cart.grow import fit_cart
from fdpedu.cart.impurity import entropy, exact_scaled_half_gini, gini, half_gini, scaled_half_gini
from fdpedu.cart.least_loss import least_loss
from fdpedu.cart.local import local_best_impurities, local_best_impurity
from fdpedu.cart.local_grid import local_impurity_steps
from fdpedu.cart.losses import ALL_LOSSES, LOSSES, TARGET_LOSSES, split_losses
from fdpedu.cart.split import (
    Candidate,
    CodeSplit,
    ThresholdSplit,
    best_grid_split,
    best_split,
    grid_histograms,
    threshold_counts,
)
from fdpedu.cart.structures import Structure, count_structures, to_string, to_structure
from fdpedu.cart.tree import Node, Tree

__all__ = [
    "ALL_LOSSES",
    "LOSSES",
    "TARGET_LOSSES",
    "Candidate",
    "CodeSplit",
    "GridSearch",
    "Node",
    "Structure",
    "ThresholdSplit",
    "Tree",
    "best_grid_split",
    "best_split",
    "candidates",
    "count_structures",
    "entropy",
    "exact_scaled_half_gini",
    "federated_impurity",
    "fit_cart",
    "gini",
    "grid_histograms",
    "half_gini",
    "least_loss",
    "local_best_impurities",
    "local_best_impurity",
    "local_impurity_steps",
    "scaled_half_gini",
    "split_losses",
    "threshold_counts",
    "to_string",
    "to_structure",
]
