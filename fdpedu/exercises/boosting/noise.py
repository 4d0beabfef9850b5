"""An exercise to implement: how much noise a score has, in ρ and in ε."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number, sequence


@cache
def models() -> Sequence[Case]:
    """One to five rounds of one to five trees, and two budgets; fewest trees in all first."""
    budgets = ((Fraction(1, 2), Fraction(1)), (Fraction(1, 50), Fraction(1, 2)))
    cases = [
        (rounds, trees, rho, epsilon) for rounds in range(1, 6) for trees in range(1, 6) for rho, epsilon in budgets
    ]
    return tuple(sorted(cases, key=lambda case: (case[0] * case[1], case)))


def variances(rounds: int, trees: int, rho: Fraction, epsilon: Fraction) -> list[Fraction]:
    """So many noises, each multiplied by the small step: the step comes in squared."""
    many = rounds * trees
    in_rho = Fraction(trees) / (2 * (rho / rounds))
    in_epsilon = 2 * (trees / (epsilon / rounds)) ** 2
    return [many * in_rho / many**2, many * in_epsilon / many**2]


NOISE = Exercise(
    id="boosting-noise",
    kind="implement",
    hint="First the noise of one sum, then that of the mean of `rounds * trees` of them. What does a factor do to a "
    "variance?",
    domain="up to five rounds of up to five trees, and two budgets; fewest trees first",
    cases=models,
    size=lambda rounds, trees, rho, epsilon: rounds * trees,
    reference=variances,
    read=sequence(number, 2),
    explanation=(
        "In ρ a sum has the variance B/(2ρ/R) = RB/(2ρ). The mean of RB of them has RB·(RB/(2ρ))/(RB)² = 1/(2ρ): "
        "neither R nor B is left.\n"
        "In ε the scale of a sum is RB/ε, so its variance is 2(RB/ε)², and the mean has 2RB/ε². It grows with the "
        "number of trees. This is why a budget in ε grows few trees."
    ),
    wrong=(
        Misconception(
            "adds up the sums",
            lambda rounds, trees, rho, epsilon: [
                (rounds * trees) ** 2 / (2 * rho),
                2 * (rounds * trees) ** 3 / epsilon**2,
            ],
            "The score is the mean over the trees, so each noise is multiplied by 1/(RB), and its variance by the "
            "square of that.",
        ),
        Misconception(
            "averages noise that costs nothing more",
            lambda rounds, trees, rho, epsilon: [
                1 / (2 * rho * rounds * trees),
                2 / (epsilon**2 * rounds * trees),
            ],
            "A mean of more numbers has less noise, if each has the same. Here more trees share one budget, so each of "
            "them has more noise.",
        ),
        Misconception(
            "shares the budget among rounds only",
            lambda rounds, trees, rho, epsilon: [
                1 / (2 * rho * trees),
                Fraction(2 * rounds, trees) / epsilon**2,
            ],
            "The trees of a round are not had for the price of one: a record moves one sum of each of them, so both "
            "sensitivities grow with the number of trees.",
        ),
        Misconception(
            "takes ε for ρ",
            lambda rounds, trees, rho, epsilon: [1 / (2 * rho), 2 / epsilon**2],
            "In ε it is scales that grow like the number of trees, and not variances. So the variance of each sum "
            "grows with its square, and dividing by the number of trees does not make up for that.",
        ),
        Misconception(
            "divides the variance by the step once",
            lambda rounds, trees, rho, epsilon: [
                rounds * trees / (2 * rho),
                2 * (rounds * trees) ** 2 / epsilon**2,
            ],
            "A noise that is multiplied by 1/(RB) has its variance multiplied by 1/(RB)². RB of them together still "
            "have a factor 1/(RB).",
        ),
    ),
)
