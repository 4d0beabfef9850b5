"""What is signed, bound and named in a federation: every field of every message, and the laws of the register."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.claims.secure_sum import laws_federation as law
from fdpedu.claims.secure_sum import laws_messages as language
from fdpedu.claims.secure_sum.laws_federation import AGE, ALL, Room, answer_of, request
from fdpedu.federation import ClassCounts, Federation, InProcess, Limits, Party, messages
from fdpedu.federation.endpoint import MAX_QUERIES
from fdpedu.federation.messages import KINDS, Answer, Passed, Refusal, Refused, Said
from fdpedu.federation.stages import PASSED, SAID, read_said
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum import STAGES, Identity, Occasion, RoundLost, Rules

QUARTER = ClassCounts(ALL, Fraction(1, 4))


@pytest.mark.claim("thm-answers-checked")
@pytest.mark.parametrize("case", list(language.all_faults(2)))
def test_one_wrong_answer_loses_the_round(case):
    language.answers_checked(*case)


@pytest.mark.claim("thm-party-ledger")
@pytest.mark.parametrize("tried", law.TRIED)
def test_limits_hold(tried):
    law.limits_hold(tried)


@pytest.mark.claim("thm-party-ledger")
def test_a_party_counts_what_its_own_ledger_has_charged():
    for case in law.small_costs(2):
        law.own_ledger(*case)


@pytest.mark.claim("thm-party-ledger")
@pytest.mark.parametrize("cost", [Fraction(1, 2), Fraction(1, 3)])
def test_only_those_asked_alike_add_up(cost):
    law.asked_otherwise(3, 1, cost)


@pytest.mark.claim("thm-messages")
def test_an_old_session_is_over():
    law.old_session(2)


EXAMPLES = {
    "nonce": messages.Contribution(bytes(32)),
    "signed key": messages.SignedKey(bytes(32), bytes(64)),
    "seated": messages.Seated(bytes(32)),
    "masked sums": Answer(bytes(32), 1, bytes(32), b"12345678"),
    "says": Said("agree", bytes(32), 1, ((0, bytes(64)),)),
    "refusal": Refusal(bytes(32), 1, "no", "because"),
}


def other(value):
    if type(value) is int:
        return value + 1
    if type(value) is str:
        return "share" if value == "agree" else value + "x"
    return value[:-1] + b"\x01" if type(value) is bytes else value + value


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_field_is_signed(name):
    """With any one field changed the signature is none; and it is none for another kind of message."""
    identity, message = Identity.create(), EXAMPLES[name]
    kind = type(message)
    signed = messages.read(messages.write_signed(message, identity), kind)
    assert messages.read_signed(messages.write(signed), identity.public, kind) == signed
    for field in kind._fields[:-1]:
        changed = messages.write(signed._replace(**{field: other(getattr(signed, field))}))
        with pytest.raises(Refused) as refused:
            messages.read_signed(changed, identity.public, kind)
        assert refused.value.name == "not signed"


def test_every_kind_of_a_party_is_signed_and_no_other():
    assert set(EXAMPLES) == {name for name, (kind, _) in KINDS.items() if "signature" in kind._fields}


def test_names_of_kinds_and_stages():
    for name, message in EXAMPLES.items():
        expected = "says, agree" if name == "says" else name
        assert messages.name_of(messages.write(message._replace(signature=bytes(64)))) == expected
    for stage in STAGES:
        assert messages.name_of(messages.write(Passed(stage, bytes(32), 1, ()))) == f"passed on, {stage}"


def occasion(size=1):
    return Occasion(bytes(32), 1, bytes(32), (bytes(32), bytes(32)), size)


@pytest.mark.parametrize(
    ("stage", "content", "name", "reason"),
    [
        ("agree", ((1, bytes(64)),), "malformed", "for itself at the stage 'agree'"),
        ("agree", (), "malformed", "for itself"),
        ("agree", ((0, bytes(63)),), "malformed", "for itself"),
        ("share", ((1, 0, b""),), "malformed", "for itself"),
        ("mask", ((0, bytes(16)),), "malformed", "1 masked numbers have 8 bytes each, got 16 bytes"),
        ("announce", ((0, bytes(32), bytes(32), bytes(64)),), "not signed", "not signed for this round"),
    ],
)
def test_what_a_party_says_is_refused_by_name(stage, content, name, reason):
    with pytest.raises(Refused) as refused:
        read_said(stage, content, 0, occasion())
    assert refused.value.name == name and reason in refused.value.reason


def test_what_a_party_says_is_read_as_it_is():
    assert read_said("share", ((0, 1, b"a"), (0, 2, b"b")), 0, occasion()) == [(0, 1, b"a"), (0, 2, b"b")]
    assert read_said("share", (), 0, occasion()) == []
    ((party, words),) = read_said("mask", ((0, bytes(7) + b"\x01"),), 0, occasion())
    assert party == 0 and words.tolist() == [2**56] and words.dtype == np.uint64
    assert set(SAID) == set(STAGES) and set(PASSED) == set(STAGES) - {"unmask"}


@pytest.mark.parametrize("missing", [0, 1])
def test_channels_belong_to_their_session(missing):
    """The same key pairs in another session would seal with other keys."""
    rooms = [Room(4, missing=missing) for _ in range(2)]
    sessions = [room.begin() for room in rooms]
    for room, session in zip(rooms, sessions, strict=True):
        message = messages.write(request(session, 1, QUARTER))
        assert answer_of(room.endpoints[0], message).session == session.nonce
    if missing:
        pair = {0: bytes(32)}
        rules = Rules.for_missing(4, 1)
        from fdpedu.secure_sum import key_for

        assert key_for(pair[0], "channel", sessions[0].nonce) != key_for(pair[0], "channel", sessions[1].nonce)
        for k, endpoint in enumerate(rooms[0].endpoints):
            expected = {j: key_for(key, "channel", sessions[0].nonce) for j, key in endpoint._shared.items()}
            assert endpoint._seat._channels == expected if k == 0 else not hasattr(endpoint, "_seat")
        assert rooms[0].endpoints[0]._rules == rules


def test_the_most_that_is_allowed_is_allowed():
    """As many queries as a request may have, and numbers of as many digits as a message may have."""
    f = Federation([Party([], AGE), Party([], AGE)], AGE, Ledger(1), rng=ZeroWords())
    assert len(f.release([ClassCounts(ALL, Fraction(1, 10**6))] * MAX_QUERIES)) == MAX_QUERIES
    from fdpedu.secure_sum import canonical

    for digits, name in ((512, "malformed"), (513, "oversized")):
        with pytest.raises(Refused) as refused:
            messages.read(canonical(16**digits - 1), Answer)
        assert refused.value.name == name


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: Limits(queries=7), "queries must"),
        (lambda: Limits(minimum="two"), "minimum must"),
        (lambda: Limits(maximum="two"), "maximum must"),
        (lambda: Limits(tolerate="two"), "tolerate must"),
        (lambda: Limits(least_epsilon="two"), "least_epsilon must"),
        (
            lambda: Federation([Party([], AGE), Party([], AGE)], AGE, Ledger(1), transport=7),
            "transport must be a InProcess",
        ),
        (lambda: Federation(7, AGE, Ledger(1)), "got parties: int, domain: Domain, ledger: Ledger"),
        (lambda: Federation([7, "a", 8], AGE, Ledger(1)), r"list of 3 \(int, str\)"),
        (lambda: Federation([], AGE, Ledger(1)), "got parties: list, domain"),
    ],
)
def test_messages_name_what_was_given(make, told):
    with pytest.raises(ValueError, match=told):
        make()


def test_a_transport_that_delivers_too_few_or_too_many_is_an_error():
    """In stages, too, nobody is paired with another's answer."""

    class Short(InProcess):
        def deliver(self, number, names, told, endpoints):
            answers = super().deliver(number, names, told, endpoints)
            return answers[:-1] if number else answers

    f = Federation([Party([], AGE) for _ in range(4)], AGE, Ledger(1), missing=1, transport=Short(), rng=ZeroWords())
    with pytest.raises(ValueError):
        f.release([QUARTER])


def test_a_seat_in_another_session_is_none():
    class Elsewhere(InProcess):
        def _deliver(self, number, name, message, respond):
            reply = super()._deliver(number, name, message, respond)
            if messages.name_of(reply) == "seated":
                return messages.write_signed(messages.Seated(bytes(32)), respond.__self__._identity)
            return reply

    with pytest.raises(RoundLost, match="'party 1' takes no part: it has its seat in another session"):
        Federation([Party([], AGE), Party([], AGE)], AGE, Ledger(1), transport=Elsewhere())


def test_a_transcript_shows_words_of_answers_and_bytes_of_keys():
    """The same bytes of two keys, other ones of two answers; numbers to the right, names to the left."""
    f = Federation([Party([], AGE, name="a"), Party([], AGE, name="bb")], AGE, Ledger(9), rng=ZeroWords())
    f.release([ClassCounts(ALL, Fraction(1, 4))] * 8)
    rows = [line.split() for line in f.transcript.render().splitlines()]
    assert rows[0][:4] == ["round", "from", "to", "what"] and rows[-1][0] == "16"
    sums = [message for message in f.transport.manifest if message.kind == "masked sums"]
    shown = [line for line in f.transcript.render().splitlines() if "masked sums" in line]
    assert all(message.head[170:182].hex(" ") in line for message, line in zip(sums, shown, strict=True))
    words = messages.read(f._endpoints[0](messages.write(request(f._session, 9, QUARTER))), Answer).words
    assert len(words) == 16 and f.manifest.rounds[0]["answers"] == ["a 1", "bb 2"]
    cells = [row for row in f.manifest.render().splitlines() if "class counts" in row]
    assert cells[0].split()[:4] == ["1", "8", "2", "2"]
