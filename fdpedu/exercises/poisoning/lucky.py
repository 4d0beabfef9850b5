"""An exercise to break: a certificate from one tree of private splits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, number

MISS, CLAIMED = Fraction(1, 10), Fraction(1, 2)


def _read(raw: Any) -> Fraction:
    value = Fraction(number(raw))
    if not 0 <= value <= 1:
        raise Unreadable("a probability must lie between 0 and 1")
    return value


def found(p: Fraction) -> tuple[str, str]:
    """What happens with this mechanism, as a word and as a sentence."""
    said = f"The good splits are drawn with probability {p}, and the mean is {p}"
    if p >= CLAIMED:
        return "true", f"{said}: at least 1/2, as the rule says. It is right whenever it speaks."
    if p == MISS:
        return "border", f"{said}. The rule is wrong with probability {p}, which its confidence of 9/10 allows."
    if p < MISS:
        return "rare", f"{said}. The rule is wrong when it speaks, but it speaks with probability {p} only."
    return "fails", f"{said}, less than 1/2. The rule is wrong with probability {p}, more than 1/10."


LUCKY = find_one(
    id="poisoning-lucky",
    chapter="poisoning",
    level="extend",
    kind="break",
    title="One lucky tree",
    task=(
        "A mechanism draws the splits of a tree by coins that look at no row at all. With probability $p$ it draws "
        "good splits, worth 1, and otherwise bad ones, worth 0. A rule sees *one* drawn tree. If its splits are the "
        "good ones, the rule states: “with a confidence of $\\frac9{10}$, the mean worth of this mechanism is at least "
        "$\\frac12$”; if they are the bad ones, it states nothing. Break it: give the `answer` $p$, a fraction, for "
        "which the rule's statement is made and false with probability more than $\\frac1{10}$.\n\n**To prove:** a "
        "rule that states the mean is at least $\\frac1{10}$ is never wrong so often."
    ),
    hint="When is the statement false? And how often is it made?",
    domain="all fractions from 0 to 1",
    reference=Fraction(1, 3),
    read=_read,
    stub="answer = ...  # a fraction, such as Fraction(1, 2)",
    judge=found,
    sought="fails",
    wanted="a probability p above 1/10 and below 1/2",
    praise="One good tree may have been a lucky draw.",
    explanation=(
        "The statement is made with probability p, and false iff p < 1/2. So every p between 1/10 and 1/2 breaks the "
        "rule. If it claims 1/10 only, it is false iff p < 1/10, and then it is made with probability less than 1/10. "
        "In general a rule of confidence 1 − β may claim β times what it sees, and no more. A mechanism that looks at "
        "rows is no better: this one is even 0-DP."
    ),
    wrong=(
        Misconception(
            "takes a mechanism that is good on average",
            Fraction(3, 4),
            "There the statement is true. It has to be false, and made often.",
        ),
        Misconception(
            "takes a mechanism that is hardly ever good",
            Fraction(1, 20),
            "There the statement is false, but it is hardly ever made: only where the good splits were drawn. A "
            "confidence of 9/10 allows that.",
        ),
        Misconception(
            "stops at the border",
            Fraction(1, 10),
            "There it is wrong with probability exactly 1/10, which the confidence allows. A little more is needed.",
        ),
    ),
)
