"""An exercise to implement: how many forged rows a target stands."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer, sequence


@cache
def settings() -> Sequence[Case]:
    """Mean accuracies of at least 3/4, targets from 1/2 on, three values of e^{−ε}; the fewest rows first."""
    levels, targets = (
        (Fraction(3, 4), Fraction(9, 10), Fraction(99, 100)),
        (Fraction(1, 2), Fraction(3, 5), Fraction(3, 4)),
    )
    alphas = (Fraction(1, 2), Fraction(9, 10), Fraction(19, 20))
    found = [(level, target, alpha) for level in levels for target in targets for alpha in alphas]
    return tuple(sorted(found, key=lambda case: added(*case)))


def added(level: Fraction, target: Fraction, alpha: Fraction) -> int:
    """The largest x with 1 − (1 − A)/α^x ≥ t."""
    return stands(level, target, alpha)[0]


def stands(level: Fraction, target: Fraction, alpha: Fraction) -> list[int]:
    """Rows that are added or removed; and rows that are changed, each of which is two of those."""
    x = 0
    while 1 - (1 - level) / alpha ** (x + 1) >= target:
        x += 1
    return [x, x // 2]


def _printed(level: Fraction, target: Fraction, alpha: Fraction) -> list[int]:
    x = 0
    while alpha ** (x + 1) * level >= target:
        x += 1
    return [x, x // 2]


ROWS = Exercise(
    id="poisoning-rows",
    kind="implement",
    hint="Above one half only the error counts: by what factor may it grow until the target is reached? And a changed "
    "row is one that is removed and one that is added.",
    domain="mean accuracies from 3/4 to 99/100, targets from 1/2 to 3/4, three values of e^{−ε}; the fewest rows first",
    cases=settings,
    size=lambda level, target, alpha: added(level, target, alpha),
    reference=stands,
    read=sequence(integer, 2),
    explanation=(
        "For targets from 1/2 on, x rows leave at least t iff (1 − A)/α^x ≤ 1 − t: the whole part of ln((1 − t)/(1 − "
        "A))/ε. How many rows the data have does not enter. A changed row is two steps, so half as many may be "
        "changed, rounded down."
    ),
    wrong=(
        Misconception(
            "uses the printed bound",
            _printed,
            "From α^x·A ≥ t follow too few rows: for a good model the error grows, and it has far to go.",
        ),
        Misconception(
            "counts a changed row once",
            lambda level, target, alpha: [added(level, target, alpha)] * 2,
            "A row that is changed is removed and added: two steps on the curve.",
        ),
        Misconception(
            "rounds up",
            lambda level, target, alpha: [added(level, target, alpha) + 1, (added(level, target, alpha) + 1) // 2],
            "With one row more the target is no longer sure. The number that certainly leaves it is rounded down.",
        ),
    ),
)
