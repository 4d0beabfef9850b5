"""What measurements of boosting have in common: a task, its rows, the outcome of a run, and the records of a file.

For each data set and seed the rows are drawn once, and every method at every ε has the same ones. Every stream of
random numbers is named by (seed, data set, what it is for), so a result depends neither on --jobs nor on which other
methods run. Noise is seeded: these are measurements on data that are not secret, and no release.
"""

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from threadpoolctl import threadpool_limits

from benchmarks.accuracy import in_parallel, spread
from benchmarks.boosting_data import DATA, EXTREME
from fdpedu.datasets import Split, divide
from fdpedu.federation import ClippedWarning, Party
from fdpedu.randomness import SeededReleaseWarning
from fdpedu.showing import text_table

PARTIES, TOLERATE = 5, 1
NONE = "–"  # where ε would stand, of what is not private
BY_NAME = {data.name: data for data in (*DATA, *(data for data, _ in EXTREME))}
Scores = NDArray[np.float64]


class Task(NamedTuple):
    """One division of a data set's rows, and the methods to run on them, each at its values of ε."""

    data: str
    seed: int
    runs: tuple[tuple[str, str], ...]  # method, ε

    def rng(self, purpose: str) -> np.random.Generator:
        """The stream of random numbers for one purpose of this repetition."""
        entropy = [self.seed, crc32(self.data.encode()), crc32(purpose.encode())]
        return np.random.default_rng(np.random.SeedSequence(entropy))


@dataclass(frozen=True)
class Outcome:
    """Of one run: accuracy and area under the curve on test rows, and CPU seconds."""

    accuracy: float
    auc: float
    seconds: float

    @classmethod
    def of(cls, scores: Scores, truth: NDArray[np.int64], seconds: float) -> "Outcome":
        """Of scores that are above 0 for class 1."""
        accuracy, auc = ((scores > 0) == truth).mean(), roc_auc_score(truth, scores)
        return cls(round(float(accuracy), 6), round(float(auc), 6), round(seconds, 3))


class Repetition:
    """The rows of one task."""

    def __init__(self, task: Task) -> None:
        self.task, self.data = task, BY_NAME[task.data]
        self.split: Split = self.data.draw(task.rng("rows"))
        self.labels, self.truth = (y.astype(np.int64) for y in (self.split.y_train, self.split.y_test))

    @staticmethod
    def size(name: str) -> int:
        """N of a data set."""
        return BY_NAME[name].size

    @cached_property
    def codes(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """Training rows and test rows, with 256 bins."""
        return tuple(self.data.domain.encode(X) for X in (self.split.X_train, self.split.X_test))  # type: ignore[return-value]

    @cached_property
    def party(self) -> Party:
        """With all rows."""
        return Party(self.split.X_train, self.data.domain, labels=self.split.y_train)

    def parts(self, parties: int) -> list[NDArray[np.int64]]:
        """Which rows each party has."""
        return divide(len(self.labels), parties, 0, self.task.rng(f"division among {parties}"))[0]


Key = tuple[str, str, str]  # data set, ε, method
Runs = dict[Key, list[Outcome]]  # by seed
Run = Callable[[Repetition, str, str], Outcome]


def quietly(run: Run, task: Task) -> list[Outcome]:
    """The outcomes of a task's runs, in their order."""
    warnings.simplefilter("ignore", SeededReleaseWarning)
    warnings.simplefilter("ignore", ClippedWarning)  # a party of the clusters has more than 1 in 20 values of a column
    with threadpool_limits(1):
        repetition = Repetition(task)
        return [run(repetition, method, epsilon) for method, epsilon in task.runs]


def measured(measure: Callable[[Task], list[Outcome]], tasks: Sequence[Task], jobs: int) -> Runs:
    """The outcomes of all tasks, which stand in the order of their seeds."""
    runs: Runs = {}
    for task, outcomes in zip(tasks, in_parallel(measure, tasks, jobs), strict=True):
        for (method, epsilon), outcome in zip(task.runs, outcomes, strict=True):
            runs.setdefault((task.data, epsilon, method), []).append(outcome)
    return runs


def records(runs: Runs) -> list[dict[str, Any]]:
    """For each data set, ε and method: mean accuracy and AUC, their standard errors, mean seconds, and every run."""
    rows = []
    for (name, epsilon, method), outcomes in runs.items():
        row: dict[str, Any] = {"data": name, "epsilon": epsilon, "method": method}
        for what in ("accuracy", "auc"):
            found = [getattr(one, what) for one in outcomes]
            row |= {what: round(float(np.mean(found)), 5), f"{what}_se": round(spread(found), 5)}
        row["seconds"] = round(float(np.mean([one.seconds for one in outcomes])), 3)
        rows.append({**row, "runs": [[one.accuracy, one.auc, one.seconds] for one in outcomes]})
    return rows


def of_records(rows: Iterable[dict[str, Any]]) -> Runs:
    """The runs of a file."""
    return {(row["data"], row["epsilon"], row["method"]): [Outcome(*run) for run in row["runs"]] for row in rows}


def report(rows: Sequence[dict[str, Any]]) -> str:
    """Accuracy/AUC of every method, a table for each ε."""
    tables = []
    for epsilon in dict.fromkeys(row["epsilon"] for row in rows):
        own = [row for row in rows if row["epsilon"] == epsilon]
        methods = list(dict.fromkeys(row["method"] for row in own))
        cells = {(row["data"], row["method"]): f"{row['accuracy']:.3f}/{row['auc']:.4f}" for row in own}
        lines = [
            (name, *(cells.get((name, method), "–") for method in methods))
            for name in dict.fromkeys(r["data"] for r in own)
        ]
        tables.append(text_table([(f"accuracy/AUC, ε={epsilon}", *methods), *lines], right=range(1, len(methods) + 1)))
    return "\n\n".join(tables)
