"""An exercise to implement: what the trees of one round cost together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number, sequence


@cache
def rounds() -> Sequence[Case]:
    """One to six trees, 2 to 8 leaves, three clips; fewest trees first."""
    return tuple((trees, leaves, clip) for trees in range(1, 7) for leaves in (2, 4, 8) for clip in (1, 2, 32))


def price(trees: int, leaves: int, clip: int) -> list[int]:
    """A record is in one leaf of each tree, and moves each of these sums by its pull."""
    return [trees * clip, trees * clip**2, trees]


PRICE = Exercise(
    id="boosting-price",
    kind="implement",
    hint="In how many leaves of one tree is a record? Is it in the second tree, too?",
    domain="one to six trees with 2, 4 or 8 leaves, and clips of 1, 2 and 32; fewest trees first",
    cases=rounds,
    size=lambda trees, leaves, clip: trees,
    reference=price,
    read=sequence(number, 3),
    explanation=(
        "The record is in one leaf of each of the B trees, and moves its sum by the same pull g, |g| ≤ c. So the "
        "answer changes in B numbers, by B·c in the ℓ₁ norm, and by B·c² in the square of the ℓ₂ norm.\n"
        "Two trees are not had for the price of one. But in ρ the noise grows with √B only, and not with B: for the "
        "same ρ, twice as many trees have √2 times the noise in each sum."
    ),
    wrong=(
        Misconception(
            "takes trees of a round for disjoint",
            lambda trees, leaves, clip: [clip, clip**2, 1],
            "The leaves of one tree are disjoint, so they are had for the price of one. The trees are not: a record "
            "is in a leaf of each of them.",
        ),
        Misconception(
            "charges every leaf",
            lambda trees, leaves, clip: [trees * leaves * clip, trees * leaves * clip**2, trees * leaves],
            "Within one tree a record is in a single leaf. The sums of the other leaves do not move.",
        ),
        Misconception(
            "squares the whole change",
            lambda trees, leaves, clip: [trees * clip, (trees * clip) ** 2, trees],
            "The ℓ₂ norm adds up squares: B numbers that move by c each give B·c². (B·c)² would be the square of their "
            "sum.",
        ),
        Misconception(
            "takes the length for its square",
            lambda trees, leaves, clip: [trees * clip, trees**0.5 * clip, trees],
            "√B·c is the ℓ₂ sensitivity itself. Here its square was asked for, which is an integer.",
        ),
    ),
)
