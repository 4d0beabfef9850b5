"""An exercise to break: a hospital that looks up scores in a model of its own."""

from __future__ import annotations

from typing import Any

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, integer, sequence

MAX_ROWS, STEPS, CLIP = 40, 2, 1
TABLE = {-2: 0, 0: 1, 2: 2}  # P at the three scores that there are
Rows = list[list[int]]


def _rows(raw: Any) -> Rows:
    rows = sequence(sequence(integer, 2))(raw)
    if len(rows) > MAX_ROWS or any(value not in (0, 1) for row in rows for value in row):
        raise Unreadable(f"a data set has at most {MAX_ROWS} rows, each a pair of a value and a class that are 0 or 1")
    return rows


def _read(raw: Any) -> tuple[Rows, Rows]:
    one, other = sequence(_rows, 2)(raw)
    return one, other


def sums(rows: Rows, scores: list[int]) -> list[int]:
    """The sums of pulls of the leaves x = 0 and x = 1, whose rows have the given scores."""
    found = [0, 0]
    for x, y in rows:
        found[x] += max(-CLIP, min(CLIP, TABLE[scores[x]] - STEPS * y))
    return found


def own_scores(rows: Rows) -> list[int]:
    """What the hospital remembers of the first round: its exact sums, and a step against each of them."""
    return [0 if pulled == 0 else -2 if pulled > 0 else 2 for pulled in sums(rows, [0, 0])]


def told(one: Rows, other: Rows) -> tuple[str, str]:
    """How far the second answer moves between two data sets, as a word and as a sentence."""
    fewer, more = sorted((sorted(one), sorted(other)), key=len)
    if len(more) != len(fewer) + 1 or not any(more[:i] + more[i + 1 :] == fewer for i in range(len(more))):
        return "no neighbours", "Of two neighbours one has all rows of the other, and one row more."
    before, after = own_scores(fewer), own_scores(more)
    answers = sums(fewer, before), sums(more, after)
    moved = sum(abs(a - b) for a, b in zip(*answers, strict=True))
    said = f"The second answers are {answers[0]} and {answers[1]}: they differ by {moved}"
    if before == after:
        return "same scores", f"{said}: all other rows keep their scores."
    if moved <= CLIP:
        return "within", f"{said}, which is not more than the clip, although scores changed."
    return "broken", f"{said}, and the clip is {CLIP}."


STATE = find_one(
    id="boosting-state",
    kind="break",
    hint="How do the pulls of both classes change when the score of their leaf changes from 0 to 2? What can one row "
    "do to the score of all others?",
    domain=f"pairs of data sets with up to {MAX_ROWS} rows",
    reference=([(0, 0), (0, 0), (0, 1), (0, 1)], [(0, 0), (0, 0), (0, 1), (0, 1), (0, 1)]),
    read=_read,
    judge=lambda value: told(*value),
    sought="broken",
    wanted="two data sets of which one has one row more, and whose sums of the second round differ by more than 1",
    praise="With more rows it is more, and no clip bounds it. Scores of a released model would not have moved.",
    explanation=(
        "Two rows of each class in one leaf: the first sum is 0, all scores stay 0, and the second sum is 0 again. "
        "With one more row of class 1 the first sum is −1, so all scores of the leaf become 2. Then rows of class 1 "
        "pull with 0 and those of class 0 with 1: the second sum is 2. No smaller pair does it.\n"
        "With k rows of each class it moves by k. One record decides on the scores of all, and the clip bounds only "
        "what each row pulls by itself. In a model that stands in the question and was released, the scores of the "
        "other rows are the same in both data sets."
    ),
    wrong=(
        Misconception(
            "adds a row where one class leads anyway",
            ([(0, 0), (0, 0), (0, 1)], [(0, 0), (0, 0), (0, 0), (0, 1)]),
            "The sign of the first sum is the same in both, so nobody else's score changes, and only the new row's own "
            "pull is added. Where can one row change the sign?",
        ),
        Misconception(
            "changes the scores of too few rows",
            ([(0, 0), (0, 1)], [(0, 0), (0, 1), (0, 1)]),
            "The right idea: one row changes the scores of a leaf. But this leaf has too few rows for it to be seen.",
        ),
        Misconception(
            "changes a class",
            ([(0, 0), (0, 0), (0, 1), (0, 1)], [(0, 0), (0, 1), (0, 1), (0, 1)]),
            "A row whose class changes is a row removed and a row added. Neighbours differ in one row that is there or "
            "not.",
        ),
    ),
)
