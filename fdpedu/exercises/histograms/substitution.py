"""An exercise to break: a histogram's ε, when one record replaces another."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.noisy_cells import Limit, between, limits, shown_by
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, integer, sequence

BINS, MAX_RECORDS = 3, 20
Submission = tuple[list[int], list[int], list[Limit]]


def _bins(raw: Any) -> list[int]:
    data = sequence(integer)(raw)
    if len(data) > MAX_RECORDS or any(not 0 <= code < BINS for code in data):
        raise Unreadable(f"up to {MAX_RECORDS} records were expected, each a bin: 0, 1 or 2")
    return sorted(data)


def _read(raw: Any) -> Submission:
    data, other, event = sequence(lambda part: part, 3)(raw)
    return _bins(data), _bins(other), sequence(limits, BINS)(event)


def probability(data: list[int], event: list[Limit]) -> Fraction:
    """That every noisy cell lies within its limits."""
    found, counts = Fraction(1), Counter(data)
    for code, limit in enumerate(event):
        found *= between(limit, counts[code])
    return found


def compare(data: list[int], other: list[int], event: list[Limit]) -> tuple[str, str]:
    """What an event shows about two data sets, as a word and as a sentence."""
    more = Counter(data) - Counter(other)
    if len(data) != len(other):
        return "no neighbours", "Here neighbours have equally many records, and differ in one of them."
    if more.total() != 1:
        differ = f"{more.total()} records: change one only" if more else "no record: the order does not count"
        return "another change", f"These two differ in {differ}."
    return shown_by(probability(data, event), probability(other, event))


SUBSTITUTION = find_one(
    id="hist-substitution",
    chapter="histograms",
    level="extend",
    kind="break",
    title="A replaced record costs twice",
    task=(
        f"A histogram of {BINS} bins is released, each cell with noise of its own, $\\Pr[k]=\\frac13"
        "(\\frac12)^{|k|}$, so that $e^\\varepsilon=2$ when a record is added or removed. Somebody claims that "
        "$e^\\varepsilon=2$ also holds when one record replaces another, because this is one change. Refute the claim "
        "as strongly as possible: give the `answer` `(data, neighbour, event)`. A data set lists the bins of its "
        "records, such as `[0, 0, 2]`. The two data sets have equally many records and differ in one of them. The "
        "`event` is a list of three pairs `(low, high)`, one for each cell: the noisy count lies between the two, ends "
        "included, where None is no limit. The probability of the event under `data` must be $e^{2\\varepsilon}=4$ "
        "times that under `neighbour`."
    ),
    hint="Which two cells does the change move, and in which direction? Let the event ask that one of them is high and "
    "the other low.",
    domain=f"two data sets of up to {MAX_RECORDS} records",
    reference=([0], [1], [(1, None), (None, 0), (None, None)]),
    read=_read,
    stub="answer = ...  # (data, neighbour, event)",
    judge=lambda value: compare(*value),
    sought="broken",
    wanted="data sets that differ in one record, and an event that is four times as likely under the first",
    praise="A larger ratio is not possible: only two cells move, and each gives a factor of 2.",
    explanation=(
        "The one record is in bin 0, or in bin 1. Cell 0 is at least 1 with probability 2/3 or 1/3, and cell 1 is at "
        "most 0 with probability 2/3 or 1/3. Together that is 4/9 against 1/9.\n"
        "A substitution is a removal and an addition. The bins are disjoint, but the record is in one of them before "
        "and in another one afterwards, so both changes cost ε."
    ),
    wrong=(
        Misconception(
            "looks at one cell",
            ([0], [1], [(1, None), (None, None), (None, None)]),
            "The ratio is 2, just as claimed: you look at one of the two cells that change. The other one moves too, "
            "in the opposite direction.",
        ),
        Misconception(
            "lets both cells be high",
            ([0], [1], [(1, None), (1, None), (None, None)]),
            "One cell falls and the other rises, so the two factors cancel if both have to be high. Let one be high "
            "and the other low.",
        ),
        Misconception(
            "has limits too far out",
            ([0], [1], [(1, None), (None, 1), (None, None)]),
            "The claim is refuted, but a larger ratio is possible. A limit helps most where all outcomes within it are "
            "twice as likely: from the larger count upwards, from the smaller one downwards.",
        ),
        Misconception(
            "has it the other way round",
            ([1], [0], [(1, None), (None, 0), (None, None)]),
            "The event is good, but it is likelier under the neighbour. Exchange the data sets.",
        ),
        Misconception(
            "adds a record",
            ([0], [], [(1, None), (None, None), (None, None)]),
            "These differ by a record that is added: there e^ε = 2 holds. The claim is about a record that changes.",
        ),
    ),
)
