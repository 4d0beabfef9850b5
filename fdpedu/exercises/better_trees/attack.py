"""An exercise to implement: what an attacker gains who has a leaf of one patient."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number, sequence


@cache
def thresholds() -> Sequence[Case]:
    """Thresholds near 0 and three bases; the nearest first."""
    bases = (Fraction(1, 2), Fraction(3, 4), Fraction(9, 10))
    cases = [(alpha, threshold) for threshold in range(-3, 5) for alpha in bases]
    return tuple(sorted(cases, key=lambda case: (abs(case[1]), case)))


def rates(alpha: Fraction, threshold: int) -> list[Fraction]:
    """Pr[1 + Z ≥ t] and Pr[Z ≥ t], Z discrete Laplace noise."""
    with_her, without = threshold - 1, threshold
    return [alpha**t / (1 + alpha) if t > 0 else 1 - alpha ** (1 - t) / (1 + alpha) for t in (with_her, without)]


def _tail(alpha: Fraction, t: int) -> Fraction:
    return alpha**t / (1 + alpha) if t > 0 else 1 - alpha ** (1 - t) / (1 + alpha)


ATTACK = Exercise(
    id="better-attack",
    kind="implement",
    hint="For t > 0 the probability Pr[Z ≥ t] is a geometric series; for the others use that Z is symmetric.",
    domain="thresholds from −3 to 4 and three values of α, thresholds near 0 first",
    cases=thresholds,
    size=lambda alpha, threshold: abs(threshold),
    reference=rates,
    read=sequence(number, 2),
    explanation=(
        "With t > 0, Pr[Z ≥ t] = α^t/(1 + α); with t ≤ 0 it is 1 − Pr[Z ≥ 1 − t]. She is there: t − 1 in place of t.\n"
        "For t > 0 the quotient is exactly 1/α = e^(sε), the bound TPR ≤ e^(sε)·FPR with equality. The splits were "
        "chosen by a liar, and her protection is the noise on the count."
    ),
    wrong=(
        Misconception(
            "asks for more than the threshold",
            lambda alpha, threshold: [_tail(alpha, threshold), _tail(alpha, threshold + 1)],
            '"At least" includes the threshold itself; with integers that matters.',
        ),
        Misconception(
            "takes continuous noise",
            lambda alpha, threshold: [
                alpha**t / 2 if t > 0 else 1 - alpha ** (-t) / 2 for t in (threshold - 1, threshold)
            ],
            "That is the tail of Laplace noise on the real line. The noise is on integers, and 0 has a probability of "
            "its own.",
        ),
        Misconception(
            "exchanges the two rates",
            lambda alpha, threshold: [_tail(alpha, threshold), _tail(alpha, threshold - 1)],
            "True positives are those where she is there, and then the count is one larger.",
        ),
        Misconception(
            "takes one rate for the rest of the other",
            lambda alpha, threshold: [1 - _tail(alpha, threshold), _tail(alpha, threshold)],
            '1 − FPR is the rate of saying "not there" when she is not. It says nothing about when she is.',
        ),
    ),
)
