"""Checks of chapter 3: random words, and the discrete Laplace mechanism with the law that its sampler really has."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np

from fdpedu.claims.checking import exhaust, explore, need
from fdpedu.claims.noisy_counts import worst_ratio
from fdpedu.claims.replay import enumerate_law
from fdpedu.exact import Enclosure, Rational
from fdpedu.mechanisms import discrete_laplace, discrete_laplace_pmf
from fdpedu.randomness import SystemSource


def replayed_law(words: int, value: int, sensitivity: int, **parameter: Rational) -> None:
    """Played over all tapes of at most ``words`` 4-bit words, the shipped sampler has the stated law.

    What is undecided after so many words is the only slack, and it is small.
    """
    decided, undecided = enumerate_law(
        lambda tape: discrete_laplace(value, rng=tape, sensitivity=sensitivity, **parameter), 4, words
    )
    need(undecided < Fraction(1, 20), f"a share of {undecided} is undecided")
    for output, mass in decided.items():
        stated = discrete_laplace_pmf(output - value, sensitivity=sensitivity, **parameter)
        low, high = (stated.lower, stated.upper) if isinstance(stated, Enclosure) else (stated, stated)
        need(mass <= high and low <= mass + undecided, f"Pr[{output}] is at least {mass}, stated {float(high):.6f}")


def tight(alpha: Fraction, a: int, b: int) -> None:
    """The worst ratio of the outputs of a and b is exactly α^{−|a−b|}: ε-DP for sensitivity 1, and no better."""
    need(worst_ratio([a], [b], alpha) == alpha ** -abs(a - b), f"the worst ratio is {worst_ratio([a], [b], alpha)}")


def check_replayed_law(words: int) -> int:
    def law(value: int, sensitivity: int, name: str, parameter: str) -> None:
        replayed_law(words, value, sensitivity, **{name: parameter})

    cases = [(0, 1, "alpha", "1/5"), (-2, 1, "alpha", "1/3"), (1, 1, "epsilon", "2"), (0, 2, "epsilon", "4")]
    return exhaust(law, cases)


def check_tightness(most: int) -> int:
    cases = product((Fraction(1, 10), Fraction(1, 3), Fraction(7, 9)), range(-most, most + 1), range(-most, most + 1))
    return exhaust(tight, cases)


def explore_tightness(examples: int) -> int:
    return explore(tight, lambda draw: draw.tuples(draw.alphas, draw.integers(-9, 9), draw.integers(-9, 9)), examples)


def check_words(n: int) -> int:
    """Chi-square of the bytes of the operating system's words; both too far from uniform and too near is rejected."""
    counts = np.bincount(SystemSource().words(n).view(np.uint8), minlength=256)
    need_uniform(counts, alpha=1e-9)
    return n


def need_uniform(counts: np.ndarray[tuple[int], np.dtype[np.int64]], alpha: float) -> None:
    """Cells of equal probability, by a two-sided chi-square test with false alarms of probability α."""
    from scipy.stats import chi2

    expected, free = counts.sum() / counts.size, counts.size - 1
    statistic = float(((counts - expected) ** 2 / expected).sum())
    tails = chi2.cdf(statistic, free), chi2.sf(statistic, free)
    need(min(tails) > alpha / 2, f"chi-square is {statistic:.1f} with {free} degrees of freedom")
