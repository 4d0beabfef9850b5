"""``python -m benchmarks.boosting_joining``: is a hospital better off with all others, or alone?

On four real sets, of which all rows are taken, a quarter, or a sixteenth, K hospitals share the rows evenly. Together
they grow boosted trees with (ε, 10⁻⁶); alone a hospital has its own rows, no noise, and the better of scikit-learn's
histogram boosting and logistic regression, by the mean over all seeds. A hospital's patients are of the same kind as
those of the others here, which is the best case for staying alone. Of more than twenty hospitals the noise is that of
twenty, whose standard deviation is larger by two of a hundred at most. What grows is
:mod:`benchmarks.boosting_simulation`, which a test shows to be the package's rule.
"""

import time
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from benchmarks.accuracy import DELTA, spread
from benchmarks.boosting_changes import public_of, rho_of
from benchmarks.boosting_peers import HGB, LINEAR, SHARED, unprotected
from benchmarks.boosting_pieces import rule_of
from benchmarks.boosting_runs import NONE, Outcome, Repetition, Runs, Scores, Task, measured, quietly
from benchmarks.boosting_simulation import Growth
from benchmarks.repeated import keep, read_options
from fdpedu.showing import text_table

PARTS, HOSPITALS, EPSILONS = (1, 4, 16), (2, 5, 20, 50, 100), ("1/10", "1/2", "1", "2", "4")
TOGETHER, MOST_NOISE = "together", 20  # no more than the noise of so many is drawn
LEAST = 20  # rows of a hospital that has any model


def sizes(n: int) -> list[tuple[int, int]]:
    """Which part of the rows, and among how many hospitals, as long as each has some."""
    return [(part, k) for part in PARTS for k in HOSPITALS if n // part // k >= LEAST]


def runs_of(n: int) -> tuple[tuple[str, str], ...]:
    """Methods, whose names hold the part and K, with ε."""
    own = [(f"{name}, 1/{part}, {k}", NONE) for part, k in sizes(n) for name in (HGB, LINEAR)]
    noisy = dict.fromkeys((part, min(k, MOST_NOISE)) for part, k in sizes(n))
    return (*own, *((f"{TOGETHER}, 1/{part}, {k}", epsilon) for part, k in noisy for epsilon in EPSILONS))


def tasks_of(seeds: int) -> list[Task]:
    found = []
    for name in SHARED:
        n = Repetition.size(name)
        found += [Task(name, seed, runs_of(n)) for seed in range(seeds)]
    return found


def run(repetition: Repetition, method: str, epsilon: str) -> Outcome:
    """One model, of a part of all rows or of what one hospital of K has of them."""
    name, part, k = method.split(", ")
    size, hospitals = repetition.data.size // int(part[2:]), int(k)
    start = time.process_time()
    if name == TOGETHER:
        scores = together(repetition, slice(size), epsilon, hospitals, f"{method} at {epsilon}")
    else:
        scores = unprotected(repetition, slice(size // hospitals), name)
    return Outcome.of(scores, repetition.truth, time.process_time() - start)


def together(repetition: Repetition, rows: slice, epsilon: str, hospitals: int, purpose: str) -> Scores:
    """Scores of the test rows by boosting among so many hospitals, of which one may be curious."""
    (train, test), n, rng = repetition.codes, rows.stop, repetition.task.rng
    public = public_of(repetition.data.domain, n)
    rule = replace(rule_of(public, rho_of(epsilon)), factor=hospitals / (hospitals - 1))
    own = np.ascontiguousarray(train[rows].T), repetition.labels[rows]
    fit = Growth(public, rule, *own, rng(purpose), rng(f"{purpose} coins")).whole()
    return fit.scores(np.ascontiguousarray(test.T))


measure = partial(quietly, run)


def compared(runs: Runs) -> list[dict[str, Any]]:
    """For each set, part, K and ε: AUC together and alone, and together − alone on the same rows."""
    rows = []
    for name in dict.fromkeys(data for data, _, _ in runs):
        for part, k in sizes(Repetition.size(name)):
            both = {model: aucs(runs, name, NONE, f"{model}, 1/{part}, {k}") for model in (HGB, LINEAR)}
            for epsilon in EPSILONS:
                found = aucs(runs, name, epsilon, f"{TOGETHER}, 1/{part}, {min(k, MOST_NOISE)}")
                place = {"data": name, "rows": Repetition.size(name) // part, "hospitals": k, "epsilon": epsilon}
                rows.append(place | gain(found, both))
    return rows


def gain(together: np.ndarray, alone: dict[str, np.ndarray]) -> dict[str, Any]:
    """Of the AUC of each seed, against the model that is better alone in the mean."""
    best = max(alone, key=lambda model: alone[model].mean())
    row: dict[str, Any] = {"model": best}
    for what, values in (("together", together), ("alone", alone[best]), ("gain", together - alone[best])):
        row |= {what: round(float(values.mean()), 4), f"{what}_se": round(spread(values), 4)}
    return row


def aucs(runs: Runs, name: str, epsilon: str, method: str) -> np.ndarray:
    return np.array([one.auc for one in runs[name, epsilon, method]])


def report(rows: list[dict[str, Any]]) -> str:
    """Hundredths of AUC that joining gains, with K across."""
    lines = []
    for key in dict.fromkeys((row["data"], row["rows"], row["epsilon"]) for row in rows):
        own = {r["hospitals"]: r for r in rows if (r["data"], r["rows"], r["epsilon"]) == key}
        cells = [f"{100 * own[k]['gain']:+.1f} ± {100 * own[k]['gain_se']:.1f}" if k in own else "–" for k in HOSPITALS]
        lines.append((key[0], f"{key[1]:,}", str(float(Fraction(key[2]))), *cells))
    head = ("AUC together − alone, in 100ths", "rows", "ε", *(f"K = {k}" for k in HOSPITALS))
    return text_table([head, *lines], right=range(1, 3 + len(HOSPITALS)))


def main() -> None:
    chosen = read_options("boosting_joining", __doc__, seeds=3)
    rows = compared(measured(measure, tasks_of(chosen.seeds), chosen.jobs))
    print(report(rows))
    keep({"seeds": chosen.seeds, "delta": DELTA, "rows": rows}, chosen.json)


if __name__ == "__main__":
    main()
