"""Pairwise masks: the report's Algorithm 1, and what it leaves open.

Parties k and j share a secret mask S_kj, uniform mod R, with S_kj + S_jk = 0 mod R. Party k sends x_k + Σ_j S_kj mod R;
the sum of all encodings is Σ x_k mod R, and any proper subset of them is jointly uniform. Printed is an algorithm whose
masks are inputs. Mended here: masks are *fresh for every sum*, because each sum has a key of its own, derived from what
the two parties share, the session, both of them, the number of the sum and the digest of what was asked; and the sum is
*lifted* to the centred range −R/2 ≤ s < R/2, since noisy sums may be negative. (To the letter the algorithm stands in
:mod:`fdpedu.sources.gubler`.)

Keys come from an X25519 exchange and a key derivation (``cryptography``), never from the noise's randomness.

Threat model: honest but curious. The aggregator and c colluding parties learn the sum of the other parties' values;
with K − c = 1 that is the last party's value, so a secure sum alone hides nothing then: noise must do it. Privacy of
the masks is computational. Public: who takes part, how many numbers, how many sums. Arithmetic: integers mod R. Not
guaranteed: anything when a party falls silent; then there is no sum (:mod:`fdpedu.secure_sum.dropouts`).

Claims: thm-private-sum, thm-sum-colluders
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from fdpedu.exact import Integers, as_integer, as_integers
from fdpedu.process import require_same_process, this_process
from fdpedu.randomness import Words
from fdpedu.secure_sum.keys import key_for, x25519
from fdpedu.secure_sum.modular import MAX_PARTIES, WORD, add, add_up, check_modulus, lift, residues, subtract

_MAX_SIZE = 2**32  # numbers of a sum; a key stream has 2^35 words before its counter runs over
_BLOCK = 8192  # words of key stream at a time, so that masks are added up in the cache
_ZEROS = memoryview(bytes(8 * _BLOCK))


class KeyPair:
    """One party's X25519 key pair; only the 32 public bytes ever leave it, unless its owner keeps it, sealed.

    Parameters
    ----------
    private : its 32 private bytes, of one that goes on in another process; None: a new one

    Examples
    --------
    >>> pair = KeyPair()
    >>> KeyPair(pair.private_bytes()).public == pair.public
    True
    """

    def __init__(self, private: bytes | None = None) -> None:
        if private is not None and (type(private) is not bytes or len(private) != 32):
            raise ValueError(f"private must be the 32 private bytes of a key pair, got {type(private).__name__}")
        make = X25519PrivateKey.from_private_bytes
        self._private = X25519PrivateKey.generate() if private is None else make(private)
        self.public = self._private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self._made_in = this_process()

    def __reduce__(self) -> Any:
        raise TypeError("a key pair is neither copied nor pickled: masks of the copy would be the same; make a new one")

    def private_bytes(self) -> bytes:
        """What makes the same pair again, in one process after the other and never in two: 32 bytes, to be sealed."""
        require_same_process(self._made_in, "this key pair", "make a new one here")
        return self._private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())

    def shared_key(self, other_public: bytes) -> bytes:
        """The key shared with the owner of ``other_public``: 32 bytes derived from a Diffie–Hellman secret."""
        require_same_process(self._made_in, "this key pair", "make a new one here")
        secret = x25519(self._private, other_public)
        salt = b"".join(sorted((self.public, other_public)))
        return HKDF(hashes.SHA256(), length=32, salt=salt, info=b"fdpedu pairwise masks, version 1").derive(secret)


class Masks:
    """The masks of one party, made from a key shared with each other party.

    Every sum has a key of its own with each of them: it is derived from the shared key, the session, both parties, the
    number of the sum and the digest of what was asked. So masks of parties that were asked different things do not
    cancel. They are made in one process, and not in a fork of it.

    Parameters
    ----------
    index : of the party itself, 0, 1, …; the one with the smaller index adds, the other one subtracts
    keys : for each other party's index, 32 bytes that only the two know
    session : of these keys, known to all
    identities : of all parties by index, as bytes; their numbers when left out
    """

    def __init__(
        self, index: int, keys: Mapping[int, bytes], *, session: bytes = b"", identities: Sequence[bytes] | None = None
    ) -> None:
        self._index, self._keys, self._last = index, dict(keys), -1
        self._session, self._identities = session, identities
        self._lock, self._made_in = threading.Lock(), this_process()

    def __repr__(self) -> str:
        return f"Masks(party {self._index}, shared with {len(self._keys)} others)"

    def __reduce__(self) -> Any:
        raise TypeError("masks are neither copied nor pickled: the copy would use the same masks again")

    def draw(self, sum_number: int, size: int, modulus: int = WORD, digest: bytes = b"") -> Words:
        """Σ_j S_kj mod R for ``size`` numbers, bound to a digest.

        A sum number that is not larger than the last one used is refused, whatever the digest: so at most one answer is
        ever masked for a number and a digest.

        Claims: thm-equivocation
        """
        sum_number = as_integer(sum_number, "sum_number", minimum=0, maximum=2**96 - 1)
        modulus, size = check_modulus(modulus), as_integer(size, "size", minimum=0)
        if size > _MAX_SIZE:
            raise ValueError(f"a sum has at most 2^32 numbers, got {size}: its key stream would begin again")
        require_same_process(self._made_in, "these masks", "exchange new keys here")
        with self._lock:
            # thm-equivocation (c): at most one answer for a number
            if sum_number <= self._last:
                raise ValueError(f"masks of sum {sum_number} were used before; every sum needs a fresh, larger number")
            self._last = sum_number
        total = np.zeros(size, dtype=np.uint64)
        for other, key in self._keys.items():
            start, own = 0, self._of_this_sum(other, key, sum_number, digest)
            for mask in _uniform_stream(own, size, modulus):
                part = total[start : start + mask.size]
                # thm-private-sum: S_kj + S_jk = 0 mod R
                if self._index < other:
                    add(part, mask, modulus, out=part)
                else:
                    subtract(part, mask, modulus, out=part)
                start += mask.size
        return total

    def _of_this_sum(self, other: int, key: bytes, sum_number: int, digest: bytes) -> bytes:
        low, high = sorted((self._index, other))
        names = (low, high) if self._identities is None else (self._identities[low], self._identities[high])
        # thm-private-sum: masks are fresh for every sum; thm-equivocation: and differ for different requests
        return key_for(key, "masks", self._session, *names, sum_number, digest)


def one_mask(key: bytes, size: int, modulus: int = WORD) -> Words:
    """``size`` uniform residues mod R from a key that is used for nothing else."""
    total = np.zeros(size, dtype=np.uint64)
    start = 0
    for mask in _uniform_stream(key, size, modulus):
        total[start : start + mask.size] = mask
        start += mask.size
    return total


def pairwise_keys(n_parties: int) -> list[Masks]:
    """Run the key exchange among ``n_parties`` in one process; the k-th result is what party k holds."""
    pairs = [KeyPair() for _ in range(as_integer(n_parties, "n_parties", minimum=1, maximum=MAX_PARTIES))]
    return [exchange(k, pair, [other.public for other in pairs]) for k, pair in enumerate(pairs)]


def exchange(index: int, pair: KeyPair, publics: Sequence[bytes]) -> Masks:
    """Party ``index``'s masks, from its own key pair and everybody's public keys."""
    return Masks(index, {j: pair.shared_key(public) for j, public in enumerate(publics) if j != index})


def encode(values: Integers, mask: Words, modulus: int = WORD) -> Words:
    """Algorithm 1, line 1: (x_k + S_k) mod R."""
    return add(residues(values, modulus), mask, modulus)


def decode_sum(encodings: Sequence[Words], modulus: int = WORD) -> Integers:
    """Algorithm 1, line 3, and the lift: the sum of the encodings as an integer in [−R/2, R/2).

    >>> decode_sum([np.array([7], dtype=np.uint64), np.array([5], dtype=np.uint64)], modulus=16).tolist()
    [-4]
    """
    return lift(add_up(encodings, modulus), modulus)


def private_sum(
    values: Any, modulus: int = WORD, *, keys: Sequence[Masks] | None = None, sum_number: int = 0
) -> Integers:
    """Algorithm 1 in one process: the sum over parties of integers, computed from masked encodings only.

    Claims: thm-private-sum

    Parameters
    ----------
    values : integers, shape (K, n): one row a party
    modulus : R, either 2**64 or 2 ≤ R ≤ 2**62. The true sums must lie in [−R/2, R/2), or they come out reduced mod R
    keys : what :func:`pairwise_keys` gives; fresh ones when left out
    sum_number : larger than in any earlier sum with the same keys

    Examples
    --------
    >>> private_sum([[3, -10], [4, 1], [0, 2]], 64).tolist()
    [7, -7]
    """
    table = as_integers(values, "values")
    if table.ndim != 2 or not len(table):
        raise ValueError(f"values must have shape (parties, numbers), got {table.shape}")
    modulus = check_modulus(modulus)
    parties = keys if keys is not None else pairwise_keys(len(table))
    if not isinstance(parties, Sequence) or not all(isinstance(masks, Masks) for masks in parties):
        raise ValueError(f"keys must be what pairwise_keys gives, got {type(keys).__name__}")
    if len(parties) != len(table):
        raise ValueError(f"there are {len(table)} parties but {len(parties)} sets of keys")
    size = table.shape[1]
    return decode_sum(
        [encode(row, m.draw(sum_number, size, modulus), modulus) for row, m in zip(table, parties, strict=True)],
        modulus,
    )


def _uniform_stream(key: bytes, size: int, modulus: int) -> Iterator[Words]:
    """``size`` uniform residues mod R from the ChaCha20 key stream of a key for one sum, a block at a time.

    A block may be overwritten when the next one is asked for.

    Claims: asm-key-stream
    """
    stream = Cipher(algorithms.ChaCha20(key, bytes(16)), mode=None).encryptor()  # the key is used once: counter 0
    buffer = bytearray(8 * min(size, _BLOCK))

    def draw(n: int) -> Words:
        stream.update_into(_ZEROS[: 8 * n], buffer)
        return np.frombuffer(buffer, dtype="<u8", count=n).astype(np.uint64, copy=False)

    # thm-private-sum: masks must be uniform mod R, so words beyond the last multiple of R are drawn again
    limit = np.uint64(WORD // modulus * modulus - 1)
    for start in range(0, size, _BLOCK):
        words = draw(min(_BLOCK, size - start))
        if modulus != WORD:
            words = words.copy()  # a second draw overwrites the buffer
            refused = np.flatnonzero(words > limit)
            while refused.size:  # both parties see the same stream, so they refuse the same words
                words[refused] = draw(refused.size)
                refused = refused[words[refused] > limit]
            words %= np.uint64(modulus)
        yield words
