"""A numeric target: residuals in place of pulls, predictions in place of classes, and squares, all in whole steps.

A target has K levels on its range, and u = (2k + 1)/(2K) is where level k lies in it, from 0 to 1. Scores are in units
of a *spread* c, which is public: a score s stands for u = s·c. A row pulls with its residual (s·c − u)/(2c), in steps
of 1/m, clipped to ±m/2: so a row moves a sum by m/2 at most, whatever c is. The spread is given in half levels,
C = 2K·c, so that u/c = (2k + 1)/C is a quotient of integers.

Arithmetic: integers.

Claims: lem-residual, lem-squares
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain.features import MAX_CODES
from fdpedu.exact import Integers, as_indices, as_integer
from fdpedu.gradients.table import UNIT

MAX_SPREAD = 2 * MAX_CODES  # half levels: the whole range of the finest target
SQUARES_L1, SQUARES_L2 = 2 * UNIT, 22 * (UNIT // 4) ** 2
"""By how much a row moves the four sums of :func:`square_sums` at most, in ℓ₁, and in the square of ℓ₂."""


def as_spread(spread: object) -> int:
    """C, in half levels: from 1 to 512."""
    return as_integer(spread, "spread", minimum=1, maximum=MAX_SPREAD)


def residuals(scores: Integers, levels: NDArray[np.uint8], spread: int, steps: int) -> Integers:
    """The clipped residual of each row: (s − u/c)·m/2 to the nearest integer, halves up, within ±m/2.

    Claims: lem-residual

    Parameters
    ----------
    scores : of each row, in units of 1/4096
    levels : of each row
    spread : C
    steps : m, even

    Examples
    --------
    >>> levels = np.array([0, 1, 2, 3, 255], dtype=np.uint8)
    >>> residuals(np.full(5, 4096), levels, 4, 64).tolist()  # at a score of 1, and so at the middle of level 3/2
    [24, 8, -8, -24, -32]
    """
    # |s| < 2^35, C ≤ 2^9 and m ≤ 2^12, so twice their product has less than 2^57
    above = 2 * steps * (scores * spread - UNIT * (2 * levels.astype(np.int64) + 1))
    unit = 2 * UNIT * spread
    # lem-residual: clipped row by row
    found: Integers = np.clip((above + unit) // (2 * unit), -(steps // 2), steps // 2)
    return found


def in_range(scores: Integers, spread: int, n_levels: int) -> Integers:
    """What scores predict: where in the range, from 0 to 1, in units of 1/4096 to the nearest; clipped to the range.

    >>> in_range(np.array([-5, 0, 4096, 40960]), 4, 8).tolist()  # c is 4/16 of the range
    [0, 0, 1024, 4096]
    """
    found: Integers = np.clip((scores * spread + n_levels) // (2 * n_levels), 0, UNIT)
    return found


def middles(n_levels: int) -> Integers:
    """Where each level lies in the range, in units of 1/4096 to the nearest.

    >>> middles(4).tolist()
    [512, 1536, 2560, 3584]
    """
    return (UNIT * (2 * np.arange(n_levels, dtype=np.int64) + 1) + n_levels) // (2 * n_levels)


def square_sums(predicted: Integers, levels: NDArray[np.uint8], n_levels: int) -> Integers:
    """Of all rows a quarter each, their distances from the middle of the range, the squares of these, and of errors.

    All are in units of 1/4096 of the range, squares to the nearest.

    Claims: lem-squares

    Parameters
    ----------
    predicted : for each row, in units of 1/4096; clipped to the range
    levels : of each row
    n_levels : K

    Examples
    --------
    >>> square_sums(np.array([4096, 512]), np.array([3, 0], dtype=np.uint8), 4).tolist()
    [2048, 0, 1152, 64]
    """
    value = middles(n_levels).take(as_indices(levels)) - UNIT // 2
    # lem-squares: a prediction is clipped to the range, as the target is, so an error is 1 at most
    error = np.clip(predicted, 0, UNIT) - UNIT // 2 - value
    sums = [len(value) * (UNIT // 4), value.sum(), _nearest(value**2).sum(), _nearest(error**2).sum()]
    return np.array(sums, dtype=np.int64)


def _nearest(squares: Integers) -> Integers:
    """In units of 1/4096, of numbers in units of its square."""
    return (squares + UNIT // 2) // UNIT
