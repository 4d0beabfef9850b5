"""An exercise to break: a stopping test of which only one half has noise."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.noisy_cells import at_most
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, integer, kind, sequence

MAX_ROWS = 20
EVENTS = ("leaf", "split")
Answer = tuple[list[int], list[int], str]


def _rows(raw: Any) -> list[int]:
    rows = sequence(integer)(raw)
    if len(rows) > MAX_ROWS or any(row not in (0, 1) for row in rows):
        raise Unreadable(f"a data set has at most {MAX_ROWS} rows, each a class: 0 or 1")
    return rows


def _read(raw: Any) -> Answer:
    one, other, event = sequence(lambda value: value, 3)(raw)
    if not isinstance(event, str) or event not in EVENTS:
        said = repr(event) if isinstance(event, str) else kind(event)
        raise Unreadable(f"an event is 'leaf' or 'split', not {said}")
    return _rows(one), _rows(other), event


def chance(rows: list[int], event: str) -> Fraction:
    """Of what is seen: with two classes it is a split, unless the noisy number of rows is at most 1."""
    split = 1 - at_most(1 - len(rows)) if len(set(rows)) > 1 else Fraction(0)
    return split if event == "split" else 1 - split


def shown(rows: list[int], neighbour: list[int], event: str) -> tuple[str, str]:
    """What an event shows, as a word and as a sentence."""
    fewer, more = sorted((sorted(rows), sorted(neighbour)), key=len)
    if len(more) != len(fewer) + 1 or not any(more[:i] + more[i + 1 :] == fewer for i in range(len(more))):
        return "no neighbours", "Of two neighbours one has all rows of the other, and one row more."
    mine, theirs = chance(rows, event), chance(neighbour, event)
    said = f"A {event} has the probability {mine} for `rows`, and {theirs} for `neighbour`."
    if not mine:
        return ("other way round" if theirs else "never"), said
    if not theirs:
        return "broken", said
    pure = len(set(rows)) < 2, len(set(neighbour)) < 2
    said = f"{said} Their ratio is {mine / theirs}, which is finite."
    return ("mixed" if not any(pure) else "sure" if any(pure) != all(pure) else "pure"), said


LINE_7 = find_one(
    id="privatree-line-7",
    chapter="privatree",
    level="apply",
    kind="break",
    title="Half of line 7",
    task=(
        'By line 7 of Algorithm 1 a node becomes a leaf if it has at most one row, or if its rows are of "a single '
        'class". Somebody mends the first half: a node with $n$ rows becomes a leaf if $n+Z\\le1$, where $Z$ is noise '
        "with $\\Pr[Z=k]=\\frac13(\\frac12)^{|k|}$. Otherwise the classes of its rows decide, as before: one class or "
        'none makes a leaf, two classes a split. Everybody sees which of both the node became. "The noise hides one '
        'row more or less," it is said, "so this test costs $e^\\varepsilon=2$." Break it for every ε: give the '
        "`answer` `(rows, neighbour, event)`. The first two are lists of classes, 0 or 1, of up to "
        f"{MAX_ROWS} rows, and one has one row more than the other. The event is `'leaf'` or `'split'`. It must be "
        "possible for `rows` and impossible for `neighbour`."
    ),
    hint="Which event can never happen if all rows are of one class? Which single row makes it possible?",
    domain=f"pairs of data sets with up to {MAX_ROWS} rows, and two events",
    reference=([0, 1], [0], "split"),
    read=_read,
    stub="answer = ...  # (rows, neighbour, event)",
    judge=lambda value: shown(*value),
    sought="broken",
    wanted="two data sets of which one has one row more, and an event that is possible for the first one only",
    praise="The ratio is infinite: whoever sees the split knows for certain that the row is there.",
    explanation=(
        "One row of class 0 alone never makes a split. With one row of class 1 beside it, a split has the probability "
        "Pr[Z ≥ 0] = 2/3. No finite ε allows a ratio of 2/3 to 0.\n"
        "The mended tree stops at its depth only, or by counts that were released and paid for."
    ),
    wrong=(
        Misconception(
            "takes the leaf for the event",
            ([0] * 5, [0] * 5 + [1], "leaf"),
            "The ratio is much more than 2, and it grows with the number of rows. But the noise can make a leaf of any "
            "rows, so it stays finite. Look at the other event.",
        ),
        Misconception(
            "has two classes in both",
            ([0, 1, 1], [0, 1], "split"),
            "Both data sets have rows of two classes, so only the noisy number decides, and that part is private. "
            "Which row decides whether there are two classes?",
        ),
        Misconception(
            "adds a row of the same class",
            ([0, 0, 0], [0, 0], "split"),
            "Both data sets are of one class, so neither of them is ever split.",
        ),
        Misconception(
            "has it the other way round",
            ([0, 0], [0, 0, 1], "split"),
            "The event is the right one, but it is possible for the second data set and not for the first. Exchange "
            "them.",
        ),
        Misconception(
            "changes a class",
            ([0, 1], [0, 0], "split"),
            "A row whose class changes is a row removed and a row added. Neighbours differ in one row that is there or "
            "not.",
        ),
    ),
)
