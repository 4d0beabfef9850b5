"""An exercise to implement: which ε is a lower bound, when several claims were bet against."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number

ALPHA = Fraction(1, 10)


@cache
def ladders() -> Sequence[Case]:
    """Claims 0, 1/2, 1, … with the largest wealth against each: 1, 9, 10 or 50; the fewest first."""
    return tuple(
        ([[Fraction(k, 2), most] for k, most in enumerate(wealths)], ALPHA)
        for n in range(1, 5)
        for wealths in product((1, 9, 10, 50), repeat=n)
        if wealths[-1] < 10
    )


def bound(claims: Sequence[Sequence[Fraction]], alpha: Fraction) -> Fraction:
    """The first claim that stands."""
    return next(epsilon for epsilon, wealth in claims if wealth < 1 / alpha)


def _after_the_last(claims: Sequence[Sequence[Fraction]], alpha: Fraction) -> Fraction:
    beaten = [k for k, (_, wealth) in enumerate(claims) if wealth >= 1 / alpha]
    return claims[beaten[-1] + 1][0] if beaten else claims[0][0]


BOUND = Exercise(
    id="audit-bound",
    kind="implement",
    hint="Suppose the mechanism really has the ε of the second claim. Which of the wealths may then be large?",
    domain="one to four claims 0, 1/2, 1, … against which the largest wealth was 1, 9, 10 or 50; the fewest first",
    cases=ladders,
    size=lambda claims, alpha: len(claims),
    reference=bound,
    read=number,
    explanation=(
        "Let ε* be what the mechanism really has. A bound above ε* is an error. If the bound is the first claim that "
        "is not rejected, it exceeds ε* only if ε* itself was rejected, and that has probability at most α. Nothing "
        "bounds how often some larger claim is rejected by chance as well, once a smaller one stands."
    ),
    wrong=(
        Misconception(
            "takes the claim after the last that was rejected",
            _after_the_last,
            "If ε* is the first claim that stands, a larger one that was rejected is a bet that went well by luck: "
            "its claim is true, too. The bound may not jump over a claim that stands.",
        ),
        Misconception(
            "rejects only above 1/α",
            lambda claims, alpha: next(epsilon for epsilon, wealth in claims if wealth <= 1 / alpha),
            "Ville's inequality allows to reject at 1/α itself.",
        ),
        Misconception(
            "takes the claim with the largest wealth",
            lambda claims, alpha: max(claims, key=lambda claim: claim[1])[0],
            "The largest wealth says which claim is most surely wrong. The bound is the first one that may be right.",
        ),
    ),
)
