"""An exercise to implement: how many parties have added noise, from cells that are empty for certain."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number


@cache
def releases() -> Sequence[Case]:
    """One to three released cells from −2 to 2, α = 1/2 and 2/3, m = 1, 2, 5; fewest cells first."""
    return tuple(
        (list(cells), alpha, m)
        for size in (1, 2, 3)
        for cells in product(range(-2, 3), repeat=size)
        for alpha in (Fraction(1, 2), Fraction(2, 3))
        for m in (1, 2, 5)
    )


def shares_in(zeros: Sequence[int], alpha: Any, n_noise_shares: int) -> Any:
    """The mean square over the variance of one share, 2α/(m(1−α)²)."""
    variance = 2 * alpha / (1 - alpha) ** 2 / n_noise_shares
    return sum(z * z for z in zeros) / variance / len(zeros)


def _spread(zeros: Sequence[int]) -> Fraction:
    mean = Fraction(sum(zeros), len(zeros))
    return sum(((z - mean) ** 2 for z in zeros), Fraction(0)) / len(zeros)


ZEROS = Exercise(
    id="dlpa-zeros",
    kind="implement",
    hint="The mean of the noise is known to be 0. What is the mean of its square, if the noise is a sum of n shares?",
    domain="one to three cells with −2 to 2, α = 1/2 and 2/3, m = 1, 2, 5; fewest cells first",
    cases=releases,
    size=lambda zeros, alpha, n_noise_shares: len(zeros),
    reference=shares_in,
    read=number,
    explanation=(
        "Variances of independent shares add up: n of them have n/m times 2α/(1−α)². The mean square of the cells is "
        "an unbiased estimate of that, because the mean is known to be 0.\n"
        "The estimate is imprecise: for m shares and small ε its standard deviation is about m·√(5/cells). And it "
        "depends on the sum only: a party that sends no noise, and a party that adds two shares, look like an honest "
        "pair."
    ),
    wrong=(
        Misconception(
            "counts whole noises",
            lambda zeros, a, m: sum(z * z for z in zeros) * (1 - a) ** 2 / (2 * a) / len(zeros),
            "That estimates how many whole noises are in the sum. It takes m shares to make a whole noise.",
        ),
        Misconception(
            "rounds the estimate",
            lambda zeros, a, m: round(shares_in(zeros, a, m)),
            "The number of parties is whole, but its estimate need not be. A rounded estimate would be biased.",
        ),
        Misconception(
            "takes the mean away",
            lambda zeros, a, m: m * _spread(zeros) * (1 - a) ** 2 / (2 * a),
            "The mean of the noise is known to be 0. If the mean of the cells is not 0, that is noise, too.",
        ),
        Misconception(
            "divides by one less",
            lambda zeros, a, m: sum(z * z for z in zeros) * m * (1 - a) ** 2 / (2 * a) / max(1, len(zeros) - 1),
            "One divides by one less if the mean was estimated from the same numbers. Here the mean is known to be 0.",
        ),
        Misconception(
            "takes a geometric number's variance",
            lambda zeros, a, m: sum(z * z for z in zeros) * m * (1 - a) ** 2 / a / len(zeros),
            "The noise is a *difference* of two such numbers, which has twice the variance of one.",
        ),
        Misconception(
            "takes sizes for squares",
            lambda zeros, a, m: sum(map(abs, zeros)) * m * (1 - a) ** 2 / (2 * a) / Fraction(len(zeros)),
            "Variances add up, mean sizes do not. Square the values.",
        ),
    ),
)
