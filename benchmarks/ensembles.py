"""Boosting: 900 trees of five parties, against scikit-learn's histogram boosting of 100 trees on one thread.

A fit is all that happens once the parties hold their coded rows: keys, rounds, noise, masks, sums, ledger and
derivation. scikit-learn's begins with raw values and puts them into bins, a small part of its time. Trees ask three
features, and from the tenth round on five where released interactions stand out; here all of them ask as many.
"""

from collections.abc import Iterator
from functools import cache

from benchmarks.pairs import Row, cpu
from benchmarks.trees import parties_of, rows_of

SHAPE = (250_000, 20, 256, 2, 3)  # rows, features, bins, classes, questions a tree
WORDS = (5_000, 57, 256, 2, 3)  # as many features as spambase has
DELTA = "1/1000000"
TREES = 100  # of scikit-learn
ASKED, LIMIT = (3, 5), 1.2


def rows() -> Iterator[Row]:
    n, p, bins, *_ = SHAPE
    for asked in ASKED:
        yield Row(
            f"boosting, 900 trees / scikit-learn's histogram boosting, {TREES} trees, one thread",
            f"{n:,} rows × {p}, {bins} bins, 5 parties, {asked} questions a tree",
            cpu(lambda asked=asked: boosted(max_depth=asked)),  # type: ignore[misc]
            cpu(not_private),
            LIMIT,
            3,
        )


def boosted(shape: tuple[int, ...] = SHAPE, form: str = "trees", max_depth: int | None = None) -> dict[int, bytes]:
    """A fit with the system's entropy, as a release has it; what was asked of each party, by round."""
    from fdpedu.accounting import Ledger
    from fdpedu.boosting import fit_federated_boosting
    from fdpedu.federation import Federation

    domain, members = parties_of(shape, 5)
    federation = Federation(members, domain, Ledger(1, delta=DELTA), tolerate=1)
    fit_federated_boosting(federation, form=form, nominal_size=shape[0], max_depth=max_depth)
    return federation.transport.requests


@cache
def requests() -> dict[str, int]:
    """Bytes of the largest request of a fit with 57 features: one of the last, as a request holds all trees so far."""
    asked = {"trees of 3": ("trees", 3), "trees of 5": ("trees", 5), "curves": ("curves", None)}
    return {name: max(map(len, boosted(WORDS, form, k).values())) for name, (form, k) in asked.items()}


def not_private() -> object:
    """The same rows in one place."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    X, y = rows_of(SHAPE[0], SHAPE[1], SHAPE[3])
    with threadpool_limits(1):
        return HistGradientBoostingClassifier(max_iter=TREES, early_stopping=False, random_state=0).fit(X, y)
