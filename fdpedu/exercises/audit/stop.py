"""An exercise to break: a p-value that is looked at after every run."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, integer

LEVEL, MOST = Fraction(1, 10), 200


def _read(raw: Any) -> int:
    value = integer(raw)
    if not 1 <= value <= MOST:
        raise Unreadable(f"a number of throws from 1 to {MOST} was expected")
    return value


@cache
def critical(n: int) -> int:
    """The least number of heads of n for which a fair coin has so many, or more, with probability at most 1/10."""
    tail, heads = 0, n + 1
    while heads and 10 * (tail + comb(n, heads - 1)) <= 2**n:
        heads -= 1
        tail += comb(n, heads)
    return heads


@cache
def false_alarm(runs: int) -> Fraction:
    """How probable it is that a fair coin has a p-value of at most 1/10 after one of so many runs."""
    alive, stopped = {0: 1}, Fraction(0)
    for n in range(1, runs + 1):
        after: dict[int, int] = {}
        for heads, ways in alive.items():
            for more in (0, 1):
                after[heads + more] = after.get(heads + more, 0) + ways
        stopped += Fraction(sum(ways for heads, ways in after.items() if heads >= critical(n)), 2**n)
        alive = {heads: ways for heads, ways in after.items() if heads < critical(n)}
    return stopped


def found(runs: int) -> tuple[str, str]:
    """What so many looks do, as a word and as a sentence."""
    risk = false_alarm(runs)
    many = "1 throw" if runs == 1 else f"{runs} throws"
    said = f"Within {many} a fair coin is called unfair with probability {float(risk):.4f}"
    if risk > 2 * LEVEL:
        return "fails", f"{said}, more than 1/5."
    if risk > LEVEL:
        return "above", f"{said}: more than 1/10 already, but not more than 1/5."
    return "fine", f"{said}, which the level of 1/10 allows."


STOP = find_one(
    id="audit-stop",
    kind="break",
    hint="After one look the risk is at most 1/10. Each further look adds some. How many looks double it?",
    domain=f"all numbers of throws from 1 to {MOST}",
    reference=25,
    read=_read,
    judge=found,
    sought="fails",
    wanted="a number of throws within which a fair coin is called unfair with probability more than 1/5",
    praise="A p-value is made for one look, at a time that was fixed beforehand.",
    explanation=(
        "Walk through all sequences at once: keep, for each number of heads, how many sequences have it and were not "
        "stopped yet. With more runs the probability rises to 1. Wealth is different: Ville's inequality "
        "bounds the probability that it is EVER 1/α, and not that it is so at one time."
    ),
    wrong=(
        Misconception(
            "looks too seldom",
            1,
            "One look errs with probability 1/10 at most, and so do these few together. The risk comes from looking "
            "again and again.",
        ),
        Misconception(
            "believes that the tests are one and the same",
            9,
            "The looks depend on each other, but they are not the same: each adds some risk. Look for longer.",
        ),
    ),
)
