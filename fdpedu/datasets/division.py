"""Rows for each party and for testing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import as_integer, require_type


def divide(
    n: int, parties: int, test: int, rng: np.random.Generator
) -> tuple[list[NDArray[np.int64]], NDArray[np.int64]]:
    """Row numbers for each party and for testing: a random test set, the rest dealt out evenly."""
    require_type(rng, np.random.Generator, "rng")
    n, parties, test = (
        as_integer(value, name, minimum=least)
        for name, value, least in (("n", n, 1), ("parties", parties, 1), ("test", test, 0))
    )
    if not 0 <= test <= n - parties:
        raise ValueError(f"{n} rows cannot give {test} test rows and at least one row to each of {parties} parties")
    order = rng.permutation(n)
    return [order[test + k :: parties] for k in range(parties)], order[:test]
