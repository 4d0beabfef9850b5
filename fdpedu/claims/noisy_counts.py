"""Exact laws of noisy counts, clamped so that they are finite: the worst ratio of two releases, and tables to try."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from fdpedu.privacy import Law


def clamped_law(alpha: Fraction, centre: int, low: int, high: int) -> Law:
    """The law of centre + discrete Laplace noise, Pr[k] = (1−α)/(1+α)·α^|k|, clamped to low, …, high."""
    inner = {k: (1 - alpha) / (1 + alpha) * alpha ** abs(k - centre) for k in range(low + 1, high)}
    return {low: alpha ** (centre - low) / (1 + alpha), **inner, high: alpha ** (high - centre) / (1 + alpha)}


def clamped_pmf(alpha: Fraction, centre: int, bound: int) -> list[Fraction]:
    """The same, clamped to [−bound, bound], as the list of its probabilities."""
    return list(clamped_law(alpha, centre, -bound, bound).values())


def worst_ratio(counts: Sequence[int], other: Sequence[int], alpha: Fraction) -> Fraction:
    """max over outputs of Pr[output | counts]/Pr[output | other], for independent noise on every cell."""
    bound = max(map(abs, [*counts, *other])) + 3
    worst = Fraction(1)
    for a, b in zip(counts, other, strict=True):
        p, q = clamped_pmf(alpha, a, bound), clamped_pmf(alpha, b, bound)
        worst *= max(x / y for x, y in zip(p, q, strict=True))
    return worst


def all_tables(cells: int, most: int) -> list[tuple[int, ...]]:
    """Every vector of ``cells`` counts from 0 to ``most``."""
    return list(product(range(most + 1), repeat=cells))
