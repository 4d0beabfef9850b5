"""An exercise to implement: how bold a step may be where columns are copies of each other."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number, sequence


@cache
def copied() -> Sequence[Case]:
    """One to six copies, and four numbers of rounds; fewest copies first."""
    return tuple((copies, rounds) for copies in range(1, 7) for rounds in (1, 8, 16, 36))


def limits(copies: int, rounds: int) -> list[Fraction]:
    """What is missing is multiplied by 1 − copies·M/R: at least 0, or above −1."""
    return [Fraction(rounds, copies), Fraction(2 * rounds, copies)]


SAFE_STEP = Exercise(
    id="boosting-safe-step",
    kind="implement",
    hint="By what is the missing part multiplied in a round? When is this factor negative, and when is it below −1?",
    domain="one to six copies, and 1, 8, 16 or 36 rounds; fewest copies first",
    cases=copied,
    size=lambda copies, rounds: copies,
    reference=limits,
    read=sequence(number, 2),
    explanation=(
        "All copies step at once, and each of them would make up for M/R of what is missing. So the factor of a round "
        "is 1 − copies·M/R. It is at least 0 up to M = R/copies, and above −1 below M = 2R/copies.\n"
        "The rule's M ≤ 5R/6 is safe for one column and for two copies. From three copies on it is not, and the guard "
        "has to help."
    ),
    wrong=(
        Misconception(
            "lets the copies share one step",
            lambda copies, rounds: [Fraction(rounds), Fraction(2 * rounds)],
            "This is right for one column. Copies do not know of each other: each of them takes the whole step, in the "
            "same round.",
        ),
        Misconception(
            "takes overshooting for divergence",
            lambda copies, rounds: [Fraction(rounds, copies)] * 2,
            "A factor between −1 and 0 overshoots, and the error still shrinks. Only from −1 on does it not.",
        ),
        Misconception(
            "names the limits in the other order",
            lambda copies, rounds: [Fraction(2 * rounds, copies), Fraction(rounds, copies)],
            "First the largest M that does not overshoot, then the M from which on the error no longer shrinks.",
        ),
        Misconception(
            "divides by the number of pairs of copies",
            lambda copies, rounds: [Fraction(rounds, copies**2), Fraction(2 * rounds, copies**2)],
            "The steps of the copies add up, so their number counts once.",
        ),
        Misconception(
            "forgets the rounds",
            lambda copies, rounds: [Fraction(1, copies), Fraction(2, copies)],
            "That limits the step of one round, M/R. The whole step M is R times as long.",
        ),
    ),
)
