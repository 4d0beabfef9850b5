"""An exercise on what a path of Algorithm 6 really costs, with what its nodes hand down."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number

SHARES = ((Fraction(1), Fraction(1, 4)), (Fraction(1, 10), Fraction(1, 2)))


@cache
def paths() -> Sequence[Case]:
    """Paths of one to three nodes with 1, 2, 4 or 10 features, every number asked; shortest first."""
    cases = [
        (list(asked), p, node, share)
        for p in (1, 2, 4, 10)
        for length in (1, 2, 3)
        for asked in product(sorted({1, 2, p} & set(range(1, p + 1))), repeat=length)
        for node, share in SHARES
    ]
    return tuple(sorted(cases, key=lambda case: (len(case[0]), case[1])))


def path_cost(asked: Sequence[int], p: int, node: Fraction, share: Fraction) -> Fraction:
    """p bounds with all of the share, a histogram for each feature asked; the rest is handed down."""
    cost = saved = Fraction(0)
    for q in asked:
        budget = node + saved
        cost += p * share * budget + q * (1 - share) * budget / p
        saved = (p - q) * (1 - share) * budget / p
    return cost


def _cost(asked: Sequence[int], p: int, node: Fraction, share: Fraction, *, bounds: int, hand_down: bool) -> Fraction:
    cost = saved = Fraction(0)
    for q in asked:
        budget = node + saved
        cost += bounds * share * budget + q * (1 - share) * budget / p
        saved = (p - q) * (1 - share) * budget / p * hand_down
    return cost


def _hands_down_all_saved(asked: Sequence[int], p: int, node: Fraction, share: Fraction) -> Fraction:
    """What was saved is kept for all nodes below, again and again."""
    cost = saved = Fraction(0)
    for q in asked:
        budget = node + saved
        cost += p * share * budget + q * (1 - share) * budget / p
        saved += (p - q) * (1 - share) * budget / p
    return cost


PATH = Exercise(
    id="experiments-path",
    kind="predict",
    hint="Go down the path with two numbers: what has been paid, and what was saved at the node before.",
    domain="paths of one to three nodes, 1, 2, 4 and 10 features, two pairs of budget and share; shortest first",
    cases=paths,
    size=lambda asked, p, node, share: len(asked),
    reference=path_cost,
    read=number,
    explanation=(
        "A node with the budget e pays p·b·e for bounds that were booked as b·e, and saves (p − q)/p of its "
        "histograms' part. The next node spends that, too, a part of it on bounds and p-fold.\n"
        "So removing features makes a path dearer, and nobody can promise less than the dearest."
    ),
    wrong=(
        Misconception(
            "pays the bounds once",
            lambda asked, p, node, share: _cost(asked, p, node, share, bounds=1, hand_down=True),
            "That is what is booked. Each of the p bounds is released with all of it, and all are about one record.",
        ),
        Misconception(
            "forgets what is handed down",
            lambda asked, p, node, share: _cost(asked, p, node, share, bounds=p, hand_down=False),
            "What a node saves is spent at the next one, where the bounds take their share of it.",
        ),
        Misconception(
            "hands down the same twice",
            _hands_down_all_saved,
            "A node spends what was handed down to it, and hands down what it saves itself: not both.",
        ),
        Misconception(
            "costs what is booked",
            lambda asked, p, node, share: len(asked) * node,
            "So much is booked. Add up what is released.",
        ),
    ),
)
