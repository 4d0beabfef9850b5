"""An exercise to implement: what the pull of a row of several classes costs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number, sequence


@cache
def rows() -> Sequence[Case]:
    """Two to six classes, clips from 1 to 5 and 32; the smallest first."""
    found = [(classes, clip) for clip in (1, 2, 3, 5, 32) for classes in range(2, 7)]
    return tuple(sorted(found, key=sum))


def cost(classes: int, clip: int) -> list[int]:
    """The own class and the others move by the clip each; a wrong class that has all of it makes the vector longest."""
    return [2 * clip, 2 * clip**2, min(classes, 1 + clip)]


VECTOR = Exercise(
    id="boosting-vector",
    kind="implement",
    hint="How long is the vector if one wrong class gets all of the clip? In how many numbers can it differ from 0?",
    domain="two to six classes, and clips of 1, 2, 3, 5 and 32; the smallest first",
    cases=rows,
    size=lambda classes, clip: classes + clip,
    reference=cost,
    read=sequence(number, 3),
    explanation=(
        "The own class moves by −g, the others by whole numbers o ≥ 0 that add up to g: in the ℓ₁ norm by 2g. Their "
        "squares add up to at most g², and to g² where one of them is g. So the square of the ℓ₂ norm is at most 2g², "
        "for every number of classes. As the others are whole numbers, at most g of them are not 0.\n"
        "Noise for thirty classes is √2 times that for two classes with one sum, and not √30 times."
    ),
    wrong=(
        Misconception(
            "charges every class for the clip",
            lambda classes, clip: [classes * clip, classes * clip**2, min(classes, 1 + clip)],
            "The others share one clip among them. They cannot all move by it.",
        ),
        Misconception(
            "forgets the other classes",
            lambda classes, clip: [clip, clip**2, 1],
            "What the own class is pulled down, the others are pulled up: these numbers differ as well.",
        ),
        Misconception(
            "takes the whole change for the length",
            lambda classes, clip: [2 * clip, (2 * clip) ** 2, min(classes, 1 + clip)],
            "The ℓ₂ norm adds up squares: −g and g give g² + g², and not (2g)².",
        ),
        Misconception(
            "lets every class differ",
            lambda classes, clip: [2 * clip, 2 * clip**2, classes],
            "Of whole numbers that add up to the clip at most that many are not 0: with the clip 1 it is one class "
            "beside the own.",
        ),
    ),
)
