"""The language of a federation, field by field and refusal by refusal: what is read, and in which words it is not."""

import hashlib
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import pytest

from fdpedu.federation import fields, messages
from fdpedu.federation.messages import (
    MAX_FIELDS,
    MAX_REQUEST_BYTES,
    VERSION,
    Contribution,
    Contributions,
    Invitation,
    Passed,
    Refusal,
    Refused,
    Request,
    Seated,
    SignedKeys,
)
from fdpedu.secure_sum import Identity, canonical, is_signed
from fdpedu.secure_sum.binding import Written
from fdpedu.secure_sum.modular import MAX_PARTIES


class Octets(bytes):
    """What is a subclass is not of the type."""


class Text(str):
    pass


class Number(int):
    pass


class Part(Fraction):
    pass


class Pair(NamedTuple):
    one: int
    other: int


HASH, SIGNATURE = bytes(32), bytes(64)
FIELDS = {  # what is made of other fields is made in the test, and not when this module is read
    "bytes": (lambda: fields.is_bytes, [b"", b"a", HASH], ["", None, 0, bytearray(32), Octets(b"a")]),
    "a hash": (
        lambda: fields.is_hash,
        [HASH],
        [bytes(31), bytes(33), b"", "x" * 32, (0,) * 32, bytearray(32), Octets(HASH)],
    ),
    "a signature": (lambda: fields.is_signature, [SIGNATURE], [bytes(63), bytes(65), b"", "x" * 64, Octets(SIGNATURE)]),
    "a number": (
        lambda: fields.is_number,
        [0, 1, 128, 129, 2**64 - 1],
        [-1, 2**64, 2**64 + 1, 3**64 - 1, True, False, 0.0, 1.0, Fraction(1), Number(1)],
    ),
    "a text": (lambda: fields.is_text, ["", "a", "a" * 4000], ["a" * 4001, b"", b"a", (), Text("a")]),
    "positive": (
        lambda: fields.is_positive,
        [Fraction(1), Fraction(1, 9**9), Fraction(9**9)],
        [Fraction(0), 1, 0.5, Part(1)],
    ),
    "positive, below": (lambda: fields.is_positive, [Fraction(1, 2)], [Fraction(-1), Fraction(-1, 9**9), True, "1"]),
    "a tuple": (lambda: fields.is_tuple, [(), (1,), ((), "a"), Written((1,))], [[], {}, "ab", None, Pair(1, 2)]),
    "one of": (lambda: fields.is_one_of(("a", "bc")), ["a", "bc"], ["", "b", "abc", b"a", None, 1, Text("a"), ("a",)]),
    "all of a kind": (
        lambda: fields.all_are(fields.is_number),
        [(), (0,), (1, 2), (0,) * MAX_PARTIES],
        [(0,) * (MAX_PARTIES + 1), (-1,), (1, "a"), ("a", 1), [1], [], {}, 1, None, Pair(1, 2)],
    ),
    "each of a shape": (
        lambda: fields.each_is(fields.is_number, fields.is_text),
        [(), ((0, ""),), ((1, "a"), (2, "b"))],
        [(0, ""), ((0,),), ((0, "", ""),), ((0, "a"), (0, 0)), (("a", 0),), ([0, ""],), [(0, "")], (Pair(1, 2),)],
    ),
    "a shape": (
        lambda: partial(fields.has_shape, (fields.is_number, fields.is_text)),
        [(0, ""), (7, "a")],
        [(), (0,), ("", 0), (0, "", ""), [0, ""], (0, 0), ("", ""), None, 0, Pair(0, 1)],
    ),
    "a shape of nothing": (lambda: partial(fields.has_shape, ()), [()], [(0,), [], None]),
}


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_is_of_its_type_and_within_its_bounds(name):
    """At the bounds and one beyond; a bool is no number, and an instance of a subclass is never a field."""
    make, right, wrong = FIELDS[name]
    is_right = make()
    assert [is_right(field) for field in right] == [True] * len(right)
    assert [is_right(field) for field in wrong] == [False] * len(wrong)


def test_a_refusal_has_its_name_and_its_reason():
    refused = Refused("malformed", "no such thing")
    assert (refused.name, refused.reason, str(refused)) == ("malformed", "no such thing", "malformed: no such thing")
    assert isinstance(refused, ValueError)


def form_of(*content):
    return canonical(content)


READ = {
    "text": ("abc", "malformed", "a message is bytes, got str"),
    "a subclass": (Octets(b"abc"), "malformed", "a message is bytes, got Octets"),
    "no form": (b"abc", "malformed", "these 3 bytes are no canonical form of a value"),
    "nothing": (b"", "malformed", "these 0 bytes are no canonical form of a value"),
    "a number": (canonical(7), "malformed", "a message names its version and its kind"),
    "a word": (canonical(VERSION), "malformed", "a message names its version and its kind"),
    "a mapping": (canonical({"a": 1, "b": 2}), "malformed", "a message names its version and its kind"),
    "no field": (form_of(), "malformed", "a message names its version and its kind"),
    "one field": (form_of(VERSION), "malformed", "a message names its version and its kind"),
    "one number": (form_of(7), "malformed", "a message names its version and its kind"),
    "no version": (form_of(7, "nonces", ()), "malformed", "a message names its version and its kind"),
    "no kind": (form_of(VERSION, 7, ()), "malformed", "a message names its version and its kind"),
    "bytes for both": (form_of(b"v", b"k", "nonces"), "malformed", "a message names its version and its kind"),
    "another version": (
        form_of("fdpedu", "nonces", ()),
        "another version",
        "expected 'fdpedu federation, version 1', got another text of 6 characters",
    ),
    "kind for version": (
        form_of("nonces", VERSION, ()),
        "another version",
        "expected 'fdpedu federation, version 1', got another text of 6 characters",
    ),
    "no such kind": (form_of(VERSION, "gossip"), "malformed", "no kind of message has these fields"),
    "a kind without fields": (form_of(VERSION, "nonces"), "malformed", "no kind of message has these fields"),
    "such a kind, below": (
        form_of(VERSION, "gossip", "nonces", ()),
        "malformed",
        "no kind of message has these fields",
    ),
    "a field more": (form_of(VERSION, "nonces", (), ()), "malformed", "no kind of message has these fields"),
    "a wrong field": (form_of(VERSION, "nonces", 7), "malformed", "no kind of message has these fields"),
    "out of order": (
        form_of(VERSION, "nonces", ()),
        "out of order",
        "what may come now is signed keys or seated, got nonces",
    ),
}


@pytest.mark.parametrize("case", READ)
def test_what_is_not_read_is_refused_in_these_words(case):
    message, name, reason = READ[case]
    with pytest.raises(Refused) as refused:
        messages.read(message, SignedKeys, Seated)
    assert (refused.value.name, refused.value.reason) == (name, reason)


def test_as_many_bytes_as_are_allowed():
    message = messages.write(Contributions((HASH,)))
    assert messages.read(message, Contributions, largest=len(message)) == Contributions((HASH,))
    with pytest.raises(Refused) as refused:
        messages.read(message, Contributions, largest=len(message) - 1)
    told = f"a message has at most {len(message) - 1} bytes, got {len(message)}"
    assert (refused.value.name, refused.value.reason) == ("oversized", told)
    assert messages.MAX_MESSAGE_BYTES == 2**28 and MAX_REQUEST_BYTES == 2**22


def test_a_message_is_its_version_its_kind_and_its_fields():
    for message, name in ((Contributions((HASH,)), "nonces"), (Request(HASH, 3, "a", ((1,),)), "queries")):
        form = messages.write(message)
        assert form == canonical(("fdpedu federation, version 1", name, *message))
        assert messages.read(form, Invitation, type(message)) == message
        assert type(messages.read(form, type(message))) is type(message)


def test_what_parties_are_asked_is_written_once():
    """Each of them hashes it; of no other message."""
    asked, passed = Request(HASH, 3, "a", ((1,),)), Passed("mask", HASH, 3, ((1,),))
    for message, kind in ((asked, Written), (passed, tuple)):
        got = messages.read(messages.write(message), type(message), largest=MAX_REQUEST_BYTES)
        assert got == message and type(got[-1]) is kind and messages.write(got) == messages.write(message)
    for fields_of_none in ((), (1,), ("a", "queries"), ("a", "queries", 7), ("a", "queries", (1,))):
        with pytest.raises(Refused, match=r"malformed|another version"):
            messages.read(canonical(fields_of_none), Request, largest=MAX_REQUEST_BYTES)


def test_what_is_signed_is_the_hash_of_all_but_the_signature():
    """And it is signed as a message, not as what an identity signs besides."""
    identity = Identity.create()
    refusal = messages.read(messages.write_signed(Refusal(HASH, 1, "no", "because"), identity), Refusal)
    content = hashlib.sha256(canonical((VERSION, "refusal", HASH, 1, "no", "because"))).digest()
    assert is_signed(identity.public, refusal.signature, "message", content)
    form = messages.write_signed(Seated(HASH), identity)
    got = messages.read(form, Seated)
    content = hashlib.sha256(canonical((VERSION, "seated", HASH))).digest()
    assert is_signed(identity.public, got.signature, "message", content) and got.session == HASH
    assert messages.read_signed(form, identity.public, Contribution, Seated) == got
    elsewhere = messages.write(Seated(HASH, identity.sign("announcement", content)))
    with pytest.raises(Refused) as refused:
        messages.read_signed(elsewhere, identity.public, Seated)
    told = "the message is not signed by the party that it should come from"
    assert (refused.value.name, refused.value.reason) == ("not signed", told)
    with pytest.raises(Refused) as refused:
        messages.read_signed(form, identity.public, Contribution)
    assert refused.value.reason == "what may come now is nonce, got seated"


MANY = "a message has at most 262144 fields, and numbers of 512 digits"


def lengths(kind, length, rest=b""):
    return kind + length.to_bytes(8, "big") + rest


@pytest.mark.parametrize(
    ("form", "modest"),
    [
        (lengths(b"T", 0) * MAX_FIELDS, True),
        (lengths(b"T", 0) * (MAX_FIELDS + 1), False),
        (canonical(16**512 - 1), True),
        (canonical(16**512), False),
        (canonical((1, 16**512)), False),
        (canonical({"a": 16**512}), False),
        (canonical({"a": Fraction(1, 16**512)}), False),
        (canonical((Fraction(1, 16**512),)), False),
        (canonical(("ab", b"cd", 16**512)), False),
        (canonical(b"a" * 513), True),
        (canonical("a" * 70_000), True),
        (canonical((lengths(b"I", 513), 7, lengths(b"I", 2**60).decode())), True),  # text and bytes are not gone into
        (lengths(b"I", 2**16), False),
        (lengths(b"I", 2**63), False),
        (lengths(b"I", 256), True),
        (b"I", True),
        (b"", True),
    ],
)
def test_what_would_take_long_is_told_from_what_would_not(form, modest):
    """What is let through here may be no form of anything: that is for its reader to say."""
    if modest:
        assert messages._require_modest(form) is None
        return
    for read in (lambda: messages._require_modest(form), lambda: messages.read(form, Seated)):
        with pytest.raises(Refused) as refused:
            read()
        assert (refused.value.name, refused.value.reason) == ("oversized", MANY)


def test_queries_that_no_party_would_read_are_refused_before():
    """As many bytes as fit, with room for the other fields; and a round of that size is read."""
    most = MAX_REQUEST_BYTES - 2**13 - 18  # bytes of a text in a tuple
    assert messages.require_tellable(("a" * most,)) is None
    told = messages.write(Request(HASH, 2**64 - 1, "ä" * 1000, ("a" * most,)))
    assert messages.read(told, Request, largest=MAX_REQUEST_BYTES).account == "ä" * 1000
    with pytest.raises(ValueError) as refused:
        messages.require_tellable(("a" * (most + 1),))
    told = "a request has at most 4194304 bytes, this one has 4186113: ask in two rounds"
    assert str(refused.value) == told and type(refused.value) is ValueError
    with pytest.raises(ValueError) as refused:
        messages.require_tellable((Fraction(1, 16**512),))
    assert str(refused.value) == f"no party would read this round: {MANY}" and type(refused.value) is ValueError


@pytest.mark.parametrize("kind", messages.KINDS)
def test_a_message_is_known_by_its_beginning(kind):
    """From its tenth byte on, whatever its length; a stage is told with it."""
    stage = ("agree",) if kind in ("passed on", "says") else ()
    for rest in ((), (HASH, 1), ("x" * 3000,)):
        assert messages.name_of(form_of(VERSION, kind, *stage, *rest)) == ", ".join((kind, *stage))
    assert messages.name_of(b"." + form_of(VERSION, kind, *stage)) == "unreadable"
    assert messages.name_of(form_of(kind, VERSION, *stage)) == "unreadable"


def test_no_beginning_is_that_of_another_message():
    assert messages.name_of(form_of(VERSION, "gossip")) == messages.name_of(b"") == "unreadable"
    assert messages.name_of(form_of(VERSION, "says", "gossip")) == "says"
