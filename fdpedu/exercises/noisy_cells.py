"""Cells of a histogram with discrete Laplace noise of α = 1/2, in exercises to break: laws, and what a ratio shows."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from fdpedu.exercises.values import Unreadable, integer, optional, sequence

HALF = Fraction(1, 2)
MAX_LIMIT = 50
Limit = tuple[int | None, int | None]


def at_most(t: int) -> Fraction:
    """Pr[noise ≤ t].

    >>> at_most(0), at_most(-1)
    (Fraction(2, 3), Fraction(1, 3))
    """
    return HALF**-t * Fraction(2, 3) if t <= 0 else 1 - HALF ** (t + 1) * Fraction(2, 3)


def shown_by(mine: Fraction, theirs: Fraction) -> tuple[str, str]:
    """What an event of these probabilities shows against a claim of e^ε = 2, where 4 is possible: word, sentence."""
    ratio = mine / theirs
    said = f"The event has probability {mine} and {theirs}, a ratio of {ratio}."
    if ratio == 4:
        return "broken", said
    if ratio > 2:
        return "more than claimed", said
    return ("the other way round" if ratio < HALF else "within" if ratio > 1 else "no gain"), said


def limits(raw: Any) -> Limit:
    """The limits of a cell in an event, ends included; None is no limit."""
    low, high = sequence(optional(integer), 2)(raw)
    if any(end is not None and abs(end) > MAX_LIMIT for end in (low, high)):
        raise Unreadable(f"limits lie between −{MAX_LIMIT} and {MAX_LIMIT}, or are None")
    if low is not None and high is not None and low > high:
        raise Unreadable("an event with a lower limit above its upper one never happens")
    return low, high


def between(limit: Limit, count: int) -> Fraction:
    """Pr[count + noise lies within the limits].

    >>> between((1, None), 1), between((None, None), 7)
    (Fraction(2, 3), Fraction(1, 1))
    """
    low, high = limit
    above = Fraction(1) if high is None else at_most(high - count)
    return above - (Fraction(0) if low is None else at_most(low - 1 - count))
