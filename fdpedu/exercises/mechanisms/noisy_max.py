"""An exercise to repair: a noisy maximum that releases more than its winner."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer, sequence

MAX_CANDIDATES, MAX_VALUE = 3, 2


@cache
def noisy_cases() -> Sequence[Case]:
    """All utilities of 2 or 3 candidates, with a noise for each and one more; fewest and smallest first.

    A single candidate is left out: it always wins, so its noise says nothing when it is used twice.
    """
    cases = [
        (list(utilities), list(noise))
        for n in range(2, MAX_CANDIDATES + 1)
        for utilities in product(range(MAX_VALUE + 1), repeat=n)
        for noise in product(range(MAX_VALUE + 1 if n < MAX_CANDIDATES else MAX_VALUE), repeat=n + 1)
    ]
    return tuple(sorted(cases, key=lambda case: (len(case[0]), sum(case[0]) + sum(case[1]))))


def noisy_max(utilities: list[int], noise: list[int]) -> tuple[int, int]:
    """The first of the largest noisy utilities; its true utility, with noise that nobody has seen yet."""
    *own, fresh = noise
    noisy = [u + z for u, z in zip(utilities, own, strict=True)]
    winner = noisy.index(max(noisy))
    return winner, utilities[winner] + fresh


def _noisy(utilities: list[int], noise: list[int]) -> list[int]:
    return [u + z for u, z in zip(utilities, noise[:-1], strict=True)]


def _first(values: list[int]) -> int:
    return values.index(max(values))


def _with_value(utilities: list[int], noise: list[int]) -> tuple[int, int]:
    noisy = _noisy(utilities, noise)
    return _first(noisy), max(noisy)


def _shared(utilities: list[int], noise: list[int]) -> tuple[int, int]:
    winner = _first([u + noise[0] for u in utilities])
    return winner, utilities[winner] + noise[-1]


def _last(utilities: list[int], noise: list[int]) -> tuple[int, int]:
    noisy = _noisy(utilities, noise)
    winner = max(range(len(noisy)), key=lambda r: (noisy[r], r))
    return winner, utilities[winner] + noise[-1]


def _on_top(utilities: list[int], noise: list[int]) -> tuple[int, int]:
    winner, value = _with_value(utilities, noise)
    return winner, value + noise[-1]


def _say(case: Case, given: Any, expected: Any) -> str:
    return "" if given[0] != expected[0] else "The winner is right, its value is not."


NOISY_MAX = Exercise(
    id="mech-noisy-max",
    kind="repair",
    hint="After the winner is known, which of the noises is still unknown to everybody?",
    domain=(
        f"2 to {MAX_CANDIDATES} counts and noises from 0 to {MAX_VALUE}, fewest candidates and smallest numbers first"
    ),
    cases=noisy_cases,
    size=lambda utilities, noise: (len(utilities), sum(utilities) + sum(noise)),
    reference=noisy_max,
    read=sequence(integer, 2),
    remark=_say,
    explanation=(
        "The winner alone is ε-DP (report-noisy-max), because its own noise has to exceed a threshold that moves by "
        "little.\n"
        "Its noise is what made it win: once it is known that it won, that noise is large, and no discrete Laplace "
        "noise any more. The value needs fresh noise. The probability of a pair is that of the winner times that of "
        "the value, given the winner. One record changes the first factor by e^ε at most and the second by e^ε', the "
        "price of a count: ε + ε' in all.\n"
        "One noise for all moves no count past another: the winner is the true one, with certainty."
    ),
    wrong=(
        Misconception(
            "releases the winning noisy count",
            _with_value,
            "The winner's noise decided that it wins. Given that, the noise is large more often than not, so it hides "
            "the count badly and biases it upwards. Take noise that has not been used.",
        ),
        Misconception(
            "shares one noise",
            _shared,
            "With the same noise on every count the largest count stays the largest: the winner is the true one, and "
            "one record may decide it. Each count needs its own noise.",
        ),
        Misconception(
            "releases the winner's count as it is",
            lambda utilities, noise: (noisy_max(utilities, noise)[0], utilities[noisy_max(utilities, noise)[0]]),
            "The winner is private, its count is not: it is an exact answer about the data. Add the fresh noise.",
        ),
        Misconception(
            "adds the fresh noise on top",
            _on_top,
            "You publish the noisy maximum with more noise. The winner's own noise is still in it, large by "
            "selection: the value comes out too high. Start again from its count.",
        ),
        Misconception(
            "gives the largest count, not the winner's",
            lambda utilities, noise: (noisy_max(utilities, noise)[0], max(utilities) + noise[-1]),
            "The value belongs to the winner that you publish. The largest count may be another candidate's.",
        ),
        Misconception(
            "gives ties to the last",
            _last,
            "Ties go to the first of them, as the task says. It must be a rule that does not look at the data; "
            "without one the distribution is not the stated one.",
        ),
    ),
)
