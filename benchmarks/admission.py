"""Rows at the border: what admitting a table takes, against the bare search for the bins of the same numbers."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from benchmarks.pairs import Row, cpu

ROWS, COLUMNS, LIMIT = 1_000_000, 20, 10.0


def rows() -> Iterator[Row]:
    yield from _rows(ROWS, quick=False)
    yield from _rows(ROWS // 20, quick=True)


def _rows(n: int, *, quick: bool) -> Iterator[Row]:
    from fdpedu.domain import Domain, Numeric

    domain = Domain([Numeric.grid(name, 0, 1) for name in _names()], (0, 1))
    edges = [np.asarray(feature.edges) for feature in domain.features]
    peer = cpu(lambda: [np.digitize(column, ends) for column, ends in zip(_numbers(n).T, edges, strict=True)])
    group = f"admitting {n:,} × {COLUMNS} numbers / numpy.digitize"
    for kind in ("an array", "columns by name", "an array of objects", "lists of rows"):
        yield Row(group, kind, cpu(lambda kind=kind: domain.admit(_table(kind, n))), peer, LIMIT, pairs=3, quick=quick)


def _names() -> list[str]:
    return [f"x{j}" for j in range(COLUMNS)]


@lru_cache(maxsize=1)
def _numbers(n: int):
    """Numbers in [0, 1], and one in fifty beyond it."""
    return np.random.default_rng(0).random((n, COLUMNS)) * 1.02 - 0.01


@lru_cache(maxsize=1)
def _table(kind: str, n: int):
    """The same numbers in a table of some kind; made in the warm-up, before anything is timed."""
    X = _numbers(n)
    if kind == "columns by name":
        return dict(zip(_names(), X.T, strict=True))
    return {"an array": X.copy, "an array of objects": lambda: X.astype(object), "lists of rows": X.tolist}[kind]()
