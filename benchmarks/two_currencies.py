"""``python -m benchmarks.two_currencies``: how much of the gap trees of noisy counts close, paid in ε and paid in ρ.

The data sets, the two reference trees and the scale are those of :func:`fdpedu.experiments.gap_closed`, and so are all
streams of random numbers. Of a run all trees have the same rows. Beside all thirteen data sets together, those of few,
of more and of many features are shown apart, as a record pays for each feature's histogram.

The noise is seeded: this is a measurement on data that are not secret, and no release.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.accuracy import DELTA, in_parallel
from benchmarks.repeated import a_row_a_line
from benchmarks.stamp import stamp
from fdpedu.accounting import Budget
from fdpedu.datasets import BENCHMARK
from fdpedu.experiments.gap import Repetition, pooled
from fdpedu.showing import text_table

METHODS = ("default", "screened")
EPSILONS, DELTAS = tuple(map(Fraction, ("1/4", "1/2", "1", "2"))), (None, DELTA)
PARTIES, SEED = 5, 0
GROUPS = {"all": range(4097), "10 to 14 features": range(10, 15), "25 to 30": range(25, 31), "50": range(50, 51)}
Key = tuple[str, Fraction, str]  # of a method, ε and δ; "0" is none


@dataclass(frozen=True)
class Task:
    """One repetition of a data set."""

    data: int
    run: int


def measure(task: Task) -> dict[Key, tuple[float, float, float]]:
    """The accuracies of the lower reference, each method and the upper reference, by method, ε and δ."""
    repetition, found = Repetition(BENCHMARK[task.data], PARTIES, SEED, task.run), {}
    for epsilon in EPSILONS:
        lower = repetition.lower(epsilon)
        for method in METHODS:
            for delta in DELTAS:
                own = repetition.own(method, Budget.of(epsilon, delta=delta))
                found[method, epsilon, delta or "0"] = (lower, own, repetition.upper)
    return found


def records(tasks: Sequence[Task], found: Sequence[dict[Key, tuple[float, float, float]]]) -> list[dict[str, Any]]:
    """For each method, ε, δ and group of data sets the share of the gap, with its standard error."""
    rows = []
    for method, epsilon, delta in found[0]:
        for group, sizes in GROUPS.items():
            tables: dict[int, list[Any]] = {}
            for task, results in zip(tasks, found, strict=True):
                if BENCHMARK[task.data].domain.n_features in sizes:
                    tables.setdefault(task.data, []).append(results[method, epsilon, delta])
            if tables:
                share, error = pooled([np.array(runs) for runs in tables.values()])
                place = {"method": method, "epsilon": str(epsilon), "delta": delta, "group": group}
                rows.append({**place, "share": share, "se": error, "data_sets": len(tables)})
    return rows


def report(rows: Sequence[dict[str, Any]]) -> str:
    """The shares of each group as a table."""
    tables = []
    for group in dict.fromkeys(row["group"] for row in rows):
        own = [row for row in rows if row["group"] == group]
        epsilons = list(dict.fromkeys(row["epsilon"] for row in own))
        shown = {(row["method"], row["delta"], row["epsilon"]): f"{row['share']:.3f} ± {row['se']:.3f}" for row in own}
        lines = [
            (
                f"{method}, {'δ = ' + delta if delta != '0' else 'without δ'}",
                *(shown[method, delta, e] for e in epsilons),
            )
            for method, delta in dict.fromkeys((row["method"], row["delta"]) for row in own)
        ]
        head = (f"gap closed, {group}", *(f"ε={e}" for e in epsilons))
        tables.append(text_table([head, *lines], right=range(1, len(epsilons) + 1)))
    return "\n\n".join(tables)


def tasks_of(runs: int) -> list[Task]:
    """So many repetitions of each data set."""
    return [Task(data, run) for data in range(len(BENCHMARK)) for run in range(runs)]


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.two_currencies", description="Trees paid in ε and in ρ."
    )
    parser.add_argument("--runs", type=int, default=25, help="repetitions of each data set, at least 2")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers to FILE")
    chosen = parser.parse_args()
    if chosen.runs < 2 or chosen.jobs < 1:
        parser.error("needs runs ≥ 2 and jobs ≥ 1")
    tasks = tasks_of(chosen.runs)
    found = list(in_parallel(measure, tasks, chosen.jobs))
    rows = records(tasks, found)
    print(report(rows))
    if chosen.json:
        content = {**stamp(), "runs": chosen.runs, "seed": SEED, "records": rows}
        chosen.json.write_text(a_row_a_line(content) + "\n", "utf8")


if __name__ == "__main__":
    main()
