"""Chapter 7. Federated private histograms, and impurity from noisy counts.

One class × bin histogram of a feature costs one ε, although it has many cells: a record is counted in one of them.
From the released counts everything else follows by post-processing, which is free.

- :mod:`~fdpedu.histograms.cells`: the one bin of a value, and the dummies of a categorical feature
- :mod:`~fdpedu.histograms.release`: Algorithm 3, with integer noise shares in the place of real ones
- :mod:`~fdpedu.histograms.membership`: an attack on the histograms of p features, exactly
- :mod:`~fdpedu.histograms.split`: Algorithm 2, mended, through the secure sum
- :mod:`~fdpedu.histograms.impurity`, :mod:`~fdpedu.histograms.clipping`: Algorithm 4, mended by clipping the cells at
  0, and what that does to their mean
- :mod:`~fdpedu.histograms.selection`: how often the best split is chosen
- :mod:`~fdpedu.histograms.consistency`, :mod:`~fdpedu.histograms.rounding`: counts of a tree that add up
- :mod:`~fdpedu.histograms.edges`, :mod:`~fdpedu.histograms.joint`, :mod:`~fdpedu.histograms.together`: bin edges from
  released counts, beside those of a trusted mechanism, and one account of both stages

Claims: thm-histogram
"""

from fdpedu.histograms.cells import bin_of, one_hot_histograms
from fdpedu.histograms.clipping import clipping_bias
from fdpedu.histograms.consistency import consistent_totals, least_squares
from fdpedu.histograms.edges import prefix_error, private_quantile_domain, quantile_domain, quantile_edges
from fdpedu.histograms.impurity import clip, impurity_from_counts
from fdpedu.histograms.joint import joint_utility, trusted_joint_quantiles, trusted_joint_quantiles_pmf
from fdpedu.histograms.membership import MembershipTest, membership_test
from fdpedu.histograms.release import private_histogram
from fdpedu.histograms.rounding import round_with_sums
from fdpedu.histograms.selection import BestSplitChance, probability_of_best_split, step_table
from fdpedu.histograms.split import summed_impurity
from fdpedu.histograms.together import combined_derivation
from fdpedu.mechanisms.chain import joint_sensitivity

__all__ = [
    "BestSplitChance",
    "MembershipTest",
    "bin_of",
    "clip",
    "clipping_bias",
    "combined_derivation",
    "consistent_totals",
    "impurity_from_counts",
    "joint_sensitivity",
    "joint_utility",
    "least_squares",
    "membership_test",
    "one_hot_histograms",
    "prefix_error",
    "private_histogram",
    "private_quantile_domain",
    "probability_of_best_split",
    "quantile_domain",
    "quantile_edges",
    "round_with_sums",
    "step_table",
    "summed_impurity",
    "trusted_joint_quantiles",
    "trusted_joint_quantiles_pmf",
]
