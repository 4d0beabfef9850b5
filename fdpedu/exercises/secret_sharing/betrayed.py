"""An exercise to implement: how many votes of others are certain."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer


@cache
def elections() -> Sequence[Case]:
    """All votes of up to four parties on two or three choices, and all numbers of colluders; few votes first."""
    found = []
    for n, m in product((2, 3, 4), (2, 3)):
        for votes in product(range(m), repeat=n):
            totals = [votes.count(choice) for choice in range(m)]
            found += [(tuple(totals), tuple(sorted(votes[:c]))) for c in range(n)]
    return tuple((list(a), list(b)) for a, b in sorted(set(found), key=lambda case: (sum(case[0]), case)))


def betrayed(totals: list[int], own: list[int]) -> int:
    """All votes that are not their own, if these agree; else none."""
    rest = [total - own.count(choice) for choice, total in enumerate(totals)]
    return sum(rest) if sum(n > 0 for n in rest) == 1 else 0


def _unanimous(totals: list[int], own: list[int]) -> int:
    return sum(totals) - len(own) if sum(n > 0 for n in totals) == 1 else 0


def _all_but_one(totals: list[int], own: list[int]) -> int:
    return 1 if sum(totals) - len(own) == 1 else 0


def _with_their_own(totals: list[int], own: list[int]) -> int:
    return sum(totals) if betrayed(totals, own) else 0


def _of_the_winner(totals: list[int], own: list[int]) -> int:
    rest = [total - own.count(choice) for choice, total in enumerate(totals)]
    return max(rest)


def _without_votes(totals: list[int], own: list[int]) -> int:
    return totals.count(0)


BETRAYED = Exercise(
    id="secret-sharing-betrayed",
    kind="implement",
    hint="Take the colluders' votes away first. What is left, and when could two of the others have voted the other "
    "way round?",
    domain="all votes of two to four parties on two or three choices, with every number of colluders; few votes first",
    cases=elections,
    size=lambda totals, own: sum(totals),
    reference=betrayed,
    read=integer,
    explanation=(
        "What is left without the colluders' own votes are the others' votes. If all of them are for one choice, each "
        "is certain. Else two of the others differ, and exchanging these two changes nothing that the colluders see; "
        "so no vote is certain."
    ),
    wrong=(
        Misconception(
            "asks for unanimous totals",
            _unanimous,
            "The colluders know their own votes and can take them away. What is left may agree although the totals do "
            "not.",
        ),
        Misconception(
            "lets only N − 1 colluders be certain",
            _all_but_one,
            "One vote that is left is certain, that is true. But several that are left may agree, and then all of them "
            "are.",
        ),
        Misconception(
            "counts the colluders' own votes",
            _with_their_own,
            "Their own votes are no discovery. Count the votes of others.",
        ),
        Misconception(
            "counts the votes for the winner",
            _of_the_winner,
            "How many of the others voted for it is known, and not who. If one of them voted otherwise, it may be "
            "anyone.",
        ),
        Misconception(
            "counts the choices without votes",
            _without_votes,
            "That nobody voted for a choice is certain. But this is asked about votes: what each of the others voted "
            "for is still open as long as two choices are left.",
        ),
    ),
)
