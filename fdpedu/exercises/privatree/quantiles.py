"""An exercise to break: quantiles of two features, as if they were about different records."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, integer, sequence

MAX_ROWS, CELLS, CLAIMED = 20, 4, 4
Row = tuple[int, int]
Answer = tuple[list[Row], list[Row], Row]


def _rows(raw: Any) -> list[Row]:
    rows = [(x, z) for x, z in sequence(sequence(integer, 2))(raw)]
    if len(rows) > MAX_ROWS or any(not 0 <= value < CELLS for row in rows for value in row):
        raise Unreadable(f"a data set has at most {MAX_ROWS} rows, each a pair of cells from 0 to {CELLS - 1}")
    return rows


def _read(raw: Any) -> Answer:
    one, other, edges = sequence(lambda value: value, 3)(raw)
    x, z = sequence(integer, 2)(edges)
    if not 1 <= min(x, z) <= max(x, z) < CELLS:
        raise Unreadable(f"an edge stands before the cell 1, 2 or {CELLS - 1}")
    return _rows(one), _rows(other), (x, z)


def edge_law(values: list[int], base: Fraction = Fraction(1, 2)) -> list[Fraction]:
    """Pr[the edge stands before the cell k] for k = 1, 2, 3: proportional to base^|2·(values below k) − n|."""
    weights = [base ** abs(2 * sum(value < k for value in values) - len(values)) for k in range(1, CELLS)]
    return [weight / sum(weights) for weight in weights]


def chances(rows: list[Row], edges: Row) -> list[Fraction]:
    """Of the edge of the first feature, and of that of the second."""
    return [edge_law([row[j] for row in rows])[edges[j] - 1] for j in range(2)]


def shown(rows: list[Row], neighbour: list[Row], edges: Row) -> tuple[str, str]:
    """What two edges show, as a word and as a sentence."""
    fewer, more = sorted((sorted(rows), sorted(neighbour)), key=len)
    if len(more) != len(fewer) + 1 or not any(more[:i] + more[i + 1 :] == fewer for i in range(len(more))):
        return "no neighbours", "Of two neighbours one has all rows of the other, and one row more."
    first, second = (p / q for p, q in zip(chances(rows, edges), chances(neighbour, edges), strict=True))
    ratio = first * second
    said = f"The ratios are {first} for the first edge and {second} for the second: {ratio} for both."
    if ratio > CLAIMED:
        return "broken", said
    if ratio * CLAIMED < 1:
        return "other way round", said
    if first == second == 1:
        return "nothing", said
    if 1 in (first, second):
        return "one feature", said
    return ("opposed" if (first > 1) != (second > 1) else "likelier" if ratio < 1 else "within"), said


QUANTILES = find_one(
    id="privatree-quantiles",
    chapter="privatree",
    level="extend",
    kind="break",
    title="Two medians in parallel",
    task=(
        "Two features have four cells each, 0 to 3. An edge between cells is drawn for each feature, near its median, "
        "by the joint exponential mechanism: before the cell $k=1$, 2 or 3 with a probability proportional to "
        "$(\\frac12)^{|2c_k-n|}$, where $n$ is the number of rows and $c_k$ of them are in cells below $k$. For one "
        'feature this costs less than $e^\\varepsilon=4$. "The features are different columns," it is said, "so both '
        'edges cost $e^\\varepsilon=4$ together." Break it: give the `answer` `(rows, neighbour, edges)`, where data '
        f"sets are lists of up to {MAX_ROWS} rows `(x, z)`, one has one row more than the other, and `edges` is a pair "
        "such as `(1, 3)`. Both edges together must be more than four times as likely for `rows` as for "
        "`neighbour`.\n\n**To prove:** for one feature the ratio stays below 4, and with $m$ features it comes near "
        "$4^m$."
    ),
    hint="Begin with one feature, and with one row: where does its edge stand, and how does a second row change that? "
    "Then let the second feature do the same.",
    domain=f"pairs of data sets with up to {MAX_ROWS} rows, and two edges",
    reference=([(0, 0)], [(0, 0), (2, 2)], (3, 3)),
    read=_read,
    stub="answer = ...  # (rows, neighbour, edges)",
    judge=lambda value: shown(*value),
    sought="broken",
    wanted="neighbours, and two edges that are more than four times as likely for the first",
    praise="With more rows it comes near 16, which is twice the ε that was claimed.",
    explanation=(
        "With one row in the cell 0, all edges are as far from the median: 1/3 each. With a second row in the cell 2, "
        "the edges before 1 and 2 divide the rows evenly, and the third one does not: weights 1, 1 and 1/4, so it has "
        "probability 1/9. That is a ratio of 3 for each feature, and 9 for both.\n"
        "One row more changes each |2c_k − n| by 1, so each weight by a factor of 2 at most, and their sum, too: "
        "less than 4 in all, because not all weights can move the same way. But the same record moves all features."
    ),
    wrong=(
        Misconception(
            "moves one feature",
            ([(0, 0)], [(0, 0), (2, 0)], (3, 3)),
            "Only one of the edges says something, and one alone is covered. Let the record move the other one as "
            "well.",
        ),
        Misconception(
            "has two edges that cancel",
            ([(0, 0)], [(0, 0), (2, 2)], (3, 1)),
            "One edge speaks for the first data set, and the other one against it. Choose both such that they become "
            "less likely with the row.",
        ),
        Misconception(
            "begins without rows",
            ([], [(0, 3)], (1, 3)),
            "Without rows all edges are as likely, and with one row still: each edge has it on one side. Begin with "
            "one row.",
        ),
        Misconception(
            "has it the other way round",
            ([(0, 0), (2, 2)], [(0, 0)], (3, 3)),
            "The edges are well chosen, but they are more likely for the second data set. Exchange both.",
        ),
        Misconception(
            "moves a row",
            ([(0, 0), (0, 0)], [(0, 0), (2, 2)], (3, 3)),
            "A row that is changed is one removed and one added. Neighbours differ in one row that is there or not.",
        ),
        Misconception(
            "takes edges that become likelier",
            ([(0, 0)], [(0, 0), (1, 1)], (1, 1)),
            "Both edges become more likely with the row, because it makes them better medians. Which edges lose most?",
        ),
    ),
)
