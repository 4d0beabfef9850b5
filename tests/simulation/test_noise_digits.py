"""Digits of slow laws leave no number out and make none twice."""

import numpy as np
import pytest

from fdpedu.exact import Rate
from fdpedu.simulation.noise import Digits

MOST = 1022.0
"""The largest digit."""


@pytest.mark.parametrize(("rate", "lower"), [("1/2", 0), ("1e-3", 1), ("1e-6", 2), ("1e-9", 3), ("1/2000000000", 3)])
def test_a_digit_is_worth_one_more_than_all_lower_ones_make(rate, lower):
    """From the lowest, which is worth 1, to the highest, whose −1 − g is the other sign of g."""
    digits, most = Digits.of(Rate.of(rate)), 0.0
    assert len(digits.lower) == lower
    for lookup in digits.lower:
        assert lookup.made(np.array([0.0, 1.0, 2.0])).tolist() == [0, most + 1, 2 * most + 2]
        assert lookup.values[: lookup.sure].max() <= lookup.made(np.array([MOST]))[0]
        most += lookup.made(np.array([MOST]))[0]
    assert digits.highest.made(np.array([0.0, 3.0, -1.0, -4.0])).tolist() == [0, 3 * most + 3, -1, -1 - 3 * (most + 1)]
