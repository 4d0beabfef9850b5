"""An exercise to implement: how a forger divides her rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer

_TABLES = ((9, 9, 2, 2), (9, 7, 6, 6), (8, 4, 4, 0), (6, 6, 6, 0), (5, 5, 5, 5))


@cache
def leaves() -> Sequence[Case]:
    """One to three leaves with tables of four values, and 0 to 3 rows; fewest first."""
    found = [
        ([list(table) for table in tables], rows)
        for n in range(1, 4)
        for tables in product(_TABLES, repeat=n)
        for rows in range(4)
    ]
    return tuple(sorted(found, key=lambda case: len(case[0]) + case[1]))


def least(tables: Sequence[Sequence[int]], rows: int) -> int:
    """The least sum over all divisions of the rows."""
    if len(tables) == 1:
        return min(tables[0][: rows + 1])
    return min(tables[0][k] + least(tables[1:], rows - k) for k in range(rows + 1))


def _greedy(tables: Sequence[Sequence[int]], rows: int) -> int:
    given = [0] * len(tables)
    for _ in range(rows):
        gains = [table[k] - table[min(k + 1, 3)] for table, k in zip(tables, given, strict=True)]
        given[gains.index(max(gains))] += 1
    return sum(table[min(k, 3)] for table, k in zip(tables, given, strict=True))


DIVIDE = Exercise(
    id="poisoning-divide",
    kind="implement",
    hint="What if the first row in a leaf does nothing, and the second one everything? Begin with one leaf, then add "
    "the next one: it gets some of the rows, and those before it the rest.",
    domain="one to three leaves with five kinds of tables, and 0 to 3 rows; fewest first",
    cases=leaves,
    size=lambda tables, rows: len(tables) + rows,
    reference=least,
    read=integer,
    explanation=(
        "It is a minimum over all divisions. With one leaf it is the smallest number in reach; with one leaf more, the "
        "minimum over how many rows this leaf gets of its number plus the least of the others with the rest. That "
        "needs leaves × rows² steps. A curve of a leaf is not convex, so giving each row to where it does most at the "
        "moment can miss the best."
    ),
    wrong=(
        Misconception(
            "gives each row to where it does most",
            _greedy,
            "A first row that does nothing may prepare a second one that does most. Compare whole divisions.",
        ),
        Misconception(
            "puts all rows into one leaf",
            lambda tables, rows: min(
                table[rows] + sum(other[0] for k, other in enumerate(tables) if k != at)
                for at, table in enumerate(tables)
            ),
            "Several leaves can be forged at. The rows may be divided.",
        ),
        Misconception(
            "gives all rows to every leaf",
            lambda tables, rows: sum(table[rows] for table in tables),
            "A forged row is in one leaf only. All leaves together share the rows.",
        ),
    ),
)
