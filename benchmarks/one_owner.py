"""One owner's tree of choices against scikit-learn's; and what forged rows can do, against one such fit.

A fit is all that happens once the owner holds coded rows: draws by exact coins, ledger and derivation. "From raw
values" adds checking and coding, which scikit-learn's tree does without.
"""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from benchmarks.pairs import Row, cpu
from benchmarks.trees import parties_of, rows_of

DEPTH = 4
SIZES = ((250, 10), (5000, 25), (1_000_000, 20))  # rows and features, of ten bins
GROUP = "one owner's tree of choices / scikit-learn's tree of the same depth"
FORGED, LEAVES, FAR = 1000, 64, 10**6


def rows() -> Iterator[Row]:
    pictures = "11,824 pictures × 64 blocks, 4 bins"
    yield Row(GROUP, pictures, cpu(_fit, 3), cpu(_plain, 3), 6.0, quick=True)
    yield Row(GROUP, f"{pictures}, from raw values", cpu(lambda: _fit(raw=True), 3), cpu(_plain, 3))
    for n, p in SIZES:
        shape, times = (n, p, 10, 2, DEPTH), 10 if n == 250 else 1
        name = f"{n:,} rows × {p}, 10 bins"
        yield Row(
            GROUP, name, cpu(lambda s=shape: _fit_of(s), times), cpu(lambda s=shape: _plain_of(s), times), None, 3
        )
    group = "dividing forged rows among leaves / one fit of a tree of choices"
    yield Row(group, f"{FORGED:,} rows, {LEAVES} leaves", cpu(_worst_division), cpu(_fit, 3), 10.0, 5, quick=True)
    group = "the curve of forged rows at 1,000,000 of them / at 10"
    for level in ("0.9", "0.999"):
        for epsilon in ("1", "1/100"):
            many, few = (cpu(lambda x=x, a=level, e=epsilon: _curve(a, e, x), 20) for x in (FAR, 10))
            yield Row(group, f"from {level}, ε = {epsilon}", many, few, 3.0, quick=level == "0.9")


@lru_cache(maxsize=1)
def _pictures():
    from fdpedu.datasets import zeros_and_ones, zeros_and_ones_domain
    from fdpedu.federation import Party

    split, domain = zeros_and_ones(np.random.default_rng(0)), zeros_and_ones_domain()
    return split, domain, Party(split.X_train, domain, labels=split.y_train)


def _grown(party) -> object:
    """With the system's entropy, as a release has it."""
    from fdpedu.accounting import Ledger
    from fdpedu.trees import fit_privatree

    return fit_privatree(party, Ledger(1), max_depth=DEPTH)


def _fit(*, raw: bool = False) -> object:
    from fdpedu.federation import Party

    split, domain, party = _pictures()
    return _grown(Party(split.X_train, domain, labels=split.y_train) if raw else party)


def _plain() -> object:
    split, *_ = _pictures()
    return _sklearn(split.X_train, split.y_train)


def _sklearn(X, y) -> object:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(max_depth=DEPTH, random_state=0).fit(X, y)


def _fit_of(shape) -> object:
    return _grown(parties_of(shape, 1)[1][0])


def _plain_of(shape) -> object:
    n, p, _, classes, _ = shape
    return _sklearn(*rows_of(n, p, classes))


def _worst_division() -> object:
    from fdpedu.robust import structured_bound

    leaves = [(50 + k, 30, "0.999") for k in range(LEAVES)]
    return structured_bound(leaves, "1/100", FORGED)  # at so small an ε no leaf is done before all rows are


def _curve(level: str, epsilon: str, x: int) -> object:
    from fdpedu.robust import poisoning_curve

    return poisoning_curve(level, epsilon, x)
