"""Maddock, Cormode, Wang, Maple, Jha: *Federated Boosted Decision Trees with Differential Privacy*.

NOT FOR USE: it simulates, on rows in one place, what a federation would release, as printed with floating-point noise,
or mended. What is for use is :func:`fdpedu.boosting.fit_federated_boosting`. Our copy of the source ends in §4.3.1;
what its Table 1 names beyond that is built by rules of our own.

============  =======================  =======================
§             name                     claim
============  =======================  =======================
Table 1       `Choices`                lem-maddock-releases
              `counted`                lem-maddock-releases
              `Queries`                lem-maddock-releases
              `Counts`                 –
              `framework_rows`         –
              `framework_table`        –
              `FrameworkTable`         –
Alg. 1        `fit_framework`          –
              `Model`                  –
Eq. (3), (4)  `leaf_weight`            –
Eq. (5)       `split_score`            –
§4.2          `pair_norm_squared`      lem-maddock-sensitivity
              `hessian_is_free`        lem-hessian-free
              `largest_pair`           lem-hessian-free
              `largest_integer_pair`   lem-hessian-free
–             `poisson_rdp2`           lem-sample-once
============  =======================  =======================
"""

from fdpedu.sources.maddock.choices import Choices, Queries
from fdpedu.sources.maddock.formulas import (
    hessian_is_free,
    largest_integer_pair,
    largest_pair,
    leaf_weight,
    pair_norm_squared,
    poisson_rdp2,
    split_score,
)
from fdpedu.sources.maddock.growing import counted, fit_framework
from fdpedu.sources.maddock.model import Model
from fdpedu.sources.maddock.paying import Counts
from fdpedu.sources.maddock.table import FrameworkTable, framework_rows, framework_table

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
