"""An exercise to break: candidates that are listed by looking at the rows."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, integer, sequence

MAX_ROWS = 100
Table = list[list[int]]


def _table(raw: Any) -> Table:
    table = sequence(sequence(integer, 2), 3)(raw)
    if any(n < 0 for row in table for n in row) or sum(map(sum, table)) > MAX_ROWS:
        raise Unreadable(f"counts are 0 or more, and at most {MAX_ROWS} together")
    return table


def _read(raw: Any) -> tuple[Table, Table]:
    one, other = sequence(_table, 2)(raw)
    return one, other


def listed(table: Table) -> set[frozenset[int]]:
    """The divisions in two that are listed: the first categories against the others, by their share of positives."""
    share = [Fraction(b, a + b) if a + b else Fraction(1, 2) for a, b in table]
    order = sorted(range(3), key=lambda j: (share[j], j))
    return {frozenset(order[:cut]) for cut in (1, 2)}


def told(one: Table, other: Table) -> tuple[str, str]:
    """Whether two tables have different candidates, as a word and as a sentence."""
    apart = sum(abs(a - b) for x, y in zip(one, other, strict=True) for a, b in zip(x, y, strict=True))
    if apart != 1:
        return "no neighbours", f"These differ in {apart} rows; neighbours differ in one."
    only = sorted(sorted(left) for left in listed(one) ^ listed(other))
    if not only:
        return "alike", "Both data sets have the same two candidates."
    return "told", f"Only one of the two data sets can answer with the left side {only[0]}."


ORDER = find_one(
    id="better-order",
    chapter="better_trees",
    level="extend",
    kind="break",
    title="Categories in the order of the data",
    task=(
        "A feature has three categories. A designer remembers from chapter 1 that for two classes the best division "
        "is a border, if the categories are ordered by their share of positives. So it orders them by the shares of "
        "its own rows (a category without rows has the share $\\frac12$; of equal ones the first comes first), and "
        "draws one of the two borders by permute-and-flip, for ε. It tells which categories go to the left. Break "
        "it: give the `answer` `(table, neighbour)`. A table lists for each category the pair `(a, b)` of its "
        "negatives and positives; the two differ in one row, and one of them can give an answer that the other "
        "cannot."
    ),
    hint="The list of candidates itself depends on rows. Which row changes the order?",
    domain=f"pairs of tables of three categories with up to {MAX_ROWS} rows",
    reference=([[0, 0], [0, 0], [0, 0]], [[0, 1], [0, 0], [0, 0]]),
    read=_read,
    stub="answer = ...  # (table, neighbour)",
    judge=lambda value: told(*value),
    sought="told",
    wanted="two tables that differ in one row, and whose orders of the categories have different borders",
    praise="An answer that only one of them can give has an infinite ratio.",
    explanation=(
        "Without rows the order is 0, 1, 2, and {0} and {0, 1} can be the left side. One positive in category 0 "
        "moves it to the end: now {1} and {1, 2} can be.\n"
        "Permute-and-flip is private for a list of candidates that was fixed beforehand. The library takes each "
        "category against the rest, a list that everybody knows."
    ),
    wrong=(
        Misconception(
            "keeps the order",
            ([[0, 0], [0, 1], [0, 1]], [[1, 0], [0, 1], [0, 1]]),
            "Shares change, and the order does not; for the same two candidates the draw is private. Which row "
            "carries a category past another one?",
        ),
        Misconception(
            "moves many rows",
            ([[3, 0], [0, 3], [0, 3]], [[0, 3], [3, 0], [0, 3]]),
            "Neighbours differ in one row.",
        ),
    ),
)
