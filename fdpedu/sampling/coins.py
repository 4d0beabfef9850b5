"""Exact coins: heads with probability e^{−γ} for rational γ ≥ 0, which no float and no fraction equals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import Enclosure, exp_enclosure
from fdpedu.randomness import Source
from fdpedu.sampling.law import Bounds, Law, invert

_MARGIN = 2.0**-36  # far more than the error of a float e^{−γ}; nearer than that, digits decide


def coin_law(probability: Callable[[int], Enclosure]) -> Law:
    """0 with the probability that is enclosed to any number of decimal digits, 1 otherwise."""

    def bounds(n: int, bits: int) -> Bounds:
        p = probability(bits // 3 + 5)
        one = 1 << bits
        low = (p.lower.numerator << bits) // p.lower.denominator
        high = -((-p.upper.numerator << bits) // p.upper.denominator)
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


def exp_coins(approximate: NDArray[np.float64], gamma: Callable[[int], Fraction], source: Source) -> NDArray[np.bool_]:
    """Independent coins, the i-th heads with probability exactly e^{−gamma(i)}.

    Parameters
    ----------
    approximate : float values of e^{−gamma(i)}, right to 2⁻³⁶; they settle all but the closest calls
    gamma : the exact exponents, asked for in close calls only
    """
    first = source.words(approximate.size)
    cell = 2.0**-source.word_bits
    low = first.astype(np.float64) * cell
    heads = low + cell <= approximate - _MARGIN
    for i in np.flatnonzero(~heads & (low < approximate + _MARGIN)):
        exact = gamma(int(i))
        law = coin_law(lambda digits, exact=exact: exp_enclosure(-exact, digits))  # type: ignore[misc]
        heads[i] = invert(law, source, int(first[i]), source.word_bits) == 0
    return heads
