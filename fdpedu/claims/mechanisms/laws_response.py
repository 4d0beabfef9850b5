"""Checks of chapter 3: randomised response, its law and its unbiased estimate."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product

from fdpedu.claims.checking import exhaust, need
from fdpedu.claims.replay import ends, need_law
from fdpedu.mechanisms import estimate_counts, randomised_response, randomised_response_pmf
from fdpedu.privacy import max_ratio

ALPHAS = tuple(Fraction(a) for a in ("1/10", "1/3", "1/2", "3/4", "9/10"))


def replayed(truth: int, categories: int, parameter: str, value: str, words: int) -> None:
    """The shipped sampler has the stated law."""
    given = {"categories": categories, parameter: value}
    need_law(
        lambda tape: int(randomised_response([truth], rng=tape, **given)[0]),  # type: ignore[arg-type]
        lambda answer: randomised_response_pmf(answer, truth, **given),  # type: ignore[arg-type]
        words,
    )


def _law(truth: int, categories: int, alpha: Fraction) -> list[Fraction]:
    pmf = (randomised_response_pmf(answer, truth, categories=categories, alpha=alpha) for answer in range(categories))
    return [ends(mass)[0] for mass in pmf]


def ratios(categories: int, alpha: Fraction) -> None:
    """For every truth a law; for every two truths the largest ratio of an answer is exactly 1/α."""
    laws = [_law(truth, categories, alpha) for truth in range(categories)]
    for law in laws:
        need(sum(law) == 1 and min(law) > 0, f"{law} is no law")
    for p, q in product(laws, laws):
        need(p == q or max_ratio(p, q) == 1 / alpha, f"the largest ratio is {max_ratio(p, q)}")


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
    need(mean == true, f"the mean of the estimates is {[str(m) for m in mean]}, the truth {true}")


def check_replayed(words: int) -> int:
    cases = [(0, 2, "alpha", "1/3"), (1, 2, "epsilon", "1"), (2, 3, "alpha", "1/2"), (1, 5, "epsilon", "1/2")]
    return exhaust(lambda truth, k, parameter, value: replayed(truth, k, parameter, value, words), cases)


def check_ratios(most: int) -> int:
    return exhaust(ratios, product(range(2, most + 1), ALPHAS))


def check_unbiased(most: int) -> int:
    groups = [
        (truths, k) for k in (2, 3) for n in range(1, most + 1) for truths in combinations_with_replacement(range(k), n)
    ]
    return exhaust(unbiased, [(*group, alpha) for group in groups for alpha in (Fraction(1, 3), Fraction(3, 4))])
