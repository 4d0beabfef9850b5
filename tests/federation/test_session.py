"""The aggregator's side: what it says to the members of a session, and what it makes of their answers."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from fdpedu.claims.secure_sum.messages import AGE
from fdpedu.federation import messages
from fdpedu.federation.messages import (
    Contributions,
    Invitation,
    Passed,
    Request,
    SignedKeys,
)
from fdpedu.secure_sum import STAGES, RoundLost, hashed, joint_nonce
from tests.support.desks import (
    MEMBERS,
    NUMBERS,
    WRITTEN,
    Puppet,
    Short,
    ask,
    begin,
    changed,
    of_another,
    refusing,
    saying,
    silent,
    unreadable,
    unsigned,
)


def total(indices):
    return np.sum([NUMBERS[k] for k in indices], axis=0).tolist()


def test_a_session_says_the_same_to_all_and_adds_what_they_answer():
    session, puppets = begin(3)
    members = tuple(puppet.identity for puppet in puppets)
    nonces = tuple(puppet.nonce for puppet in puppets)
    nonce = joint_nonce((session.name, *nonces))
    keys = tuple((p.pair.public, p.signer.announce(nonce, p.pair.public, members).signature) for p in puppets)
    beginning = [
        Invitation(session.name, hashed(AGE.to_json()), members, 1, 0, Fraction(7, 2)),
        Contributions(nonces),
        SignedKeys(keys),
    ]
    assert session.nonce == nonce and ask(session, puppets).tolist() == total(range(3))
    assert ask(session, puppets, 2**40).tolist() == total(range(3))
    requests = [Request(nonce, number, "a tree", WRITTEN) for number in (5, 2**40)]
    for puppet in puppets:
        assert puppet.heard == [*beginning, *requests]
    transport = session._transport
    assert transport.requests == {request.number: messages.write(request) for request in requests}
    assert [(m.round, m.sender, m.receiver) for m in transport.manifest[:6]] == [
        (0, *pair) for name in MEMBERS[:3] for pair in (("aggregator", name), (name, "aggregator"))
    ]
    assert [m.round for m in transport.manifest] == [0] * 18 + [5] * 6 + [2**40] * 6


WRONG = {
    "silent": (silent, "silent"),
    "unsigned": (unsigned, "not signed"),
    "of another": (of_another, "not signed"),
    "refusing": (refusing, r"no\u001bt: be\u0007cause\u000a ä"),
    "unreadable": (unreadable, "malformed"),
    "out of order": (saying, "out of order"),
}

KINDS = {Invitation: "nonce", Contributions: "signed key", SignedKeys: "seated", Request: "masked sums"}


@pytest.mark.parametrize("k", [0, 1])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", WRONG)
def test_who_does_not_answer_as_is_due_is_named(case, kind, k):
    """At every stage, with the name of what is wrong; and what a terminal would act on is not shown."""
    change, name = WRONG[case]
    with pytest.raises(RoundLost) as lost:
        ask(*begin(instead=[(k, kind, change)]))
    text = str(lost.value)
    assert text.startswith(repr(MEMBERS[k])) and name in text and ("round 5" in text) == (kind is Request)
    assert case != "out of order" or f"now is {KINDS[kind]} or refusal" in text


@pytest.mark.parametrize("k", [0, 1, 2])
def test_keys_that_are_not_announced_for_this_session_are_refused(k, monkeypatch):
    """The aggregator looks, too: before the others hear of them."""
    heard = []
    monkeypatch.setattr(Puppet, "signedkeys", lambda puppet, got: heard.append(got))
    with pytest.raises(ValueError, match=f"announcement {k + 1} of 3"):
        begin(3, instead=[(k, Contributions, changed(announced=bytes(64)))])
    assert heard == []


@pytest.mark.parametrize("k", [0, 1])
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("session", bytes(32)),
        ("number", 6),
        ("digest", bytes(32)),
        ("words", bytes(8)),
        ("words", bytes(17)),
        ("words", b""),
    ],
)
def test_an_answer_is_to_this_request_and_as_long_as_is_due(field, value, k):
    with pytest.raises(RoundLost, match=f"^{MEMBERS[k]!r} .*round 5") as lost:
        ask(*begin(instead=[(k, Request, changed(**{field: value}))]))
    assert (f"{len(value)} bytes" if field == "words" else "another request") in str(lost.value)


@pytest.mark.parametrize("kind", ["signed keys", "nonces"])
def test_an_answer_that_is_lost_on_the_way_ends_a_session(kind):
    with pytest.raises(ValueError, match="shorter"):
        begin(3, transport=Short(kind))


def test_a_round_in_stages_says_to_each_what_all_have_said():
    session, puppets = begin(4, missing=1)
    assert ask(session, puppets).tolist() == total(range(4))
    request = Request(session.nonce, 5, "a tree", WRITTEN)
    assert session._transport.requests == {5: messages.write(request)}
    for k, puppet in enumerate(puppets):
        first, *passed = puppet.heard[3:]
        assert first == request and [(type(m), m.session, m.number) for m in passed] == [(Passed, session.nonce, 5)] * 4
        assert [m.stage for m in passed] == ["announce", "share", "mask", "agree"]
        hellos, boxes, survivors, consents = (m.content for m in passed)
        assert [hello[0] for hello in hellos] == [0, 1, 2, 3] and survivors == (0, 1, 2, 3)
        assert [box[:2] for box in boxes] == [(j, k) for j in range(4) if j != k]
        assert [consent[0] for consent in consents] == [0, 1, 2, 3]
    manifest = session._transport.manifest[24:]
    assert [(m.round, m.sender, m.receiver) for m in manifest] == [
        (5, *pair) for _ in range(5) for name in MEMBERS for pair in (("aggregator", name), (name, "aggregator"))
    ]


ODD = {
    "silent": silent,
    "unsigned": unsigned,
    "of another session": changed(session=bytes(32)),
    "of another round": changed(number=4),
    "of another stage": lambda answer, puppet: answer._replace(stage="agree" if answer.stage != "agree" else "mask"),
    "refusing": refusing,
    "in another form": changed(content=((9, b""),)),
}


def content(change):
    """A change of what a puppet says at a stage."""
    return lambda answer, puppet: answer._replace(content=change(answer.content))


@pytest.mark.parametrize(
    ("stage", "change"),
    [
        *product(STAGES, [ODD["silent"], ODD["of another stage"]]),
        *(("mask", change) for change in ODD.values()),
        ("mask", content(lambda said: ((said[0][0], said[0][1][:-8]),))),
        ("mask", content(lambda said: ((said[0][0], said[0][1] + bytes(8)),))),
        ("mask", content(lambda said: ((said[0][0] + 1, said[0][1]),))),
        ("mask", content(lambda said: ())),
        ("announce", content(lambda said: ((*said[0][:3], bytes(64)),))),
        ("announce", content(lambda said: said * 2)),
    ],
)
def test_whoever_says_nothing_that_is_due_is_silent(stage, change):
    """The sum is that of those who have sent their numbers; and it is not asked again."""
    session, puppets = begin(3, missing=1, instead=[(1, stage, change)])
    assert ask(session, puppets).tolist() == total([0, 2] if list(STAGES).index(stage) < 3 else range(3))
    assert len(puppets[1].heard) == 4 + list(STAGES).index(stage)


@pytest.mark.parametrize("away", [(), (3,)])
@pytest.mark.parametrize("liars", [(0,), (0, 1, 2, 3)])
@pytest.mark.parametrize(
    "change",
    [
        lambda said: ((said[0][0], (), ()),),
        lambda said: ((said[0][0], said[0][1][:1], ()),),
        lambda said: ((said[0][0], tuple((k, bytes(66)) for k, _ in said[0][1]), ()),),
    ],
)
def test_shares_that_are_missing_or_false_end_a_round_as_lost(change, liars, away):
    """With an error of the kind that a lost round has, and no other sum than the right one, which takes three."""
    instead = [(k, "unmask", content(change)) for k in liars] + [(k, "unmask", silent) for k in away]
    session, puppets = begin(4, missing=1, instead=instead)
    try:
        assert ask(session, puppets).tolist() == total(range(4)) and liars == (0,) and not away
    except RoundLost as lost:
        assert str(lost).startswith("round 5 is lost")


def test_too_few_who_are_left_lose_a_round():
    session, puppets = begin(4, missing=1, instead=[(k, "mask", silent) for k in (1, 3)])
    with pytest.raises(RoundLost, match=r"^round 5 is lost while .*: 1, 3$"):
        ask(session, puppets)
