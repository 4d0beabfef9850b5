"""An exercise to implement: what a gambler owns after some runs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number


@cache
def games() -> Sequence[Case]:
    """Up to four runs, two odds and two stakes; the shortest first."""
    return tuple(
        (list(guesses), odds, stake)
        for n in range(5)
        for guesses in product(("right", "wrong", "none"), repeat=n)
        for odds in (Fraction(1, 2), Fraction(1, 3))
        for stake in (Fraction(1, 4), Fraction(2, 3))
    )


def wealth(guesses: Sequence[str], odds: Fraction, stake: Fraction) -> Fraction:
    """Everything that is owned is multiplied, run by run."""
    factors = {"right": 1 + odds * stake, "wrong": 1 - stake, "none": Fraction(1)}
    owned = Fraction(1)
    for guess in guesses:
        owned *= factors[guess]
    return owned


def _played(guesses: Sequence[str], odds: Fraction, stake: Fraction, *, none: Fraction, floor: Fraction) -> Fraction:
    owned = Fraction(1)
    for guess in guesses:
        owned = max(floor, owned * {"right": 1 + odds * stake, "wrong": 1 - stake, "none": none}[guess])
    return owned


WEALTH = Exercise(
    id="audit-wealth",
    kind="implement",
    hint="A stake is a part of what is owned at the moment, not of what was owned at the beginning.",
    domain="all lists of up to four runs, two odds and two stakes; the shortest first",
    cases=games,
    size=lambda guesses, odds, stake: len(guesses),
    reference=wealth,
    read=number,
    explanation=(
        "A right guess multiplies by 1 + odds·stake, a wrong one by 1 − stake, and a run without a guess by 1. So only "
        "the numbers of right and wrong guesses matter, not their order. With odds e^−ε the mean factor is at most 1, "
        "if a guess is right with probability at most e^ε/(1 + e^ε)."
    ),
    wrong=(
        Misconception(
            "adds what is won",
            lambda guesses, odds, stake: (
                1 + sum({"right": odds * stake, "wrong": -stake, "none": Fraction(0)}[guess] for guess in guesses)
            ),
            "After the first run the stake is a part of what is owned then. Whoever always stakes a part of the "
            "beginning may end below 0, and that is not a wealth.",
        ),
        Misconception(
            "takes a run without a guess for a wrong one",
            lambda guesses, odds, stake: _played(guesses, odds, stake, none=1 - stake, floor=Fraction(0)),
            "A gambler who makes no guess stakes nothing, and loses nothing.",
        ),
        Misconception(
            "starts anew whenever less than 1 is left",
            lambda guesses, odds, stake: _played(guesses, odds, stake, none=Fraction(1), floor=Fraction(1)),
            "That gambler gets money from outside whenever he loses. Then being rich says nothing any more: with "
            "enough patience everybody is rich one day.",
        ),
    ),
)
