"""``python -m benchmarks.consistency``: what counts that add up gain, on the mixture and on real data, with error bars.

Trees are grown by the package through its real federation. Of each node three counts are compared with the true ones:
its *own* view (of an inner node the inverse-variance mean over its histograms, of a leaf what was released for it),
the *least-squares* estimate from all views of the tree, and the *whole* counts that the tree shows. Of each tree three
sets of labels are compared on test rows: those that these counts give to the leaves. All of it is of the same trees, so
differences from the own view are paired, and their standard errors are of the differences over the repetitions.

The noise is seeded: this is a measurement on data that are not secret, and no release. ``rows`` is for
``python -m benchmarks``: the time of it all against the time of drawing the noise.
"""

import argparse
import sys
import warnings
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.accuracy import Repetition, Task, in_parallel, spread
from benchmarks.pairs import Row, cpu
from benchmarks.repeated import a_row_a_line
from benchmarks.stamp import stamp
from fdpedu.accounting import Ledger
from fdpedu.cart import CodeSplit, Tree
from fdpedu.datasets import BENCHMARK
from fdpedu.federation import Federation
from fdpedu.randomness import SeededReleaseWarning
from fdpedu.showing import text_table
from fdpedu.trees import count_growth, counts, fit_federated_tree

DATA = ("mixture n=250 p=10 ρ=0.9", "mixture n=1000 p=10 ρ=0.3", "mixture n=5000 p=25 ρ=0.3", "breast cancer")
DATA += ("census imitation",)
KINDS = ("own", "least squares", "whole")
DEPTH = 5
Measured = dict[tuple[str, str], float]  # (what, which counts) → number


def grown(task: Task) -> tuple[Tree, dict[str, np.ndarray], Repetition]:
    """A tree, and the three counts of its nodes, level after level, shape (nodes, classes) each."""
    warnings.simplefilter("ignore", SeededReleaseWarning)
    repetition, kept, shipped = Repetition(task), list[Any](), count_growth.estimates_and_counts

    def keeping(parents: Sequence[int], views: Sequence[Sequence[counts.View]]) -> Any:
        estimates, whole = shipped(parents, views)
        own = [(counts.combined(of_node) if i in parents else of_node[-1]).counts for i, of_node in enumerate(views)]
        kept.extend((own, estimates, whole))
        return estimates, whole

    count_growth.estimates_and_counts = keeping
    try:
        federation = Federation(repetition.members, repetition.domain, Ledger(task.epsilon), rng=task.rng("counts"))
        tree = fit_federated_tree(federation, max_depth=DEPTH)
    finally:
        count_growth.estimates_and_counts = shipped
    return tree, {kind: np.array(found, dtype=float) for kind, found in zip(KINDS, kept, strict=True)}, repetition


def routed(tree: Tree, codes: np.ndarray) -> list[np.ndarray]:
    """For each node, level after level, the numbers of the rows in it."""
    nodes, rows = [tree.root], [np.arange(len(codes))]
    for i, node in enumerate(nodes):
        if isinstance(node.split, CodeSplit):
            left = node.split.goes_left(codes[rows[i], node.split.feature])
            nodes += [node.left, node.right]
            rows += [rows[i][left], rows[i][~left]]
    return rows


def measure(task: Task) -> Measured:
    """Mean squared errors of inner nodes and of leaves, and accuracies on the test rows, in one repetition."""
    tree, found, repetition = grown(task)
    (train, test), classes = repetition.codes, repetition.domain.n_classes
    truth = np.array([np.bincount(train.labels[rows], minlength=classes) for rows in routed(tree, train.codes)])
    tests, answers = routed(tree, test), repetition.domain.encode_labels(repetition.split.y_test)
    nodes = [tree.root]
    for node in nodes:
        nodes += [side for side in (node.left, node.right) if side]
    leaf = np.array([node.is_leaf for node in nodes])
    errors: Measured = {}
    for kind, numbers in found.items():
        squares = (numbers - truth) ** 2
        inner = squares[~leaf].mean() if not leaf.all() else np.nan  # a bare root has none
        errors.update({("leaves", kind): squares[leaf].mean(), ("inner nodes", kind): inner})
        right = [(answers[tests[i]] == numbers[i].argmax()).sum() for i in np.flatnonzero(leaf)]
        errors["accuracy", kind] = sum(right) / len(answers)
    return {key: float(value) for key, value in errors.items()}


def records(tasks: Sequence[Task], measured: Sequence[Measured]) -> list[dict[str, Any]]:
    """For each data set, ε and number: mean, standard error, paired difference from the own view and its error."""
    rows = []
    for position, epsilon in dict.fromkeys((task.data, task.epsilon) for task in tasks):
        of = [m for task, m in zip(tasks, measured, strict=True) if (task.data, task.epsilon) == (position, epsilon)]
        for what, kind in of[0]:
            kept = [m for m in of if not np.isnan(m[what, kind])]
            numbers = np.array([m[what, kind] for m in kept])
            gain = numbers - np.array([m[what, "own"] for m in kept])
            rows.append(
                {
                    **{"data": BENCHMARK[position].name, "epsilon": str(epsilon), "what": what, "counts": kind},
                    **{"mean": float(numbers.mean()), "se": spread(numbers), "runs": len(kept)},
                    **{"difference": float(gain.mean()), "difference_se": spread(gain)},
                }
            )
    return rows


def report(rows: Sequence[dict[str, Any]]) -> str:
    """A line for each number."""
    return text_table(
        [
            *(
                (
                    row["data"],
                    f"ε={row['epsilon']}",
                    row["what"],
                    row["counts"],
                    f"{row['mean']:.4f} ± {row['se']:.4f}",
                    f"{row['difference']:+.4f} ± {row['difference_se']:.4f}",
                )
                for row in rows
            ),
        ],
        right={4, 5},
    )


def rows() -> Iterator[Row]:
    """The counts of a full tree of depth 10 with 50 features, against one party's noise for its histograms."""
    from fdpedu.dlpa import polya_share
    from fdpedu.exact import Rate
    from fdpedu.randomness import as_source

    depth, features, bins, classes = 10, 50, 10, 2
    inner, rng, source = 2**depth - 1, np.random.default_rng(0), as_source(None)
    parents = [-1, *((i - 1) // 2 for i in range(1, 2 * inner + 1))]
    views = [[counts.View(rng.integers(-40, 99, classes), 50.0)] for _ in parents]
    rate = Rate(rate=Fraction(1, 2 * depth * features))
    yield Row(
        "counts that add up / one party's noise",
        f"depth {depth}, {features} features of {bins} bins, {classes} classes",
        cpu(lambda: counts.estimates_and_counts(parents, views)),
        cpu(lambda: polya_share(rate, 4, inner * features * bins * classes, source)),
        limit=1.0,
        quick=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.consistency", description="What adding up gains.")
    parser.add_argument("--epsilon", nargs="+", type=Fraction, default=[Fraction(1, 2), Fraction(1), Fraction(2)])
    parser.add_argument("--seeds", type=int, default=30, help="repetitions, at least 2")
    parser.add_argument("--data", nargs="+", choices=[data.name for data in BENCHMARK], default=list(DATA))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers to FILE")
    chosen = parser.parse_args()
    if chosen.seeds < 2 or chosen.jobs < 1 or min(chosen.epsilon) <= 0:
        parser.error("needs seeds ≥ 2, jobs ≥ 1 and ε > 0")
    places = [position for position, data in enumerate(BENCHMARK) if data.name in chosen.data]
    tasks = [
        Task(at, epsilon, seed, 5, ()) for at in places for epsilon in chosen.epsilon for seed in range(chosen.seeds)
    ]
    measured = list(in_parallel(measure, tasks, chosen.jobs))
    found = records(tasks, measured)
    print(report(found))
    if chosen.json:
        content = {**stamp(), "parties": 5, "depth": DEPTH, "records": found}
        chosen.json.write_text(a_row_a_line(content) + "\n", "utf8")


if __name__ == "__main__":
    sys.exit(main())
