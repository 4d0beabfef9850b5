"""``python -m benchmarks.poisoning``: how often a backdoor opens, by the number of forged pictures.

11,824 pictures of zeros and ones to learn from, trees of four levels on four bins, 0 to 118 forged pictures: CART,
trees of one owner by choices and by histograms at three budgets, and Algorithm 1 of Vos et al., without its line 7, at
a nominal ε of 1/10; its ten bins are quantiles, drawn among sixteen: one for each number of pixels in a block.
All learners of a repetition see the same rows.

The noise is seeded: this is a measurement on data that are not secret, and no release.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any
from zlib import crc32

import numpy as np

from benchmarks.accuracy import in_parallel, spread
from benchmarks.repeated import keep, read_options
from fdpedu.accounting import Ledger
from fdpedu.cart import fit_cart
from fdpedu.datasets import TRIGGER, zeros_and_ones, zeros_and_ones_domain
from fdpedu.federation import Party
from fdpedu.randomness import Rehearsal
from fdpedu.robust import attack_success, plant_backdoor
from fdpedu.showing import text_table
from fdpedu.sources.vos import epsilon_at_most, fit_privatree_as_printed
from fdpedu.trees import fit_privatree

DEPTH, FORGED, N = 4, (0, 1, 24, 118), 11_824
PRINTED_AT = Fraction(1, 10)
DOMAIN, FINE = zeros_and_ones_domain(), zeros_and_ones_domain(bins=16)
Learner = Callable[[Any, Any, int], Any]


def _cart(X: Any, y: Any, seed: int) -> Any:
    return fit_cart(X, y, grid=DOMAIN, max_depth=DEPTH)


def _printed(X: Any, y: Any, seed: int) -> Any:
    return fit_privatree_as_printed(X, y, FINE, PRINTED_AT, max_depth=DEPTH, stop="depth", rng=Rehearsal(seed))


def _mended(X: Any, y: Any, seed: int, *, epsilon: str, splits: str = "choice") -> Any:
    owner = Party(X, DOMAIN, labels=y)
    return fit_privatree(owner, Ledger(epsilon), max_depth=DEPTH, splits=splits, rng=Rehearsal(seed))


LEARNERS: dict[str, Learner] = {
    "CART": _cart,
    "choice, ε = 1": partial(_mended, epsilon="1"),
    "choice, ε = 1/10": partial(_mended, epsilon="1/10"),
    "choice, ε = 1/100": partial(_mended, epsilon="1/100"),
    "histograms, ε = 1": partial(_mended, epsilon="1", splits="histograms"),
    "printed, told 1/10": _printed,
}


@dataclass(frozen=True)
class Task:
    """One repetition with so many forged pictures."""

    rows: int
    seed: int


Found = dict[str, tuple[float, float]]  # success of the backdoor, and accuracy on clean pictures


def measure(task: Task, only: Sequence[str] = ()) -> Found:
    """For each learner how many triggered zeros it takes for ones, and how many clean pictures it gets right."""
    rng = np.random.default_rng(task.seed)
    split = zeros_and_ones(rng, train=N)
    X, y = plant_backdoor(split.X_train, split.y_train, TRIGGER, source="zero", target="one", rows=task.rows, rng=rng)
    zeros, found = split.X_test[split.y_test == "zero"], Found()
    for name, learner in LEARNERS.items():
        if not only or name in only:
            model = learner(X, y, crc32(f"{name} {task.rows} {task.seed}".encode()))
            clean = float(model.score(split.X_test, split.y_test))
            found[name] = (round(attack_success(model, zeros, TRIGGER, target="one"), 5), round(clean, 5))
    return found


def records(tasks: Sequence[Task], found: Sequence[Found]) -> list[dict[str, Any]]:
    """For each learner and number of forged pictures: means with standard errors, and all runs."""
    runs: dict[tuple[str, int], list[tuple[float, float]]] = {}
    for task, results in zip(tasks, found, strict=True):
        for name, one in results.items():
            runs.setdefault((name, task.rows), []).append(one)
    return [
        {
            "learner": name,
            "rows": rows,
            "success": round(float(np.mean([success for success, _ in own])), 5),
            "se": round(spread([success for success, _ in own]), 5),
            "accuracy": round(float(np.mean([clean for _, clean in own])), 5),
            "runs": [list(one) for one in own],
        }
        for (name, rows), own in sorted(runs.items(), key=lambda item: (list(LEARNERS).index(item[0][0]), item[0][1]))
    ]


def report(rows: Sequence[dict[str, Any]]) -> str:
    """Success rates and clean accuracies."""
    lines = [
        (row["learner"], str(row["rows"]), f"{row['success']:.3f} ± {row['se']:.3f}", f"{row['accuracy']:.3f}")
        for row in rows
    ]
    return text_table([("learner", "forged", "success", "clean accuracy"), *lines], right=(1, 2, 3))


def tasks_of(seeds: int) -> list[Task]:
    """All repetitions."""
    return [Task(rows, seed) for seed in range(seeds) for rows in FORGED]


def main() -> None:
    chosen = read_options("poisoning", __doc__, seeds=40)
    tasks = tasks_of(chosen.seeds)
    rows = records(tasks, list(in_parallel(measure, tasks, chosen.jobs)))
    print(report(rows))
    real = epsilon_at_most(PRINTED_AT, numeric=DOMAIN.n_features, rows=N, max_depth=DEPTH, stop="depth")
    head = {"seeds": chosen.seeds, "depth": DEPTH, "n": N, "printed_real": round(float(real), 3)}
    keep({**head, "backdoor": rows}, chosen.json)


if __name__ == "__main__":
    main()
