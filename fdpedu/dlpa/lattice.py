"""Real values in a sum of integers: round the data first, and then add integer noise.

A party's real value F becomes z = ⌊L·F⌋, an integer on the lattice 1/L. Everything after that is the integers' case:
the sensitivity of z is ⌈LΔ⌉ where that of F is Δ, and exactly LΔ where this is an integer; Pólya shares for that
sensitivity make the sum exactly ε-DP; and the sum of the ⌊L·F_k⌋/L is too small by less than K/L, never too large. So
where the sum of the F_k is a lower bound, what is rounded is one, too.

Guarantee: that of :func:`fdpedu.dlpa.polya_shares` with ``sensitivity=lattice_sensitivity(Δ, m)``. The caller answers
for Δ. Arithmetic: fractions and integers, no float.

Claims: thm-lattice-first
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fdpedu.exact import Integers, Rational, as_fraction, as_integer, as_list, as_positive_fraction

MAX_LATTICE = 2**40
MAX_INTEGER = 2**62  # so that the value with its noise and masks fits into 64 bits


def on_lattice(values: Any, lattice: int) -> Integers:
    """⌊lattice·value⌋ for each value, by exact integer division.

    Contract: the caller answers for the sensitivity Δ of the values; that of the result is ``lattice_sensitivity``.

    Claims: thm-lattice-first

    Parameters
    ----------
    values : a list of numbers, read exactly (a float as the decimal that it prints as)
    lattice : L from 1 to 2**40, public

    Examples
    --------
    >>> on_lattice(["2/3", -0.5, 4], 10).tolist()
    [6, -5, 40]
    """
    m = _lattice(lattice)
    numbers = (as_fraction(value, "values") for value in as_list(values, "values"))
    # thm-lattice-first: rounded before the noise, and down
    whole = [m * number.numerator // number.denominator for number in numbers]
    if any(abs(z) > MAX_INTEGER for z in whole):
        raise ValueError(f"lattice · value must lie within ±2**62 for every value; the lattice is {m}")
    return np.array(whole, dtype=np.int64)


def lattice_sensitivity(sensitivity: Rational, lattice: int) -> int:
    """⌈L·Δ⌉: by how much ⌊L·F⌋ can move when F moves by at most Δ.

    Claims: thm-lattice-first

    Parameters
    ----------
    sensitivity : Δ > 0 of the real value, read exactly
    lattice : L from 1 to 2**40

    Examples
    --------
    >>> lattice_sensitivity(1, 100), lattice_sensitivity("1/4", 10)
    (100, 3)
    """
    return math.ceil(_lattice(lattice) * as_positive_fraction(sensitivity, "sensitivity"))


def _lattice(lattice: int) -> int:
    return as_integer(lattice, "lattice", minimum=1, maximum=MAX_LATTICE)
