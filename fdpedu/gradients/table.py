"""Probabilities and pulls by public tables, in whole steps: nothing that a party adds up is a float.

A score s is looked up in steps of 1/64, clipped to −8 ≤ s ≤ 8. The table holds P[s], the integer nearest to
m·logistic(s), with P[−s] = m − P[s] exactly. From it follow a row's *pull* P[s] − m·y, the gradient of the logistic
loss in steps of 1/m, clipped to ±c, and its *curvature* ⌊P·(m − P)/m⌋, the second derivative.

A pull may carry the weight of its class, in steps of 1/256 and at most 1. It is rounded towards 0, so it stays
within ±c.

Arithmetic: integers; the table is rounded from enclosures, so every computer has the same one.

Claims: lem-pull-table
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from fdpedu.exact import Integers, as_integer, exp_enclosure

UNIT = 4096
"""A score of 1 in the integers of a model."""
PER_ONE, MAX_SCORE = 64, 8  # steps of the table in a score of 1; the largest score that it tells from larger ones
MAX_STEPS = 2**12
FULL_WEIGHT = 256
_HALF, _ROUNDING = PER_ONE * MAX_SCORE, UNIT // PER_ONE


def as_steps(steps: object) -> int:
    """m, an even integer from 2 to 4096: the table must hold m/2 at the score 0."""
    found = as_integer(steps, "steps", minimum=2, maximum=MAX_STEPS)
    if found % 2:
        raise ValueError(f"steps must be even, as half of them stands for the probability 1/2, got {found}")
    return found


@lru_cache(maxsize=64)
def probabilities(steps: int) -> Integers:
    """P[s] for s = −8, −8 + 1/64, …, 8: integers from 0 to m, of shape (1025,), not to be written to.

    Claims: lem-pull-table

    Parameters
    ----------
    steps : m, even, from 2 to 4096

    Examples
    --------
    >>> table = probabilities(64)
    >>> table[[0, 448, 512, 576, 1024]].tolist()  # the scores −8, −1, 0, 1, 8
    [0, 17, 32, 47, 64]
    """
    return _kept(table_by_rule(as_steps(steps)))


def table_by_rule(m: int) -> list[int]:
    """What :func:`probabilities` says of an m that has been read, anew each time."""
    above = [_nearest(m, Fraction(i, PER_ONE)) for i in range(1, _HALF + 1)]
    return [*(m - p for p in reversed(above)), m // 2, *above]


def _kept(found: Any) -> Integers:
    """As an array that is not to be written to: all who ask have the same."""
    array = np.array(found, dtype=np.int64)
    array.flags.writeable = False
    return array


def _nearest(m: int, s: Fraction) -> int:
    """The integer nearest to m·logistic(s) for s > 0: that is irrational, so it is never half-way."""
    digits = 20
    while True:
        ends = exp_enclosure(-s, digits)
        # lem-pull-table: rounded alike from both ends, or enclosed more closely
        low, high = (math.floor(m / (1 + end) + Fraction(1, 2)) for end in (ends.upper, ends.lower))
        if low == high:
            return low
        digits *= 2


def positions(scores: Integers) -> Integers:
    """Where scores stand in the tables: in steps of 1/64, halves up, clipped at both ends.

    Parameters
    ----------
    scores : integers in units of 1/4096

    Examples
    --------
    >>> positions(np.array([0, 31, 32, 4096, 10**9, -(10**9)])).tolist()
    [512, 512, 513, 576, 1024, 0]
    """
    found: Integers = np.clip((scores + _ROUNDING // 2) // _ROUNDING, -_HALF, _HALF) + _HALF
    return found


@lru_cache(maxsize=256)
def pulls(steps: int, clip: int, first: int = FULL_WEIGHT, second: int = FULL_WEIGHT) -> Integers:
    """The clipped pull of a row by its class and the position of its score: shape (2, 1025), not to be written to.

    Claims: lem-pull-table, lem-gentle-loss

    Parameters
    ----------
    steps : m
    clip : c, from 1 to m
    first, second : the weights of both classes, from 1 to 256, of 256

    Examples
    --------
    >>> pulls(64, 32)[:, [0, 448, 512, 576, 1024]].tolist()  # a wrong row pulls with 32 at most
    [[0, 17, 32, 32, 32], [-32, -32, -32, -17, 0]]
    """
    m, c = as_steps(steps), as_integer(clip, "clip", minimum=1, maximum=steps)
    weights = [
        as_integer(w, name, minimum=1, maximum=FULL_WEIGHT) for w, name in ((first, "first"), (second, "second"))
    ]
    return _kept([pulls_by_rule(m, c, y, weight) for y, weight in enumerate(weights)])


def pulls_by_rule(m: int, c: int, y: int, weight: int) -> Integers:
    """The row of :func:`pulls` for a class, of numbers that have been read, anew each time."""
    clipped = np.clip(probabilities(m) - m * y, -c, c)
    # lem-pull-table: towards 0, so that no weight makes a pull longer
    found: Integers = np.sign(clipped) * (np.abs(clipped) * weight // FULL_WEIGHT)
    return found


@lru_cache(maxsize=64)
def curvatures(steps: int) -> Integers:
    """⌊P·(m − P)/m⌋ by the position of the score: shape (1025,), not to be written to.

    >>> curvatures(64)[[0, 512, 576]].tolist()
    [0, 16, 12]
    """
    m = as_steps(steps)
    return _kept(probabilities(m) * (m - probabilities(m)) // m)


@lru_cache(maxsize=64)
def intercept_shifts(steps: int) -> tuple[tuple[int, int], ...]:
    """By how much one row can move the sums of pulls, clipped at m/2, and of curvatures: all pairs, in order.

    Claims: lem-intercept-sums

    >>> intercept_shifts(4)
    ((0, 0), (1, 0), (2, 0), (2, 1))
    """
    m = as_steps(steps)
    # lem-intercept-sums: from all values of a table, whatever scores a model has
    values = [(min(p, m // 2), p * (m - p) // m) for p in range(m + 1)]
    return tuple(sorted(set(values)))
