"""An exercise to implement: what a party can say of its own rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number

Table = Sequence[tuple[int, int]]
Side = tuple[int, int]


@cache
def small_tables() -> Sequence[Case]:
    """One to three bins with 0 to 2 rows of each class, fewest bins first, then fewest rows."""
    tables = [
        list(zip(cells[::2], cells[1::2], strict=True)) for k in (1, 2, 3) for cells in product(range(3), repeat=2 * k)
    ]
    return tuple((table,) for table in sorted(tables, key=_size))


def _size(table: Table) -> tuple[int, int]:
    return len(table), sum(map(sum, table))


def local_bound(table: Table) -> Fraction:
    """The least n·G over all borders, and over the division with all rows on one side."""
    found = []
    for border in range(len(table) + 1):
        left = [sum(row[c] for row in table[:border]) for c in (0, 1)]
        right = [sum(row[c] for row in table[border:]) for c in (0, 1)]
        parts = [Fraction(a * b, a + b) for a, b in (left, right) if a + b]
        found.append(sum(parts, Fraction(0)))
    return min(found)


def _sides(table: Table) -> list[tuple[Side, Side]]:
    sums = [tuple(sum(row[c] for row in table[:k]) for c in (0, 1)) for k in range(len(table) + 1)]
    total = sums[-1]
    return [((a, b), (total[0] - a, total[1] - b)) for a, b in sums]


def _s(side: Side) -> Fraction:
    return Fraction(side[0] * side[1], sum(side)) if sum(side) else Fraction(0)


def _least(keeps: Callable[[Side, Side], bool], otherwise: Callable[[Table], Fraction]) -> Callable[[Table], Fraction]:
    def answer(table: Table) -> Fraction:
        kept = [_s(left) + _s(right) for left, right in _sides(table) if keeps(left, right)]
        return min(kept) if kept else otherwise(table)

    return answer


def _rows(side: Side) -> int:
    return sum(side)


LOCAL = Exercise(
    id="bounds-local",
    kind="implement",
    hint="Borders are 0, 1, …, up to the number of bins. At the first and the last all rows are on one side.",
    domain="all tables of one to three bins with 0 to 2 rows of each class in a bin, fewest bins first",
    cases=small_tables,
    size=_size,
    reference=local_bound,
    read=number,
    explanation=(
        "The borders are public and the same for every table of that many bins. Nothing about the rows decides which "
        "of them count, and this is why one row more moves the least by less than 1."
    ),
    wrong=(
        Misconception(
            "says nothing without a split",
            _least(lambda left, right: bool(_rows(left) and _rows(right)), lambda table: Fraction(0)),
            "Where no border has rows on both sides you say 0, as if the split were perfect. One row elsewhere then "
            "moves the answer by up to a quarter of all rows. All rows on one side is a division like the others.",
        ),
        Misconception(
            "counts the positives",
            lambda table: Fraction(min(left[1] for left, _ in _sides(table))),
            "At the smallest border there are no positives on the left, so the least is 0 whatever the rows are. (The "
            "code that the report's authors published does this.) Both classes and both sides count.",
        ),
        Misconception(
            "takes the field's Gini",
            lambda table: 2 * local_bound(table),
            "2p̂(1−p̂) is twice the report's p̂(1−p̂). The same border is best, but the number is twice as large, "
            "and so is what a row is worth.",
        ),
        Misconception(
            "takes the node",
            lambda table: _s(_sides(table)[-1][0]),
            "That is n·h of all rows, before any split. Borders inside may leave less.",
        ),
        Misconception(
            "leaves out the last border but one",
            lambda table: min(_s(left) + _s(right) for left, right in [*_sides(table)[:-2], _sides(table)[-1]]),
            "Between the last two bins there is a border as well.",
        ),
    ),
)
