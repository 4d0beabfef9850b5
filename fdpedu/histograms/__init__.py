"""Chapter 7. Federated private histograms, and impurity from noisy counts.

One class × bin histogram of a feature costs one ε, although it has many cells: a record is counted in one of them.
This is the report's Algorithm 3, with integer noise shares in place of real ones; Algorithm 4 computes the impurity
of every bin border from the released counts, which is post-processing and free.

Algorithm 4 as printed puts negative counts into p̂(1−p̂), and the smallest "impurity" then belongs to nonsense.
Clipping the cells at 0 first is post-processing too. The printed rule stays available as :func:`impurity_as_printed`.

Claims: thm-histogram
"""

from fdpedu.histograms.cells import bin_as_printed, bin_of, one_hot_histograms
from fdpedu.histograms.clipping import clipping_bias
from fdpedu.histograms.consistency import consistent_totals, least_squares
from fdpedu.histograms.edges import prefix_error, private_quantile_domain, quantile_domain, quantile_edges
from fdpedu.histograms.impurity import clip, impurity_as_printed, impurity_from_counts
from fdpedu.histograms.joint import (
    joint_sensitivity,
    joint_utility,
    trusted_joint_quantiles,
    trusted_joint_quantiles_pmf,
)
from fdpedu.histograms.membership import MembershipTest, membership_test
from fdpedu.histograms.printed import PrintedChoice, choice_as_printed, negative_choices
from fdpedu.histograms.release import private_histogram
from fdpedu.histograms.rounding import round_with_sums
from fdpedu.histograms.selection import BestSplitChance, probability_of_best_split, step_table
from fdpedu.histograms.split import summed_impurity
from fdpedu.histograms.together import combined_derivation

__all__ = [
    "BestSplitChance",
    "MembershipTest",
    "PrintedChoice",
    "bin_as_printed",
    "bin_of",
    "choice_as_printed",
    "clip",
    "clipping_bias",
    "combined_derivation",
    "consistent_totals",
    "impurity_as_printed",
    "impurity_from_counts",
    "joint_sensitivity",
    "joint_utility",
    "least_squares",
    "membership_test",
    "negative_choices",
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
