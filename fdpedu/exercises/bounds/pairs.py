"""Exercises to break: neighbours whose bounds are far apart."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from fdpedu.bounds import bound_with_fields_gini, bound_with_least_rows, local_bound
from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, integer, sequence, show

MAX_BINS, MAX_ROWS, LEAST = 5, 10_000, 10
Table = list[list[int]]
Pair = tuple[Table, Table]
AND_TABLES = "A table lists the pairs `(a, b)` of its bins, negatives and positives"


def _table(raw: Any) -> Table:
    table = sequence(sequence(integer, 2))(raw)
    if not 1 <= len(table) <= MAX_BINS:
        raise Unreadable(f"a table has 1 to {MAX_BINS} bins, each with two counts")
    if any(n < 0 for row in table for n in row) or sum(map(sum, table)) > MAX_ROWS:
        raise Unreadable(f"counts are 0 or more, and at most {MAX_ROWS:,} together")
    return table


def _read(raw: Any) -> Pair:
    one, other = sequence(_table, 2)(raw)
    if len(one) != len(other):
        raise Unreadable("both tables are of the same public grid, so they have equally many bins")
    return one, other


def _apart(one: Table, other: Table) -> int:
    return sum(abs(a - b) for x, y in zip(one, other, strict=True) for a, b in zip(x, y, strict=True))


def near_one(one: Table, other: Table) -> tuple[str, str]:
    """How far two tables' bounds are apart, as a word and as a sentence."""
    if _apart(one, other) != 1:
        return "no neighbours", f"These differ in {_apart(one, other)} rows; neighbours differ in one."
    change = abs(local_bound(one) - local_bound(other))
    if change > Fraction(99, 100):
        return "beyond", f"The bounds are {show(change)} apart."
    kind = "nothing" if change == 0 else "half" if change <= Fraction(1, 2) else "close"
    return kind, f"The bounds are {show(change)} apart."


NEAR_ONE = find_one(
    id="bounds-near-one",
    chapter="bounds",
    level="apply",
    kind="break",
    title="Close to one",
    task=(
        "A local bound is the least $s(\\text{left})+s(\\text{right})$ over all borders of a public grid, with "
        "$s(a,b)=\\frac{ab}{a+b}$. One record moves it by less than 1. Somebody hopes for less, and takes .99 as its "
        f"sensitivity. Give the `answer` `(table, neighbour)`. {AND_TABLES}; the two differ in one row, and their "
        "bounds by more than .99."
    ),
    hint="By how much does a row of the other class raise the s of n rows that are all alike? And what "
    "must the borders "
    "not be able to do?",
    domain=f"pairs of tables with up to {MAX_BINS} bins and {MAX_ROWS:,} rows",
    reference=([[100, 0]], [[100, 1]]),
    read=_read,
    stub="answer = ...  # (table, neighbour)",
    judge=lambda value: near_one(*value),
    sought="beyond",
    wanted="two tables that differ in one row, whose bounds differ by more than 99/100",
    praise="No pair reaches 1: the most is n/(n+1).",
    explanation=(
        "A hundred rows of one class, and a row of the other class in the same bin: from 0 to 100/101.\n"
        "In the same bin no border can tell them apart. Further bins do not help, they would only offer borders."
    ),
    wrong=(
        Misconception(
            "puts it in another bin",
            ([[100, 0], [0, 0]], [[100, 0], [0, 1]]),
            "The bound does not move at all: the best border leaves the new row among rows of its own class only. Put "
            "it into one bin with rows of the other class, where no border can reach it.",
        ),
        Misconception(
            "balances the classes",
            ([[100, 100]], [[101, 100]]),
            "A row matters most where it is the first of its class, next to many rows of the other: next to as many "
            "of each it moves s by about 1/4.",
        ),
        Misconception(
            "takes too few rows",
            ([[9, 0]], [[9, 1]]),
            "You are near. The first row of its class, next to n of the other, moves s by n/(n+1): take n large "
            "enough.",
        ),
        Misconception(
            "changes many rows",
            ([[100, 0]], [[0, 100]]),
            "Neighbours differ in one row.",
        ),
    ),
)


def refuted(one: Table, other: Table) -> tuple[str, str]:
    """How far the bounds with at least ten rows on each side are apart."""
    if _apart(one, other) != 1:
        return "no neighbours", f"These differ in {_apart(one, other)} rows; neighbours differ in one."
    before, after = (bound_with_least_rows(table, LEAST) for table in (one, other))
    said = f"The searches find {show(before)} and {show(after)}."
    if abs(before - after) > 8:
        return "refuted", said
    return "more" if abs(before - after) > 1 else "alike", said


REFUTE = find_one(
    id="bounds-refute",
    chapter="bounds",
    level="extend",
    kind="break",
    title="Refute this proof",
    task=(
        "Somebody lets each party search as the tree does, with at least 10 rows on each side of a border (and "
        "$n\\cdot h$ of all rows, if there is no such border), and proves:\n\n"
        "> *Let $t$ be the best border of $D$, and $t'$ that of $D+z$. A record raises what each border leaves by 0 "
        "to 1. So $F(D+z)\\le F(D)+1$, because $t$ is still there. And $F(D)\\le F(D+z)$, because what $t'$ leaves "
        "of $D$ is at most what it leaves of $D+z$. Hence one record moves $F$ by at most 1.*\n\n"
        "One step is wrong. Show it: give the `answer` `(table, neighbour)`, two tables that differ in one row, for "
        f"which this $F$ differs by more than 8. {AND_TABLES}."
    ),
    hint="One of the two borders need not be admitted in both data sets. Which record makes a side large enough?",
    domain=f"pairs of tables with up to {MAX_BINS} bins and {MAX_ROWS:,} rows",
    reference=([[9, 0], [0, 100]], [[10, 0], [0, 100]]),
    read=_read,
    stub="answer = ...  # (table, neighbour)",
    judge=lambda value: refuted(*value),
    sought="refuted",
    wanted="two tables that differ in one row, for which F differs by more than 8",
    praise="With m rows on each side the supremum is m − 1: here 9.",
    explanation=(
        "Nine negatives in one bin and a hundred positives in the other: no border has ten rows on each side, so F "
        "is 900/109. With the tenth negative the border is admitted, and leaves 0.\n"
        "The wrong step is F(D) ≤ F(D+z): t' need not be admitted for D. Which borders are admitted depends on the "
        "rows."
    ),
    wrong=(
        Misconception(
            "takes both sides small",
            ([[9, 0], [0, 10]], [[10, 0], [0, 10]]),
            "The proof is refuted, but it goes further. Let nine rows of one class stand beside many of the other: the "
            "tenth lets a border divide them, and F loses all.",
        ),
        Misconception(
            "starts with borders that are admitted",
            ([[20, 0], [0, 100]], [[20, 1], [0, 100]]),
            "F changes by 1 at most, as the proof says. Where the same borders are admitted before and after, the "
            "proof is right: let the new row make one of them admitted.",
        ),
        Misconception(
            "adds ten rows at once",
            ([[0, 0], [0, 100]], [[10, 0], [0, 100]]),
            "Neighbours differ in one row. How many rows may be there already, without the border being admitted?",
        ),
    ),
)


def beyond_five_quarters(one: Table, other: Table) -> tuple[str, str]:
    """How far the bounds with the field's Gini are apart, and of how many rows."""
    if _apart(one, other) != 1:
        return "no neighbours", f"These differ in {_apart(one, other)} rows; neighbours differ in one."
    change = abs(bound_with_fields_gini(one) - bound_with_fields_gini(other))
    rows = max(sum(map(sum, table)) for table in (one, other))
    if change <= Fraction(5, 4):
        return f"within {show(change)}", f"The bounds are {show(change)} apart, which 5/4 allows."
    return ("fewest" if rows == 3 else "too many"), f"The bounds are {show(change)} apart, with up to {rows} rows."


GINI = find_one(
    id="bounds-gini",
    chapter="bounds",
    level="apply",
    kind="break",
    title="The wrong Gini",
    task=(
        "The report proves that one record moves a local bound by at most 5/4, with $h=\\hat p(1-\\hat p)$. Somebody "
        "computes the bounds with scikit-learn's Gini, $2\\hat p(1-\\hat p)$, and keeps 5/4. Break it with as few "
        f"rows as possible: give the `answer` `(table, neighbour)`. {AND_TABLES}; the two differ in one row, and the "
        "bounds, now twice as large, by more than 5/4."
    ),
    hint="A row of the other class raises the report's s of n alike rows by n/(n+1). For which n is "
    "twice that more than "
    "5/4?",
    domain=f"pairs of tables with up to {MAX_BINS} bins and {MAX_ROWS:,} rows",
    reference=([[2, 0]], [[2, 1]]),
    read=_read,
    stub="answer = ...  # (table, neighbour)",
    judge=lambda value: beyond_five_quarters(*value),
    sought="fewest",
    wanted="two and three rows, whose bounds differ by more than 5/4",
    praise="With more rows it tends to 2, which is the sensitivity under that convention.",
    explanation=(
        "Two rows of one class, and a third of the other class in the same bin: from 0 to 2·2/3 = 4/3, more than 5/4.\n"
        "A constant is worth nothing without the convention that it was proved for."
    ),
    wrong=(
        Misconception(
            "starts with one row",
            ([[1, 0]], [[1, 1]]),
            "That gives 2·1/2 = 1, which 5/4 allows. One row more is needed.",
        ),
        Misconception(
            "takes many rows",
            ([[100, 0]], [[100, 1]]),
            "It is broken, nearly by 2. But fewer rows are enough.",
        ),
        Misconception(
            "lets a border divide them",
            ([[2, 0], [0, 0]], [[2, 0], [0, 1]]),
            "A border leaves nothing here, before and after. Put the new row in the same bin.",
        ),
    ),
)
