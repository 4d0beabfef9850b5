"""Exercises on the best threshold, by hand and by code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import Any

from fdpedu.exercises.cart.impurity import scaled_impurity
from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import close, number, optional, sequence, show

MAX_ROWS = 5
Side = tuple[int, int]
Impurity = Callable[[int, int], Fraction]
_PATIENTS = [1, 2, 4, 7, 8, 9], [0, 0, 0, 1, 0, 1]


def mean_impurity(a: int, b: int) -> Fraction:
    """p̂(1−p̂) of a node: the scaled impurity without the n."""
    return Fraction(a * b, (a + b) ** 2) if a + b else Fraction(0)


def _sides(x: Sequence[Any], y: Sequence[int], value: Any) -> tuple[Side, Side]:
    """The class counts of the rows with x ≤ value, and of the others."""
    left, right = ([label for v, label in zip(x, y, strict=True) if (v <= value) is goes] for goes in (True, False))
    return (left.count(0), left.count(1)), (right.count(0), right.count(1))


def scores(x: Sequence[Any], y: Sequence[int], h: Impurity) -> dict[Fraction, Fraction]:
    """h(left) + h(right) at each threshold halfway between neighbouring values."""
    cuts = pairwise(sorted(set(x)))
    return {(Fraction(a) + Fraction(b)) / 2: sum((h(*side) for side in _sides(x, y, a)), Fraction(0)) for a, b in cuts}


def least(scored: dict[Fraction, Fraction]) -> list[Fraction]:
    """The thresholds with the least score."""
    return [t for t, score in scored.items() if score == min(scored.values())]


def _answer(x: Sequence[int], y: Sequence[int], h: Impurity, which: int = 0) -> Any:
    found = scores(x, y, h)
    best = least(found)[which] if found else None
    return None if best is None else (best, found[best])


THRESHOLD = Exercise(
    id="cart-threshold",
    kind="predict",
    hint="There are five thresholds. Write the counts (a, b) of both sides beside each, then ab/(a+b) for each side.",
    domain="the one table of the task",
    cases=lambda: (_PATIENTS,),
    size=lambda x, y: len(x),
    reference=(5.5, Fraction(2, 3)),
    read=sequence(number, 2),
    wanted=lambda case, expected: "the threshold of the least n·G, and that n·G",
    remark=lambda case, given, expected: (
        f"The threshold is {'right' if close(given[0], expected[0]) else 'not the one of the least n·G'}, "
        f"the impurity is {'right' if close(given[1], expected[1]) else 'not the least n·G'}."
    ),
    praise=lambda value: f"{show(value[1])} is the least n·G of the five thresholds, and no other threshold has it.",
    explanation=(
        "n·G at 1.5, 3, 5.5, 7.5, 8.5 is 6/5, 1, 2/3, 5/4, 4/5.\n"
        "At 5.5 the left side is pure, and the right has one negative and two positives: 0 + 1·2/3."
    ),
    wrong=(
        Misconception(
            "gives a patient's value as the threshold",
            (4, Fraction(2, 3)),
            "These are the right rows and the right impurity. But the threshold lies halfway between the two "
            "neighbours, where it favours neither.",
        ),
        Misconception(
            "gives G and not n·G",
            (5.5, Fraction(1, 9)),
            "The threshold is right. That impurity is G, the mean over the six rows: multiply by n.",
        ),
        Misconception(
            "takes 1 − Σp̂²",
            (5.5, Fraction(4, 3)),
            "The threshold is right, the impurity is twice too large: this book's h is p̂(1−p̂), not 2p̂(1−p̂).",
        ),
        Misconception(
            "adds the impurities without weights",
            (8.5, Fraction(4, 25)),
            "You added p̂(1−p̂) of the two sides as if they had equally many rows. One pure row on the right then "
            "counts for as much as five rows on the left.",
        ),
        Misconception(
            "weighs the sides, after choosing without weights",
            (8.5, Fraction(4, 5)),
            "That is the right n·G of this threshold, but another threshold has less. A single pure row is a poor "
            "gain.",
        ),
        Misconception(
            "counts errors",
            (5.5, 1),
            "The threshold is right. One row is misclassified, but the impurity is s(left) + s(right) with s = "
            "ab/(a+b).",
        ),
    ),
)


@cache
def tables() -> Sequence[Case]:
    """All rows with values 1, 2 or 4 and labels 0 or 1, up to five, by rows."""
    sizes = range(MAX_ROWS + 1)
    return tuple(
        (list(x), list(y)) for n in sizes for x in product((1, 2, 4), repeat=n) for y in product((0, 1), repeat=n)
    )


def best_threshold(x: Sequence[int], y: Sequence[int]) -> tuple[Fraction, Fraction] | None:
    """CART's split of one feature: (threshold, n·G), or None when there is no threshold."""
    best = None
    values = sorted(set(x))
    for low, high in pairwise(values):
        impurity = Fraction(0)
        for goes_left in (True, False):
            side = [label for value, label in zip(x, y, strict=True) if (value <= low) is goes_left]
            impurity += Fraction(side.count(0) * side.count(1), len(side))
        if best is None or impurity < best[1]:
            best = (Fraction(low + high, 2), impurity)
    return best


def _at_a_value(x: list[int], y: list[int], which: int) -> Any:
    """CART's choice, with one of the two neighbours in the place of the threshold."""
    best = best_threshold(x, y)
    return best and (min((v for v in set(x) if (v > best[0]) is bool(which)), key=lambda v: abs(v - best[0])), best[1])


BEST_SPLIT = Exercise(
    id="cart-best-split",
    kind="implement",
    hint="Sort the different values. For each two neighbours: the threshold between, the counts of both sides, n·G.",
    domain=f"lists of up to {MAX_ROWS} rows with x in {{1, 2, 4}} and y in {{0, 1}}, fewest rows first",
    cases=tables,
    size=lambda x, y: len(x),
    reference=best_threshold,
    read=optional(sequence(number, 2)),
    remark=lambda case, given, expected: (
        "Your threshold has the same n·G as the expected one, and is higher: a tie goes to the lowest. "
        "(Or did rounding break the tie? Fractions do not round.)"
        if expected
        and given
        and given[0] > expected[0]
        and scores(case[0], case[1], scaled_impurity).get(Fraction(given[0])) == expected[1]
        else ""
    ),
    explanation="Between two neighbouring values nothing happens: one candidate for each pair of neighbours is enough.",
    wrong=(
        Misconception(
            "sends x < t left",
            lambda x, y: _at_a_value(x, y, 1),
            "You cut at a value and send x < t left. The rule of the book is x ≤ t: with it, this t sends the rows "
            "with x = t to the other side.",
        ),
        Misconception(
            "cuts at a patient's value",
            lambda x, y: _at_a_value(x, y, 0),
            "This t divides the rows in the right way, but it is a patient's own value. CART cuts halfway to the next.",
        ),
        Misconception(
            "allows an empty side",
            lambda x, y: best_threshold(x, y) or ((max(x), scaled_impurity(y.count(0), y.count(1))) if x else None),
            "When all rows go left, nothing is divided. A split has rows on both sides: give None.",
        ),
        Misconception(
            "does not weigh by rows",
            lambda x, y: _answer(x, y, mean_impurity),
            "You minimise h(left) + h(right), as if both sides had equally many rows. Weigh each side by its rows: "
            "n·h = ab/(a+b).",
        ),
        Misconception(
            "gives G and not n·G",
            lambda x, y: (lambda best: best and (best[0], best[1] / len(x)))(best_threshold(x, y)),
            "The threshold is right: dividing by n does not change which one is best. But the task asks for n·G.",
        ),
        Misconception(
            "gives ties to the highest threshold",
            lambda x, y: _answer(x, y, scaled_impurity, -1),
            "Two thresholds leave the same n·G, and you kept the last one. Keep the first: `<` and not `<=`.",
        ),
    ),
)
