"""Every word of the table, one after the other: which are looked up, and which are left to the residual."""

import numpy as np
import pytest

from fdpedu.exact import Rate
from fdpedu.randomness import ZeroWords
from fdpedu.sampling.digits import two_sided_law
from fdpedu.simulation import noise
from fdpedu.simulation.noise import Lookup


class EveryWord(ZeroWords):
    """All words of 16 bits in their order, four in a word of 64."""

    def words(self, size):
        return np.arange(2**16, dtype=np.uint16).view(np.uint64)[:size]


@pytest.mark.parametrize("rate", ["2", "1/3", "1/100"])
def test_each_word_is_looked_up_or_left_to_the_residual(rate, monkeypatch):
    """The last that is sure, the first that is not, and all others; the residual's number passes through the same."""
    found = Lookup.of(two_sided_law(Rate.of(rate)), lambda values: 3 * values)
    monkeypatch.setattr(noise, "sample", lambda law, size, source: np.arange(size) + 10**6)
    out = np.empty(2**16)
    found.draw(out, EveryWord())
    assert 0 < found.sure < 2**16
    assert np.array_equal(out[: found.sure], found.values[: found.sure])
    assert np.array_equal(out[found.sure :], 3.0 * (np.arange(2**16 - found.sure) + 10**6))
