"""An exercise to repair: a rule for leaves that divides by the number of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number

ROWS: tuple[list[int], ...] = ([0], [0, 1, 1], [0, 1] * 15)


@cache
def budgets() -> Sequence[Case]:
    """Depths 0 to 3, three nominal sizes, two budgets and two errors, three lists of rows for each; shallow first."""
    rest = product((10, 40, 1000), (Fraction(1), Fraction(1, 2)), (Fraction(1, 10), Fraction(1, 100)))
    more = list(rest)
    return tuple(
        (list(rows), nominal, depth, epsilon, error)
        for depth in range(4)
        for nominal, epsilon, error in more
        for rows in ROWS
    )


def leaf_epsilon(rows: list[int], nominal: int, depth: int, epsilon: Fraction, error: Fraction) -> Fraction:
    """From public numbers alone, and without the factor 2 that monotone counts do not need."""
    need = 2**depth * Fraction(37, 100) / 2 / (nominal * error)
    return min(epsilon / 2, need)


def _by_size(size: Callable[[int, int], int]) -> Callable[..., Any]:
    """The rule with another size in the place of N."""
    return lambda rows, nominal, depth, epsilon, error: leaf_epsilon(
        rows, size(len(rows), nominal), depth, epsilon, error
    )


def _not_halved(rows: list[int], nominal: int, depth: int, epsilon: Fraction, error: Fraction) -> Fraction:
    return min(epsilon / 2, 2**depth * Fraction(37, 100) / (nominal * error))


def _all_halved(rows: list[int], nominal: int, depth: int, epsilon: Fraction, error: Fraction) -> Fraction:
    return _not_halved(rows, nominal, depth, epsilon, error) / 2


SIZE = Exercise(
    id="privatree-size",
    kind="repair",
    hint="Two lists of rows must get the same answer. And which part does a label need that loses half as much at the "
    "same ε?",
    domain="depths 0 to 3, nominal sizes 10, 40 and 1000, two budgets and two errors, three lists of rows for each; "
    "shallow first",
    cases=budgets,
    size=lambda rows, nominal, depth, epsilon, error: depth,
    reference=leaf_epsilon,
    read=number,
    explanation=(
        "N stands for the number of rows, and half of the need is enough: a label that is drawn with the coin e^{−εg} "
        "costs ε and loses 1/(2eε) rows at most. What is promised holds if there are at least N rows.\n"
        "With raw n, one row more changes the rate r of the noise to r'. The log-ratio of the two probabilities of a "
        "noisy cell k grows like |k|·|r − r'|, beyond every bound. It does not help that both rates are nearly equal."
    ),
    wrong=(
        Misconception(
            "leaves it as it was",
            lambda rows, nominal, depth, epsilon, error: _not_halved(rows, len(rows), depth, epsilon, error),
            "That is the program above. It divides by the number of rows, which nobody may learn, and it pays for a "
            "factor 2 that class counts do not need.",
        ),
        Misconception(
            "divides by the number of rows",
            _by_size(lambda n, nominal: n),
            "This still looks at the rows: neighbours get different rates, and a cell far from its count then tells "
            "them apart as surely as one likes. Use `nominal`.",
        ),
        Misconception(
            "takes the larger of both numbers",
            _by_size(max),
            "As soon as there are more rows than `nominal`, their number decides again. The rows may not be looked at "
            "in any case.",
        ),
        Misconception(
            "takes the smaller of both numbers",
            _by_size(min),
            "If there are fewer rows than `nominal`, their number decides again. The promise on the error then does "
            "not hold, and nobody may know.",
        ),
        Misconception(
            "does not use that counts are monotone",
            _not_halved,
            "Private it is. But without the ½ in the coin a label of the same ε loses half as much, so it needs half "
            "of this.",
        ),
        Misconception(
            "halves the limit as well",
            _all_halved,
            "Only the need is halved. The limit ε/2 is there so that something is left for the splits, and stays as it "
            "is.",
        ),
        Misconception(
            "forgets the limit",
            lambda rows, nominal, depth, epsilon, error: 2**depth * Fraction(37, 200) / (nominal * error),
            "For a small N the need is more than the whole budget. Labels get ε/2 at most.",
        ),
    ),
)
