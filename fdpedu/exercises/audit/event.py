"""An exercise to implement: at which outputs a guess pays."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer, sequence

LAWS = tuple(
    [Fraction(part, 12) for part in law]
    for law in (
        (6, 6),
        (4, 8),
        (9, 3),
        (12, 0),
        (6, 3, 3),
        (1, 8, 3),
        (3, 5, 4),
        (0, 6, 6),
        (6, 3, 2, 1),
        (1, 2, 3, 6),
        (3, 3, 3, 3),
    )
)


@cache
def laws() -> Sequence[Case]:
    """Pairs of laws on as many outputs, and e^ε of 3/2, 2 and 3; the fewest outputs first."""
    return tuple(
        (p, q, factor)
        for p, q in sorted(product(LAWS, repeat=2), key=lambda pair: len(pair[0]))
        if len(p) == len(q)
        for factor in (Fraction(3, 2), Fraction(2), Fraction(3))
    )


def event(p: Sequence[Fraction], q: Sequence[Fraction], factor: Fraction) -> list[list[int]]:
    """Where one law is more than e^ε times the other."""
    ones = [k for k in range(len(p)) if q[k] > factor * p[k]]
    zeros = [k for k in range(len(p)) if p[k] > factor * q[k]]
    return [ones, zeros]


EVENT = Exercise(
    id="audit-event",
    kind="implement",
    hint="Take one output alone. How often is a guess right that is made there, and how often does the claim allow it?",
    domain="pairs of distributions on two to four outputs, e^ε of 3/2, 2 and 3; the fewest outputs first",
    cases=laws,
    size=lambda p, q, factor: len(p),
    reference=event,
    read=sequence(sequence(integer), 2),
    explanation=(
        "At one output k a guess of D′ is right with probability q/(p + q). The claim allows e^ε/(1 + e^ε), and it is "
        "more than that iff q > e^ε·p. So D′ is guessed there, D where p > e^ε·q, and nothing elsewhere, because a "
        "guess that is right no more often than the claim allows only costs. For a mechanism whose distribution nobody "
        "can write down, an audit estimates these lists from runs that it then does not bet on."
    ),
    wrong=(
        Misconception(
            "guesses whatever is likelier",
            lambda p, q, factor: [
                [k for k in range(len(p)) if q[k] > p[k]],
                [k for k in range(len(p)) if p[k] > q[k]],
            ],
            "An output that is a little likelier on one side is what the claim allows. There a guess wins too seldom "
            "for the odds, and the gambler loses money.",
        ),
        Misconception(
            "looks in one direction only",
            lambda p, q, factor: [[k for k in range(len(p)) if q[k] > factor * p[k]], []],
            "The claim holds in both directions. Outputs that are more than e^ε times as likely on D refute it, too.",
        ),
        Misconception(
            "looks for the largest difference",
            lambda p, q, factor: [
                [k for k in range(len(p)) if q[k] - p[k] > 1 - 1 / factor],
                [k for k in range(len(p)) if p[k] - q[k] > 1 - 1 / factor],
            ],
            "The claim is about ratios. A small probability beside a much smaller one breaks it, though they differ "
            "by little.",
        ),
    ),
)
