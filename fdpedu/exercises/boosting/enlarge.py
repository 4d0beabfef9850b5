"""An exercise to break: a server that enlarges a model by the scores of real rows."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, integer, sequence

MAX_ROWS, LARGEST = 40, 8
SCORES = (Fraction(-1, 2), Fraction(0), Fraction(1, 2))


def _rows(raw: Any) -> list[int]:
    rows = sequence(integer)(raw)
    if len(rows) > MAX_ROWS or any(row not in (0, 1, 2) for row in rows):
        raise Unreadable(f"a data set has at most {MAX_ROWS} rows, each a group: 0, 1 or 2")
    return rows


def _read(raw: Any) -> tuple[list[int], list[int]]:
    one, other = sequence(_rows, 2)(raw)
    return one, other


def variance(rows: list[int]) -> Fraction:
    """Of the scores of the rows, 0 without rows."""
    scores = [SCORES[row] for row in rows]
    mean = sum(scores, Fraction(0)) / max(1, len(scores))
    return sum(((score - mean) ** 2 for score in scores), Fraction(0)) / max(1, len(scores))


def scale(rows: list[int]) -> int:
    """The least k from 1 to 8 for which the enlarged scores have a variance of at least 1, and 8 if there is none."""
    return next((k for k in range(1, LARGEST) if k**2 * variance(rows) >= 1), LARGEST)


def told(one: list[int], other: list[int]) -> tuple[str, str]:
    """Whether the announced factors tell two data sets apart, as a word and as a sentence."""
    fewer, more = sorted((sorted(one), sorted(other)), key=len)
    if len(more) != len(fewer) + 1 or not any(more[:i] + more[i + 1 :] == fewer for i in range(len(more))):
        return "no neighbours", "Of two neighbours one has all rows of the other, and one row more."
    if not variance(fewer) and not variance(more):
        return "no spread", f"In both all scores are equal, so the factor is {LARGEST} in both."
    if scale(fewer) == scale(more):
        return "alike", f"The factor is {scale(fewer)} in both: the variances {variance(fewer)} and {variance(more)}."
    return "told", f"The server announces {scale(fewer)} without the row, and {scale(more)} with it."


ENLARGE = find_one(
    id="boosting-enlarge",
    kind="break",
    hint="One row alone has no variance. What does a second one bring?",
    domain=f"pairs of data sets with up to {MAX_ROWS} rows",
    reference=([0], [0, 2]),
    read=_read,
    judge=lambda value: told(*value),
    sought="told",
    wanted="two data sets of which one has one row more, and for which the server announces different numbers",
    praise="It says so with certainty: no ε covers that. Of made-up rows, drawn from released histograms, it is free.",
    explanation=(
        "One row has the variance 0, so 8 is announced. With a second row in another group the variance is 1/4 (or "
        "1/16), and 2 (or 4) is announced.\n"
        "The spread of real scores is one more question to the data. The library draws made-up rows from the "
        "histograms, which have been released and paid for, and takes the spread of their scores: a function of what "
        "is public. That is why the step may be enlarged for free."
    ),
    wrong=(
        Misconception(
            "begins without rows",
            ([], [2]),
            "One row has no variance, and no row neither. Which row brings the first difference between scores?",
        ),
        Misconception(
            "trusts in many rows",
            ([0] * 14 + [2] * 6, [0] * 15 + [2] * 6),
            "Here one row of many does not matter, because the variance stays on one side of its limit. That does not "
            "hold for all data sets, and privacy has to.",
        ),
        Misconception(
            "moves a row",
            ([0, 0], [0, 2]),
            "These have equally many rows. Neighbours differ in one row that is added or removed.",
        ),
    ),
)
