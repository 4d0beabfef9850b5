"""An exercise to implement: a row's pull in whole steps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer


@cache
def pulled() -> Sequence[Case]:
    """All entries of tables with 2, 4 and 16 steps, both classes, clips of 1, m/2 and m, four weights; small m first.

    A row without a weight comes before the others.
    """
    return tuple(
        (P, y, m, clip, weight)
        for m in (2, 4, 16)
        for weight in (256, 128, 100, 1)
        for clip in sorted({1, m // 2, m})
        for P in range(m + 1)
        for y in (0, 1)
    )


def pull(P: int, y: int, m: int, clip: int, weight: int) -> int:
    """First the clip, then the weight, rounded towards 0."""
    clipped = max(-clip, min(clip, P - m * y))
    length = abs(clipped) * weight // 256
    return length if clipped > 0 else -length


def _signed(value: int, length: int) -> int:
    return length if value > 0 else -length


def _weight_first(P: int, y: int, m: int, clip: int, weight: int) -> int:
    gradient = P - m * y
    return max(-clip, min(clip, _signed(gradient, abs(gradient) * weight // 256)))


PULL = Exercise(
    id="boosting-pull",
    kind="implement",
    hint="How many steps is the class 1 away from the class 0? And what does `-3 // 2` give in Python?",
    domain="all entries of tables with 2, 4 and 16 steps, with three clips and four weights; small tables first",
    cases=pulled,
    size=lambda P, y, m, clip, weight: m,
    reference=pull,
    read=integer,
    explanation=(
        "In steps the gradient is P − m·y, from −m to m. It is clipped first. The weight then shortens what the clip "
        "has left, and rounding towards 0 shortens it further. So no pull is longer than the clip.\n"
        "A row of class 1 with P pulls as much as a row of class 0 with m − P, in the other direction: this is why the "
        "length is rounded, and the sign put back afterwards."
    ),
    wrong=(
        Misconception(
            "weighs before the clip",
            _weight_first,
            "No pull is longer than the clip then, either. But the rows that are wrong, which the clip shortens most, "
            "do not feel the weight: at the weight 128 and the clip m/2 a row that is quite wrong pulls with m/2 as "
            "before.",
        ),
        Misconception(
            "rounds down",
            lambda P, y, m, clip, weight: max(-clip, min(clip, P - m * y)) * weight // 256,
            "`//` rounds down, which is away from 0 for a negative pull. So the rows of class 1 pull harder than those "
            "of class 0. Round the length, and put the sign back.",
        ),
        Misconception(
            "forgets that classes are in steps, too",
            lambda P, y, m, clip, weight: _signed(P - y, abs(max(-clip, min(clip, P - y))) * weight // 256),
            "The probability 1 is m steps. So class 1 lies at m, not at 1.",
        ),
        Misconception(
            "clips at one end",
            lambda P, y, m, clip, weight: _signed(P - m * y, abs(min(clip, P - m * y)) * weight // 256),
            "Rows of class 1 pull downwards, and theirs must be at least −clip. Otherwise one of them may pull with m, "
            "and nobody has paid for that.",
        ),
        Misconception(
            "does not clip",
            lambda P, y, m, clip, weight: _signed(P - m * y, abs(P - m * y) * weight // 256),
            "Then a row may pull with m. What a round costs is computed for pulls of `clip` at most.",
        ),
    ),
)
