"""An exercise to implement: the rate of the noise in a cell of a node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number

CATEGORIES: tuple[list[int], ...] = ([], [2], [3], [5, 2], [4, 4, 3])


@cache
def nodes() -> Sequence[Case]:
    """Up to four numeric features, up to three categorical ones, ten bins, three ε; fewest features first."""
    cases = [
        (numeric, categories, 10, e)
        for numeric, categories, e in product(range(5), CATEGORIES, map(Fraction, ("1", "1/2", "3")))
        if numeric + len(categories)
    ]
    return tuple(sorted(cases, key=_features))


def _features(case: Case) -> int:
    return int(case[0]) + len(case[1])


def cell_rate(numeric: int, categories: Sequence[int], bins: int, epsilon: Any) -> Fraction:
    """One histogram a feature, whatever it has of bins or categories."""
    return Fraction(epsilon) / (numeric + len(categories))


def _divided(parts: Callable[[int, Sequence[int], int], int]) -> Callable[..., Fraction]:
    return lambda numeric, categories, bins, epsilon: Fraction(epsilon) / parts(numeric, categories, bins)


BUDGET = Exercise(
    id="hist-budget",
    kind="implement",
    hint="In how many cells, over all histograms, is one record counted? "
    "Does a categorical feature need a histogram for each of its categories?",
    domain="up to four numeric features of ten bins and up to three of 2 to 5 categories, ε = 1, 1/2, 3; fewest first",
    cases=nodes,
    size=lambda numeric, categories, bins, epsilon: numeric + len(categories),
    reference=cell_rate,
    read=number,
    explanation=(
        "A record is counted in one cell of each histogram, so p histograms are p releases and share ε.\n"
        "The numbers of bins, categories and classes do not matter. One histogram with a row for each category costs "
        "once, and the yes-or-no table of each category can be computed from it."
    ),
    wrong=(
        Misconception(
            "gives each histogram everything",
            _divided(lambda numeric, categories, bins: 1),
            "A record has a value in every feature, so it is counted in every histogram. Features are not disjoint "
            "sets of records, so their costs add up.",
        ),
        Misconception(
            "makes dummies",
            _divided(lambda numeric, categories, bins: numeric + sum(categories)),
            "One histogram with a row for each category counts a record once. A histogram of its own for each category "
            "would count it once for each.",
        ),
        Misconception(
            "divides by the cells",
            _divided(lambda numeric, categories, bins: numeric * bins + sum(categories)),
            "Within a histogram a record is in one cell only: bins and categories do not share the budget.",
        ),
        Misconception(
            "divides by the classes",
            _divided(lambda numeric, categories, bins: 2 * (numeric + len(categories))),
            "A record has one class, so it is in the histogram of one class only: the classes do not share the budget.",
        ),
        Misconception(
            "forgets the categories",
            _divided(lambda numeric, categories, bins: max(1, numeric)),
            "A categorical feature has a histogram like any other, and takes its part of the budget.",
        ),
    ),
)
