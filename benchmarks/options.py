"""``python -m benchmarks.options``: what each option of a design is worth, in test accuracy and in leaves.

Trees are grown by the package through its real federation of five parties, to depth 5, with ``tolerate=1``. In each
repetition all designs have the same rows and the same division of them, each its own noise; so differences from the
default are paired by rows, and their standard errors are of the differences over the repetitions. Of every tree the
leaves are counted as grown and after pruning, which leaves all labels as they are.

``dummies`` is the default on the same rows with a yes-or-no feature for each category, as the report has them.

The noise is seeded: this is a measurement on data that are not secret, and no release.
"""

import argparse
import math
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.accuracy import Repetition, Task, in_parallel, spread
from benchmarks.repeated import a_row_a_line
from benchmarks.stamp import stamp
from fdpedu.accounting import Ledger
from fdpedu.datasets import BENCHMARK, divide
from fdpedu.domain import Categorical, Domain
from fdpedu.federation import Federation, Party
from fdpedu.randomness import SeededReleaseWarning
from fdpedu.showing import text_table
from fdpedu.sources.gubler import AsPrinted
from fdpedu.trees import DESIGNS, Tree, fit_federated_tree, stopping

DATA = ("mixture n=250 p=10 ρ=0.9", "mixture n=1000 p=50 ρ=0.9", "mixture n=5000 p=25 ρ=0.3", "breast cancer")
DATA += ("one strong feature", "census imitation")
DEPTH, PARTIES, SEEDS = 5, 5, 30
BASE = DESIGNS["default"]

# What is measured: from the number of features to a design, or to rules of the fit.
OPTIONS: dict[str, Callable[[int], dict[str, Any]]] = {
    "default": lambda p: {"design": BASE},
    "without clip": lambda p: {"design": replace(BASE, clip=False)},
    "without consistent": lambda p: {"design": replace(BASE, consistent=False)},
    "without unspent_to_leaf": lambda p: {"design": replace(BASE, unspent_to_leaf=False)},
    "without shrink": lambda p: {"design": replace(BASE, shrink=0)},
    "stop=averaged": lambda p: {"design": replace(BASE, stop=stopping.averaged)},
    "features_per_node=√p": lambda p: {"design": replace(BASE, features_per_node="sqrt")},
    "features_per_node=p/2": lambda p: {"design": replace(BASE, features_per_node=math.ceil(p / 2))},
    "fresh_leaves=False": lambda p: {"design": replace(BASE, fresh_leaves=False)},
    "fresh_leaves=False, consistent=False": lambda p: {"design": replace(BASE, fresh_leaves=False, consistent=False)},
    "leaf_share=3/10": lambda p: {"design": BASE, "leaf_share": "3/10"},
    "leaf_share=1/10": lambda p: {"design": BASE, "leaf_share": "1/10"},
    "leaf_share=3/10, features_per_node=√p": lambda p: {
        "design": replace(BASE, features_per_node="sqrt"),
        "leaf_share": "3/10",
    },
    "algorithm-5-clipped": lambda p: {"design": "algorithm-5-clipped"},
    "algorithm-5-as-printed": lambda p: {"design": AsPrinted()},
}
DUMMIES = "dummies"
NUMBERS = ("accuracy", "leaves", "pruned leaves")
Measured = dict[str, dict[str, float]]  # option → number


def measure(task: Task) -> Measured:
    """Every option in one repetition."""
    warnings.simplefilter("ignore", SeededReleaseWarning)
    repetition, found = Repetition(task), dict[str, dict[str, float]]()
    split, domain = repetition.split, repetition.domain
    for option in task.methods:
        if option == DUMMIES:
            if all(feature.ordered for feature in domain.features):
                continue
            (train, fine), (test, _) = dummied(split.X_train, domain), dummied(split.X_test, domain)
            rows, _ = divide(len(train), task.parties, 0, task.rng("dummies"))
            members = [Party(train[part], fine, labels=split.y_train[part]) for part in rows]
            tree = grown(task, option, members, fine, OPTIONS["default"](fine.n_features))
            found[option] = scores(tree, test, split.y_test)
            continue
        tree = grown(task, option, repetition.members, domain, OPTIONS[option](domain.n_features))
        found[option] = scores(tree, split.X_test, split.y_test)
    return found


def grown(task: Task, option: str, members: Sequence[Party], domain: Domain, rules: dict[str, Any]) -> Tree:
    rng = task.rng(option)
    federation = Federation(members, domain, Ledger(task.epsilon), rng=rng)
    return fit_federated_tree(federation, max_depth=DEPTH, rng=rng.spawn(1)[0], **rules)


def scores(tree: Tree, X: Any, y: Any) -> dict[str, float]:
    """Accuracy on the test rows, and the leaves before and after pruning."""
    leaves = len(tree.leaves()), len(tree.pruned().leaves())
    return dict(zip(NUMBERS, (tree.score(X, y), *map(float, leaves)), strict=True))


def dummied(X: Any, domain: Domain) -> tuple[np.ndarray, Domain]:
    """The rows with a feature "yes" or "no" for each category, and their domain."""
    features, columns = [], []
    for j, feature in enumerate(domain.features):
        column = X[:, j]
        if feature.ordered:
            features.append(feature)
            columns.append(column)
            continue
        for category in feature.categories:
            features.append(Categorical(f"{feature.name} is {category}", ("no", "yes")))
            columns.append(np.where(column == category, "yes", "no"))
    return np.array(columns, dtype=object).T, Domain(features, domain.classes)


def records(tasks: Sequence[Task], measured: Sequence[Measured]) -> list[dict[str, Any]]:
    """For each data set, ε and option: accuracy, its paired difference from the default, leaves, and all errors."""
    rows = []
    for position, epsilon in dict.fromkeys((task.data, task.epsilon) for task in tasks):
        of = [m for task, m in zip(tasks, measured, strict=True) if (task.data, task.epsilon) == (position, epsilon)]
        base = np.array([m["default"]["accuracy"] for m in of])
        for option in of[0]:
            own = {what: np.array([m[option][what] for m in of]) for what in NUMBERS}
            gain = own["accuracy"] - base
            rows.append(
                {
                    **{"data": BENCHMARK[position].name, "epsilon": str(epsilon), "option": option, "runs": len(of)},
                    **{what: float(numbers.mean()) for what, numbers in own.items()},
                    **{f"{what} se": spread(numbers) for what, numbers in own.items()},
                    **{"difference": float(gain.mean()), "difference se": spread(gain)},
                }
            )
    return rows


def pooled(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """For each ε and option the mean difference over its data sets, which are strata, and its standard error."""
    found = []
    for epsilon, option in dict.fromkeys((row["epsilon"], row["option"]) for row in rows):
        own = [row for row in rows if (row["epsilon"], row["option"]) == (epsilon, option)]
        mean = sum(row["difference"] for row in own) / len(own)
        error = math.sqrt(sum(row["difference se"] ** 2 for row in own)) / len(own)
        found.append({"epsilon": epsilon, "option": option, "difference": mean, "se": error, "data sets": len(own)})
    return found


def report(found: Sequence[dict[str, Any]]) -> str:
    """A line for each option, with its difference from the default at each ε."""
    epsilons = list(dict.fromkeys(row["epsilon"] for row in found))
    rows = [("accuracy less that of the default", *(f"ε={e}" for e in epsilons))]
    for option in dict.fromkeys(row["option"] for row in found):
        own = {row["epsilon"]: row for row in found if row["option"] == option}
        rows.append((option, *(f"{own[e]['difference']:+.4f} ± {own[e]['se']:.4f}" for e in epsilons)))
    return text_table(rows, right=range(1, len(epsilons) + 1))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.options", description="What each option is worth.")
    parser.add_argument("--epsilon", nargs="+", type=Fraction, default=[Fraction(1, 2), Fraction(1), Fraction(2)])
    parser.add_argument("--seeds", type=int, default=SEEDS, help="repetitions, at least 2")
    parser.add_argument("--data", nargs="+", choices=[data.name for data in BENCHMARK], default=list(DATA))
    parser.add_argument("--only", nargs="+", choices=[*OPTIONS, DUMMIES], default=[*OPTIONS, DUMMIES])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers to FILE")
    chosen = parser.parse_args()
    if chosen.seeds < 2 or chosen.jobs < 1 or min(chosen.epsilon) <= 0:
        parser.error("needs seeds ≥ 2, jobs ≥ 1 and ε > 0")
    compared = tuple(dict.fromkeys(["default", *chosen.only]))
    places = [position for position, data in enumerate(BENCHMARK) if data.name in chosen.data]
    tasks = [
        Task(at, epsilon, seed, PARTIES, compared)
        for at in places
        for epsilon in chosen.epsilon
        for seed in range(chosen.seeds)
    ]
    measured = list(in_parallel(measure, tasks, chosen.jobs))
    rows = records(tasks, measured)
    print(report(pooled(rows)))
    if chosen.json:
        content = {**stamp(), "parties": PARTIES, "depth": DEPTH, "records": rows, "pooled": pooled(rows)}
        chosen.json.write_text(a_row_a_line(content) + "\n", "utf8")


if __name__ == "__main__":
    sys.exit(main())
