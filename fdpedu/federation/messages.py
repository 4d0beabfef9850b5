"""The language of a federation: what is said to a party, what it answers, and the one strict reader of both.

Every message is bytes in canonical form (:mod:`fdpedu.secure_sum.binding`): the version, the kind, and the fields of
that kind. So a message can be read in one way only, and no two messages mean the same. Whatever a party says is signed
by its identity; messages to a party are not trusted, and need no signature.

What cannot be read is :class:`Refused`, by a name: *malformed*, *oversized*, *another version*, *out of order*; what
can be read and is not accepted: *another session*, *replayed*, *not allowed*, *over budget*, *not signed*. Reasons
depend on what is public only.

Claims: thm-messages
"""

from __future__ import annotations

import hashlib
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from fdpedu.federation.fields import (
    Field,
    all_are,
    each_is,
    has_shape,
    is_budget,
    is_bytes,
    is_hash,
    is_number,
    is_one_of,
    is_signature,
    is_text,
    is_tuple,
)
from fdpedu.secure_sum import STAGES, canonical, is_signed, read_canonical
from fdpedu.secure_sum.binding import Canonical

VERSION = "fdpedu federation, version 6"
MAX_MESSAGE_BYTES = 2**28  # bytes of a message
MAX_REQUEST_BYTES = 2**22  # bytes of what a party is asked
MAX_QUERY_BYTES = MAX_REQUEST_BYTES - 2**13  # of these, for queries
MAX_FIELDS = 2**18  # of a message
_MAX_DIGITS = 512  # hexadecimal ones, of a number in a message: a fraction of longer ones takes long to reduce
NO_SESSION = bytes(32)  # of a refusal before a session has begun


class Refused(ValueError):
    """A message that is not accepted; ``name`` is the kind of reason, in one or two words."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name, self.reason = name, reason


class Signer(Protocol):
    """What a party signs with."""

    public: bytes

    def sign(self, purpose: str, *fields: Canonical) -> bytes: ...


class Invitation(NamedTuple):
    """To every party, first: who takes part, in order, under which public domain, and what the noise withstands.

    ``name`` is that of the session: 32 bytes that the aggregator has drawn, by which books know it.
    """

    name: bytes
    domain: bytes
    members: tuple[bytes, ...]
    tolerate: int
    missing: int
    budget: Fraction | tuple[Any, ...]  # ε; or ρ and ξ, and what they are converted to


class Contribution(NamedTuple):
    """A party's part of the session's nonce: 32 bytes from the operating system."""

    nonce: bytes
    signature: bytes = b""


class Contributions(NamedTuple):
    """Those of all members, in order."""

    nonces: tuple[bytes, ...]


class SignedKey(NamedTuple):
    """A party's key for this session, and its signature under all that an announcement says."""

    key: bytes
    announced: bytes
    signature: bytes = b""


class SignedKeys(NamedTuple):
    """Those of all members, in order: keys, with the signatures of their announcements."""

    keys: tuple[tuple[bytes, bytes], ...]


class Seated(NamedTuple):
    """The party has accepted all keys, and waits for rounds."""

    session: bytes
    signature: bytes = b""


class Request(NamedTuple):
    """What all parties are asked in one round; ``queries`` is their one form, as bytes."""

    session: bytes
    number: int
    account: str
    queries: bytes


class Answer(NamedTuple):
    """A party's masked counts, words of 8 bytes, for the digest of what it was asked."""

    session: bytes
    number: int
    digest: bytes
    words: bytes
    signature: bytes = b""


class Passed(NamedTuple):
    """In a round that survives silent parties, what the aggregator passes on at the end of a stage."""

    stage: str
    session: bytes
    number: int
    content: tuple[Any, ...]


class Said(NamedTuple):
    """In a round that survives silent parties, what a party says at a stage."""

    stage: str
    session: bytes
    number: int
    content: tuple[Any, ...]
    signature: bytes = b""


class Farewell(NamedTuple):
    """To every site, last: the session of this name is over."""

    name: bytes


class Left(NamedTuple):
    """The site has left the session, and has forgotten its keys."""

    name: bytes
    signature: bytes = b""


class Refusal(NamedTuple):
    """A party does not do what it was asked, and says why."""

    session: bytes
    number: int
    name: str
    reason: str
    signature: bytes = b""


Anything = (
    Invitation
    | Contribution
    | Contributions
    | SignedKey
    | SignedKeys
    | Seated
    | Request
    | Answer
    | Passed
    | Said
    | Farewell
    | Left
    | Refusal
)
_STAGED: tuple[Field, ...] = (is_one_of(STAGES), is_hash, is_number, is_tuple)
KINDS: dict[str, tuple[type[Any], tuple[Field, ...]]] = {
    "invitation": (Invitation, (is_hash, is_hash, all_are(is_hash), is_number, is_number, is_budget)),
    "nonce": (Contribution, (is_hash, is_signature)),
    "nonces": (Contributions, (all_are(is_hash),)),
    "signed key": (SignedKey, (is_hash, is_signature, is_signature)),
    "signed keys": (SignedKeys, (each_is(is_hash, is_signature),)),
    "seated": (Seated, (is_hash, is_signature)),
    "queries": (Request, (is_hash, is_number, is_text, is_bytes)),
    "masked sums": (Answer, (is_hash, is_number, is_hash, is_bytes, is_signature)),
    "passed on": (Passed, _STAGED),
    "says": (Said, (*_STAGED, is_signature)),
    "farewell": (Farewell, (is_hash,)),
    "left": (Left, (is_hash, is_signature)),
    "refusal": (Refusal, (is_hash, is_number, is_text, is_text, is_signature)),
}
NAMES = {kind: name for name, (kind, _) in KINDS.items()}


def write(message: Anything) -> bytes:
    """The message as bytes."""
    return canonical((VERSION, NAMES[type(message)], *message))


def write_signed(message: Anything, identity: Signer) -> bytes:
    """The message of a party as bytes, with its signature in the last field."""
    return write(message._replace(signature=identity.sign("message", _signed(message))))  # type: ignore[call-arg]


def read(message: bytes, *expected: type[Any], largest: int = MAX_MESSAGE_BYTES) -> Any:
    """The message, if it is one of the expected kinds.

    Claims: thm-messages

    Parameters
    ----------
    message : as it came
    *expected : the kinds that may come now
    largest : how many bytes it may have

    Raises
    ------
    Refused
        If it is no message, or one that does not come now.
    """
    if type(message) is not bytes:
        raise Refused("malformed", f"a message is bytes, got {type(message).__name__}")
    if len(message) > largest:
        raise Refused("oversized", f"a message has at most {largest} bytes, got {len(message)}")
    content = _content(message)
    if type(content) is not tuple or len(content) < 2 or type(content[0]) is not str or type(content[1]) is not str:
        raise Refused("malformed", "a message names its version and its kind")
    if content[0] != VERSION:
        raise Refused("another version", f"expected {VERSION!r}, got another text of {len(content[0])} characters")
    kind, shape = KINDS.get(content[1], (None, ()))
    if kind is None or not has_shape(shape, content[2:]):
        raise Refused("malformed", "no kind of message has these fields")
    if kind not in expected:
        coming = " or ".join(NAMES[one] for one in expected)
        raise Refused("out of order", f"what may come now is {coming}, got {content[1]}")
    return kind(*content[2:])


def _content(message: bytes) -> Canonical:
    require_modest(message)
    try:
        return read_canonical(message)
    except ValueError as error:
        raise Refused("malformed", str(error)) from None


def require_readable(queries: bytes) -> None:
    """Refuse queries that no party would read, before anything is charged or parsed.

    Raises
    ------
    Refused
        As *oversized*.
    """
    require_modest(queries)
    if len(queries) > MAX_QUERY_BYTES:
        raise Refused("oversized", f"a request has at most {MAX_QUERY_BYTES} bytes, this one has {len(queries)}")


def require_modest(message: bytes) -> None:
    """Refuse what would take long to read: too many fields, or numbers of too many digits. It is gone through once."""
    at, fields = 0, 0
    while at < len(message):
        kind, length = message[at : at + 1], int.from_bytes(message[at + 1 : at + 9], "big")
        at, fields = at + 9 + (0 if kind in (b"T", b"M", b"Q") else length), fields + 1
        if fields > MAX_FIELDS or (kind == b"I" and length > _MAX_DIGITS):
            raise Refused(
                "oversized", f"a message has at most {MAX_FIELDS} fields, and numbers of {_MAX_DIGITS} digits"
            )


def read_signed(message: bytes, identity: bytes, *expected: type[Any]) -> Any:
    """The message of a party, if it is one of the expected kinds and signed by that identity."""
    got = read(message, *expected)
    if not is_signed(identity, got.signature, "message", _signed(got)):
        raise Refused("not signed", "the message is not signed by the party that it should come from")
    return got


def is_of_this_version(message: bytes) -> bool:
    """Whether it begins as all messages do that are written and read here."""
    return message.startswith(canonical(VERSION), 9)


def name_of(message: bytes) -> str:
    """The name of the message's kind, for a record of what was sent; "unreadable" if it is none."""
    return next((name for name, start in _BEGINNINGS.items() if message.startswith(start, 9)), "unreadable")


_OF_STAGES = {f"{name}, {stage}": (name, stage) for name in ("passed on", "says") for stage in STAGES}
_BEGINNINGS = {
    name: b"".join(map(canonical, (VERSION, *fields)))
    for name, fields in (*_OF_STAGES.items(), *((name, (name,)) for name in KINDS))
}


def _signed(message: Anything) -> bytes:
    """What is signed: the hash of everything but the signature."""
    return hashlib.sha256(canonical((VERSION, NAMES[type(message)], *message[:-1]))).digest()
