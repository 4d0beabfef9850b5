"""An exercise to break: a designer that leaves empty nodes out."""

from __future__ import annotations

from typing import Any

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, integer, sequence

MAX_ROWS = 20
Rows = list[list[int]]


def _rows(raw: Any) -> Rows:
    rows = sequence(sequence(integer, 2))(raw)
    if len(rows) > MAX_ROWS or any(value not in (0, 1) for row in rows for value in row):
        raise Unreadable(f"a data set has at most {MAX_ROWS} rows, each a pair of a value and a class that are 0 or 1")
    return rows


def _read(raw: Any) -> tuple[Rows, Rows]:
    one, other = sequence(_rows, 2)(raw)
    return one, other


def told(one: Rows, other: Rows) -> tuple[str, str]:
    """Whether the designer's answers for the node x = 0 tell two data sets apart, as a word and as a sentence."""
    fewer, more = sorted((sorted(one), sorted(other)), key=len)
    if len(more) != len(fewer) + 1 or not any(more[:i] + more[i + 1 :] == fewer for i in range(len(more))):
        return "no neighbours", "Of two neighbours one has all rows of the other, and one row more."
    inside = [sum(1 for x, _ in rows if x == 0) for rows in (fewer, more)]
    if inside[0] == inside[1]:
        return "elsewhere", f"The node has {inside[0]} rows in both: the record is not in it."
    if inside[0]:
        return "both drawn", f"The node has {inside[0]} rows and {inside[1]}: a split is drawn in both."
    return "told", "The node has no rows and one: the answer is 0 for the first, and never 0 for the second."


EMPTY = find_one(
    id="better-empty",
    chapter="better_trees",
    level="apply",
    kind="break",
    title="A designer that skips empty nodes",
    task=(
        "The first split of a tree divides the rows by $x=0$ and $x=1$. At the node $x=0$ the designer draws a split "
        "by permute-and-flip and tells its position, which is 1 or more. Only where it has no rows in the node, it "
        "saves the trouble, tells 0, and pays nothing. Break it: give the `answer` `(rows, neighbour)`, two data "
        "sets of this designer that differ in one row, and that its answer for the node $x=0$ tells apart with "
        "certainty. A data set is a list of rows `(x, class)`, both 0 or 1."
    ),
    hint="Which one row decides whether there is a row in the node?",
    domain=f"pairs of data sets with up to {MAX_ROWS} rows",
    reference=([], [(0, 1)]),
    read=_read,
    stub="answer = ...  # (rows, neighbour)",
    judge=lambda value: told(*value),
    sought="told",
    wanted="two data sets that differ in one row, of which one has no row in the node and the other one has one",
    praise="So the ratio is infinite: no ε covers it. The remedy costs nothing: draw on empty nodes, too.",
    explanation=(
        'Without a row in the node the answer is 0 for sure; with the one row it is a position. The event "the '
        'answer is 0" has the probabilities 1 and 0.\n'
        "Permute-and-flip on an empty node gives every candidate the same probability, and then one record changes "
        "each probability by at most e^ε. Where rows are absent is as private as where they are."
    ),
    wrong=(
        Misconception(
            "adds a row on the other side",
            ([], [(1, 1)]),
            "That row is in the node x = 1, so nothing changes in the node x = 0. Put it into the node that is "
            "skipped.",
        ),
        Misconception(
            "adds a second row",
            ([(0, 0)], [(0, 0), (0, 1)]),
            "Both data sets have rows in the node, so a split is drawn in both, by a private mechanism.",
        ),
        Misconception(
            "adds two rows",
            ([], [(0, 0), (0, 1)]),
            "Neighbours differ in one row.",
        ),
    ),
)
