"""How far a released model is off on private rows, paid for: R² and the root of the mean squared error, with noise.

Four sums are released (:class:`~fdpedu.federation.queries.SquareSums`): of how many rows, how their numbers spread, and
how far the model is off. A number and its prediction lie within the target's public range, so one record more or less
moves each sum by little.

Claims: lem-squares
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

from fdpedu.accounting import Derivation
from fdpedu.accounting.cost import Priced
from fdpedu.estimators.paid_score import PaidScore
from fdpedu.gradients import UNIT

_PER_ROW = UNIT // 4  # a row, in the first of the sums


@dataclass(frozen=True)
class NoisyFit(PaidScore):
    """The released sums of squares of a model of numbers, and R² of them.

    Parameters
    ----------
    sums : as released, in units of 1/4096 of the target's range: a quarter of the rows, their distances from the middle
        of the range, the squares of these, and of the model's errors; with noise, so each may be negative
    span : the length of the target's range
    cost : what they cost; a number is ε
    deviation : the standard deviation of the noise in each of these sums
    derivation : why they cost that, for the scored rows by themselves
    unit : of the target

    Examples
    --------
    >>> score = NoisyFit((102_400, 20_480, 17_408, 4096), span=40, cost=1, deviation=100.0, derivation=None, unit="d")
    >>> print(score)
    R² 0.750 ± 0.006, root of the mean squared error 4 ± 0.049 d (noisy sums of about 100 rows; ε = 1)
    """

    sums: tuple[int, int, int, int]
    span: float
    cost: Priced
    deviation: float
    derivation: Derivation | None = field(repr=False, compare=False)
    unit: str = ""

    _numbers: ClassVar[str] = "sums"

    @property
    def rows(self) -> float:
        """About how many rows were scored; noise can make it negative."""
        return self.sums[0] / _PER_ROW

    @property
    def value(self) -> float:
        """R², 1 − Σ(y − f)²/Σ(y − mean of y)², where squares below 0 count as 0; nan if no spread is left of y.

        It is below 0 where the model is off by more than the mean of the scored rows.
        """
        spread = self._spread()
        return 1 - max(self.sums[3], 0) / spread if spread > 0 else math.nan

    @property
    def standard_error(self) -> float:
        """The standard error of ``value`` by its noise, to first order; inf if no spread is left.

        It covers the noise only. How well n rows stand for all others is another question, with an error of its own.
        """
        spread = self._spread()
        if not spread > 0:
            return math.inf
        mean, share = self.sums[1] / UNIT / self.rows, max(self.sums[3], 0) / spread
        # the spread is Σv² − (Σv)²/n: its derivatives by the three, where n is counted in quarters
        by_spread = math.hypot(1.0, 2 * mean, 4 * mean**2)
        return self.deviation * math.hypot(1.0, share * by_spread) / spread

    @property
    def root_mean_squared_error(self) -> float:
        """√(Σ(y − f)²/n), in the target's unit; nan if no rows are left."""
        return self.span * math.sqrt(max(self.sums[3], 0) / UNIT / self.rows) if self.rows > 0 else math.nan

    @property
    def root_error(self) -> float:
        """The standard error of ``root_mean_squared_error`` by its noise; inf if no rows are left.

        How far it rises if the squares are larger by their noise: more than 0 also where they are counted as 0.
        """
        if self.rows <= 0:
            return math.inf
        squares, root = max(self.sums[3], 0), self.root_mean_squared_error
        more = self.span * math.sqrt((squares + self.deviation) / UNIT / self.rows) - root
        return math.hypot(more, root * self.deviation / (2 * self.sums[0]))

    def _spread(self) -> float:
        """Σ(y − mean of y)², in units of 1/4096; nan if no rows are left."""
        _, distances, squares, _ = self.sums
        return squares - distances**2 / UNIT / self.rows if self.rows > 0 else math.nan

    def _error_of_one_row(self) -> float:
        # of a model no better than the mean, for numbers whose standard deviation is a sixth of the range
        return self.deviation * math.sqrt(2) * 36 / UNIT

    def __str__(self) -> str:
        released = f"noisy sums of about {self.rows:.0f} rows; {self.cost}"
        if self.too_noisy:
            return f"R² {self._unknown()}, where the standard deviation is a sixth of the range ({released})"
        error = f"{self.root_mean_squared_error:.4g} ± {self.root_error:.2g} {self.unit}".rstrip()
        return f"R² {self.value:.3f} ± {self.standard_error:.3f}, root of the mean squared error {error} ({released})"

    def counted(self) -> dict[str, Any]:
        """What was released and what follows from it, for JSON."""
        return {
            "sums": list(self.sums),
            "rows": self.rows,
            "root_mean_squared_error": None if self.too_noisy else self.root_mean_squared_error,
            "root_error": self.root_error,
        }
