"""Distributions that are known within bounds: enclosures, and floats as all that they can mean; cut off, tail kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from fdpedu.exact import Enclosure, Rational, as_fraction, as_integer, require_callable, shown
from fdpedu.privacy.laws import MAX_OUTCOMES, Law, entries, wrong_total

ROUNDING = Fraction(1, 2**40)  # of a float's own size: twelve digits, room for some thousand operations in 53 bits
UNDERFLOW = Fraction(1, 2**1000)  # a float below this may be anything from 0 up to it
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class EnclosedLaw:
    """What is known of a distribution: the true probability of y lies between ``lower[y]`` and ``upper[y]``.

    An outcome that is left out of ``lower`` may have probability 0 there, one that is left out of ``upper`` has it.

    Parameters
    ----------
    lower, upper : outcome → bound, in the same order; one and the same object where all is exact
    floats : whether one of the numbers was a float
    """

    lower: Law
    upper: Law = field(repr=False)
    floats: bool = False

    @property
    def exact(self) -> bool:
        return self.lower is self.upper


def enclosed_law(table: Any, name: str = "law") -> EnclosedLaw:
    """Read a table of probabilities, whose numbers may be fractions, enclosures or floats, as bounds of the true one.

    A fraction is itself. An enclosure is all numbers inside it, such as what the library's ``*_pmf`` return for a
    rational ε. A float is all numbers that agree with it to twelve digits (within 2⁻⁴⁰ of its own size), because it may
    mean the decimal that it prints as, its binary value, or a sum that was rounded some thousand times; below 2⁻¹⁰⁰⁰
    it may have lost all its digits, and is all numbers from 0 to that. So write what cannot happen as the integer 0.

    Claims: lem-enclosed-tables

    Parameters
    ----------
    table : a mapping outcome → probability, or a sequence of probabilities of the outcomes 0, 1, 2, …; what was read
        already is handed on
    name : for messages

    Raises
    ------
    ValueError
        If some number is negative or not finite, or a float of fewer than 64 bits, which has too few digits; and if no
        numbers within the bounds add up to 1.

    Examples
    --------
    >>> enclosed_law(["1/4", "3/4"]).exact, enclosed_law([0.25, 0.75]).exact
    (True, False)
    >>> 0.1 + 0.2 in Enclosure(enclosed_law([0.3, 0.7]).lower[0], enclosed_law([0.3, 0.7]).upper[0])
    True
    """
    if isinstance(table, EnclosedLaw):
        return table
    lower: Law = {}
    upper: Law = {}
    exact, floats = True, False
    for outcome, value in entries(table, name):
        read = _probability(value, name)
        if read.upper:
            lower[outcome], upper[outcome] = read.lower, read.upper
        exact, floats = exact and read.lower == read.upper, floats or isinstance(value, float)
    least, most = sum(lower.values(), ZERO), sum(upper.values(), ZERO)
    if not least <= 1 <= most:
        raise ValueError(wrong_total(name, most if most < 1 else least))
    return EnclosedLaw(lower, lower if exact else upper, floats)


def _probability(value: Any, name: str) -> Enclosure:
    """The numbers from 0 to 1 that one number of a table can mean."""
    if isinstance(value, Enclosure):
        low, high = value.lower, value.upper
    elif isinstance(value, float):
        as_fraction(value, f"{name}: a probability")  # refuses what is not finite
        low = high = Fraction(value)
        if 0 <= low < UNDERFLOW:
            low, high = ZERO, UNDERFLOW
        low, high = low * (1 - ROUNDING), high * (1 + ROUNDING)
    elif isinstance(value, np.floating):
        raise ValueError(
            f"{name}: a probability is a {type(value).__name__}, which may have too few digits to decide anything; "
            "compute the table with Python's floats, or write fractions ('1/10')"
        )
    else:
        low = high = as_fraction(value, f"{name}: a probability")
    if high < 0 or (low < 0 and not isinstance(value, Enclosure)):
        raise ValueError(f"{name}: a probability is negative; all must lie between 0 and 1")
    if low == high:
        return Enclosure.exactly(low)
    return Enclosure(max(low, ZERO), max(min(high, ONE), low))


def clamped(pmf: Any, low: int, high: int, *, centre: Rational | None = None) -> dict[int, Fraction | Enclosure]:
    """Cut a distribution off at ``low`` and ``high``, and keep what lies beyond on the two end points.

    It is the distribution of min(max(outcome, low), high): each output beyond an end point is moved onto it, whatever
    the data are. This is post-processing, so it keeps every (ε, δ) guarantee. To leave the tails out and divide by what
    remains does not: the divisor depends on the data.

    Claims: thm-post-processing

    Parameters
    ----------
    pmf : a table with integers as outcomes (a mapping, or a list for 0, 1, 2, …); or a function from an integer to its
        probability, of a distribution on all integers that is symmetric about ``centre``, such as a count with noise
    low, high : where to cut, low < high; the same for all data sets, or they give the data away
    centre : for a function, an integer or a half of one; a table has none

    Returns
    -------
    dict
        Outcome → probability from ``low`` to ``high``: fractions where those of ``pmf`` are, else enclosures. What is
        kept on an end point is 1 minus the rest, so an enclosure of a tail far below 10⁻³⁰ reaches down to 0.

    Raises
    ------
    ValueError
        For a function that is not symmetric about the centre, or has more than probability 1 around it.

    Examples
    --------
    >>> from fdpedu.mechanisms import discrete_laplace_pmf
    >>> law = clamped(lambda k: discrete_laplace_pmf(k - 1, alpha="1/2"), 0, 3, centre=1)
    >>> [str(probability) for probability in law.values()]
    ['1/3', '1/3', '1/6', '1/6']
    """
    first = as_integer(low, "low", minimum=-(2**63))
    last = as_integer(high, "high", minimum=first + 1, maximum=first + MAX_OUTCOMES - 1)
    if centre is None and not callable(pmf):
        law = {k: Enclosure.exactly(ZERO) for k in range(first, last + 1)}
        enclosed_law(pmf, "pmf")
        for outcome, value in entries(pmf, "pmf"):
            k = as_integer(outcome, "pmf: an outcome", minimum=-(2**63))
            law[min(max(k, first), last)] += _probability(value, "pmf")
        return {k: _number(mass) for k, mass in law.items()}
    require_callable(pmf, "pmf")
    if centre is None:
        raise ValueError("centre must be given for a function: the point about which it is symmetric")
    tail = _Symmetric(pmf, as_fraction(centre, "centre"), first, last)
    inner = {k: tail.at(k) for k in range(first + 1, last)}
    kept = {first: tail.up_to(first), **inner, last: tail.up_to(tail.twice - last)}
    return {k: _number(mass) for k, mass in kept.items()}


class _Symmetric:
    """A distribution on the integers that is symmetric about a centre, and what it has up to a point."""

    def __init__(self, pmf: Callable[[int], Any], centre: Fraction, low: int, high: int) -> None:
        if (2 * centre).denominator != 1:
            raise ValueError(f"centre must be an integer or a half of one, got {shown(centre)}")
        self.twice, self._pmf = int(2 * centre), pmf
        if max(abs(self.twice - 2 * low), abs(self.twice - 2 * high)) > MAX_OUTCOMES:
            raise ValueError(f"centre must be nearer to low and high: at most {MAX_OUTCOMES // 2} away")
        self._read: dict[int, Enclosure] = {}

    def at(self, k: int) -> Enclosure:
        """The probability of k, which must be that of its mirror image."""
        for point in (k, self.twice - k):
            if point not in self._read:
                self._read[point] = _probability(self._pmf(point), f"pmf({point})")
        one, other = self._read[k], self._read[self.twice - k]
        if one.lower > other.upper or other.lower > one.upper:
            raise ValueError(f"pmf must be symmetric about centre: it is not the same at {k} and at {self.twice - k}")
        return one

    def up_to(self, k: int) -> Enclosure:
        """Pr[outcome ≤ k]: half of what is not strictly between k and its mirror image."""
        mirror = self.twice - k
        if mirror <= k:  # beyond the centre: all but what lies above k
            return 1 - self.up_to(mirror - 1)
        outside = 1 - Enclosure.sum(self.at(j) for j in range(k + 1, mirror))
        if outside.upper < 0:
            raise ValueError(f"pmf has more than probability 1 between {k} and {mirror}")
        return Enclosure(max(outside.lower, ZERO) / 2, outside.upper / 2)  # no product: that rounds long fractions


def _number(value: Enclosure) -> Fraction | Enclosure:
    return value.lower if value.lower == value.upper else value
