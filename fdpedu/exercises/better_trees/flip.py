"""An exercise to implement: how a designer draws one of two splits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number, sequence


@cache
def pairs() -> Sequence[Case]:
    """Losses from 0 to 4 of two splits, and two bases; the smallest sum of losses first."""
    cases = product(range(5), range(5), (Fraction(1, 2), Fraction(1, 3)))
    return tuple(sorted(cases, key=lambda case: (case[0] + case[1], case)))


def law(first: int, second: int, alpha: Fraction) -> list[Fraction]:
    """The worse split is drawn if it comes first and its coin shows heads."""
    worse = alpha ** abs(first - second) / 2
    return [1 - worse, worse] if first <= second else [worse, 1 - worse]


FLIP = Exercise(
    id="better-flip",
    kind="implement",
    hint="The coin of the better split always shows heads. When is the worse one drawn at all?",
    domain="losses from 0 to 4 and α = 1/2 or 1/3, the smallest sum of losses first",
    cases=pairs,
    size=lambda first, second, alpha: first + second,
    reference=law,
    read=sequence(number, 2),
    explanation=(
        "The better split's coin has the probability α^0 = 1. So the worse one is drawn only if it comes first, "
        "which has probability 1/2, and its own coin shows heads: α^difference/2.\n"
        "One record moves the difference by at most m steps, so this probability changes by at most the factor e^ε."
    ),
    wrong=(
        Misconception(
            "uses the exponential mechanism",
            lambda first, second, alpha: [
                alpha**first / (alpha**first + alpha**second),
                alpha**second / (alpha**first + alpha**second),
            ],
            "Weights that are divided by their sum are the exponential mechanism's. Here coins are thrown in a "
            "random order, and the worse split is drawn less often.",
        ),
        Misconception(
            "takes the whole loss",
            lambda first, second, alpha: [
                alpha**first * (1 - alpha**second / 2),
                alpha**second * (1 - alpha**first / 2),
            ],
            "The coins compare with the best candidate, L − min L. With L alone both may show tails, and the "
            "probabilities do not add up to 1.",
        ),
        Misconception(
            "throws the worse coin without an order",
            lambda first, second, alpha: (
                [1 - alpha ** (second - first), alpha ** (second - first)]
                if first <= second
                else [alpha ** (first - second), 1 - alpha ** (first - second)]
            ),
            "If the better split comes first it is taken at once. The worse one has its chance in half of the orders.",
        ),
        Misconception(
            "always takes the better one",
            lambda first, second, alpha: [Fraction(1, 2)] * 2 if first == second else [first < second, second < first],
            "Then a record that changes which one is better would be seen with certainty.",
        ),
    ),
)
