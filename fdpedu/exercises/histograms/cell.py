"""An exercise to implement: the bin that a value is in."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer


@cache
def values() -> Sequence[Case]:
    """Three or four whole edges from 0 to 4, values in halves from −1 to 5; fewest bins first, then inner values."""
    grids = [list(edges) for n in (3, 4) for edges in combinations(range(5), n)]
    halves = sorted(range(-2, 11), key=lambda x: (abs(2 * x - 3), x))
    return tuple((Fraction(x, 2), edges) for edges in grids for x in halves)


def bin_of(x: Fraction, edges: Sequence[int]) -> int:
    """The first bin whose upper edge is not below x; the last one, if there is none."""
    return next((i for i, upper in enumerate(edges[1:-1]) if x <= upper), len(edges) - 2)


CELL = Exercise(
    id="hist-cell",
    kind="implement",
    hint="To which of its two bins does a value on an inner edge belong? And the smallest and the largest edge?",
    domain="three or four whole edges from 0 to 4, values in halves from −1 to 5; fewest bins first, then inner values",
    cases=values,
    size=lambda x, edges: len(edges),
    reference=bin_of,
    read=integer,
    explanation=(
        "The first bin whose upper edge is not below x, and the last one if there is none: then x ≤ t holds in "
        "exactly the bins to the left of t.\n"
        "So the bins are closed on the right, (t[i], t[i+1]], and the first holds its lower end too. What lies "
        "outside falls into the end bins by itself."
    ),
    wrong=(
        Misconception(
            "closes the bins on the left",
            lambda x, edges: min(max(bisect_right(edges, x) - 1, 0), len(edges) - 2),
            "A value on an inner edge t is then in the bin to the right of t, although x ≤ t sends it to the left. "
            "Close the bins on the right.",
        ),
        Misconception(
            "prints the report's bins",
            lambda x, edges: bisect_right(edges, x) - 1,
            "With [a, b) the largest value of the range is in no bin, and a value on an inner edge is on the wrong "
            "side of its split.",
        ),
        Misconception(
            "forgets the lower end",
            lambda x, edges: bisect_left(edges, x) - 1,
            "The smallest value of the range gets the number −1, and what lies below or above the range has no bin. "
            "The first bin holds its lower end, and the end bins hold what lies outside.",
        ),
        Misconception(
            "forgets what lies outside",
            lambda x, edges: bin_of(x, edges) if edges[0] <= x <= edges[-1] else None,
            "A record in no bin is not counted, and nobody notices. What lies beyond the ends belongs to the end bins.",
        ),
        Misconception(
            "counts the edges",
            lambda x, edges: min(max(bisect_left(edges, x), 1), len(edges) - 1),
            "That is the right bin, counted from 1. The first one has the number 0.",
        ),
        Misconception(
            "divides by the width",
            lambda x, edges: min(
                max(int((x - edges[0]) * (len(edges) - 1) / Fraction(edges[-1] - edges[0])), 0), len(edges) - 2
            ),
            "These edges are not at equal distances. Compare `x` with the edges themselves.",
        ),
    ),
)
