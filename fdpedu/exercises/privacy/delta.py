"""An exercise to break: the reading of δ as the probability that something terrible happens."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, sequence, show
from fdpedu.privacy import Law, as_law, hockey_stick, max_ratio

MAX_OUTCOMES = 50
MAX_DELTA = Fraction(1, 10)


def _read(raw: Any) -> tuple[Law, Law]:
    tables = sequence(sequence(lambda part: part), 2)(raw)
    if len(tables[0]) != len(tables[1]):
        raise Unreadable(f"p has {len(tables[0])} outcomes and q has {len(tables[1])}: list the same ones, 0 included")
    if len(tables[0]) > MAX_OUTCOMES:
        raise Unreadable(f"at most {MAX_OUTCOMES} outcomes are looked at, and two suffice")
    try:
        return as_law(tables[0], "p"), as_law(tables[1], "q")
    except ValueError as problem:
        raise Unreadable(str(problem)) from None


def compare_laws(p: Law, q: Law) -> tuple[str, str]:
    """What two distributions show about δ at e^ε = 2, as a word and as a sentence."""
    delta, there, back = hockey_stick(p, q, 2), max_ratio(p, q), max_ratio(q, p)
    amounts = f"δ = {show(delta)}; the largest p/q is {_ratio(there)}, the largest q/p is {_ratio(back)}."
    if there == math.inf:
        return "q misses an outcome", amounts
    if back == math.inf:
        return "p misses an outcome", amounts
    if not delta:
        return "no delta", amounts
    return ("too large" if delta > MAX_DELTA else "broken"), amounts


def _ratio(value: Fraction | float) -> str:
    return "infinite" if value == math.inf else show(value)


def _praise(laws: tuple[Law, Law]) -> str:
    p, q = laws
    above = sum((mass for outcome, mass in p.items() if mass > 2 * q[outcome]), Fraction(0))
    return (
        f"No output reveals anything for certain. But with probability {show(above)} under p an output comes whose "
        "ratio is above 2, and that is not δ either."
    )


DELTA = find_one(
    id="privacy-delta",
    chapter="privacy",
    level="extend",
    kind="break",
    title="A δ without a disaster",
    task=(
        '"$(\\varepsilon,\\delta)$ means: with probability δ something terrible happens, otherwise it is ε-DP." '
        "Show that nothing terrible need happen. Give two distributions `(p, q)`, lists of equally many `Fraction`s "
        "that add up to 1. At $e^\\varepsilon = 2$ the least δ from `p` to `q` shall be more than 0 and at most "
        "$\\frac1{10}$. And no output may rule out either distribution: all ratios $p/q$ and $q/p$ are finite."
    ),
    hint="Let one outcome have a ratio a little above 2, and keep every probability positive.",
    domain=f"any two distributions on up to {MAX_OUTCOMES} outcomes",
    reference=([Fraction(3, 5), Fraction(2, 5)], [Fraction(1, 4), Fraction(3, 4)]),
    read=_read,
    stub="answer = ...  # (p, q), two lists of fractions",
    judge=lambda value: compare_laws(*value),
    sought="broken",
    wanted="distributions with 0 < δ ≤ 1/10 at e^ε = 2, and finite ratios both ways",
    praise=_praise,
    explanation=(
        "3/5 − 2·1/4 = 1/10 is δ. The ratios are 12/5 and 15/8: a little more than 2, and that is all.\n"
        "The output with ratio 12/5 comes with probability 3/5 under p, far more often than δ. So δ is neither the "
        "probability of a catastrophe nor that of exceeding ε.\n"
        "What is true: a mechanism that reveals everything with probability δ has such a δ too. The number alone does "
        "not tell the two apart."
    ),
    wrong=(
        Misconception(
            "lets something terrible happen",
            ([Fraction(1, 10), Fraction(9, 10)], [Fraction(0), Fraction(1)]),
            "q misses an outcome that p has, so whoever sees it knows that it was p. That is the catastrophe with "
            "probability δ. Find distributions without one.",
        ),
        Misconception(
            "lets something terrible happen the other way",
            ([Fraction(1), Fraction(0)], [Fraction(9, 20), Fraction(11, 20)]),
            "p misses an outcome that q has. Whoever sees it knows that it was q: keep every probability positive.",
        ),
        Misconception(
            "stays within the factor",
            ([Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)]),
            "No p/q is above 2, so δ from p to q is 0. Make one p/q a little larger than 2; if q/p is, exchange them.",
        ),
        Misconception(
            "has too large a δ",
            ([Fraction(9, 10), Fraction(1, 10)], [Fraction(1, 10), Fraction(9, 10)]),
            "Finite ratios and a positive δ, but more than 1/10. Bring the distributions closer together.",
        ),
        Misconception(
            "writes floats",
            ([0.6, 0.4], [0.25, 0.75]),
            "0.6 is not 3/5, and floats that should add up to 1 often do not. Write `Fraction(3, 5)`.",
        ),
    ),
)
