"""Simulated trees: one run, with its test accuracy, against fits by scikit-learn, the package itself and diffprivlib.

What is timed of the simulation is one run among 25 that grow side by side, its noise, its tree and its test rows
included, on rows that are drawn and coded already; of scikit-learn the fit alone.
"""

from collections.abc import Iterator
from functools import lru_cache, partial

import numpy as np

from benchmarks.pairs import Clock, Row, ask_peer, cpu

RUNS, FEATURES, DEPTH = 25, 50, 10
EPSILONS = ("1/10", "6/5", "23/10", "17/5", "9/2", "28/5", "67/10", "39/5", "89/10", "10")


def rows() -> Iterator[Row]:
    for method, limit in (
        ("central", None),
        ("algorithm-5-clipped", 1.4),
        ("algorithm-6", 2.0),
        ("exponential", None),
        ("default", None),
    ):
        case = f"{method}, 250 rows × {FEATURES}, depth {DEPTH}"
        quick = method == "algorithm-5-clipped"
        yield Row("a simulated run / scikit-learn's fit", case, _simulated(method), _scikit_learn(), limit, quick=quick)
    yield Row(
        "a simulated run / a fit of the package",
        "default, 250 rows × 10, depth 5",
        _simulated("default", 10, 5),
        _federated(),
        0.05,
        quick=True,
    )
    yield Row(
        "a simulated run / diffprivlib's fit and predictions",
        "exponential, 250 rows × 10, depth 5",
        _simulated("exponential", 10, 5),
        ask_peer("simulation.py", 250, 10, 5),
    )
    yield Row(
        "a part of the report's study / as many scikit-learn fits",
        "5 runs × 10 ε × Algorithms 5 and 6, 250 rows × 25, depth 5",
        _study(),
        _scikit_learn(25, 5, 100),
        pairs=3,
    )


@lru_cache
def data(n: int, p: int):
    """The report's mixture, n rows to learn from and as many to be tested on."""
    from fdpedu.datasets import DataSet, mixture_domain

    return DataSet(f"mixture n={n} p={p}", n, mixture_domain(p), partial(_draw, n, p))


def _draw(n: int, p: int, rng: np.random.Generator):
    from fdpedu.datasets import Split, mixture

    return Split(*mixture(n, p, "3/10", rng), *mixture(n, p, "3/10", rng))


def _simulated(method: str, p: int = FEATURES, depth: int = DEPTH) -> Clock:
    """CPU seconds of a run."""
    from fdpedu.simulation import draw_rows, simulate

    given = draw_rows(data(250, p), 5, np.random.SeedSequence(1).spawn(RUNS))
    epsilon, rng = None if method == "central" else "6/5", np.random.default_rng(2)
    clock = cpu(lambda: simulate(method, given, epsilon=epsilon, max_depth=depth, rng=rng))
    return lambda: clock() / RUNS


def _scikit_learn(p: int = FEATURES, depth: int = DEPTH, times: int = 1) -> Clock:
    """CPU seconds of so many fits."""
    from sklearn.tree import DecisionTreeClassifier

    splits = [data(250, p).draw(np.random.default_rng(seed)) for seed in range(RUNS)]

    def fit() -> None:
        for split in splits:
            DecisionTreeClassifier(max_depth=depth, min_samples_split=10).fit(split.X_train, split.y_train)

    clock = cpu(fit)
    return lambda: clock() / RUNS * times


def _federated() -> Clock:
    """CPU seconds of a fit among five parties."""
    from fdpedu.accounting import Ledger
    from fdpedu.federation import Federation, Party, deal
    from fdpedu.randomness import Rehearsal
    from fdpedu.trees import fit_federated_tree

    split, source = data(250, 10).draw(np.random.default_rng(1)), Rehearsal(3)
    domain = data(250, 10).domain
    parts = deal(len(split.y_train), 5, Rehearsal(1))
    parties = [Party(split.X_train[part], domain, labels=split.y_train[part]) for part in parts]

    def fit() -> None:
        federation = Federation(parties, domain, Ledger("6/5"), rng=source, tolerate=0)
        fit_federated_tree(federation, max_depth=5).predict(split.X_test)

    return cpu(fit)


def _study() -> Clock:
    """CPU seconds of a part of the study, drawing the rows included."""
    from fdpedu.simulation import Setting, Study

    study = Study([Setting(data(250, 25))], ["algorithm-5-clipped", "algorithm-6"], EPSILONS, runs=5)
    return cpu(lambda: list(study.results()))
