"""An exercise to implement: from the score of the gentle loss to the probability."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import gcd

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number


@cache
def logistics() -> Sequence[Case]:
    """All fractions between 0 and 1 with denominators up to 16; the smallest denominator first."""
    return tuple((Fraction(k, n),) for n in range(2, 17) for k in range(1, n) if gcd(k, n) == 1)


def probability(q: Fraction) -> Fraction:
    """The lemma's formula, solved for η; below one half with the classes exchanged."""
    if q < Fraction(1, 2):
        return 1 - 1 / (3 - 2 * (1 - q))
    return 1 / (3 - 2 * q)


def _backwards(q: Fraction) -> Fraction:
    return (3 * q - 1) / (2 * q) if q >= Fraction(1, 2) else 1 - (2 - 3 * q) / (2 * (1 - q))


CALIBRATED = Exercise(
    id="boosting-calibrated",
    kind="implement",
    hint="At the least expected loss, the pulls of the ill and of the well, weighted by their shares, add up to 0. For "
    "q ≥ 1/2 one of the two classes pulls with 1/2.",
    domain="all fractions between 0 and 1 with denominators up to 16; the smallest denominator first",
    cases=logistics,
    size=lambda q: q.denominator,
    reference=probability,
    read=number,
    explanation=(
        "For q ≥ 1/2 the ill pull with q − 1 and the well with 1/2, because of the clip. So η(q − 1) + (1 − η)/2 = 0, "
        "which gives q = (3η − 1)/(2η) and η = 1/(3 − 2q). For q < 1/2 exchange the classes: 1 − η = 1/(1 + 2q).\n"
        "For q > 1/2, q − η = (2q − 1)(1 − q)/(3 − 2q) is positive. All this is said of the least expected loss. A "
        "model that is grown in a few noisy rounds need not reach it, so its scores do not have to follow the formula."
    ),
    wrong=(
        Misconception(
            "takes σ(s*) for the probability",
            lambda q: q,
            "That holds for the logistic loss. Here rows that are wrong pull with 1/2 only, so at the minimum q is not "
            "the share of the ill.",
        ),
        Misconception(
            "uses the formula the wrong way",
            _backwards,
            "(3η − 1)/(2η) goes from the share η to q = σ(s*). You have q and look for η: solve it for η.",
        ),
        Misconception(
            "forgets that the classes change places",
            lambda q: 1 / (3 - 2 * q),
            "For q below 1/2 it is the ill who pull with 1/2, and the well who pull with q. At q near 0 your formula "
            "still says that a third is ill.",
        ),
        Misconception(
            "exchanges the classes once only",
            lambda q: 1 / (3 - 2 * q) if q >= Fraction(1, 2) else 1 / (1 + 2 * q),
            "With 1 − q in the place of q the formula gives the share of the well. The share of the ill is what is "
            "left.",
        ),
    ),
)
