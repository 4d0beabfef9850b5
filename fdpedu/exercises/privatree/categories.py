"""An exercise to break: an order of categories that is right for two classes only."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, integer, sequence

CLASSES, MAX_CATEGORIES, MAX_COUNT = 3, 5, 20
Table = list[list[int]]


def _read(raw: Any) -> Table:
    table = sequence(sequence(integer, CLASSES))(raw)
    if not 2 <= len(table) <= MAX_CATEGORIES or any(not 0 <= n <= MAX_COUNT for row in table for n in row):
        raise Unreadable(f"two to {MAX_CATEGORIES} categories were expected, with counts from 0 to {MAX_COUNT}")
    if any(not any(row) for row in table):
        raise Unreadable("every category must have a row at least")
    return table


def errors(table: Table, left: tuple[int, ...]) -> int:
    """Rows that are not of the most frequent class of their side, if these categories go left."""
    sides = [[row for c, row in enumerate(table) if (c in left) == side] for side in (True, False)]
    totals = [[sum(column) for column in zip(*side, strict=True)] for side in sides]
    return sum(sum(total) - max(total) for total in totals)


def order(table: Table) -> tuple[int, ...]:
    """The categories by the share of class 0, the largest first."""
    return tuple(sorted(range(len(table)), key=lambda c: -Fraction(table[c][0], sum(table[c]))))


def best_beginning(table: Table) -> int:
    """The fewest errors of a beginning of this order."""
    return min(errors(table, order(table)[:k]) for k in range(1, len(table)))


def best_subset(table: Table) -> tuple[int, tuple[int, ...]]:
    """The fewest errors of all splits, and the categories that go left in one that has them."""
    everything = range(len(table))
    return min((errors(table, some), some) for k in everything[1:] for some in combinations(everything, k))


def found(table: Table) -> tuple[str, str]:
    """What a table shows, as a word and as a sentence."""
    shares = [Fraction(row[0], sum(row)) for row in table]
    if len(set(shares)) < len(shares):
        return "equal shares", "Two categories have the same share of class 0, so their order is not fixed."
    ordered, (least, left) = best_beginning(table), best_subset(table)
    said = f"The best beginning of the order {list(order(table))} leaves {ordered} errors"
    if least < ordered:
        return "broken", f"{said}, and the set {list(left)} against the rest leaves {least}."
    said = f"{said}, and no set of categories leaves fewer."
    if sum(any(row[k] for row in table) for k in range(CLASSES)) < CLASSES:
        return "two classes", said
    return ("two categories" if len(table) == 2 else "right"), said


CATEGORIES = find_one(
    id="privatree-categories",
    chapter="privatree",
    level="extend",
    kind="break",
    title="An order for two classes only",
    task=(
        "The categories of a feature are to be divided in two, such that as few rows as possible are wrong: a row is "
        "wrong if it is not of the most frequent class of its side. For two classes it suffices to put the categories "
        "in the order of their share of class 0, and to try the beginnings of this order. Show that this fails for "
        "three classes: give the `answer`, a list of categories, each a list of the three counts of its classes, for "
        "which some set of categories leaves fewer errors than every beginning of the order by the share of class 0, "
        f"the largest first. There may be two to {MAX_CATEGORIES} categories, no two of the same share of class 0, "
        f"each with a row at least, and counts up to {MAX_COUNT}. (Cells without noise will do.)\n\n"
        "**To prove:** for two classes it never fails."
    ),
    hint="Three categories are enough. Give the first and the last of the order something in common that class 0 does "
    "not show.",
    domain=f"tables of two to {MAX_CATEGORIES} categories and three classes",
    reference=[[1, 0, 1], [1, 2, 0], [0, 0, 1]],
    read=_read,
    stub="answer = ...  # [[n0, n1, n2], ...]",
    judge=found,
    sought="broken",
    wanted="a table for which some set of categories leaves fewer errors than every beginning of the order",
    praise="For more than two classes the source keeps the order of the domain, which can fail in the same way.",
    explanation=(
        "The shares of class 0 are 1/2, 1/3 and 0. The beginnings of the order leave 3 errors each. But the first and "
        "the last category share class 2: against the one in the middle they leave 2. Six rows are the fewest.\n"
        "For two classes the errors of a side are the smaller of two counts. With labels fixed for both sides, each "
        "category wants to go where more of its rows are right: to the side of class 0 if its share of class 0 is "
        "above ½. That is a beginning of the order; and if both sides have the same label, no division has more "
        "errors."
    ),
    wrong=(
        Misconception(
            "has two classes only",
            [[3, 1, 0], [2, 2, 0], [1, 3, 0]],
            "One class does not occur here. Of two classes the order is always right: the third one is needed.",
        ),
        Misconception(
            "joins neighbours of the order",
            [[2, 0, 0], [1, 2, 0], [0, 0, 3]],
            "The two categories that belong together are neighbours in this order, so a beginning finds them. They "
            "must stand apart in it.",
        ),
        Misconception(
            "has two categories",
            [[3, 1, 1], [0, 2, 2]],
            "Two categories can be divided in one way only, and every order finds it.",
        ),
        Misconception(
            "has categories of equal shares",
            [[0, 1, 0], [0, 0, 2], [0, 2, 0]],
            "Where shares are equal, the order may be chosen well or badly. Give a table whose order is fixed, and "
            "fails.",
        ),
    ),
)
