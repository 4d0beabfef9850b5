"""Chapter 10. The report's experiments, three times: as printed, as published, as corrected.

The report says one thing, the code from which its figures were made does another, and an honest reading gives a third.

- :class:`Setting`, :func:`settings`, :data:`EPSILONS`: the protocol of section 4 as data.
- :class:`Faults`: fourteen things that the published code does instead, each a switch, each with its consequence.
  :data:`VARIANTS` has ``printed``, ``published`` and ``corrected``; mend one fault at a time and watch the curves.
- :func:`grow_runs` grows Algorithms 5 and 6 with any of these switches, for many runs at once.
- :func:`epsilon_spent`: what a tree really costs, ∞ for the published code; :func:`path_cost` and
  :func:`dearest_cost` for Algorithm 6 as printed.
- :class:`Study`: runs what is planned, the same whatever the number of processes; :func:`records` are its points.
  ``fdpedu figures`` does both.
- :func:`gap_closed`: how much of the gap between Algorithm 5 and CART a tree closes, over the data sets of the book.
- :func:`compare_with_own`: from how many records on, and on :data:`REAL` data, a private tree beats one party's own.

Nothing here is private, and nothing is a release: the noise is real-valued and seeded, rows are made up, and results
are scored on exact test rows. scikit-learn grows the two baselines and is loaded only for them.
"""

from fdpedu.experiments.costs import dearest_cost, epsilon_spent, path_cost
from fdpedu.experiments.faults import CONSEQUENCES, PRINTED, PUBLISHED, Faults
from fdpedu.experiments.gap import Gap, gap_closed
from fdpedu.experiments.growing import Outcome, grow_runs
from fdpedu.experiments.own import REAL, Comparison, compare_with_own, mixture_of
from fdpedu.experiments.protocol import EPSILONS, METHODS, VARIANTS, Setting, Variant, settings
from fdpedu.experiments.records import paired_difference, records
from fdpedu.experiments.sample import Sample, draw_sample
from fdpedu.experiments.study import Study
from fdpedu.experiments.tasks import Results

__all__ = [
    "CONSEQUENCES",
    "EPSILONS",
    "METHODS",
    "PRINTED",
    "PUBLISHED",
    "REAL",
    "VARIANTS",
    "Comparison",
    "Faults",
    "Gap",
    "Outcome",
    "Results",
    "Sample",
    "Setting",
    "Study",
    "Variant",
    "compare_with_own",
    "dearest_cost",
    "draw_sample",
    "epsilon_spent",
    "gap_closed",
    "grow_runs",
    "mixture_of",
    "paired_difference",
    "path_cost",
    "records",
    "settings",
]
