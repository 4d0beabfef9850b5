"""An exercise to implement: what eq. (3) says of hospitals that are alike."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number

SCORES = (Fraction(1, 2), Fraction(3, 5), Fraction(3, 4), Fraction(1), Fraction(2))


@cache
def hospitals() -> Sequence[Case]:
    """Two and three hospitals with any of five scores; two first."""
    return tuple((list(scores),) for k in (2, 3) for scores in product(SCORES, repeat=k))


def mean_change(scores: list[Fraction]) -> Fraction:
    """The mean of (ours − theirs)/theirs over all ordered pairs of different hospitals."""
    changes = [
        (ours - theirs) / theirs
        for i, ours in enumerate(scores)
        for j, theirs in enumerate(scores)
        if i != j  # a hospital is not compared with itself
    ]
    return sum(changes) / Fraction(len(changes))


def _zero(scores: list[Fraction]) -> int:
    return 0


def _in_order(scores: list[Fraction]) -> Fraction:
    pairs = [(a, b) for i, a in enumerate(scores) for b in scores[i + 1 :]]
    return sum(((a - b) / b for a, b in pairs), Fraction(0)) / len(pairs)


def _by_ours(scores: list[Fraction]) -> Fraction:
    return -mean_change(scores)


def _with_itself(scores: list[Fraction]) -> Fraction:
    return mean_change(scores) * (len(scores) - 1) / len(scores)


def _without_sign(scores: list[Fraction]) -> Fraction:
    pairs = [(a, b) for i, a in enumerate(scores) for j, b in enumerate(scores) if i != j]
    return sum((abs(a - b) / b for a, b in pairs), Fraction(0)) / len(pairs)


RELATIVE = Exercise(
    id="fedga-relative",
    kind="implement",
    hint=(
        "With scores 1 and 2 one comparison is 2 against 1, the other 1 against 2. By what share of the other does "
        "each of them differ?"
    ),
    domain="two and three hospitals with scores 1/2, 3/5, 3/4, 1 and 2; two first",
    cases=hospitals,
    size=len,
    reference=mean_change,
    read=number,
    explanation=(
        "The two orders of scores a and b give (a − b)/b + (b − a)/a = (a − b)²/(ab), above 0 unless a = b. So "
        "trees that are alike improve on each other, all of them, and the more so the more their scores vary; where "
        "less is better, each looks worse than each. A positive mean is no sign that one is better.\n"
        "The logarithm of ours/theirs changes its sign when the two are exchanged, and so its mean over both orders "
        "is 0."
    ),
    wrong=(
        Misconception(
            "expects 0 because they are alike",
            _zero,
            "That is what a fair measure says. But a rise from 1 to 2 is 100 %, and the way back is 50 % only: the "
            "mean of the two is 25 %.",
        ),
        Misconception(
            "compares each two only once",
            _in_order,
            "Then the result depends on who comes first. Each hospital is ours once against each other.",
        ),
        Misconception(
            "divides by ours",
            _by_ours,
            "Eq. (3) divides by what it compares with, that is theirs. Divided by ours the sign is the other one, with "
            "the same hospitals: so much for what the sign means.",
        ),
        Misconception(
            "compares a hospital with itself",
            _with_itself,
            "A hospital's own tree against itself changes nothing, but it makes the mean smaller. Take pairs of "
            "different hospitals.",
        ),
        Misconception(
            "drops the signs",
            _without_sign,
            "A tree that is worse counts below 0. Even so the mean comes out above 0.",
        ),
    ),
)
