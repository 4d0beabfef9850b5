"""Keys that two parties agree on over an open line, and the keys that are derived from them.

By Diffie and Hellman each of two parties sends g^a and g^b mod p, and both compute g^(ab). On small numbers
(:func:`toy_public`, :func:`toy_shared`) anybody breaks it by trying all exponents (:func:`toy_break`); on the curve of
X25519 nobody is known to. What they agree on is an element of a group and no uniform bits, so a key derivation (HKDF)
stands behind it: :func:`key_for` makes, for every purpose, a key that says nothing of the others.

A few public keys make every shared secret zero, with any private key, so they are refused.

Threat model: an eavesdropper; the exchange is not authenticated (:mod:`fdpedu.secure_sum.identity`). Guarantee:
computational. Not guaranteed: that the one at the other end is who one thinks.

Claims: asm-key-stream
"""

from __future__ import annotations

import os

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from fdpedu.exact import as_integer
from fdpedu.secure_sum.binding import VERSION, Canonical, canonical

TOO_LARGE = 10**6  # for a toy
TOY_PRIME, TOY_GENERATOR = 23, 5  # 5 generates all 22 residues; for the page, and broken by trying


def toy_public(secret: int, prime: int = TOY_PRIME, generator: int = TOY_GENERATOR) -> int:
    """A party's public number g^a mod p.

    >>> toy_public(6), toy_public(15)
    (8, 19)
    """
    return pow(
        as_integer(generator, "generator", minimum=2, maximum=TOO_LARGE),
        as_integer(secret, "secret", minimum=1, maximum=TOO_LARGE),
        as_integer(prime, "prime", minimum=3, maximum=TOO_LARGE),
    )


def toy_shared(secret: int, other_public: int, prime: int = TOY_PRIME) -> int:
    """What two parties agree on: (g^b)^a mod p.

    >>> toy_shared(6, 19), toy_shared(15, 8)
    (2, 2)
    """
    return pow(
        as_integer(other_public, "other_public", minimum=1, maximum=TOO_LARGE),
        as_integer(secret, "secret", minimum=1, maximum=TOO_LARGE),
        as_integer(prime, "prime", minimum=3, maximum=TOO_LARGE),
    )


def toy_break(public: int, prime: int = TOY_PRIME, generator: int = TOY_GENERATOR) -> int:
    """The smallest secret with this public number, by trying all: p − 1 steps at most.

    >>> toy_break(8)
    6
    """
    as_integer(public, "public", minimum=0, maximum=TOO_LARGE)
    for secret in range(1, as_integer(prime, "prime", minimum=3, maximum=TOO_LARGE)):
        if toy_public(secret, prime, generator) == public:
            return secret
    raise ValueError(f"{public} is no power of {generator} mod {prime}")


def x25519(private: X25519PrivateKey, other_public: bytes) -> bytes:
    """The Diffie–Hellman secret; refuses a public key for which the secret is zero with every private key.

    Claims: asm-key-stream

    Parameters
    ----------
    private : one's own private key
    other_public : 32 bytes

    Raises
    ------
    ValueError
        If the other's bytes are no public key, or one of the few that make every secret zero.
    """
    try:
        secret = private.exchange(X25519PublicKey.from_public_bytes(other_public))
    except ValueError:
        secret = bytes(32)
    if not any(secret):
        raise ValueError("the other party's public key makes every shared secret zero, or is none: refuse that party")
    return secret


def key_for(key: bytes, purpose: str, *fields: Canonical) -> bytes:
    """A key of 32 bytes for one purpose and these fields only (HKDF); keys for others are independent of it.

    Claims: asm-key-stream

    Parameters
    ----------
    key : 32 bytes that only two parties know, or one of them
    purpose : what it is used for
    *fields : the session, who with whom, which sum, what was asked; a key for other fields is another one
    """
    info = canonical((VERSION, purpose, *fields))
    return HKDF(hashes.SHA256(), length=32, salt=None, info=info).derive(key)


class Curve:
    """Key pairs whose secrets are bytes, so that they can be shared out: X25519, from the operating system."""

    def fresh(self) -> bytes:
        """A new secret of 32 bytes."""
        return os.urandom(32)

    def public(self, secret: bytes) -> bytes:
        """The public key of a secret, 32 bytes."""
        private = X25519PrivateKey.from_private_bytes(secret)
        return private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def agree(self, secret: bytes, other_public: bytes) -> bytes:
        """What the owners of the two keys agree on, 32 bytes; derive keys from it by :func:`key_for`."""
        return x25519(X25519PrivateKey.from_private_bytes(secret), other_public)
