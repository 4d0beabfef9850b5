"""``python -m benchmarks.boosting_classes``: boosting of several classes among five parties, on five public sets.

Pen digits (10 classes), optical digits (10), satellite images (6), segments of pictures (7) and letters (26), all from
UCI by way of KEEL: 256 bins between ends that were written down without the rows. Four of five rows are for training,
divided anew by each seed. Beside boosting stand single trees of the package on the same rows, in (ε, δ) and in ε, and,
not private, scikit-learn's histogram boosting and logistic regression. Sums are those of all rows together, with the
noise that the parties' shares would add (:mod:`benchmarks.pooled`).

The ends are drawn from a law: 250 rows, and a million; two parties, and a hundred. There stand CPU seconds, too, and
the largest request of 32 classes where every tree asks five questions.
"""

import time
import warnings
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from benchmarks.accuracy import DELTA, in_parallel, spread
from benchmarks.boosting_runs import PARTIES, TOLERATE
from benchmarks.pooled import simulate_boosting
from benchmarks.public_data import public_set
from benchmarks.repeated import keep, read_options
from fdpedu.accounting import Budget, Ledger
from fdpedu.boosting import fit_federated_boosting
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClippedWarning, Federation, Party, deal
from fdpedu.randomness import Rehearsal
from fdpedu.showing import text_table
from fdpedu.trees import fit_federated_tree

SETS = ("penbased", "optdigits", "satimage", "segment", "letter")
BOOSTED, CURVES, TREE, PURE_TREE = "trees", "curves", "one tree", "one tree, without δ"
HGB, LINEAR = "HistGradientBoosting", "logistic regression"
RUNS = (
    *((BOOSTED, epsilon) for epsilon in ("1/2", "1", "4")),
    *((method, "1") for method in (CURVES, TREE, PURE_TREE)),
    (HGB, "–"),
    (LINEAR, "–"),
)
ENDS = {
    "250 rows": (250, 6, 4, 5),
    "a million rows": (10**6, 10, 10, 5),
    "2 parties": (20_000, 10, 5, 2),
    "100 parties": (20_000, 10, 5, 100),
}  # fmt: skip  rows, features, classes, parties
MOST = "32 classes"


class Task(NamedTuple):
    """One division of a set's rows."""

    data: str
    seed: int


def run(task: Task) -> list[float]:
    """Accuracy on test rows of each of :data:`RUNS`."""
    warnings.simplefilter("ignore")
    found = public_set(task.data, bins=256, even=True)
    order = np.random.default_rng(task.seed).permutation(found.size)
    train, test = np.split(order, [found.size * 4 // 5])
    with threadpool_limits(1):
        return [accuracy(found.domain, found.X, found.y, train, test, task.seed, *one) for one in RUNS]


def accuracy(domain: Domain, X: Any, y: Any, train: Any, test: Any, seed: int, method: str, epsilon: str) -> float:
    """Of one method."""
    if method in (HGB, LINEAR):
        codes = domain.encode(X).astype(float)
        if method == HGB:
            model: Any = HistGradientBoostingClassifier(random_state=seed).fit(codes[train], y[train])
        else:
            centre, scale = codes[train].mean(axis=0), np.maximum(codes[train].std(axis=0), 1e-9)
            codes = (codes - centre) / scale
            model = LogisticRegression(max_iter=300).fit(codes[train], y[train])
        return float(model.score(codes[test], y[test]))
    budget = Budget.of(Fraction(epsilon), delta=None if method == PURE_TREE else DELTA)
    if method in (BOOSTED, CURVES):
        ensemble = simulate_boosting(
            Party(X[train], domain, labels=y[train]),
            budget,
            n_parties=PARTIES,
            tolerate=TOLERATE,
            form=method,
            nominal_size=len(train),
            rng=Rehearsal(seed),
        )
        return float(ensemble.score(X[test], y[test]))
    own = [train[rows] for rows in deal(len(train), PARTIES, Rehearsal(seed))]
    members = [Party(X[rows], domain, labels=y[rows]) for rows in own]
    federation = Federation(members, domain, Ledger(budget), tolerate=TOLERATE, rng=Rehearsal(seed))
    design = "rotating" if method == PURE_TREE else "screened"
    tree = fit_federated_tree(federation, design=design, nominal_size=len(train))
    return float(np.mean(tree.predict(X[test]) == y[test]))


def drawn(n: int, p: int, k: int, parties: int) -> tuple[Domain, list[Party]]:
    """Rows of k classes by the sum of some features, among parties; and what is public."""
    rng = np.random.default_rng(n + p + k)
    X = rng.random((n, p))
    y = np.minimum((k * (X[:, :3].mean(axis=1) * 1.6 - 0.3)).clip(0), k - 1).astype(int)
    domain = Domain([Numeric.grid(f"x{j}", 0, 1, 256) for j in range(p)], range(k))
    return domain, [Party(X[rows], domain, labels=y[rows]) for rows in deal(n, parties, Rehearsal(1))]


def ends() -> Iterator[dict[str, Any]]:
    """A fit of each shape among real parties: CPU seconds, the accuracy on its own rows, the largest request."""
    for name, shape in {**ENDS, MOST: (2_000, 20, 32, 2)}.items():
        domain, members = drawn(*shape)
        federation = Federation(members, domain, Ledger(1, delta=DELTA), tolerate=TOLERATE, rng=Rehearsal(1))
        start = time.process_time()
        depth = 5 if name == MOST else None
        ensemble = fit_federated_boosting(federation, nominal_size=shape[0], max_depth=depth, progress=lambda *_: None)
        seconds = time.process_time() - start
        sizes = dict(zip(("rows", "features", "classes", "parties"), shape, strict=True))
        largest = max(map(len, federation.transport.requests.values()))
        asked = ensemble.batches[-1].questions
        yield {"end": name, **sizes, "seconds": round(seconds, 1), "request_bytes": largest, "questions": asked}


def main() -> None:
    chosen = read_options("boosting_classes", __doc__, seeds=5)
    warnings.simplefilter("ignore", ClippedWarning)
    tasks = [Task(name, seed) for seed in range(chosen.seeds) for name in SETS]
    all_found = list(in_parallel(run, tasks, chosen.jobs))
    rows = []
    for name in SETS:
        runs = np.array([found for task, found in zip(tasks, all_found, strict=True) if task.data == name])
        for j, (method, epsilon) in enumerate(RUNS):
            mean, error = round(float(runs[:, j].mean()), 4), round(spread(runs[:, j].tolist()), 4)
            row = {"data": name, "method": method, "epsilon": epsilon, "accuracy": mean, "se": error}
            rows.append({**row, "runs": np.round(runs[:, j], 4).tolist()})
    print(text_table([tuple(str(row[key]) for key in ("data", "method", "epsilon", "accuracy", "se")) for row in rows]))
    head = {"seeds": chosen.seeds, "parties": PARTIES, "tolerate": TOLERATE, "delta": DELTA}
    keep({**head, "ends": list(ends()), "records": rows}, chosen.json)


if __name__ == "__main__":
    main()
