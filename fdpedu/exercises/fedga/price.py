"""An exercise to implement: what generations of votes among structures cost, and what a score for each would."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number, sequence

Prices = list[Fraction]


@cache
def runs() -> Sequence[Case]:
    """One to four generations of 2, 3 and 40 structures among two and five parties; few generations first."""
    found = product(range(1, 5), (2, 3, 40), (2, 5), (Fraction(1, 3), Fraction(1)))
    return tuple((each, generations, structures, n) for generations, structures, n, each in found)


def prices(each: Fraction, generations: int, structures: int, n_parties: int) -> Prices:
    """One draw a generation, whatever the number of structures and of parties; with scores one release for each."""
    votes = generations * each
    return [votes, votes, structures * votes]


def _for_each_structure(each: Fraction, generations: int, structures: int, n_parties: int) -> Prices:
    all_of_them = structures * generations * each
    return [all_of_them, all_of_them, all_of_them]


def _generations_in_parallel(each: Fraction, generations: int, structures: int, n_parties: int) -> Prices:
    return [each, each, structures * each]


def _for_each_party(each: Fraction, generations: int, structures: int, n_parties: int) -> Prices:
    votes = n_parties * generations * each
    return [votes, votes, structures * votes]


def _insiders_know_noise(each: Fraction, generations: int, structures: int, n_parties: int) -> Prices:
    votes = generations * each
    return [votes, votes * n_parties / (n_parties - 1), structures * votes]


def _scores_in_parallel(each: Fraction, generations: int, structures: int, n_parties: int) -> Prices:
    votes = generations * each
    return [votes, votes, votes]


def _masks_hide(each: Fraction, generations: int, structures: int, n_parties: int) -> Prices:
    votes = generations * each
    return [votes / n_parties, votes, structures * votes]


PRICE = Exercise(
    id="fedga-price",
    kind="implement",
    hint="What leaves the person's party in a generation, and is it drawn once or for each structure? Which "
    "generations read the person's row?",
    domain="one to four generations of 2, 3 and 40 structures among two and five parties, at 1/3 and 1; few "
    "generations first",
    cases=runs,
    size=lambda each, generations, structures, n_parties: generations,
    reference=prices,
    read=sequence(number, 3),
    explanation=(
        "One draw leaves the person's party in each generation, whatever the number of structures, and every "
        "generation reads the row again: G·x. The other parties take their own votes away and see this draw itself, "
        "which costs no more, since it was drawn before anything was added. Other parties never read the row.\n"
        "A noisy sum for each structure is a release for each, and the row is in all of them: P·G·x. So at the same "
        "total price a sum has only 1/P of a vote's budget."
    ),
    wrong=(
        Misconception(
            "pays for each structure in a vote",
            _for_each_structure,
            "A party compares all structures for itself, and only one draw leaves it. Permute-and-flip costs the same "
            "among two structures and among forty.",
        ),
        Misconception(
            "takes generations for parallel",
            _generations_in_parallel,
            "Each generation asks about the same rows again. Only what is asked about different rows is parallel.",
        ),
        Misconception(
            "pays for each party",
            _for_each_party,
            "A person's row lies with one party. The other parties' votes do not read it.",
        ),
        Misconception(
            "makes votes dearer against insiders",
            _insiders_know_noise,
            "That happens where noise is made of shares of all parties. A vote is drawn by its party alone, so the "
            "others have nothing to take away from it but votes.",
        ),
        Misconception(
            "takes the structures' sums for parallel",
            _scores_in_parallel,
            "Structures divide the rows in different ways, but each of them has all rows. A row is in all of their "
            "sums.",
        ),
        Misconception(
            "believes that adding divides the price",
            _masks_hide,
            "If the other votes are known, the sum is the person's party's vote. So the sum costs what the vote costs.",
        ),
    ),
)
