"""What a member of a round and its collector refuse: stages out of turn, false boxes, short lists, foreign consents."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest

from fdpedu.claims.secure_sum.laws_ideal import IdealPrimitives
from fdpedu.secure_sum import (
    Box,
    Masked,
    Member,
    RoundLost,
    Rules,
    seat,
    sum_with_dropouts,
)

FOUR = Rules.for_missing(4, 1)


def begun(rules=FOUR, size=1):
    """Members that have shared their secrets, their collector, and the boxes for each."""
    members, collector = seat(rules, size, primitives=IdealPrimitives())
    hellos = collector.hellos([member.announce() for member in members])
    return members, collector, collector.boxes([box for member in members for box in member.share(hellos)])


def test_each_stage_comes_once_and_in_order():
    members, _ = seat(FOUR, 1, primitives=IdealPrimitives())
    one = members[0]
    assert repr(one) == "Member(0, round 1, to come: announce, share, mask, agree, unmask)"
    early = {"share": lambda: one.share([]), "agree": lambda: one.agree((0,)), "unmask": lambda: one.unmask([])}
    for name, act in early.items():
        with pytest.raises(ValueError, match=f"round 1: each stage .* asked for {name}, next is announce"):
            act()
    one.announce()
    with pytest.raises(ValueError, match="asked for announce, next is share"):
        one.announce()
    with pytest.raises(ValueError, match="asked for mask, next is share"):
        one.mask(np.zeros(1, dtype=np.int64), [])
    one._coming.clear()
    assert repr(one) == "Member(0, round 1, to come: nothing)"
    with pytest.raises(ValueError, match="asked for announce, next is over"):
        one.announce()


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_member_is_not_copied(how):
    with pytest.raises(TypeError, match="could sign another list"):
        how(begun()[0][0])


@pytest.mark.parametrize("survivors", [(0, 1, 1, 2), (1, 0, 2), (1, 2, 3), (0, 1, 2, 7), (0, 1, 9)])
def test_lists_that_no_party_signs(survivors):
    members, _, boxes = begun()
    members[0].mask(np.zeros(1, dtype=np.int64), boxes[0])
    with pytest.raises(ValueError, match="survivors must be in order, this party among them"):
        members[0].agree(survivors)


def test_a_list_that_is_too_short_is_not_signed():
    members, _, boxes = begun()
    members[0].mask(np.zeros(1, dtype=np.int64), boxes[0])
    with pytest.raises(RoundLost, match="round 1 is lost while masked numbers are collected: 3 of 4 parties"):
        members[0].agree((0, 1))


FALSE_BOXES = {
    "is not for party 0": lambda one, two: [one._replace(receiver=2)],
    "or comes twice": lambda one, two: [one, one],
    "a box from 7 for 0": lambda one, two: [one._replace(sender=7)],
    "a box from 0 for 0": lambda one, two: [Box(0, 0, one.sealed)],
    "from party 2 was not sealed": lambda one, two: [one, two._replace(sealed=one.sealed)],
    "from party 1 was not sealed": lambda one, two: [
        one._replace(sealed=one.sealed[:-1] + bytes([one.sealed[-1] ^ 1]))
    ],
}


@pytest.mark.parametrize("why", FALSE_BOXES)
def test_boxes_that_are_refused(why):
    """For another receiver, twice, from a stranger or oneself, another's, altered."""
    members, _, boxes = begun()
    with pytest.raises(ValueError, match=why):
        members[0].mask(np.zeros(1, dtype=np.int64), FALSE_BOXES[why](*boxes[0][:2]))


def test_a_box_of_another_round_is_refused():
    """Seals are bound to the session, the round and the digest, whoever holds the same keys."""
    members, _, boxes = begun()
    for change in ({"number": 2}, {"session": b""}, {"digest": b""}):
        other = Member(1, FOUR, replace(members[1].occasion, **change), members[1]._identity, members[1]._channels)
        sealed = other._seal(0).encrypt(bytes(12), bytes(132), None)
        with pytest.raises(ValueError, match="not sealed by it for this round"):
            members[0]._open(boxes[0][0]._replace(sealed=sealed))
    sealed = members[1]._seal(0).encrypt(bytes(12), bytes(132), None)
    assert members[0]._open(boxes[0][0]._replace(sealed=sealed)) == (bytes(66), bytes(66))


def test_too_few_boxes_and_wrong_shapes():
    members, _, boxes = begun()
    with pytest.raises(ValueError, match=r"values must have shape \(1,\), got \(2,\)"):
        members[0].mask(np.zeros(2, dtype=np.int64), boxes[0])
    with pytest.raises(
        RoundLost,
        match=r"round 1 is lost while secrets are shared out: .* not there: 2, 3",
    ):
        members[0].mask(np.zeros(1, dtype=np.int64), boxes[0][:1])


def test_a_party_without_its_own_announcement_takes_no_part():
    members, _ = seat(FOUR, 1, primitives=IdealPrimitives())
    hellos = [member.announce() for member in members]
    with pytest.raises(ValueError, match="do not hold that of party 0 itself"):
        members[0].share(hellos[1:])
    with pytest.raises(RoundLost, match="round 1 is lost while keys are announced"):
        members[1].share(hellos[:2])
    strangers = [hellos[0]._replace(party=party) for party in (-1, 4, 7)]
    assert {box.receiver for box in members[2].share([*hellos, *strangers])} == {0, 1, 3}


def test_consents_that_do_not_count():
    """Unsigned ones, those of another list and those of parties that are not listed; then nothing is revealed."""
    members, _, boxes = begun()
    for member in members:
        member.mask(np.zeros(1, dtype=np.int64), boxes[member.index])
    consents = [member.agree((0, 1, 2)) for member in members[:3]]
    other = members[3].agree((1, 2, 3))
    false = [
        consents[0],
        consents[1],
        consents[2]._replace(signature=consents[1].signature),
        other,
        other._replace(party=2),
    ]
    with pytest.raises(RoundLost, match="3 of 4 parties are needed, 2 are there; not there: 2, 3"):
        members[0].unmask(false)
    assert members[1].unmask(consents).party == 1


def test_what_a_collector_refuses():
    """An answer of a party that has not shared, a second one, and one of another length."""
    words = np.zeros(1, dtype=np.uint64)
    for wrong in ([Masked(7, words)], [Masked(0, words)] * 2, [Masked(0, words), Masked(1, words[:0])]):
        _, collector, _ = begun()
        with pytest.raises(ValueError, match="one answer of 1 numbers is due from each sharer"):
            collector.survivors(wrong)


def test_a_round_of_another_shape_is_refused():
    for values in ([1, 2, 3, 4], [[1], [2], [3]]):
        with pytest.raises(ValueError, match=r"values must have shape .* for 4 parties"):
            sum_with_dropouts(values, FOUR)
