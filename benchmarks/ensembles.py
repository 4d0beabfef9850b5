"""Boosting: 400 trees of five parties, against scikit-learn's histogram boosting of 100 trees on one thread.

A fit is all that happens once the parties hold their coded rows: keys, rounds, noise, masks, sums, ledger and
derivation. scikit-learn's begins with raw values and puts them into bins, a small part of its time.
"""

from collections.abc import Iterator

from benchmarks.pairs import Row, cpu
from benchmarks.trees import parties_of, rows_of

SHAPE = (300_000, 20, 32, 2, 3)  # rows, features, bins, classes, questions a tree
DELTA = "1/1000000"
TREES = 100  # of scikit-learn


def rows() -> Iterator[Row]:
    n, p, bins, *_ = SHAPE
    yield Row(
        f"boosting, 400 trees / scikit-learn's histogram boosting, {TREES} trees, one thread",
        f"{n:,} rows × {p}, {bins} bins, 5 parties",
        cpu(boosted),
        cpu(not_private),
        1.0,
        3,
    )


def boosted(form: str = "trees") -> dict[int, bytes]:
    """A fit with the system's entropy, as a release has it; what was asked of each party, by round."""
    from fdpedu.accounting import Ledger
    from fdpedu.boosting import fit_federated_boosting
    from fdpedu.federation import Federation

    domain, members = parties_of(SHAPE, 5)
    federation = Federation(members, domain, Ledger(1, delta=DELTA), tolerate=1)
    fit_federated_boosting(federation, form=form, nominal_size=SHAPE[0])
    return federation.transport.requests


def not_private() -> object:
    """The same rows in one place."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    X, y = rows_of(SHAPE[0], SHAPE[1], SHAPE[3])
    with threadpool_limits(1):
        return HistGradientBoostingClassifier(max_iter=TREES, early_stopping=False, random_state=0).fit(X, y)


def largest_request(form: str) -> int:
    """Bytes of the largest request of a fit: one of the last, as a request holds all trees so far."""
    return max(map(len, boosted(form).values()))
