"""What happens exactly at a border: the last word that is accepted, the probability that is just accepted."""

import hashlib
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from fdpedu.secure_sum import (
    Edges,
    Identity,
    Ring,
    Rules,
    Share,
    Traffic,
    canonical,
    count_messages,
    failure_probability,
    fingerprint,
    key_for,
    neighbours_needed,
    pairwise_keys,
    private_sum,
    recover_secret,
    seat,
    share_secret,
    sharing_risk,
    verify_announcements,
)
from fdpedu.secure_sum import masks as masks_module
from fdpedu.secure_sum.masks import one_mask
from fdpedu.secure_sum.neighbours import _CoinWords
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
    words = [multiple - 1, multiple, 0, 2**64 - 1, multiple, multiple - 1, 5]
    monkeypatch.setattr(masks_module, "Cipher", Played(words))
    assert one_mask(bytes(32), 4, modulus).tolist() == [modulus - 1, 5 % modulus, 0, modulus - 1]


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


@pytest.mark.claim("thm-dropout-sum")
@pytest.mark.parametrize("secret", [2**256, 2**521 - 2])
def test_a_secret_of_more_than_32_bytes_is_false(secret):
    """The least number that has no 32 bytes is refused as what it is: made of a false share."""
    rules = Rules.for_missing(3, 1)
    collector = seat(rules, 1)[1]
    shares = share_secret(secret, rules.threshold, 3)
    with pytest.raises(ValueError, match="the secret of party 0 has more than 32 bytes: a share of it is false"):
        collector._recovered(0, shares)
    assert collector._recovered(0, share_secret(2**256 - 1, 2, 3)) == b"\xff" * 32


@pytest.mark.claim("lem-ring-splits")
def test_a_ring_of_all_is_split_by_nobody():
    """With k ≥ K − 1 there are no two stretches with somebody between them."""
    assert failure_probability(Ring(8), 9, 5, 3, chosen=True) == failure_probability(Ring(8), 8, 5, 2, chosen=True) == 0
    assert failure_probability(Ring(6), 8, 5, 2, chosen=True) == 1


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


@pytest.mark.claim("lem-neighbour-shares")
@pytest.mark.parametrize(("n", "k", "c", "m"), [(12, 4, 3, 2), (9, 4, 1, 0), (20, 6, 5, 4)])
def test_the_risks_of_a_ring_are_the_stated_sums(n, k, c, m):
    """Of hypergeometric numbers: of k of the K − 1 others those that collude, and those that are there."""

    def chance(marked, wanted):
        drawn = [comb(marked, x) * comb(n - 1 - marked, k - x) for x in range(k + 1) if wanted(x)]
        return Fraction(sum(drawn), comb(n - 1, k))

    for t in range(1, k + 3):
        opened = (n - c) * chance(c, lambda x, t=t: x >= t)
        lost = (n - m) * chance(n - 1 - m, lambda x, t=t: x < t)
        lost += m * chance(n - m, lambda x, t=t: x < t) if m else 0
        risk = sharing_risk(Ring(k), n, t, c, m)
        assert risk == (min(1, opened), min(1, lost))
        assert all(type(one) is Fraction for one in risk)


@pytest.mark.claim("lem-neighbour-shares")
def test_without_colluders_one_share_may_open_a_secret():
    """The best threshold is 1 then, and all that can fail is that nobody near is there."""
    for failure in (Fraction(1, 10), Fraction(1, 1000)):
        k = neighbours_needed(12, 0, 5, failure)
        best = [sharing_risk(Ring(near), 12, 1, 0, 5).lost for near in (k - 2, k)]
        splits = [failure_probability(Ring(near), 12, 0, 5) for near in (k - 2, k)]
        assert best[1] + splits[1] <= failure < best[0] + splits[0]


@pytest.mark.claim("thm-dropout-view")
def test_keys_of_a_session_are_for_channels(monkeypatch):
    """What parties seal boxes with is derived for this purpose only: it is never a key of masks."""
    asked = []

    def noted(key, purpose, *fields):
        asked.append((purpose, *fields))
        return key_for(key, purpose, *fields)

    monkeypatch.setattr("fdpedu.secure_sum.collector.key_for", noted)
    members, _ = seat(Rules.for_missing(3, 1), 1)
    assert asked == [("channel", members[0].occasion.session)] * 3


@pytest.mark.claim("lem-canonical")
def test_forms_are_what_they_were():
    """Known answers: other bytes would be another version's digests and keys."""
    assert canonical({"b": (), "a": 1}) == (
        b"M\0\0\0\0\0\0\0\x27" + b"S\0\0\0\0\0\0\0\1a" + b"I\0\0\0\0\0\0\0\0011"
        b"S\0\0\0\0\0\0\0\1b" + b"T\0\0\0\0\0\0\0\0"
    )
    assert canonical("ü") == b"S\0\0\0\0\0\0\0\2\xc3\xbc"
    digits = hashlib.sha256(canonical(("fingerprint", bytes(32)))).hexdigest()[:32]
    assert fingerprint(bytes(32)).replace(" ", "") == digits


@pytest.mark.claim("thm-announcements")
def test_a_binding_holds_the_session_and_the_members():
    people = [Identity.create() for _ in range(2)]
    members = [person.public for person in people]
    announced = [person.announce(b"monday", bytes([k]) * 32, members) for k, person in enumerate(people)]
    found = verify_announcements(announced, members, announced[1])
    assert found.session == b"monday"
    assert found.members == tuple((name, bytes([k]) * 32) for k, name in enumerate(members))


@pytest.mark.claim("lem-ring-splits")
def test_words_of_coins_do_not_come_again():
    """A number that was refused is drawn from new words; and the same coins give the same words."""
    source, again = _CoinWords(bytes(32)), _CoinWords(bytes(32))
    drawn = [source.words(4).tolist() for _ in range(3)]
    assert len({word for words in drawn for word in words}) == 12
    assert [again.words(4).tolist() for _ in range(3)] == drawn


@pytest.mark.claim("thm-private-sum")
def test_the_first_sum_of_keys_is_number_0():
    keys = pairwise_keys(2)
    assert private_sum([[1], [2]], keys=keys).tolist() == [3]
    assert private_sum([[1], [2]], keys=keys, sum_number=1).tolist() == [3]
