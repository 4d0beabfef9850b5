"""Extreme values: the ends of the floats and what lies beyond, where a product, a quotient or a sum leaves them."""

from fractions import Fraction

import numpy as np

NUMBERS = [1.7e308, -1.7e308, 5e-324, 1e-300, 1e154, 2**1024, Fraction(1, 10**320), Fraction(1, 10**400), 1 - 2**-53]
EXTREME = [*NUMBERS, [1.7e308] * 2, np.array([1.7e308, 5e-324])]
