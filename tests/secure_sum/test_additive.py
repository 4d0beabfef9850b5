"""Values in additive shares: all of them give the value, all but one say nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.randomness import Rehearsal, ReplayedWords, TapeExhausted, ZeroWords
from fdpedu.secure_sum import WORD, reconstruct, share, shared_sum

MODULI = st.sampled_from([2, 3, 97, 2**62, WORD])


@pytest.mark.claim("lem-additive-shares")
@given(MODULI, st.integers(1, 6), st.lists(st.integers(-(2**62), 2**62), min_size=1, max_size=5))
def test_all_shares_give_the_value(modulus, n, values):
    shares = share(values, n, modulus)
    assert shares.shape == (n, len(values)) and (modulus == WORD or int(shares.max()) < modulus)
    lifted = [(value + modulus // 2) % modulus - modulus // 2 for value in values]
    assert reconstruct(shares, modulus).tolist() == lifted == reconstruct(list(shares)[::-1], modulus).tolist()


def test_shares_come_from_the_source_that_is_given():
    assert share([3, 4], 3, 97, ZeroWords()).tolist() == [[0, 0], [0, 0], [3, 4]]
    words = Rehearsal(1).words(2).tolist()
    assert share([0], 3, rng=Rehearsal(1))[:2].ravel().tolist() == words
    assert shared_sum([[3], [4]], 97, ZeroWords()).tolist() == [7]
    with pytest.raises(TapeExhausted):
        shared_sum([[3], [4]], 97, ReplayedWords([]))
    assert reconstruct([[3], [95]], 97).tolist() == [1]
