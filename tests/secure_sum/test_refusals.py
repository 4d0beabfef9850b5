"""Every sentence in which a secure sum refuses, in one table: elsewhere a test names the parameter, or who is meant."""

# Longer than 400 lines because all sentences of the module, and the limits of its numbers, stand in one table each.

import copy
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.claims.secure_sum.ideal import IdealPrimitives
from fdpedu.secure_sum import (
    Announcement,
    Asked,
    Binding,
    Edges,
    Identity,
    KeyPair,
    Masked,
    Masks,
    Replacement,
    Ring,
    RoundLost,
    Rules,
    Share,
    canonical,
    check_modulus,
    commit_coins,
    count_messages,
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
    require_no_overflow,
    seat,
    share,
    share_secret,
    shared_sum,
    sharing_risk,
    sum_with_dropouts,
    toy_break,
    toy_public,
    toy_shared,
    verify_announcements,
)
from fdpedu.secure_sum.binding import read_canonical
from fdpedu.sources.gubler import algorithm_1_as_printed

LINE = [Share(1, 2), Share(2, 6)]
PAIR = [bytes([k]) * 32 for k in range(2)]
THREE, FOUR = Rules.for_missing(3, 1), Rules.for_missing(4, 1)
OWN = Announcement("v", b"monday", bytes(32), bytes(32), (bytes(32),), b"")
LETTERS = [b"a", b"b"]
PROMISED = [commit_coins(one, LETTERS) for one in PAIR]
NOTHING = np.zeros(1, dtype=np.int64)


def member():
    return seat(THREE, 1)[0][0]


def begun():
    """A member that has shared its secrets, and the boxes for it."""
    members, collector = seat(FOUR, 1, primitives=IdealPrimitives())
    hellos = collector.hellos([member.announce() for member in members])
    return members[0], collector.boxes([box for member in members for box in member.share(hellos)])[0]


def masked(change):
    own, boxes = begun()
    own.mask(NOTHING, change(boxes))


def agreed(survivors):
    own, boxes = begun()
    own.mask(NOTHING, boxes)
    own.agree(survivors)


def without_own():
    members, _ = seat(FOUR, 1, primitives=IdealPrimitives())
    hellos = [member.announce() for member in members]
    members[0].share(hellos[1:])


def opened(name):
    members, collector = seat(THREE, 1)
    collector.hellos([own.announce() for own in members])
    getattr(collector, name)(0, share_secret(1, 2, 3))


def recovered(secret):
    collector = seat(THREE, 1)[1]
    collector._recovered(3, share_secret(secret, 2, 3))


def announced(change, keys=range(3)):
    people = [Identity.create() for _ in range(3)]
    members = [person.public for person in people]
    said = [person.announce(bytes(32), bytes([k]) * 32, members) for person, k in zip(people, keys, strict=True)]
    verify_announcements(*change(said, members), said[0])


def after_a_fork(make, use):
    with pytest.MonkeyPatch.context() as patch:
        for module in ("masks", "dropouts"):
            patch.setattr(f"fdpedu.secure_sum.{module}.this_process", lambda: (0, object()))
        made = make()
    use(made)


def twice(masks):
    for _ in range(2):
        masks.draw(5, 1)


OTHER_PROCESS = "was made before this process was forked, and the other one may use it"
CALLS = {  # the sentence: whatever is refused in it
    # shares
    "values must have shape (parties, numbers), got (2,)": [
        lambda: shared_sum([1, 2]),
        lambda: private_sum([1, 2]),
    ],
    "shares must be at least one array, all of one shape, got [(1,), (2,)]": [lambda: reconstruct([[1], [1, 2]])],
    "shares must be integers, got float64, str32": [lambda: reconstruct([[1.5], ["x"]])],
    "shares must be a list of Share(x, y)": [lambda: recover_secret([(1, 2)], 1)],
    "3 shares are needed to recover a secret, got 2": [lambda: recover_secret(LINE, 3)],
    "shares must stand at different places, none of them 0, got [1, 8]": [
        lambda: recover_secret([Share(1, 1), Share(8, 1)], 2, 7)
    ],
    "secret must be less than the prime": [lambda: share_secret(7, 1, 3, 7), lambda: share_secret(5, 2, 3, 5)],
    "threshold must be at most n, and n less than the prime, got 4, 3, 7": [lambda: share_secret(1, 4, 3, 7)],
    # numbers
    "modulus must be 2**64 or at most 2**62, got 4611686018427387905": [lambda: check_modulus(2**62 + 1)],
    "3 numbers of up to 11 add up to as much as 33: the modulus must be greater than 66, got 64": [
        lambda: require_no_overflow(11, 3, 64)
    ],
    # canonical forms
    "only integers, texts, bytes, fractions, tuples and mappings from texts have a canonical form, got float": [
        lambda: canonical(1.5)
    ],
    "form must be bytes, got str": [lambda: read_canonical("I")],
    "these 3 bytes are no canonical form of a value": [lambda: read_canonical(b"abc")],
    "round 3: the request and the digest that came with it do not belong together": [
        lambda: Binding(b"s", ()).accept(Asked(3, "a", bytes(32)))
    ],
    # keys and masks
    "0 is no power of 5 mod 23": [lambda: toy_break(0)],
    "the other party's public key makes every shared secret zero, or is none: refuse that party": [
        lambda: KeyPair().shared_key(bytes(32)),
        lambda: KeyPair().shared_key(b""),
        lambda: KeyPair().shared_key(b"short"),
    ],
    "a key pair is neither copied nor pickled: masks of the copy would be the same; make a new one": [
        lambda: copy.copy(KeyPair())
    ],
    f"this key pair {OTHER_PROCESS}: make a new one here": [
        lambda: after_a_fork(KeyPair, lambda pair: pair.shared_key(KeyPair().public))
    ],
    "masks are neither copied nor pickled: the copy would use the same masks again": [lambda: copy.copy(Masks(0, {}))],
    f"these masks {OTHER_PROCESS}: exchange new keys here": [
        lambda: after_a_fork(lambda: Masks(0, {}), lambda masks: masks.draw(1, 1))
    ],
    "masks of sum 5 were used before; every sum needs a fresh, larger number": [lambda: twice(Masks(0, {}))],
    "a sum has at most 2^32 numbers, got 4294967297: its key stream would begin again": [
        lambda: Masks(0, {}).draw(1, 2**32 + 1)
    ],
    "values must be a list, and keys as many rows with S_kj + S_jk = 0 mod 7, got 2 values": [
        lambda: algorithm_1_as_printed([1, 2], [[0, 1], [5, 0]], 7),
        lambda: algorithm_1_as_printed([1, 2], [[0, 1]], 7),
        lambda: algorithm_1_as_printed([1, 2], [[0], [0]], 7),
        lambda: algorithm_1_as_printed([1, 2], [[0, 1, 0], [6, 0, 0]], 7),
        lambda: algorithm_1_as_printed([1, 2], [], 7),
    ],
    "keys must be what pairwise_keys gives, got int": [lambda: private_sum([[1], [2]], keys=3)],
    "there are 2 parties but 3 sets of keys": [lambda: private_sum([[1], [2]], keys=pairwise_keys(3))],
    # identities
    "an identity is neither copied nor pickled: save it, encrypted, to a file": [lambda: copy.copy(Identity.create())],
    "passphrase must not be empty: an identity is never stored in the clear": [
        lambda path: Identity.create().save(path, "")
    ],
    "contributions must be a list of bytes, one of each party": [lambda: joint_nonce([b"a", "b"])],
    "pinned must be a set or a list of identities, 32 bytes each": [
        lambda: replace_pinned(3, Replacement(b"", b"", b""))
    ],
    "a replacement puts a new identity, not pinned yet, in the place of a pinned one": [
        lambda: replace_pinned([bytes(32)], Replacement(bytes(32), bytes(32), b""))
    ],
    "the old identity has not signed this replacement; if it is lost, compare and pin the new one": [
        lambda: replace_pinned([bytes(32)], Replacement(bytes(32), bytes([1]) * 32, bytes(64)))
    ],
    "announcements must be a list of Announcement": [lambda: verify_announcements([3], [], OWN)],
    "1 members are too few: this party takes part with 2 or more": [lambda: verify_announcements([OWN], [], OWN)],
    "the announcements are not those of the members that this party has signed for, in order": [
        lambda: announced(lambda said, members: (said[::-1], members))
    ],
    "announcement 2 of 3 is refused: it is for another version of the protocol than 'fdpedu secure sums, version 1'": [
        lambda: announced(lambda said, members: ([said[0], replace(said[1], version="v"), said[2]], members))
    ],
    "announcement 2 of 3 is refused: its identity is not pinned; "
    "compare fingerprints with its owner before you pin it": [
        lambda: announced(lambda said, members: (said, members[:1]))
    ],
    "announcement 2 of 3 is refused: it is for another session, or another list of members": [
        lambda: announced(lambda said, members: ([said[0], replace(said[1], session=b""), said[2]], members))
    ],
    "announcement 2 of 3 is refused: it is not signed by that identity": [
        lambda: announced(lambda said, members: ([said[0], replace(said[1], signature=b""), said[2]], members))
    ],
    "an identity or a key stands twice among the announcements: each member has its own": [
        lambda: announced(lambda said, members: (said, members), keys=(1, 2, 1))
    ],
    # graphs of neighbours
    "members must be a list of different identities, each of them bytes": [
        lambda: joint_coins(PAIR, PROMISED, [b"a", "b"]),
        lambda: joint_coins(PAIR, PROMISED, [b"a", b"a"]),
        lambda: commit_coins(bytes(32), [b"a", b"a"]),
        lambda: commit_coins(bytes(32), ["a", "b"]),
    ],
    "coins and commitments of all 2 members are needed, got 1 and 2": [
        lambda: joint_coins(PAIR[:1], PROMISED, LETTERS)
    ],
    "the coins of member 0 are not those that it had committed to, or are for another list": [
        lambda: joint_coins(PAIR, PROMISED, LETTERS[::-1])
    ],
    "coins must be at least 32 random bytes of one's own, or others could guess them": [
        lambda: commit_coins(bytes(31), [b"a"]),
        lambda: commit_coins("x" * 32, [b"a"]),
        lambda: commit_coins(bytearray(32), [b"a"]),
    ],
    "coins must be the 32 bytes that joint_coins gives": [
        lambda: Ring(2).draw(bytes(31), 3),
        lambda: Ring(2).draw(bytes(33), 3),
        lambda: Ring(2).draw("x" * 32, 3),
    ],
    "the graph must have the 2 parties that have keys, got 3": [
        lambda: neighbour_masks(0, KeyPair(), PAIR, Ring(2).around([0, 1, 2]))
    ],
    "order must hold each party from 0 to 2 once, got [0, 2, 2]": [lambda: Ring(2).around([0, 2, 2])],
    "neighbours must be even, half of them on either side, got 3": [lambda: Ring(3)],
    "probability must be from 0 to 1, a fraction of at most 1000000 parts, got 3/2": [lambda: Edges("3/2")],
    "model must be a Ring or Edges, got int": [lambda: failure_probability(3, 3), lambda: sharing_risk(3, 3, 1)],
    "of 3 parties at least one must be honest and there, got 2 colluders and 1 missing": [
        lambda: failure_probability(Ring(2), 3, 2, 1),
        lambda: sharing_risk(Edges("1/3"), 3, 1, 2, 1),
    ],
    "with 2 colluders and 2 missing of 5 parties no threshold is safe, even among all": [
        lambda: neighbours_needed(5, 2, 2)
    ],
    "failure must be less than 1, got 1": [lambda: neighbours_needed(5, failure=1)],
    # rounds that survive silent parties
    "threshold must be above the colluders and at most n_parties, got 4 for "
    "Rules(n_parties=3, threshold=4, colluders=0, tolerate=0, liar=True)": [lambda: Rules(3, 4)],
    "tolerate must be at least the colluders, and less than n_parties, got 0": [lambda: Rules(3, 3, 1, 0)],
    "against a lying aggregator twice the threshold must exceed n_parties + colluders, got 2·2 and 4 + 0": [
        lambda: Rules(4, 2, 0, 2)
    ],
    "round 1 is lost while masked numbers are collected: 3 of 4 parties are needed, 2 are there; not there: 2, 3": [
        lambda: agreed((0, 1)),
        lambda: sum_with_dropouts([[1]] * 4, FOUR, [5, 5, 2, 2]),
    ],
    "primitives must be Primitives, got int": [lambda: sum_with_dropouts([[1]] * 3, THREE, primitives=3)],
    "values must have shape (parties, numbers) for 3 parties, got (3,)": [lambda: sum_with_dropouts([1, 2, 3], THREE)],
    "completes must have a number for each of 3 parties, got 2": [lambda: sum_with_dropouts([[1]] * 3, THREE, [5, 5])],
    "a member of a round is neither copied nor pickled: the copy could sign another list": [
        lambda: copy.copy(member()),
        lambda: copy.deepcopy(member()),
    ],
    f"this member of a round {OTHER_PROCESS}: begin another round here": [
        lambda: after_a_fork(member, lambda own: own.announce())
    ],
    "the announcements do not hold that of party 0 itself: it takes no part": [without_own],
    "values must have shape (1,), got (2,)": [lambda: begun()[0].mask(np.zeros(2, dtype=np.int64), [])],
    "survivors must be in order, this party among them, and have shared: got (0, 1, 1, 2)": [
        lambda: agreed((0, 1, 1, 2))
    ],
    "round 1: each stage comes once and in order; asked for share, next is announce": [lambda: member().share([])],
    "a box from 1 for 2 is not for party 0, or comes twice": [
        lambda: masked(lambda boxes: [boxes[0]._replace(receiver=2)])
    ],
    "the box from party 2 was not sealed by it for this round": [
        lambda: masked(lambda boxes: [boxes[0], boxes[1]._replace(sealed=boxes[0].sealed)])
    ],
    "one answer of 1 numbers is due from each sharer, got one of 0": [
        lambda: seat(THREE, 1)[1].survivors([Masked(0, np.zeros(1, dtype=np.uint64))])
    ],
    "the seed of party 0 is not the one that it has signed for: a share of it is false": [lambda: opened("_seed")],
    "the key of party 0 is not the one that it has signed for: a share of it is false": [lambda: opened("_key")],
    "the secret of party 3 has more than 32 bytes: a share of it is false": [lambda: recovered(2**256)],
}


@pytest.mark.parametrize(("sentence", "call"), [(words, call) for words, calls in CALLS.items() for call in calls])
def test_what_is_refused_is_said_in_this_sentence(sentence, call, tmp_path):
    """The argument by name, what it was, what it should be; and never a secret."""
    with pytest.raises((ValueError, TypeError)) as caught:
        call(tmp_path / "own.pem") if call.__code__.co_argcount else call()
    assert str(caught.value) == sentence


NAMED = [  # what is refused in the sentence of another module, or in one that stands above with other numbers
    ("values", lambda: share("x", 3)),
    ("values", lambda: share(1.5, 2)),
    ("values", lambda: shared_sum("x")),
    ("values", lambda: shared_sum([[1.5]])),
    ("values", lambda: shared_sum(np.zeros((0, 2), dtype=int))),
    ("shares", lambda: reconstruct(3)),
    ("shares", lambda: reconstruct([])),
    ("shares", lambda: recover_secret(3, 1)),
    ("shares", lambda: recover_secret([Share(7, 1)], 1, 7)),
    ("shares", lambda: recover_secret([Share(1, 1), Share(1, 2)], 2, 5)),
    ("shares", lambda: recover_secret([Share(1, 1), Share(6, 2)], 2, 5)),
    ("shares", lambda: recover_secret([Share(1, 1), Share(0, 2)], 2, 5)),
    ("shares", lambda: recover_secret([Share(1, 1), Share(5, 2)], 2, 5)),
    ("threshold", lambda: share_secret(1, 2, 7, 7)),
    ("threshold", lambda: share_secret(1, 1.0, 2, 5)),
    ("secret", lambda: share_secret("x", 1, 3, 7)),
    ("values", lambda: algorithm_1_as_printed("x", [[0]], 7)),
    ("keys", lambda: algorithm_1_as_printed([1], "x", 7)),
    ("values", lambda: algorithm_1_as_printed([[1]], [[0]], 7)),
    ("values", lambda: algorithm_1_as_printed([], [], 7)),
    ("values", lambda: private_sum("x")),
    ("values", lambda: private_sum([[1.5], [2.0]])),
    ("values", lambda: private_sum([[2**63], [0]])),
    ("modulus", lambda: private_sum([[1], [2]], 1)),
    ("modulus", lambda: private_sum([[1], [2]], 2**63)),
    ("modulus", lambda: share(1, 2, 2**63)),
    ("modulus", lambda: reconstruct([np.zeros(2, dtype=np.uint64)], 1)),
    ("modulus", lambda: seat(THREE, 1, 1)),
    ("modulus", lambda: require_no_overflow(1, 2, 1)),
    ("keys", lambda: private_sum([[1], [2]], keys=[1, 2])),
    ("sum_number", lambda: Masks(0, {}).draw(None, 1)),
    ("rules", lambda: sum_with_dropouts([[1]] * 3, 3)),
    ("values", lambda: sum_with_dropouts("x", THREE)),
    ("values", lambda: sum_with_dropouts([[1], [2]], THREE)),
    ("completes", lambda: sum_with_dropouts([[1]] * 3, THREE, 3)),
    ("watch", lambda: sum_with_dropouts([[1]] * 3, THREE, watch=3)),
    ("contributions", lambda: joint_nonce(3)),
    ("replacement", lambda: replace_pinned([b"a"], 3)),
    ("own", lambda: verify_announcements([], [], 3)),
    ("announcements", lambda: verify_announcements(3, [], OWN)),
    ("minimum", lambda: verify_announcements([OWN], [], OWN, minimum=1)),
    ("identity", lambda: is_signed("x", bytes(64), "p")),
    ("signature", lambda: is_signed(bytes(32), "x", "p")),
    ("coins", lambda: joint_coins(3, PROMISED, LETTERS)),
    ("coins", lambda: joint_coins(PAIR, PROMISED[:1], LETTERS)),
    ("commitments", lambda: joint_coins(PAIR, 3, LETTERS)),
    ("members", lambda: joint_coins(PAIR, PROMISED, 3)),
    ("members", lambda: commit_coins(bytes(32), 3)),
    ("the coins of member 1", lambda: joint_coins([PAIR[0]] * 2, PROMISED, LETTERS)),
    ("pair", lambda: neighbour_masks(0, 3, PAIR, Ring(2).around([0, 1]))),
    ("probability", lambda: Edges(Fraction(1, 1_000_001))),
    ("probability", lambda: Edges(-1)),
    ("probability", lambda: Edges("x")),
    ("probability", lambda: Edges(None)),
    ("neighbours", lambda: Ring(1)),
    ("neighbours", lambda: Ring(2.0)),
    ("neighbours", lambda: Ring("2")),
    ("failure", lambda: neighbours_needed(5, 2, 2, failure=0)),
    ("failure", lambda: neighbours_needed(5, failure="x")),
    ("0 colluders and 5 missing", lambda: failure_probability(Ring(2), 5, 0, 5)),
    ("threshold", lambda: Rules(3, 2, 2, 2, False)),
    ("tolerate", lambda: Rules(3, 3, 0, 3)),
    ("n_parties", lambda: Rules.for_missing("5", 2)),
    ("n_parties", lambda: Rules.for_missing(1, 0)),
    ("n_parties", lambda: Rules.for_missing(10_001, 2)),
    ("colluders", lambda: Rules.for_missing(5, 2, -1)),
    ("colluders", lambda: Rules.for_missing(5, 2, 0.5)),
]


@pytest.mark.parametrize(("name", "call"), NAMED)
def test_what_is_refused_is_named(name, call):
    with pytest.raises(ValueError) as caught:
        call()
    assert re.match(rf"{name}\b|.*\b{name}\b", str(caught.value))


def test_a_collector_that_is_asked_too_early_has_nobody():
    """Boxes before announcements, numbers before boxes: a lost round, and no error of Python's."""
    for ask in (lambda collector: collector.boxes([]), lambda collector: collector.survivors([])):
        with pytest.raises(RoundLost):
            ask(seat(THREE, 1)[1])


# --- numbers ----------------------------------------------------------------------------------------------------------

TOY, MANY, LONG = 10**6, 10_000, 2**4096
# name → whether at least or at most → the limit → a call with one number in this place
LIMITS = [
    ("generator", "at least", 2, lambda n: toy_public(1, 23, n)),
    ("generator", "at most", TOY, lambda n: toy_public(1, 23, n)),
    ("secret", "at least", 1, lambda n: toy_public(n)),
    ("secret", "at most", TOY, lambda n: toy_public(n)),
    ("prime", "at least", 3, lambda n: toy_public(1, n, 2)),
    ("prime", "at most", TOY, lambda n: toy_public(1, n)),
    ("other_public", "at least", 1, lambda n: toy_shared(1, n)),
    ("other_public", "at most", TOY, lambda n: toy_shared(1, n)),
    ("secret", "at least", 1, lambda n: toy_shared(n, 2)),
    ("secret", "at most", TOY, lambda n: toy_shared(n, 2)),
    ("prime", "at least", 3, lambda n: toy_shared(1, 2, n)),
    ("prime", "at most", TOY, lambda n: toy_shared(1, 2, n)),
    ("prime", "at least", 3, lambda n: toy_break(1, n, 2)),
    ("prime", "at most", TOY, lambda n: toy_break(5, n)),
    ("public", "at most", TOY, lambda n: toy_break(n, 999_983) if n > TOY else None),
    ("modulus", "at least", 2, lambda n: check_modulus(n)),
    ("modulus", "at least", 2, lambda n: algorithm_1_as_printed([1], [[0]], n)),
    ("modulus", "at most", 2**62, lambda n: algorithm_1_as_printed([1], [[0]], n)),
    ("largest", "at least", 0, lambda n: require_no_overflow(n, 1)),
    ("largest", "at most", 2**64, lambda n: require_no_overflow(n, 1) if n > 2**64 else None),
    ("n_parties", "at least", 1, lambda n: require_no_overflow(1, n)),
    ("n_parties", "at most", MANY, lambda n: require_no_overflow(1, n)),
    ("n", "at least", 1, lambda n: share(1, n, 7)),
    ("n", "at most", MANY, lambda n: share(1, n, 7)),
    ("secret", "at least", 0, lambda n: share_secret(n, 1, 1, 7)),
    ("threshold", "at least", 1, lambda n: share_secret(1, n, 3, 7)),
    ("prime", "at least", 2, lambda n: share_secret(1, 1, 1, n)),
    ("prime", "at most", LONG, lambda n: share_secret(1, 1, 1, n)),
    ("n", "at least", 1, lambda n: share_secret(1, 1, n, 7)),
    ("n", "at most", MANY, lambda n: share_secret(1, 1, n, 2**40)),
    ("threshold", "at least", 1, lambda n: recover_secret(LINE, n, 7)),
    ("prime", "at least", 2, lambda n: recover_secret([Share(1, 1)], 1, n)),
    ("prime", "at most", LONG, lambda n: recover_secret([Share(1, 1)], 1, n)),
    ("n_parties", "at least", 1, lambda n: pairwise_keys(n)),
    ("n_parties", "at most", MANY, lambda n: pairwise_keys(n) if n > MANY else None),
    ("sum_number", "at least", 0, lambda n: Masks(0, {}).draw(n, 1)),
    ("sum_number", "at most", 2**96 - 1, lambda n: Masks(0, {}).draw(n, 1)),
    ("size", "at least", 0, lambda n: Masks(0, {}).draw(1, n)),
    ("n_parties", "at least", 3, lambda n: count_messages(n, 1)),
    ("n_parties", "at most", 1000, lambda n: count_messages(n, 1) if n > 1000 else None),
    ("size", "at least", 0, lambda n: count_messages(3, n)),
    ("size", "at most", 10**8, lambda n: count_messages(3, n) if n > 10**8 else None),
    ("n_parties", "at least", 2, lambda n: Rules(n, n)),
    ("n_parties", "at most", MANY, lambda n: Rules(n, n)),
    ("threshold", "at least", 1, lambda n: Rules(3, n, liar=False)),
    ("colluders", "at least", 0, lambda n: Rules(3, 3, n)),
    ("tolerate", "at least", 0, lambda n: Rules(3, 3, 0, n)),
    ("missing", "at least", 0, lambda n: Rules.for_missing(3, n)),
    ("completes", "at least", 0, lambda n: sum_with_dropouts([[1], [1], [1]], Rules.for_missing(3, 1), [5, 5, n])),
    ("completes", "at most", 5, lambda n: sum_with_dropouts([[1], [1], [1]], Rules.for_missing(3, 1), [5, 5, n])),
    ("neighbours", "at least", 2, lambda n: Ring(n)),
    ("neighbours", "at most", 2 * MANY, lambda n: Ring(n)),
    ("n_parties", "at least", 1, lambda n: Ring(2).draw(bytes(32), n)),
    ("n_parties", "at most", MANY, lambda n: Ring(2).draw(bytes(32), n)),
    ("n_parties", "at least", 1, lambda n: Edges("1/2").draw(bytes(32), n)),
    ("n_parties", "at most", MANY, lambda n: Edges("1/2").draw(bytes(32), n) if n > MANY else None),
    ("n_parties", "at least", 1, lambda n: failure_probability(Ring(2), n)),
    ("n_parties", "at most", MANY, lambda n: failure_probability(Ring(2), n)),
    ("n_parties", "at most", 100, lambda n: failure_probability(Edges("1/2"), n)),
    ("colluders", "at least", 0, lambda n: failure_probability(Ring(2), 3, n)),
    ("missing", "at least", 0, lambda n: failure_probability(Ring(2), 3, 0, n)),
    ("threshold", "at least", 1, lambda n: sharing_risk(Ring(2), 3, n)),
]


@pytest.mark.parametrize("place", range(len(LIMITS)))
def test_a_limit_is_accepted_and_one_more_refused(place):
    """By the name of the argument, with the limit; what is no whole number is refused by name, too."""
    name, side, limit, call = LIMITS[place]
    call(limit)
    beyond = limit + (1 if side == "at most" else -1)
    with pytest.raises(ValueError, match=rf"^{name} .* {limit}, got"):
        call(beyond)
    if limit < TOY and side == "at least":
        with pytest.raises(ValueError, match=f"^{name} "):
            call("x")
