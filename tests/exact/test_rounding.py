"""Division of integers, rounded up."""

import math
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from fdpedu.exact import ceil_div, ceil_shift


@given(st.integers(-(2**80), 2**80), st.integers(-(2**70), 2**70).filter(bool), st.integers(0, 90))
def test_division_rounds_up(number, divisor, bits):
    """The quotient that is rounded up is the ceiling of the fraction, whatever the signs and sizes."""
    assert ceil_div(number, divisor) == math.ceil(Fraction(number, divisor))
    assert ceil_shift(number, bits) == math.ceil(Fraction(number, 2**bits))
