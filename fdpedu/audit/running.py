"""Run by run: in which order the data sets take turns, and after which run a wealth first reaches a level."""

from __future__ import annotations

import math
import sys
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from fdpedu.audit.betting import Bet, Floats
from fdpedu.audit.events import Guesses

_BLOCK = 32
_OWN = 0xA0D17  # by which the coins of audits are told from those of all other generators

MARKS = (1, -1, 0)


def running(marks: Guesses) -> tuple[NDArray[np.int64], ...]:
    """The counts of right guesses, wrong ones and none after each run."""
    return tuple(np.cumsum(marks == mark, dtype=np.int64) for mark in MARKS)


def as_wealth(logs: Floats) -> Floats:
    """The wealth by its logarithm, at most the largest float."""
    found: Floats = np.exp(np.minimum(logs, math.log(sys.float_info.max) - 1e-9))
    return found


def first_reaching(bet: Bet, level: Fraction, before: NDArray[np.int64], marks: Guesses) -> int | None:
    """After how many of these runs the wealth first is at least ``level``; None if it never is.

    Floats say where that may be, in integers it is decided. In a block of runs nobody wins more than all of them.
    """
    counts = [start + counted for start, counted in zip(before.tolist(), running(marks), strict=True)]
    starts = [
        np.concatenate([[start], counted[_BLOCK - 1 :: _BLOCK]]) for start, counted in zip(before, counts, strict=True)
    ]
    near = math.log(level) - 2.0**-40 * (1 + len(marks) + int(before.sum()))
    possible = bet.log_wealth(*starts) + _BLOCK * math.log1p(float(bet.odds)) >= near
    for block in np.flatnonzero(possible):
        here = slice(block * _BLOCK, (block + 1) * _BLOCK)
        own = [counted[here] for counted in counts]
        for i in np.flatnonzero(bet.log_wealth(*own) >= near):
            if bet.reaches(level, *(int(counted[i]) for counted in own)):
                return int(block) * _BLOCK + int(i) + 1
    return None


def order(seed: int, first: int, runs: int) -> NDArray[np.bool_]:
    """Which of these runs are on D′: fair coins, the same however the runs are divided.

    They are not those of a generator with the same seed, which a mechanism may draw from.

    Parameters
    ----------
    seed : ≥ 0
    first : the number of the first run, from 0
    runs : how many

    Examples
    --------
    >>> order(1, 0, 5).tolist(), order(1, 2, 3).tolist()
    ([False, False, True, False, True], [True, False, True])
    """
    generator = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(_OWN,)))
    generator.advance(first)
    return np.random.Generator(generator).random(runs) < 0.5
