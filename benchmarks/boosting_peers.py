"""``python -m benchmarks.boosting_peers``: what others make of the rows on which boosting is measured.

The peer is DP-EBM of InterpretML, at its defaults, with one trusted curator and the budget (ε, 10⁻⁶); it has the same
public ranges, and values beyond them are clipped for it, as they are for us. Not private are scikit-learn's histogram
boosting at its defaults and logistic regression, of all rows in one place, and the former of the rows that one hospital
of K has. Nothing here is of the package but rows and ranges, so a change of its boosting makes none of it stale.
"""

import json
import subprocess
import tempfile
import time
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from benchmarks.accuracy import DELTA
from benchmarks.answers import ask
from benchmarks.boosting_data import CHOSEN, DATA, RARE
from benchmarks.boosting_runs import (
    NONE,
    PARTIES,
    Outcome,
    Repetition,
    Scores,
    Task,
    measured,
    quietly,
    records,
    report,
)
from benchmarks.pairs import PEERS
from benchmarks.repeated import keep, read_options
from benchmarks.stamp import stamp

PEER, HGB, LINEAR, ALONE = "DP-EBM", "HistGradientBoosting", "logistic regression", "one hospital alone"
EVERYWHERE, ADULT = ("1/2", "1", "4"), ("1/50", "1/10", "1/2", "1", "2", "4", "16")
OF_ROWS = ("datasets/", "domain/", "exact/", "federation/dealing.py", "randomness.py")  # all that they have of ours
SHARED = ("Adult", "credit", "magic", "spambase")
HOSPITALS = (2, 5, 10, 20, 50, 100)


def runs_of(name: str) -> tuple[tuple[str, str], ...]:
    """Methods with ε, for one data set; of a hospital alone, how many there are stands in its name but for five."""
    own = [(HGB, NONE), (LINEAR, NONE)]
    own += [(alone(k), NONE) for k in (HOSPITALS if name in SHARED else (PARTIES,))]
    return (*own, *((PEER, epsilon) for epsilon in (ADULT if name == "Adult" else EVERYWHERE)))


def alone(hospitals: int) -> str:
    return ALONE if hospitals == PARTIES else f"{ALONE} of {hospitals}"


def tasks_of(seeds: int) -> list[Task]:
    return [Task(data.name, seed, runs_of(data.name)) for seed in range(seeds) for data in DATA]


def run(repetition: Repetition, method: str, epsilon: str) -> Outcome:
    """One method on the rows of a repetition."""
    seed = int(repetition.task.rng(f"{method} {epsilon}").integers(2**31))
    if method == PEER:
        return Outcome.of(*of_the_peer(repetition, epsilon, seed))
    start = time.process_time()
    rows: Any = slice(None)
    if method.startswith(ALONE):
        _, _, hospitals = method.partition(" of ")
        rows = repetition.parts(int(hospitals or PARTIES))[0]
    scores = unprotected(repetition, rows, LINEAR if method == LINEAR else HGB, seed)
    return Outcome.of(scores, repetition.truth, time.process_time() - start)


def unprotected(repetition: Repetition, rows: Any, method: str, seed: int = 0) -> Scores:
    """Scores of the test rows by a model of some rows of all; where these are of one class, nothing orders anything."""
    (train, test), labels = repetition.codes, repetition.labels[rows]
    if len(set(labels.tolist())) < 2:
        return np.full(len(test), labels[0] - 0.5)
    if method == LINEAR:
        return linear(repetition, train[rows], test, labels)
    unordered = [not feature.ordered for feature in repetition.data.domain.features]
    model = HistGradientBoostingClassifier(categorical_features=unordered, random_state=seed)
    return np.asarray(model.fit(train[rows], labels).decision_function(test))


def linear(repetition: Repetition, train: Any, test: Any, labels: Any) -> Scores:
    """Of numbers, standardised, and of a column of 0 and 1 for each category."""
    columns = [
        [codes[:, [j]].astype(float) if f.ordered else codes[:, [j]] == np.arange(f.n_codes) for codes in (train, test)]
        for j, f in enumerate(repetition.data.domain.features)
    ]
    table, tested = (np.hstack(part).astype(float) for part in zip(*columns, strict=True))
    centre, scale = table.mean(axis=0), np.maximum(table.std(axis=0), 1e-9)
    model = LogisticRegression(max_iter=300).fit((table - centre) / scale, labels)
    return np.asarray(model.decision_function((tested - centre) / scale))


def of_the_peer(repetition: Repetition, epsilon: str, seed: int) -> tuple[Scores, np.ndarray, float]:
    """Scores of DP-EBM, the truth, and the CPU seconds of its fit."""
    domain, split = repetition.data.domain, repetition.split
    ranges = [(f.edges[0], f.edges[-1]) if f.ordered else None for f in domain.features]
    with tempfile.TemporaryDirectory() as folder:
        rows = f"{folder}/rows.npz"
        train, test = (clipped(repetition, X) for X in (split.X_train, split.X_test))
        np.savez(rows, train=train, test=test, labels=repetition.labels)
        budget = {"epsilon": float(Fraction(epsilon)), "delta": float(Fraction(DELTA))}
        answer = ask(".peers-boosting", "boosting.py", rows=rows, ranges=ranges, seed=seed, **budget)
    return np.array(answer["scores"]), repetition.truth, answer["seconds"]


def clipped(repetition: Repetition, X: np.ndarray) -> np.ndarray:
    """Numbers within their public ranges, categories as codes."""
    return np.column_stack(
        [
            np.clip(column.astype(float), f.edges[0], f.edges[-1]) if f.ordered else f.encode(column).astype(float)
            for f, column in zip(repetition.data.domain.features, X.T, strict=True)
        ]
    )


def versions() -> dict[str, str]:
    """Of what the peer is made of."""
    command = [str(PEERS.parent / ".peers-boosting" / "bin" / "python"), str(PEERS / "boosting.py"), "versions"]
    found: dict[str, str] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found


measure = partial(quietly, run)


def main() -> None:
    chosen = read_options("boosting_peers", __doc__, seeds=5)
    rows = records(measured(measure, tasks_of(chosen.seeds), chosen.jobs))
    print(report(rows))
    named = [data.name for data in CHOSEN], [data.name for data in RARE]
    rests_on = {name: code for name, code in stamp()["measured"].items() if name.startswith(OF_ROWS)}
    head = {"measured": rests_on, "peer": versions(), "seeds": chosen.seeds, "parties": PARTIES, "delta": DELTA}
    keep({**head, "chosen": named[0], "rare": named[1], "records": rows}, chosen.json)


if __name__ == "__main__":
    main()
