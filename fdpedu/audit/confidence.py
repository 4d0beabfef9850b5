"""A lower bound on ε: the smallest claim that the same runs do not refute.

Every claim has a bet of its own, and all are made on the same guesses. The true ε is refuted with a probability of at
most α, at any time; so with a probability of at least 1 − α the smallest ε that is not refuted is at most the true one,
at all times at once. (The largest refuted ε would be no bound: each of many true claims would get a chance to fail.)

With δ = 0 the odds e^{−ε} fall as ε grows, so what is refuted is always all that is below some ε. With δ > 0 the fee
falls, too, and a claim may be refuted above one that is not. There ε is divided into thousandths, and one counts as
refuted if a bet with its least odds and its highest fee refutes it.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fdpedu.audit.betting import MAX_EPSILON, MOST_RUNS, STAKES, Bet, Floats, as_alpha, as_delta
from fdpedu.exact import Rational, as_integer

CELLS = 1000
"""So many parts has a unit of ε: a bound is a multiple of one."""


def epsilon_lower(
    right: int, wrong: int, none: int = 0, *, alpha: Rational, delta: Rational = 0, directions: int = 2
) -> float:
    """The smallest ε that so many runs of each kind do not refute: a multiple of 1/1000, rounded down, at most 50.

    Claims: thm-epsilon-sequence

    Parameters
    ----------
    right, wrong, none : counts of runs
    alpha : the error that is allowed, 0 < α < 1
    delta : of the claims
    directions : as for :meth:`Bet.against`

    Examples
    --------
    >>> epsilon_lower(90, 10, alpha=0.05), epsilon_lower(60, 40, alpha=0.05)
    (1.325, 0.0)
    """
    named = (("right", right), ("wrong", wrong), ("none", none))
    counts = [as_integer(n, name, minimum=0, maximum=MOST_RUNS) for name, n in named]
    slack, need = as_delta(delta), -math.log(as_alpha(alpha)) + _rounding(sum(counts))
    odds, fees = _terms(slack, as_integer(directions, "directions", minimum=1, maximum=2))
    u = np.array([float(stake) for stake in STAKES])
    # One part of ε after the other until one is not refuted; many at a time, because most bounds are small.
    for first in range(0, len(odds), CELLS):
        here = slice(first, first + CELLS)
        logs = counts[0] * np.log1p(odds[here, None] * u) + counts[1] * np.log1p(-u)
        logs += counts[2] * np.log1p(-fees[here, None] * u)
        most = logs.max(axis=1, keepdims=True)
        refuted = most[:, 0] + np.log(np.exp(logs - most).mean(axis=1)) >= need
        if not refuted.all():
            return (first + int(np.argmin(refuted))) / CELLS
    return float(MAX_EPSILON)


def _rounding(runs: int) -> float:
    """More than the floats of :func:`epsilon_lower` may be off, after so many runs."""
    return 2.0**-40 * (1 + runs)


@lru_cache(maxsize=8)
def _terms(delta: Fraction, directions: int) -> tuple[Floats, Floats]:
    """The least odds and the highest fee in each part of ε, (50,000,) each, off by a part of 2^−50 at most."""
    slack = directions * float(delta)
    e = np.exp(np.arange(MAX_EPSILON * CELLS + 1, dtype=np.float64) / CELLS)
    return (2 - slack) / (2 * e[1:] + slack), slack / (2 * e[:-1] + slack)


def bet_of_part(part: int, delta: Rational = 0, directions: int = 2) -> Bet:
    """The bet whose wealth is at most that against each ε from ``part``/1000 to (``part`` + 1)/1000.

    Parameters
    ----------
    part : from 0 to 49,999
    delta, directions : as for :meth:`Bet.against`
    """
    number = as_integer(part, "part", minimum=0, maximum=MAX_EPSILON * CELLS - 1)
    return Bet.against_any((Fraction(number, CELLS), Fraction(number + 1, CELLS)), delta, directions)


def roughly_lower(counts: tuple[NDArray[np.int64], ...], alpha: Fraction, delta: Fraction, sides: int) -> Floats:
    """About the bound for each of many counts, in floats: to find the time whose bound is looked for exactly."""
    right, wrong, none = counts
    low, high = np.zeros(len(right)), np.full(len(right), float(MAX_EPSILON))
    u, slack, need = np.array([float(stake) for stake in STAKES]), sides * float(delta), -math.log(alpha)
    for _ in range(24):
        middle = (low + high) / 2
        terms = 2 * np.exp(middle)[:, None] + slack
        logs = right[:, None] * np.log1p((2 - slack) / terms * u) + wrong[:, None] * np.log1p(-u)
        logs += none[:, None] * np.log1p(-slack / terms * u)
        refuted = np.logaddexp.reduce(logs, axis=1) - math.log(len(u)) >= need
        low, high = np.where(refuted, middle, low), np.where(refuted, high, middle)
    return low
