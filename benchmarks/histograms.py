"""One round of all histograms, as a node of a tree asks for it: against plain counting, and against LightGBM's pass."""

from collections.abc import Iterator
from functools import cache

import numpy as np

from benchmarks.pairs import Row, ask_peer, cpu
from benchmarks.trees import parties_of, rows_of

N, P, BINS, CLASSES, PARTIES = 1_000_000, 20, 32, 2, 5
SHAPE = (N, P, BINS, CLASSES, 1)


def rows() -> Iterator[Row]:
    sizes = f"{N:,} rows × {P}, {BINS} bins, {CLASSES} classes, {PARTIES} parties"
    group = "a round of all histograms, noise, masks and sum included"
    yield Row(group, f"/ numpy.bincount a feature on the codes; {sizes}", _round, _counting, 1.5, 5, quick=True)
    yield Row(group, "/ LightGBM's training to depth 1 on binned data", _round, ask_peer("trees.py", *SHAPE), None, 3)
    yield Row("what parties keep in memory", "/ one byte a value", _bytes_kept, lambda: float(N * P), 5.0, 1)


@cache
def _federation():
    from fdpedu.accounting import Ledger
    from fdpedu.federation import Federation

    domain, members = parties_of(SHAPE, PARTIES)
    return domain, Federation(members, domain, Ledger(10**6))


def _round() -> float:
    """Keys and parties are there; the noise is the operating system's."""
    from fdpedu.federation import NodeHistograms

    domain, federation = _federation()
    return cpu(lambda: federation.release([NodeHistograms(domain.everything, 1)]))()


@cache
def _coded():
    X, y = rows_of(N, P, CLASSES)
    return _federation()[0].encode(X), y.astype(np.uint8)


def _counting() -> float:
    """One process counts all rows, a feature at a time."""
    codes, y = _coded()

    def count() -> None:
        for j in range(P):
            np.bincount(codes[:, j].astype(np.intp) * CLASSES + y, minlength=BINS * CLASSES)

    return cpu(count)()


def _bytes_kept() -> float:
    """No time: the codes of each party, the columns of its endpoint, and the positions of the cells to count."""
    total = 0
    for respond in _federation()[1]._endpoints:
        records = respond.__self__._records
        total += records.columns.nbytes + records.cells.nbytes
    return float(total + N * P)
