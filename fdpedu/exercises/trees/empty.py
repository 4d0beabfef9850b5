"""An exercise to break: leaves in which nobody is, and for which nothing is sent."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.noisy_cells import Limit, between, limits
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, integer, sequence

MAX_RECORDS = 20
CELLS = ((0, 0), (0, 1), (1, 0), (1, 1))
Data = tuple[tuple[int, int], ...]
Submission = tuple[Data, Data, list[Limit]]
FREE: Limit = (None, None)


def _data(raw: Any) -> Data:
    records = [tuple(sequence(integer, 2)(record)) for record in sequence(lambda part: part)(raw)]
    if len(records) > MAX_RECORDS or any(value not in (0, 1) for record in records for value in record):
        raise Unreadable(f"up to {MAX_RECORDS} records were expected, each (leaf, class) with 0 or 1 in both places")
    return tuple(sorted((leaf, label) for leaf, label in records))


def _read(raw: Any) -> Submission:
    data, other, event = sequence(lambda part: part, 3)(raw)
    return _data(data), _data(other), sequence(limits, len(CELLS))(event)


def _within(count: int, limit: Limit, noisy: bool) -> Fraction:
    """That a cell lies within its limits."""
    low, high = limit
    if not noisy:
        return Fraction((low is None or low <= count) and (high is None or count <= high))
    return between((low, high), count)


def probability(data: Data, event: list[Limit]) -> Fraction:
    """That every released cell lies within its limits, where an empty leaf releases exact zeros."""
    found, counts, inhabited = Fraction(1), Counter(data), {leaf for leaf, _ in data}
    for cell, limit in zip(CELLS, event, strict=True):
        found *= _within(counts[cell], limit, cell[0] in inhabited)
    return found


def compare(data: Data, other: Data, event: list[Limit]) -> tuple[str, str]:
    """What an event shows about two data sets, as a word and as a sentence."""
    more, fewer = Counter(data) - Counter(other), Counter(other) - Counter(data)
    if more.total() + fewer.total() != 1:
        return "no neighbours", "Neighbours differ by one record that is added or removed, and by nothing else."
    mine, theirs = probability(data, event), probability(other, event)
    if theirs:
        said = f"The event has probability {mine} and {theirs}, a ratio of {mine / theirs}."
        if mine and any(leaf not in {at for at, _ in other} for leaf, _ in more):
            return "allows zero", said
        return ("within" if mine <= 2 * theirs else "more than claimed") if mine else "the other way round", said
    said = f"The event has probability {mine} under the first, and never happens under the second."
    return ("broken", said) if mine else ("never", "The event never happens, with or without the record.")


EMPTY = find_one(
    id="tree-empty",
    chapter="trees",
    level="apply",
    kind="break",
    title="Nobody there, nothing sent",
    task=(
        "A tree has two leaves, 0 and 1, and two classes. The class counts of the leaves are released, each of the "
        "four cells with noise of its own, $\\Pr[k]=\\frac13(\\frac12)^{|k|}$, so that $e^\\varepsilon=2$. To save "
        "messages a programmer leaves out the noise in empty leaves: a leaf without records releases exact zeros. He "
        "claims that $e^\\varepsilon=2$ still holds, because an empty leaf has no record to protect. Show that no "
        "$\\varepsilon$ is enough: give the `answer` `(data, neighbour, event)`. A data set lists its records as pairs "
        "`(leaf, class)`, and the two differ by one record that is added or removed. The `event` is a list of four "
        "pairs `(low, high)`, for the cells (0, 0), (0, 1), (1, 0), (1, 1): the released count lies between the two, "
        "ends included, and None is no limit. It must be possible under `data`, and impossible under `neighbour`."
    ),
    hint="An empty leaf releases exact zeros. What do you know about a leaf if one of its numbers is not 0?",
    domain=f"two data sets of up to {MAX_RECORDS} records",
    reference=([(0, 0)], [], [(1, None), (None, None), (None, None), (None, None)]),
    read=_read,
    stub="answer = ...  # (data, neighbour, event)",
    judge=lambda value: compare(*value),
    sought="broken",
    wanted="neighbours, and an event that can happen under the first and never under the second",
    praise="Whoever sees this event knows for certain that a record is in this leaf.",
    explanation=(
        "With one record of class 0 in leaf 0, its cell is at least 1 with probability 2/3. Without the record all "
        "cells of the leaf are exactly 0, so this event cannot happen.\n"
        "Noise must not depend on the data, not even on whether a leaf is empty. So every leaf is asked, and every "
        "party sends its shares of the noise. Then the counts of an empty leaf have noise like those of any other."
    ),
    wrong=(
        Misconception(
            "hopes for zeros",
            ([], [(0, 0)], [(0, 0), (0, 0), FREE, FREE]),
            "This refutes the claim: exact zeros are far more likely without the record. But noise can be 0 as well, "
            "so the ratio is finite. Is there an event that is impossible without the record?",
        ),
        Misconception(
            "has it the other way round",
            ([], [(0, 0)], [(1, None), FREE, FREE, FREE]),
            "The event is right, but it must be impossible under `neighbour`, not under `data`. Exchange the two sets.",
        ),
        Misconception(
            "looks at a leaf that has records anyway",
            ([(0, 0), (0, 0)], [(0, 0)], [(2, None), FREE, FREE, FREE]),
            "This leaf has noise with and without the record, and for it the claim is right. The record has to be the "
            "only one in its leaf.",
        ),
        Misconception(
            "leaves zero in",
            ([(0, 0)], [], [(0, None), FREE, FREE, FREE]),
            "Without the record all cells of its leaf are exactly 0, and this event allows 0. Choose limits of one of "
            "these cells that leave 0 out.",
        ),
        Misconception(
            "looks at a leaf that stays empty",
            ([(0, 0)], [], [FREE, FREE, (1, None), FREE]),
            "Leaf 1 is empty in both data sets, so its cells are 0 in both. Look at the leaf of the record.",
        ),
        Misconception(
            "moves a record",
            ([(0, 0)], [(1, 0)], [(1, None), FREE, FREE, FREE]),
            "Here one record changes its leaf. But neighbours differ by one record that is added or removed.",
        ),
    ),
)
