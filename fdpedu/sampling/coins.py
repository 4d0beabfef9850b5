"""Exact coins: heads with probability e^{−γ} for rational γ ≥ 0, which no float and no fraction equals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import Enclosure, ceil_div, exp_enclosure
from fdpedu.randomness import Source
from fdpedu.sampling.law import Bounds, Law, invert

SLACK = 2.0**-50  # relative: more than the roundings of a word that is read as a float, and of its end
_MARGIN = 2.0**-36  # far more than the error of a float e^{−γ}; nearer than that, digits decide


def coin_law(probability: Callable[[int], Enclosure]) -> Law:
    """0 with the probability that is enclosed to any number of decimal digits, 1 otherwise."""

    def bounds(n: int, bits: int) -> Bounds:
        p = probability(bits // 3 + 5)
        one = 1 << bits
        low = (p.lower.numerator << bits) // p.lower.denominator
        high = ceil_div(p.upper.numerator << bits, p.upper.denominator)
        return [max(0, low), one], [min(one, high), one]

    return Law(bounds, terms=2, last=1)


def exp_coin(gamma: Fraction, source: Source) -> bool:
    """Heads with probability exactly e^{−γ}.

    >>> from fdpedu.randomness import ReplayedWords
    >>> exp_coin(Fraction(1), ReplayedWords([5, 13], word_bits=4))  # e^{−1} = 5.886…/16
    True
    >>> exp_coin(Fraction(1), ReplayedWords([5, 15], word_bits=4))
    False
    """
    return invert(coin_law(lambda digits: exp_enclosure(-gamma, digits)), source) == 0


def enclosed_coins(
    low: NDArray[np.float64], high: NDArray[np.float64], exact: Callable[[int], Law], source: Source
) -> NDArray[np.bool_]:
    """Independent coins, the i-th heads with exactly the probability with which the law ``exact(i)`` gives 0.

    Parameters
    ----------
    low, high : floats below and above these probabilities; they settle all but the closest calls
    exact : the laws, asked for in close calls only
    source : where the words come from, one for each coin and more for close calls

    Examples
    --------
    >>> from fdpedu.randomness import ReplayedWords
    >>> from fdpedu.sampling.law import finite_law
    >>> low, high, third = np.full(3, 0.333), np.full(3, 0.334), finite_law([1, 2])
    >>> enclosed_coins(low, high, lambda i: third, ReplayedWords([4, 6, 5, 0], word_bits=4))  # 1/3 = 5.33…/16
    array([ True, False,  True])
    """
    first = source.words(low.size)
    cell = 2.0**-source.word_bits
    start = first.astype(np.float64) * cell
    heads = (start + cell) * (1 + SLACK) <= low
    # thm-alias-table (3): a close call goes on with the bits that it has already revealed
    for i in np.flatnonzero(~heads & (start * (1 - SLACK) < high)):
        heads[i] = invert(exact(int(i)), source, int(first[i]), source.word_bits) == 0
    return heads


def exp_coins(approximate: NDArray[np.float64], gamma: Callable[[int], Fraction], source: Source) -> NDArray[np.bool_]:
    """Independent coins, the i-th heads with probability exactly e^{−gamma(i)}.

    Parameters
    ----------
    approximate : float values of e^{−gamma(i)}, right to 2⁻³⁶; they settle all but the closest calls
    gamma : the exact exponents ≥ 0, asked for in close calls only
    source : where the words come from, one for each coin and more for close calls
    """

    def exact(i: int) -> Law:
        exponent = gamma(i)
        return coin_law(lambda digits: exp_enclosure(-exponent, digits))

    return enclosed_coins(approximate - _MARGIN, approximate + _MARGIN, exact, source)
