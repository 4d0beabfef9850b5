"""An exercise to implement: what a choice at one level of a rotating tree may cost."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number


@cache
def levels() -> Sequence[Case]:
    """One to six parties in turn, one to six levels, two budgets with their leaf shares; fewest levels first."""
    budgets = ((Fraction(1), Fraction(1, 5)), (Fraction(1, 2), Fraction(7, 20)))
    return tuple(
        (parties, depth, level, epsilon, share)
        for depth in range(1, 7)
        for parties in range(1, 7)
        for level in range(depth)
        for epsilon, share in budgets
    )


def level_cost(parties: int, depth: int, level: int, epsilon: Fraction, share: Fraction) -> Fraction:
    """Divide what is left for splits by the number of levels that the same party designs."""
    own = len(range(level % parties, depth, parties))
    return (1 - share) * epsilon / own


LEVELS = Exercise(
    id="better-levels",
    kind="implement",
    hint="Follow one record of the party that designs this level. For which of the `depth` levels does it pay?",
    domain="up to six parties and six levels, two budgets; fewest levels first",
    cases=levels,
    size=lambda parties, depth, level, epsilon, share: depth,
    reference=level_cost,
    read=number,
    explanation=(
        "The levels l mod K, l mod K + K, … below the depth are those of one party, and a record of this party is in "
        "one node of each. Levels of other parties do not look at it.\n"
        "With two parties and four levels each split may cost (1 − s)ε/2; with four parties or more, all of (1 − s)ε."
    ),
    wrong=(
        Misconception(
            "divides by the depth",
            lambda parties, depth, level, epsilon, share: (1 - share) * epsilon / depth,
            "So one who designs all levels must divide. Here most levels look at other parties' rows, and a record "
            "does not pay for them.",
        ),
        Misconception(
            "never divides",
            lambda parties, depth, level, epsilon, share: (1 - share) * epsilon,
            "A party that designs several levels asks the same rows several times, and a record pays each time.",
        ),
        Misconception(
            "takes the mean number of levels",
            lambda parties, depth, level, epsilon, share: (1 - share) * epsilon * parties / max(depth, parties),
            "If the depth is no multiple of the number of parties, some parties design one level more than others. "
            "Count for this level's party.",
        ),
        Misconception(
            "forgets the leaves",
            lambda parties, depth, level, epsilon, share: epsilon / len(range(level % parties, depth, parties)),
            "The record is counted in a leaf as well, and that costs share·ε: only the rest is for splits.",
        ),
    ),
)
