"""An exercise to implement: a row's pull in whole steps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer


@cache
def pulled() -> Sequence[Case]:
    """All entries of tables with 2, 4 and 16 steps, both classes, clips of 1, m/2 and m; small m first."""
    return tuple(
        (P, y, m, clip) for m in (2, 4, 16) for clip in sorted({1, m // 2, m}) for P in range(m + 1) for y in (0, 1)
    )


def pull(P: int, y: int, m: int, clip: int) -> int:
    """The probability less the class, both in steps, and no longer than the clip."""
    return max(-clip, min(clip, P - m * y))


PULL = Exercise(
    id="boosting-pull",
    kind="implement",
    hint="How many steps is the class 1 away from the class 0?",
    domain="all entries of tables with 2, 4 and 16 steps, with three clips; small tables first",
    cases=pulled,
    size=lambda P, y, m, clip: m,
    reference=pull,
    read=integer,
    explanation=(
        "In steps the gradient is P − m·y, from −m to m, and it is clipped at both ends.\n"
        "A row of class 1 with P pulls as much as a row of class 0 with m − P, in the other direction."
    ),
    wrong=(
        Misconception(
            "forgets that classes are in steps, too",
            lambda P, y, m, clip: max(-clip, min(clip, P - y)),
            "The probability 1 is m steps. So class 1 lies at m, not at 1.",
        ),
        Misconception(
            "clips at one end",
            lambda P, y, m, clip: min(clip, P - m * y),
            "Rows of class 1 pull downwards, and theirs must be at least −clip. Otherwise one of them may pull with m, "
            "and nobody has paid for that.",
        ),
        Misconception(
            "does not clip",
            lambda P, y, m, clip: P - m * y,
            "Then a row may pull with m. What a round costs is computed for pulls of `clip` at most.",
        ),
        Misconception(
            "clips the probability",
            lambda P, y, m, clip: min(clip, P) - m * y,
            "The gradient is clipped, and not the probability: first P − m·y, then the clip.",
        ),
        Misconception(
            "pulls away from the class",
            lambda P, y, m, clip: max(-clip, min(clip, m * y - P)),
            "The gradient is the probability less the class. The step goes against it, and that sign comes later.",
        ),
    ),
)
