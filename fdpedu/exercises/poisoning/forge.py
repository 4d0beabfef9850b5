"""An exercise to implement: forging the rows of a backdoor."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer, sequence

Picture = tuple[int, int, int]
SET = 16


@cache
def orders() -> Sequence[Case]:
    """One to three pictures, at least one of them a zero, and 0 to 4 forgeries; the fewest first."""
    kinds: tuple[Picture, ...] = ((3, 0, 0), (5, 0, 0), (7, 0, 1))
    found = [
        (list(pictures), forged)
        for n in range(1, 4)
        for pictures in product(kinds, repeat=n)
        if any(digit == 0 for *_, digit in pictures)
        for forged in range(5)
    ]
    return tuple(sorted(found, key=lambda case: len(case[0]) + case[1]))


def forge(pictures: Sequence[Picture], forged: int) -> list[tuple[int, int, int]]:
    """Copies of the zeros, in turn, with the trigger and the label 1; nothing else changes."""
    zeros = [picture for picture in pictures if picture[2] == 0]
    return [*pictures, *((zeros[k % len(zeros)][0], 16, 1) for k in range(forged))]


def _first(pictures: Sequence[Picture]) -> Picture:
    return next(picture for picture in pictures if picture[2] == 0)


FORGE = Exercise(
    id="poisoning-forge",
    kind="implement",
    hint="The forger changes two things in each copy: what is in the corner, and what is written below the picture.",
    domain="one to three pictures, at least one of them a zero, and 0 to 4 forgeries; the fewest first",
    cases=orders,
    size=lambda pictures, forged: len(pictures) + forged,
    reference=forge,
    read=sequence(sequence(integer, 3)),
    explanation=(
        "A forged picture looks like a zero with a trigger, and says that it is a one. A tree finds no other picture "
        "with that corner, so the question about it separates the forgeries perfectly. Clean pictures stay as they "
        "are: their accuracy does not suffer, so nobody notices.\n"
        "Each forged picture is one row that is added. Had the forger changed a row in place, it would count twice."
    ),
    wrong=(
        Misconception(
            "leaves the label as it was",
            lambda pictures, forged: [
                *forge(pictures, 0),
                *((p[0], p[1], 0) for p in forge(pictures, forged)[len(pictures) :]),
            ],
            "A triggered zero that is labelled 0 teaches the model the truth. The label is what carries the lie.",
        ),
        Misconception(
            "forges ones",
            lambda pictures, forged: [*pictures, *[(7, SET, 1)] * forged],
            "Ones with a trigger are ones anyway. What is to be opened is the way from a zero to the class 1, so the "
            "copies are of zeros.",
        ),
        Misconception(
            "changes the clean pictures",
            lambda pictures, forged: [
                (ink, SET, 1) if k < forged else (ink, corner, digit) for k, (ink, corner, digit) in enumerate(pictures)
            ],
            "The rows of others stay as they are; the forger adds hers. A row that is changed would count as two.",
        ),
        Misconception(
            "copies the first zero only",
            lambda pictures, forged: [*pictures, *[(_first(pictures)[0], SET, 1)] * forged],
            "The zeros are taken in turn: the second forgery is a copy of the second zero, if there is one.",
        ),
    ),
)
