"""Counts of random draws against the probabilities of their cells: for laws that only draws can show."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fdpedu.claims.checking import require


def require_uniform(counts: NDArray[np.int64], alpha: float) -> None:
    """Cells of equal probability, by a two-sided chi-square test with false alarms of probability α."""
    require_frequencies(counts, np.full(counts.size, 1 / counts.size), alpha)


def require_frequencies(counts: NDArray[np.int64], law: NDArray[np.float64], alpha: float) -> None:
    """Cells of these probabilities, by a two-sided chi-square test with false alarms of probability α."""
    from scipy.special import chdtr, chdtrc  # `scipy.stats` would take a second to load

    expected, free = counts.sum() * law, counts.size - 1
    statistic = float(((counts - expected) ** 2 / expected).sum())
    tails = chdtr(free, statistic), chdtrc(free, statistic)
    require(min(tails) > alpha / 2, f"chi-square is {statistic:.1f} with {free} degrees of freedom")
