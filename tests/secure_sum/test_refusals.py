"""What the room refuses, in whole sentences."""

import copy
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.secure_sum import (
    Announcement,
    Collector,
    Edges,
    Identity,
    KeyPair,
    Masks,
    Replacement,
    Ring,
    RoundLost,
    Rules,
    Share,
    algorithm_1_as_printed,
    canonical,
    check_modulus,
    commit_coins,
    failure_probability,
    is_signed,
    joint_coins,
    joint_nonce,
    neighbour_masks,
    neighbours_needed,
    pairwise_keys,
    private_sum,
    reconstruct,
    recover_secret,
    replace_pinned,
    require_room,
    seat,
    share,
    share_secret,
    shared_sum,
    sum_with_dropouts,
    toy_break,
    verify_announcements,
)

LINE = [Share(1, 2), Share(2, 6)]


def said(call):
    with pytest.raises(ValueError) as refused:
        call()
    return str(refused.value)


PAIR, EMPTY = [bytes([k]) * 32 for k in range(2)], Rules.for_missing(3, 1)
OWN = Announcement("v", b"monday", bytes(32), bytes(32), (bytes(32),), b"")
PROMISED = [commit_coins(one, [b"a", b"b"]) for one in PAIR]


CALLS = [
    (lambda: share("x", 3), "values must be integers within ±2**62; got str32 (round real data before the noise)"),
    (lambda: shared_sum("x"), "values must be integers within ±2**62; got str32 (round real data before the noise)"),
    (lambda: shared_sum([1, 2]), "values must have shape (parties, numbers), got (2,)"),
    (lambda: shared_sum(np.zeros((0, 2), dtype=int)), "values must have shape (parties, numbers), got (0, 2)"),
    (lambda: reconstruct(3), "shares must be a list, got 3"),
    (lambda: reconstruct([]), "shares must be at least one array, all of one shape, got []"),
    (lambda: reconstruct([[1], [1, 2]]), "shares must be at least one array, all of one shape, got [(1,), (2,)]"),
    (lambda: reconstruct([[1.5], ["x"]]), "shares must be integers, got float64, str32"),
    (lambda: recover_secret(3, 1), "shares must be a list, got 3"),
    (lambda: recover_secret([(1, 2)], 1), "shares must be a list of Share(x, y)"),
    (lambda: recover_secret(LINE, 3), "3 shares are needed to recover a secret, got 2"),
    (
        lambda: recover_secret([Share(1, 1), Share(8, 1)], 2, 7),
        "shares must stand at different places, none of them 0, got [1, 8]",
    ),
    (lambda: recover_secret([Share(7, 1)], 1, 7), "shares must stand at different places, none of them 0, got [7]"),
    (lambda: share_secret(7, 1, 3, 7), "secret must be less than the prime"),
    (lambda: share_secret(1, 4, 3, 7), "threshold must be at most n, and n less than the prime, got 4, 3, 7"),
    (lambda: share_secret(1, 2, 7, 7), "threshold must be at most n, and n less than the prime, got 2, 7, 7"),
    (lambda: share_secret("x", 1, 3, 7), "secret must be an integer ≥ 0, got 'x'"),
    (lambda: check_modulus(2**62 + 1), "modulus must be 2**64 or at most 2**62, got 4611686018427387905"),
    (
        lambda: require_room(11, 3, 64),
        "3 numbers of up to 11 add up to as much as 33: the modulus must be greater than 66, got 64",
    ),
    (lambda: toy_break(0), "0 is no power of 5 mod 23"),
    (
        lambda: KeyPair().shared_key(bytes(32)),
        "the other party's public key makes every shared secret zero, or is none: refuse that party",
    ),
    (
        lambda: KeyPair().shared_key(b""),
        "the other party's public key makes every shared secret zero, or is none: refuse that party",
    ),
    (
        lambda: Masks(0, {}).draw(1, 2**32 + 1),
        "a sum has at most 2^32 numbers, got 4294967297: its key stream would begin again",
    ),
    (
        lambda: algorithm_1_as_printed("x", [[0]], 7),
        "values must be integers within ±2**62; got str32 (round real data before the noise)",
    ),
    (
        lambda: algorithm_1_as_printed([1], "x", 7),
        "keys must be integers within ±2**62; got str32 (round real data before the noise)",
    ),
    (
        lambda: algorithm_1_as_printed([[1]], [[0]], 7),
        "values must be a list, and keys as many rows with S_kj + S_jk = 0 mod 7, got 0 values",
    ),
    (
        lambda: algorithm_1_as_printed([], [], 7),
        "values must be a list, and keys as many rows with S_kj + S_jk = 0 mod 7, got 0 values",
    ),
    (
        lambda: algorithm_1_as_printed([1, 2], [[0, 1], [5, 0]], 7),
        "values must be a list, and keys as many rows with S_kj + S_jk = 0 mod 7, got 2 values",
    ),
    (
        lambda: algorithm_1_as_printed([1, 2], [[0, 1]], 7),
        "values must be a list, and keys as many rows with S_kj + S_jk = 0 mod 7, got 2 values",
    ),
    (lambda: private_sum("x"), "values must be integers within ±2**62; got str32 (round real data before the noise)"),
    (lambda: private_sum([1, 2]), "values must have shape (parties, numbers), got (2,)"),
    (lambda: private_sum([[1], [2]], keys=3), "keys must be what pairwise_keys gives, got int"),
    (lambda: private_sum([[1], [2]], keys=[1, 2]), "keys must be what pairwise_keys gives, got list"),
    (lambda: private_sum([[1], [2]], keys=pairwise_keys(3)), "there are 2 parties but 3 sets of keys"),
    (lambda: sum_with_dropouts([[1]] * 3, 3), "rules must be a Rules, got int"),
    (
        lambda: sum_with_dropouts("x", EMPTY),
        "values must be integers within ±2**62; got str32 (round real data before the noise)",
    ),
    (lambda: sum_with_dropouts([1, 2, 3], EMPTY), "values must have shape (parties, numbers) for 3 parties, got (3,)"),
    (lambda: sum_with_dropouts([[1]] * 3, EMPTY, 3), "completes must be a list, got 3"),
    (lambda: sum_with_dropouts([[1]] * 3, EMPTY, [5, 5]), "completes must have a number for each of 3 parties, got 2"),
    (lambda: sum_with_dropouts([[1]] * 3, EMPTY, watch=3), "watch must be a function, got 3"),
    (lambda: sum_with_dropouts([[1]] * 3, EMPTY, primitives=3), "primitives must be Primitives, got int"),
    (lambda: seat(EMPTY, 1, 1), "modulus must be an integer ≥ 2, got 1"),
    (lambda: joint_nonce(3), "contributions must be a list, got 3"),
    (lambda: joint_nonce([b"a", "b"]), "contributions must be a list of bytes, one of each party"),
    (lambda: replace_pinned([b"a"], 3), "replacement must be a Replacement, got int"),
    (
        lambda: replace_pinned(3, Replacement(b"", b"", b"")),
        "pinned must be a set or a list of identities, 32 bytes each",
    ),
    (lambda: verify_announcements([], [], 3), "own must be a Announcement, got int"),
    (lambda: verify_announcements(3, [], OWN), "announcements must be a list, got 3"),
    (lambda: verify_announcements([3], [], OWN), "announcements must be a list of Announcement"),
    (lambda: verify_announcements([OWN], [], OWN, minimum=1), "minimum must be an integer ≥ 2, got 1"),
    (lambda: verify_announcements([OWN], [], OWN), "1 members are too few: this party takes part with 2 or more"),
    (lambda: is_signed("x", bytes(64), "p"), "identity must be a bytes, got str"),
    (lambda: is_signed(bytes(32), "x", "p"), "signature must be a bytes, got str"),
    (
        lambda: canonical(1.5),
        "only integers, texts, bytes, fractions, tuples and mappings from texts have a canonical form, got float",
    ),
    (lambda: joint_coins(3, PROMISED, [b"a", b"b"]), "coins must be a list, got 3"),
    (lambda: joint_coins(PAIR, 3, [b"a", b"b"]), "commitments must be a list, got 3"),
    (lambda: joint_coins(PAIR, PROMISED, 3), "members must be a list, got 3"),
    (
        lambda: joint_coins(PAIR, PROMISED, [b"a", "b"]),
        "members must be a list of different identities, each of them bytes",
    ),
    (
        lambda: joint_coins(PAIR, PROMISED, [b"a", b"a"]),
        "members must be a list of different identities, each of them bytes",
    ),
    (
        lambda: joint_coins(PAIR[:1], PROMISED, [b"a", b"b"]),
        "coins and commitments of all 2 members are needed, got 1 and 2",
    ),
    (
        lambda: joint_coins(PAIR, PROMISED[:1], [b"a", b"b"]),
        "coins and commitments of all 2 members are needed, got 2 and 1",
    ),
    (
        lambda: joint_coins(PAIR, PROMISED, [b"b", b"a"]),
        "the coins of member 0 are not those that it had committed to, or are for another list",
    ),
    (
        lambda: joint_coins([PAIR[0]] * 2, PROMISED, [b"a", b"b"]),
        "the coins of member 1 are not those that it had committed to, or are for another list",
    ),
    (
        lambda: commit_coins(bytes(31), [b"a"]),
        "coins must be at least 32 random bytes of one's own, or others could guess them",
    ),
    (lambda: neighbour_masks(0, 3, PAIR, Ring(2).around([0, 1])), "pair must be a KeyPair, got int"),
    (
        lambda: neighbour_masks(0, KeyPair(), PAIR, Ring(2).around([0, 1, 2])),
        "the graph must have the 2 parties that have keys, got 3",
    ),
    (lambda: Ring(2).draw(bytes(31), 3), "coins must be the 32 bytes that joint_coins gives"),
    (lambda: Ring(2).around([0, 2, 2]), "order must hold each party from 0 to 2 once, got [0, 2, 2]"),
    (lambda: Ring(3), "neighbours must be even, half of them on either side, got 3"),
    (lambda: Edges("3/2"), "probability must be from 0 to 1, a fraction of at most 1000000 parts, got 3/2"),
    (
        lambda: Edges(Fraction(1, 1_000_001)),
        "probability must be from 0 to 1, a fraction of at most 1000000 parts, got 1/1000001",
    ),
    (
        lambda: Edges("x"),
        "probability must be a finite number (an int, a Fraction, a decimal, or text like '1/3'), got 'x'",
    ),
    (lambda: failure_probability(3, 3), "model must be a Ring or Edges, got int"),
    (
        lambda: failure_probability(Ring(2), 3, 2, 1),
        "of 3 parties at least one must be honest and there, got 2 colluders and 1 missing",
    ),
    (
        lambda: neighbours_needed(5, 2, 2),
        "with 2 colluders and 2 missing of 5 parties no threshold is safe, even among all",
    ),
    (lambda: neighbours_needed(5, failure=1), "failure must be less than 1, got 1"),
    (lambda: neighbours_needed(5, 2, 2, failure=0), "failure must be greater than 0, got 0"),
]


@pytest.mark.parametrize("place", range(len(CALLS)))
def test_what_is_wrong_is_said(place):
    """The whole sentence: the argument by name, what it was, what it should be; and never a secret."""
    call, message = CALLS[place]
    assert said(call) == message


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (
            lambda: Masks(0, {}).draw(1, 1),
            "these masks was made before this process was forked, .*: exchange new keys",
        ),
        (lambda: KeyPair().shared_key(KeyPair().public), "this key pair was made before .*: make a new one here"),
        (
            lambda: seat(EMPTY, 1)[0][0].announce(),
            "this member of a round was made before .*: begin another round here",
        ),
    ],
)
def test_after_a_fork_all_of_it_is_refused(made, message, monkeypatch):
    """What was made in another process says what it is, and what to do."""
    monkeypatch.setattr("fdpedu.secure_sum.masks.this_process", lambda: (0, object()))
    monkeypatch.setattr("fdpedu.secure_sum.dropouts.this_process", lambda: (0, object()))
    with pytest.raises(ValueError, match=message):
        made()


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (Identity.create, "an identity is neither copied nor pickled: save it, encrypted, to a file"),
        (KeyPair, "a key pair is neither copied nor pickled: masks of the copy would be the same; make a new one"),
        (lambda: Masks(0, {}), "masks are neither copied nor pickled: the copy would use the same masks again"),
        (
            lambda: seat(EMPTY, 1)[0][0],
            "a member of a round is neither copied nor pickled: the copy could sign another list",
        ),
    ],
)
def test_what_is_not_copied_says_why(made, message):
    with pytest.raises(TypeError) as refused:
        copy.copy(made())
    assert str(refused.value) == message


def test_a_collector_that_is_asked_too_early_says_that_nobody_is_there():
    """Boxes before announcements, numbers before boxes: an error of the room, not of Python."""
    collector = seat(EMPTY, 1)[1]
    assert type(collector) is Collector
    with pytest.raises(RoundLost, match="round 1 is lost while secrets are shared out"):
        collector.boxes([])
    collector = seat(EMPTY, 1)[1]
    with pytest.raises(ValueError, match="one answer of 1 numbers is due from each sharer, got one of 0"):
        collector.survivors([(0, np.zeros(1, dtype=np.uint64))])
    with pytest.raises(RoundLost, match="masked numbers are collected"):
        collector.survivors([])
