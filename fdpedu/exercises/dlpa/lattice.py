"""An exercise to repair: an impurity that is rounded after it was divided."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer


@cache
def nodes() -> Sequence[Case]:
    """All nodes of up to twelve records of two classes, three lattices; and a large one. Fewest records first."""
    small = [(a, n - a, m) for n in range(13) for a in range(n + 1) for m in (1, 10, 1000)]
    return (*small, (3 * 10**8 + 1, 7 * 10**8, 10**6))


def to_lattice(a: int, b: int, lattice: int) -> int:
    """⌊L·ab/(a+b)⌋ by exact division; the empty node has 0."""
    return lattice * a * b // (a + b) if a + b else 0


def _or_zero(divided: Callable[[int, int, int], int]) -> Callable[[int, int, int], int]:
    return lambda a, b, lattice: divided(a, b, lattice) if a + b else 0


LATTICE = Exercise(
    id="dlpa-lattice",
    kind="repair",
    hint="In which direction may rounding move a lower bound? And how many digits does a float have, if a and b have "
    "nine digits each?",
    domain="all nodes of up to twelve records on the lattices 1, 1/10 and 1/1000, and a node of a billion; fewest "
    "records first",
    cases=nodes,
    size=lambda a, b, lattice: a + b,
    reference=to_lattice,
    read=integer,
    explanation=(
        "Whole numbers are multiplied first and divided once, and // rounds down. Python's integers have any size, so "
        "the result is exact.\n"
        "One record moves F by less than 1 and z by at most L. The noise is made for the sensitivity L."
    ),
    wrong=(
        Misconception(
            "rounds to the nearest",
            _or_zero(lambda a, b, m: (2 * m * a * b + a + b) // (2 * (a + b))),
            "The nearest point may be above F, and then the sum is no longer a lower bound. Round down.",
        ),
        Misconception(
            "rounds an exact fraction",
            _or_zero(lambda a, b, m: round(Fraction(m * a * b, a + b))),
            "The fraction is exact, but `round` may go up, and then the sum is no longer a lower bound. Use // "
            "instead.",
        ),
        Misconception(
            "rounds up",
            _or_zero(lambda a, b, m: -(-m * a * b // (a + b))),
            "What is rounded up is an upper bound. A lower bound is rounded down.",
        ),
        Misconception(
            "divides first",
            _or_zero(lambda a, b, m: m * (a * b // (a + b))),
            "You round to whole numbers before you multiply, and so you do not use the lattice 1/L. Multiply first.",
        ),
        Misconception(
            "rounds a float down",
            _or_zero(lambda a, b, m: math.floor(m * (a * b / (a + b)))),
            "A float has about sixteen digits, and each operation rounds it to the nearest. Divide whole numbers with "
            "//.",
        ),
    ),
)
