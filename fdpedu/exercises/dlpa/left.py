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
    chapter="dlpa",
    level="apply",
    kind="implement",
    title="What is left of the noise",
    task=(
        "The shares of `n_parties` were made for `tolerate` of them. In this round `missing` parties fell silent, "
        "`colluders` others tell each other all they know, and the sum of the rest is released. Write "
        "`shape_left(n_parties, tolerate, colluders, missing)`: the shape of the noise, as seen by the colluders, "
        "where 1 is discrete Laplace noise, exactly. For which of these rounds is the release ε-DP against them?"
    ),
    hint="What is the shape of one share? How many shares are in the sum that the colluders do not know?",
    domain="2 to 7 parties, any number tolerated, colluding and missing, as long as one is left; fewest parties first",
    cases=groups,
    size=lambda n_parties, tolerate, colluders, missing: n_parties,
    reference=shape_left,
    read=number,
    stub=(
        "def shape_left(n_parties, tolerate, colluders, missing):\n"
        '    """The shape of the noise that is left."""\n    ...'
    ),
    explanation=(
        "A share has the shape 1/(K − tolerate), and K − colluders − missing of them are unknown and there.\n"
        "The release is ε-DP where the shape is at least 1: as long as colluders and missing together are not more "
        "than were tolerated. A share that is known protects no more than one that never came."
    ),
    wrong=(
        Misconception(
            "divides by all parties",
            lambda n, t, c, m: Fraction(n - c - m, n),
            "That is the shape for shares that tolerate nobody. Shares of this round are larger: 1/(K − tolerate).",
        ),
        Misconception(
            "forgets who is missing",
            lambda n, t, c, m: Fraction(n - c, n - t),
            "A share that never came is not in the sum. It lacks as much as one that is known.",
        ),
        Misconception(
            "forgets who colludes",
            lambda n, t, c, m: Fraction(n - m, n - t),
            "That is what an outsider faces. Colluders subtract their own shares.",
        ),
        Misconception(
            "takes the missing from the divisor too",
            lambda n, t, c, m: Fraction(n - c - m, max(1, n - t - m)),
            "The shares were made before anybody fell silent, each of shape 1/(K − tolerate). Who is missing does not "
            "change what the others have drawn.",
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
            "Those who collude and those who are missing are different parties: both lack.",
        ),
    ),
)
