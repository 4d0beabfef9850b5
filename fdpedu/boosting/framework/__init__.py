"""Maddock et al.'s framework of private boosted trees, as choices that run.

Guarantee: none. It simulates on rows in one place what a federation would release, as printed with floating-point
noise; what it returns is for teaching and not for a release. The library's own boosting is
:func:`fdpedu.boosting.fit_federated_boosting`.

- :class:`Choices`: splits, weights, candidates, features a tree, batches; :func:`counted`: what they ask.
- :func:`fit_framework`: Algorithm 1 with equations (3) to (5), paid for as printed or mended.
- :func:`framework_table`: named choices side by side.
- :func:`hessian_is_free`, :func:`largest_pair`: how long a row's pair is; :func:`poisson_rdp2`: one sample, many
  queries.
"""

from fdpedu.boosting.framework.choices import Choices, Queries
from fdpedu.boosting.framework.equations import leaf_weight, split_score
from fdpedu.boosting.framework.growing import counted, fit_framework
from fdpedu.boosting.framework.model import Model
from fdpedu.boosting.framework.pairs import (
    hessian_is_free,
    largest_integer_pair,
    largest_pair,
    pair_norm_squared,
)
from fdpedu.boosting.framework.paying import Counts
from fdpedu.boosting.framework.poisson import poisson_rdp2
from fdpedu.boosting.framework.table import FrameworkTable, framework_rows, framework_table

__all__ = [
    "Choices",
    "Counts",
    "FrameworkTable",
    "Model",
    "Queries",
    "counted",
    "fit_framework",
    "framework_rows",
    "framework_table",
    "hessian_is_free",
    "largest_integer_pair",
    "largest_pair",
    "leaf_weight",
    "pair_norm_squared",
    "poisson_rdp2",
    "split_score",
]
