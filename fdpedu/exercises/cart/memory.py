"""An exercise on what a tree remembers: one patient's value out of a published threshold."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, pairwise

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number

AGES = range(60, 68)
MAX_PATIENTS = 5


@cache
def attacks() -> Sequence[Case]:
    """All (t, known) that arise from two to five patients of different ages, by patients."""
    cases: list[Case] = []
    for ages in (ages for n in range(2, MAX_PATIENTS + 1) for ages in combinations(AGES, n)):
        for low, high in pairwise(ages):
            for unknown in (low, high):
                known = [age for age in ages if age != unknown]
                cases += [((low + high) / 2, order) for order in ([known, known[::-1]] if known[1:] else [known])]
    return tuple(cases)


def unknown_value(t: float, known: Sequence[int]) -> float:
    """The age of the patient whom the attacker does not know."""
    nearest = min(known, key=lambda age: abs(age - t))
    return 2 * t - nearest


MEMORY = Exercise(
    id="cart-memory",
    kind="break",
    hint=(
        "One of the two neighbours of t is in `known`, the other is not, and t is halfway between them. Which of the "
        "known ages must it be, when nobody's age lies in between?"
    ),
    domain=(
        f"two to {MAX_PATIENTS} different ages from {AGES[0]} to {AGES[-1]}, either neighbour of t unknown, known "
        "ages upwards and downwards, fewest patients first"
    ),
    cases=attacks,
    size=lambda t, known: len(known),
    reference=unknown_value,
    read=number,
    explanation=(
        "Let the neighbours of t be t − d and t + d. One is known, and no known age is nearer to t than d, since the "
        "two are neighbours; the other side has none at distance d either, since ages differ and that is the missing "
        "patient. So the nearest known age is the known neighbour, without a tie, and the patient is its mirror "
        "image."
    ),
    wrong=(
        Misconception(
            "takes the threshold for the age",
            lambda t, known: t,
            "t lies halfway between two patients; it is nobody's age. But it is known exactly, and so is one of the "
            "two.",
        ),
        Misconception(
            "rounds the threshold",
            lambda t, known: round(t),
            "Rounding guesses. t was computed from two ages, and one of them is known to you: solve for the other.",
        ),
        Misconception(
            "names the neighbour who is known",
            lambda t, known: min(known, key=lambda age: abs(age - t)),
            "You found the right neighbour, but that age you knew before. The missing one is as far from t, on the "
            "other side.",
        ),
        Misconception(
            "mirrors the nearest age above only",
            lambda t, known: 2 * t - min((age for age in known if age > t), default=t),
            "You assume that the missing patient is the lower neighbour. It may be the upper one: compare the "
            "distances to t on both sides.",
        ),
        Misconception(
            "mirrors the nearest age below only",
            lambda t, known: 2 * t - max((age for age in known if age < t), default=t),
            "You assume that the missing patient is the upper neighbour. It may be the lower one: compare the "
            "distances to t on both sides.",
        ),
    ),
)
