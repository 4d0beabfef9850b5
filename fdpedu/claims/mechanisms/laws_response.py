"""Checks of chapter 3: randomised response, its law and its unbiased estimate."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product

from fdpedu.claims.checking import require
from fdpedu.claims.mechanisms.laws import Given
from fdpedu.claims.replay import bounds, require_law
from fdpedu.mechanisms import estimate_counts, randomised_response, randomised_response_pmf
from fdpedu.privacy import max_ratio

ALPHAS = tuple(Fraction(a) for a in ("1/10", "1/3", "1/2", "3/4", "9/10"))


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
