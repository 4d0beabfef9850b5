"""Checks of chapter 5: the key stream as the standard says, keys of one pair only, and no stretch of a stream twice."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from fdpedu.claims.checking import require
from fdpedu.claims.dependence import bits_of, require_distinct, require_unrelated
from fdpedu.claims.mechanisms.laws_joint import among
from fdpedu.claims.replay import patched, require_joint_law
from fdpedu.randomness import ReplayedWords, Words
from fdpedu.secure_sum import WORD, KeyPair, Masks, exchange, pairwise_keys

QUARTERS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))  # columns; then the diagonals
DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
# RFC 8439, section 2.4.2: the key stream from block 1 on starts so. RFC 7748, section 6.1: two private keys, a secret.
RFC_8439_KEY, RFC_8439_NONCE = bytes(range(32)), bytes.fromhex("000000000000004a00000000")
RFC_8439_STREAM = "224f51f3401bd9e12fde276fb8631ded8c131f823d2c06e27e4fcaec9ef3cf788a3b0aa372600a92b57974cded2b9334"
RFC_7748_ALICE = "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"
RFC_7748_SECRET = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"


def chacha20(key: bytes, nonce: bytes, first_block: int, blocks: int) -> bytes:
    """The key stream of RFC 8439 (20 rounds; a counter of 32 bits, a nonce of 12 bytes), written from its text."""
    start = np.zeros((16, blocks), dtype=np.uint32)
    start[:4] = np.frombuffer(b"expand 32-byte k", dtype="<u4")[:, None]
    start[4:12] = np.frombuffer(key, dtype="<u4")[:, None]
    start[12] = (first_block + np.arange(blocks, dtype=np.uint64)).astype(np.uint32)
    start[13:] = np.frombuffer(nonce, dtype="<u4")[:, None]
    state = start.copy()
    for _ in range(10):
        for a, b, c, d in (*QUARTERS, *DIAGONALS):
            for x, y, z, left in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                state[x] += state[y]
                mixed = state[z] ^ state[x]
                state[z] = (mixed << np.uint32(left)) | (mixed >> np.uint32(32 - left))
    return (state + start).T.astype("<u4").tobytes()


def derived_key(secret: bytes, publics: tuple[bytes, bytes]) -> bytes:
    """HKDF-SHA-256 of RFC 5869, written from its text: 32 bytes, the salt both public keys in order, our info."""
    extracted = hmac.new(b"".join(sorted(publics)), secret, hashlib.sha256).digest()
    return hmac.new(extracted, b"fdpedu pairwise masks, version 1" + b"\x01", hashlib.sha256).digest()


def known_answers(case: str) -> None:
    """The code above gives what the standards print; and the shipped exchange derives its key from that secret."""
    if case == "ChaCha20":
        stream = chacha20(RFC_8439_KEY, RFC_8439_NONCE, 1, 2)
        require(stream.hex().startswith(RFC_8439_STREAM), f"the key stream starts with {stream[:8].hex()}")
        return
    alice, bob = KeyPair(), KeyPair()
    alice._private = X25519PrivateKey.from_private_bytes(bytes.fromhex(RFC_7748_ALICE))
    bob._private = X25519PrivateKey.from_private_bytes(
        bytes.fromhex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    )
    for pair in (alice, bob):
        pair.public = pair._private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    secret = alice._private.exchange(X25519PublicKey.from_public_bytes(bob.public))
    require(secret.hex() == RFC_7748_SECRET, f"the secret is {secret.hex()}")
    expected = derived_key(secret, (alice.public, bob.public))
    require(alice.shared_key(bob.public) == bob.shared_key(alice.public) == expected, "the derived key is another one")


def own_keys(n: int) -> None:
    """Each pair of n parties has a key of its own, the same at both ends; another federation has others."""
    pairs = [KeyPair() for _ in range(n)]
    exchanged = [exchange(k, pair, [other.public for other in pairs]) for k, pair in enumerate(pairs)]
    require_own_keys([exchanged, pairwise_keys(n), pairwise_keys(n)])


def require_own_keys(federations: Sequence[Sequence[Masks]]) -> None:
    """Both ends of each pair hold the same 32 bytes, and no other pair of any of the federations does."""
    keys = list[bytes]()
    for federation in federations:
        held, members = [masks._keys for masks in federation], set(range(len(federation)))
        require(all(set(own) == members - {k} for k, own in enumerate(held)), "a key is missing, or one too many")
        for k, j in combinations(sorted(members), 2):
            require(held[k][j] == held[j][k], f"the keys of {k} and {j} differ")
            keys.append(held[k][j])
    require(len(set(keys)) == len(keys), f"of {len(keys)} keys only {len(set(keys))} differ")
    require(all(len(key) == 32 for key in keys), "a key has another length")


def framed(kind: bytes, content: bytes) -> bytes:
    """The form of a value in the information of a key: a letter, the length in 8 bytes, the content."""
    return kind + len(content).to_bytes(8, "big") + content


def key_of_a_sum(key: bytes, pair: tuple[int, int], sum_number: int, digest: bytes) -> bytes:
    """HKDF of RFC 5869 without salt; its information names version, purpose, session, both parties, sum and digest."""
    texts = [framed(b"S", b"fdpedu secure sums, version 1"), framed(b"S", b"masks"), framed(b"B", b"")]
    numbers = [framed(b"I", f"{n:x}".encode()) for n in (*pair, sum_number)]
    info = framed(b"T", b"".join([*texts, *numbers, framed(b"B", digest)]))
    extracted = hmac.new(bytes(32), key, hashlib.sha256).digest()
    return hmac.new(extracted, info + b"\x01", hashlib.sha256).digest()


def reference(key: bytes, pair: tuple[int, int], sum_number: int, size: int, digest: bytes = b"") -> Words:
    """The words of one pair's mask, by the code above: the key of this sum, counter 0 and nonce 0."""
    stream = chacha20(key_of_a_sum(key, pair, sum_number, digest), bytes(12), 0, size // 8 + 1)
    return np.frombuffer(stream[: 8 * size], dtype="<u8").astype(np.uint64)


def key_of(pair: int) -> bytes:
    return hashlib.sha256(b"a key of the checks" + bytes([pair])).digest()


def standard_stream(sum_number: int, size: int, digest: bytes = b"") -> None:
    """Masks mod 2^64 of three parties are sums of key streams as RFC 8439 defines them, with their signs."""
    keys = {pair: key_of(k) for k, pair in enumerate(combinations(range(3), 2))}
    stream = {pair: reference(key, pair, sum_number, size, digest) for pair, key in keys.items()}
    for k in range(3):
        expected = np.zeros(size, dtype=np.uint64)
        for (low, high), words in stream.items():
            if k in (low, high):
                expected = expected + words if k == low else expected - words
        others = {low + high - k: key for (low, high), key in keys.items() if k in (low, high)}
        got = Masks(k, others).draw(sum_number, size, digest=digest)
        require(np.array_equal(got, expected), f"the mask of party {k} is not what its key streams add up to")


def stretches(longest: int) -> Iterator[tuple[int, int] | tuple[int, int, bytes]]:
    """Numbers of sums from 0 to 2^64 on both sides of whole bytes; sizes on both sides of the blocks."""
    numbers = (0, 1, 255, 256, 65536, 2**32 - 1, 2**32, 2**40 + 3, 2**63, 2**64)
    yield from product(numbers, (1, 9))
    yield 1, 9, bytes(range(32))
    yield from ((7, size) for size in (0, 7, 8, 8191, 8192, 8193, 16384, longest))


def fresh_streams(modulus: int, sums: int, size: int) -> None:
    """For some pairs and many sums, all words of their masks are different: no stretch of a stream is used twice."""
    numbers = sorted({*range(sums), *(2**k + off for k in (8, 16, 31, 32, 48, 63, 64) for off in (0, 1))})
    drawn = []
    for pair in range(3):
        masks = Masks(0, {1: key_of(pair)})
        drawn += [masks.draw(number, size, modulus) for number in numbers]
    words = np.concatenate(drawn)
    require(bool((words < modulus).all()) if modulus < WORD else True, "a residue is not below the modulus")
    require_distinct(words, "words of masks")
    if modulus == WORD:
        require_unrelated(bits_of(words, (0, 31, 32, 63)))


def small_residues(size: int, calls: int, block: int, words: int) -> None:
    """Residues of words that are refused or not, in one block and in several: independent and uniform.

    The key stream is played: words of two bits stand for 0, 2^60, 2·2^60, and 15·2^60, which is refused mod 3·2^60.
    """
    unit = 2**60

    def draw(tape: ReplayedWords) -> Any:
        class Played:
            def __init__(self, *_: Any, **__: Any) -> None: ...

            def encryptor(self) -> Played:
                return self

            def update_into(self, zeros: Any, room: bytearray) -> None:
                values = [(0, unit, 2 * unit, 15 * unit)[int(w)] for w in tape.words(len(zeros) // 8)]
                room[: len(zeros)] = np.array(values, dtype="<u8").tobytes()

        with patched("fdpedu.secure_sum.masks", Cipher=Played, _BLOCK=block):
            masks = Masks(0, {1: key_of(0)})
            return [masks.draw(number, size, 3 * unit) // np.uint64(unit) for number in range(calls)]

    require_joint_law(draw, [among(3)] * (size * calls), words, word_bits=2)


def small_blocks(words: int) -> Iterator[tuple[int, int, int, int]]:
    """Two numbers: in one block, in two blocks, in two sums."""
    yield 2, 1, 8, words
    yield 2, 1, 1, words
    yield 1, 2, 8, words
