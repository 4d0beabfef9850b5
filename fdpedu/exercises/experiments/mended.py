"""Exercises on the counts of a leaf: one fault of the published code, mended, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer, sequence


@cache
def leaves() -> Sequence[Case]:
    """The classes of up to four records, of two or three classes; fewest records first."""
    return tuple(
        (list(labels), classes) for n in range(5) for classes in (2, 3) for labels in product(range(classes), repeat=n)
    )


def class_counts(labels: Sequence[int], classes: int) -> list[int]:
    """One count for each class, also where it is 0."""
    return [sum(label == c for label in labels) for c in range(classes)]


def _short(labels: Sequence[int], classes: int) -> list[int]:
    counts = [sum(label == c for label in labels) for c in range(max(labels, default=0) + 1)]
    return [counts[min(c, len(counts) - 1)] for c in range(classes)]


COUNTS = Exercise(
    id="experiments-counts",
    kind="repair",
    hint="How long is the list that should come out, and does that depend on the records?",
    domain="up to four records of two or three classes, fewest records first",
    cases=leaves,
    size=lambda labels, classes: len(labels),
    reference=class_counts,
    read=sequence(integer),
    explanation=(
        "The number of classes is public and fixed; the largest label among the records is not.\n"
        "With the short list a leaf with records of class 0 only has the same count for both classes, so noise decides "
        "its label, and one record of class 1 moves a count from n to 1."
    ),
    wrong=(
        Misconception(
            "repeats the last count",
            _short,
            "That is what the published code does: where a class does not occur, another class's count stands for it. "
            "And without any record nothing is counted.",
        ),
        Misconception(
            "counts only the classes that occur",
            lambda labels, classes: [list(labels).count(c) for c in range(max(labels, default=-1) + 1)],
            "The length of this list tells which class is the last to occur. Count classes that do not occur, too: 0.",
        ),
        Misconception(
            "puts 1 for 0",
            lambda labels, classes: [max(1, list(labels).count(c)) for c in range(classes)],
            "A count of 0 is a count. Raised to 1, it hides nothing that noise would not hide, and is wrong.",
        ),
    ),
)

PAID, GOAL = Fraction(1, 2), 10


def judge(n: int) -> tuple[str, str]:
    """Whether n rows are the fewest for which one record more costs more than the goal."""
    if not 1 <= n <= 10**9:
        return "no number of records", "That is no number of records from 1 to 1,000,000,000."
    cost = (n - 1) * PAID
    said = f"The counts ({n}, {n}) become ({n}, 1): with ε = 1/2 a count this costs {float(cost):g}."
    if cost <= GOAL:
        return ("just below" if cost == GOAL else "below"), said
    return ("too many" if n > 22 else "fewest"), said


MOVED = find_one(
    id="experiments-moved",
    chapter="experiments",
    level="extend",
    kind="prove-and-probe",
    title="No ε covers a short list",
    task=(
        "A leaf holds $n$ records of class 0 and none of class 1, so the published code has the counts $(n,n)$ for it. "
        "One record of class 1 comes, and they are $(n,1)$. Each count is released with Laplace noise for sensitivity "
        "1 at ε = 1/2. Show that this costs $(n-1)/2$, so that no ε is large enough for all data, and probe it: give "
        "the `answer`, the smallest $n$ for which it costs more than 10."
    ),
    hint="Laplace noise of scale 1/ε on a number that moves by k has ratios up to e^(kε).",
    domain="whole numbers up to 1,000,000,000",
    reference=22,
    read=integer,
    stub="answer = ...  # a whole number",
    judge=judge,
    sought="fewest",
    wanted="the smallest number of records for which the cost is more than 10",
    praise="With twice as many records it costs twice as much: there is no end to it.",
    explanation=(
        "The second count moves from n to 1, by n − 1; the first stays. Noise of scale 2 on a number that moves by k "
        "has ratios up to e^(k/2), attained wherever the output lies on one side of both. (n − 1)/2 > 10 for n = 22.\n"
        "The mended counts are (n, 0) and (n, 1), and cost 1/2."
    ),
    wrong=(
        Misconception(
            "stops at equality",
            21,
            "With 21 records it costs 10, and more than 10 was asked for.",
        ),
        Misconception(
            "stays too low, as if both counts moved",
            12,
            "This is too few. Only the count of class 1 moves, by n − 1, and ε = 1/2 is paid for each count: when is "
            "half of n − 1 more than 10?",
        ),
        Misconception(
            "counts one record too many",
            23,
            "Fewer records are enough already: n − 1 has to be more than 20.",
        ),
    ),
)
