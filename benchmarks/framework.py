"""``python -m benchmarks.framework``: Maddock et al.'s framework on four sets of rows, and what splits are worth.

Each of the choices is run at ε = 1 and δ = 10⁻⁶, with 25 trees of depth 3, as printed and mended. In a repetition all
have the same rows; so differences from ``totally random, newton`` are paired, and their standard errors are of the
differences over the repetitions. Numbers have 32 bins, so there are more borders than the 16 candidates.

The noise is seeded: this is a measurement on data that are not secret, and no release.
"""

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from benchmarks.accuracy import in_parallel, spread
from benchmarks.boosting_data import BINS, binned
from benchmarks.repeated import keep, read_options
from fdpedu.datasets import BENCHMARK, wisconsin, wisconsin_features
from fdpedu.domain import Domain
from fdpedu.showing import text_table
from fdpedu.sources.maddock import framework_rows, framework_table
from fdpedu.sources.maddock.paying import PAID

Found = dict[str, Any]
BASE, SEEDS = "totally random, newton", 8
CHOICES = (
    *("histogram, newton", "histogram, one feature a tree", "partially random, newton", BASE),
    *("totally random, averages", "totally random, λ = 1", "totally random, log candidates"),
    *("totally random, paid candidates", "totally random, one batch"),
)
PATIENTS = "breast cancer, ten features"
DATA = (PATIENTS, "mixture n=1000 p=10 ρ=0.3", "clusters", "mixture n=5000 p=25 ρ=0.3")
TRAIN = 398


class Task(NamedTuple):
    """One repetition on one set."""

    data: str
    seed: int


def rows(data: str) -> tuple[Domain, Any]:
    """The domain of a set, and what draws its rows: those to learn from and their classes, those of the test."""
    if data == PATIENTS:
        X, y, domain = wisconsin([name for name in wisconsin_features() if "worst" in name], bins=BINS)

        def draw(rng: np.random.Generator) -> Any:
            order = rng.permutation(len(y))
            learn, rest = order[:TRAIN], order[TRAIN:]
            return X[learn], y[learn], X[rest], y[rest]

        return domain, draw
    found = next(one for one in BENCHMARK if one.name == data)
    return binned(found.domain), lambda rng: tuple(found.draw(rng))


def measure(task: Task, names: Sequence[str] = CHOICES) -> Found:
    """AUC and accuracy of each of the choices, by how it was paid."""
    domain, draw = rows(task.data)
    every = framework_rows(trees=25, depth=3)
    table = framework_table(
        draw, domain, {name: every[name] for name in names}, epsilon=1, delta=1e-6, seeds=[task.seed]
    )
    return {row.name: {paid: [round(v, 5) for v in row.mean(paid)] for paid in PAID} for row in table.rows}


def records(data: str, runs: Sequence[Found]) -> list[Found]:
    """For each of the choices and ways to pay: means, differences from random trees, and the errors of both."""
    domain, _ = rows(data)
    every, found = framework_rows(trees=25, depth=3), list[Found]()
    for name in runs[0]:
        for paid in PAID:
            own, base = (np.array([run[which][paid] for run in runs]) for which in (name, BASE))
            asked = sum(every[name].queries(domain.n_features))
            row = Found(data=data, choices=name, paid=paid, releases=asked)
            for at, what in enumerate(("auc", "accuracy")):
                row[what] = _mean(own[:, at])
                row[f"{what} less"] = _mean(own[:, at] - base[:, at])
            found.append(row | {"all": own.tolist()})
    return found


def _mean(values: Any) -> list[float]:
    return [round(float(np.mean(values)), 5), round(spread(values), 5)]


def report(found: Sequence[Found]) -> str:
    """A line for each set and each of the choices, mended."""
    lines = [("rows", "choices", "releases", "AUC", "less random", "accuracy", "less random")]
    for row in found:
        if row["paid"] == "mended":
            shown = (f"{row[k][0]:.3f} ± {row[k][1]:.3f}" for k in ("auc", "auc less", "accuracy", "accuracy less"))
            lines.append((row["data"], row["choices"], str(row["releases"]), *shown))
    return text_table(lines, right=range(2, 7))


def main() -> None:
    chosen = read_options("framework", __doc__, seeds=SEEDS)
    warnings.filterwarnings("ignore", message=".*clipped.*")
    found = list[Found]()
    for data in DATA:
        tasks = [Task(data, seed) for seed in range(chosen.seeds)]
        found += records(data, list(in_parallel(measure, tasks, chosen.jobs)))
    print(report(found))
    keep({"seeds": chosen.seeds, "records": found}, chosen.json)


if __name__ == "__main__":
    main()
