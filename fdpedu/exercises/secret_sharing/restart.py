"""An exercise to implement: a vote that is given away when a node is done again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer


@cache
def elections() -> Sequence[Case]:
    """All votes of two to four parties on two or three choices, without the last one; few votes first."""
    found = []
    for n, m in product((2, 3, 4), (2, 3)):
        for votes in product(range(m), repeat=n):
            found.append(tuple(tuple(some.count(choice) for choice in range(m)) for some in (votes, votes[:-1])))
    return tuple((list(a), list(b)) for a, b in sorted(set(found), key=lambda case: (sum(case[0]), case)))


def missing_vote(before: list[int], after: list[int]) -> int:
    """The choice that has lost a vote."""
    return next(choice for choice, (n, m) in enumerate(zip(before, after, strict=True)) if n > m)


def _winner_before(before: list[int], after: list[int]) -> int:
    return before.index(max(before))


def _least_after(before: list[int], after: list[int]) -> int:
    return after.index(min(after))


def _new_winner(before: list[int], after: list[int]) -> int:
    return after.index(max(after))


RESTART = Exercise(
    id="secret-sharing-restart",
    kind="implement",
    hint="Every other vote is in both totals.",
    domain="all votes of two to four parties on two or three choices; few votes first",
    cases=elections,
    size=lambda before, after: sum(before),
    reference=missing_vote,
    read=integer,
    explanation=(
        "The votes of the others are in both totals, so the difference is the vote of the one that is gone: a "
        "single 1. Each sum was perfectly secret. Two sums about the same votes are not."
    ),
    wrong=(
        Misconception(
            "takes the first winner",
            _winner_before,
            "Most votes were for it. But the one that is gone may have voted for something else.",
        ),
        Misconception(
            "takes the choice with fewest votes now",
            _least_after,
            "A choice may have few votes because nobody ever voted for it.",
        ),
        Misconception(
            "takes the new winner",
            _new_winner,
            "The winner of the second round has its votes from those who are still there.",
        ),
    ),
)
