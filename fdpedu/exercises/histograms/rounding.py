"""An exercise to implement: whole numbers that still add up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer, sequence


@cache
def families() -> Sequence[Case]:
    """Two, three or four shares in quarters or thirds that add up to a whole number; fewest children first."""
    found = dict[tuple[Fraction, ...], int]()
    for n, parts in ((2, 4), (2, 3), (3, 4), (3, 3), (4, 3)):
        for first in product(range(2 * parts + 1 if n < 4 else parts + 1), repeat=n - 1):
            rest = -sum(first) % parts
            for last in (rest, rest + parts):
                shares = tuple(Fraction(k, parts) for k in (*first, last))
                found[shares] = int(sum(shares))
    return tuple((list(shares), total) for shares, total in found.items())


def share_out(shares: Sequence[Fraction], total: int) -> list[int]:
    """Round down; what is lacking goes, one each, to the largest remainders, ties to the first."""
    import math

    whole = [math.floor(share) for share in shares]
    by_remainder = sorted(range(len(shares)), key=lambda i: whole[i] - shares[i])
    for i in by_remainder[: total - sum(whole)]:
        whole[i] += 1
    return whole


def _lacking_to(shares: Sequence[Fraction], total: int, order: Sequence[int]) -> list[int]:
    whole = [math.floor(share) for share in shares]
    for i in order[: total - sum(whole)]:
        whole[i] += 1
    return whole


def _all_to(shares: Sequence[Fraction], total: int, i: int) -> list[int]:
    whole = [math.floor(share) for share in shares]
    whole[i] += total - sum(whole)
    return whole


def _down_the_list(shares: Sequence[Fraction]) -> list[int]:
    """Cumulative sums, rounded half up, and their differences."""
    ends = [math.floor(sum(shares[:i], Fraction(1, 2))) for i in range(len(shares) + 1)]
    return [b - a for a, b in pairwise(ends)]


ROUNDING = Exercise(
    id="hist-rounding",
    kind="implement",
    hint="`math.floor` takes fractions. How many are lacking after rounding down? `sorted` keeps the order of equals.",
    domain="two to four shares in quarters or thirds; fewest children first",
    cases=families,
    size=lambda shares, total: len(shares),
    reference=share_out,
    read=sequence(integer),
    explanation=(
        "What is lacking is the sum of the remainders. This is a whole number, and less than the number of children. "
        "So one each is enough, and every child is less than 1 from its share.\n"
        "If this is done from the root down, every node of the tree is the sum of its children. It costs nothing, "
        "because only released estimates are used."
    ),
    wrong=(
        Misconception(
            "rounds each child",
            lambda shares, total: [math.floor(share + Fraction(1, 2)) for share in shares],
            "Each number is close to its share, but together they need not add up: two halves become two ones.",
        ),
        Misconception(
            "only rounds down",
            lambda shares, total: [math.floor(share) for share in shares],
            "Some records are lost: the remainders add up to a whole number, and so many are lacking now.",
        ),
        Misconception(
            "gives all that is lacking to the last",
            lambda shares, total: _all_to(shares, total, -1),
            "The last child may get several more than its share, and so be 1 or more from it. Give one each.",
        ),
        Misconception(
            "gives all that is lacking to the first",
            lambda shares, total: _all_to(shares, total, 0),
            "The first child gets everything that is lacking, whatever its remainder. Give one each, to the largest "
            "remainders.",
        ),
        Misconception(
            "gives to the largest shares",
            lambda shares, total: _lacking_to(
                shares, total, sorted(range(len(shares)), key=lambda i: shares[i], reverse=True)
            ),
            "It is the remainder after rounding down that counts, not the share. (`reverse=True` keeps the order of "
            "equals.)",
        ),
        Misconception(
            "gives to the first ones",
            lambda shares, total: _lacking_to(shares, total, range(len(shares))),
            "They add up, but a share that was whole may be raised while one with the remainder 3/4 is rounded down. "
            "Look at the remainders.",
        ),
        Misconception(
            "lets the last of equals win",
            lambda shares, total: _lacking_to(
                shares, total, sorted(range(len(shares)), key=lambda i: (shares[i] % 1, i), reverse=True)
            ),
            "That is a sound rule too, but here the first of equal remainders gets one more. The rule has to be fixed, "
            "because everybody has to compute the same tree.",
        ),
        Misconception(
            "rounds cumulative sums",
            lambda shares, total: _down_the_list(shares),
            "This adds up, and stays less than 1 from each share. But one more does not always go to the largest "
            "remainder.",
        ),
    ),
)
