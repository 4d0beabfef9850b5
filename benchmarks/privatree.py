"""``python -m benchmarks.privatree``: one owner's trees, printed and mended, at equal nominal ε and at equal bounds.

Trees of four levels on the package's data with its public ranges: CART, random splits, Algorithm 1 of Vos et al.
without its line 7 (each row says what it costs at most), and the mended tree in its forms. The source's ten bins are
quantiles, drawn among the borders of a finer public grid. On ``long tails`` features are exponentials, and the public
grid has 200 fine bins. All methods of a repetition see the same rows.

The noise is seeded: this is a measurement on data that are not secret, and no release.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any
from zlib import crc32

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from benchmarks.accuracy import in_parallel, spread
from benchmarks.repeated import keep, read_options
from fdpedu.accounting import Ledger
from fdpedu.cart import fit_cart
from fdpedu.datasets import BENCHMARK, DataSet, Split, informative
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import Federation, Party, deal
from fdpedu.randomness import Rehearsal
from fdpedu.showing import text_table
from fdpedu.sources.vos import epsilon_at_most, fit_privatree_as_printed
from fdpedu.trees import fit_federated_tree, fit_owner_tree, fit_privatree

DEPTH = 4
EPSILONS = tuple(Fraction(e) for e in ("1/100", "3/100", "1/10", "3/10", "1", "3"))
MAIN = ("breast cancer", "clusters", "mixture n=5000 p=25 ρ=0.3", "census imitation")
TAILS = "long tails"
FINE = 50  # bins of a feature, of which the printed algorithm makes ten
DEALING = 10**6  # added to a seed: rows are dealt by words of their own
SHARES = tuple(Fraction(s) for s in ("1/20", "1/5", "2/5", "3/5", "4/5"))


def _tails(rng: np.random.Generator) -> Split:
    X, y = informative(9000, rng)
    X = np.exp(X)
    return Split(X[:5000], y[:5000], X[5000:], y[5000:])


def _tails_domain(bins: int) -> Domain:
    reason = "no more than the machine measures"
    return Domain([Numeric.grid(f"x{j}", 0, 150, bins, reason=reason) for j in range(10)], (0, 1))


DATA: tuple[DataSet, ...] = (
    *(data for data in BENCHMARK if data.name in MAIN),
    DataSet(TAILS, 5000, _tails_domain(200), _tails),
)


@dataclass(frozen=True)
class Rows:
    """The rows of one repetition, with what is public."""

    data: DataSet
    split: Split
    domain: Domain
    epsilon: Fraction
    seed: int

    @property
    def owner(self) -> Party:
        """Of all rows to learn from."""
        return Party(self.split.X_train, self.domain, labels=self.split.y_train)

    def parties(self, number: int) -> list[Party]:
        """The same, each row dealt to a party of its own draw."""
        s = self.split
        parts = deal(len(s.y_train), number, Rehearsal(DEALING + self.seed))
        return [Party(s.X_train[part], self.domain, labels=s.y_train[part]) for part in parts]


def _mended(rows: Rows, **options: Any) -> Any:
    return fit_privatree(rows.owner, Ledger(rows.epsilon), max_depth=DEPTH, rng=Rehearsal(rows.seed), **options)


def _printed(rows: Rows, quantiles: str = "joint") -> Any:
    """Algorithm 1 without its line 7, which has no price."""
    s = rows.split
    return fit_privatree_as_printed(
        s.X_train,
        s.y_train,
        _finer(rows.domain),
        rows.epsilon,
        max_depth=DEPTH,
        quantiles=quantiles,
        stop="depth",
        rng=Rehearsal(rows.seed),
    )


def _finer(domain: Domain) -> Domain:
    """The same ranges with ``FINE`` bins of equal width, where there are fewer: quantiles are drawn among these."""
    few = {f for f in domain.features if isinstance(f, Numeric) and f.n_bins < FINE}
    return Domain(
        [Numeric.grid(f.name, f.edges[0], f.edges[-1], FINE) if f in few else f for f in domain.features],
        domain.classes,
    )


def _owner(rows: Rows) -> Any:
    return fit_owner_tree(rows.owner, Ledger(rows.epsilon), nominal_size=rows.data.size, rng=Rehearsal(rows.seed))


def _federated(rows: Rows) -> Any:
    ledger = Ledger(rows.epsilon)
    federation = Federation(rows.parties(2), rows.domain, ledger, tolerate=0, rng=Rehearsal(rows.seed))
    return fit_federated_tree(federation, max_depth=DEPTH, rng=Rehearsal(rows.seed + 1))


def _cart(rows: Rows) -> Any:
    return fit_cart(rows.split.X_train, rows.split.y_train, grid=rows.domain, max_depth=DEPTH)


Method = Callable[[Rows], Any]
PRINTED, CHOICE, HISTOGRAMS = "printed", "choice", "histograms"
METHODS: dict[str, Method] = {
    "CART": _cart,
    "random": partial(_mended, splits="random"),
    PRINTED: _printed,
    HISTOGRAMS: partial(_mended, splits="histograms", score="gini"),
    CHOICE: _mended,
    "choice, Gini": partial(_mended, score="gini"),
    "choice, counts": partial(_mended, leaves="counts"),
    "owner (chapter 11)": _owner,
    "default (chapter 8)": _federated,
}
"""On the public bins of the package's data; the printed one on finer bins of the same ranges."""
EDGES: dict[str, Method] = {
    "CART": _cart,
    "all borders": _mended,
    "joint": partial(_mended, edges="joint"),
    "histogram": partial(_mended, edges="histogram"),
    "printed, joint": _printed,
    "printed, raw": partial(_printed, quantiles="raw"),
}
"""On the fine grid of the long tails; beside them the choice on ten bins of equal width."""
EQUAL = "equal width"
RULE = "rule"


@dataclass(frozen=True)
class Task:
    """One repetition of some methods on one data set at one ε; ``kind`` says of which table."""

    data: int
    epsilon: Fraction
    seed: int
    kind: str

    def rows(self) -> Rows:
        """The same for all ε of a data set and seed."""
        data = DATA[self.data]
        rng = np.random.default_rng(np.random.SeedSequence([self.seed, self.data]))
        return Rows(data, data.draw(rng), data.domain, self.epsilon, 1000 * self.seed + self.data)

    def methods(self) -> dict[str, Method]:
        """By their names."""
        if self.kind == "methods":
            return METHODS
        if self.kind == "shares":
            by_rule = partial(_mended, leaf_share="rule", nominal_size=DATA[self.data].size)
            return {**{str(s): partial(_mended, leaf_share=s) for s in SHARES}, RULE: by_rule}
        return {**EDGES, EQUAL: _equal_width}


def _equal_width(rows: Rows) -> Any:
    return _mended(Rows(rows.data, rows.split, _tails_domain(10), rows.epsilon, rows.seed))


def tasks_of(seeds: int) -> list[Task]:
    """All repetitions: methods at every ε, shares of leaves at two, edges at ε = 1."""
    main = range(len(MAIN))
    found = [Task(k, e, seed, "methods") for seed in range(seeds) for k in main for e in EPSILONS]
    found += [Task(k, Fraction(e), seed, "shares") for seed in range(seeds) for k in (0, 1) for e in ("1/10", "1")]
    return found + [Task(len(MAIN), Fraction(1), seed, "edges") for seed in range(seeds)]


Found = dict[str, tuple[float, float]]  # accuracy, and CPU seconds in parts of those of scikit-learn's CART


def measure(task: Task, only: Sequence[str] = ()) -> Found:
    """Accuracy on the test rows, and the time of a fit as a ratio."""
    rows, found = task.rows(), Found()
    codes, labels = rows.domain.encode(rows.split.X_train), rows.domain.encode_labels(rows.split.y_train)
    peer = _seconds(lambda: DecisionTreeClassifier(max_depth=DEPTH).fit(codes, labels))[1]
    for name, method in task.methods().items():
        if not only or name in only:
            seeded = Rows(rows.data, rows.split, rows.domain, rows.epsilon, rows.seed + crc32(name.encode()))
            tree, seconds = _seconds(partial(method, seeded))
            found[name] = (round(float(tree.score(rows.split.X_test, rows.split.y_test)), 5), round(seconds / peer, 2))
    return found


def _seconds(work: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def real_of(data: DataSet, method: str, epsilon: Fraction) -> float | None:
    """What the printed algorithm costs without its line 7, at a public number of rows; None for the others."""
    if not method.startswith(PRINTED):
        return None
    numeric = sum(isinstance(feature, Numeric) for feature in data.domain.features)
    sizes = {"numeric": numeric, "categorical": data.domain.n_features - numeric, "rows": data.size}
    quantiles = "raw" if method == "printed, raw" else "joint"
    paid = epsilon_at_most(epsilon, **sizes, max_depth=DEPTH, stop="depth", quantiles=quantiles)
    return None if paid == math.inf else round(float(paid), 4)


def records(tasks: Sequence[Task], found: Sequence[Found]) -> list[dict[str, Any]]:
    """For each table, data set, ε and method: mean accuracy with its standard error, median time, and all runs."""
    runs: dict[tuple[str, int, Fraction, str], list[tuple[float, float]]] = {}
    for task, results in zip(tasks, found, strict=True):
        for name, one in results.items():
            runs.setdefault((task.kind, task.data, task.epsilon, name), []).append(one)
    return [
        {
            "table": kind,
            "data": DATA[k].name,
            "epsilon": str(epsilon),
            "method": name,
            "real": real_of(DATA[k], name, epsilon),
            "accuracy": round(float(np.mean([accuracy for accuracy, _ in own])), 5),
            "accuracy_se": round(spread([accuracy for accuracy, _ in own]), 5),
            "time": round(float(np.median([seconds for _, seconds in own])), 2),
            "runs": [accuracy for accuracy, _ in own],
        }
        for (kind, k, epsilon, name), own in runs.items()
    ]


def paired(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Differences on the same rows: the choice less everything else; edges that are paid for less equal widths."""
    by_key = {(row["table"], row["data"], row["epsilon"], row["method"]): row["runs"] for row in rows}
    found = []
    for (table, data, epsilon, method), runs in by_key.items():
        base = {"methods": CHOICE, "edges": EQUAL, "shares": "1/5"}[table]
        if method != base:
            ours, theirs = (by_key[table, data, epsilon, base], runs)
            differences = np.subtract(ours, theirs) if table == "methods" else np.subtract(theirs, ours)
            mean, error = round(float(np.mean(differences)), 5), round(spread(differences.tolist()), 5)
            found.append(
                {"table": table, "data": data, "epsilon": epsilon, "method": method, "difference": mean, "se": error}
            )
    return found


def report(rows: Sequence[dict[str, Any]]) -> str:
    """Accuracies in a table."""
    lines = [
        (row["data"], f"ε={row['epsilon']}", row["method"], f"{row['accuracy']:.3f} ± {row['accuracy_se']:.3f}")
        for row in rows
    ]
    return text_table([("data", "ε", "method", "accuracy"), *lines], right=(3,))


def main() -> None:
    chosen = read_options("privatree", __doc__, seeds=24)
    tasks = tasks_of(chosen.seeds)
    rows = records(tasks, list(in_parallel(measure, tasks, chosen.jobs)))
    print(report(rows))
    keep({"seeds": chosen.seeds, "depth": DEPTH, "records": rows, "paired": paired(rows)}, chosen.json)


if __name__ == "__main__":
    main()
