"""Exercises on whose rows a curve learns from, and on the check that would have found a fault."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import Unreadable, integer, kind, sequence

Owners = Sequence[int | None]


@cache
def studies() -> Sequence[Case]:
    """Up to 1,000 rows and ten parties, as printed and doubled; fewest rows first."""
    return tuple((n, K, doubled) for n in (10, 100, 250, 1000) for K in (2, 5, 10) for doubled in (False, True))


def rows_learnt_from(n: int, K: int, doubled: bool) -> list[int]:
    """Of the central tree, of the private tree, and of one party's own."""
    drawn = 2 * n if doubled else n
    return [drawn, drawn, n // K]


LEARNT = Exercise(
    id="experiments-learnt",
    kind="predict",
    hint="Which of the three trees looks at the list that says whose rows these are?",
    domain="10 to 1,000 rows, 2, 5 and 10 parties, as printed and doubled; fewest rows first",
    cases=studies,
    size=lambda n, K, doubled: n,
    reference=rows_learnt_from,
    read=sequence(integer, 3),
    explanation=(
        "The local tree learns from n/K rows, doubled or not, because the list of owners covers n rows.\n"
        "So in the published figures n = 250 means 500 rows for both other trees and 50 for the local one: a tenth of "
        "all, where five parties have a fifth each."
    ),
    wrong=(
        Misconception(
            "believes the label",
            lambda n, K, doubled: [n, n, n // K],
            "That is what the study says it has. If rows are doubled, 2n are drawn, and two of the trees see them all.",
        ),
        Misconception(
            "doubles the party, too",
            lambda n, K, doubled: [(1 + doubled) * n, (1 + doubled) * n, (1 + doubled) * n // K],
            "Only the first n rows are dealt out. The others belong to no party, and the local tree never sees them.",
        ),
        Misconception(
            "gives the private tree the parties' rows",
            lambda n, K, doubled: [(1 + doubled) * n, n, n // K],
            "There is no federation in that code: the private tree is given all training rows at once.",
        ),
    ),
)


@cache
def drawn_studies() -> Sequence[Case]:
    """Studies as they were drawn, right and wrong, of 4 and 6 rows, two and three parties; fewest rows first."""
    cases: list[Case] = []
    for n, K in ((4, 2), (6, 2), (6, 3)):
        dealt: list[int | None] = [k % K for k in range(n)]
        fewer = [k if i < n - K else None for i, k in enumerate(dealt)]  # as many of each party, and too few
        owners = [dealt, [*dealt, *[None] * n], dealt + dealt, dealt[:-1], [*dealt[:-1], None], fewer, [None] * n]
        owners += [[0] * n, [*dealt[:-1], 0], [*dealt[:-1], K]]
        for owner in owners:
            cases += [(n, K, owner, n_test) for n_test in (n, 2 * n, n - 1)]
    return tuple(sorted(cases, key=lambda case: (case[0], len(case[2]))))


def as_stated(n: int, K: int, owner: Owners, n_test: int) -> bool:
    """n training rows, n test rows, and n/K rows of each party."""
    shares = [sum(party == k for party in owner) for k in range(K)]
    return len(owner) == n and n_test == n and shares == [n // K] * K


def _truth(raw: Any) -> bool:
    if getattr(raw, "shape", None) == () and hasattr(raw, "item"):
        raw = raw.item()
    if not isinstance(raw, bool):
        raise Unreadable(f"True or False was expected, not {kind(raw)}")
    return raw


AS_STATED = Exercise(
    id="experiments-as-stated",
    kind="implement",
    hint="How many rows are there, how many of them has each party, and can one of these be right and the other not?",
    domain="right and wrong studies of 4 and 6 stated rows, two and three parties, fewest rows first",
    cases=drawn_studies,
    size=lambda n, K, owner, n_test: (n, len(owner)),
    reference=as_stated,
    read=_truth,
    explanation=(
        "All three numbers have to be looked at: training rows, test rows, and each party's. The published code has "
        "the right parties, of n/K rows each, and n rows more that nobody owns.\n"
        "A check costs three lines. It is worth most where its author believes that it cannot fail."
    ),
    wrong=(
        Misconception(
            "counts the parties' rows only",
            lambda n, K, owner, n_test: all(sum(p == k for p in owner) == n // K for k in range(K)),
            "Each party has its rows, and there may be rows beside them that nobody has: this check passes the "
            "published code. It does not look at the test rows either.",
        ),
        Misconception(
            "counts all rows only",
            lambda n, K, owner, n_test: len(owner) == n and n_test == n,
            "As many rows as stated may be dealt out unevenly, or to nobody.",
        ),
        Misconception(
            "asks for equal parts only",
            lambda n, K, owner, n_test: (
                len(owner) == n_test == n and len({sum(p == k for p in owner) for k in range(K)}) == 1
            ),
            "The parties' parts are equal, and too small: the rows that nobody has are missing in all of them.",
        ),
        Misconception(
            "lets test rows be as many as training rows",
            lambda n, K, owner, n_test: (
                len(owner) == n_test and all(sum(p == k for p in owner) == n // K for k in range(K))
            ),
            "With 2n rows of each kind both numbers are equal, and both are wrong. Compare each of them with n.",
        ),
    ),
)
