"""A party in a round that survives silent parties: what it says at each stage, and what it refuses, word by word."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.claims.secure_sum.laws_federation import ALL
from fdpedu.federation import ClassCounts
from fdpedu.federation.messages import Passed, Said
from fdpedu.secure_sum import Hello, Member, Occasion, Rules, is_signed, key_for
from tests.support.desks import Desk, refusal

QUARTER = ClassCounts(ALL, Fraction(1, 4))


def staged(n=4, index=0):
    """A desk in the midst of a round in stages, with the other members of the round beside it."""
    desk = Desk(n, index=index).begin(tolerate=1, missing=1)
    request = desk.request(3, QUARTER)
    said = desk.say(request)
    occasion = Occasion(desk.session, 3, desk.digest(request), desk.members, 2)
    rules = Rules(n, n - 1, 0, 1)
    keys = {k: {} for k in desk.others}
    for k in desk.others:
        keys[k][index] = key_for(desk.shared[k], "channel", desk.session)
        for j in desk.others:
            if j != k:
                shared = desk.pairs[k].shared_key(desk.pairs[j].public)
                keys[k][j] = key_for(shared, "channel", desk.session)
    desk.beside = {k: Member(k, rules, occasion, desk.identities[k], keys[k]) for k in desk.others}
    desk.occasion = occasion
    return desk, said


def passed(desk, stage, content, **changed):
    return desk.say(Passed(stage, desk.session, 3, tuple(content))._replace(**changed))


@pytest.mark.parametrize("index", [0, 2])
def test_a_round_in_stages_field_by_field(index):
    """The party says what a member of chapter 5 would: its boxes open, its consent counts, its shares come last."""
    desk, said = staged(index=index)
    assert type(said) is Said and (said.stage, said.session, said.number) == ("announce", desk.session, 3)
    (own,) = said.content
    hello = Hello(*own)
    assert is_signed(desk.members[index], hello.signature, "round key", desk.occasion.binding, *own[:3])
    hellos = sorted([hello, *(member.announce() for member in desk.beside.values())])
    boxes = {k: member.share(hellos) for k, member in desk.beside.items()}
    said = passed(desk, "announce", map(tuple, hellos))
    assert (said.stage, said.number, len(said.content)) == ("share", 3, 3)
    assert [(sender, receiver) for sender, receiver, _ in said.content] == [(index, k) for k in desk.others]
    boxes[index] = [type(boxes[desk.others[0]][0])(*box) for box in said.content]
    sent = [box for dealt in boxes.values() for box in dealt]
    to = {k: [box for box in sent if box.receiver == k] for k in range(4)}
    seen = {k: member.mask(np.array([k, 10]), to[k]) for k, member in desk.beside.items()}
    said = passed(desk, "share", map(tuple, to[index]))
    ((party, words),) = said.content
    assert (said.stage, party, len(words)) == ("mask", index, 16)
    assert len(seen) == 3
    said = passed(desk, "mask", range(4))
    assert (said.stage, said.content[0][0]) == ("agree", index)
    listed = tuple(range(4))
    assert is_signed(desk.members[index], said.content[0][1], "survivors", desk.occasion.binding, listed, listed)
    consents = [tuple(member.agree(range(4))) for member in desk.beside.values()]
    said = passed(desk, "agree", sorted([*consents, said.content[0]]))
    ((party, seeds, keys),) = said.content
    assert (said.stage, party, [k for k, _ in seeds], keys) == ("unmask", index, [0, 1, 2, 3], ())
    told = refusal(desk, passed(desk, "agree", consents))
    assert told == ("out of order", "each stage comes once and in order; ended has unmask")
    assert type(desk.ask(4, QUARTER)) is Said


def hellos_of(desk, said):
    return [tuple(hello) for hello in sorted([Hello(*said.content[0]), *(m.announce() for m in desk.beside.values())])]


@pytest.mark.parametrize("changed", [{"session": bytes(32)}, {"number": 2}, {"number": 4}])
def test_what_is_passed_on_is_of_this_round(changed):
    desk, said = staged()
    hellos = hellos_of(desk, said)
    told = passed(desk, "announce", hellos, **changed)
    assert refusal(desk, told) == ("another session", "what was passed on is not of round 3 of this session")
    assert passed(desk, "announce", hellos).stage == "share"


FORM = ("malformed", "what was passed on does not have the form of this stage")


def test_stages_come_once_and_in_order():
    desk, said = staged()
    hellos = hellos_of(desk, said)
    order = "each stage comes once and in order; ended has "
    assert refusal(desk, passed(desk, "share", ())) == ("out of order", f"{order}announce")
    assert refusal(desk, passed(desk, "announce", [(0,)])) == FORM
    assert refusal(desk, passed(desk, "unmask", ())) == FORM
    assert passed(desk, "announce", hellos).stage == "share"
    assert refusal(desk, passed(desk, "announce", hellos)) == ("out of order", f"{order}share")
    few = "round 3 is lost while secrets are shared out: 3 of 4 parties are needed, 1 are there; not there: 1, 2, 3"
    assert refusal(desk, passed(desk, "share", ())) == ("not allowed", few)
    assert refusal(desk, passed(desk, "share", ())) == ("out of order", f"{order}the round")


def test_a_long_reason_is_cut():
    """To a thousand characters, which any reader takes."""
    desk, said = staged()
    hellos = hellos_of(desk, said)
    boxes = {k: member.share([Hello(*one) for one in hellos]) for k, member in desk.beside.items()}
    passed(desk, "announce", hellos)
    passed(desk, "share", [tuple(box) for dealt in boxes.values() for box in dealt if box.receiver == 0])
    name, reason = refusal(desk, passed(desk, "mask", range(2**63, 2**63 + 100)))
    assert name == "not allowed" and len(reason) == 1000
    assert reason.startswith(
        "survivors must be in order, this party among them, and have shared: got (9223372036854775808,"
    )
