"""A member of a round that survives silent parties: stage by stage, and what it refuses."""

from dataclasses import replace

import numpy as np
import pytest

from fdpedu.claims.secure_sum.ideal import IdealPrimitives
from fdpedu.randomness import ReplayedWords, TapeExhausted
from fdpedu.secure_sum import (
    Box,
    Member,
    RoundLost,
    Rules,
    hashed,
    key_for,
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
        with pytest.raises(ValueError, match=f"^round 1: .* {name}, .* announce$"):
            act()
    one.announce()
    with pytest.raises(ValueError, match=r" announce, .* share$"):
        one.announce()
    with pytest.raises(ValueError, match=r" mask, .* share$"):
        one.mask(np.zeros(1, dtype=np.int64), [])
    one._coming.clear()
    assert repr(one) == "Member(0, round 1, to come: nothing)"
    with pytest.raises(ValueError, match=r" announce, .* over$"):
        one.announce()


@pytest.mark.parametrize("survivors", [(0, 1, 1, 2), (1, 0, 2), (1, 2, 3), (0, 1, 2, 7), (0, 1, 9)])
def test_lists_that_no_party_signs(survivors):
    members, _, boxes = begun()
    members[0].mask(np.zeros(1, dtype=np.int64), boxes[0])
    with pytest.raises(ValueError, match=r"^survivors"):
        members[0].agree(survivors)


FALSE_BOXES = {
    "box from 1 for 2": lambda one, two: [one._replace(receiver=2)],
    "box from 1 for 0": lambda one, two: [one, one],
    "box from 7 for 0": lambda one, two: [one._replace(sender=7)],
    "box from 0 for 0": lambda one, two: [Box(0, 0, one.sealed)],
    "box from party 2": lambda one, two: [one, two._replace(sealed=one.sealed)],
    "box from party 1": lambda one, two: [one._replace(sealed=one.sealed[:-1] + bytes([one.sealed[-1] ^ 1]))],
}


@pytest.mark.parametrize("box", FALSE_BOXES)
def test_boxes_that_are_refused(box):
    """For another receiver, twice, from a stranger or oneself, another's, altered."""
    members, _, boxes = begun()
    with pytest.raises(ValueError, match=box):
        members[0].mask(np.zeros(1, dtype=np.int64), FALSE_BOXES[box](*boxes[0][:2]))


def test_a_box_of_another_round_is_refused():
    """Seals are bound to the session, the round and the digest, whoever holds the same keys."""
    members, _, boxes = begun()
    for change in ({"number": 2}, {"session": b""}, {"digest": b""}):
        other = Member(1, FOUR, replace(members[1].occasion, **change), members[1]._identity, members[1]._channels)
        sealed = other._seal(0).encrypt(bytes(12), bytes(132), None)
        with pytest.raises(ValueError, match="box from party 1"):
            members[0]._open(boxes[0][0]._replace(sealed=sealed))
    sealed = members[1]._seal(0).encrypt(bytes(12), bytes(132), None)
    assert members[0]._open(boxes[0][0]._replace(sealed=sealed)) == (bytes(66), bytes(66))


def test_too_few_boxes_and_wrong_shapes():
    members, _, boxes = begun()
    with pytest.raises(ValueError, match=r"^values .* got \(2,\)"):
        members[0].mask(np.zeros(2, dtype=np.int64), boxes[0])
    with pytest.raises(RoundLost, match=r"^round 1 .*: 2, 3$"):
        members[0].mask(np.zeros(1, dtype=np.int64), boxes[0][:1])


def test_a_party_without_its_own_announcement_takes_no_part():
    members, _ = seat(FOUR, 1, primitives=IdealPrimitives())
    hellos = [member.announce() for member in members]
    with pytest.raises(ValueError, match="party 0"):
        members[0].share(hellos[1:])
    with pytest.raises(RoundLost, match=r"^round 1 .*: 2, 3$"):
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
    with pytest.raises(RoundLost, match=r"^round 1 .*: 2, 3$"):
        members[0].unmask(false)
    assert members[1].unmask(consents).party == 1


def test_rounds_have_nothing_in_common():
    """The same parties in another round have other keys, seeds, seals and masks."""
    members = [seat(FOUR, 1, number=number)[0][0] for number in (1, 2)]
    assert isinstance(members[0], Member)
    assert len({member.occasion.binding for member in members}) == len({member.announce() for member in members}) == 2


def test_every_key_of_a_round_has_one_use():
    """Seals in each direction, masks of each pair and of one's own: no key serves two; both ends have the same."""
    used = []
    with pytest.MonkeyPatch.context() as patch:

        def seen(key, purpose, *fields):
            used.append((key, purpose, fields))
            return key_for(key, purpose, *fields)

        for module in ("dropouts", "messages", "masks"):
            patch.setattr(f"fdpedu.secure_sum.{module}.key_for", seen)
        sum_with_dropouts([[1]] * 4, FOUR, primitives=IdealPrimitives())
    made = {purpose: {one for one in used if one[1] == purpose} for purpose in ("box", "masks", "self-mask")}
    assert {purpose: len(of_use) for purpose, of_use in made.items()} == {"box": 12, "masks": 6, "self-mask": 4}
    assert len({key_for(*one[:2], *one[2]) for of_use in made.values() for one in of_use}) == 22
    (session,) = {fields[0] for _, _, fields in made["masks"]}
    names = {name for _, _, fields in made["masks"] for name in fields[1:3]}
    assert {fields[3:] for _, _, fields in made["masks"]} == {(1, hashed(("a demonstration", 1, tuple(sorted(names)))))}
    assert len(session) == 32 and len(names) == 4 and {type(name) for name in names} == {bytes}
    assert {fields[1:] for _, _, fields in made["box"]} == {(k, j) for k in range(4) for j in range(4) if k != j}


def test_a_member_shares_from_its_own_source():
    """An empty tape ends when secrets are shared out, and not before."""
    (one, *others), _ = seat(FOUR, 1, primitives=IdealPrimitives())
    own = Member(0, FOUR, one.occasion, one._identity, one._channels, primitives=one._primitives, rng=ReplayedWords([]))
    hellos = [own.announce(), *(other.announce() for other in others)]
    with pytest.raises(TapeExhausted):
        own.share(hellos)
