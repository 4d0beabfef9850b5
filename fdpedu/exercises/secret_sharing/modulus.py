"""An exercise to implement: the least modulus of a secret sum."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer


@cache
def sums() -> Sequence[Case]:
    """Two to six parties, numbers up to 1, 2, 7 or 65,535, and three public ranges; few parties first."""
    return tuple(product(range(2, 7), (1, 2, 7, 65_535), (1, 40, 250)))


def least_modulus(n_parties: int, largest: int, high: int) -> int:
    """One more than the largest sum of what is really added."""
    return n_parties * largest + 1


def _one_too_small(n_parties: int, largest: int, high: int) -> int:
    return n_parties * largest


def _of_one(n_parties: int, largest: int, high: int) -> int:
    return largest + 1


def _of_the_range(n_parties: int, largest: int, high: int) -> int:
    return n_parties * high + 1


def _signed(n_parties: int, largest: int, high: int) -> int:
    return 2 * n_parties * largest + 1


MODULUS = Exercise(
    id="secret-sharing-modulus",
    kind="implement",
    hint="Which sums can occur, and how many are they? What is added up, and in which unit?",
    domain="two to six parties, numbers up to 1, 2, 7 or 65,535, and three upper ends; few parties first",
    cases=sums,
    size=lambda n_parties, largest, high: n_parties,
    reference=least_modulus,
    read=integer,
    explanation=(
        "The sums are 0, 1, …, N·largest, so N·largest + 1 residues are needed, and enough. The range of the attribute "
        "does not enter, as steps are added up and not units."
    ),
    wrong=(
        Misconception(
            "is one too small",
            _one_too_small,
            "If everybody has the largest number, the sum is N·largest, which is 0 modulo itself.",
        ),
        Misconception(
            "thinks of one number",
            _of_one,
            "Each single number fits, but not their sum.",
        ),
        Misconception(
            "takes the attribute's unit",
            _of_the_range,
            "So does the source. But what is added up are numbers of steps, up to `largest` each.",
        ),
        Misconception(
            "leaves room for negative sums",
            _signed,
            "It works, but no number is below 0 here, so half of these residues are never used.",
        ),
    ),
)
