"""Rows for each party and for testing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import as_integer, require_type
from fdpedu.federation import deal
from fdpedu.randomness import Rehearsal


def divide(
    n: int, parties: int, test: int, rng: np.random.Generator
) -> tuple[list[NDArray[np.int64]], NDArray[np.int64]]:
    """Row numbers for each party and for testing: a random test set, the rest dealt by :func:`fdpedu.federation.deal`.

    A part may be empty. The same generator divides the same way.

    One more row changes the rows to learn from by one, at one party: if it is a row to test on, another one comes from
    there. So a tree costs what it says. A noisy score on the test rows costs more, as these are always as many: up to
    two of them change. For private rows, let a coin of each row say whether it is tested on.
    """
    require_type(rng, np.random.Generator, "rng")
    n, parties, test = (
        as_integer(value, name, minimum=least)
        for name, value, least in (("n", n, 1), ("parties", parties, 1), ("test", test, 0))
    )
    if test >= n:
        raise ValueError(f"test must be less than the number of rows ({n}), got {test}")
    order = rng.permutation(n)
    train = order[test:]
    return [train[part] for part in deal(n - test, parties, Rehearsal(int(rng.integers(2**63))))], order[:test]
