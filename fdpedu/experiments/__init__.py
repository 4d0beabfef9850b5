"""Chapter 10. The report's experiments, three times: as printed, as published, as corrected.

The report says one thing, the code from which its figures were made does another, and an honest reading gives a third.
What grows their trees, with any of the faults, stands in :mod:`fdpedu.sources.gubler`.

- :func:`settings`, :data:`METHODS`, :data:`EPSILONS`: what is drawn in the figures of section 4.
- :data:`VARIANTS` has ``printed``, ``published`` and ``corrected``; mend one fault at a time and watch the curves.
- :class:`Study`: runs what is planned, the same whatever the number of processes; :func:`records` are its points.
  ``fdpedu figures`` does both.
- :func:`gap_closed`: how much of the gap between Algorithm 5 and CART a tree closes, over the data sets of the book.
- :func:`compare_with_own`: from how many records on, and on :data:`REAL` data, a private tree beats one party's own.

Nothing here is private, and nothing is a release: the noise is real-valued and seeded, rows are made up, and results
are scored on exact test rows. scikit-learn grows the two baselines and is loaded only for them.
"""

from fdpedu.experiments.gap import Gap, gap_closed
from fdpedu.experiments.own import REAL, Comparison, compare_with_own, mixture_of
from fdpedu.experiments.protocol import EPSILONS, METHODS, VARIANTS, settings
from fdpedu.experiments.records import paired_difference, records
from fdpedu.experiments.study import Study
from fdpedu.experiments.tasks import Results

__all__ = [
    "EPSILONS",
    "METHODS",
    "REAL",
    "VARIANTS",
    "Comparison",
    "Gap",
    "Results",
    "Study",
    "compare_with_own",
    "gap_closed",
    "mixture_of",
    "paired_difference",
    "records",
    "settings",
]
