"""An exercise to implement: how often a guess is right, among the runs in which one is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number

LAWS = tuple([Fraction(part, 6) for part in law] for law in ((3, 2, 1), (1, 2, 3), (2, 2, 2), (4, 1, 1), (0, 3, 3)))


@cache
def games() -> Sequence[Case]:
    """Two laws on three outputs, and two lists of outputs without a common one; the fewest guesses first."""
    return tuple(sorted(_games(), key=lambda case: len(case[2]) + len(case[3])))


def _games() -> Iterator[Case]:
    for p, q in product(LAWS, repeat=2):
        for sides in product((0, 1, -1), repeat=3):
            ones, zeros = ([k for k, side in enumerate(sides) if side == which] for which in (1, -1))
            if any(p[k] + q[k] for k in (*ones, *zeros)):
                yield p, q, ones, zeros


def right(p: Sequence[Fraction], q: Sequence[Fraction], ones: Sequence[int], zeros: Sequence[int]) -> Fraction:
    """Right guesses among all guesses; both coins are one half, which cancels."""
    good = sum(q[k] for k in ones) + sum(p[k] for k in zeros)
    made = sum(p[k] + q[k] for k in [*ones, *zeros])
    return Fraction(good) / made


GUESS = Exercise(
    id="audit-guess",
    kind="implement",
    hint="Four things can happen with a guess: the coin chose D or D′, and the output is in one list or the other. "
    "Which two are right? And how likely is any of the four?",
    domain="pairs of five distributions on three outputs, all ways to guess; the fewest outputs with a guess first",
    cases=games,
    size=lambda p, q, ones, zeros: len(ones) + len(zeros),
    reference=right,
    read=number,
    explanation=(
        "A guess of D′ is right with probability ½·q(ones), a guess of D with ½·p(zeros). A guess is made with "
        "probability ½·(p + q)(ones and zeros). The quotient is what is asked. If no output is more than e^ε times as "
        "likely on one side as on the other, it is at most e^ε/(1 + e^ε): each list alone obeys that, and the quotient "
        "lies between those of both lists."
    ),
    wrong=(
        Misconception(
            "counts the runs without a guess",
            lambda p, q, ones, zeros: Fraction(sum(q[k] for k in ones) + sum(p[k] for k in zeros)) / 2,
            "That is how often a run has a right guess, among all runs. Runs without a guess are not played, so they "
            "do not count: divide by how often a guess is made.",
        ),
        Misconception(
            "plays on D′ only",
            lambda p, q, ones, zeros: sum(q[k] for k in ones) / s if (s := sum(q[k] for k in (*ones, *zeros))) else 0,
            "The coin chooses D as often as D′, and guesses are made there, too. A right guess of D is worth as much.",
        ),
        Misconception(
            "exchanges D and D′",
            lambda p, q, ones, zeros: (
                Fraction(sum(p[k] for k in ones) + sum(q[k] for k in zeros)) / sum(p[k] + q[k] for k in [*ones, *zeros])
            ),
            "q is the distribution on D′, and ones are the outputs at which D′ is guessed. What you have is how often "
            "the guess is wrong.",
        ),
    ),
)
