"""An exercise to predict: the law of a leaf's label, with the whole of what it may cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number, sequence


@cache
def leaves() -> Sequence[Case]:
    """Up to five rows of each class, and three values of α; fewest rows first."""
    cases = [
        (zeros, ones, alpha)
        for zeros in range(6)
        for ones in range(6)
        for alpha in (Fraction(1, 4), Fraction(1, 2), Fraction(2, 3))
    ]
    return tuple(sorted(cases, key=lambda case: case[0] + case[1]))


def label_law(zeros: int, ones: int, alpha: Fraction) -> list[Fraction]:
    """The worse class needs to come first, and then a coin that has one α for each row of the lead."""
    lead = abs(zeros - ones)
    worse = alpha**lead / 2
    either = [1 - worse, worse] if zeros >= ones else [worse, 1 - worse]
    return [*either, lead * worse]


def _with(worse_by_lead: Callable[[int, Any], Any]) -> Callable[[int, int, Fraction], list[Any]]:
    """The answer of those who give the worse class this probability."""

    def answer(zeros: int, ones: int, alpha: Fraction) -> list[Any]:
        lead = abs(zeros - ones)
        worse = worse_by_lead(lead, alpha)
        either = [1 - worse, worse] if zeros >= ones else [worse, 1 - worse]
        return [*either, lead * worse]

    return answer


def _all_wrong_rows(zeros: int, ones: int, alpha: Fraction) -> list[Fraction]:
    zero, one, _ = label_law(zeros, ones, alpha)
    return [zero, one, zero * ones + one * zeros]


LABEL = Exercise(
    id="privatree-label",
    kind="predict",
    hint="When does the smaller class become the label? It must be tried before the other, and its coin must fall "
    "right.",
    domain="up to five rows of each class, with α = 1/4, 1/2 and 2/3; fewest rows first",
    cases=leaves,
    size=lambda zeros, ones, alpha: zeros + ones,
    reference=label_law,
    read=sequence(number, 3),
    explanation=(
        "With a lead of g rows, the smaller class is tried first with probability 1/2, and accepted with α^g. So it is "
        "the label with probability α^g/2, and then g rows more are wrong: g·α^g/2 in expectation.\n"
        "One record moves g by 1, so α^g/2 changes by a factor of e^ε at most, and 1 − α^g/2 by less: the ratio "
        "(2 − α^{g+1})/(2 − α^g) is at most 2 − α ≤ 1/α. With the ½ in the exponent, the label would cost only ε/2: "
        "half of its budget would buy nothing."
    ),
    wrong=(
        Misconception(
            "leaves a half of ε unspent",
            _with(lambda lead, alpha: alpha ** (lead / 2) / 2),
            "With the coin e^{−εg/2}, as printed, the label costs ε/2 only. Counts are monotone, so the coin may be "
            "e^{−εg} = α^g.",
        ),
        Misconception(
            "takes the exponential mechanism",
            _with(lambda lead, alpha: alpha**lead / (1 + alpha**lead)),
            "This divides both weights by their sum. Permute-and-flip tries the classes in an order: the worse one has "
            "to come first, and then its coin decides.",
        ),
        Misconception(
            "forgets the order",
            _with(lambda lead, alpha: alpha**lead if lead else Fraction(1, 2)),
            "α^g is the coin of the smaller class. But if the larger one is tried first, it is accepted at once.",
        ),
        Misconception(
            "counts all wrong rows",
            _all_wrong_rows,
            "The probabilities are right. But with the better label the rows of the smaller class are wrong, too: "
            "count only what is lost in comparison with it.",
        ),
    ),
)
