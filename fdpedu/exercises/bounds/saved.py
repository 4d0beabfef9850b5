"""An exercise on where saved budget goes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number

Removed = tuple[int, ...]


@cache
def paths() -> Sequence[Case]:
    """One to three nodes with up to ten features, two shares for bounds; shortest paths and fewest features first."""
    node, shares = Fraction(1, 8), (Fraction(1, 4), Fraction(1, 2))
    return tuple(
        (removed, p, node, share)
        for depth, p in product((1, 2, 3), (1, 2, 3, 10))
        for removed in product(sorted({0, 1, p - 1} & set(range(p))), repeat=depth)
        for share in shares
    )


def left_over(removed: Removed, p: int, node: Fraction, share: Fraction) -> Fraction:
    """What the last node hands down: it has ``node`` and what its parent has handed down."""
    saved = Fraction(0)
    for q in removed:
        saved = q * (1 - share) * (node + saved) / p
    return saved


def _all_savings(removed: Removed, p: int, node: Fraction, share: Fraction) -> Fraction:
    return sum((left_over(removed[: t + 1], p, node, share) for t in range(len(removed))), Fraction(0))


def _halved(removed: Removed, p: int, node: Fraction, share: Fraction) -> Fraction:
    saved = Fraction(0)
    for q in removed:
        saved = q * (1 - share) * (node + saved) / p / 2
    return saved


def _bounds_saved(removed: Removed, p: int, node: Fraction, share: Fraction) -> Fraction:
    saved = Fraction(0)
    for q in removed:
        saved = q * (node + saved) / p
    return saved


SAVED = Exercise(
    id="bounds-saved",
    kind="predict",
    hint="What the root has saved, its child has already spent, but for what the child has saved in turn.",
    domain="one to three nodes, one to ten features, two shares; shortest paths first",
    cases=paths,
    size=lambda removed, p, node, share: len(removed),
    reference=left_over,
    read=number,
    explanation=(
        "Only what the last node has saved: every other node has handed its savings down, and they were spent, or "
        "saved again. A node with e in all pays e less what it saves; its child has node and those savings, so the sum "
        "telescopes.\n"
        "Both children may have the whole of it, because a record is in one of them. That they depend on noisy "
        "numbers is what the filter lemma allows."
    ),
    wrong=(
        Misconception(
            "adds up all savings",
            _all_savings,
            "What a node has saved is part of its child's budget, and the child has spent it. Follow one record and "
            "write down what it pays at each node.",
        ),
        Misconception(
            "divides savings between the children",
            _halved,
            "No record is in both children. So each of them may have all that was saved.",
        ),
        Misconception(
            "forgets what was inherited",
            lambda removed, p, node, share: removed[-1] * (1 - share) * node / p,
            "The last node had more than `node`: its parent's savings, too. Its histograms are dearer by as much, and "
            "a removed one saves more.",
        ),
        Misconception(
            "saves bounds as well",
            _bounds_saved,
            "A feature is removed after its bound was released. Only its histogram is saved.",
        ),
    ),
)
