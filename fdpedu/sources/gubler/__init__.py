"""The report on federated differentially private trees: its algorithms to the letter, and its study.

===========  ===============================  ================================================================
§            name                             claim
===========  ===============================  ================================================================
Algorithm 1  `algorithm_1_as_printed`         alg-private-sum-as-printed
Algorithm 2  `federated_impurity_as_printed`  alg-federated-split-as-printed
Algorithm 3  `bin_as_printed`                 alg-bins-as-printed
Algorithm 4  `impurity_as_printed`            alg-noisy-impurity-as-printed
Algorithm 4  `choice_as_printed`              alg-noisy-impurity-as-printed
Algorithm 4  `PrintedChoice`                  –
Algorithm 4  `negative_choices`               –
Algorithm 5  `AsPrinted`                      –
Algorithm 5  `stops_as_printed`               stopping-as-printed
Algorithm 6  `fit_saving_tree_as_printed`     algorithm-6-as-printed, lem-printed-cost
Algorithm 6  `cost_as_printed`                lem-printed-cost
4.1          `Setting`                        –
4.1          `Variant`                        –
4.1.1        `draw_sample`                    def-study
4.1.1        `Sample`                         –
4.2          `grow_runs`                      alg-published-study, alg-mended-saving, saving-strictly-improves
                                              alg-noise-regularises, lem-lazy-expansion
4.2          `Outcome`                        –
4.2          `epsilon_spent`                  published-trees-are-private
4.2          `path_cost`                      lem-dearest-path
4.2          `dearest_cost`                   lem-dearest-path
its code     `Faults`                         –
its code     `PUBLISHED`                      –
its code     `PRINTED`                        –
its code     `CONSEQUENCES`                   –
===========  ===============================  ================================================================

NOT FOR USE: Algorithms 1 to 6 stand here as they are printed; what was mended of them stands in the modules of chapters
1 to 9. The study, of which :mod:`fdpedu.experiments` runs any part, has three layers: exact counts
(:mod:`~fdpedu.sources.gubler.counting`), the noise that a budget buys (:mod:`~fdpedu.sources.gubler.budget`), and what
is made of noisy counts (:mod:`~fdpedu.sources.gubler.choosing`), for many runs at once
(:mod:`~fdpedu.sources.gubler.growing`). :class:`Faults` has fourteen things that its code does instead of what the
report says, each a switch, each with its consequence; :data:`PUBLISHED` has all of them on.

The two federated trees, :class:`AsPrinted` and :func:`fit_saving_tree_as_printed`, keep to what a ledger allows.
Nothing else is private, and nothing of the study is a release: its noise is real-valued and seeded.
"""

from fdpedu.sources.gubler.algorithms import (
    PrintedChoice,
    algorithm_1_as_printed,
    bin_as_printed,
    choice_as_printed,
    federated_impurity_as_printed,
    impurity_as_printed,
    negative_choices,
)
from fdpedu.sources.gubler.costs import dearest_cost, epsilon_spent, path_cost
from fdpedu.sources.gubler.faults import CONSEQUENCES, PRINTED, PUBLISHED, Faults
from fdpedu.sources.gubler.growing import Outcome, grow_runs
from fdpedu.sources.gubler.sample import Sample, draw_sample
from fdpedu.sources.gubler.saving import cost_as_printed, fit_saving_tree_as_printed
from fdpedu.sources.gubler.setting import Setting, Variant
from fdpedu.sources.gubler.tree import AsPrinted, stops_as_printed

__all__ = [
    "CONSEQUENCES",
    "PRINTED",
    "PUBLISHED",
    "AsPrinted",
    "Faults",
    "Outcome",
    "PrintedChoice",
    "Sample",
    "Setting",
    "Variant",
    "algorithm_1_as_printed",
    "bin_as_printed",
    "choice_as_printed",
    "cost_as_printed",
    "dearest_cost",
    "draw_sample",
    "epsilon_spent",
    "federated_impurity_as_printed",
    "fit_saving_tree_as_printed",
    "grow_runs",
    "impurity_as_printed",
    "negative_choices",
    "path_cost",
    "stops_as_printed",
]
