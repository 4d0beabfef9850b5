"""``python -m benchmarks.better_trees``: how much of the gap trees of choices close, by ε and by the number of parties.

The data sets, the two reference trees and the scale are those of :func:`fdpedu.experiments.gap_closed`, and so are all
streams of random numbers: each share here is the one that this function gives for as many runs. Of a run all trees have
the same rows. Three series are kept: all methods at five parties for each ε; at ε = 1 for other numbers of parties; and
where the rows are sorted by their first feature, and each of five parties has a fifth of them.

The noise is seeded: this is a measurement on data that are not secret, and no release.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.accuracy import in_parallel
from benchmarks.repeated import a_row_a_line
from benchmarks.stamp import stamp
from fdpedu.datasets import BENCHMARK
from fdpedu.experiments.gap import Repetition, pooled
from fdpedu.showing import text_table

METHODS = ("algorithm-5-clipped", "default", "screened", "rotating", "owner", "local")
EPSILONS = tuple(map(Fraction, ("1/4", "1/2", "1", "2", "5")))
PARTIES, SIZES, SEED = 5, (2, 5, 20, 50, 100), 0
OF_PARTIES = ("screened", "rotating", "local")
SUMS = ("screened",)  # without colluders, the noise of a sum has the same law for any number of parties
SKEWED = ("rotating", "local")
SERIES = ("by epsilon", "by parties", "skewed")
NOT_PRIVATE = "local"


@dataclass(frozen=True)
class Task:
    """One repetition of a data set, for one series."""

    data: int
    run: int
    series: str


Found = dict[tuple[str, str, Fraction, int], tuple[float, float, float]]  # of series, method, ε and parties


def measure(task: Task) -> Found:
    """The accuracies of the lower reference, each method and the upper reference."""
    return dict(_measured(task))


def _measured(task: Task) -> Iterator[tuple[tuple[str, str, Fraction, int], tuple[float, float, float]]]:
    one = Fraction(1)
    plan: dict[str, Sequence[tuple[int, Sequence[Fraction], Sequence[str]]]] = {
        "by epsilon": [(PARTIES, EPSILONS, METHODS)],
        "by parties": [(parties, [one], OF_PARTIES) for parties in SIZES],
        "skewed": [(PARTIES, [one], SKEWED)],
    }
    once = dict[tuple[str, Fraction], float]()
    for parties, epsilons, methods in plan[task.series]:
        sorted_by = 0 if task.series == "skewed" else None
        repetition = Repetition(BENCHMARK[task.data], parties, SEED, task.run, sorted_by)
        not_private = repetition.own(NOT_PRIVATE, one)
        for epsilon in epsilons:
            lower = repetition.lower(epsilon)
            for method in methods:
                if method == NOT_PRIVATE:
                    own = not_private
                elif method in SUMS and (method, epsilon) in once:
                    own = once[method, epsilon]
                else:
                    own = once[method, epsilon] = repetition.own(method, epsilon)
                yield (task.series, method, epsilon, parties), (lower, own, repetition.upper)


def records(tasks: Sequence[Task], found: Sequence[Found]) -> list[dict[str, Any]]:
    """For each series, method, ε and number of parties: the share of the gap, and mean accuracies by data set."""
    each: dict[Any, dict[int, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for task, results in zip(tasks, found, strict=True):
        for key, accuracies in results.items():
            each[key][task.data].append(accuracies)
    rows = []
    for (series, method, epsilon, parties), by_data in each.items():
        tables = [np.array(runs) for runs in by_data.values()]
        share, error = pooled(tables)
        named = zip(by_data, tables, strict=True)
        means = {BENCHMARK[data].name: [round(float(mean), 5) for mean in table.mean(axis=0)] for data, table in named}
        place = {"series": series, "method": method, "epsilon": str(epsilon), "parties": parties}
        rows.append({**place, "share": share, "se": error, "accuracies": means})
    return rows


def report(rows: Sequence[dict[str, Any]]) -> str:
    """The shares of each series as a table."""
    tables = []
    for series in SERIES:
        own = [row for row in rows if row["series"] == series]
        across = "parties" if series == "by parties" else "epsilon"
        columns = list(dict.fromkeys(row[across] for row in own))
        shown = {(row["method"], row[across]): f"{row['share']:.3f} ± {row['se']:.3f}" for row in own}
        lines = [
            (method, *(shown[method, column] for column in columns))
            for method in dict.fromkeys(row["method"] for row in own)
        ]
        head = (f"gap closed, {series}", *(f"{'K' if across == 'parties' else 'ε'}={column}" for column in columns))
        tables.append(text_table([head, *lines], right=range(1, len(columns) + 1)))
    return "\n\n".join(tables)


def tasks_of(runs: int) -> list[Task]:
    """So many repetitions of each data set in each series."""
    return [Task(data, run, series) for series in SERIES for data in range(len(BENCHMARK)) for run in range(runs)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.better_trees", description="Trees of choices.")
    parser.add_argument("--runs", type=int, default=15, help="repetitions of each data set, at least 2")
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
        content = {
            **stamp(),
            "runs": chosen.runs,
            "seed": SEED,
            "data": [one.name for one in BENCHMARK],
            "records": rows,
        }
        chosen.json.write_text(a_row_a_line(content) + "\n", "utf8")


if __name__ == "__main__":
    main()
