"""Rows at the border: what admitting a table takes, against the bare search for the bins of the same numbers."""

from collections.abc import Iterator

import numpy as np

from benchmarks.pairs import Row, cpu

ROWS, COLUMNS, LIMIT = 1_000_000, 20, 10.0


def rows() -> Iterator[Row]:
    yield from _rows(ROWS, quick=False)
    yield from _rows(ROWS // 20, quick=True)


def _rows(n: int, *, quick: bool) -> Iterator[Row]:
    """A table as an array, as columns by name, as objects and as lists of rows."""
    from fdpedu.domain import Domain, Numeric

    X = np.random.default_rng(0).random((n, COLUMNS)) * 1.02 - 0.01
    names = [f"x{j}" for j in range(COLUMNS)]
    domain = Domain([Numeric.grid(name, 0, 1) for name in names], (0, 1))
    edges = [np.asarray(feature.edges) for feature in domain.features]
    peer = cpu(lambda: [np.digitize(column, ends) for column, ends in zip(X.T, edges, strict=True)])
    kinds = {
        "an array": lambda: X,
        "columns by name": lambda: dict(zip(names, X.T, strict=True)),
        "an array of objects": lambda: X.astype(object),
        "lists of rows": X.tolist,
    }
    group = f"admitting {n:,} × {COLUMNS} numbers / numpy.digitize"
    for name, make in kinds.items():
        table = make()
        yield Row(group, name, cpu(lambda table=table: domain.admit(table)), peer, LIMIT, pairs=3, quick=quick)
