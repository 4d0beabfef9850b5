"""The key stream that masks come from: known answers, and no secret that others have."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product

import numpy as np
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from fdpedu.claims.checking import Refuted, as_case, require
from fdpedu.claims.frequencies import require_uniform
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.exact import occurrences
from fdpedu.randomness import Words
from fdpedu.secure_sum import Curve, KeyPair, Masks, exchange, pairwise_keys, toy_break, toy_public, toy_shared
from fdpedu.secure_sum.keys import x25519

QUARTERS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))  # columns; then the diagonals
DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
RFC_8439_STREAM = "224f51f3401bd9e12fde276fb8631ded8c131f823d2c06e27e4fcaec9ef3cf788a3b0aa372600a92b57974cded2b9334"
RFC_7748_ALICE = "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"
RFC_7748_SECRET = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"


def uniform_residues(draws: int) -> None:
    """Residues mod 7 of a fixed key, so that the outcome is always the same."""
    require_uniform(occurrences(Masks(0, {1: bytes(32)}).draw(5, draws, 7).astype(np.int64), 7), alpha=1e-9)


# Points of small order on the curve of X25519 and their other spellings: every secret with one of them is zero.
SMALL_ORDER = (
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
)


def no_secret_is_zero(point: str) -> None:
    """A public key that makes every secret zero is refused, by each of the ways to a shared secret."""
    other = bytes.fromhex(point)
    ways: Sequence[Callable[[], bytes]] = (
        lambda: x25519(X25519PrivateKey.generate(), other),
        lambda: KeyPair().shared_key(other),
        lambda: Curve().agree(Curve().fresh(), other),
    )
    for way in ways:
        refused(way, "shared secret zero")


def refused(act: Callable[[], object], why: str) -> None:
    """It raises a ``ValueError`` that says this."""
    try:
        act()
    except ValueError as error:
        require(why in str(error), f"refused, but as {error}")
        return
    raise Refuted(f"accepted, although: {why}")


def toys_agree(prime: int, generator: int) -> None:
    """Both parties of a toy exchange have one number, for all secrets; and a listener finds a secret that gives it."""
    for a in range(1, prime):
        for b in range(1, prime):
            one, other = toy_public(a, prime, generator), toy_public(b, prime, generator)
            shared = toy_shared(a, other, prime)
            require(shared == toy_shared(b, one, prime) == pow(generator, a * b, prime), "they have different numbers")
            require(toy_shared(toy_break(one, prime, generator), other, prime) == shared, "the listener has another")


# RFC 8439, section 2.4.2: the key stream from block 1 on starts so. RFC 7748, section 6.1: two private keys, a secret.
RFC_8439_KEY, RFC_8439_NONCE = bytes(range(32)), bytes.fromhex("000000000000004a00000000")


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


CLAIMS = (
    Claim(
        "asm-key-stream",
        status="assumed",
        code=tuple(
            f"fdpedu.secure_sum.{name}" for name in ("keys", "keys.x25519", "keys.key_for", "masks._uniform_stream")
        ),
        checks=(
            Check(
                "residues",
                "statistical",
                "chi-square of {size} residues mod 7 of a fixed key, two-sided",
                uniform_residues,
                as_case,
                100_000,
                1_000_000,
                alpha=1e-9,
            ),
            Check(
                "known answers",
                "exact",
                "RFC 8439, 2.4.2, and RFC 7748, 6.1, with the key that HKDF (RFC 5869) derives from it",
                known_answers,
                lambda _: [("ChaCha20",), ("exchange",)],
            ),
            Check(
                "no zero secret",
                "exact",
                "seven public keys for which every secret is zero are refused, in every way to one",
                no_secret_is_zero,
                lambda _: ((point,) for point in SMALL_ORDER),
            ),
            Check(
                "toy exchange",
                "exhaustive",
                "Diffie and Hellman's exchange on primes up to {size}: all secrets, and a listener who tries all",
                toys_agree,
                lambda most: ((p, g) for p, g in ((5, 2), (23, 5), (47, 5), (101, 2)) if p <= most),
                23,
                101,
            ),
            Check(
                "the standard's stream",
                "exact",
                "masks of three parties against RFC 8439 written anew, sums 0 to 2^64, up to {size} words",
                standard_stream,
                stretches,
                20_000,
                200_000,
                more=[(3, 1), (2**70 + 5, 17), (11, 3 * 8192 + 1)],
            ),
            Check(
                "own keys",
                "exact",
                "2 to {size} parties, three exchanges: one key a pair, the same at both ends, and never again",
                own_keys,
                lambda most: ((n,) for n in range(2, most + 1)),
                5,
                12,
            ),
        ),
        assumptions=("parties and aggregator are honest but curious", "computationally bounded"),
    ),
)

TWINS = (
    Broken(
        "zero secret accepted",
        "fdpedu.secure_sum.keys.x25519",
        "not any(secret)",
        "len(secret) != 32",
        "Any 32 bytes are a public key, and any 32 bytes a secret.",
        "asm-key-stream",
        "no zero secret",
    ),
    Broken(
        "one key pair for everybody",
        "fdpedu.secure_sum.KeyPair.__init__",
        "X25519PrivateKey.generate()",
        "X25519PrivateKey.from_private_bytes(bytes(31) + bytes([64]))",
        "A key is secret if it is never sent.",
        "asm-key-stream",
        "own keys",
    ),
)
