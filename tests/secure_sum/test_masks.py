"""Masks: they cancel, look uniform, are bound to their round, and are never used twice."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.checking import Refuted
from fdpedu.claims.secure_sum import key_stream as streams
from fdpedu.claims.secure_sum import views as shares
from fdpedu.claims.secure_sum.ideal import ideal_tables, require_uniform_view
from fdpedu.secure_sum import WORD, KeyPair, Masks, decode_sum, exchange, key_for, pairwise_keys, private_sum
from fdpedu.secure_sum import masks as masks_module
from fdpedu.secure_sum.masks import one_mask
from fdpedu.sources.gubler import algorithm_1_as_printed

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
def test_pairwise_masks_cancel_and_are_fresh():
    """The masks of all parties add to 0 mod R; each sum has others, and a used number is refused."""
    keys = pairwise_keys(3)
    first = [m.draw(0, 1000, 97) for m in keys]
    second = [m.draw(1, 1000, 97) for m in keys]
    for masks in (first, second):
        assert not (sum(m.astype(int) for m in masks) % 97).any()
    assert (first[0] != second[0]).mean() > 0.9
    for number in (0, 1):
        with pytest.raises(ValueError, match=f"sum {number}"):
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


@pytest.mark.claim("thm-private-sum")
def test_a_longer_mask_begins_with_the_shorter():
    """Mod 2^64 it is a stretch of one stream, whatever the blocks."""
    longest = Masks(0, {1: streams.key_of(0)}).draw(4, 20_000)
    for size in (1, 8191, 8192, 8193, 16_385):
        assert Masks(0, {1: streams.key_of(0)}).draw(4, size).tolist() == longest[:size].tolist()


def test_the_check_of_views_can_fail():
    """A column twice, a column that is bound to another total, a column that is known: none of them is uniform."""
    with ideal_tables(2, 3) as tables:
        one, other = (Masks(0, {1: bytes([key]) * 32}).draw(1, tables.size, 3) for key in (1, 2))
    require_uniform_view([one, other], [], 3, None)
    for sent, known, total in (([one, one], [], None), ([one, other], [], 0), ([one, other], [one], None)):
        with pytest.raises(Refuted):
            require_uniform_view(sent, known, 3, total)


@pytest.mark.claim("thm-equivocation")
@pytest.mark.parametrize("modulus", [WORD, 97])
def test_masks_for_two_digests_sessions_or_lists_do_not_cancel(modulus):
    """The key and the number are the same; each part of what masks are bound to makes others of them."""

    def pair(**bound):
        digest = bound.pop("digest", b"d")
        ends = [Masks(k, {1 - k: bytes(32)}, **bound).draw(1, 50, modulus, digest) for k in (0, 1)]
        assert not ((ends[0].astype(object) + ends[1].astype(object)) % modulus).any()
        return ends[0].tolist()

    same = pair()
    assert pair() == same and pair(session=b"") == same
    others = [pair(digest=b""), pair(session=b"s"), pair(identities=[b"a", b"b"]), pair(identities=[b"b", b"a"])]
    assert len({tuple(one) for one in [same, *others]}) == 5


@pytest.mark.claim("alg-private-sum-as-printed")
def test_algorithm_1_as_printed_is_right_for_sums_below_r_only():
    """What fits into [0, R) comes out right; a negative sum, or a second one with the same keys, does not hold."""
    shares.printed_sum(64, (3, 4, 5))
    keys = [[9, 10, 60], [54, 9, 7], [4, 57, 9]]
    assert algorithm_1_as_printed((3, 4, 5), keys, 64) == ((9, 1, 2), 12)
    for wrong in ([[0, 1], [1, 0]], [[0], [0]], [[0, 1, 0], [63, 0, 0]], []):
        with pytest.raises(ValueError, match="keys"):
            algorithm_1_as_printed((3, 4), wrong, 64)
    with pytest.raises(Refuted, match="the sum -2 comes out as 62"):
        shares.printed_sum(64, (1, -4, 1))
    with pytest.raises(Refuted, match="how each value has changed"):
        shares.printed_twice(64, (1, 2, 3), (1, 2, 4))


class Played:
    """A cipher whose key stream is given."""

    def __init__(self, words):
        self._words = list(words)

    def __call__(self, algorithm, mode):
        return self

    def encryptor(self):
        return self

    def update_into(self, data, buffer):
        n = len(data) // 8
        buffer[: 8 * n] = np.array(self._words[:n], dtype="<u8").tobytes()
        del self._words[:n]


@pytest.mark.claim("thm-private-sum")
@pytest.mark.parametrize("modulus", [3, 10**9 + 7, 2**62 - 57])
def test_the_last_word_below_the_largest_multiple_is_kept_and_the_next_refused(modulus, monkeypatch):
    """A word is refused if and only if it lies at or above the largest multiple of R below 2^64: for 2^64 none is."""
    multiple = 2**64 // modulus * modulus
    words = [multiple - 1, multiple, 0, 2**64 - 1, multiple, multiple - 1, 5]
    monkeypatch.setattr(masks_module, "Cipher", Played(words))
    assert one_mask(bytes(32), 4, modulus).tolist() == [modulus - 1, 5 % modulus, 0, modulus - 1]
    monkeypatch.setattr(masks_module, "Cipher", Played(words))
    assert one_mask(bytes(32), 7).tolist() == words


@pytest.mark.claim("thm-private-sum")
def test_the_first_sum_of_keys_is_number_0():
    keys = pairwise_keys(2)
    assert private_sum([[1], [2]], keys=keys).tolist() == [3]
    assert private_sum([[1], [2]], keys=keys, sum_number=1).tolist() == [3]


def test_one_mask_is_the_stream_of_its_key():
    """The same words as in a pair's mask, whatever the blocks."""
    for size in (0, 1, 8192, 3 * 8192 + 5):
        own = key_for(bytes(32), "masks", b"", 0, 1, 1, b"")
        assert one_mask(own, size, 97).tolist() == Masks(0, {1: bytes(32)}).draw(1, size, 97).tolist()
        assert one_mask(own, size).tolist() == Masks(0, {1: bytes(32)}).draw(1, size).tolist()


@pytest.mark.parametrize("start", [2**31 - 2, 2**31, 2**32 - 1, 2**53, 2**62 - 2])
def test_sums_past_32_and_53_bits(start):
    """Sums of parties' integers, positive and negative, come out to the last unit."""
    table = np.array([[start, -start, start], [1, -1, -start], [1, -1, 0]])
    assert private_sum(table).tolist() == table.sum(axis=0).tolist()
    words = table.astype(np.uint64)
    assert decode_sum(list(words)).tolist() == table.sum(axis=0).tolist()
    if start < 2**61:
        assert private_sum(table, 2**62).tolist() == table.sum(axis=0).tolist()
