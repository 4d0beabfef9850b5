"""An exercise to implement: how many public splits a feature offers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer


@cache
def features() -> Sequence[Case]:
    """One to eight codes, ordered or not, with a missing code or without; fewest codes first."""
    return tuple(
        (codes, ordered, missing) for codes in range(1, 9) for ordered in (True, False) for missing in (False, True)
    )


def n_candidates(codes: int, ordered: bool, missing: bool) -> int:
    """Borders, twice and one more with a missing code; of categories each code against the rest."""
    if ordered:
        borders = codes - 1
        return 2 * borders + 1 if missing else borders
    everything = codes + missing
    return everything if everything > 2 else everything - 1


CANDIDATES = Exercise(
    id="better-candidates",
    kind="implement",
    hint="Begin with two categories: what does each of them against the rest give? And what is left with one code?",
    domain="one to eight codes, ordered or not, with a missing code or without; fewest codes first",
    cases=features,
    size=lambda codes, ordered, missing: codes,
    reference=n_candidates,
    read=integer,
    explanation=(
        "c ordered codes have c − 1 borders; with a missing code 2(c − 1) + 1. Of three categories or more each "
        "against the rest is a split of its own; of two, both are the same split; one code cannot be divided.\n"
        "No row was looked at. That is why the number of candidates may be known to everybody."
    ),
    wrong=(
        Misconception(
            "counts two categories twice",
            lambda codes, ordered, missing: (
                (2 * (codes - 1) + 1 if missing else codes - 1)
                if ordered
                else (codes + missing if codes + missing > 1 else 0)
            ),
            "With two categories the first against the rest and the second against the rest divide the codes alike: "
            "one candidate.",
        ),
        Misconception(
            "forgets missing against the rest",
            lambda codes, ordered, missing: (
                (2 * (codes - 1) if missing else codes - 1)
                if ordered
                else (codes + missing if codes + missing > 2 else codes + missing - 1)
            ),
            "Whether a value is missing at all may be the best question. It is the only one where a single other "
            "code is left.",
        ),
        Misconception(
            "takes missing for one more bin",
            lambda codes, ordered, missing: (
                codes - 1 + missing if ordered else (codes + missing if codes + missing > 2 else codes + missing - 1)
            ),
            "At each border missing values may go to either side. So each border is two candidates.",
        ),
        Misconception(
            "counts all subsets of categories",
            lambda codes, ordered, missing: (
                (2 * (codes - 1) + 1 if missing else codes - 1) if ordered else 2 ** (codes + missing - 1) - 1
            ),
            "That is the number of all ways to divide the categories in two. Here one category stands against the "
            "rest.",
        ),
    ),
)
