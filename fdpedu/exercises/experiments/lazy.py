"""An exercise to break: what a release tells that expands only nodes with records in them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer


@cache
def releases() -> Sequence[Case]:
    """Up to three records and one more, in trees of one to three levels; fewest records first."""
    return tuple(
        (list(rows), z, depth)
        for many in range(4)
        for depth in (1, 2, 3)
        for rows in combinations_with_replacement(range(2**depth), many)
        for z in range(2**depth)
    )


def new_nodes(rows: Sequence[int], z: int, depth: int) -> int:
    """How many nodes hold z and none of the rows."""
    levels = range(depth + 1)
    return sum(all(row >> depth - t != z >> depth - t for row in rows) for t in levels)


LAZY = Exercise(
    id="experiments-lazy",
    kind="break",
    hint="On z's path from the root to its leaf, which nodes hold nobody else?",
    domain="none to three records and one more, trees of one to three levels; fewest records first",
    cases=releases,
    size=lambda rows, z, depth: len(rows),
    reference=new_nodes,
    read=integer,
    explanation=(
        "A node of z's path is new if no other record is in it: from some depth on all of them are. They are in the "
        "release with certainty with z, and never without it, whatever noise their counts have.\n"
        "In a study nothing is released: leaving such nodes out changes no distribution of correct test rows."
    ),
    wrong=(
        Misconception(
            "counts the whole path",
            lambda rows, z, depth: depth + 1,
            "Nodes that hold another record are released without z, too.",
        ),
        Misconception(
            "looks at the leaf only",
            lambda rows, z, depth: int(z not in rows),
            "The nodes above a leaf may be new as well, up to the first that holds another record.",
        ),
        Misconception(
            "forgets the root",
            lambda rows, z, depth: sum(
                all(row >> depth - t != z >> depth - t for row in rows) for t in range(1, depth + 1)
            ),
            "Without any record the root is not released either.",
        ),
    ),
)
