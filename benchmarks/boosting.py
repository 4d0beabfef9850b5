"""``python -m benchmarks.boosting``: how accurate boosting among five parties is, on fifteen data sets.

The data sets are those of :mod:`benchmarks.boosting_data`; what others make of the same rows is measured by
:mod:`benchmarks.boosting_peers`. What the rule before this one made of them stands in ``boosting_before.json``, with
the commit that had it. Five parties, one of which may be curious (tolerate = 1), keep (ε, 10⁻⁶), or ε alone. Sums are
those of all rows together, with the noise that the parties' shares would add (:mod:`benchmarks.pooled`): the code is a
federation's but for masks and messages. Further points, on Adult and spambase: two parties, a hundred, and the δ of the
published S-BDT. A mixture of 250 rows and one of a million show the ends; magic with each of its columns five times is
where the guard is needed.

The file also has the ratios and the requests that ``make bench`` measures (:mod:`benchmarks.ensembles`).
"""

import time
from dataclasses import asdict
from fractions import Fraction
from functools import partial
from typing import Any

from benchmarks import ensembles
from benchmarks.accuracy import DELTA
from benchmarks.boosting_data import DATA, EXTREME
from benchmarks.boosting_runs import PARTIES, TOLERATE, Outcome, Repetition, Task, measured, quietly, records, report
from benchmarks.pairs import measure as time_pairs
from benchmarks.pooled import simulate_boosting
from benchmarks.repeated import keep, read_options
from fdpedu.accounting import Budget
from fdpedu.randomness import Rehearsal

SMALL = Fraction(5, 10**8)  # δ of S-BDT's published points
TREES = "trees"
# The package's boosting: form, δ, and how many parties.
OURS: dict[str, tuple[str, Any, int]] = {
    TREES: ("trees", DELTA, PARTIES),
    "curves": ("curves", DELTA, PARTIES),
    "trees, without δ": ("trees", None, PARTIES),
    "trees, δ = 5·10⁻⁸": ("trees", SMALL, PARTIES),
    "trees, 2 parties": ("trees", DELTA, 2),
    "trees, 100 parties": ("trees", DELTA, 100),
}
_, CURVES, PURE, PUBLISHED = list(OURS)[:4]
USUAL = (*((TREES, e) for e in ("1/2", "1", "2", "4")), *((CURVES, e) for e in ("1/2", "1", "4")), (PURE, "1"))
MORE: dict[str, tuple[tuple[str, str], ...]] = {
    "Adult": (
        *((TREES, e) for e in ("1/50", "1/10", "16")),
        *((PUBLISHED, e) for e in ("1/50", "53/1000")),
        *((form, "1") for form in list(OURS)[4:]),
    ),
    "credit": ((TREES, "16"),),
    "spambase": ((PUBLISHED, "1/50"), (TREES, "1/50")),
}


def tasks_of(seeds: int) -> list[Task]:
    """One division of each data set; of the extreme ones ε = 1, or what is said there, and a million rows twice."""
    tasks = [Task(data.name, seed, (*USUAL, *MORE.get(data.name, ()))) for seed in range(seeds) for data in DATA]
    return tasks + [
        Task(data.name, seed, ((TREES, epsilon),))
        for data, epsilon in EXTREME
        for seed in range(seeds if data.size < 10**6 else 2)
    ]


def run(repetition: Repetition, method: str, epsilon: str) -> Outcome:
    """One way of boosting on the rows of a repetition; CPU seconds from coded rows to scores."""
    (form, delta, parties), party, start = OURS[method], repetition.party, time.process_time()
    ensemble = simulate_boosting(
        party,
        Budget.of(Fraction(epsilon), delta=delta),
        n_parties=parties,
        tolerate=TOLERATE,
        form=form,
        nominal_size=repetition.data.size,
        rng=Rehearsal(int(repetition.task.rng(f"{method} {epsilon}").integers(2**31))),
    )
    scores = ensemble.decision_function(repetition.split.X_test)
    return Outcome.of(scores, repetition.truth, time.process_time() - start)


measure = partial(quietly, run)


def speed() -> dict[str, Any]:
    """The ratios of :mod:`benchmarks.ensembles`, and the largest requests of its fits in bytes."""
    return {"speed": [asdict(time_pairs(row)) for row in ensembles.rows()], "request_bytes": ensembles.requests()}


def main() -> None:
    chosen = read_options("boosting", __doc__, seeds=5)
    rows = records(measured(measure, tasks_of(chosen.seeds), chosen.jobs))
    print(report(rows))
    head = {"seeds": chosen.seeds, "parties": PARTIES, "tolerate": TOLERATE, "delta": DELTA}
    keep({**head, **speed(), "records": rows}, chosen.json)


if __name__ == "__main__":
    main()
