"""An exercise to implement: the Newton step of a leaf."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number

Rows = list[tuple[int, Fraction]]


@cache
def leaves() -> Sequence[Case]:
    """Leaves of no row to three rows, with two penalties; fewest rows first."""
    kinds = list(product((0, 1), (Fraction(1, 2), Fraction(1, 4), Fraction(2, 3))))
    penalties = (Fraction(1), Fraction(1, 2))
    return tuple(
        (list(rows), penalty)
        for n in range(4)
        for rows in combinations_with_replacement(kinds, n)
        for penalty in penalties
    )


def weight(rows: Rows, penalty: Fraction) -> Fraction:
    """Against the sum of the gradients, divided by the sum of the Hessians and λ."""
    gradients = sum(p - y for y, p in rows)
    hessians = sum(p * (1 - p) for y, p in rows)
    return -gradients / (hessians + penalty)


def _sums(rows: Rows) -> tuple[Fraction, Fraction]:
    return sum((p - y for y, p in rows), Fraction(0)), sum((p * (1 - p) for y, p in rows), Fraction(0))


def _outside(rows: Rows, penalty: Fraction) -> Fraction:
    gradients, hessians = _sums(rows)
    return -gradients / hessians + penalty if rows else Fraction(0)


def _of_the_mean(rows: Rows, penalty: Fraction) -> Fraction:
    mean = sum((p for _, p in rows), Fraction(0)) / max(1, len(rows))
    return -_sums(rows)[0] / (len(rows) * mean * (1 - mean) + penalty)


STEP = Exercise(
    id="boosting-step",
    kind="implement",
    hint="What are the gradient and the Hessian of a row with y = 1 and p = 1/2? In which direction must its score go?",
    domain="leaves of up to three rows with probabilities 1/2, 1/4 and 2/3, and λ = 1 or 1/2; fewest rows first",
    cases=leaves,
    size=lambda rows, penalty: len(rows),
    reference=weight,
    read=number,
    explanation=(
        "The gradient of a row is p − y and its Hessian p(1 − p). The step is −Σ(p − y) / (Σp(1 − p) + λ).\n"
        "In a leaf with more rows of class 1 than their probabilities say, the sum of the gradients is negative and "
        "the step positive. An empty leaf has the step 0, because of λ."
    ),
    wrong=(
        Misconception(
            "counts rows in place of Hessians",
            lambda rows, penalty: -_sums(rows)[0] / (len(rows) + penalty),
            "That is equation (3), the gradient step. A Newton step divides by the sum of p(1 − p), which is at most a "
            "quarter of the number of rows.",
        ),
        Misconception(
            "steps away from the classes",
            lambda rows, penalty: _sums(rows)[0] / (_sums(rows)[1] + penalty),
            "The sign is wrong: either the minus is missing, or y − p stands in the place of p − y. In a leaf of class "
            "1 the scores have to rise.",
        ),
        Misconception(
            "adds λ to the quotient",
            _outside,
            "λ belongs to the sum of the Hessians, below the line. There it keeps a step small; outside it would move "
            "all scores by λ.",
        ),
        Misconception(
            "takes the Hessian of the mean",
            _of_the_mean,
            "Each row has a Hessian of its own. n·p(1 − p) at the mean of the probabilities is more than the sum of "
            "these, unless all rows have the same p.",
        ),
    ),
)
