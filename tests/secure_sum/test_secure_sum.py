"""Secure sums: right results, uniform views, fresh masks."""

from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.secure_sum import laws as law
from fdpedu.secure_sum import WORD, KeyPair, Masks, decode_sum, exchange, pairwise_keys, private_sum

_next_sum = iter(range(10**9))


@cache
def four_keys():
    """Those of this process: a fork of it would refuse them."""
    return pairwise_keys(4)


@pytest.mark.claim("thm-private-sum")
@settings(deadline=None)
@given(st.sampled_from([2**62, 10**6, 97, 64]), st.data())
def test_the_sum_is_the_sum(modulus, data):
    """In the centred range the result is the sum, negative ones included; beyond it, the sum reduced mod R."""
    rows = data.draw(st.lists(st.lists(st.integers(-40, 40), min_size=3, max_size=3), min_size=4, max_size=4))
    result = private_sum(rows, modulus, keys=four_keys(), sum_number=next(_next_sum))
    true = np.sum(rows, axis=0)
    assert all(
        (r - t) % modulus == 0 and -modulus / 2 <= r < modulus / 2
        for r, t in zip(result.tolist(), true.tolist(), strict=True)
    )
    if modulus > 400:
        assert result.tolist() == true.tolist()


@given(st.lists(st.lists(st.integers(-(2**60), 2**60), min_size=2, max_size=2), min_size=2, max_size=5))
def test_the_word_modulus(rows):
    total = [sum(row[i] for row in rows) for i in range(2)]
    assert private_sum(rows).tolist() == [(t + 2**63) % WORD - 2**63 for t in total]


@pytest.mark.claim("thm-private-sum")
@pytest.mark.parametrize("modulus", [2, 3, 4])
def test_every_view_consistent_with_the_sum_is_equally_likely(modulus):
    """Three parties, all mask triples: each vector of encodings with the right sum arises equally often, no other."""
    for values in product(range(modulus), repeat=3):
        law.equal_views(modulus, values)


@pytest.mark.claim("thm-private-sum")
def test_pairwise_masks_cancel_and_are_fresh():
    """The masks of all parties add to 0 mod R; each sum has others, and a used number is refused."""
    keys = pairwise_keys(3)
    first = [m.draw(0, 1000, 97) for m in keys]
    second = [m.draw(1, 1000, 97) for m in keys]
    for masks in (first, second):
        assert not (sum(m.astype(int) for m in masks) % 97).any()
    assert (first[0] != second[0]).mean() > 0.9
    for number in (0, 1):
        with pytest.raises(ValueError, match="used before"):
            keys[0].draw(number, 1)


@pytest.mark.claim("asm-key-stream")
def test_mask_residues_are_uniform():
    """10⁵ residues mod 7 by chi-square: a false alarm has probability below 10⁻⁹. And a residue of a word would show
    at R near 2⁶².
    """
    from scipy.stats import chi2

    counts = np.bincount(Masks(0, {1: bytes(32)}).draw(5, 10**5, 7).astype(int), minlength=7)
    assert chi2.sf(float(((counts - 1e5 / 7) ** 2 / (1e5 / 7)).sum()), 6) > 1e-9
    modulus = 3 * 2**60
    low = (Masks(0, {1: bytes(32)}).draw(5, 10**4, modulus) < modulus // 3).mean()
    assert abs(low - 1 / 3) < 6.2 * (2 / 9 / 10**4) ** 0.5  # without rejection it would be 6/16


def test_both_ends_of_an_exchange_agree_and_others_do_not():
    a, b, c = KeyPair(), KeyPair(), KeyPair()
    assert a.shared_key(b.public) == b.shared_key(a.public) != a.shared_key(c.public)
    publics = [a.public, b.public]
    assert exchange(0, a, publics).draw(0, 4).tolist() == [(-int(x)) % WORD for x in exchange(1, b, publics).draw(0, 4)]


def test_keys_are_not_shown():
    own = four_keys()[0]
    assert "party 0" in repr(own) and not any(str(k) in repr(own) for k in own._keys.values())


def test_lifting():
    assert decode_sum([np.array([0, 3, 4, 7], dtype=np.uint64)], 8).tolist() == [0, 3, -4, -1]
    assert decode_sum([np.array([0, 2, 3, 6], dtype=np.uint64)], 7).tolist() == [0, 2, 3, -1]


@pytest.mark.parametrize(
    "call",
    [
        lambda: private_sum([[1.5], [2.0]]),
        lambda: private_sum([1, 2]),
        lambda: private_sum([[1], [2]], 1),
        lambda: private_sum([[1], [2]], 2**63),
        lambda: private_sum([[1], [2]], keys=four_keys()),
        lambda: private_sum([[2**63], [0]]),
        lambda: pairwise_keys(0),
    ],
)
def test_bad_input_is_refused(call):
    with pytest.raises(ValueError):
        call()
