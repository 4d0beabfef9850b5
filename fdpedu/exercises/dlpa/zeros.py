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
    chapter="dlpa",
    level="extend",
    kind="implement",
    title="Known zeros",
    task=(
        "Some cells of a histogram are empty for certain: bins that lie outside the node. What is released there is "
        "noise and nothing else. Any $m$ Pólya shares make up discrete Laplace noise with "
        "$\\Pr[k]\\propto\\alpha^{|k|}$, whose variance is $2\\alpha/(1-\\alpha)^2$. Write "
        "`shares_in(zeros, alpha, n_noise_shares)`: an estimate, without bias, of how many parties have added a "
        "share, from the list `zeros` of the values released in such cells, the fraction `alpha` and $m$. So parties "
        "that add no noise can be noticed, though never one by one."
    ),
    hint="The mean of the noise is 0 and known to be. What is the mean of its square, if n shares are in it?",
    domain="one to three cells with −2 to 2, α = 1/2 and 2/3, m = 1, 2, 5; fewest cells first",
    cases=releases,
    size=lambda zeros, alpha, n_noise_shares: len(zeros),
    reference=shares_in,
    read=number,
    stub=(
        'def shares_in(zeros, alpha, n_noise_shares):\n    """The estimated number of shares in the noise."""\n    ...'
    ),
    explanation=(
        "Variances of independent shares add up: n of them have n/m times 2α/(1−α)². The mean square of the cells is "
        "an unbiased estimate of that, because the mean is known to be 0.\n"
        "It is a noisy one: with z cells its standard deviation is near the estimate times √(5/z). And it sees the sum "
        "only: one party without noise and one with half as much again look like an honest pair."
    ),
    wrong=(
        Misconception(
            "counts whole noises",
            lambda zeros, a, m: sum(z * z for z in zeros) * (1 - a) ** 2 / (2 * a) / len(zeros),
            "That says how many times the full noise is there. It takes m shares to make one.",
        ),
        Misconception(
            "rounds the estimate",
            lambda zeros, a, m: round(shares_in(zeros, a, m)),
            "An estimate need not be whole, though the number of parties is: rounded, it would be biased.",
        ),
        Misconception(
            "takes the mean away",
            lambda zeros, a, m: m * _spread(zeros) * (1 - a) ** 2 / (2 * a),
            "The mean of the noise is 0, and known to be. What deviates from it is noise, too.",
        ),
        Misconception(
            "divides by one less",
            lambda zeros, a, m: sum(z * z for z in zeros) * m * (1 - a) ** 2 / (2 * a) / max(1, len(zeros) - 1),
            "One less is for a mean that was estimated from the same numbers. Here it is known to be 0.",
        ),
        Misconception(
            "takes a geometric number's variance",
            lambda zeros, a, m: sum(z * z for z in zeros) * m * (1 - a) ** 2 / a / len(zeros),
            "Noise is a *difference* of two such numbers: twice the variance.",
        ),
        Misconception(
            "takes sizes for squares",
            lambda zeros, a, m: sum(map(abs, zeros)) * m * (1 - a) ** 2 / (2 * a) / Fraction(len(zeros)),
            "Variances add up, mean sizes do not. Square the values.",
        ),
    ),
)
