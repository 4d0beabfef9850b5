"""What happens exactly at a border: the last word that is accepted, the probability that is just accepted."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from fdpedu.secure_sum import (
    Edges,
    Ring,
    Share,
    Traffic,
    count_messages,
    failure_probability,
    fingerprint,
    neighbours_needed,
    recover_secret,
    sharing_risk,
)
from fdpedu.secure_sum import masks as masks_module
from fdpedu.secure_sum.masks import one_mask
from fdpedu.secure_sum.splits import connected


class Played:
    """A cipher whose key stream is given."""

    def __init__(self, words):
        self._words = list(words)

    def __call__(self, algorithm, mode):
        return self

    def encryptor(self):
        return self

    def update_into(self, data, room):
        n = len(data) // 8
        room[: 8 * n] = np.array(self._words[:n], dtype="<u8").tobytes()
        del self._words[:n]


@pytest.mark.claim("thm-private-sum")
@pytest.mark.parametrize("modulus", [3, 10**9 + 7, 2**62 - 57])
def test_the_last_word_below_the_largest_multiple_is_kept_and_the_next_refused(modulus, monkeypatch):
    """A word is refused if and only if it lies at or above the largest multiple of R below 2^64."""
    multiple = 2**64 // modulus * modulus
    words = [multiple - 1, multiple, 0, 2**64 - 1, multiple, multiple - 2, 5]
    monkeypatch.setattr(masks_module, "Cipher", Played(words))
    assert one_mask(bytes(32), 4, modulus).tolist() == [modulus - 1, 5 % modulus, 0, modulus - 2]


@pytest.mark.claim("thm-private-sum")
def test_a_word_modulus_refuses_no_word(monkeypatch):
    words = [2**64 - 1, 0, 7]
    monkeypatch.setattr(masks_module, "Cipher", Played(words))
    assert one_mask(bytes(32), 3).tolist() == words


def total_failure(k, n, c, m):
    """The failure of a ring as it is stated, added up from its parts."""
    split = failure_probability(Ring(k), n, c, m)
    return split + min(sum(sharing_risk(Ring(k), n, t, c, m)) for t in range(1, n)) if m else split


@pytest.mark.claim("lem-ring-splits")
@pytest.mark.parametrize(("n", "c", "m"), [(12, 4, 0), (30, 10, 0), (40, 2, 4), (20, 2, 3), (30, 4, 6)])
def test_a_probability_that_is_just_reached_is_accepted(n, c, m):
    """With the failure of the ring of k itself k is enough; with the least bit below it is not, and 2 more are."""
    failures = [total_failure(k, n, c, m) for k in range(2, n - 1, 2)]
    falling = [
        at for at, one in enumerate(failures[:-1]) if 1 > one > failures[at + 1] and one < min(failures[:at], default=2)
    ]
    assert falling
    for at in falling:
        assert neighbours_needed(n, c, m, failures[at]) == 2 * (at + 1)
        assert neighbours_needed(n, c, m, failures[at] * (1 - Fraction(1, 10**40))) == 2 * (at + 2)


@pytest.mark.claim("lem-ring-splits")
@pytest.mark.parametrize(
    ("n", "k", "c", "m"), [(20, 4, 5, 1), (30, 6, 4, 2), (9, 6, 4, 1), (50, 10, 12, 0), (8, 6, 4, 1)]
)
def test_the_bound_for_chosen_missing_is_the_stated_one(n, k, c, m):
    """½·K·(K−k−1) pairs of stretches, times the probability that all but m of their places are colluders'."""
    if m == 0:
        expected = failure_probability(Ring(k), n, c)
    else:
        drawn = [comb(c, x) * comb(n - c, k - x) for x in range(k + 1)]
        expected = min(Fraction(1), Fraction(n * (n - k - 1), 2) * Fraction(sum(drawn[k - m :]), comb(n, k)))
    assert failure_probability(Ring(k), n, c, m, chosen=True) == expected > 0 or n - k - 1 == 0 or c < k - m


@pytest.mark.claim("lem-edges-split")
@pytest.mark.parametrize(("n", "c", "m"), [(9, 2, 1), (9, 0, 3), (12, 1, 2)])
def test_the_bound_for_chosen_missing_of_edges_is_the_stated_one(n, c, m):
    q = Fraction(1, 9)
    expected = comb(n - c, m) * (1 - connected(n - c - m, q))
    assert failure_probability(Edges(1 - q), n, c, m, chosen=True) == expected < 1


@pytest.mark.claim("thm-shamir")
def test_shares_beyond_the_threshold_are_not_looked_at():
    """A false one behind those that are enough changes nothing; among them it does."""
    line = [Share(1, 2), Share(2, 6)]  # 5 + 4x mod 7
    assert recover_secret([*line, Share(3, 0)], 2, 7) == 5
    assert recover_secret([Share(3, 0), *line], 2, 7) != 5


@pytest.mark.claim("thm-announcements")
def test_a_fingerprint_has_32_digits_in_groups_of_four():
    text = fingerprint(bytes(32))
    assert [len(group) for group in text.split()] == [4] * 8 and set(text) <= set("0123456789abcdef ")
    assert text != fingerprint(bytes(31) + b"\1")


@pytest.mark.claim("lem-traffic")
@pytest.mark.parametrize("n", [3, 4, 5, 8])
def test_traffic_says_how_many_may_collude_and_be_missing(n):
    """Of masks and of additive shares all but two may collude; with recovery nearly half may be missing."""
    found = count_messages(n, 2)
    assert all(type(one) is Traffic for one in found.values())
    assert [(one.colluders, one.missing) for one in found.values()] == [(n - 2, 0), (n - 2, 0), (0, (n - 1) // 2)]
