"""Utilities as they are given, their gaps to the best one exactly, and the same gaps between floats, for many at once.

Integers are kept as an array of 64 bits, floats as an array of floats, all else, and the largest, as fractions. A float
means the decimal that it prints as, which is nearer to it than to any other float; so the best float is the best
decimal, and a gap of two of them is known to within a few units in their last places. Only the closest calls ask for a
fraction.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import as_fraction, unmasked
from fdpedu.exact.integers import unframed

Floats = NDArray[np.float64]
Values = NDArray[Any] | list[Fraction]

HUGE = 2.0**1000  # a gap of half of this, or more, is known to be no less than that, and nothing else
READ = 2.0**-51  # relative: more than half a unit for reading a number, and as much for a difference
STEP = 2.0**-51  # relative: more than the roundings of two operations
LEAST = 2.0**-1000  # more than what is lost where floats end


class Utilities:
    """Candidates 0, 1, 2, …; ``best`` is the one of the largest utility, of several the first."""

    def __init__(self, utilities: Any) -> None:
        self.values = _read(utilities)
        if len(self.values) == 0:
            raise ValueError("utilities must be at least one number, got an empty list")
        self._near = None if self._whole else _nearest(self.values)
        self.best = self._best()

    def __len__(self) -> int:
        return len(self.values)

    @property
    def _whole(self) -> bool:
        return isinstance(self.values, np.ndarray) and self.values.dtype.kind in "iu"

    def _best(self) -> int:
        if isinstance(self.values, np.ndarray):
            return int(np.argmax(self.values))
        return max(self._close().tolist(), key=self.values.__getitem__)

    def _close(self) -> NDArray[np.intp]:
        """Candidates that may be the best: those of the largest float, since the nearest floats are in order."""
        assert self._near is not None
        return np.flatnonzero(self._near == np.max(self._near))

    def value(self, r: int) -> Fraction:
        """The utility u_r, exactly."""
        if isinstance(self.values, np.ndarray):
            return as_fraction(self.values[r].item(), "utilities")
        return self.values[r]

    def gap(self, r: int) -> Fraction:
        """u* − u_r ≥ 0, exactly."""
        return self.value(self.best) - self.value(r)

    @cached_property
    def gaps(self) -> list[Fraction]:
        """All gaps, exactly."""
        top = self.value(self.best)
        return [top - self.value(r) for r in range(len(self))]

    @property
    def steps(self) -> NDArray[np.uint64] | None:
        """All gaps as 64-bit integers, if the utilities are such integers."""
        if not self._whole:
            return None
        assert isinstance(self.values, np.ndarray)
        top = self.values[self.best : self.best + 1]
        return top.astype(np.uint64) - self.values.astype(np.uint64)  # modulo 2**64, in which every gap fits

    def gap_bounds(self) -> tuple[Floats, Floats]:
        """Floats below and above every gap; both are 0 where the gap is."""
        if (steps := self.steps) is not None:
            gap, error = steps.astype(np.float64), np.zeros(len(self))
            ties: Any = steps == 0
        else:
            assert self._near is not None
            gap = np.maximum(0.0, self._near[self.best] - self._near)
            error = READ * (abs(self._near[self.best]) + np.abs(self._near)) + 2 * LEAST
            ties = [r for r in self._close().tolist() if self.values[r] == self.values[self.best]]
        low = np.clip(gap - error, 0.0, HUGE / 2) * (1 - STEP)
        high = np.where(gap >= HUGE / 2, np.inf, (gap + error) * (1 + STEP))
        low[ties] = high[ties] = 0.0
        return low, high


def _read(utilities: Any) -> Values:
    """64-bit integers, floats, or fractions, whichever the numbers are."""
    utilities = unframed(utilities, "utilities")
    if isinstance(utilities, np.ndarray):
        utilities = unmasked(utilities, "utilities")
        if utilities.ndim == 1 and utilities.dtype.kind in "iu":
            return utilities.astype(np.uint64 if utilities.dtype.kind == "u" else np.int64)
        utilities = utilities.tolist()
    if not isinstance(utilities, Sequence) or isinstance(utilities, (str, bytes)):
        raise ValueError(f"utilities must be a list of numbers, got {type(utilities).__name__}")
    kinds = set(map(type, utilities))
    if kinds == {int} and all(-(2**63) <= end < 2**63 for end in (min(utilities), max(utilities))):
        return np.array(utilities, dtype=np.int64)
    if kinds == {float} and np.all(np.abs(floats := np.array(utilities)) <= HUGE):
        return floats
    return [u if type(u) is Fraction else as_fraction(u, "utilities") for u in utilities]


def _nearest(values: Values) -> Floats:
    """The nearest floats; of fractions that floats hardly tell apart, or cannot hold, differences to the largest."""
    if isinstance(values, np.ndarray):
        return values
    try:
        near = np.array([v.numerator / v.denominator for v in values])
    except OverflowError:
        near = np.array([np.inf])
    with np.errstate(over="ignore", invalid="ignore"):
        if np.abs(near).max() <= min(HUGE, 2.0**20 * np.ptp(near)):
            return near
    top = max(values)
    return np.array([float(max(v - top, Fraction(-HUGE))) for v in values])
