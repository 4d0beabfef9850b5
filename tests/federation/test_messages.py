"""The language of a federation: what is written, signed and read; what is not read is refused by its name."""

import hashlib
import time
from fractions import Fraction

import pytest

from fdpedu.federation import messages
from fdpedu.federation.messages import (
    KINDS,
    MAX_FIELDS,
    MAX_REQUEST_BYTES,
    VERSION,
    Answer,
    Contribution,
    Contributions,
    Invitation,
    Left,
    Refusal,
    Refused,
    Request,
    Said,
    Seated,
    SignedKey,
    SignedKeys,
)
from fdpedu.secure_sum import STAGES, Identity, canonical, is_signed

HASH, SIGNATURE = bytes(32), bytes(64)


class Octets(bytes):
    """What is a subclass is not of the type."""


def form_of(*content):
    return canonical(content)


def refused(*arguments, by=messages.read, **options):
    """The name under which a message is refused."""
    with pytest.raises(Refused) as caught:
        by(*arguments, **options)
    return caught.value.name


def test_a_refusal_has_its_name_and_its_reason():
    got = Refused("malformed", "no such thing")
    assert (got.name, got.reason, str(got)) == ("malformed", "no such thing", "malformed: no such thing")
    assert isinstance(got, ValueError)


def test_a_message_is_its_version_its_kind_and_its_fields():
    for message, name in ((Contributions((HASH,)), "nonces"), (Request(HASH, 3, "a", b"1"), "queries")):
        form = messages.write(message)
        assert form == canonical(("fdpedu federation, version 6", name, *message))
        assert messages.read(form, Invitation, type(message)) == message
        assert type(messages.read(form, type(message))) is type(message)


@pytest.mark.parametrize(
    ("message", "name"),
    [
        (7, "malformed"),
        (Octets(messages.write(Contributions((HASH,)))), "malformed"),
        (bytes(2**28 + 1), "oversized"),
        (form_of("fdpedu federation, version 0", "nonces", ()), "another version"),
        (messages.write(Contributions((HASH,))), "out of order"),
        (messages.write(Request(HASH, 1, "", b"")), "out of order"),
    ],
)
def test_what_is_no_message_is_refused_by_name(message, name):
    assert refused(message, SignedKeys) == name


def test_as_many_bytes_as_are_allowed():
    message = messages.write(Contributions((HASH,)))
    assert messages.read(message, Contributions, largest=len(message)) == Contributions((HASH,))
    assert refused(message, Contributions, largest=len(message) - 1) == "oversized"
    assert messages.MAX_MESSAGE_BYTES == 2**28 and MAX_REQUEST_BYTES == 2**22


@pytest.mark.parametrize("fields", [(), (1,), ("a", "queries"), ("a", "queries", 7), ("a", "queries", (1,))])
def test_what_is_hardly_a_request_is_refused(fields):
    assert refused(canonical(fields), Request, largest=MAX_REQUEST_BYTES) in ("malformed", "another version")


# --- signatures -------------------------------------------------------------------------------------------------------

EXAMPLES = {
    "nonce": Contribution(HASH),
    "signed key": SignedKey(HASH, SIGNATURE),
    "seated": Seated(HASH),
    "masked sums": Answer(HASH, 1, HASH, b"12345678"),
    "says": Said("agree", HASH, 1, ((0, SIGNATURE),)),
    "left": Left(HASH),
    "refusal": Refusal(HASH, 1, "no", "because"),
}


def other(value):
    if type(value) is int:
        return value + 1
    if type(value) is str:
        return "share" if value == "agree" else value + "x"
    return value[:-1] + b"\x01" if type(value) is bytes else value + value


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_field_is_signed(name):
    """By its party, as a message of its kind, and not as what an identity signs besides: all but the signature."""
    identity, message = Identity.create(), EXAMPLES[name]
    kind = type(message)
    form = messages.write_signed(message, identity)
    signed = messages.read(form, kind)
    content = hashlib.sha256(canonical((VERSION, name, *message[:-1]))).digest()
    assert signed[:-1] == message[:-1] and is_signed(identity.public, signed.signature, "message", content)
    assert messages.read_signed(form, identity.public, Contribution, kind) == signed
    for field in kind._fields[:-1]:
        changed = messages.write(signed._replace(**{field: other(getattr(signed, field))}))
        assert refused(changed, identity.public, kind, by=messages.read_signed) == "not signed"
    elsewhere = messages.write(message._replace(signature=identity.sign("announcement", content)))
    for wrong in (elsewhere, messages.write_signed(message, Identity.create())):
        assert refused(wrong, identity.public, kind, by=messages.read_signed) == "not signed"
    assert refused(form, identity.public, SignedKeys, by=messages.read_signed) == "out of order"


def test_every_kind_of_a_party_is_signed_and_no_other():
    assert set(EXAMPLES) == {name for name, (kind, _) in KINDS.items() if "signature" in kind._fields}


# --- what would take long ---------------------------------------------------------------------------------------------


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
def test_what_would_take_long_is_distinguished_from_what_would_not(form, modest):
    """What is let through here may be no form of anything: that is for its reader to say."""
    if modest:
        assert messages.require_modest(form) is None
        assert refused(form, Seated) == "malformed"
    else:
        assert refused(form, by=messages.require_modest) == refused(form, Seated) == "oversized"


@pytest.mark.parametrize(
    "made",
    [
        lambda: canonical(Fraction(3**400_000, 2**400_000)),
        lambda: canonical(10**4000),
        lambda: canonical(tuple({} for _ in range(2**18 + 1))),
        lambda: b"T" + (2**40).to_bytes(8, "big") + bytes(9) * 2**18,
    ],
)
def test_what_would_take_long_is_refused_at_once(made):
    """Long fractions take a square of their length to be reduced; the processor's time says so, with a margin."""
    form, start = made(), time.process_time()
    assert refused(form, Request) == "oversized" and time.process_time() - start < 2


def test_queries_that_no_party_would_read_are_refused_before():
    """As many bytes as fit, beside the other fields; and a round of that size is read."""
    most = MAX_REQUEST_BYTES - 2**13 - 18  # bytes of a text in a tuple
    fitting = canonical(("a" * most,))
    assert messages.require_readable(fitting) is None
    form = messages.write(Request(HASH, 2**64 - 1, "ä" * 1000, fitting))
    assert messages.read(form, Request, largest=MAX_REQUEST_BYTES).account == "ä" * 1000
    for beyond in ("a" * (most + 1), Fraction(1, 16**512)):
        with pytest.raises(messages.Refused) as caught:
            messages.require_readable(canonical((beyond,)))
        assert caught.value.name == "oversized"


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_message_is_known_by_its_beginning(kind):
    """From its tenth byte on, whatever its length; a stage is named with it."""
    for stage in STAGES if kind in ("passed on", "says") else ("",):
        parts = (kind, stage) if stage else (kind,)
        for rest in ((), (HASH, 1), ("x" * 3000,)):
            assert messages.name_of(form_of(VERSION, *parts, *rest)) == ", ".join(parts)
        assert messages.name_of(b"." + form_of(VERSION, *parts)) == "unreadable"
        assert messages.name_of(form_of(kind, VERSION, *parts[1:])) == "unreadable"


def test_no_beginning_is_that_of_another_message():
    assert messages.name_of(form_of(VERSION, "gossip")) == messages.name_of(b"") == "unreadable"
    assert messages.name_of(form_of(VERSION, "says", "gossip")) == "says"
    for name, message in EXAMPLES.items():
        assert messages.name_of(messages.write(message)) == ("says, agree" if name == "says" else name)


@pytest.mark.parametrize(
    "budget",
    [(), ("gaussian",), ("gaussian", "gaussian"), ("pure", Fraction(1), Fraction(1)), ("gaussian", Fraction(1)), (1,),
     None, ("gaussian", Fraction(0), Fraction(1)), ("gaussian", Fraction(1), Fraction(-1)), (Fraction(1), 1),
     Fraction(0)],
)  # fmt: skip
def test_what_is_no_budget_is_malformed(budget):
    form = canonical((messages.VERSION, "invitation", HASH, HASH, (HASH,), 1, 0, 0 if budget is None else budget))
    assert refused(form, Invitation) == "malformed"
