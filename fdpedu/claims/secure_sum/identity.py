"""Who is at the other end: signatures, announcements, identities."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from fdpedu.claims.checking import Refuted, require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secure_sum.key_stream import refused
from fdpedu.exact import as_integers
from fdpedu.secure_sum import (
    Announcement,
    Identity,
    KeyPair,
    Replacement,
    decode_sum,
    encode,
    exchange,
    is_signed,
    joint_nonce,
    replace_pinned,
    verify_announcements,
)

# RFC 8032, section 7.1: secret key, public key, message, signature of the first three tests.
RFC_8032 = (
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
        "d25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
        "387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
        "4a7c15e9716ed28dc027beceea1ec40a",
    ),
)


def signs_as_printed(case: int) -> None:
    """Ed25519 gives the key and the signature that RFC 8032 prints, and no other message or signature passes."""
    secret, public, message, signature = (bytes.fromhex(text) for text in RFC_8032[case])
    private = Ed25519PrivateKey.from_private_bytes(secret)
    require(private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw) == public, "the public key is another")
    require(private.sign(message) == signature, "the signature is another")
    altered = bytes([signature[0] ^ 1]) + signature[1:]
    for what, signed in ((message + b"x", signature), (message, altered)):
        try:
            Ed25519PublicKey.from_public_bytes(public).verify(signed, what)
        except InvalidSignature:
            continue
        raise Refuted("a signature of something else is accepted")


def announced(session: bytes, identities: Sequence[Identity]) -> list[Announcement]:
    """Everybody's announcement, with a new key."""
    members = [identity.public for identity in identities]
    return [identity.announce(session, KeyPair().public, members) for identity in identities]


def accepts_the_pinned(parties: int) -> None:
    """All honest parties accept the same list of pinned identities, and have the same binding."""
    identities = [Identity.create() for _ in range(parties)]
    pinned = {identity.public for identity in identities}
    every = announced(joint_nonce([bytes([k]) * 32 for k in range(parties)]), identities)
    bindings = {verify_announcements(every, pinned, own, minimum=parties) for own in every}
    require(len(bindings) == 1, "the parties have different bindings")
    (binding,) = bindings
    require(binding.members == tuple((one.identity, one.key) for one in every), "it holds other members, or keys")


class Scene(NamedTuple):
    """Three parties that have announced themselves, and one who carries the messages, with a signer and a key."""

    identities: tuple[Identity, ...]
    every: list[Announcement]
    mallory: Identity
    key: bytes

    @property
    def members(self) -> list[bytes]:
        return [identity.public for identity in self.identities]


# What the first party gets in the place of the second announcement, and why it must refuse it.
ALTERED: dict[str, tuple[str, Callable[[Scene], Announcement]]] = {
    "key exchanged": ("not signed", lambda s: replace(s.every[1], key=s.key)),
    "signature of another": (
        "not signed",
        lambda s: replace(s.every[1], signature=s.mallory.sign("announcement", *s.every[1].signed_fields())),
    ),
    "not signed at all": ("not signed", lambda s: replace(s.every[1], signature=b"")),
    "signed for something else": (
        "not signed",
        lambda s: replace(s.every[1], signature=s.identities[1].sign("replacement", *s.every[1].signed_fields())),
    ),
    "old session replayed": ("another session", lambda s: s.identities[1].announce(b"old", s.key, s.members)),
    "another list": ("another list", lambda s: s.identities[1].announce(b"now", s.key, s.members[:2])),
    "another version": ("another version", lambda s: replace(s.every[1], version="fdpedu secure sums, version 0")),
    "one key twice": ("stands twice", lambda s: s.identities[1].announce(b"now", s.every[0].key, s.members)),
}


# A whole list in the place of the right one.
LISTS: dict[str, tuple[str, Callable[[Scene], list[Announcement]]]] = {
    "doubles of one party": (
        "not pinned",
        lambda s: announced(b"now", [s.identities[0], *(Identity.create() for _ in range(4))]),
    ),
    "one member twice": ("stands twice", lambda s: announced(b"now", [*s.identities, s.identities[1]])),
    "own key exchanged": ("not those of", lambda s: [replace(s.every[0], key=s.key), *s.every[1:]]),
    "reordered": ("not those of", lambda s: [s.every[0], s.every[2], s.every[1]]),
    "one left out": ("too few", lambda s: s.every[:2]),
    "another one of the pinned left out": ("too few", lambda s: s.every[::2]),
}


def attack_refused(attack: str) -> None:
    """What carries the messages alters them, or invents parties; the first party refuses, for that reason.

    It takes part with three or more. When it has signed for the false list itself, its own announcement is in it.
    """
    identities = tuple(Identity.create() for _ in range(3))
    scene = Scene(identities, announced(b"now", identities), Identity.create(), KeyPair().public)
    if attack in ALTERED:
        why, alter = ALTERED[attack]
        every = [scene.every[0], alter(scene), scene.every[2]]
    else:
        why, invent = LISTS[attack]
        every = invent(scene)
    own = every[0] if why in ("not pinned", "stands twice") else scene.every[0]
    refused(lambda: verify_announcements(every, set(scene.members), own, minimum=3), why)


def man_in_the_middle(values: tuple[int, int]) -> None:
    """With bare keys one in the middle reads both numbers; the same exchange of signed keys is refused.

    To each of the two it passes for the other one, with a key pair of its own, and takes the mask off.
    """
    identities = [Identity.create() for _ in range(2)]
    pairs, middle = [KeyPair(), KeyPair()], [KeyPair(), KeyPair()]
    members = [identity.public for identity in identities]
    own = [who.announce(b"s", pair.public, members) for who, pair in zip(identities, pairs, strict=True)]
    for k, value in enumerate(values):
        publics = [pairs[k].public, middle[k].public][:: 1 - 2 * k]
        sent = encode(as_integers([value], "values"), exchange(k, pairs[k], publics).draw(1, 1))
        taken = exchange(1 - k, middle[k], publics).draw(1, 1)
        require(decode_sum([sent, taken]).tolist() == [value], "the one in the middle does not read the number")
        false = replace(own[1 - k], key=middle[k].public)
        every = [own[k], false][:: 1 - 2 * k]
        refused(lambda k=k, every=every: verify_announcements(every, members, own[k]), "not signed")  # type: ignore[misc]


def identity_replaced(case: str) -> None:
    """The old identity's word puts a new one in its place; nobody else's does, and not for another."""
    old, new, other = (Identity.create() for _ in range(3))
    pinned = frozenset({old.public, other.public})
    if case == "endorsed":
        found = replace_pinned(pinned, old.endorse(new.public))
        require(found == {new.public, other.public}, "the pinned identities are others")
        return
    why, false = {
        "signed by another": ("signed", Replacement(old.public, new.public, other.endorse(new.public).signature)),
        "signed by the new one": ("signed", Replacement(old.public, new.public, new.endorse(new.public).signature)),
        "another one put in": ("signed", replace(old.endorse(new.public), new=Identity.create().public)),
        "of one not pinned": ("pinned", new.endorse(Identity.create().public)),
        "by one already pinned": ("pinned", old.endorse(other.public)),
    }[case]
    refused(lambda: replace_pinned(pinned, false), why)


REPLACEMENTS = (
    "endorsed",
    "signed by another",
    "signed by the new one",
    "another one put in",
    "of one not pinned",
    "by one already pinned",
)


def identity_kept(passphrase: str) -> None:
    """Saved for its owner alone, encrypted; loaded, it signs the same; nothing shows or copies its secret."""
    identity = Identity.create()
    secret = identity._private.private_bytes_raw()
    with TemporaryDirectory() as folder:
        path = Path(folder, "identity.pem")
        identity.save(path, passphrase)
        stored = path.read_bytes()
        require(b"ENCRYPTED PRIVATE KEY" in stored and secret not in stored, "it is not encrypted")
        require(path.stat().st_mode & 0o077 == 0, "others may read the file")
        require(is_signed(identity.public, Identity.load(path, passphrase).sign("x", 1), "x", 1), "it signs otherwise")
        refused(lambda: Identity.load(path, passphrase + "!"), "passphrase is another one")
        path.chmod(0o644)
        refused(lambda: Identity.load(path, passphrase), "others than its owner")
    require(secret.hex() not in repr(identity) + str(vars(identity)), "it shows its secret")
    for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
        try:
            attempt(identity)
        except TypeError:
            continue
        raise Refuted("it can be copied")


CLAIMS = (
    Claim(
        "asm-signatures",
        status="assumed",
        code=("fdpedu.secure_sum.identity", "fdpedu.secure_sum.identity.is_signed"),
        checks=(
            Check(
                "known answers",
                "exact",
                "RFC 8032, 7.1, the first three tests; and alterations of message and signature",
                signs_as_printed,
                lambda _: ((case,) for case in range(3)),
            ),
            Check(
                "kept",
                "exact",
                "an identity in a file: encrypted, for its owner alone, the same again; never shown, never copied",
                identity_kept,
                lambda _: [("correct horse",), ("größer",)],
                more=[("a passphrase",)],
            ),
        ),
        assumptions=("computationally bounded",),
    ),
    Claim(
        "thm-announcements",
        status="proved+checked",
        code=(
            "fdpedu.secure_sum.identity",
            "fdpedu.secure_sum.identity.replace_pinned",
            "fdpedu.secure_sum.identity.verify_announcements",
        ),
        checks=(
            Check(
                "honest",
                "exact",
                "2 to {size} honest parties accept, and have the same binding",
                accepts_the_pinned,
                lambda most: ((n,) for n in range(2, most + 1)),
                5,
                20,
            ),
            Check(
                "attacks",
                "exact",
                "fourteen alterations, each refused for its own reason: keys, signatures, sessions, lists, doubles",
                attack_refused,
                lambda _: ((attack,) for attack in (*ALTERED, *LISTS)),
            ),
            Check(
                "in the middle",
                "exact",
                "one in the middle reads what is masked under bare keys, and is refused under signed ones",
                man_in_the_middle,
                lambda _: [((0, 0),), ((3, -4),)],
                more=[((12, -(2**40)),)],
            ),
            Check(
                "replaced",
                "exact",
                "a replacement that the old identity has signed, and five that it has not, or not for this",
                identity_replaced,
                lambda _: ((case,) for case in REPLACEMENTS),
            ),
        ),
        assumptions=("whoever carries the messages may alter, replay and invent them",),
        uses=("asm-signatures", "lem-canonical"),
    ),
)

TWINS = (
    Broken(
        "unsigned key accepted",
        "fdpedu.secure_sum.identity._refusal",
        "not _is_announced(one)",
        "not one.signature and False",
        "A pinned identity on the list is proof enough.",
        "thm-announcements",
        "attacks",
    ),
    Broken(
        "sybils accepted",
        "fdpedu.secure_sum.identity._refusal",
        "one.identity not in pinned",
        "not one.identity",
        "What is properly signed comes from somebody.",
        "thm-announcements",
        "attacks",
    ),
    Broken(
        "key not signed",
        "fdpedu.secure_sum.identity.Announcement.signed_fields",
        "self.identity, self.key, self.members",
        'self.identity, b"", self.members',
        "The key is public, so it needs no protection.",
        "thm-announcements",
        "in the middle",
    ),
    Broken(
        "old session accepted",
        "fdpedu.secure_sum.identity._refusal",
        "one.session != own.session or one.members",
        "one.members",
        "A signed key stays a signed key.",
        "thm-announcements",
        "attacks",
    ),
    Broken(
        "any replacement accepted",
        "fdpedu.secure_sum.identity.replace_pinned",
        'not is_signed(old, replacement.signature, "replacement", old, new)',
        "not replacement.signature",
        "What is signed was signed by the old identity.",
        "thm-announcements",
        "replaced",
    ),
    Broken(
        "identity for everybody to read",
        "fdpedu.secure_sum.identity.Identity.save",
        "0o600",
        "0o644",
        "The file is encrypted.",
        "asm-signatures",
        "kept",
    ),
)
