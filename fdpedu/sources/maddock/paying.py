"""Two ways to pay for sums of pairs (g, s): as the source prints it, and mended. Here alone noise is drawn.

A row's pair is its gradient g = p − y, and s, what gradients are divided by: the Hessian h = p(1−p) for Newton steps,
1 for gradient steps. Averages come from scores that stay 0. Every query gets the same part ρ/κ of the budget. One row
more or less is in one cell of each query, so the ℓ₂ sensitivity of a query is the length of a pair.

**As printed**: real numbers, as floats, Gaussian noise, and √17/4 as the length of (g, h). Our copy names no length for
pairs (g, 1), for which √17/4 would be too small; here it is √2. **Mended**: integers in steps of 1/m with discrete
Gaussian noise, for the longest pair that stands in a public table: m for (G, ⌊3P(m−P)/m⌋), where the Hessian is
enlarged by κ = 3 for nothing; √5·m/2 for (G, m/2); m/√2 for averages, where |G| = m/2, too.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import Integers
from fdpedu.gradients import UNIT, positions, probabilities
from fdpedu.randomness import Source
from fdpedu.sampling.gaussians import MAX_VARIANCE, discrete_gaussian_noise
from fdpedu.sources.maddock.candidates import Floats

STEPS = 64  # m
KAPPA = 3  # hessian_is_free(3)
PAID, UNPAID = ("as printed", "mended"), "not private"


class Pairs(ABC):
    """The pairs of rows, how long they are, and the noise of their sums.

    Parameters
    ----------
    weights : how leaves are weighted
    """

    units: tuple[float, float]
    lengths: tuple[Fraction, Fraction]  # squared: of a pair, and of its second number alone
    spare = 0  # of the variance

    def __init__(self, weights: str) -> None:
        self.weights = weights

    @abstractmethod
    def of(self, scores: Integers, labels: NDArray[np.uint8]) -> Floats:
        """Of each row, by its score in units of 1/4096 and its class: shape (2, n)."""

    @abstractmethod
    def noise(self, variance: Fraction, size: int, source: Source) -> Floats:
        """So many numbers of a variance."""


class Printed(Pairs):
    """Real pairs."""

    def __init__(self, weights: str) -> None:
        super().__init__(weights)
        # averages are those of (g, h) at the score 0, where four Hessians make a row
        self.units = (1.0, 0.25 if weights == "averages" else 1.0)
        counted = weights == "gradient"
        self.lengths = (Fraction(2), Fraction(1)) if counted else (Fraction(17, 16), Fraction(1, 16))

    def of(self, scores: Integers, labels: NDArray[np.uint8]) -> Floats:
        p = 1 / (1 + np.exp(-np.clip(scores / UNIT, -500, 500)))
        return np.array([p - labels, np.ones(len(p)) if self.weights == "gradient" else p * (1 - p)])

    def noise(self, variance: Fraction, size: int, source: Source) -> Floats:
        """Of Box and Muller; words of zeros give zeros."""
        first, second = source.words(2 * size).astype(np.float64).reshape(2, size) / 2.0**64
        radius = np.sqrt(-2 * np.log1p(-np.minimum(first, 1 - 2.0**-53)))
        return math.sqrt(variance) * radius * np.cos(2 * np.pi * second)


class Mended(Pairs):
    """Pairs in whole steps, from public tables; floats hold them and their sums exactly."""

    spare = 1  # the integers take it (lem-smoothed-gaussian)

    def __init__(self, weights: str) -> None:
        super().__init__(weights)
        hessians = weights == "newton"
        self.units = (STEPS, KAPPA * STEPS if hessians else STEPS / 2)
        p = np.array([STEPS // 2], dtype=np.int64) if weights == "averages" else np.arange(STEPS + 1, dtype=np.int64)
        # the maximum over all that a table may hold, whatever scores a model has
        longest = max(int((pull**2 + self._second(p) ** 2).max()) for pull in (p, p - STEPS))
        self.lengths = Fraction(longest), Fraction(int((self._second(p) ** 2).max()))

    def _second(self, p: Integers) -> Integers:
        return KAPPA * p * (STEPS - p) // STEPS if self.weights == "newton" else np.full_like(p, STEPS // 2)

    def of(self, scores: Integers, labels: NDArray[np.uint8]) -> Floats:
        p = probabilities(STEPS)[positions(scores)]
        return np.array([p - STEPS * labels.astype(np.int64), self._second(p)]).astype(np.float64)

    def noise(self, variance: Fraction, size: int, source: Source) -> Floats:
        return discrete_gaussian_noise(variance, size, source).astype(np.float64)


@dataclass(frozen=True)
class Counts:
    """What was asked, and what went over the line.

    Parameters
    ----------
    splits, weights, candidates : κ_s, κ_w and κ_c, the number of queries
    rounds : how often answers had to be waited for
    numbers : how many numbers the answers had

    Examples
    --------
    >>> counts = Counts(0, 25, 0, rounds=25, numbers=400)
    >>> counts.releases, counts.answer_bytes
    (25, 3200)
    """

    splits: int
    weights: int
    candidates: int
    rounds: int
    numbers: int

    @property
    def releases(self) -> int:
        """κ = κ_s + κ_w + κ_c."""
        return self.splits + self.weights + self.candidates

    @property
    def answer_bytes(self) -> int:
        """8 for each number."""
        return 8 * self.numbers


class Asking:
    """Answers queries and records each one as it is asked; refuses to answer more than were paid for.

    Parameters
    ----------
    pairs : how rows answer
    rho : of all queries together
    n_queries : κ
    source : of the noise
    """

    def __init__(self, pairs: Pairs, rho: Fraction, n_queries: int, source: Source) -> None:
        self.pairs, self._source, self._left = pairs, source, n_queries
        # Gaussian noise of variance σ² on numbers that move by Δ costs Δ²/(2σ²), which is to be ρ/κ; 1 more on integers
        self._variances = tuple(length * n_queries / (2 * rho) + pairs.spare for length in pairs.lengths)
        if max(self._variances) > MAX_VARIANCE:
            raise ValueError(f"epsilon must be larger: the noise of {n_queries} queries would not fit 64 bits")
        self._asked = {"splits": 0, "weights": 0, "candidates": 0}
        self._rounds = self._numbers = 0

    def ask(self, what: str, exact: Sequence[Floats]) -> list[Floats]:
        """One round: the noisy sums of each query, in real units; for candidates, second numbers alone.

        Parameters
        ----------
        what : ``"splits"``, ``"weights"`` or ``"candidates"``
        exact : the sums of each query, of shape (…, 2) for pairs
        """
        alone = what == "candidates"
        self._left -= len(exact)
        assert self._left >= 0, "every query is paid for"
        self._asked[what] += len(exact)
        self._rounds += 1
        size = sum(sums.size for sums in exact)
        self._numbers += size
        drawn = self.pairs.noise(self._variances[alone], size, self._source)
        ends = np.cumsum([sums.size for sums in exact], dtype=np.int64)[:-1]
        units = self.pairs.units[1] if alone else np.array(self.pairs.units)
        parts = zip(exact, np.split(drawn, ends), strict=True)
        return [(sums + part.reshape(sums.shape)) / units for sums, part in parts]

    @property
    def counts(self) -> Counts:
        """So far."""
        return Counts(**self._asked, rounds=self._rounds, numbers=self._numbers)
