"""An exercise to repair: a stopping test that looks at the data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import Unreadable, kind

Table = list[list[int]]
ROWS: tuple[list[int], ...] = ([], [0, 1, 1, 0, 1])


@cache
def nodes() -> Sequence[Case]:
    """One feature of one or two bins, two features, three classes; small noisy cells; fewest cells first."""
    small = [[[list(cell)]] for n in (2, 3) for cell in product((-2, 0, 1, 3), repeat=n)]
    two_bins = [[[list(c[:2]), list(c[2:])]] for c in product((-2, 0, 3), repeat=4)]
    fours = sorted(product((-2, 0, 1, 4), repeat=4), key=lambda cells: sum(map(abs, cells)))
    two_features = [[[list(c[:2])], [list(c[2:])]] for c in fours]
    uneven = [[[[3, -1], list(c)], [list(d)]] for c, d in product(product((-2, 0, 2), repeat=2), repeat=2)]
    tables = [*small, *two_bins, *two_features, *uneven]
    return tuple((list(rows), table, 3) for table in tables for rows in ROWS)


def stops(rows: Sequence[int], tables: Sequence[Table], least: int) -> bool:
    """From the released tables alone; the rows are not looked at."""
    classes = range(len(tables[0][0]))
    totals = [sum(cell[c] for table in tables for cell in table) for c in classes]
    few = sum(totals) < len(tables) * least
    return few or sum(total > 0 for total in totals) <= 1


def _truth(raw: Any) -> bool:
    if getattr(raw, "shape", None) == () and hasattr(raw, "item"):
        raw = raw.item()
    if not isinstance(raw, bool):
        raise Unreadable(f"True or False was expected, not {kind(raw)}")
    return raw


def _totals(tables: Sequence[Table], lift: Callable[[int], int] = int) -> list[Fraction]:
    """The mean total of each class, of cells that are changed first."""
    sums = [sum(lift(cell[c]) for table in tables for cell in table) for c in range(len(tables[0][0]))]
    return [Fraction(total, len(tables)) for total in sums]


def _by(totals: Sequence[Any], least: int) -> bool:
    return sum(totals) < least or sum(total > 0 for total in totals) <= 1


def _remark(case: Case, given: bool, expected: bool) -> str:
    totals = _totals(case[1])
    some = sum(total > 0 for total in totals)
    return f"The mean total is {sum(totals)}, and {some} class{'es have' if some != 1 else ' has'} a positive one."


STOP = Exercise(
    id="tree-stop",
    kind="repair",
    hint="Two nodes with the same `tables` must get the same answer, whatever their `rows` are. Add up all cells of a "
    "class, over all tables, and divide by the number of tables.",
    domain="one or two features of one or two bins, two or three classes, noisy cells from −2 to 4, two lists of rows "
    "for each; fewest cells first",
    cases=nodes,
    size=lambda rows, tables, least: sum(len(cell) for table in tables for cell in table),
    reference=stops,
    read=_truth,
    agrees=lambda case, given, expected: given is expected,
    alike=lambda case, one, other: one is other,
    remark=_remark,
    explanation=(
        "The sum of a class's cells over all tables is the number of tables times its mean total. So the program can "
        "compare sums with `least` times the number of tables, and needs whole numbers only. It does not use the rows: "
        "the decision is post-processing of what was released, and costs nothing.\n"
        "Cells are not clipped here. The noise of a raw cell has the mean 0, but totals of clipped cells are too "
        "large, so nodes with hardly a row would be split."
    ),
    wrong=(
        Misconception(
            "looks at the data",
            lambda rows, tables, least: len(rows) < least or len(set(rows)) <= 1,
            "Whoever sees whether the node was split learns for certain whether it had at least `least` rows. One "
            "record may decide this, and no noise hides it. Use `tables` only.",
        ),
        Misconception(
            "looks at the data for the classes",
            lambda rows, tables, least: sum(_totals(tables)) < least or len(set(rows)) <= 1,
            "The first test is repaired. But the second one still asks the data whether there is a second class, and a "
            "single record may decide this.",
        ),
        Misconception(
            "looks at the data for the number of rows",
            lambda rows, tables, least: len(rows) < least or sum(total > 0 for total in _totals(tables)) <= 1,
            "The second test is repaired. But the first one still uses the exact number of rows.",
        ),
        Misconception(
            "clips the cells",
            lambda rows, tables, least: _by(_totals(tables, lambda cell: max(cell, 0)), least),
            "Clipped cells are too large on average, so their sum is, too, and the more of them there are the more. "
            "Add up what was released, negative numbers too.",
        ),
        Misconception(
            "asks the first feature",
            lambda rows, tables, least: _by(_totals(tables[:1]), least),
            "Every feature's table counts the same records, with noise of its own. The mean over all tables has less "
            "noise than the first table.",
        ),
        Misconception(
            "adds up the features",
            lambda rows, tables, least: _by([len(tables) * total for total in _totals(tables)], least),
            "Each table counts all records of the node. Added up, every record is counted once for each feature: "
            "divide by the number of tables.",
        ),
        Misconception(
            "stops where one feature says so",
            lambda rows, tables, least: any(_by(_totals([table]), least) for table in tables),
            "With many features, some table nearly always has noise that is low enough to stop. Take the mean first.",
        ),
        Misconception(
            "stops where all features say so",
            lambda rows, tables, least: all(_by(_totals([table]), least) for table in tables),
            "This is nearly the rule of Algorithm 5, and it is just as private. But the mean was asked for, which has "
            "less noise than each single table.",
        ),
        Misconception(
            "forgets the second test",
            lambda rows, tables, least: sum(_totals(tables)) < least,
            "If at most one class is left, no split can be better than none: stop there, too.",
        ),
        Misconception(
            "also stops at the least number",
            lambda rows, tables, least: sum(_totals(tables)) <= least or _by(_totals(tables), least),
            "`least` rows are enough to be split: stop only if there are fewer.",
        ),
    ),
)
