"""An exercise to repair: the threshold of a party that has no rows in a node."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number


@cache
def nodes() -> Sequence[Case]:
    """Ranges up to 12, and all nodes within them; short ranges first."""
    found = []
    for high in (4, 8, 12):
        for low, up in product(range(high), range(1, high + 1)):
            if low < up:
                found.append((0, high, low, up))
    return tuple(found)


def contribution(low: int, high: int, node_low: int, node_high: int) -> Fraction:
    """The middle of the node."""
    return Fraction(node_low + node_high, 2)


def _of_the_range(low: int, high: int, node_low: int, node_high: int) -> Fraction:
    return Fraction(low + high, 2)


def _moved_in(low: int, high: int, node_low: int, node_high: int) -> Fraction:
    return min(max(Fraction(low + high, 2), Fraction(node_low)), Fraction(node_high))


def _nothing(low: int, high: int, node_low: int, node_high: int) -> int:
    return 0


def _width(low: int, high: int, node_low: int, node_high: int) -> Any:
    return Fraction(node_high - node_low, 2)


OUTSIDE = Exercise(
    id="secret-sharing-outside",
    kind="repair",
    hint="Which numbers keep a mean in an interval, whatever the other numbers of the interval are? Which of them "
    "prefers no end?",
    domain="ranges from 0 to 4, 8 and 12, and all nodes in them; short ranges first",
    cases=nodes,
    size=lambda low, high, node_low, node_high: high,
    reference=contribution,
    read=number,
    explanation=(
        "The mean of numbers from an interval lies in it, so any number of the node will do; the middle of the node is "
        "as far from both ends.\n"
        "If the number lies beyond an end by b, and each of n others gives a number of the node that is less than "
        "b/n from that end, for example the end itself, then the mean is outside."
    ),
    wrong=(
        Misconception(
            "leaves it as it was",
            _of_the_range,
            "That is the middle of the whole range. It may lie far outside of the node, and pull the mean after it.",
        ),
        Misconception(
            "moves the middle of the range to the node's end",
            _moved_in,
            "The mean stays in the node now. But the end of a node is a poor threshold: it pulls the mean to one side.",
        ),
        Misconception(
            "gives nothing",
            _nothing,
            "0 is a number like any other in a sum. It pulls the mean down, out of a node that does not begin at 0.",
        ),
        Misconception(
            "gives half of the node's width",
            _width,
            "Half of the width is a distance. Counted from the node's lower end it leads to the middle.",
        ),
    ),
)
