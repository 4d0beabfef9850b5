"""An exercise to implement: three noisy counts that ought to add up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number, sequence

VARIANCES = ([1, 1, 1], [2, 1, 1], [1, 2, 1], [4, 1, 3], [1, 5, 2])


@cache
def nodes() -> Sequence[Case]:
    """A parent's count, its two children's, and their three variances; the smallest counts first."""
    values = sorted(product((0, 3, 10), (-1, 2, 6), (0, 4)), key=lambda one: sum(map(abs, one)))
    return tuple((list(one), list(variances)) for one in values for variances in VARIANCES)


def reconcile(views: Sequence[int], variances: Sequence[int]) -> list[Any]:
    """Up: the parent's own view and the children's sum, by their precision. Down: the difference, by variance."""
    (parent, left, right), (v, v_left, v_right) = views, variances
    both, v_both = left + right, v_left + v_right
    total = Fraction(parent * v_both + both * v, v + v_both)
    gap = total - both
    return [total, left + gap * Fraction(v_left, v_both), right + gap * Fraction(v_right, v_both)]


def _with(
    weight: Callable[[Fraction, Fraction], Fraction], share: Callable[[Fraction, Fraction], Fraction]
) -> Callable[..., list[Fraction]]:
    """The parent's weight from both variances, and the left child's share of the gap from its own and the other's."""

    def answer(views: Sequence[int], variances: Sequence[int]) -> list[Fraction]:
        (parent, left, right), (v, v_left, v_right) = map(Fraction, views), map(Fraction, variances)
        own = weight(v, v_left + v_right)
        total = own * parent + (1 - own) * (left + right)
        gap = total - left - right
        return [total, left + gap * share(v_left, v_right), right + gap * (1 - share(v_left, v_right))]

    return answer


def _precise(v: Fraction, v_both: Fraction) -> Fraction:
    return v_both / (v + v_both)


def _by_variance(v_left: Fraction, v_right: Fraction) -> Fraction:
    return v_left / (v_left + v_right)


RECONCILE = Exercise(
    id="hist-least-squares",
    kind="implement",
    hint="Two views of the parent: its own, and the sum of the children's. Weigh each by 1/variance. Which "
    "child then takes more of the difference?",
    domain="noisy counts from −1 to 10 with variances from 1 to 5; smallest counts first",
    cases=nodes,
    size=lambda views, variances: sum(map(abs, views)),
    reference=reconcile,
    read=sequence(number, 3),
    explanation=(
        "Up: the parent has two independent views, its own and the children's sum. The variance of this sum is the sum "
        "of the children's variances. The best mean weighs each view by 1/variance.\n"
        "Down: the children's sum differs from this mean by a gap. Each child takes a part of it in proportion to its "
        "variance, so the child that is known less well moves more. On a larger tree, use the variances after the "
        "upward pass."
    ),
    wrong=(
        Misconception(
            "leaves the parent as it is",
            _with(lambda v, v_both: Fraction(1), _by_variance),
            "The children's sum says something about the parent, too. Take the weighted mean of both views.",
        ),
        Misconception(
            "leaves the children as they are",
            _with(lambda v, v_both: Fraction(0), _by_variance),
            "They add up now, but the parent's own view is not used. It says something about all three.",
        ),
        Misconception(
            "takes the plain mean",
            _with(lambda v, v_both: Fraction(1, 2), _by_variance),
            "The two views of the parent are not equally good: the sum of two counts has the variance of both. Weigh "
            "by 1/variance.",
        ),
        Misconception(
            "weighs by the variance",
            _with(lambda v, v_both: v / (v + v_both), _by_variance),
            "The view with the larger variance is the worse one, and should weigh less.",
        ),
        Misconception(
            "shares the gap equally",
            _with(_precise, lambda v_left, v_right: Fraction(1, 2)),
            "The parent is right. The child with the larger variance is known less well: it takes more of the gap.",
        ),
        Misconception(
            "spares the child that is known less well",
            _with(_precise, lambda v_left, v_right: v_right / (v_left + v_right)),
            "The parent is right. But the gap goes to the children the other way round: in proportion to their own "
            "variances.",
        ),
        Misconception(
            "shares the gap by the counts",
            _with(_precise, lambda v_left, v_right: Fraction(0)),
            "One child takes all of the gap. Both are uncertain, so both move, in proportion to their variances.",
        ),
    ),
)
