"""Chapter 7. Federated private histograms, and impurity from noisy counts.

One class × bin histogram of a feature costs one ε, although it has many cells: a record is counted in one of them.
This is the report's Algorithm 3, with integer noise shares in place of real ones; Algorithm 4 computes the impurity
of every bin border from the released counts, which is post-processing and free.

Algorithm 4 as printed puts negative counts into p̂(1−p̂), and the smallest "impurity" then belongs to nonsense.
Clipping the cells at 0 first is post-processing too. The printed rule stays available as :func:`impurity_as_printed`.

Claims: thm-histogram
"""

from fdpedu.histograms.edges import prefix_error, private_quantile_domain, quantile_domain, quantile_edges
from fdpedu.histograms.impurity import clip, impurity_as_printed, impurity_from_counts
from fdpedu.histograms.joint import (
    joint_sensitivity,
    joint_utility,
    trusted_joint_quantiles,
    trusted_joint_quantiles_pmf,
)
from fdpedu.histograms.release import private_histogram
from fdpedu.histograms.together import combined_derivation

__all__ = [
    "clip",
    "combined_derivation",
    "impurity_as_printed",
    "impurity_from_counts",
    "joint_sensitivity",
    "joint_utility",
    "prefix_error",
    "private_histogram",
    "private_quantile_domain",
    "quantile_domain",
    "quantile_edges",
    "trusted_joint_quantiles",
    "trusted_joint_quantiles_pmf",
]
