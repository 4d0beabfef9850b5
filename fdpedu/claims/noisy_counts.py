"""Exact laws of noisy counts, clamped so that they are finite: the worst ratio of two releases, and tables to try."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import Any

from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.privacy import Law


def clamped_law(alpha: Fraction, centre: int, low: int, high: int) -> Law:
    """The law of centre + discrete Laplace noise, as the library states it, clamped to low, …, high."""
    return _clamped(_stated(alpha), alpha, centre, low, high)


def _stated(alpha: Fraction) -> Callable[[int], Fraction]:
    """The shipped Pr[k], each number of it asked for once; a broken one is not kept for later."""
    once: Callable[[int], Any] = cache(partial(discrete_laplace_pmf, alpha=alpha))
    return once


def _clamped(pmf: Callable[[int], Fraction], alpha: Fraction, centre: int, low: int, high: int) -> Law:
    inner = {k: pmf(k - centre) for k in range(low + 1, high)}
    return {low: alpha ** (centre - low) / (1 + alpha), **inner, high: alpha ** (high - centre) / (1 + alpha)}


def clamped_pmf(alpha: Fraction, centre: int, bound: int) -> list[Fraction]:
    """The same, clamped to [−bound, bound], as the list of its probabilities."""
    return list(clamped_law(alpha, centre, -bound, bound).values())


def worst_ratio(counts: Sequence[int], other: Sequence[int], alpha: Fraction) -> Fraction:
    """max over outputs of Pr[output | counts]/Pr[output | other], for independent noise on every cell."""
    bound, pmf = max(map(abs, [*counts, *other])) + 3, _stated(alpha)
    worst = Fraction(1)
    for a, b in zip(counts, other, strict=True):
        p, q = (_clamped(pmf, alpha, centre, -bound, bound).values() for centre in (a, b))
        worst *= max(x / y for x, y in zip(p, q, strict=True))
    return worst


def all_tables(cells: int, most: int) -> list[tuple[int, ...]]:
    """Every vector of ``cells`` counts from 0 to ``most``."""
    return list(product(range(most + 1), repeat=cells))
