"""Exact laws of noisy counts, clamped so that they are finite: the worst ratio of two releases, and tables to try."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product


def clamped_pmf(alpha: Fraction, centre: int, bound: int) -> list[Fraction]:
    """The law of centre + discrete Laplace noise, clamped to [−bound, bound]: a finite law, by post-processing."""
    inner = [(1 - alpha) / (1 + alpha) * alpha ** abs(k - centre) for k in range(-bound + 1, bound)]
    low, high = alpha ** (centre + bound) / (1 + alpha), alpha ** (bound - centre) / (1 + alpha)
    return [low, *inner, high]


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
