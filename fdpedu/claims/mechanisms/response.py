"""Randomised response: its distribution and its unbiased estimate."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.mechanisms.discrete_laplace import Given
from fdpedu.claims.mechanisms.small import named
from fdpedu.claims.mechanisms.words import Pmf, nothing_repeats, words_are_own
from fdpedu.claims.mutation import Broken
from fdpedu.claims.privacy.definition import only_the_broken_fails
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import bounds, require_joint_law, require_law
from fdpedu.mechanisms import estimate_counts, randomised_response, randomised_response_pmf
from fdpedu.privacy import max_ratio

ALPHAS = tuple(Fraction(a) for a in ("1/10", "1/3", "1/2", "3/4", "9/10"))


def answers(truths: tuple[Any, ...], calls: int, given: Given, words: int) -> None:
    """The answers of several persons, asked in one call or in several."""
    table = np.array(truths)
    laws = [answer_of(int(truth), given) for truth in table.flat]
    require_joint_law(
        lambda tape: [randomised_response(table, rng=tape, **given) for _ in range(calls)], laws * calls, words
    )


def answer_of(truth: int, given: Given) -> Pmf:
    """What a person with that answer reports."""
    return lambda k: randomised_response_pmf(k, truth, **given)


def persons(words: int) -> Iterator[tuple[tuple[Any, ...], int, Given, int]]:
    """Two or three persons, in rows and columns, two or three answers."""
    yield (0, 1), 1, {"categories": 2, "alpha": "1/3"}, words
    yield ((2,), (2,)), 1, {"categories": 3, "epsilon": 1}, words
    yield (0,), 2, {"categories": 3, "alpha": "1/2"}, words


def replayed(truth: int, given: Given, words: int) -> None:
    """The shipped sampler has the stated law."""
    require_law(
        lambda tape: int(randomised_response([truth], rng=tape, **given)[0]),
        lambda answer: randomised_response_pmf(answer, truth, **given),
        words,
    )


def truths(words: int) -> Iterator[tuple[int, Given, int]]:
    """True answers of 2 to 5, α or ε given."""
    yield 0, {"categories": 2, "alpha": "1/3"}, words
    yield 1, {"categories": 2, "epsilon": 1}, words
    yield 2, {"categories": 3, "alpha": "1/2"}, words
    yield 1, {"categories": 5, "epsilon": "1/2"}, words


def _law(truth: int, categories: int, alpha: Fraction) -> list[Fraction]:
    pmf = (randomised_response_pmf(answer, truth, categories=categories, alpha=alpha) for answer in range(categories))
    return [bounds(mass)[0] for mass in pmf]


def ratios(categories: int, alpha: Fraction) -> None:
    """For every truth a law; for every two truths the largest ratio of an answer is exactly 1/α."""
    laws = [_law(truth, categories, alpha) for truth in range(categories)]
    for law in laws:
        require(sum(law) == 1 and min(law) > 0, f"{law} is no law")
    for p, q in product(laws, laws):
        require(p == q or max_ratio(p, q) == 1 / alpha, f"the largest ratio is {max_ratio(p, q)}")


def unbiased(truths: tuple[int, ...], categories: int, alpha: Fraction) -> None:
    """The mean of the estimate over all reports is the true number of each answer."""
    mean = [Fraction(0)] * categories
    laws = [_law(truth, categories, alpha) for truth in truths]
    for reports in product(range(categories), repeat=len(truths)):
        mass = Fraction(1)
        for law, report in zip(laws, reports, strict=True):
            mass *= law[report]
        estimate = estimate_counts([reports.count(j) for j in range(categories)], alpha=alpha)
        mean = [m + mass * e for m, e in zip(mean, estimate, strict=True)]
    true = [truths.count(j) for j in range(categories)]
    require(mean == true, f"the mean of the estimates is {[str(m) for m in mean]}, the truth {true}")


def groups(most: int) -> Iterator[tuple[tuple[int, ...], int, Fraction]]:
    """All groups of up to ``most`` persons, 2 and 3 answers, two α."""
    for k, n in product((2, 3), range(1, most + 1)):
        yield from product(combinations_with_replacement(range(k), n), [k], (Fraction(1, 3), Fraction(3, 4)))


RANDOMISED_RESPONSE = (
    Check(
        "joint law",
        "exact",
        "two persons in one call and in two, 2 and 3 answers, over all tapes of {size} 3-bit words",
        answers,
        persons,
        4,
        5,
        more=[((0, 1, 1), 1, {"categories": 2, "alpha": "1/3"}, 4)],
    ),
    words_are_own("randomised response"),
    nothing_repeats("randomised response"),
)


CLAIMS = (
    Claim(
        "thm-randomised-response",
        status="proved+checked",
        code=("fdpedu.mechanisms.response", "fdpedu.mechanisms.response.randomised_response"),
        checks=(
            Check(
                "replayed law",
                "exact",
                "the shipped sampler over all tapes of {size} 4-bit words, α and ε given",
                replayed,
                truths,
                3,
                4,
                more=[(truth, {"alpha": Fraction(2, 9), "categories": 4}, 3) for truth in range(4)],
            ),
            Check(
                "ratios",
                "exhaustive",
                "2 to {size} answers, five α, all truths and answers: a distribution, whose worst ratio is exactly 1/α",
                ratios,
                lambda most: product(range(2, most + 1), ALPHAS),
                5,
                12,
                more=lambda draw: draw.tuples(draw.integers(2, 4), draw.alphas),
            ),
            Check(
                "unbiased",
                "exhaustive",
                "all groups of up to {size} persons, 2 and 3 answers: the mean of the estimate over all reports",
                unbiased,
                groups,
                3,
                5,
            ),
            Check(
                "twins",
                "exact",
                "one answer of three: the sound mechanism holds, its broken variant does not",
                only_the_broken_fails,
                lambda _: named("one lie shared out"),
            ),
            *RANDOMISED_RESPONSE,
        ),
        assumptions=(
            "neighbours: substitution of one person's answer",
            "local: whoever collects the answers need not be trusted",
        ),
        uses=("thm-alias-table", "lem-atoms"),
    ),
)

TWINS = (
    Broken(
        "two answers for many",
        "fdpedu.mechanisms.response.randomised_response_pmf",
        "1 + (k - 1) * a",
        "1 + a",
        "A lie has probability α/(1+α), however many there are.",
        "thm-randomised-response",
        "ratios",
    ),
    Broken(
        "reports as they are",
        "fdpedu.mechanisms.response.estimate_counts",
        " - n * a",
        "",
        "Lies cancel out, so scaling is enough.",
        "thm-randomised-response",
        "unbiased",
    ),
    Broken(
        "one lie for all",
        "fdpedu.mechanisms.response.randomised_response",
        "truth.size, as_source(rng)).reshape(truth.shape)",
        "1, as_source(rng))",
        "Everybody lies with the right probability.",
        "thm-randomised-response",
        "joint law",
    ),
)
