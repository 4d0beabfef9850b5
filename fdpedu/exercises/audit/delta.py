"""An exercise to break: with a δ, runs without a guess may not be left out."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, number, sequence

FACTOR, DELTA_OF = 2, Fraction(1, 10)


def _read(raw: Any) -> list[Fraction]:
    values = [Fraction(str(value)) for value in sequence(number, 2)(raw)]  # 0.1 is meant as a tenth
    if not all(0 <= value <= 1 for value in values) or not any(values):
        raise Unreadable("two probabilities between 0 and 1 were expected, and not both of them 0")
    return values


def is_private(p: Fraction, q: Fraction) -> bool:
    """Whether the event and its complement keep to e^ε = 2 and δ = 1/10, in both directions."""
    return not broken(p, q)


def broken(p: Fraction, q: Fraction) -> str:
    """The first of the four inequalities that does not hold, as a sentence; empty if all hold."""
    for name, on_d, on_other in (("The event", p, q), ("Its complement", 1 - p, 1 - q)):
        for more, less, where in ((on_other, on_d, "D′ and D"), (on_d, on_other, "D and D′")):
            if more > (most := FACTOR * less + DELTA_OF):
                return f"{name} has {more} and {less} on {where}: more than 2·{less} + 1/10 = {most}."
    return ""


def found(answer: list[Fraction]) -> tuple[str, str]:
    """What the pair is, as a word and as a sentence."""
    p, q = answer
    right = q / (p + q)
    said = f"On D the event has probability {p}, on D′ {q}, and the guess is right with probability {right}"
    if fault := broken(p, q):
        return "not private", f"{said}. But this mechanism is not (ε, δ)-DP. {fault}"
    if right > Fraction(FACTOR, FACTOR + 1):
        return "fails", f"{said}, more than 2/3, and the mechanism is (ε, δ)-DP."
    kind = "at the limit" if right == Fraction(FACTOR, FACTOR + 1) else "below it"
    return kind, f"{said}, which is not more than 2/3."


DELTA = find_one(
    id="audit-delta",
    kind="break",
    hint="What does δ allow that is impossible without it?",
    domain="all pairs of probabilities from 0 to 1, not both 0",
    reference=[Fraction(0), Fraction(1, 10)],
    read=_read,
    judge=found,
    sought="fails",
    wanted="probabilities of an event on D and on D′ which (ε, δ)-DP allows, with q/(p + q) above 2/3",
    praise="So an honest mechanism makes the gambler rich. With a δ every run pays a fee, also one without a guess.",
    explanation=(
        "On a rare event δ may be most of its probability, or all of it: 0 on D and 1/10 on D′. Given the event, the "
        "guess is then always right. Per run, and not given the event, Pr[right] − e^ε·Pr[wrong] is at most δ/2 for "
        "one direction, and this is what the bet with a fee uses."
    ),
    wrong=(
        Misconception(
            "leaves the claim",
            [Fraction(0), Fraction(1, 5)],
            "The mechanism has to keep its promise for the event and for its complement; the gambler's rule is what is "
            "to fail.",
        ),
        Misconception(
            "uses ε only",
            [Fraction(1, 3), Fraction(2, 3)],
            "This is exactly what e^ε = 2 allows without any δ. How much does δ = 1/10 add to q if p is small?",
        ),
        Misconception(
            "takes an event that says little",
            [Fraction(9, 10), Fraction(1)],
            "So the claim's 2/3 holds for this event. Guesses are right more often where the event is rarer on D.",
        ),
    ),
)
