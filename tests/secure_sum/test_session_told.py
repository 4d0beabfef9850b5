"""The aggregator's side, word by word: what it says to the members of a session, and what it makes of their answers."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from fdpedu.claims.secure_sum.laws_federation import AGE, ALL
from fdpedu.federation import ClassCounts, InProcess, messages
from fdpedu.federation.messages import (
    Contributions,
    Invitation,
    Passed,
    Refusal,
    Request,
    Seated,
    SignedKeys,
)
from fdpedu.federation.queries import to_wire
from fdpedu.federation.session import Session
from fdpedu.secure_sum import Identity, RoundLost, hashed, joint_nonce
from tests.support.puppets import Puppet

NAMES = ["one", "two", "three", "four"]
QUERIES = (to_wire(ClassCounts(ALL, Fraction(1, 4)), AGE),)
VALUES = [[1, -10], [2, 20], [3, 2**40], [4, -40]]
SIGNATURE = "the message is not signed by the party that it should come from"


def begin(n=2, missing=0, transport=None, puppets=None, tolerate=1):
    puppets = [Puppet(k, VALUES[k]) for k in range(n)] if puppets is None else puppets
    transport = InProcess() if transport is None else transport
    options = {"tolerate": tolerate, "missing": missing, "budget": Fraction(7, 2)}
    return Session(transport, NAMES[:n], puppets, AGE, **options), puppets


def ask(session, puppets, number=5):
    return session.ask(number, "a tree", QUERIES, 2, [puppet.respond for puppet in puppets])


def total(indices):
    return np.sum([VALUES[k] for k in indices], axis=0).tolist()


def test_a_session_says_the_same_to_all_and_adds_what_they_answer():
    session, puppets = begin(3)
    members = tuple(puppet.identity for puppet in puppets)
    nonces = tuple(puppet.nonce for puppet in puppets)
    nonce = joint_nonce(nonces)
    keys = tuple((p.pair.public, p.signer.announce(nonce, p.pair.public, members).signature) for p in puppets)
    beginning = [
        Invitation(hashed(AGE.to_json()), members, 1, 0, Fraction(7, 2)),
        Contributions(nonces),
        SignedKeys(keys),
    ]
    assert session.nonce == nonce and ask(session, puppets).tolist() == total(range(3))
    assert ask(session, puppets, 2**40).tolist() == total(range(3))
    requests = [Request(nonce, number, "a tree", QUERIES) for number in (5, 2**40)]
    for puppet in puppets:
        assert puppet.heard == [*beginning, *requests]
    transport = session._transport
    assert transport.requests == {request.number: messages.write(request) for request in requests}
    assert [(m.round, m.sender, m.receiver) for m in transport.manifest[:6]] == [
        (0, *pair) for name in NAMES[:3] for pair in (("aggregator", name), (name, "aggregator"))
    ]
    assert [m.round for m in transport.manifest] == [0] * 18 + [5] * 6 + [2**40] * 6


def silent(answer, puppet):
    raise TimeoutError


def unsigned(answer, puppet):
    return messages.write(answer._replace(signature=bytes(64)))


def of_another(answer, puppet):
    return messages.write_signed(answer, Identity.create())


def refusing(answer, puppet):
    return Refusal(bytes(32), 9, "no\x1bt", "be\x07cause\n ä")


def unreadable(answer, puppet):
    return b"gossip"


WRONG = {
    "silent": (silent, "it is silent"),
    "unsigned": (unsigned, f"its answer is not signed: {SIGNATURE}"),
    "of another": (of_another, f"its answer is not signed: {SIGNATURE}"),
    "refusing": (refusing, "it refuses, no?t: be?cause? ä"),
    "unreadable": (unreadable, "its answer is malformed: these 6 bytes are no canonical form of a value"),
}
KINDS = {Invitation: "nonce", Contributions: "signed key", SignedKeys: "seated", Request: "masked sums"}
IN_THE_ROUND = "does not answer in round 5, which is lost (what was answered stays charged)"


@pytest.mark.parametrize("k", [0, 1])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", [*WRONG, "out of order"])
def test_who_does_not_answer_as_is_due_is_named(case, kind, k):
    """At every stage, by the name of the party and the reason; what a terminal would act on is not told."""
    change, told = WRONG.get(case, (None, None))
    if case == "out of order":
        change = lambda answer, puppet: messages.Said("mask", bytes(32), 5, ())  # noqa: E731
        told = f"its answer is out of order: what may come now is {KINDS[kind]} or refusal, got says"
    puppets = [Puppet(j, VALUES[j]) for j in range(2)]
    puppets[k].instead[kind] = change
    with pytest.raises(RoundLost) as lost:
        ask(*begin(puppets=puppets))
    assert str(lost.value) == f"{NAMES[k]!r} {IN_THE_ROUND if kind is Request else 'takes no part'}: {told}"


@pytest.mark.parametrize("k", [0, 1])
def test_a_seat_is_in_this_session(k):
    puppets = [Puppet(j, VALUES[j]) for j in range(2)]
    puppets[k].instead[SignedKeys] = lambda answer, puppet: Seated(bytes(32))
    with pytest.raises(RoundLost) as lost:
        begin(puppets=puppets)
    assert str(lost.value) == f"{NAMES[k]!r} takes no part: it has its seat in another session"


@pytest.mark.parametrize("k", [0, 1, 2])
def test_keys_that_are_not_announced_for_this_session_are_refused(k):
    """The aggregator looks, too: before the others are told."""
    puppets = [Puppet(j, VALUES[j]) for j in range(3)]
    puppets[k].instead[Contributions] = lambda answer, puppet: answer._replace(announced=bytes(64))
    with pytest.raises(ValueError) as refused:
        begin(3, puppets=puppets)
    assert str(refused.value) == f"announcement {k + 1} of 3 is refused: it is not signed by that identity"
    assert not any(type(message) is SignedKeys for puppet in puppets for message in puppet.heard)


@pytest.mark.parametrize("k", [0, 1])
@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"session": bytes(32)}, "its answer is to another request"),
        ({"number": 6}, "its answer is to another request"),
        ({"digest": bytes(32)}, "its answer is to another request"),
        ({"words": bytes(8)}, "2 numbers are due, its answer has 8 bytes"),
        ({"words": bytes(17)}, "2 numbers are due, its answer has 17 bytes"),
        ({"words": b""}, "2 numbers are due, its answer has 0 bytes"),
    ],
)
def test_an_answer_is_to_this_request_and_as_long_as_is_due(change, told, k):
    session, puppets = begin()
    puppets[k].instead[Request] = lambda answer, puppet: answer._replace(**change)
    with pytest.raises(RoundLost) as lost:
        ask(session, puppets)
    assert str(lost.value) == f"{NAMES[k]!r} {IN_THE_ROUND}: {told}"


class Short(InProcess):
    """Loses an answer on the way."""

    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def deliver(self, number, names, told, endpoints):
        replies = super().deliver(number, names, told, endpoints)
        return replies[:-1] if messages.name_of(told[0]) == self.kind else replies

    def gather(self, *arguments):
        replies = super().gather(*arguments)
        return replies[:-1] if self.kind == "queries" else replies


@pytest.mark.parametrize("kind", ["signed keys", "nonces"])
def test_an_answer_that_is_lost_on_the_way_ends_a_session(kind):
    with pytest.raises(ValueError, match="shorter"):
        begin(3, transport=Short(kind))


def test_an_answer_that_is_lost_on_the_way_loses_a_round():
    session, puppets = begin(transport=Short("queries"))
    with pytest.raises(RoundLost) as lost:
        ask(session, puppets)
    assert str(lost.value) == "round 5 is lost: 2 answers are due, 1 have come"


def test_an_answer_that_is_lost_on_the_way_ends_a_stage():
    session, puppets = begin(4, missing=1, transport=Short("passed on, share"))
    with pytest.raises(RoundLost, match=r"^round 5 is lost: what parties have said does not fit together: .*shorter"):
        ask(session, puppets)


# --- rounds in stages -------------------------------------------------------------------------------------------------


def test_a_round_in_stages_says_to_each_what_all_have_said():
    session, puppets = begin(4, missing=1)
    assert ask(session, puppets).tolist() == total(range(4))
    request = Request(session.nonce, 5, "a tree", QUERIES)
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
        (5, *pair) for _ in range(5) for name in NAMES for pair in (("aggregator", name), (name, "aggregator"))
    ]


STAGES = ["announce", "share", "mask", "agree", "unmask"]
ODD = {
    "silent": silent,
    "unsigned": unsigned,
    "of another session": lambda answer, puppet: answer._replace(session=bytes(32)),
    "of another round": lambda answer, puppet: answer._replace(number=4),
    "of another stage": lambda answer, puppet: answer._replace(stage="agree" if answer.stage != "agree" else "mask"),
    "refusing": refusing,
    "in another form": lambda answer, puppet: answer._replace(content=((9, b""),)),
}


@pytest.mark.parametrize(("stage", "case"), [*product(STAGES, ["silent", "of another stage"]), *product(["mask"], ODD)])
def test_whoever_says_nothing_that_is_due_is_silent(stage, case):
    """The sum is that of those who have sent their numbers; and it is not asked again."""
    session, puppets = begin(3, missing=1)
    puppets[1].instead[stage] = ODD[case]
    assert ask(session, puppets).tolist() == total([0, 2] if STAGES.index(stage) < 3 else range(3))
    assert len(puppets[1].heard) == 4 + STAGES.index(stage)


def test_a_round_that_does_not_fit_together_is_lost():
    """A share that is false; and none at all, in a list that has the right form."""
    for change, told in (
        (
            lambda content: ((0, tuple((k, bytes(66)) for k, _ in content[0][1]), ()),),
            "the seed of party 0 is not the one that it has signed for: a share of it is false",
        ),
        (lambda content: ((0, (), ()),), None),
    ):
        session, puppets = begin(4, missing=1)
        for puppet in puppets[:1] if told else puppets:
            puppet.instead["unmask"] = lambda answer, puppet, change=change: answer._replace(
                content=((puppet.index, *change(answer.content)[0][1:]),)
            )
        if told:
            puppets[3].instead["unmask"] = silent
        with pytest.raises(RoundLost) as lost:
            ask(session, puppets)
        start = "round 5 is lost: what parties have said does not fit together: "
        assert str(lost.value).startswith(start)
        assert told is None or "party 0" in str(lost.value)


def test_too_few_who_are_left_lose_a_round_in_its_words():
    session, puppets = begin(4, missing=1)
    for k in (1, 3):
        puppets[k].instead["mask"] = silent
    with pytest.raises(RoundLost) as lost:
        ask(session, puppets)
    told = "3 of 4 parties are needed, 2 are there; not there: 1, 3"
    assert str(lost.value) == f"round 5 is lost while masked numbers are collected: {told}"
