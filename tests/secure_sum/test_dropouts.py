"""A member of a round that survives silent parties: stage by stage, and what it refuses."""

import os
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.secure_sum.ideal import IdealPrimitives
from fdpedu.claims.secure_sum.survivors import honest_rules
from fdpedu.randomness import ReplayedWords, TapeExhausted
from fdpedu.secure_sum import (
    SEED_PRIME,
    Box,
    Member,
    RoundLost,
    Rules,
    hashed,
    key_for,
    seat,
    sum_with_dropouts,
)
from tests.support.polynomials import WORDS, interpolated, tape_of

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


class Scripted(IdealPrimitives):
    """Secrets as the test says."""

    def __init__(self, *secrets):
        super().__init__()
        self.secrets = [*secrets]

    def fresh(self):
        return self.secrets.pop(0) if self.secrets else super().fresh()


def spoken(rules, secrets, coefficients):
    """What party 0 says with these two secrets, and shares that are dealt with these coefficients."""
    members, _ = seat(rules, 1, primitives=(tools := IdealPrimitives()))
    one = members[0]
    scripted = Scripted(*secrets)
    scripted._signed = tools._signed
    tape = ReplayedWords(tape_of(coefficients))
    own = Member(0, rules, one.occasion, one._identity, one._channels, primitives=scripted, rng=tape)
    assert not scripted.secrets, "a member has two secrets, of its own"
    hellos = [own.announce(), *(member.announce() for member in members[1:])]
    boxes = own.share(hellos)
    for member in members[1:]:
        member._hellos = {hello.party: hello for hello in hellos}
    opened = [own._shares[0], *(members[box.receiver]._open(box) for box in boxes)]
    places = [1, *(box.receiver + 1 for box in boxes)]
    key, seed = ([(x, int.from_bytes(both[i], "big")) for x, both in zip(places, opened, strict=True)] for i in (1, 0))
    return hellos[0], seed, key


@pytest.mark.claim("thm-dropout-view")
@settings(max_examples=15, deadline=None)
@given(st.data())
def test_the_two_secrets_of_a_member_and_their_shares_have_nothing_in_common(data):
    """One is hashed, the other makes the public key; each is shared with coefficients, and so words, of its own.

    So what is revealed of one, its shares all, and the shares of colluders of the other, say nothing of the latter.
    """
    n = data.draw(st.integers(2, 5))
    rules = Rules(n, data.draw(st.integers(n // 2 + 1, n)))
    drawn = [data.draw(st.binary(min_size=32, max_size=32)) for _ in range(2)]
    count = 2 * (rules.threshold - 1)
    coefficients = data.draw(st.lists(st.integers(0, SEED_PRIME - 1), min_size=count, max_size=count))
    hello, seed, key = spoken(rules, drawn, coefficients)
    numbers = [interpolated(points) for points in (seed, key)]
    assert [int.from_bytes(secret, "big") for secret in drawn] == [numbers[1][0], numbers[0][0]]
    assert (hello.public, hello.commitment) == (IdealPrimitives().public(drawn[0]), hashed(drawn[1]))
    half = [one[1 : rules.threshold] for one in numbers]
    assert half[0] + half[1] == coefficients and not any(x for one in numbers for x in one[rules.threshold :])


def test_a_member_s_secrets_are_new_and_its_shares_are_the_system_s_unless_it_is_given_others(monkeypatch):
    """Of all bytes that the system gives in some rounds, those of a secret or a coefficient are used once."""
    given_out, own = [], os.urandom
    monkeypatch.setattr("os.urandom", lambda size: given_out.append(own(size)) or given_out[-1])
    rules = Rules.for_missing(4, 1)
    members = [member for number in (1, 2) for member in seat(rules, 1, number=number)[0]]
    kept = [secret for member in members for secret in (member._key, member._seed)]
    assert len(set(kept)) == 2 * len(members) and all(given_out.count(secret) == 1 for secret in kept)
    before = len(given_out)
    hellos = [member.announce() for member in members[:4]]
    members[0].share(hellos)
    coefficients = given_out[before:]
    assert len(set(coefficients)) == len(coefficients) >= 2 * (rules.threshold - 1)
    assert {len(one) for one in coefficients} == {8 * WORDS}


def goes_on(step):
    try:
        step()
    except RoundLost:
        return False
    return True


def asked(rules, stage, there):
    """Let party 0 go on after a stage for which everybody was there, but for the last, for which so many were."""
    members, _ = seat(rules, 1, primitives=IdealPrimitives())
    one = members[0]
    hellos = [member.announce() for member in members]
    boxes = [member.share(hellos) for member in members] if stage != "announce" else []
    if stage in ("mask", "agree"):
        for member in members:
            member.mask(
                np.zeros(1, dtype=np.int64), [box for sent in boxes for box in sent if box.receiver == member.index]
            )
    everybody = tuple(range(len(members)))
    return {
        "announce": lambda: one.share(hellos[:there]),
        "share": lambda: one.mask(np.zeros(1, dtype=np.int64), [sent[0] for sent in boxes[1:there]]),
        "mask": lambda: one.agree(everybody[:there]),
        "agree": lambda: one.unmask([member.agree(everybody) for member in members][:there]),
    }[stage]


@pytest.mark.claim("thm-dropout-view")
@pytest.mark.parametrize("n", [2, 3])
def test_at_each_stage_a_member_itself_counts_who_is_there(n):
    """For all rules and every number of parties, whatever the aggregator has let pass.

    Until the numbers are in, t must be there to open secrets and K − tolerate honest ones for the noise; to the end, t.
    """
    differ = 0
    for rules, there in product(honest_rules(n), range(1, n + 1)):
        noise = there - rules.colluders >= n - rules.tolerate
        differ += there >= rules.threshold and not noise
        for stage in ("announce", "share", "mask", "agree"):
            enough = there >= rules.threshold and (noise or stage == "agree")
            assert goes_on(asked(rules, stage, there)) == enough, (rules, stage, there)
    assert differ, "the two limits differ for some rules"
