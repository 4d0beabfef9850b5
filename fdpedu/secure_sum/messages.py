"""What is said in a round that survives drop-outs: five kinds of messages, and the occasion that all are bound to.

A round's secrets, shares and signatures name the session, the round, the digest of what was asked, and all identities.
So nothing that is said in one round, or about one request, is of use in another.

Guarantee and threat model: those of :mod:`fdpedu.secure_sum.dropouts`, which speaks this language. Not guaranteed: that
a message is well formed; its reader checks it.

Claims: thm-dropout-view
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from fdpedu.randomness import Words
from fdpedu.secure_sum.binding import VERSION, Canonical, canonical, hashed
from fdpedu.secure_sum.identity import Identity, is_signed
from fdpedu.secure_sum.keys import Curve, key_for
from fdpedu.secure_sum.masks import Masks, one_mask
from fdpedu.secure_sum.modular import WORD


class Hello(NamedTuple):
    """Stage 1: a key for this round, and the hash of the seed of a mask of one's own."""

    party: int
    public: bytes
    commitment: bytes
    signature: bytes


class Box(NamedTuple):
    """Stage 2: two shares, sealed for one receiver."""

    sender: int
    receiver: int
    sealed: bytes


class Masked(NamedTuple):
    """Stage 3: masked numbers."""

    party: int
    words: Words


class Consent(NamedTuple):
    """Stage 4: a signed list of survivors."""

    party: int
    signature: bytes


class Reveal(NamedTuple):
    """Stage 5: shares by owner, of survivors' own masks, and of the keys of those that are missing."""

    party: int
    of_seeds: tuple[tuple[int, bytes], ...]
    of_keys: tuple[tuple[int, bytes], ...]


class Signer(Protocol):
    """What a party signs with."""

    public: bytes

    def sign(self, purpose: str, *fields: Canonical) -> bytes: ...


class Primitives(Curve):
    """X25519 and Ed25519. A check of the protocol may put a table of ideal ones in their place."""

    def identity(self) -> Signer:
        """A new identity, for a demonstration in one process."""
        return Identity.create()

    def is_signed(self, identity: bytes, signature: bytes, purpose: str, *fields: Canonical) -> bool:
        """Whether the identity has signed these fields."""
        return is_signed(identity, signature, purpose, *fields)


@dataclass(frozen=True)
class Occasion:
    """Which sum it is: all keys, shares and signatures of a round are bound to this.

    Parameters
    ----------
    session : the nonce of the session
    number : of the round
    digest : of the request, as the party has computed it
    identities : of all parties, in order
    size : how many numbers are summed
    modulus : R
    """

    session: bytes
    number: int
    digest: bytes
    identities: tuple[bytes, ...]
    size: int
    modulus: int = WORD

    @cached_property
    def binding(self) -> bytes:
        """What every signature and every key of the round is for: a hash of session, round, digest and identities."""
        return hashed((VERSION, "occasion", self.session, self.number, self.digest, self.identities))

    def self_mask(self, seed: bytes) -> Words:
        """PRG(b_k), which only its owner can take off, or t others together."""
        return one_mask(key_for(seed, "self-mask", self.binding), self.size, self.modulus)

    def pairwise(self, index: int, agreed: Mapping[int, bytes]) -> Words:
        """Σ_j ±PRG(s_kj), from what party ``index`` has agreed on with each of the others."""
        masks = Masks(index, agreed, session=self.session, identities=self.identities)
        return masks.draw(self.number, self.size, self.modulus, self.digest)


def size_of(message: Hello | Box | Masked | Consent | Reveal) -> int:
    """The bytes of a message in its canonical form.

    >>> size_of(Consent(2, bytes(64)))
    92
    """
    fields = (field.tobytes() if isinstance(field, np.ndarray) else field for field in message)
    return len(canonical(tuple(fields)))
