"""An exercise to repair: Algorithm 4 on counts that noise has made negative."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number

Table = Sequence[Sequence[int]]


@cache
def tables() -> Sequence[Case]:
    """Two bins of two or three classes, then three bins of two, with counts from −1 to 2; every border."""
    found = []
    for bins, classes in ((2, 2), (2, 3), (3, 2)):
        for cells in product((-1, 0, 2) if bins * classes > 4 else (-1, 0, 1, 2), repeat=bins * classes):
            rows = [list(cells[i : i + classes]) for i in range(0, bins * classes, classes)]
            found += [(rows, border) for border in range(1, bins)]
    return tuple(found)


def impurity(counts: Table, border: int) -> Any:
    """Clip the cells, add them up on each side, and divide where there is something to divide by."""
    cells = [[max(0, n) for n in row] for row in counts]
    total, left_behind = sum(map(sum, cells)), Fraction(0)
    for side in (cells[:border], cells[border:]):
        sums = [sum(column) for column in zip(*side, strict=True)]
        n = sum(sums)
        if n:
            left_behind += Fraction(n * n - sum(c * c for c in sums), 2 * n)
    return left_behind / total if total else left_behind


def _sums(cells: Table) -> list[int]:
    return [sum(column) for column in zip(*cells, strict=True)]


Sides = tuple[list[int], list[int]]


def _of(sides: Callable[[Table, int], Sides], side: Callable[[list[int]], Any]) -> Callable[[Table, int], Any]:
    """The weighted impurity of two sides, 0 where there is nothing."""

    def answer(counts: Table, border: int) -> Any:
        both = sides(counts, border)
        total = sum(map(sum, both))
        return sum(sum(one) * side(one) for one in both) / Fraction(total) if total else 0

    return answer


def _clipped(counts: Table, border: int) -> Sides:
    cells = [[max(0, n) for n in row] for row in counts]
    return _sums(cells[:border]), _sums(cells[border:])


def _raw(counts: Table, border: int) -> Sides:
    return _sums(counts[:border]), _sums(counts[border:])


def _clipped_sums(counts: Table, border: int) -> Sides:
    left, right = _raw(counts, border)
    return [max(0, n) for n in left], [max(0, n) for n in right]


def _half(side: list[int]) -> Fraction:
    n = sum(side)
    return (1 - sum((Fraction(c, n) ** 2 for c in side), Fraction(0))) / 2 if n else Fraction(0)


def _class_1(side: list[int]) -> Fraction:
    p = Fraction(side[1], sum(side)) if sum(side) else Fraction(0)
    return p * (1 - p)


IMPURITY = Exercise(
    id="hist-impurity",
    kind="repair",
    hint="Clip each cell before you add up. Which divisors can be 0, and what should the answer be then?",
    domain="all tables of 2 bins and 2 or 3 classes and of 3 bins and 2 classes with counts from −1 to 2, every "
    "border; fewest cells first",
    cases=tables,
    size=lambda counts, border: len(counts) * len(counts[0]),
    reference=impurity,
    read=number,
    explanation=(
        "After clipping, the cells are counts that some data could have. So shares lie between 0 and 1, and with C "
        "classes the impurity lies between 0 and (1 − 1/C)/2.\n"
        "For a side with n records, of which n_k have class k, n·½(1 − Σp̂_k²) is (n² − Σn_k²)/(2n). So there is one "
        "division for each side, and none for an empty one."
    ),
    wrong=(
        Misconception(
            "does not clip",
            _of(_raw, _half),
            "With a negative cell the shares leave [0, 1], and the impurity can be below that of a perfect split. Clip "
            "the cells first.",
        ),
        Misconception(
            "clips the sums",
            _of(_clipped_sums, _half),
            "You add up first and clip afterwards. By then a negative cell has lowered the sum of the others. Clip "
            "each cell. (Both ways cost nothing, and this one was asked for.)",
        ),
        Misconception(
            "looks at class 1 only",
            _of(_clipped, _class_1),
            "p̂(1−p̂) of class 1 is right for two classes. With three it sees no difference between the other two.",
        ),
        Misconception(
            "takes the field's Gini",
            _of(_clipped, lambda side: 2 * _half(side)),
            "1 − Σp̂² is the field's Gini, twice the report's. The same splits are best, but the number asked for is "
            "half of it.",
        ),
        Misconception(
            "forgets the weights",
            lambda counts, border: sum(map(_half, _clipped(counts, border))),
            "Each side counts in proportion to its rows: multiply by n_side/n.",
        ),
        Misconception(
            "does not divide by the total",
            lambda counts, border: sum(sum(side) * _half(side) for side in _clipped(counts, border)),
            "That is n·G, the scaled impurity. Divide by the clipped total, if there is one.",
        ),
    ),
)
