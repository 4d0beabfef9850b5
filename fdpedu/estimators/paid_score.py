"""What all scores on private rows have in common: what they cost, what they promise, and whether noise leaves any.

Whether it does follows from what was released, and from the public size of the noise: a count or a sum below 0 is
counted as 0, so what is lost in noise may look perfect. Then it is said that nothing is known, and of how many rows
such a cost would tell more.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any, ClassVar

from fdpedu.accounting import Derivation, as_cost
from fdpedu.accounting.cost import Priced
from fdpedu.derivation_checker import DerivationRefused
from fdpedu.printable import escape

AIM = 0.05
"""The standard error of which it is said how many rows it takes."""


class PaidScore(ABC):
    """A released score: numbers with noise, what they cost and why, and what follows from them.

    ``deviation`` is the standard deviation of the noise in each of them, which is public.
    """

    cost: Priced
    deviation: float
    derivation: Derivation | None
    _numbers: ClassVar[str]  # what was released, in a word

    def __post_init__(self) -> None:
        object.__setattr__(self, "cost", as_cost(self.cost, "cost"))

    @property
    def epsilon(self) -> Fraction:
        """ε, of what costs ε; what costs ρ has none."""
        found: Fraction = self.cost.epsilon
        return found

    @property
    @abstractmethod
    def value(self) -> float:
        """The score, of what is left when negative numbers become 0."""

    @property
    @abstractmethod
    def standard_error(self) -> float:
        """The standard error of ``value`` by its noise, to first order."""

    @property
    def too_noisy(self) -> bool:
        """Whether noise leaves nothing to say: ``standard_error`` is more than a quarter of what is measured.

        That is 1, from a model that is never right, or no better than the mean, to a perfect one; of an R² below 0 it
        is 1 − R².
        """
        return self.standard_error > max(1.0, 1 - self.value) / 4

    @property
    def rows_needed(self) -> int:
        """About how many rows a standard error of .05 takes at this cost, by the noise alone; in two digits.

        It follows from the public noise; of numbers, for a standard deviation of a sixth of the target's range.
        """
        least = self._error_of_one_row() / AIM
        if least <= 1:
            return 1
        unit = 10 ** max(0, math.floor(math.log10(least)) - 1)
        return math.ceil(least / unit) * unit

    @abstractmethod
    def _error_of_one_row(self) -> float:
        """n times the standard error of n rows, whatever their score from 0 to 1 is; above 0."""

    @abstractmethod
    def counted(self) -> dict[str, Any]:
        """What was released, for JSON."""

    def _unknown(self) -> str:
        return (
            f"unknown: the noise is too large to say anything; ± {AIM} takes about {self.rows_needed:,} rows at this "
            "cost"
        )

    def _repr_html_(self) -> str:
        """A sentence for a notebook; what it cost stands in it."""
        return f'<p class="fdpedu">{escape(str(self))}<br>{escape(self.promise())}</p>'

    def promise(self) -> str:
        """The guarantee in words; without noise, as in tests, there is none."""
        try:
            return f"The {self._numbers} are {self.derivation.guarantee}." if self.derivation else ""
        except DerivationRefused as refused:
            return f"Nothing is promised: {refused}."
