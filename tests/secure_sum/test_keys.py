"""Keys: what an exchange agrees on, what is derived from it, and what their documents print."""

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from fdpedu.claims.secure_sum import key_stream as topic
from fdpedu.secure_sum import (
    KeyPair,
    key_for,
    toy_break,
    toy_public,
    toy_shared,
)

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


def test_the_secret_decides_the_key():
    """Public keys alone do not: with another private key beside the same public ones the key is another."""
    one, other = KeyPair(), KeyPair()
    key = one.shared_key(other.public)
    one._private = KeyPair()._private
    assert one.shared_key(other.public) != key


@pytest.mark.claim("asm-key-stream")
def test_keys_for_other_purposes_are_others():
    keys = [
        key_for(bytes(32), "masks", 1, b"d"),
        key_for(bytes(32), "masks", 1, b"e"),
        key_for(bytes(32), "box", 1, b"d"),
    ]
    keys += [key_for(bytes(31) + b"1", "masks", 1, b"d"), key_for(bytes(32), "masks", 1), key_for(bytes(32), "masks")]
    assert len(set(keys)) == 6 and {len(key) for key in keys} == {32}
    assert key_for(bytes(32), "masks", 1, b"d") == keys[0]


def test_a_toy_exchange_and_who_breaks_it():
    """On 47 numbers; 5 makes all of them, so every public number has a secret, and 0 has none."""
    topic.toys_agree(7, 3)
    assert {toy_break(public, 47, 5) for public in range(1, 47)} == set(range(1, 47))
    assert toy_shared(1, toy_public(9)) == toy_public(9)
    with pytest.raises(ValueError, match=r"^0 .* 5 mod 47$"):
        toy_break(0, 47, 5)
    assert toy_public(1, 3, 2) == 2 and toy_shared(1, 2, 3) == 2
