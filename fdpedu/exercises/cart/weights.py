"""An exercise to break: the criterion that adds the impurities of the sides and forgets how many rows they have."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from fdpedu.cart import exact_scaled_half_gini
from fdpedu.exercises.cart.split import least, mean_impurity, scores
from fdpedu.exercises.counterexample import find_one
from fdpedu.exercises.record import Misconception
from fdpedu.exercises.values import Unreadable, integer, number, sequence, show

MAX_ROWS, MAX_VALUE = 100, 10**6


def _rows(raw: Any) -> tuple[list[Any], list[int]]:
    x, y = sequence(lambda part: part, 2)(raw)
    values, labels = sequence(number)(x), sequence(integer)(y)
    if len(values) != len(labels):
        raise Unreadable(f"x has {len(values)} values and y has {len(labels)} labels: one label for each row")
    if wrong := [label for label in labels if label not in (0, 1)]:
        raise Unreadable(f"a label is 0 or 1, not {show(wrong[0])}")
    if len(values) > MAX_ROWS:
        raise Unreadable(f"{len(values)} rows are many: at most {MAX_ROWS} are looked at, and a handful suffices")
    if any(abs(value) > MAX_VALUE for value in values):
        raise Unreadable(f"values from {-MAX_VALUE} to {MAX_VALUE} are enough")
    return values, labels


def _scaled(a: int, b: int) -> Fraction:
    return exact_scaled_half_gini((a, b))


def compare_criteria(x: Sequence[Any], y: Sequence[int]) -> tuple[str, str]:
    """How the choices by n·G and by h(left) + h(right) compare, as a word and as a sentence."""
    cart, unweighted = (least(scores(x, y, h)) for h in (_scaled, mean_impurity))
    if not cart:
        return "no threshold", "All values of x are equal: there is no threshold to choose."
    for name, best in (("n·G", cart), ("h(left) + h(right)", unweighted)):
        if len(best) > 1:
            return "tie", f"A tie: {name} is least at {', '.join(show(float(t)) for t in best)}."
    choices = f"By n·G the threshold is {show(float(cart[0]))}, by h(left) + h(right) {show(float(unweighted[0]))}."
    return ("same choice" if cart == unweighted else "broken"), choices


BREAK_UNWEIGHTED = find_one(
    id="cart-break-unweighted",
    chapter="cart",
    level="apply",
    kind="break",
    title="Why the sides are weighted",
    task=(
        "A colleague forgets the weights and takes the threshold with the least $h(\\text{left}) + "
        "h(\\text{right})$. Break it: find lists `(x, y)`, labels 0 or 1, on which that threshold is not CART's. "
        "Neither rule may have a tie. The fewer rows, the better."
    ),
    hint="What does a large impure side cost without weights, when nearly all of its rows are of one class?",
    domain=f"any x and y of up to {MAX_ROWS} rows",
    reference=([1, 1, 2, 3], [0, 1, 0, 0]),
    read=_rows,
    stub="answer = ...  # (x, y)",
    judge=lambda value: compare_criteria(*value),
    sought="broken",
    wanted="x and y on which the choices differ, without ties (4 rows can do it)",
    praise=lambda value: f"Your table has {len(value[0])} rows; the smallest that does it has 4.",
    explanation=(
        "n·G: 1.5 leaves 1/2 + 0, 2.5 leaves 2/3 + 0. Unweighted: 1/4 + 0 against 2/9 + 0.\n"
        "The impure side is larger at 2.5. Its h is smaller for it, its n·h is not. No table of three rows does it."
    ),
    wrong=(
        Misconception(
            "both criteria agree",
            ([1, 2, 3], [0, 0, 1]),
            "A valid table, but both criteria choose the same threshold. Where one threshold makes both sides pure, "
            "everybody finds it. Let every threshold leave one side impure, with different numbers of rows.",
        ),
        Misconception(
            "a tie",
            ([1, 2, 3], [0, 1, 0]),
            "A valid table, but a criterion with a tie has no choice of its own. Make the table less symmetric.",
        ),
        Misconception(
            "one value only",
            ([1, 1], [0, 1]),
            "A threshold needs two different values on either side of it.",
        ),
    ),
)
