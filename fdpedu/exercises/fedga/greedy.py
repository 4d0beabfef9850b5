"""An exercise to implement: the least errors of a structure, which one record moves by at most one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer

Rows = list[tuple[int, int, int]]
FOUR = [(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 1)]


@cache
def data_sets() -> Sequence[Case]:
    """Up to three rows of any kind; the chapter's four cells, once and twice, alone and with each row more."""
    kinds = sorted(product(range(3), range(2), range(2)))
    small = [list(rows) for n in range(4) for rows in combinations_with_replacement(kinds, n)]
    cells = [[*(FOUR * times), *more] for times in (1, 2) for more in [[], *([kind] for kind in kinds)]]
    return tuple((rows,) for rows in small + cells)


def least_errors(rows: Rows) -> int:
    """Over all thresholds of the root; below it a bit has one threshold that divides, and dividing never hurts."""
    best = len(rows)
    for threshold in (0, 1, 2):
        errors = 0
        for right, bit in ((False, 0), (False, 1), (True, 0), (True, 1)):
            labels = [y for x0, x1, y in rows if (x0 > threshold, x1) == (right, bit)]
            errors += min(sum(labels), len(labels) - sum(labels))
        best = min(best, errors)
    return best


def _leaf(rows: Rows) -> int:
    ones = sum(y for _, _, y in rows)
    return min(ones, len(rows) - ones)


def _below(rows: Rows) -> int:
    return sum(_leaf([row for row in rows if row[1] == bit]) for bit in (0, 1))


def _sides(rows: Rows, threshold: int) -> tuple[Rows, Rows]:
    return [row for row in rows if row[0] <= threshold], [row for row in rows if row[0] > threshold]


def _gini(rows: Rows) -> Fraction:
    ones = sum(y for _, _, y in rows)
    return Fraction(2 * ones * (len(rows) - ones), len(rows)) if rows else Fraction(0)


def _at(rows: Rows, threshold: int) -> int:
    return sum(map(_below, _sides(rows, threshold)))


def _greedy(rows: Rows) -> int:
    return _at(rows, min(range(3), key=lambda t: sum(map(_gini, _sides(rows, t)))))


def _greedy_errors(rows: Rows) -> int:
    return _at(rows, min((2, 1, 0), key=lambda t: sum(map(_leaf, _sides(rows, t)))))


def _fixed(rows: Rows) -> int:
    return _at(rows, 0)


def _each_side(rows: Rows) -> int:
    return sum(min(_below(_sides(rows, threshold)[side]) for threshold in range(3)) for side in (0, 1))


def _both_sides(rows: Rows) -> int:
    divided: Iterable[int] = [_at(rows, t) for t in range(3) if all(_sides(rows, t))]
    return min(divided, default=_leaf(rows))


GREEDY = Exercise(
    id="fedga-greedy",
    kind="implement",
    hint="There are few trees with this structure. Try all thresholds of the root, and for each of them count the "
    "errors in the four leaves.",
    domain="up to three rows of any kind, then four cells with one row and with two in each, alone and with one row "
    "more; few rows first",
    cases=data_sets,
    size=len,
    reference=least_errors,
    read=integer,
    explanation=(
        "For each of the three thresholds of the root there are four cells, in each of which the smaller number of "
        "labels is wrong. Below, dividing at x1 ≤ 0 is never worse than not dividing.\n"
        "The family of trees is the same for all rows. A row more adds 0 or 1 error to each tree of the family, so it "
        "adds 0 or 1 to the least. A greedy threshold is not the least of anything that the score measures, so one row "
        "may move it to another tree altogether: n/2 errors instead of none."
    ),
    wrong=(
        Misconception(
            "takes the threshold of least Gini loss",
            _greedy,
            "That is CART's. It looks at the root's sides as if they were leaves; one row makes another threshold the "
            "best, and the errors jump.",
        ),
        Misconception(
            "takes the threshold of least errors at the root",
            _greedy_errors,
            "This is as greedy with another loss. What counts are the errors in the four leaves, so compare these.",
        ),
        Misconception(
            "keeps one threshold",
            _fixed,
            "With the threshold fixed the number moves by at most one as well. But it is not the least: try 1 and 2.",
        ),
        Misconception(
            "chooses a threshold of the root for each side",
            _each_side,
            "Both sides come from the same threshold. With two of them some rows are in no leaf, and nobody counts "
            "their errors.",
        ),
        Misconception(
            "asks for rows on both sides",
            _both_sides,
            "Whether a side is empty depends on the rows, and then so does the family of trees. A side may stay empty.",
        ),
    ),
)
