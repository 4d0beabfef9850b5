"""Exercises on how sure a difference is, and how many runs it takes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer, number


@cache
def pairs_of_runs() -> Sequence[Case]:
    """Two methods in two or three runs, correct rows 6, 8 or 11; fewest runs first."""
    return tuple(
        (list(first), list(second))
        for runs in (2, 3)
        for first in product((6, 8, 11), repeat=runs)
        for second in product((6, 8, 11), repeat=runs)
    )


def squared_error(first: Sequence[int], second: Sequence[int]) -> Fraction:
    """The variance of the runs' differences, divided by the number of runs."""
    r = len(first)
    differences = [a - b for a, b in zip(first, second, strict=True)]
    mean = Fraction(sum(differences), r)
    return sum(((d - mean) ** 2 for d in differences), Fraction(0)) / ((r - 1) * r)


def _variance(values: Sequence[int]) -> Fraction:
    mean = Fraction(sum(values), len(values))
    return sum(((v - mean) ** 2 for v in values), Fraction(0)) / (len(values) - 1)


PAIRED = Exercise(
    id="experiments-paired",
    kind="implement",
    hint="Take the differences first. After that there is one list, and its mean has an error.",
    domain="two methods in two or three runs with 6, 8 or 11 correct rows, fewest runs first",
    cases=pairs_of_runs,
    size=lambda first, second: len(first),
    reference=squared_error,
    read=number,
    explanation=(
        "What both methods have in common in a run, such as rows that are hard to learn from, cancels in the "
        "difference before its variance is taken.\n"
        "The sum of the two variances is larger than this wherever the methods agree about which runs are hard."
    ),
    wrong=(
        Misconception(
            "takes them as unpaired",
            lambda first, second: (_variance(first) + _variance(second)) / len(first),
            "That is right for two methods with rows of their own. Here both had the same rows in each run, so take "
            "the differences first.",
        ),
        Misconception(
            "forgets to divide by the runs",
            lambda first, second: _variance([a - b for a, b in zip(first, second, strict=True)]),
            "That is how far one run's difference varies. The mean of r runs varies r times less.",
        ),
        Misconception(
            "has r in both denominators",
            lambda first, second: (
                _variance([a - b for a, b in zip(first, second, strict=True)]) * (len(first) - 1) / len(first) ** 2
            ),
            "The mean was estimated from the same runs, so divide by r − 1, then by r.",
        ),
        Misconception(
            "sorts the runs",
            lambda first, second: squared_error(sorted(first), sorted(second)),
            "Run i of one method belongs to run i of the other. Sorted, they are pairs of other runs.",
        ),
    ),
)


@cache
def wishes() -> Sequence[Case]:
    """Standard deviations and half-widths, as fractions; the fewest runs first."""
    wished = [Fraction(w) for w in ("1/20", "3/100", "1/50", "1/100", "1/200")]
    cases = [(Fraction(sd), w) for sd in ("1/50", "3/100", "1/20", "7/100") for w in wished]
    return tuple(sorted(cases, key=lambda case: (runs_needed(*case), case)))


def runs_needed(sd: Fraction, half_width: Fraction) -> int:
    """The least r ≥ 2 with 2·sd/√r ≤ half_width."""
    r = 2
    while r * half_width**2 < 4 * sd**2:
        r += 1
    return r


RUNS = Exercise(
    id="experiments-runs",
    kind="predict",
    hint="The standard error of a mean of r runs is sd/√r. When is twice that at most half_width?",
    domain="four deviations and five lengths, the fewest runs first",
    cases=wishes,
    size=lambda sd, half_width: runs_needed(sd, half_width),
    reference=runs_needed,
    read=integer,
    explanation=(
        "2·sd/√r ≤ w is r ≥ 4·sd²/w². Bars half as long need four times the runs.\n"
        "With a deviation of 7/100, as a small private tree has, 50 runs give bars of 2/100: a difference of one "
        "hundredth cannot be seen in them."
    ),
    wrong=(
        Misconception(
            "takes bars of one error",
            lambda sd, half_width: max(2, -(-(sd**2) // half_width**2)),
            "The bar is two standard errors to each side, so r has to be four times as large.",
        ),
        Misconception(
            "divides by r",
            lambda sd, half_width: max(2, -(-(2 * sd) // half_width)),
            "The error of a mean falls with the root of r, and not with r.",
        ),
        Misconception(
            "rounds down",
            lambda sd, half_width: max(2, 4 * sd**2 // half_width**2),
            "A number of runs that is too small by a fraction of a run is too small. Round up.",
        ),
    ),
)
