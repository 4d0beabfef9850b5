"""``python -m benchmarks.boosting_monotone``: curves that may only rise, beside the same curves as they were released.

One owner has Adult, in the division of rows of :mod:`benchmarks.boosting`. Each fit is made once, at δ = 10⁻⁶: what is
compared is post-processing of the same releases. Income rises with years of education; with age it rises and falls
again, so that there the demand is wrong.
"""

import time
from functools import cache, partial
from typing import Any

from benchmarks.accuracy import DELTA, spread
from benchmarks.boosting_runs import Outcome, Repetition, Runs, Task, measured, quietly, records, report
from benchmarks.repeated import keep, read_options
from fdpedu.accounting import Ledger
from fdpedu.boosting import Ensemble, fit_federated_boosting
from fdpedu.federation import Curator

RELEASED = "as released"
METHODS: dict[str, dict[str, int]] = {
    RELEASED: {},
    "education rises": {"education-num": 1},
    "age rises": {"age": 1},
    "both rise": {"age": 1, "education-num": 1},
}
EPSILONS = ("1/10", "1")
NAME = "Adult"


@cache
def fitted(repetition: Repetition, epsilon: str) -> Ensemble:
    """Curves of one owner, as released."""
    noise, coins = (repetition.task.rng(f"{what} at {epsilon}") for what in ("noise", "coins"))
    curator = Curator(repetition.party, Ledger(epsilon, delta=DELTA), noise)
    size = repetition.size(NAME)
    return fit_federated_boosting(curator, form="curves", nominal_size=size, progress=lambda *_: None, rng=coins)


def run(repetition: Repetition, method: str, epsilon: str) -> Outcome:
    """One method on the rows of a repetition."""
    start = time.process_time()
    model = fitted(repetition, epsilon).with_monotone(METHODS[method])
    scores = model.decision_function(repetition.split.X_test)
    return Outcome.of(scores, repetition.truth, time.process_time() - start)


measure = partial(quietly, run)


def tasks_of(seeds: int) -> list[Task]:
    every = tuple((method, epsilon) for epsilon in EPSILONS for method in METHODS)
    return [Task(NAME, seed, every) for seed in range(seeds)]


def paired(runs: Runs) -> list[dict[str, Any]]:
    """For each ε and demand the mean difference of AUC to the released curves on the same rows, with its error."""
    rows = []
    for epsilon in EPSILONS:
        plain = [one.auc for one in runs[NAME, epsilon, RELEASED]]
        for method in list(METHODS)[1:]:
            more = [one.auc - other for one, other in zip(runs[NAME, epsilon, method], plain, strict=True)]
            rows.append(
                {
                    "epsilon": epsilon,
                    "method": method,
                    "auc": round(sum(more) / len(more), 5),
                    "auc_se": round(spread(more), 5),
                }
            )
    return rows


def main() -> None:
    chosen = read_options("boosting_monotone", __doc__, 5)
    runs = measured(measure, tasks_of(chosen.seeds), chosen.jobs)
    rows, differences = records(runs), paired(runs)
    print(report(rows))
    for row in differences:
        print(f"ε = {row['epsilon']}, {row['method']}: {row['auc']:+.5f} ± {row['auc_se']:.5f}")
    keep({"seeds": chosen.seeds, "delta": str(DELTA), "records": rows, "paired": differences}, chosen.json)


if __name__ == "__main__":
    main()
