"""``python -m benchmarks.boosting``: how accurate boosting among five parties is, beside other trees and a peer.

For each data set, ε and seed the rows are drawn anew, and all methods have the same ones. The package's own are grown
by its real federation of five parties, of which one may be curious (tolerate = 1). Numbers have 32 bins of equal width
for boosting, and ten for the trees of chapters 8 and 11, which are paid in ε. The peer is DP-EBM of InterpretML, at its
defaults, with one trusted curator; it has the same public ranges, and values beyond them are clipped for it, as they
are for us. With δ all of them keep (ε, 10⁻⁶). Not private are CART, as in :mod:`benchmarks.reference`, and
scikit-learn's histogram boosting, at its defaults, of the rows that one party has.

The data sets are those of :mod:`benchmarks.boosting_data`. ε is 1/2 and 1, for five main ones also 2. Kept are accuracy
and AUC of each run, and the paired differences between ours and the peer. A method's seconds are CPU time from a
party's rows to predictions, those of the peer of its fit alone.

Every stream of random numbers is named by (seed, data set, ε, what it is for), as in :mod:`benchmarks.accuracy`, so a
result depends neither on --jobs nor on which other methods run. The noise is seeded: this is a measurement on data that
are not secret, and no release. The file is written after each seed; with --resume the seeds that it has are kept, if
the code that they were measured with is unchanged.
"""

import argparse
import json
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from benchmarks import ensembles
from benchmarks.accuracy import CONFIGURATIONS, DELTA, Task, in_parallel, spread
from benchmarks.answers import ask
from benchmarks.boosting_data import DATA, MAIN, binned
from benchmarks.pairs import PEERS
from benchmarks.pairs import measure as time_pairs
from benchmarks.reference import DEPTH, MIN_SAMPLES_LEAF_OF_CART, one_hot
from benchmarks.repeated import a_row_a_line
from benchmarks.stamp import changed_since, stamp
from fdpedu.accounting import Ledger
from fdpedu.boosting import fit_federated_boosting
from fdpedu.datasets import divide
from fdpedu.domain import Domain
from fdpedu.federation import ClippedWarning, Federation, Party
from fdpedu.randomness import SeededReleaseWarning
from fdpedu.showing import text_table
from fdpedu.trees import fit_federated_tree

PARTIES, TOLERATE = 5, 1
EPSILONS, MORE = (Fraction(1, 2), Fraction(1)), (Fraction(2),)
# The package's boosting: form, and δ.
OURS: dict[str, tuple[str, str | None]] = {
    "trees": ("trees", DELTA),
    "curves": ("curves", DELTA),
    "trees, without δ": ("trees", None),
}
ONE_TREE = {"one tree": "default, tolerate=1", "one rotating tree": "rotating, tolerate=1"}
PEER, CART, ALONE = "DP-EBM", "CART", "one party's own boosting"
METHODS = (*OURS, PEER, *ONE_TREE, CART, ALONE)


@dataclass(frozen=True)
class Outcome:
    """Of one run: accuracy and area under the curve on test rows, and CPU seconds."""

    accuracy: float
    auc: float
    seconds: float


class Repetition:
    """The rows of one task, and what each method makes of them."""

    def __init__(self, task: Task) -> None:
        self.task, self.data = task, DATA[task.data]
        self.split, self.domain = self.data.draw(task.rng("rows")), self.data.domain
        self.labels, self.truth = (
            self.domain.encode_labels(y).astype(np.int64) for y in (self.split.y_train, self.split.y_test)
        )

    @cached_property
    def parts(self) -> list[np.ndarray]:
        """Which rows each party has."""
        return divide(len(self.labels), self.task.parties, 0, self.task.rng("division"))[0]

    def federation(self, domain: Domain, rng: np.random.Generator, delta: str | None = None) -> Federation:
        s = self.split
        members = [Party(s.X_train[part], domain, labels=s.y_train[part]) for part in self.parts]
        return Federation(members, domain, Ledger(self.task.epsilon, delta=delta), tolerate=TOLERATE, rng=rng)

    def run(self, method: str) -> Outcome:
        rng, start = self.task.rng(method), time.process_time()
        if method == PEER:
            scores, seconds = self.of_the_peer(int(rng.integers(2**31)))
            predicted = scores > 0
        else:
            scores, predicted = self.answers(method, rng)
            seconds = time.process_time() - start
        accuracy, auc = (predicted == self.truth).mean(), roc_auc_score(self.truth, scores)
        return Outcome(round(float(accuracy), 6), round(float(auc), 6), round(seconds, 3))

    def answers(self, method: str, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Scores of the test rows, and their predicted classes, 0 or 1."""
        if method in OURS:
            form, delta = OURS[method]
            federation = self.federation(binned(self.domain), rng, delta)
            ensemble = fit_federated_boosting(federation, form=form, nominal_size=self.data.size, rng=rng)
            scores = ensemble.decision_function(self.split.X_test)
            return scores, scores > 0
        if method in ONE_TREE:
            _, rules = CONFIGURATIONS[ONE_TREE[method]]
            size = {"nominal_size": self.data.size} if "nominal_size" in rules else {}
            tree = fit_federated_tree(self.federation(self.domain, rng), rng=rng, **{**rules, **size})
            labels = self.domain.encode_labels(tree.predict(self.split.X_test))
            return tree.predict_proba(self.split.X_test)[:, 1], labels
        categories = [None if feature.ordered else feature.categories for feature in self.domain.features]
        train, test = (one_hot(X, categories) for X in (self.split.X_train, self.split.X_test))
        rows, model = self.not_private(method, int(rng.integers(2**31)))
        model.fit(train[rows], self.labels[rows])
        return model.predict_proba(test)[:, 1], model.predict(test)

    def not_private(self, method: str, seed: int) -> tuple[Any, Any]:
        """Which rows it has, and the model."""
        if method == ALONE:
            return self.parts[0], HistGradientBoostingClassifier(random_state=seed)
        least = MIN_SAMPLES_LEAF_OF_CART
        return slice(None), DecisionTreeClassifier(max_depth=DEPTH, min_samples_leaf=least, random_state=seed)

    def of_the_peer(self, seed: int) -> tuple[np.ndarray, float]:
        """Scores of DP-EBM, and the CPU seconds of its fit."""
        ranges = [(f.edges[0], f.edges[-1]) if f.ordered else None for f in self.domain.features]
        with tempfile.TemporaryDirectory() as folder:
            rows = f"{folder}/rows.npz"
            train, test = (self.clipped(X) for X in (self.split.X_train, self.split.X_test))
            np.savez(rows, train=train, test=test, labels=self.labels)
            budget = {"epsilon": float(self.task.epsilon), "delta": float(Fraction(DELTA))}
            answer = ask(".peers-boosting", "boosting.py", rows=rows, ranges=ranges, seed=seed, **budget)
        return np.array(answer["scores"]), answer["seconds"]

    def clipped(self, X: np.ndarray) -> np.ndarray:
        """Numbers within their public ranges, categories as codes."""
        return np.column_stack(
            [
                np.clip(column.astype(float), f.edges[0], f.edges[-1]) if f.ordered else f.encode(column).astype(float)
                for f, column in zip(self.domain.features, X.T, strict=True)
            ]
        )


def versions() -> dict[str, str]:
    """Of what the peer is made of."""
    command = [str(PEERS.parent / ".peers-boosting" / "bin" / "python"), str(PEERS / "boosting.py"), "versions"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measure(task: Task) -> dict[str, Outcome]:
    """The outcomes of all methods of a task."""
    warnings.simplefilter("ignore", SeededReleaseWarning)
    warnings.simplefilter("ignore", ClippedWarning)  # a party of the clusters has more than 1 in 20 values of a column
    with threadpool_limits(1):
        repetition = Repetition(task)
        return {method: repetition.run(method) for method in task.methods}


Key = tuple[str, str, str]  # data set, ε, method
Runs = dict[Key, list[Outcome]]  # by seed


def tasks_of(seed: int, names: Iterable[str] | None = None, methods: Sequence[str] = METHODS) -> list[Task]:
    """One repetition of each data set at each ε."""
    return [
        Task(position, epsilon, seed, PARTIES, tuple(methods))
        for position, data in enumerate(DATA)
        if names is None or data.name in set(names)
        for epsilon in (EPSILONS + MORE if data.name in MAIN else EPSILONS)
    ]


def add(runs: Runs, tasks: Sequence[Task], found: Iterable[dict[str, Outcome]]) -> None:
    """Put the outcomes of tasks behind those of earlier seeds."""
    for task, outcomes in zip(tasks, found, strict=True):
        for method, outcome in outcomes.items():
            runs.setdefault((DATA[task.data].name, str(task.epsilon), method), []).append(outcome)


def records(runs: Runs) -> list[dict[str, Any]]:
    """For each data set, ε and method: mean accuracy and AUC, their standard errors, mean seconds, and every run."""
    rows = []
    for (name, epsilon, method), outcomes in runs.items():
        accuracies, aucs = (values(runs, (name, epsilon, method), what) for what in ("accuracy", "auc"))
        rows.append(
            {
                "data": name,
                "epsilon": epsilon,
                "method": method,
                "accuracy": round(float(accuracies.mean()), 5),
                "accuracy_se": round(spread(accuracies), 5),
                "auc": round(float(aucs.mean()), 5),
                "auc_se": round(spread(aucs), 5),
                "seconds": round(float(np.mean([one.seconds for one in outcomes])), 3),
                "runs": [[one.accuracy, one.auc, one.seconds] for one in outcomes],
            }
        )
    return rows


def values(runs: Runs, key: Key, what: str) -> np.ndarray:
    """The accuracy or the AUC of each run."""
    return np.array([getattr(outcome, what) for outcome in runs[key]])


def paired(runs: Runs) -> list[dict[str, Any]]:
    """For each data set, ε and way of ours: ours − DP-EBM on the same rows, with the standard errors."""
    rows = []
    for name, epsilon, method in runs:
        if method in OURS and (name, epsilon, PEER) in runs:
            row: dict[str, Any] = {"data": name, "epsilon": epsilon, "method": method}
            for what in ("accuracy", "auc"):
                ours, theirs = (values(runs, (name, epsilon, one), what) for one in (method, PEER))
                row[what] = round(float((ours - theirs).mean()), 5)
                row[f"{what}_se"] = round(spread(ours - theirs), 5)
            rows.append(row)
    return rows


def report(rows: Sequence[dict[str, Any]]) -> str:
    """Accuracy/AUC of every method, a table for each ε."""
    tables = []
    for epsilon in dict.fromkeys(row["epsilon"] for row in rows):
        own = [row for row in rows if row["epsilon"] == epsilon]
        methods = list(dict.fromkeys(row["method"] for row in own))
        cells = {(row["data"], row["method"]): f"{row['accuracy']:.3f}/{row['auc']:.3f}" for row in own}
        lines = [
            (name, *(cells.get((name, method), "–") for method in methods))
            for name in dict.fromkeys(r["data"] for r in own)
        ]
        tables.append(text_table([(f"accuracy/AUC, ε={epsilon}", *methods), *lines], right=range(1, len(methods) + 1)))
    return "\n\n".join(tables)


def text_of(runs: Runs, seeds: int, more: dict[str, Any]) -> str:
    """The file: what was measured with, then a line for each data set, ε and method."""
    head = {**stamp(), "peer": versions(), "seeds": seeds, "parties": PARTIES, "tolerate": TOLERATE, "delta": DELTA}
    head |= more
    return a_row_a_line(head | {"records": records(runs), "paired": paired(runs)}) + "\n"


def kept(file: Path) -> tuple[Runs, int, dict[str, Any]]:
    """The runs of a file, the number of their seeds and the speed, if all that they were measured with is as it was."""
    old = json.loads(file.read_text("utf8")) if file.exists() else None
    if old is None or changed_since(old) or old["peer"] != versions():
        return {}, 0, {}
    runs = {
        (row["data"], row["epsilon"], row["method"]): [Outcome(*run) for run in row["runs"]] for row in old["records"]
    }
    return runs, old["seeds"], {key: old[key] for key in ("speed", "request_bytes")}


def speed() -> dict[str, Any]:
    """The ratio of :mod:`benchmarks.ensembles`, and the largest requests of its fits in bytes."""
    (row,) = ensembles.rows()
    requests = {form: ensembles.largest_request(form) for form in ("trees", "curves")}
    return {"speed": asdict(time_pairs(row)), "request_bytes": requests}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.boosting", description="Boosting beside its peers.")
    parser.add_argument("--seeds", type=int, default=16, help="repetitions of each data set, at least 2")
    parser.add_argument("--only", nargs="*", choices=[data.name for data in DATA], help="data sets")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers to FILE, after each seed")
    parser.add_argument("--resume", action="store_true", help="keep the seeds that FILE has of this code")
    chosen = parser.parse_args()
    if chosen.seeds < 2 or chosen.jobs < 1:
        parser.error("needs seeds ≥ 2 and jobs ≥ 1")
    runs, done, more = kept(chosen.json) if chosen.resume and chosen.json else ({}, 0, {})
    if chosen.json and not more:
        more = speed()
    for seed in range(done, chosen.seeds):
        tasks = tasks_of(seed, chosen.only)
        add(runs, tasks, in_parallel(measure, tasks, chosen.jobs))
        if chosen.json and seed > 0:
            chosen.json.write_text(text_of(runs, seed + 1, more), "utf8")
    print(report(records(runs)))


if __name__ == "__main__":
    main()
