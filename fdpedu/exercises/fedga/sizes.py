"""An exercise to implement: how many rows a party has, from rounded accuracies."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from math import lcm

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer

OF_FORTY = ([575, 600, 650, 725, 775, 825, 850, 950], 1000)
OF_TWENTY_SIX = ([62, 77, 81, 85, 88], 100)


@cache
def accuracies() -> Sequence[Case]:
    """One to three accuracies of up to nine rows, in tenths, hundredths and thousandths; then two longer lists."""
    found = set()
    for unit in (10, 100, 1000):
        for n in range(1, 10):
            scores = {round(Fraction(k * unit, n)) for k in range(1, n)}
            found |= {(some, unit) for length in (1, 2, 3) for some in combinations(sorted(scores), length)}
    short = sorted(found, key=lambda case: (len(case[0]), case))
    return (*((list(scores), unit) for scores, unit in short), OF_TWENTY_SIX, OF_FORTY)


def least_size(scores: list[int], unit: int) -> int:
    """The least n for which every score is as near to a multiple of 1/n as rounding allows."""
    n = 1
    while any(2 * min(score * n % unit, -score * n % unit) > n for score in scores):
        n += 1
    return n


def _alone(score: int, unit: int) -> int:
    return least_size([score], unit)


def _as_exact(scores: list[int], unit: int) -> int:
    return lcm(*(Fraction(score, unit).denominator for score in scores))


def _largest_alone(scores: list[int], unit: int) -> int:
    return max(_alone(score, unit) for score in scores)


def _multiple(scores: list[int], unit: int) -> int:
    return lcm(*(_alone(score, unit) for score in scores))


def _cut_off(scores: list[int], unit: int) -> int:
    n = 1
    while any(-score * n % unit >= n for score in scores):
        n += 1
    return n


def _gap(scores: list[int], unit: int) -> int:
    steps = [0, *sorted(scores), unit]
    return round(unit / min(b - a for a, b in pairwise(steps)))


SIZES = Exercise(
    id="fedga-sizes",
    kind="implement",
    hint="Which accuracies can 3 rows have, written with three decimals, and which can 4 rows? Take the numbers of "
    "rows one after the other.",
    domain="one to three accuracies of up to nine rows with one, two and three decimals, few accuracies first; then "
    "lists of five and eight",
    cases=accuracies,
    size=lambda scores, unit: len(scores),
    reference=least_size,
    read=integer,
    explanation=(
        "An accuracy of n rows is k/n. A score s of so many units is such a number, rounded, if s·n lies at most n/2 "
        "from a multiple of the unit. Take the least n for which this holds for all scores.\n"
        "The two long lists are of 26 and of 40 rows. What is rounded away is less than what the counts put in."
    ),
    wrong=(
        Misconception(
            "takes rounded scores for exact",
            _as_exact,
            "667/1000 needs a thousand rows, but 2/3 is written .667 as well. A score stands for all numbers that are "
            "rounded to it.",
        ),
        Misconception(
            "takes the largest of the sizes that single scores need",
            _largest_alone,
            "Each score fits its own number of rows. All of them are of the same rows, so one number must fit all.",
        ),
        Misconception(
            "takes a common multiple of the sizes that single scores need",
            _multiple,
            "This number of rows does fit, but a smaller one may: a score fits more sizes than the multiples of its "
            "least one.",
        ),
        Misconception(
            "thinks that decimals were cut off",
            _cut_off,
            "Then 2/3 were .666. These scores were rounded, so k/n may be below the score as well as above it.",
        ),
        Misconception(
            "takes the smallest gap for one row",
            _gap,
            "Two scores may differ by two rows or more, and a rounded gap is not 1/n. Which n has all of these scores?",
        ),
    ),
)
