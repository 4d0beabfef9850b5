"""What a transport carries, what it enters, and when it stops."""

import pytest

from fdpedu.accounting import Ledger
from fdpedu.federation import ClassCounts, Federation, InProcess, Party, messages
from fdpedu.federation.messages import Refusal, Seated
from fdpedu.federation.transport import Message
from tests.support.federations import DOMAIN


def answering(text):
    return lambda message: text + message


FORM = messages.write(Seated(bytes(32), bytes(64)))
REFUSAL = messages.write(Refusal(bytes(32), 1, "no", "a" * 300, bytes(64)))


def gone(message):
    raise ConnectionError


def test_what_is_sent_and_answered_is_entered():
    transport = InProcess()
    assert transport.gather(3, ["a", "b", "c"], FORM, [answering(b""), gone, lambda message: b"?"]) == [
        FORM,
        None,
        b"?",
    ]
    assert transport.manifest == [
        Message(3, "aggregator", "a", "seated", len(FORM), FORM[:256]),
        Message(3, "a", "aggregator", "seated", len(FORM), FORM[:256]),
        Message(3, "aggregator", "b", "seated", len(FORM), FORM[:256]),
        Message(3, "aggregator", "c", "seated", len(FORM), FORM[:256]),
        Message(3, "c", "aggregator", "unreadable", 1, b"?"),
    ]
    assert transport.requests == {3: FORM}
    with pytest.raises(ValueError, match="round 3"):
        transport.gather(3, ["a"], FORM, [answering(b"")])
    assert len(transport.manifest) == 5


def test_after_a_refusal_nobody_is_asked():
    asked, transport = [], InProcess()

    def ways(*replies):
        return [lambda message, k=k, reply=reply: asked.append(k) or reply for k, reply in enumerate(replies)]

    assert transport.gather(1, ["a", "b", "c"], FORM, ways(FORM, REFUSAL, FORM)) == [FORM, REFUSAL, None]
    assert transport.gather(2, ["a", "b", "c"], FORM, ways(REFUSAL, FORM, FORM)) == [REFUSAL, None, None]
    assert transport.gather(4, ["a", "b"], FORM, ways(FORM, REFUSAL)) == [FORM, REFUSAL]
    assert asked == [0, 1, 0, 0, 1]
    assert transport.manifest[3].head == REFUSAL[:256] and len(REFUSAL) > 257


def test_each_party_gets_its_own_message():
    transport = InProcess()
    ways = [answering(b"a"), gone, answering(b"c")]
    assert transport.deliver(7, ["a", "b", "c"], [b"1", b"2", b"3"], ways) == [b"a1", None, b"c3"]
    assert [(m.round, m.sender, m.receiver, m.bytes) for m in transport.manifest] == [
        (7, "aggregator", "a", 1),
        (7, "a", "aggregator", 2),
        (7, "aggregator", "b", 1),
        (7, "aggregator", "c", 1),
        (7, "c", "aggregator", 2),
    ]
    assert transport.requests == {}


def test_names_messages_and_ways_are_as_many():
    one, two = [answering(b"")], [answering(b"")] * 2
    for names, requests, ways in (("a", [b"1"] * 2, two), ("ab", [b"1"], two), ("ab", [b"1"] * 2, one)):
        with pytest.raises(ValueError):
            InProcess().deliver(1, list(names), requests, ways)
    for names, ways in (("a", two), ("ab", one)):
        with pytest.raises(ValueError):
            InProcess().gather(1, list(names), b"1", ways)


def test_a_party_that_fails_otherwise_is_not_silent():
    def broken(message):
        raise RuntimeError("not an answer")

    with pytest.raises(RuntimeError):
        InProcess().gather(1, ["a"], b"1", [broken])


def test_a_transport_that_is_empty_is_still_the_transport():
    """Whether it is given is asked, and not whether it is true."""

    class Sized(InProcess):
        def __len__(self):
            return len(self.requests)

    transport = Sized()
    parties = [Party([], DOMAIN), Party([], DOMAIN)]
    assert Federation(parties, DOMAIN, Ledger(1), transport=transport).transport is transport


def test_a_transport_serves_one_federation():
    """Round 1 of another ledger would overwrite round 1 of this one in the manifest; nothing of it is sent or paid."""
    transport = InProcess()
    parties = [[Party([[1, "A", "ill"]], DOMAIN), Party([], DOMAIN)] for _ in range(2)]
    first = Federation(parties[0], DOMAIN, Ledger(1), transport=transport)
    before, other = list(transport.manifest), Ledger(1)
    with pytest.raises(ValueError, match="federation"):
        Federation(parties[1], DOMAIN, other, transport=transport)
    assert transport.manifest == before and other.spent == 0
    first.release([ClassCounts(DOMAIN.everything, "1/2")])
    with pytest.raises(ValueError, match="round 1"):
        transport.gather(1, [], b"", [])
    assert list(transport.requests) == [1]
