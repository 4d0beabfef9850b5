"""``python -m benchmarks.framework``: Maddock et al.'s framework on four sets of rows, and what splits are worth.

Each of the choices is run at ε = 1 and δ = 10⁻⁶, with 25 trees of depth 3, as printed and mended. In a repetition all
have the same rows; so differences from ``totally random, newton`` are paired, and their standard errors are of the
differences over the repetitions. Numbers have 32 bins, so there are more borders than the 16 candidates.

The one-feature tree is run with ten bins, too; and :mod:`benchmarks.framework_public` has real sets of another size.

The noise is seeded: this is a measurement on data that are not secret, and no release.
"""

import warnings
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from benchmarks import framework_public
from benchmarks.accuracy import in_parallel
from benchmarks.boosting_data import BINS, binned
from benchmarks.framework_public import mean
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
FEW_BINS = 10
SPLITS = (BASE, "histogram, newton", "histogram, one feature a tree")  # with few bins
DATA = (PATIENTS, "mixture n=1000 p=10 ρ=0.3", "clusters", "mixture n=5000 p=25 ρ=0.3")
TRAIN = 398


class Task(NamedTuple):
    """One repetition on one set."""

    data: str
    seed: int
    bins: int = BINS


def rows(data: str, bins: int = BINS) -> tuple[Domain, Any]:
    """The domain of a set, and what draws its rows: those to learn from and their classes, those of the test."""
    if data == PATIENTS:
        X, y, domain = wisconsin([name for name in wisconsin_features() if "worst" in name], bins=bins)

        def draw(rng: np.random.Generator) -> Any:
            order = rng.permutation(len(y))
            learn, rest = order[:TRAIN], order[TRAIN:]
            return X[learn], y[learn], X[rest], y[rest]

        return domain, draw
    found = next(one for one in BENCHMARK if one.name == data)
    return binned(found.domain, bins), lambda rng: tuple(found.draw(rng))


def measure(task: Task, names: Sequence[str] = CHOICES) -> Found:
    """AUC and accuracy of each of the choices, by how it was paid."""
    domain, draw = rows(task.data, task.bins)
    every = framework_rows(trees=25, depth=3)
    table = framework_table(
        draw, domain, {name: every[name] for name in names}, epsilon=1, delta=1e-6, seeds=[task.seed]
    )
    return {row.name: {paid: [round(v, 5) for v in row.mean(paid)] for paid in PAID} for row in table.rows}


def records(data: str, runs: Sequence[Found], bins: int = BINS) -> list[Found]:
    """For each of the choices and ways to pay: means, differences from random trees, and the errors of both."""
    domain, _ = rows(data)
    every, found = framework_rows(trees=25, depth=3), list[Found]()
    for name in runs[0]:
        for paid in PAID:
            own, base = (np.array([run[which][paid] for run in runs]) for which in (name, BASE))
            asked = sum(every[name].queries(domain.n_features))
            row = Found(data=data, bins=bins, choices=name, paid=paid, releases=asked)
            for at, what in enumerate(("auc", "accuracy")):
                row[what] = mean(own[:, at])
                row[f"{what} less"] = mean(own[:, at] - base[:, at])
            found.append(row | {"all": own.tolist()})
    return found


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
    found, few = list[Found](), list[Found]()
    for data in DATA:
        tasks = [Task(data, seed) for seed in range(chosen.seeds)]
        found += records(data, list(in_parallel(measure, tasks, chosen.jobs)))
        tasks = [Task(data, seed, FEW_BINS) for seed in range(chosen.seeds)]
        few += records(data, list(in_parallel(partial(measure, names=SPLITS), tasks, chosen.jobs)), FEW_BINS)
    real = framework_public.tasks_of(chosen.seeds)
    public = framework_public.records(real, list(in_parallel(framework_public.measure, real, chosen.jobs)))
    print(report(found), report(few), framework_public.report(public), sep="\n\n")
    keep({"seeds": chosen.seeds, "records": found, "few bins": few, "public": public}, chosen.json)


if __name__ == "__main__":
    main()
