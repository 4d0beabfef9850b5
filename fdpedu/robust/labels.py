"""How likely a leaf has the label of a class that is so many rows ahead: after noise on counts, or by a drawn label.

Of two classes, a leaf with noisy counts has the label of the larger one, the first in a tie. The difference of its two
noises, of the discrete Laplace law with α = e^{−ε}, has

    Pr[Z > u] = (1 − α)/(1 + α)²·α^{u+1}·(u + (2 + α + α²)/(1 − α²))    for u ≥ 0,

and is symmetric. A label that permute-and-flip draws is that of a class with the lead g with probability 1 − α^g/2 for
g ≥ 0, else α^{−g}/2. One forged row moves a lead by 1, and neither probability rises as a lead shrinks.

Arithmetic: integers in units of 2^−96, rounded so that the probabilities that come out are never too large.

Claims: lem-gap-law
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from fdpedu.exact import Rate, ceil_div, ceil_shift

_BITS = 96
_ONE = 1 << _BITS
_LISTED = 1 << 16  # so many powers are kept
Kept = Callable[[int], Fraction]
"""A lead, in rows, to a probability that is not too large."""


class _Powers:
    """α^k in units of 2^−96, not too small (``up``) or not too large: then it ends at one unit, or at 0."""

    def __init__(self, rate: Rate, *, up: bool) -> None:
        self.rate, self.up = rate, up
        self.alpha, self._known = self._rounded(1), [_ONE]

    def __call__(self, k: int) -> int:
        if k >= _LISTED:  # at tiny rates: a list would fill the memory
            return self._rounded(k)
        while len(self._known) <= k:
            last = self._known[-1]
            if last == self.up:
                return last
            product = last * self.alpha
            self._known.append(ceil_shift(product, _BITS) if self.up else product >> _BITS)
        return self._known[k]

    def _rounded(self, k: int) -> int:
        ends = self.rate.power(k, 60)
        return math.ceil(ends.upper * _ONE) if self.up else math.floor(ends.lower * _ONE)


@lru_cache(maxsize=64)
def _powers(rate: Rate, up: bool) -> _Powers:
    return _Powers(rate, up=up)


def gap_tail(rate: Rate, u: int, *, up: bool) -> Fraction:
    """Pr[Z > u] for the difference Z of two discrete Laplace numbers, u ≥ 0: not too small (``up``), or not too large.

    Claims: lem-gap-law

    Parameters
    ----------
    rate : of the noise of one count
    u : at least 0
    up : which side it is rounded to

    Examples
    --------
    >>> half = Rate.of(alpha="1/2")
    >>> [float(gap_tail(half, u, up=True)) for u in (0, 1)]
    [0.4074074074074074, 0.25925925925925924]
    """
    powers = _powers(rate, up)
    # it rises with α, as more noise reaches further: so α is taken from one side throughout
    a = powers.alpha
    if a >= _ONE:
        return Fraction(1, 2)
    # α^{u+1}·(u·(1 − α²) + 2 + α + α²)/(1 + α)³, all in units
    found = powers(u + 1) * _ONE * (u * (_ONE**2 - a**2) + 2 * _ONE**2 + a * _ONE + a**2)
    whole = (_ONE + a) ** 3
    return Fraction(ceil_div(found, whole) if up else found // whole, _ONE)


def label_of_counts(rate: Rate, *, first: bool) -> Kept:
    """By a lead the probability that the larger noisy count is that of a class, rounded down.

    Claims: lem-gap-law

    Parameters
    ----------
    rate : of the noise of one count
    first : whether it is the domain's first class, which wins ties

    Examples
    --------
    >>> first, second = (label_of_counts(Rate.of(alpha="1/2"), first=first) for first in (True, False))
    >>> round(float(first(0) + second(0)), 9), first(2) == second(3)
    (1.0, True)
    """

    def kept(lead: int) -> Fraction:
        ahead = lead + first  # a tie is as good as a row
        return 1 - gap_tail(rate, ahead - 1, up=True) if ahead > 0 else gap_tail(rate, -ahead, up=False)

    return kept


def label_drawn(rate: Rate) -> Kept:
    """By a lead the probability that permute-and-flip draws a class, rounded down.

    Claims: thm-structured-poisoning

    >>> kept = label_drawn(Rate.of(alpha="1/2"))
    >>> [str(kept(lead)) for lead in (-2, 0, 2)]
    ['1/8', '1/2', '7/8']
    """

    def kept(lead: int) -> Fraction:
        power = Fraction(_powers(rate, lead >= 0)(abs(lead)), 2 * _ONE)
        return 1 - power if lead >= 0 else power

    return kept


def least_reach(rate: Rate, miss: Fraction) -> int:
    """The least u ≥ 0 with Pr[Z > u] ≤ miss, up to the rounding of the law.

    Claims: lem-gap-law

    >>> least_reach(Rate.of(alpha="1/2"), Fraction(1, 4))
    2
    """
    beyond = 1
    while gap_tail(rate, beyond, up=True) > miss:
        beyond *= 2
    low, high = -1, beyond
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if gap_tail(rate, middle, up=True) <= miss else (middle, high)
    return high
