"""Cells of a histogram with discrete Laplace noise of α = 1/2, in exercises to break: laws, and what a ratio shows."""

from __future__ import annotations

from fractions import Fraction

HALF = Fraction(1, 2)


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
