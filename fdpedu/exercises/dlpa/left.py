"""An exercise to implement: how much of the noise is left."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number


@cache
def groups() -> Sequence[Case]:
    """2 to 7 parties, any number tolerated; colluders and missing parties that leave one; fewest parties first."""
    return tuple(
        (n, tolerate, colluders, missing)
        for n in range(2, 8)
        for tolerate in range(n)
        for colluders in range(n)
        for missing in range(n - colluders)
    )


def shape_left(n_parties: int, tolerate: int, colluders: int, missing: int) -> Fraction:
    """The shares that colluders neither know nor miss, each of shape 1/(K − tolerate)."""
    return Fraction(n_parties - colluders - missing, n_parties - tolerate)


LEFT = Exercise(
    id="dlpa-left",
    kind="implement",
    hint="What is the shape of one share? How many shares are in the sum that the colluders do not know?",
    domain="2 to 7 parties, any number tolerated, colluding and missing, as long as one is left; fewest parties first",
    cases=groups,
    size=lambda n_parties, tolerate, colluders, missing: n_parties,
    reference=shape_left,
    read=number,
    explanation=(
        "A share has the shape 1/(K − tolerate). The sum holds K − colluders − missing shares that the colluders do "
        "not know.\n"
        "The release is ε-DP where the shape is at least 1: as long as colluders and missing parties together are not "
        "more than were tolerated. A known share protects no more than a missing one."
    ),
    wrong=(
        Misconception(
            "divides by all parties",
            lambda n, t, c, m: Fraction(n - c - m, n),
            "That is the shape for shares that tolerate nobody. The shares of this round have a larger one: "
            "1/(K − tolerate).",
        ),
        Misconception(
            "forgets who is missing",
            lambda n, t, c, m: Fraction(n - c, n - t),
            "A share that never came is not in the sum. It protects as little as a share that the colluders know.",
        ),
        Misconception(
            "forgets who colludes",
            lambda n, t, c, m: Fraction(n - m, n - t),
            "That is what an outsider faces. Colluders subtract their own shares.",
        ),
        Misconception(
            "takes the missing from the divisor too",
            lambda n, t, c, m: Fraction(n - c - m, max(1, n - t - m)),
            "The shares were made before anybody fell silent, each of shape 1/(K − tolerate). The missing parties do "
            "not change what the others have drawn.",
        ),
        Misconception(
            "stops at one",
            lambda n, t, c, m: min(Fraction(1), Fraction(n - c - m, n - t)),
            "Where nobody colludes and nobody is missing there is more noise than needed, and its shape is more than "
            "1. That is the price in variance.",
        ),
        Misconception(
            "lets one tolerated party stand for two",
            lambda n, t, c, m: Fraction(n - max(c, m), n - t),
            "Those who collude and those who are missing are different parties. The shares of both are lost.",
        ),
    ),
)
