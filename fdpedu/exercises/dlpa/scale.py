"""An exercise to implement: shape and scale of a gamma share."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number, sequence

Parameters = tuple[Fraction, Fraction]


@cache
def rounds() -> Sequence[Case]:
    """1 to 6 parties, any number tolerated, three ε and sensitivities; fewest parties first."""
    budgets = [*product(map(Fraction, ("2", "1/10", "3")), (1, 4, 3))]
    return tuple((n, c, e, delta) for n in range(1, 7) for c in range(n) for e, delta in budgets)


def gamma_parameters(n_parties: int, tolerate: int, epsilon: Any, sensitivity: Any) -> Parameters:
    """(n_parties − tolerate) shares make up Laplace noise of scale Δ/ε."""
    return Fraction(1, n_parties - tolerate), Fraction(sensitivity) / Fraction(epsilon)


SCALE = Exercise(
    id="dlpa-scale",
    kind="implement",
    hint="The shapes of independent gamma numbers of one scale add up. What must the shapes of n_parties − tolerate "
    "shares add up to? And is ε large where the noise is large?",
    domain="1 to 6 parties, any number of them tolerated, ε = 2, 1/10, 3, sensitivities 1, 4, 3; fewest parties first",
    cases=rounds,
    size=lambda n_parties, tolerate, epsilon, sensitivity: n_parties,
    reference=gamma_parameters,
    read=sequence(number, 2),
    explanation=(
        "Shapes add up, and Laplace noise is a difference of two gamma numbers of shape 1. So the shape is 1/m, with "
        "m = n_parties − tolerate.\n"
        "The scale of each gamma number is the scale of the Laplace noise, Δ/ε, whatever m is. In the report's "
        "Gamma(1/K, ε) the second parameter is a rate, which is the scale 1/ε for NumPy."
    ),
    wrong=(
        Misconception(
            "takes the rate for the scale",
            lambda n, c, e, delta: (Fraction(1, n - c), e / delta),
            "ε/Δ is the rate. NumPy takes the scale Δ/ε, which is large where the noise is large.",
        ),
        Misconception(
            "takes the number of parties for the shape",
            lambda n, c, e, delta: (Fraction(n - c), delta / e),
            "Shapes add up: m shares of shape m would have shape m² together. They must have shape 1 together.",
        ),
        Misconception(
            "tolerates nobody",
            lambda n, c, e, delta: (Fraction(1, n), delta / e),
            "With these shares all n_parties are needed. Here n_parties − tolerate of them have to be enough.",
        ),
        Misconception(
            "divides the scale",
            lambda n, c, e, delta: (Fraction(1), delta / (e * (n - c))),
            "Smaller noise of shape 1 does not add up to Laplace noise. Keep the scale and divide the shape.",
        ),
        Misconception(
            "forgets the sensitivity",
            lambda n, c, e, delta: (Fraction(1, n - c), 1 / e),
            "That is right for queries that one record moves by 1. The scale is Δ/ε.",
        ),
    ),
)
