"""Residues and their lift, and the modulus that a sum needs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.secure_sum import (
    WORD,
    decode_sum,
    lift,
    require_no_overflow,
    residues,
)


def test_a_room_says_what_it_needs():
    assert require_no_overflow(5, 3) == 15 and require_no_overflow(0, 1, 2) == 0
    for wrong, why in (((-1, 2, 64), "largest"), ((1, 0, 64), "n_parties"), ((16, 2, 64), "modulus")):
        with pytest.raises(ValueError, match=why):
            require_no_overflow(*wrong)


@given(st.integers(2, 2**62) | st.just(WORD), st.lists(st.integers(-(2**62), 2**62)))
def test_the_lift_undoes_the_residue(modulus, values):
    numbers = np.array(values, dtype=np.int64)
    lifted = lift(residues(numbers, modulus), modulus).tolist()
    assert lifted == [(value + modulus // 2) % modulus - modulus // 2 for value in values]


def test_lifting():
    assert decode_sum([np.array([0, 3, 4, 7], dtype=np.uint64)], 8).tolist() == [0, 3, -4, -1]
    assert decode_sum([np.array([0, 2, 3, 6], dtype=np.uint64)], 7).tolist() == [0, 2, 3, -1]
