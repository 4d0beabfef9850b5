"""The standard primitives that masks are made of give the answers that their documents print."""

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from fdpedu.claims.secure_sum import laws as sums
from fdpedu.claims.secure_sum import laws_streams as law
from fdpedu.secure_sum import KeyPair, Masks

RFC_5869 = {  # appendix A, SHA-256: secret, salt, info, key
    "A.1": (
        "0b" * 22,
        "000102030405060708090a0b0c",
        "f0f1f2f3f4f5f6f7f8f9",
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
    ),
    "A.2": (
        bytes(range(0x00, 0x50)).hex(),
        bytes(range(0x60, 0xB0)).hex(),
        bytes(range(0xB0, 0x100)).hex(),
        "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
        "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87",
    ),
    "A.3": (
        "0b" * 22,
        "",
        "",
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
    ),
}


@pytest.mark.claim("asm-key-stream")
@pytest.mark.parametrize("case", RFC_5869)
def test_the_key_derivation_is_that_of_rfc_5869(case):
    """The library that the exchange calls, for the printed secret, salt and info."""
    secret, salt, info, key = (bytes.fromhex(text) for text in RFC_5869[case])
    assert HKDF(hashes.SHA256(), length=len(key), salt=salt or None, info=info).derive(secret) == key


@pytest.mark.claim("asm-key-stream")
@pytest.mark.parametrize("case", ["ChaCha20", "exchange"])
def test_known_answers(case):
    """RFC 8439 for the reference that masks are compared with; RFC 7748 for the exchange, with our derived key."""
    law.known_answers(case)


@pytest.mark.claim("asm-key-stream")
@pytest.mark.parametrize(("number", "size"), [(3, 1), (2**70 + 5, 17), (11, 3 * 8192 + 1)])
def test_a_mask_is_the_standards_key_stream(number, size):
    law.standard_stream(number, size)


def test_the_secret_decides_the_key():
    """Public keys alone do not: with another private key beside the same public ones the key is another."""
    one, other = KeyPair(), KeyPair()
    key = one.shared_key(other.public)
    one._private = KeyPair()._private
    assert one.shared_key(other.public) != key


@pytest.mark.claim("thm-private-sum")
def test_a_longer_mask_begins_with_the_shorter():
    """Mod 2^64 it is a stretch of one stream, whatever the blocks."""
    longest = Masks(0, {1: law.key_of(0)}).draw(4, 20_000)
    for size in (1, 8191, 8192, 8193, 16_385):
        assert Masks(0, {1: law.key_of(0)}).draw(4, size).tolist() == longest[:size].tolist()


@pytest.mark.claim("thm-private-sum")
@pytest.mark.parametrize("modulus", [2**61 - 1, 3 * 2**60])
def test_streams_do_not_meet(modulus):
    law.fresh_streams(modulus, 30, 70)


@pytest.mark.claim("thm-private-sum")
@pytest.mark.parametrize("modulus", [3, 2**31, 2**62 - 1, 2**64])
def test_sums_at_the_ends_of_the_range(modulus):
    sums.large_sums(modulus, 5)
