"""``python -m benchmarks.boosting_targets``: how well boosting among five parties predicts a number, in R².

Two sets are real: the age of people in Adult, and the credit limit of card holders. Friedman's first function has ten
features, of which five count, and noise of variance 1; scikit-learn's diabetes has 353 rows for training. Ranges are
public by meaning: 17 to 91 years, 0 to 10⁶ dollars, 0 to 30, 25 to 346. R² is that of raw numbers of test rows, which
no method has seen, and is shown as it is where it is below 0.

Five parties, one of which may be curious, keep (ε, 10⁻⁶), or ε alone; sums are those of all rows, with the noise that
shares would add (:mod:`benchmarks.pooled`). Beside them stand the regression tree by votes of the same five parties,
which costs ε alone and has 16 levels; and DP-EBM's regressor, with one trusted curator and (ε, 10⁻⁶). Not private are
scikit-learn's histogram boosting and ridge regression. Friedman's with 250 and 10⁶ rows, and with 2 and 100 parties,
are run once.
"""

import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from sklearn.datasets import load_diabetes, make_friedman1
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import Ridge
from threadpoolctl import threadpool_limits

from benchmarks.accuracy import DELTA, in_parallel, spread
from benchmarks.answers import ask
from benchmarks.boosting_data import ADULT, CREDIT, FINE, _public, binned
from benchmarks.boosting_peers import versions
from benchmarks.pooled import simulate_boosting
from benchmarks.public_data import SETS
from benchmarks.repeated import keep, read_options
from fdpedu.accounting import Budget, Ledger
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClippedWarning, Federation, Party
from fdpedu.randomness import Rehearsal, SeededReleaseWarning
from fdpedu.showing import text_table
from fdpedu.trees import fit_federated_tree

PARTIES, TOLERATE, VOTED = 5, 1, 16
TREES, CURVES, PURE, VOTES, PEER = "trees", "curves", "trees, without δ", "a tree by votes", "DP-EBM"
HGB, RIDGE, NONE = "HistGradientBoosting", "ridge", "–"
Rows = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Numbers:
    """A set of rows with a number each: its name, N, the ends of the number, and how rows are drawn."""

    name: str
    size: int
    test: int
    domain: Domain
    draw: Callable[[np.random.Generator], Rows]


def _of_public(table: str, target: str, n: int, ends: dict[str, Any], high: float, low: float) -> Numbers:
    """A public set, one of whose columns is to be predicted from the others; its class is not used."""
    features = _public(table, table, n, ends, ("1",), without=target).domain.features
    train = n * 4 // 5
    return Numbers(f"{table.split('_')[0]}: {target}", train, n - train,
                   Domain(features, target=Numeric.grid(target, low, high, FINE)),
                   lambda rng: _shuffled(_columns(table, target), rng))  # fmt: skip


@cache
def _columns(table: str, target: str) -> Rows:
    columns, _ = SETS[table].rows()
    names = [column.name for column in SETS[table].columns]
    kept = [values for name, values in zip(names, columns, strict=True) if name != target]
    X = np.empty((len(columns[0]), len(kept)), dtype=object)
    for j, values in enumerate(kept):
        X[:, j] = values
    return X, np.asarray(columns[names.index(target)], dtype=float)


def _shuffled(rows: Rows, rng: np.random.Generator) -> Rows:
    order = rng.permutation(len(rows[1]))
    return rows[0][order], rows[1][order]


def _friedman(n: int) -> Numbers:
    domain = Domain([Numeric.grid(f"x{j}", 0, 1, FINE) for j in range(10)], target=Numeric.grid("y", 0, 30, FINE))

    def draw(rng: np.random.Generator) -> Rows:
        X, y = make_friedman1(n + 4000, 10, noise=1.0, random_state=int(rng.integers(2**31)))
        return X, y

    return Numbers(f"Friedman, {n:,} rows", n, 4000, domain, draw)


def _diabetes() -> Numbers:
    X, y = load_diabetes(return_X_y=True, scaled=False)
    ends = [(19, 79), (1, 2), (15, 45), (60, 135), (90, 310), (40, 250), (20, 100), (2, 10), (3, 6.2), (55, 130)]
    grid = [Numeric.grid(f"x{j}", *pair, FINE) for j, pair in enumerate(ends)]
    domain = Domain(grid, target=Numeric.grid("progression", 25, 346, FINE))
    return Numbers("diabetes", 353, 89, domain, lambda rng: _shuffled((X, y), rng))


SETS_OF = (
    _friedman(10_000),
    _friedman(2_000),
    _of_public("adult_old", "age", 48_842, ADULT, 91, 17),
    _of_public("credit", "limit", 30_000, CREDIT, 1e6, 0),
    _diabetes(),
)
ENDS = ((_friedman(250), PARTIES), (_friedman(10**6), PARTIES), (_friedman(2_000), 2), (_friedman(2_000), 100))
RUNS = (
    *((TREES, e) for e in ("1/2", "1", "4")),
    *((method, "1") for method in (CURVES, PURE, VOTES, PEER)),
    *((method, NONE) for method in (HGB, RIDGE)),
)


class Task(NamedTuple):
    """A set, by its place, and a seed."""

    place: int
    seed: int


def measure(task: Task) -> list[tuple[float, float]]:
    """R² and CPU seconds of every run of a task."""
    data = SETS_OF[task.place]
    rng = partial(_rng, data.name, task.seed)
    rows = data.draw(rng("rows"))
    return [run(data, rows, method, epsilon, rng(f"{method} {epsilon}")) for method, epsilon in RUNS]


def _rng(name: str, seed: int, purpose: str) -> np.random.Generator:
    return np.random.default_rng([seed, crc32(name.encode()), crc32(purpose.encode())])


def run(
    data: Numbers, rows: Rows, method: str, epsilon: str, rng: np.random.Generator, parties: int = PARTIES
) -> tuple[float, float]:
    """One method on the rows of a task."""
    for category in (SeededReleaseWarning, ClippedWarning):
        warnings.simplefilter("ignore", category)
    X, y = rows
    train, test = slice(data.size), slice(data.size, data.size + data.test)
    with threadpool_limits(1):
        start, seed = time.process_time(), int(rng.integers(2**31))
        found, seconds = _predicted(data, (X[train], y[train]), X[test], method, epsilon, seed, parties)
    r2 = 1 - np.sum((y[test] - found) ** 2) / np.sum((y[test] - y[test].mean()) ** 2)
    return round(float(r2), 5), round(seconds or time.process_time() - start, 3)


def _predicted(
    data: Numbers, train: Rows, X: np.ndarray, method: str, epsilon: str, seed: int, parties: int
) -> tuple[np.ndarray, float]:
    """What the test rows are predicted to have; and the seconds, where another process took them."""
    if method == PEER:
        return _of_the_peer(data, train, X, epsilon, seed)
    if method in (HGB, RIDGE):
        return _unprotected(data, train, X, method, seed), 0.0
    if method == VOTES:
        return _by_votes(data, train, X, epsilon, seed), 0.0
    ensemble = simulate_boosting(
        Party(train[0], data.domain, labels=train[1]),
        Budget.of(Fraction(epsilon), delta=None if method == PURE else DELTA),
        n_parties=parties,
        tolerate=TOLERATE,
        form=CURVES if method == CURVES else TREES,
        nominal_size=data.size,
        rng=Rehearsal(seed),
    )
    return ensemble.predict(X), 0.0


def _by_votes(data: Numbers, train: Rows, X: np.ndarray, epsilon: str, seed: int) -> np.ndarray:
    target = data.domain.target
    assert target
    few = Domain(
        binned(Domain(data.domain.features, (0, 1))).features,
        target=Numeric.grid(target.name, target.edges[0], target.edges[-1], VOTED),
    )
    dealt = np.random.default_rng(seed).integers(0, PARTIES, len(train[1]))
    members = [Party(train[0][dealt == k], few, labels=train[1][dealt == k]) for k in range(PARTIES)]
    ledger = Ledger(Fraction(epsilon), domain=few)
    with Federation(members, few, ledger, tolerate=TOLERATE, rng=Rehearsal(seed)) as federation:
        tree = fit_federated_tree(federation, max_depth=3, leaf_share="7/20", design="votes", rng=Rehearsal(seed + 1))
    return np.asarray(tree.predict(X))


def _codes(data: Numbers, X: np.ndarray) -> np.ndarray:
    return data.domain.encode(X).astype(float)


def _unprotected(data: Numbers, train: Rows, X: np.ndarray, method: str, seed: int) -> np.ndarray:
    unordered = np.array([not feature.ordered for feature in data.domain.features])
    both = [_codes(data, part) for part in (train[0], X)]
    if method == HGB:
        model = HistGradientBoostingRegressor(categorical_features=unordered, random_state=seed)
        return np.asarray(model.fit(both[0], train[1]).predict(both[1]))
    wide = [
        np.hstack([
            part[:, ~unordered] / FINE,
            *(part[:, [j]] == np.arange(data.domain.features[j].n_codes) for j in np.flatnonzero(unordered)),
        ])
        for part in both
    ]  # fmt: skip
    return np.asarray(Ridge().fit(wide[0], train[1]).predict(wide[1]))


def _of_the_peer(data: Numbers, train: Rows, X: np.ndarray, epsilon: str, seed: int) -> tuple[np.ndarray, float]:
    features, target = data.domain.features, data.domain.target
    assert target
    ranges = [(f.edges[0], f.edges[-1]) if isinstance(f, Numeric) else None for f in features]
    tables = [
        np.column_stack(
            [
                np.clip(column.astype(float), f.edges[0], f.edges[-1]) if isinstance(f, Numeric) else f.encode(column)
                for f, column in zip(features, part.T, strict=True)
            ]
        ).astype(float)
        for part in (train[0], X)
    ]
    ends = (target.edges[0], target.edges[-1])
    with tempfile.TemporaryDirectory() as folder:
        np.savez(f"{folder}/rows.npz", train=tables[0], test=tables[1], labels=np.clip(train[1], *ends))
        budget = {"epsilon": float(Fraction(epsilon)), "delta": float(Fraction(DELTA))}
        answer = ask(".peers-boosting", "boosting.py", rows=f"{folder}/rows.npz", ranges=ranges, seed=seed, target=ends,
                     **budget)  # fmt: skip
    return np.array(answer["scores"]), float(answer["seconds"])


def records(seeds: int, jobs: int) -> list[dict[str, Any]]:
    """For each set, ε and method: mean R², its standard error, mean seconds, and every run."""
    tasks = [Task(place, seed) for place in range(len(SETS_OF)) for seed in range(seeds)]
    by_set: dict[int, list[list[tuple[float, float]]]] = {}
    for task, outcomes in zip(tasks, in_parallel(measure, tasks, jobs), strict=True):
        by_set.setdefault(task.place, []).append(outcomes)
    rows = []
    for place, runs in by_set.items():
        for i, (method, epsilon) in enumerate(RUNS):
            found = [one[i] for one in runs]
            r2 = [value for value, _ in found]
            rows.append({"data": SETS_OF[place].name, "epsilon": epsilon, "method": method,
                         "r2": round(float(np.mean(r2)), 5), "r2_se": round(spread(r2), 5),
                         "seconds": round(float(np.mean([s for _, s in found])), 3), "runs": found})  # fmt: skip
    return rows


def ends() -> list[dict[str, Any]]:
    """Few rows and many, few parties and many: each once, at ε = 1."""
    rows = []
    for data, parties in ENDS:
        rng = partial(_rng, data.name, 0)
        r2, seconds = run(data, data.draw(rng("rows")), TREES, "1", rng(f"{parties}"), parties)
        rows.append({"data": data.name, "parties": parties, "epsilon": "1", "r2": r2, "seconds": seconds})
    return rows


def report(rows: list[dict[str, Any]]) -> str:
    """R² of every method, with its standard error."""
    lines = [(r["data"], r["method"], r["epsilon"], f"{r['r2']:.3f} ± {r['r2_se']:.3f}", r["seconds"]) for r in rows]
    return text_table([("data", "method", "ε", "R²", "CPU s"), *lines], right=(3, 4))


def main() -> None:
    chosen = read_options("boosting_targets", __doc__, seeds=5)
    rows = records(chosen.seeds, chosen.jobs)
    print(report(rows))
    head = {"seeds": chosen.seeds, "parties": PARTIES, "tolerate": TOLERATE, "delta": DELTA, "peer": versions()}
    keep({**head, "records": rows, "ends": ends()}, chosen.json)


if __name__ == "__main__":
    main()
