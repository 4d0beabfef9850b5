"""Exercises on randomised response: its distribution for several answers, and what can be learned from many reports."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number, sequence

MAX_ANSWERS, MAX_PERSONS = 5, 5
ALPHAS = (Fraction(1, 5), Fraction(1, 3), Fraction(1, 2), Fraction(3, 4))


@cache
def truths() -> Sequence[Case]:
    """All (truth, categories, alpha), fewest answers first."""
    return tuple((truth, k, alpha) for k in range(2, MAX_ANSWERS + 1) for truth in range(k) for alpha in ALPHAS)


def response_law(truth: int, categories: int, alpha: Any) -> list[Fraction]:
    """The truth has weight 1, every other answer weight α; divided by the sum of all weights."""
    total = 1 + (categories - 1) * alpha
    return [Fraction(1 if answer == truth else alpha) / total for answer in range(categories)]


def _of_two(truth: int, categories: int, true: Any, other: Any) -> list[Any]:
    return [true if answer == truth else other for answer in range(categories)]


RESPONSE = Exercise(
    id="mech-response",
    kind="implement",
    hint="Give the truth the weight 1 and every other answer the weight α. What do the weights add up to?",
    domain=f"2 to {MAX_ANSWERS} answers, every truth, α = 1/5, 1/3, 1/2, 3/4; fewest answers first",
    cases=truths,
    size=lambda truth, categories, alpha: categories,
    reference=response_law,
    read=sequence(number),
    explanation=(
        "The weights are 1 once and α (categories − 1) times, so they add up to 1 + (categories − 1)·α.\n"
        "Under two truths the same answer has the weights 1 and α, or α and α: the ratio is at most 1/α = e^ε, and is "
        "that for the truth itself."
    ),
    wrong=(
        Misconception(
            "shares out one lie",
            lambda truth, categories, alpha: _of_two(
                truth, categories, 1 / (1 + alpha), alpha / (1 + alpha) / (categories - 1)
            ),
            "You tell the truth as often as with two answers, and divide the lie among the others. Then an answer is "
            "(1/α)·(categories − 1) times as likely under its own truth: e^ε is exceeded. Each other answer needs α "
            "times the probability of the truth.",
        ),
        Misconception(
            "forgets how many others there are",
            lambda truth, categories, alpha: _of_two(truth, categories, 1 / (1 + alpha), alpha / (1 + alpha)),
            "These are the probabilities for two answers. With more of them they add up to more than 1: there are "
            "categories − 1 ways to lie.",
        ),
        Misconception(
            "does not normalise",
            lambda truth, categories, alpha: _of_two(truth, categories, Fraction(1), alpha),
            "1 and α are weights. Probabilities add up to 1: divide by the sum of the weights.",
        ),
        Misconception(
            "lies with probability α",
            lambda truth, categories, alpha: _of_two(truth, categories, 1 - alpha, alpha / (categories - 1)),
            "α is not the probability of a lie. It is the ratio of the probabilities of another answer and of the "
            "truth.",
        ),
        Misconception(
            "answers at random with probability α",
            lambda truth, categories, alpha: _of_two(
                truth, categories, 1 - alpha + alpha / categories, alpha / categories
            ),
            "You tell the truth, or with probability α any answer at random. That is private too, but its ratio is "
            "1 + (1/α − 1)·categories, and not e^ε = 1/α.",
        ),
        Misconception(
            "takes e^ε for e^−ε",
            lambda truth, categories, alpha: response_law(truth, categories, 1 / alpha),
            "Now lies are more likely than the truth. `alpha` is e^−ε, below 1: another answer has α times the "
            "probability of the truth.",
        ),
    ),
)


@cache
def reports() -> Sequence[Case]:
    """All (reported, n, alpha), fewest persons first, and of equally many those with the most reports."""
    return tuple(
        (reported, n, alpha) for n in range(1, MAX_PERSONS + 1) for reported in range(n, -1, -1) for alpha in ALPHAS
    )


def estimate_yes(reported: int, n: int, alpha: Any) -> Any:
    """The number t with t·1/(1+α) + (n−t)·α/(1+α) = reported."""
    return (reported * (1 + alpha) - n * alpha) / (1 - alpha)


UNBIASED = Exercise(
    id="mech-unbiased",
    kind="implement",
    hint="Suppose t patients have a true yes. How many reports of yes do you expect? Solve for t.",
    domain=f"1 to {MAX_PERSONS} patients, all numbers of reports, α = 1/5, 1/3, 1/2, 3/4; fewest patients first",
    cases=reports,
    size=lambda reported, n, alpha: n,
    reference=estimate_yes,
    read=number,
    explanation=(
        "With t true yes the expected number of reports is t/(1+α) + (n−t)·α/(1+α), which is (t·(1−α) + n·α)/(1+α).\n"
        "Solved for t: (reported·(1+α) − n·α)/(1−α). It is linear in the reports, so its mean is t.\n"
        "It may be negative, or above n. To clip it is post-processing, allowed and often wise, but then the mean is "
        "not t any more."
    ),
    wrong=(
        Misconception(
            "takes the reports as they are",
            lambda reported, n, alpha: reported,
            "Lies do not cancel: when few say yes truly, many of the reported yes are lies of the others.",
        ),
        Misconception(
            "only scales",
            lambda reported, n, alpha: reported * (1 + alpha),
            "You undo the truth that was not told, but the lies of the others are still in the count: subtract them.",
        ),
        Misconception(
            "clips to what is possible",
            lambda reported, n, alpha: min(n, max(0, estimate_yes(reported, n, alpha))),
            "Clipped estimates look better, but their mean is not the truth: small numbers come out too large. An "
            "unbiased estimate has to go below 0 now and then.",
        ),
        Misconception(
            "subtracts lies, and does not scale",
            lambda reported, n, alpha: reported - n * alpha / (1 + alpha),
            "You subtract the lies that n patients would tell if none had a true yes. What is left must be divided by "
            "the difference of the two probabilities, (1 − α)/(1 + α).",
        ),
        Misconception(
            "rounds",
            lambda reported, n, alpha: round(estimate_yes(reported, n, alpha)),
            "A number of patients is whole, an estimate need not be. Rounding moves its mean.",
        ),
        Misconception(
            "exchanges yes and no",
            lambda reported, n, alpha: n - estimate_yes(reported, n, alpha),
            "That is the estimate for no. (It comes out as well if you take 1/α for α, as if lies were likelier than "
            "the truth.)",
        ),
    ),
)
