"""Whose key is it? Long-lived identities, and what they sign.

Diffie and Hellman's exchange does not say *who* is at the other end: a man in the middle agrees with each of two
parties, and reads everything. So each party has an :class:`Identity`, a long-lived Ed25519 key that the owners compare
and pin beforehand, on another way; and it signs what it sends in an :class:`Announcement`. Each field is there for an
attack:

- the version, so that a signature for an older protocol is none for this one;
- the session, a nonce to which every party has contributed (:func:`joint_nonce`), or an old signed key is replayed;
- the own identity, or another party passes the key off as its own;
- the key of this session, which is what it is about;
- the ordered list of all members, so that all of them mean the same list, and no party is shown one more.

:func:`verify_announcements` accepts a list of pinned identities only, at least as many as the party demands: a list of
one party and its doubles, all properly signed, is a lie that no signature shows.

A party's identity is stored encrypted and for its owner alone, is never printed and never copied. It is replaced by a
:class:`Replacement` that the old one signs, or, if it is lost, pinned anew by the owners, as it was in the beginning.

Threat model: the carrier of the messages may read, drop, replay and invent them; the pinned parties are honest.
Guarantee: two honest parties that accept have the same session, list and keys, as far as signatures are not forged.
Not guaranteed: anything about a party whose identity was stolen.

Claims: asm-signatures, thm-announcements
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from fdpedu.exact import as_integer, as_list, require_type, require_writable
from fdpedu.files import sync
from fdpedu.secure_sum.binding import VERSION, Binding, Canonical, canonical, hashed
from fdpedu.secure_sum.keys import key_for


def _text(passphrase: object) -> str:
    if not isinstance(passphrase, str):
        raise ValueError(f"passphrase must be text, got {type(passphrase).__name__}")
    require_writable(passphrase, "passphrase")
    return passphrase


def _forms(passphrase: str) -> list[bytes]:
    """As keyboards of one system and of another write it: it is saved in NFC, and was once saved as it came."""
    forms = (unicodedata.normalize(form, passphrase) for form in ("NFC", "NFD"))
    return list(dict.fromkeys(text.encode("utf8") for text in (*forms, passphrase)))


class Identity:
    """A party's long-lived key, with which it signs; only its 32 public bytes are ever shown.

    It is made by :meth:`create` or :meth:`load`, and cannot be copied or pickled.
    """

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def __repr__(self) -> str:
        return f"Identity({fingerprint(self.public)})"

    def __reduce__(self) -> Any:
        raise TypeError("an identity is neither copied nor pickled: save it, encrypted, to a file")

    @classmethod
    def create(cls) -> Identity:
        """A new one, from the operating system's randomness."""
        return cls(Ed25519PrivateKey.generate())

    def save(self, path: str | Path, passphrase: str) -> None:
        """Write it to a new file, encrypted (PKCS 8), which only the owner may read; it is on the disk, or not there.

        Raises
        ------
        ValueError
            If the passphrase is empty.
        FileExistsError
            If the file exists: what is in it may be the only copy of another identity.
        """
        if not _text(passphrase):
            raise ValueError("passphrase must not be empty: an identity is never stored in the clear")
        secret = BestAvailableEncryption(_forms(passphrase)[0])
        text = self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, secret)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            sync(Path(path).parent)
        except BaseException:
            os.unlink(path)
            raise

    @classmethod
    def load(cls, path: str | Path, passphrase: str) -> Identity:
        """The identity in a file that :meth:`save` has written; accents may be typed as one character or as two.

        Raises
        ------
        ValueError
            If others may read the file, the passphrase is wrong, or there is no such identity in it.
        """
        if os.name == "posix" and os.stat(path).st_mode & 0o077:
            raise ValueError(f"{path} may be read by others than its owner: take their rights away (chmod 600), first")
        written, private = Path(path).read_bytes(), None
        for secret in _forms(_text(passphrase)):
            with suppress(TypeError, ValueError):
                private = private or load_pem_private_key(written, secret)
        if private is None:
            raise ValueError(f"{path} holds no encrypted identity, or the passphrase is another one")
        if not isinstance(private, Ed25519PrivateKey):
            raise ValueError(f"{path} holds a key of another kind, not an identity (Ed25519)")
        return cls(private)

    def sign(self, purpose: str, *fields: Canonical) -> bytes:
        """64 bytes that only this identity can make, for this purpose and these fields."""
        return self._private.sign(canonical((VERSION, purpose, *fields)))

    def key_for(self, purpose: str, *fields: Canonical) -> bytes:
        """A key of 32 bytes that only this identity can derive, for this purpose and these fields."""
        private = self._private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        return key_for(private, purpose, *fields)

    def announce(self, session: bytes, key: bytes, members: Sequence[bytes]) -> Announcement:
        """What a party sends at the beginning of a session: its key, signed with all that it is for.

        Parameters
        ----------
        session : the nonce of this session
        key : the 32 public bytes of its key pair for this session
        members : the identities of all, in order
        """
        unsigned = Announcement(VERSION, session, self.public, key, tuple(members), b"")
        return Announcement(*unsigned.signed_fields(), self.sign("announcement", *unsigned.signed_fields()))

    def endorse(self, new: bytes) -> Replacement:
        """Sign that another identity replaces this one from now on."""
        return Replacement(self.public, new, self.sign("replacement", self.public, new))


def fingerprint(public: bytes) -> str:
    """What two owners read to each other to compare an identity: 32 hexadecimal digits of its hash.

    >>> fingerprint(bytes(32))
    '3159 6bfc e806 68b2 a140 8bb3 2d0b dd91'
    """
    digits = hashed(("fingerprint", public)).hex()[:32]
    return " ".join(digits[i : i + 4] for i in range(0, 32, 4))


_FIELD = 2**255 - 19
_EIGHTH = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7  # of a point of order 8
WEAK = frozenset((0, 1, _EIGHTH, _FIELD - _EIGHTH, _FIELD - 1, _FIELD, _FIELD + 1))
"""Second coordinates of points whose order divides 8, in every spelling: as a key, anybody can sign for one."""


def is_signed(identity: bytes, signature: bytes, purpose: str, *fields: Canonical) -> bool:
    """Whether the identity has signed these fields for this purpose; never for a key of small order, which is nobody's.

    Claims: asm-signatures
    """
    require_type(identity, bytes, "identity")
    require_type(signature, bytes, "signature")
    if int.from_bytes(identity, "little") % 2**255 in WEAK:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(identity).verify(signature, canonical((VERSION, purpose, *fields)))
    except (InvalidSignature, ValueError):
        return False
    return True


@dataclass(frozen=True)
class Announcement:
    """A party's key for one session, signed.

    Parameters
    ----------
    version : of the protocol
    session : the session's nonce
    identity : who announces
    key : its public key for this session
    members : the identities of all members, in order
    signature : by the identity, of all the other fields
    """

    version: str
    session: bytes
    identity: bytes
    key: bytes
    members: tuple[bytes, ...]
    signature: bytes

    def signed_fields(self) -> tuple[str, bytes, bytes, bytes, tuple[bytes, ...]]:
        """Everything but the signature."""
        return self.version, self.session, self.identity, self.key, self.members


@dataclass(frozen=True)
class Replacement:
    """The old identity's word that the new one takes its place."""

    old: bytes
    new: bytes
    signature: bytes


def replace_pinned(pinned: Collection[bytes], replacement: Replacement) -> frozenset[bytes]:
    """The pinned identities with the old one replaced by the new one.

    Claims: thm-announcements

    Parameters
    ----------
    pinned : as the owners have compared them
    replacement : signed by the old identity, which must be pinned; the new one must not be
    """
    require_type(replacement, Replacement, "replacement")
    pinned, old, new = as_pinned(pinned), replacement.old, replacement.new
    if old not in pinned or new in pinned:
        raise ValueError("a replacement puts a new identity, not pinned yet, in the place of a pinned one")
    if not is_signed(old, replacement.signature, "replacement", old, new):
        raise ValueError("the old identity has not signed this replacement; if it is lost, compare and pin the new one")
    return pinned - {old} | {new}


def as_pinned(pinned: Collection[bytes], name: str = "pinned") -> frozenset[bytes]:
    """Pinned identities, as a set."""
    if not isinstance(pinned, (set, frozenset, list, tuple)) or not all(type(one) is bytes for one in pinned):
        raise ValueError(f"{name} must be a set or a list of identities, 32 bytes each")
    return frozenset(pinned)


def joint_nonce(contributions: Sequence[bytes]) -> bytes:
    """A session's nonce out of 32 random bytes of each party: new for every party that has contributed new bytes.

    A name of the session, as one more contribution before them, is bound with it.
    """
    parts = as_list(contributions, "contributions")
    if not all(type(part) is bytes for part in parts):
        raise ValueError("contributions must be a list of bytes, one of each party")
    return hashed((VERSION, "session", tuple(parts)))


def verify_announcements(
    announcements: Sequence[Announcement], pinned: Collection[bytes], own: Announcement, *, minimum: int = 2
) -> Binding:
    """The binding of a session's answers, if all members have the identities that the owners have pinned.

    Claims: thm-announcements

    Parameters
    ----------
    announcements : of all members, in order
    pinned : the identities that the party's owner has compared and accepts, its own among them
    own : what the party has announced itself: its session and list are what all the others must have signed
    minimum : the number of members below which the party takes no part

    Raises
    ------
    ValueError
        With the position of the first announcement that is refused, and why.
    """
    require_type(own, Announcement, "own")
    announcements = as_list(announcements, "announcements")
    if not all(type(one) is Announcement for one in announcements):
        raise ValueError("announcements must be a list of Announcement")
    pinned = as_pinned(pinned)
    if len(announcements) < as_integer(minimum, "minimum", minimum=2):
        raise ValueError(f"{len(announcements)} members are too few: this party takes part with {minimum} or more")
    # thm-announcements: the list is the one that this party has signed, in the same order
    if tuple(one.identity for one in announcements) != own.members or own not in announcements:
        raise ValueError("the announcements are not those of the members that this party has signed for, in order")
    for k, one in enumerate(announcements):
        if why := _refusal(one, pinned, own):
            raise ValueError(f"announcement {k + 1} of {len(announcements)} is refused: {why}")
    members = tuple((one.identity, one.key) for one in announcements)
    if len({identity for identity, _ in members}) < len(members) or len({key for _, key in members}) < len(members):
        raise ValueError("an identity or a key stands twice among the announcements: each member has its own")
    return Binding(own.session, members)


def _refusal(one: Announcement, pinned: Collection[bytes], own: Announcement) -> str:
    """Why an announcement is not accepted; nothing if it is."""
    if one.version != VERSION:
        return f"it is for another version of the protocol than {VERSION!r}"
    # thm-equivocation (b): members are pinned identities only
    if one.identity not in pinned:
        return "its identity is not pinned; compare fingerprints with its owner before you pin it"
    if one.session != own.session or one.members != own.members:
        return "it is for another session, or another list of members"
    if not _is_announced(one):
        return "it is not signed by that identity"
    return ""


@lru_cache(maxsize=2048)  # parties in one process look at the same announcements
def _is_announced(one: Announcement) -> bool:
    return is_signed(one.identity, one.signature, "announcement", *one.signed_fields())
