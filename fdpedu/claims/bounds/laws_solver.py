"""Checks of chapter 9 that a solver decides: for all numbers of rows and all families of splits at once.

A statement is proved by asking the solver (Z3) for a counterexample: its assumptions together with its negation. The
answer ``unsat`` means that there is none, among all real numbers and all families. What is assumed alone must have a
model, or the proof would say nothing. Two facts are proved, and together they are the lemma.

1. One side of a split. Counts c ≥ 0 of the classes, not all 0, and a record of weight w > 0 of the first class: its n·h
   rises by 0 to w·N/(N+w), where N is the sum of c. (Counts that are all 0 are apart: there n·h is 0 before and after.)
2. All splits. Of every split t the record raises what it leaves from F(t) to G(t), by 0 to a number less than w. If a
   is best before and b afterwards, then F(a) ≤ G(b) < F(a) + w. The splits are things of which nothing is known.

This is a proof for the formula. That the code computes it is checked here on small counts, and by the other checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from types import ModuleType
from typing import Any

from fdpedu.bounds import half_gini_score
from fdpedu.cart import exact_scaled_half_gini
from fdpedu.claims.checking import require
from fdpedu.claims.noisy_counts import all_tables

_MILLISECONDS = 60_000


def formula(counts: Sequence[Any]) -> Any:
    """(N² − Σ c²)/(2N), of the solver's numbers or of fractions."""
    total = sum(counts[1:], counts[0])
    return (total * total - sum((c * c for c in counts[1:]), counts[0] * counts[0])) / (2 * total)


def one_side(classes: int) -> None:
    """Fact 1, for so many classes; with w = 1 it is n/(n+1)."""
    import z3

    counts, w = z3.Reals([f"c{i}" for i in range(classes)]), z3.Real("w")
    total = z3.Sum(counts)
    given = [*(c >= 0 for c in counts), total > 0, w > 0]
    rise = formula([counts[0] + w, *counts[1:]]) - formula(counts)
    most = w * total / (total + w)
    proved(z3, given, z3.And(rise >= 0, rise <= most, most < w))
    for small in all_tables(classes, 3)[1:]:
        code = (exact_scaled_half_gini(small), half_gini_score(small))
        require(code == (formula([Fraction(c) for c in small]),) * 2, f"of {small} the code computes {code}")


def empty_side(classes: int) -> None:
    """The case that fact 1 leaves out: a side without rows, and one with a single row, have impurity 0."""
    first = [0] * classes
    for c in range(classes):
        first[c - 1], first[c] = 0, 1
        require(exact_scaled_half_gini([0] * classes) == exact_scaled_half_gini(first) == 0, f"of {first} it is not 0")


def all_splits(strictly: bool) -> None:
    """Fact 2, with "less than w", and with "at most w"."""
    import z3

    split = z3.DeclareSort("Split")
    before, after = (z3.Function(name, split, z3.RealSort()) for name in "FG")
    t, a, b = z3.Consts("t a b", split)
    w = z3.Real("w")

    def below(x: Any, y: Any) -> Any:
        return x < y if strictly else x <= y

    each = z3.And(before(t) <= after(t), below(after(t), before(t) + w))
    given = [
        z3.ForAll(t, each),
        z3.ForAll(t, before(a) <= before(t)),
        z3.ForAll(t, after(b) <= after(t)),
    ]
    least = z3.And(before(a) <= after(b), below(after(b), before(a) + w))
    proved(z3, given, least)


def proved(z3: ModuleType, given: list[Any], then: Any) -> None:
    """The solver finds a model of what is given, and none of that with the negation of what shall follow."""
    for extra, wanted in ((z3.BoolVal(True), z3.sat), (z3.Not(then), z3.unsat)):
        solver = z3.Solver()
        solver.set("timeout", _MILLISECONDS)
        solver.add(*given, extra)
        answer = solver.check()
        said = f"; its counterexample is {solver.model()}" if answer == z3.sat else ""
        require(answer == wanted, f"the solver says {answer}, wanted is {wanted}{said}")
