"""Chapter 9. Lower bounds of impurity: what a party may say of its rows before any histogram is asked for.

If no split of a feature can be good, its histograms are not worth their ε. Each party knows the least n·G that its own
rows allow; the sum over the parties is a lower bound for all rows together. One record moves that sum by less than 1.

- :func:`local_bound`, :func:`local_bounds_of_rows`, :func:`impurity_lower_bound`: the bounds, exactly;
  :func:`impurity_gap` says what lies between the bound and a split, and :func:`lattice_bound` makes integers of it;
- :data:`SENSITIVITY` and the report's :data:`REPORT_SENSITIVITY`, :func:`joint_sensitivity` of several features, and
  :func:`search_near_one`, which looks for neighbours that come close;
- ``bound_with_…`` and :func:`entropy_increment`: changes of the bound for which one record matters more;
- :class:`LossScore`, :func:`power_score`, :func:`half_gini_score`, :func:`least_score`: other scores of sensitivity 1;
- :func:`private_split`, :func:`split_pmf`, :func:`private_block`, :func:`block_pmf`: one split, or three, for one ε,
  by a trusted aggregator;
- :func:`fit_saving_tree`: a federated tree whose nodes ask for bounds first (the report's Algorithm 6, mended; as
  printed it stands in :mod:`fdpedu.sources.gubler`, with what that costs);
- :func:`pruning_probability`: how often a noisy bound removes the better feature.

Not guaranteed: any privacy, but for :func:`private_split`, :func:`private_block` and the trees. The bounds are exact
functions of rows, and stay with their party until noise is added.
"""

from fdpedu.bounds.blocks import Block, block_pmf, private_block
from fdpedu.bounds.choosing import private_split, split_pmf
from fdpedu.bounds.gap import ImpurityGap, impurity_gap
from fdpedu.bounds.local import (
    REPORT_SENSITIVITY,
    SENSITIVITY,
    impurity_lower_bound,
    joint_sensitivity,
    lattice_bound,
    local_bound,
    local_bounds_of_rows,
)
from fdpedu.bounds.pruning import pruning_probability
from fdpedu.bounds.saving import fit_saving_tree
from fdpedu.bounds.saving_report import NodeSaving, Savings, SavingTree
from fdpedu.bounds.scores import LossScore, half_gini_score, least_score, power_score
from fdpedu.bounds.search import largest_increment, search_near_one
from fdpedu.bounds.traps import bound_with_fields_gini, bound_with_least_rows, entropy_increment

__all__ = [
    "REPORT_SENSITIVITY",
    "SENSITIVITY",
    "Block",
    "ImpurityGap",
    "LossScore",
    "NodeSaving",
    "SavingTree",
    "Savings",
    "block_pmf",
    "bound_with_fields_gini",
    "bound_with_least_rows",
    "entropy_increment",
    "fit_saving_tree",
    "half_gini_score",
    "impurity_gap",
    "impurity_lower_bound",
    "joint_sensitivity",
    "largest_increment",
    "lattice_bound",
    "least_score",
    "local_bound",
    "local_bounds_of_rows",
    "power_score",
    "private_block",
    "private_split",
    "pruning_probability",
    "search_near_one",
    "split_pmf",
]
