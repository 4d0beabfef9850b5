"""An exercise to implement: how much of the leaves' noise is left against colluders."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number, sequence


@cache
def coalitions() -> Sequence[Case]:
    """Two to six parties, all numbers of colluders and of tolerated ones; fewest parties first."""
    return tuple(
        (parties, colluders, tolerate)
        for parties in range(2, 7)
        for colluders in range(parties)
        for tolerate in range(parties)
    )


def left_over(parties: int, colluders: int, tolerate: int) -> list[Fraction | int]:
    """All noise of a designer's choice is its own; of the leaves' noise, the honest parties' shares are left."""
    return [1, Fraction(parties - colluders, parties - tolerate)]


INSIDERS = Exercise(
    id="better-insiders",
    kind="predict",
    hint="Who draws the coins of a choice? And how many shares do the honest parties add, of what size?",
    domain="two to six parties, with all numbers of colluders and of tolerated ones; fewest parties first",
    cases=coalitions,
    size=lambda parties, colluders, tolerate: parties,
    reference=left_over,
    read=sequence(number, 2),
    explanation=(
        "The designer alone draws the coins of its choice, so nobody can subtract any of them: 1, whoever colludes.\n"
        "The leaves' noise is made together. Each share has the shape 1/(K − tolerate), and K − c of them are left. "
        "If τ ≥ 1 the leaves keep their sε; else they cost e(sε), which is more."
    ),
    wrong=(
        Misconception(
            "forgets what is tolerated",
            lambda parties, colluders, tolerate: [1, Fraction(parties - colluders, parties)],
            "That is τ if K shares make one whole noise. Here K − tolerate shares make one: each share is larger.",
        ),
        Misconception(
            "divides the choice as well",
            lambda parties, colluders, tolerate: [
                Fraction(parties - colluders, parties - tolerate),
                Fraction(parties - colluders, parties - tolerate),
            ],
            "A choice needs no noise of others: its coins are the designer's own, and all of them stay unknown.",
        ),
        Misconception(
            "takes what is tolerated off twice",
            lambda parties, colluders, tolerate: [1, Fraction(parties - colluders - tolerate, parties - tolerate)],
            "`tolerate` makes each share larger. The number of shares that are left is K − c, whatever it is.",
        ),
        Misconception(
            "counts one honest party",
            lambda parties, colluders, tolerate: [1, Fraction(1, parties - tolerate)],
            "All honest parties add shares that the colluders do not know, not only the party that is looked at.",
        ),
    ),
)
