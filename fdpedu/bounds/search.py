"""How close to 1 one record moves a local bound: a search that finds neighbours as close as asked."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from fdpedu.bounds.local import local_bound
from fdpedu.exact import Integers, Rational, as_fraction, as_integer, shown

MAX_ROWS = 1000  # a search takes a step for each


def search_near_one(goal: Rational, *, bins: int = 2, classes: int = 2) -> tuple[Integers, Integers, Fraction]:
    """Two neighbours whose local bounds differ by at least ``goal``, and the difference, which is less than 1.

    The search knows nothing of the lemma. From a table without rows it goes on by whichever record makes the next
    record matter most, the first of several, until the goal is reached: after about 1/(1 − goal) rows.

    Claims: lem-local-bound

    Parameters
    ----------
    goal : at most 999/1000
    bins, classes : the shape of the tables, at least 1 and 2

    Examples
    --------
    >>> data, neighbour, change = search_near_one("3/4")
    >>> data.tolist(), neighbour.tolist(), change
    ([[3, 0], [0, 0]], [[3, 1], [0, 0]], Fraction(3, 4))
    """
    wanted = as_fraction(goal, "goal")
    if wanted > 1 - Fraction(1, MAX_ROWS):
        raise ValueError(f"goal must be at most {1 - Fraction(1, MAX_ROWS)}, got {shown(wanted)}: 1 is never reached")
    shape = as_integer(bins, "bins", minimum=1, maximum=8), as_integer(classes, "classes", minimum=2, maximum=8)
    table = np.zeros(shape, dtype=np.int64)
    change, best = _largest_step(table)
    while change < wanted:
        steps = [(_largest_step(table + one), one) for one in _records(shape)]
        (change, best), chosen = max(steps, key=lambda step: step[0][0])
        table = table + chosen
    return table, table + best, change


def _records(shape: tuple[int, ...]) -> list[Integers]:
    """Every record as a table with a single 1."""
    return list(np.eye(math.prod(shape), dtype=np.int64).reshape(-1, *shape))


def _largest_step(table: Integers) -> tuple[Fraction, Integers]:
    """The most that one added record changes the bound, and that record."""
    start = local_bound(table)
    steps = [(abs(local_bound(table + one) - start), one) for one in _records(table.shape)]
    return max(steps, key=lambda step: step[0])


def largest_increment(n: int) -> Fraction:
    """n/(n+1): the most by which one more record raises the bound of n rows; attained by n rows of one class.

    Claims: lem-local-bound

    >>> largest_increment(9), local_bound([[9, 1]]) - local_bound([[9, 0]])
    (Fraction(9, 10), Fraction(9, 10))
    """
    rows = as_integer(n, "n", minimum=0)
    return Fraction(rows, rows + 1)
