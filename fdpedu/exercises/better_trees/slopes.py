"""An exercise to predict: how far one record moves a mixture of losses."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number


@cache
def mixtures() -> Sequence[Case]:
    """Weights from 0 to 1 in quarters; the smallest sum first."""
    parts = [Fraction(k, 4) for k in range(5)]
    return tuple(sorted(product(parts, repeat=3), key=lambda case: (sum(case), case)))


def least_constant(errors: Fraction, gini: Fraction, fields: Fraction) -> Fraction:
    """The slopes at 0 are 1, 1 and 2, and a mixture has the mixed slope."""
    return errors + gini + 2 * fields


SLOPES = Exercise(
    id="better-slopes",
    kind="predict",
    hint="Look at a node with very many rows of one class, and add a row of the other class. What is added?",
    domain="three weights from 0 to 1 in quarters, the smallest sum first",
    cases=mixtures,
    size=lambda errors, gini, fields: errors + gini + fields,
    reference=least_constant,
    read=number,
    explanation=(
        "The loss is n·h(q) with h concave and 0 at the ends, and what a record adds is largest where its class is "
        "new among many rows: it tends to the slope of h at the end. The slopes are 1, 1 and 2, and slopes of a sum "
        "add up.\n"
        "Three quarters of the errors and a quarter of the report's Gini have the constant 1, like each of them."
    ),
    wrong=(
        Misconception(
            "compares the tops",
            lambda errors, gini, fields: errors / 2 + gini / 4 + fields / 2,
            "These are the values of h at q = 1/2. One record changes n·h most where its class is rare, and there "
            "the slope of h counts, not its height.",
        ),
        Misconception(
            "takes the field's Gini for the report's",
            lambda errors, gini, fields: errors + gini + fields,
            "2q(1 − q) is twice as steep at its ends as q(1 − q): convention matters.",
        ),
        Misconception(
            "takes the largest part",
            lambda errors, gini, fields: max(errors, gini, 2 * fields),
            "The record raises all parts at once, and in the same direction: they add up.",
        ),
        Misconception(
            "takes the two Ginis for one",
            lambda errors, gini, fields: errors + max(gini, 2 * fields),
            "Both parts are there, and each is raised: their slopes add up, too.",
        ),
    ),
)
