"""Sums past 32 and 53 bits."""

import numpy as np
import pytest

from fdpedu.secure_sum import decode_sum, private_sum


@pytest.mark.parametrize("start", [2**31 - 2, 2**31, 2**32 - 1, 2**53, 2**62 - 2])
def test_sums_past_32_and_53_bits(start):
    """Sums of parties' integers, positive and negative, come out to the last unit."""
    table = np.array([[start, -start, start], [1, -1, -start], [1, -1, 0]])
    assert private_sum(table).tolist() == table.sum(axis=0).tolist()
    words = table.astype(np.uint64)
    assert decode_sum(list(words)).tolist() == table.sum(axis=0).tolist()
    if start < 2**61:
        assert private_sum(table, 2**62).tolist() == table.sum(axis=0).tolist()
