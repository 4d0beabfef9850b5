"""``python -m benchmarks.pruning``: what lower bounds save, what they remove, and better ways to choose a split.

*Trees.* In each repetition the report's Algorithm 6, mended (``fit_saving_tree``), and Algorithm 5 have the same rows,
the same division among five parties and the same ε, each its own noise; both are of depth 5, clip counts below 0, and
give leaves what their path has not spent. Algorithm 5 is grown twice: comparing splits by G, as the report does, and by
n·G, as Algorithm 6 does; and each of these again with half of the features of a node, drawn by public coins, which
saves as much without paying for bounds. Differences are of Algorithm 6 less the other, paired by rows, with the
standard errors of the paired differences.

*Removals.* Of every node that asked for bounds: how many features it removed, and whether it removed the best one, by
the exact counts of all rows. A node whose features are all as good has no best one.

*Splits.* See :mod:`benchmarks.splits`.

Every stream of random numbers is named by seed, data set, ε and purpose. The noise is seeded: this is a measurement on
data that are not secret, and no release.
"""

import math
import sys
import warnings
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from benchmarks import splits
from benchmarks.accuracy import Repetition, Task, in_parallel, spread
from benchmarks.repeated import keep, read_options
from fdpedu.accounting import Ledger
from fdpedu.bounds import SavingTree, fit_saving_tree
from fdpedu.cart import grid_histograms, local_best_impurity
from fdpedu.datasets import BENCHMARK
from fdpedu.domain import Region
from fdpedu.federation import Federation
from fdpedu.randomness import SeededReleaseWarning
from fdpedu.showing import text_table
from fdpedu.trees import Design, Tree, fit_federated_tree, stopping

DATA = ("mixture n=250 p=10 ρ=0.9", "census imitation")  # the second has most to save: many rows, few good features
SEEDS = 40
EPSILONS = tuple(map(Fraction, (1, 4, 10)))
DEPTH, PARTIES, LATTICE = 5, 5, 4
SAVING = "algorithm 6, mended"
PRINTED = Design(stop=stopping.as_printed, consistent=False)  # clipped; the scores are compared by n·G
FIVES = {
    "algorithm 5, by G": lambda p: replace(PRINTED, relative=True),
    "algorithm 5, by n·G": lambda p: PRINTED,
    "half of the features, by G": lambda p: replace(PRINTED, relative=True, features_per_node=math.ceil(p / 2)),
    "half of the features, by n·G": lambda p: replace(PRINTED, features_per_node=math.ceil(p / 2)),
}
Measured = dict[str, dict[str, float]]


def measure(task: Task) -> Measured:
    """The trees of one repetition: accuracies on test rows, and what Algorithm 6 removed."""
    warnings.simplefilter("ignore", SeededReleaseWarning)
    repetition, found = Repetition(task), Measured()
    X, y = repetition.split.X_test, repetition.split.y_test
    for name in FIVES:
        found[name] = {"accuracy": five(repetition, name).score(X, y)}
    saving = fit_saving_tree(federation(repetition, SAVING), max_depth=DEPTH, lattice=LATTICE)
    found[SAVING] = {"accuracy": saving.score(X, y), **removals(repetition, saving)}
    return found


def five(repetition: Repetition, name: str) -> Tree:
    """Algorithm 5 on all features of a node, or on half of them, drawn by public coins."""
    design, coins = FIVES[name](repetition.domain.n_features), repetition.task.rng(f"coins of {name}")
    return fit_federated_tree(federation(repetition, name), max_depth=DEPTH, design=design, rng=coins)


def federation(repetition: Repetition, name: str) -> Federation:
    """The parties of a repetition, with noise of their own for each way to grow a tree."""
    task = repetition.task
    return Federation(repetition.members, repetition.domain, Ledger(task.epsilon), rng=task.rng(name))


def removals(repetition: Repetition, tree: SavingTree) -> dict[str, float]:
    """How many features the nodes removed, of how many; in how many nodes there was a best one, and where it went."""
    nodes = tree.savings.nodes
    totals = {"features": 0, "removed": 0, "nodes with a best": 0, "best removed": 0, "removed there": 0, "there": 0}
    for node in nodes:
        totals["features"] += len(node.bounds)
        totals["removed"] += len(node.removed)
        left = impurities(repetition, node.region)
        best = {j for j, impurity in enumerate(left) if impurity == min(left)}
        if len(best) < len(left):
            totals["nodes with a best"] += 1
            totals["best removed"] += best <= set(node.removed)
            totals["removed there"] += len(node.removed)
            totals["there"] += len(node.bounds)
    saved = [float(node.saved / node.budget) for node in nodes]
    return {**totals, "nodes": len(nodes), "saved of a node": float(np.mean(saved))}


def impurities(repetition: Repetition, region: Region) -> list[Fraction]:
    """For each feature the least n·G that a split leaves of all rows of a region, exactly."""
    table, _ = repetition.codes
    inside = np.ones(len(table.codes), bool)
    for j, feature in enumerate(repetition.domain.features):
        if len(codes := region.codes(j)) < feature.n_codes:
            inside &= np.isin(table.codes[:, j], list(codes))
    counts = grid_histograms(table.codes[inside], table.labels[inside], repetition.domain)
    ordered = [feature.ordered for feature in repetition.domain.features]
    return [local_best_impurity(cells, ordered=is_one) for cells, is_one in zip(counts, ordered, strict=True)]


def records(tasks: Sequence[Task], measured: Sequence[Measured]) -> list[dict[str, Any]]:
    """For each data set, ε and tree: accuracy, the paired difference from Algorithm 6, and its removals."""
    rows = []
    for position, epsilon in dict.fromkeys((task.data, task.epsilon) for task in tasks):
        of = [m for task, m in zip(tasks, measured, strict=True) if (task.data, task.epsilon) == (position, epsilon)]
        base = np.array([m[SAVING]["accuracy"] for m in of])
        for name in of[0]:
            own = np.array([m[name]["accuracy"] for m in of])
            sums = {what: sum(m[name][what] for m in of) for what in of[0][name] if what != "accuracy"}
            shares = removal_shares(sums, len(of)) if sums else {}
            rows.append(
                {
                    **{"data": BENCHMARK[position].name, "epsilon": str(epsilon), "tree": name, "runs": len(of)},
                    **{"accuracy": float(own.mean()), "accuracy se": spread(own)},
                    **{"mended less this": float((base - own).mean()), "difference se": spread(base - own)},
                    **shares,
                }
            )
    return rows


def pooled(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """For each data set and tree the mean of the paired differences over all ε, which are strata, and its error."""
    found = []
    for data, tree in dict.fromkeys((row["data"], row["tree"]) for row in rows if row["tree"] != SAVING):
        own = [row for row in rows if (row["data"], row["tree"]) == (data, tree)]
        mean = sum(row["mended less this"] for row in own) / len(own)
        error = math.sqrt(sum(row["difference se"] ** 2 for row in own)) / len(own)
        found.append({"data": data, "tree": tree, "mended less this": mean, "difference se": error})
    return found


def removal_shares(sums: dict[str, float], runs: int) -> dict[str, float]:
    """Pooled over nodes: features removed; and where there is a best one, how often it was, and how often any was."""
    return {
        "removed": sums["removed"] / sums["features"],
        "best removed": sums["best removed"] / sums["nodes with a best"],
        "any removed there": sums["removed there"] / sums["there"],
        "removed ones that were best": sums["best removed"] / sums["removed there"],
        "nodes": sums["nodes"] / runs,
        "saved of a node": sums["saved of a node"] / runs,
    }


def report(trees: Sequence[dict[str, Any]], ways: Sequence[dict[str, Any]]) -> str:
    """A line for each tree, and one for each way to choose a split."""
    rows = [("data", "at", "tree", "accuracy", "mended less this", "removed", "the best")]
    for row in [*trees, *pooled(trees)]:
        at, accuracy = (f"ε={row['epsilon']}", f"{row['accuracy']:.4f}") if "epsilon" in row else ("all ε", "")
        removed = (f"{row['removed']:.2f}", f"{row['best removed']:.2f}") if "removed" in row else ("", "")
        less = f"{row['mended less this']:+.4f} ± {row['difference se']:.4f}"
        rows.append((row["data"], at, row["tree"], accuracy, less, *removed))
    chosen = [("data", "at", "way", "n·G lost", "of the gain")]
    for row in ways:
        lost = f"{row['lost']:.2f} ± {row['se']:.2f}"
        chosen.append((row["data"], f"ε={row['epsilon']}", row["way"], lost, f"{row['share']:.0%}"))
    return "\n\n".join([text_table(rows, right=range(3, 7)), text_table(chosen, right={3, 4})])


def tasks_of(names: Sequence[str], epsilons: Sequence[Fraction], seeds: int) -> list[Task]:
    """So many repetitions of each data set at each ε."""
    places = {data.name: position for position, data in enumerate(BENCHMARK)}
    return [
        Task(places[name], epsilon, seed, PARTIES, ())
        for name in names
        for epsilon in epsilons
        for seed in range(seeds)
    ]


def main() -> None:
    chosen = read_options("pruning", "What lower bounds save.", seeds=SEEDS)
    of_trees = tasks_of(DATA, EPSILONS, chosen.seeds)
    of_splits = tasks_of(splits.DATA, [Fraction(1)], chosen.seeds)
    trees = records(of_trees, list(in_parallel(measure, of_trees, chosen.jobs)))
    ways = splits.records(of_splits, list(in_parallel(splits.measure, of_splits, chosen.jobs)))
    print(report(trees, ways))
    about = {"parties": PARTIES, "depth": DEPTH, "lattice": LATTICE, "seeds": "0 to the number of runs less one"}
    keep({**about, "trees": trees, "pooled": pooled(trees), "splits": ways}, chosen.json)


if __name__ == "__main__":
    sys.exit(main())
