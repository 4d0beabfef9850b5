"""Lower bounds of impurity: what computing them costs beside what is computed anyway, and what their lemma's checks do.

Exact local bounds of raw rows stand beside scikit-learn's tree of depth 1 on the same rows, which goes through the
same thresholds in floats. On a grid they stand beside counting the histograms of the node, from which they are made,
and a whole round of bounds beside a round of histograms, which has more noise to draw and more numbers to send.
"""

from collections.abc import Iterator
from functools import cache

import numpy as np

from benchmarks.pairs import Clock, Row, cpu
from benchmarks.trees import parties_of, rows_of

STUMP = "exact local bounds of all features / a tree of depth 1 of scikit-learn"
TALLY = "bounds of all features on the grid / counting their histograms, which is in it"
LIMITS = {(50, 10): 0.25, (250, 10): 0.25, (250, 20): 0.25, (250, 50): None, (1000, 10): 0.6, (1000, 50): 0.6}
ROUND = "a round of all bounds / a round of all histograms"
P, BINS = 20, 32


def rows() -> Iterator[Row]:
    for (n, p), limit in LIMITS.items():
        quick = (n, p) in ((250, 10), (1000, 50))
        yield Row(STUMP, f"{n:,} rows × {p}", _bounds(n, p), _stump(n, p), limit, 9, quick=quick)
    for n, limit in ((250, None), (10_000, 2.0), (1_000_000, 1.1)):
        name = f"{n:,} rows × {P}, {BINS} bins"
        yield Row(TALLY, name, _tally(n, "NodeBounds"), _tally(n, "NodeHistograms"), limit, 9, quick=n == 10_000)
    for n in (250, 1_000_000):
        name, quick = f"{n:,} rows × {P}, {BINS} bins, 5 parties", n == 250
        yield Row(ROUND, name, _round(n, "NodeBounds"), _round(n, "NodeHistograms"), 1.5, 7, quick=quick)
    names, checks = _default_checks()
    yield Row("exhaustive checks of the lemma (lem-local-bound) / 5 s", names, checks, lambda: 5.0, 1.0, 3, quick=True)


def _times(n: int) -> int:
    """So often that one timing takes a few milliseconds or more."""
    return max(3, 30_000 // n)


def _bounds(n: int, p: int) -> Clock:
    from fdpedu.bounds import local_bounds_of_rows

    X, y = rows_of(n, p, 2)
    return cpu(lambda: local_bounds_of_rows(X, y, 2), _times(n))


def _stump(n: int, p: int) -> Clock:
    from sklearn.tree import DecisionTreeClassifier

    X, y = rows_of(n, p, 2)
    return cpu(lambda: DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, y), _times(n))


@cache
def _records(n: int):
    """One party's records, with a list of their numbers that is not the one whose counts are kept."""
    from fdpedu.domain import Domain, Numeric
    from fdpedu.federation.records import Records

    X, y = rows_of(n, P, 2)
    domain = Domain([Numeric.grid(f"x{j}", 0, 1, bins=BINS) for j in range(P)], (0, 1))
    return Records(domain.encode(X), y.astype(np.uint8), domain), np.arange(n, dtype=np.intp), domain


def _tally(n: int, name: str) -> Clock:
    def run() -> float:
        records, numbers, domain = _records(n)
        query = _query(name, domain)
        return cpu(lambda: query.tally(records, numbers, domain), _times(n))()

    return run


def _query(name: str, domain):
    from fdpedu.federation import NodeBounds, NodeHistograms

    return NodeBounds(domain.everything, 1, 4) if name == "NodeBounds" else NodeHistograms(domain.everything, 1)


@cache
def _federation(n: int):
    from fdpedu.accounting import Ledger
    from fdpedu.federation import Federation

    domain, members = parties_of((n, P, BINS, 2, 1), 5)
    return domain, Federation(members, domain, Ledger(10**6))


def _round(n: int, name: str) -> Clock:
    """Keys and parties are there; the noise is the operating system's."""

    def run() -> float:
        domain, federation = _federation(n)
        return cpu(lambda: federation.release([_query(name, domain)]), 3)()

    return run


def _default_checks() -> tuple[str, Clock]:
    """The exhaustive checks of the lemma, and the CPU seconds of all, as ``fdpedu verify`` runs them."""
    from fdpedu.claims import REGISTER
    from fdpedu.claims.verify import run_check

    claim = REGISTER["lem-local-bound"]
    checks = [check for check in claim.checks if check.kind == "exhaustive"]
    names = ", ".join(f"{check.name} (size {check.quick})" for check in checks)
    return names, cpu(lambda: [run_check(claim, check) for check in checks])
