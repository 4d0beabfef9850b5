"""``python -m benchmarks.accuracy``: how much of the gap between two reference trees a private tree closes.

For each data set, ε and seed: draw the data anew, divide the rows at random among the parties, grow every tree, and
score it on test rows from the same law. Below lies the report's Algorithm 5 as printed (A5), above lies CART on all
rows in one place; both are in :mod:`benchmarks.reference`. The other trees are grown by the package itself, through its
real federation, in the configurations listed below.

Gap closed = (accuracy − A5)/(CART − A5); pooled over data sets = the ratio of the summed gaps. Standard errors are by
the delta method over seeds: a run's residual is (accuracy − A5) − ratio·(CART − A5), all three from the same rows, and
the data sets are independent strata. Every stream of random numbers is named by (seed, data set, ε, what it is for), so
a result depends neither on --jobs nor on which other configurations run. The noise is seeded: this is a measurement on
data that are not secret, and no release.
"""

import argparse
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

import numpy as np

from benchmarks.reference import Outcome, Table, algorithm_5, cart
from benchmarks.repeated import a_row_a_line
from benchmarks.stamp import stamp
from fdpedu.accounting import Ledger
from fdpedu.datasets import BENCHMARK, divide
from fdpedu.federation import Federation, Party
from fdpedu.randomness import SeededReleaseWarning
from fdpedu.showing import TerminalBar, text_table
from fdpedu.trees import Design, fit_federated_tree, stopping

# The trees of the package: keyword arguments of Federation and of fit_federated_tree. Beside the default, one change of
# it at a time: what each part is worth; and the designs that take their shape from the number of rows of a data set.
# With a delta among the rules the tree is paid in ρ, and keeps (ε, δ).
DELTA = "1/1000000"
T, R = TypeVar("T"), TypeVar("R")
CONFIGURATIONS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "default, tolerate=0": ({"tolerate": 0}, {"max_depth": 5}),
    "default, tolerate=1": ({"tolerate": 1}, {"max_depth": 5}),
    "algorithm-5-clipped, tolerate=0": ({"tolerate": 0}, {"max_depth": 5, "design": "algorithm-5-clipped"}),
    "best split by the noisy gain, tolerate=1": ({"tolerate": 1}, {"max_depth": 5, "design": Design()}),
    "stop by the noisy total, tolerate=1": (
        {"tolerate": 1},
        {"max_depth": 5, "design": Design(stop=stopping.averaged, shrink=3)},
    ),
    "leaf share 3/10, tolerate=1": ({"tolerate": 1}, {"max_depth": 5, "leaf_share": "3/10"}),
    "depth 3, tolerate=1": ({"tolerate": 1}, {"max_depth": 3}),
    "screened, tolerate=0": ({"tolerate": 0}, {"design": "screened", "nominal_size": None}),
    "default, δ=10⁻⁶, tolerate=0": ({"tolerate": 0}, {"max_depth": 5, "delta": DELTA}),
    "screened, δ=10⁻⁶, tolerate=0": ({"tolerate": 0}, {"design": "screened", "nominal_size": None, "delta": DELTA}),
    "rotating, tolerate=0": ({"tolerate": 0}, {"design": "rotating", "nominal_size": None}),
    "rotating, tolerate=1": ({"tolerate": 1}, {"design": "rotating", "nominal_size": None}),
}

LOWER, UPPER, CLIPPED = "A5", "CART", "A5 + clipping (reference)"
QUICK_SIZE, QUICK_FEATURES, QUICK_SEEDS = 1000, 30, 3  # what --quick keeps


@dataclass(frozen=True)
class Task:
    """One repetition: which data set, ε and seed, among how many parties, and the trees to grow."""

    data: int
    epsilon: Fraction
    seed: int
    parties: int
    methods: tuple[str, ...]

    def rng(self, purpose: str) -> np.random.Generator:
        """The stream of random numbers for one purpose of this repetition."""
        entropy = [self.seed, self.data, self.epsilon.numerator, self.epsilon.denominator, crc32(purpose.encode())]
        return np.random.default_rng(np.random.SeedSequence(entropy))


class Repetition:
    """The rows of one task, and the trees grown on them."""

    def __init__(self, task: Task) -> None:
        data = BENCHMARK[task.data]
        self.task, self.domain, self.split = task, data.domain, data.draw(task.rng("rows"))

    @cached_property
    def codes(self) -> tuple[Table, np.ndarray]:
        """Training rows and test rows under the public domain."""
        features, s = self.domain.features, self.split
        labels = self.domain.encode_labels(s.y_train).astype(np.int64)
        n_codes, ordered = zip(*((feature.n_codes, feature.ordered) for feature in features), strict=True)
        return Table(self.domain.encode(s.X_train), labels, n_codes, ordered), self.domain.encode(s.X_test)

    @cached_property
    def members(self) -> list[Party]:
        """The parties, each with its part of the training rows."""
        s = self.split
        rows, _ = divide(len(s.y_train), self.task.parties, 0, self.task.rng("division"))
        return [Party(s.X_train[part], self.domain, labels=s.y_train[part]) for part in rows]

    def run(self, method: str) -> Outcome:
        rng = self.task.rng(method)
        if method == UPPER:
            categories = [None if feature.ordered else feature.categories for feature in self.domain.features]
            seed = int(rng.integers(2**31))
            return Outcome(*cart(self.split.X_train, self.codes[0].labels, self.split.X_test, categories, seed))
        if method in (LOWER, CLIPPED):
            return algorithm_5(*self.codes, float(self.task.epsilon), rng, clip=method == CLIPPED)
        endpoints, rules = CONFIGURATIONS[method]
        ledger = Ledger(self.task.epsilon, delta=rules.get("delta"))
        federation = Federation(self.members, self.domain, ledger, rng=rng, **endpoints)
        shape = {"nominal_size": BENCHMARK[self.task.data].size} if "nominal_size" in rules else {}
        rules = {name: value for name, value in rules.items() if name != "delta"}
        tree = fit_federated_tree(federation, **{**rules, **shape})
        return Outcome(self.domain.encode_labels(tree.predict(self.split.X_test)), tree.root.split is None)


@dataclass
class Scores:
    """The runs of one data set, ε and method: test accuracies, and whether the tree was nothing but a leaf."""

    accuracy: list[float] = field(default_factory=list)
    bare: list[bool] = field(default_factory=list)


Results = dict[tuple[str, Fraction, str], Scores]


def measure(task: Task) -> list[tuple[float, bool]]:
    """Test accuracy and "the root is a leaf" of every method, in one repetition."""
    warnings.simplefilter("ignore", SeededReleaseWarning)
    repetition = Repetition(task)
    truth = repetition.domain.encode_labels(repetition.split.y_test)
    outcomes = [repetition.run(method) for method in task.methods]
    return [(float(np.mean(outcome.predictions == truth)), outcome.bare_root) for outcome in outcomes]


def gap_closed(results: Results, names: Iterable[str], epsilon: Fraction, method: str) -> tuple[float, float]:
    """The share of the gap that a method closes, pooled over the named data sets, and its standard error."""
    gains, gaps = [], []
    for name in names:
        lower, upper, own = (np.array(results[name, epsilon, m].accuracy) for m in (LOWER, UPPER, method))
        gains.append(own - lower)
        gaps.append(upper - lower)
    whole = sum(gap.mean() for gap in gaps)
    ratio = sum(gain.mean() for gain in gains) / whole
    variance = sum(spread(gain - ratio * gap) ** 2 for gain, gap in zip(gains, gaps, strict=True))
    return float(ratio), float(np.sqrt(variance) / abs(whole))


def spread(values: Sequence[float]) -> float:
    """The standard error of a mean."""
    return float(np.std(values, ddof=1) / np.sqrt(len(values)))


def gather(tasks: Sequence[Task], jobs: int) -> Results:
    """Run all repetitions on ``jobs`` processes, with a bar on the standard error stream."""
    results: Results = {}
    for task, outcomes in zip(tasks, in_parallel(measure, tasks, jobs), strict=True):
        for method, (accuracy, bare) in zip(task.methods, outcomes, strict=True):
            scores = results.setdefault((BENCHMARK[task.data].name, task.epsilon, method), Scores())
            scores.accuracy.append(accuracy)
            scores.bare.append(bare)
    return results


def in_parallel(measure: Callable[[T], R], tasks: Sequence[T], jobs: int) -> Iterator[R]:
    """What is measured of each task, in their order, on so many processes; with a bar on the terminal."""
    with ProcessPoolExecutor(jobs) as pool:
        yield from progress(pool.map(measure, tasks, chunksize=max(1, len(tasks) // (100 * jobs))), len(tasks))


def progress(answers: Iterable[T], total: int) -> Iterator[T]:
    """The answers, with a bar on the terminal."""
    bar = TerminalBar(patience=0)
    for done, answer in enumerate(answers, start=1):
        bar(done, total)
        yield answer


def records(results: Results) -> list[dict[str, Any]]:
    """For each data set, ε and method: mean accuracy, its standard error, runs, share of bare roots, gap closed."""
    rows = []
    for (name, epsilon, method), scores in results.items():
        share, error = gap_closed(results, [name], epsilon, method)
        rows.append(
            {
                "data": name,
                "epsilon": str(epsilon),
                "method": method,
                "mean": float(np.mean(scores.accuracy)),
                "se": spread(scores.accuracy),
                "runs": len(scores.accuracy),
                "bare_root": float(np.mean(scores.bare)),
                "gap_closed": share,
                "gap_closed_se": error,
            }
        )
    return rows


def pooled(results: Results) -> list[dict[str, Any]]:
    """For each ε and method: the share of the gap closed over all data sets, and its standard error."""
    names, epsilons, methods = (list(dict.fromkeys(part)) for part in zip(*results, strict=True))
    rows = []
    for epsilon in epsilons:
        for method in methods:
            share, error = gap_closed(results, names, epsilon, method)
            rows.append({"epsilon": str(epsilon), "method": method, "gap_closed": share, "se": error})
    return rows


def report(results: Results) -> str:
    """The pooled shares, and for each ε the accuracies and the bare roots of each data set."""
    names, epsilons, methods = (list(dict.fromkeys(part)) for part in zip(*results, strict=True))
    rows = [(f"gap closed, {len(names)} data sets", *(f"ε={float(e):g}" for e in epsilons))]
    for number, method in enumerate(methods, start=1):
        shares = (gap_closed(results, names, epsilon, method) for epsilon in epsilons)
        rows.append((f"[{number}] {method}", *(f"{share:.3f} ± {error:.3f}" for share, error in shares)))
    tables = [text_table(rows, right=range(1, len(epsilons) + 1))]
    for epsilon in epsilons:
        rows = [
            (f"accuracy, bare roots at ε={float(epsilon):g}", *(f"[{n}]" for n in range(1, len(methods) + 1))),
        ]
        for name in names:
            scores = (results[name, epsilon, method] for method in methods)
            rows.append((name, *(f"{np.mean(s.accuracy):.3f} {np.mean(s.bare):>4.0%}" for s in scores)))
        tables.append(text_table(rows, right=range(1, len(methods) + 1)))
    return "\n\n".join(tables)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description="Accuracy of private trees.")
    parser.add_argument("--epsilon", nargs="+", type=Fraction, default=[Fraction(1, 2), Fraction(1), Fraction(2)])
    parser.add_argument("--seeds", type=int, help=f"repetitions, at least 2 (30, or {QUICK_SEEDS} with --quick)")
    parser.add_argument("--parties", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers to FILE")
    parser.add_argument("--quick", action="store_true", help="few seeds, and small data sets only")
    parser.add_argument(
        "--only", nargs="*", choices=[CLIPPED, *CONFIGURATIONS], help="the trees to compare; none: A5 and CART"
    )
    chosen = parser.parse_args()
    chosen.seeds = chosen.seeds or (QUICK_SEEDS if chosen.quick else 30)
    if chosen.seeds < 2 or chosen.parties < 2 or chosen.jobs < 1 or min(chosen.epsilon) <= 0:
        parser.error("needs seeds ≥ 2, parties ≥ 2, jobs ≥ 1 and ε > 0")
    return chosen


def main() -> None:
    chosen = arguments()
    compared = [CLIPPED, *CONFIGURATIONS] if chosen.only is None else chosen.only
    tasks = [
        Task(position, epsilon, seed, chosen.parties, (LOWER, UPPER, *compared))
        for position, data in enumerate(BENCHMARK)
        if not chosen.quick or (data.size <= QUICK_SIZE and data.domain.n_features <= QUICK_FEATURES)
        for epsilon in dict.fromkeys(chosen.epsilon)
        for seed in range(chosen.seeds)
    ]
    results = gather(tasks, chosen.jobs)
    print(report(results))
    if chosen.json:
        numbers = {**stamp(), "parties": chosen.parties, "records": records(results), "pooled": pooled(results)}
        chosen.json.write_text(a_row_a_line(numbers) + "\n", "utf8")


if __name__ == "__main__":
    main()
