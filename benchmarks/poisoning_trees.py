"""``python -m benchmarks.poisoning_trees``: what forged rows do to a tree of public splits, exactly and as promised.

Half of the training rows (of the census, a tenth) are public and grow the splits by CART; the others are private and
pay for noisy counts of the leaves. For each number of forged rows: the mean accuracy that the worst of them leave,
exactly; what the released tree certifies; what follows from the accuracy without forged rows alone, by the curve and as
printed (Corollary 2); and what follows from leaves apart. Beside them votes of CARTs on disjoint parts of all rows,
which are not private. On the breast cancer the best attack is carried out, many times.

The mean accuracy over the coins is computed and not estimated, so bounds that start from it are bounds. The means that
are kept are over repetitions, each with rows of its own. The noise is seeded: this is a measurement on data that are
not secret, and no release.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from benchmarks.accuracy import in_parallel, spread
from benchmarks.stamp import stamp
from fdpedu import cart
from fdpedu.accounting import Ledger
from fdpedu.cart import fit_cart
from fdpedu.datasets import BENCHMARK
from fdpedu.federation import Party
from fdpedu.poisoning import (
    best_attack,
    certify,
    fit_partition_ensemble,
    poisoning_bound_as_printed,
    poisoning_curve,
    structured_bound,
    worst_case_curve,
)
from fdpedu.privatree import fit_privatree
from fdpedu.randomness import Rehearsal
from fdpedu.showing import text_table
from fdpedu.trees import Tree

EPSILONS = tuple(Fraction(e) for e in ("1/100", "3/100", "1/10", "3/10", "1", "3"))
CONFIDENCE, NOISY = "19/20", (Fraction(1), Fraction(1, 10))
PARTS, VOTERS_DEPTH, VOTES = 40, 4, "votes of 40 trees"
EXACT, CERTIFIED, STRUCTURED, CURVE, PRINTED = "worst case", "certificate", "leaves apart", "curve", "Corollary 2"
BOUNDS = (EXACT, CERTIFIED, STRUCTURED, CURVE, PRINTED)
ATTACK, REFITS, COVERED, RELEASES = 20, 200, 4, 100


@dataclass(frozen=True)
class Setting:
    """A data set: how many training rows are public, how deep the tree is, and numbers of forged rows."""

    name: str
    public: int
    depth: int
    rows: tuple[int, ...]


SETTINGS = (
    Setting("breast cancer", 199, 2, (0, 1, 2, 3, 5, 7, 10, 14, 20, 28, 40, 56, 80, 113, 160)),
    Setting("census imitation", 2000, 4, (0, 1, 3, 5, 10, 20, 40, 80, 160, 320, 640)),
)


@dataclass(frozen=True)
class Task:
    """One repetition of a setting; ``kind``: its bounds, the attack on it, or how often certificates hold."""

    setting: int
    seed: int
    kind: str

    def rng(self, purpose: str) -> np.random.Generator:
        """The stream of random numbers for one purpose."""
        return np.random.default_rng(np.random.SeedSequence([self.seed, self.setting, crc32(purpose.encode())]))


class Repetition:
    """The rows of a task, with the public splits."""

    def __init__(self, task: Task) -> None:
        self.task, self.setting = task, SETTINGS[task.setting]
        data = next(one for one in BENCHMARK if one.name == self.setting.name)
        self.domain, split, k = data.domain, data.draw(task.rng("rows")), self.setting.public
        self.public, self.private = ((split.X_train[s], split.y_train[s]) for s in (slice(k), slice(k, None)))
        self.whole, self.test = (split.X_train, split.y_train), (split.X_test, split.y_test)

    @cached_property
    def splits(self) -> cart.Tree:
        """CART's, of the public rows."""
        return fit_cart(*self.public, grid=self.domain, max_depth=self.setting.depth)

    def tree(self, epsilon: Fraction, purpose: str, rows: tuple[Any, Any] | None = None) -> Tree:
        """A release: public splits, noisy counts of the private rows, or of these."""
        X, y = rows or self.private
        rng = Rehearsal(int(self.task.rng(f"{purpose} {epsilon}").integers(2**31)))
        owner = Party(X, self.domain, labels=y)
        depth = self.setting.depth
        return fit_privatree(owner, Ledger(epsilon), max_depth=depth, splits=self.splits, leaves="counts", rng=rng)

    def bounds(self, epsilon: Fraction, rows: Sequence[int]) -> dict[str, list[float]]:
        """The accuracies after so many forged rows, one for each number."""
        tree = self.tree(epsilon, "release")
        worst = worst_case_curve(tree, *self.test, *self.private, max(rows))
        certified = certify(tree, *self.test, rows=max(rows), confidence=CONFIDENCE).curve
        clean, leaves = worst[0], self.leaves(tree, epsilon)
        found: dict[str, list[Fraction]] = {
            EXACT: [worst[x] for x in rows],
            CERTIFIED: [certified[x] for x in rows],
            STRUCTURED: [structured_bound(leaves, epsilon, x) for x in rows],
            CURVE: [poisoning_curve(clean, epsilon, x) for x in rows],
            PRINTED: [poisoning_bound_as_printed(clean, epsilon, x) for x in rows],
        }
        return {name: [round(float(bound), 5) for bound in bounds] for name, bounds in found.items()}

    def leaves(self, tree: Tree, epsilon: Fraction) -> list[tuple[int, int, Fraction]]:
        """Of each leaf the test rows of both classes, and how likely it has the label that more of them have."""
        at, labels = tree.apply(self.test[0]), self.domain.encode_labels(self.test[1])
        found = []
        for leaf in range(len(tree.leaves())):
            own = np.flatnonzero(at == leaf)
            a, b = (int((labels[own] == k).sum()) for k in (0, 1))
            likely = Fraction(1, 2)
            if a != b:
                one = own[labels[own] == int(b > a)][:1]  # a test row that the better label is right about
                likely = worst_case_curve(tree, self.test[0][one], self.test[1][one], *self.private, 0)[0]
            found.append((a, b, likely))
        return found

    def votes(self, rows: Sequence[int]) -> list[float]:
        """What votes of trees on disjoint parts of all training rows certify."""
        ensemble = fit_partition_ensemble(*self.whole, self.domain, PARTS, max_depth=VOTERS_DEPTH)
        right, stands = ensemble.predict(self.test[0]) == self.test[1], ensemble.certified_rows(self.test[0])
        return [round(float(np.mean(right & (stands >= x))), 5) for x in rows]

    def attack(self, epsilon: Fraction) -> dict[str, Any]:
        """The exact worst case, and the mean accuracy of refits on the rows that the best attack adds.

        Where nearly all refits agree, their spread says too little: the error is at least a test row of one of them.
        """
        tree = self.tree(epsilon, "release")
        worst = worst_case_curve(tree, *self.test, *self.private, ATTACK)[ATTACK]
        X, y = best_attack(tree, *self.test, *self.private, ATTACK)
        rows = np.concatenate([self.private[0], np.array(X)]), np.concatenate([self.private[1], np.array(y)])
        found = [self.accuracy(self.tree(epsilon, f"refit {k}", rows)) for k in range(REFITS)]
        numbers = {
            "exact": float(worst),
            "attacked": float(np.mean(found)),
            "se": max(spread(found), 1 / (REFITS * len(self.test[1]))),
        }
        return {name: round(number, 6) for name, number in numbers.items()}

    def accuracy(self, tree: Tree) -> float:
        """On the test rows."""
        return float(np.mean(tree.predict(self.test[0]) == self.test[1]))

    def coverage(self, epsilon: Fraction) -> dict[str, Any]:
        """Of how many releases the certificate is at most the exact worst case, for every number of forged rows."""
        held, margins = 0, []
        worst = worst_case_curve(self.tree(epsilon, "release"), *self.test, *self.private, ATTACK)
        for k in range(RELEASES):
            found = certify(self.tree(epsilon, f"covered {k}"), *self.test, rows=ATTACK, confidence=CONFIDENCE).curve
            held += all(bound <= exact for bound, exact in zip(found, worst, strict=True))
            margins.append(float(worst[-1] - found[-1]))
        return {"releases": RELEASES, "held": held, "margin": round(float(np.mean(margins)), 5)}


def measure(task: Task) -> Any:
    """Of a repetition: all bounds at every ε, the attack, or the coverage."""
    repetition = Repetition(task)
    if task.kind == "attack":
        return {str(epsilon): repetition.attack(epsilon) for epsilon in NOISY}
    if task.kind == "coverage":
        return {str(epsilon): repetition.coverage(epsilon) for epsilon in NOISY}
    rows = repetition.setting.rows
    found: dict[str, Any] = {str(epsilon): repetition.bounds(epsilon, rows) for epsilon in EPSILONS}
    return {**found, VOTES: repetition.votes(rows)}


def tasks_of(seeds: int) -> list[Task]:
    """All repetitions: bounds of each data set; the attack and the coverage on the first one."""
    bounds = [Task(k, seed, "bounds") for seed in range(seeds) for k in range(len(SETTINGS))]
    attacks = [Task(0, seed, "attack") for seed in range(seeds)]
    return [*bounds, *attacks, *(Task(0, seed, "coverage") for seed in range(min(seeds, COVERED)))]


def all_of(seeds: int, jobs: int) -> dict[str, list[dict[str, Any]]]:
    """What is kept: bounds, attacks and coverage."""
    tasks = tasks_of(seeds)
    found = list(zip(tasks, in_parallel(measure, tasks, jobs), strict=True))
    return kept(found)


def kept(found: Sequence[tuple[Task, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Lists of what was found, with means and standard errors of bounds."""
    by_kind = {
        kind: [
            {"seed": task.seed, "epsilon": epsilon, "rows": ATTACK, **numbers}
            for task, one in found
            if task.kind == kind
            for epsilon, numbers in one.items()
        ]
        for kind in ("attack", "coverage")
    }
    return {"bounds": list(_bounds(found)), **by_kind}


def _bounds(found: Sequence[tuple[Task, Any]]) -> Iterator[dict[str, Any]]:
    for k, setting in enumerate(SETTINGS):
        own = [one for task, one in found if task.kind == "bounds" and task.setting == k]
        names = [(str(epsilon), name) for epsilon in EPSILONS for name in BOUNDS]
        for epsilon, name in [*names, (None, VOTES)] if own else []:
            runs = np.array([one[epsilon][name] if epsilon else one[VOTES] for one in own])
            yield {
                "data": setting.name,
                "epsilon": epsilon,
                "bound": name,
                "rows": list(setting.rows),
                "mean": [round(float(mean), 5) for mean in runs.mean(axis=0)],
                "se": [round(spread(column.tolist()), 5) for column in runs.T],
                "tenth": [round(float(low), 5) for low in np.quantile(runs, 0.1, axis=0)],
                "runs": runs.tolist(),
            }


def report(found: dict[str, list[dict[str, Any]]]) -> str:
    """Bounds after some numbers of forged rows; attacks in standard errors; coverage."""
    tables = []
    for setting in SETTINGS:
        own, some = [row for row in found["bounds"] if row["data"] == setting.name], range(0, len(setting.rows), 2)
        lines = [
            (f"{row['bound']}, ε={row['epsilon']}", *(f"{row['mean'][k]:.3f} ± {row['se'][k]:.3f}" for k in some))
            for row in own
        ]
        head = (setting.name, *(f"x={setting.rows[k]}" for k in some))
        tables.append(text_table([head, *lines], right=range(1, len(head))))
    for one in found["attack"]:
        off = (one["attacked"] - one["exact"]) / one["se"]
        tables.append(f"ε={one['epsilon']}: {one['exact']:.4f} exactly, {one['attacked']:.4f} attacked ({off:+.1f} se)")
    for one in found["coverage"]:
        tables.append(
            f"ε={one['epsilon']}: {one['held']} of {one['releases']} certificates held, by {one['margin']:.4f}"
        )
    return "\n\n".join(tables)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.poisoning_trees", description=__doc__)
    parser.add_argument("--seeds", type=int, default=20, help="repetitions, at least 2")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers to FILE")
    chosen = parser.parse_args()
    if chosen.seeds < 2 or chosen.jobs < 1:
        parser.error("needs seeds ≥ 2 and jobs ≥ 1")
    found = all_of(chosen.seeds, chosen.jobs)
    print(report(found))
    if chosen.json:
        parts = [f'"{key}": {json.dumps(value, ensure_ascii=False)}' for key, value in stamp().items()]
        parts.append(f'"seeds": {chosen.seeds}, "confidence": "{CONFIDENCE}"')
        for key, rows in found.items():
            parts.append(f'"{key}": [\n' + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]")
        chosen.json.write_text("{" + ",\n".join(parts) + "}\n", "utf8")


if __name__ == "__main__":
    main()
