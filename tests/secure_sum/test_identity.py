"""Who is at the other end: identities, announcements, and what somebody in the middle can do."""

import os
import stat

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from fdpedu.claims.secure_sum import laws_keys as law
from fdpedu.secure_sum import (
    Identity,
    fingerprint,
    hashed,
    is_signed,
    joint_nonce,
    key_for,
    toy_break,
    toy_public,
    toy_shared,
)
from fdpedu.secure_sum.binding import VERSION


@pytest.mark.claim("thm-announcements")
@pytest.mark.parametrize("attack", [*law.ALTERED, *law.LISTS])
def test_an_attack_is_refused_for_its_own_reason(attack):
    law.attack_refused(attack)


@pytest.mark.claim("thm-announcements")
@pytest.mark.parametrize("case", law.REPLACEMENTS)
def test_an_identity_is_replaced_by_its_own_word_only(case):
    law.identity_replaced(case)


@pytest.mark.claim("thm-announcements")
def test_a_man_in_the_middle_reads_what_bare_keys_hide():
    law.man_in_the_middle((12, -(2**40)))


@pytest.mark.claim("thm-announcements")
def test_honest_parties_accept():
    law.accepts_the_pinned(3)


@pytest.mark.claim("asm-signatures")
def test_an_identity_is_kept_and_never_shown():
    law.identity_kept("a passphrase")


@pytest.mark.claim("asm-signatures")
@pytest.mark.parametrize("case", range(3))
def test_ed25519_is_that_of_rfc_8032(case):
    law.signs_as_printed(case)


@pytest.mark.claim("asm-signatures")
def test_a_signature_is_for_its_purpose_and_fields_and_by_its_identity():
    identity, other = Identity.create(), Identity.create()
    signature = identity.sign("purpose", 1, b"x")
    assert is_signed(identity.public, signature, "purpose", 1, b"x")
    assert not is_signed(identity.public, signature, "purpose", 1, b"y")
    assert not is_signed(identity.public, signature, "another", 1, b"x")
    assert not is_signed(identity.public, signature, "purpose", 1, b"x", 0)
    assert not is_signed(other.public, signature, "purpose", 1, b"x")
    assert not is_signed(b"no key", signature, "purpose", 1, b"x")
    assert not is_signed(identity.public, b"no signature", "purpose", 1, b"x")


@pytest.mark.claim("asm-signatures")
def test_an_identity_s_file(tmp_path):
    """Nothing is overwritten, nothing is stored in the clear, and what is no identity is refused by name."""
    path = tmp_path / "identity.pem"
    identity = Identity.create()
    with pytest.raises(ValueError, match="must not be empty"):
        identity.save(path, "")
    assert not path.exists()
    identity.save(path, "word")
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(FileExistsError):
        Identity.create().save(path, "word")
    assert Identity.load(path, "word").public == identity.public
    bare = identity._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    secret = BestAvailableEncryption(b"word")
    curve = X25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, secret)
    texts = ((b"nothing", "holds no encrypted"), (bare, "holds no encrypted"), (curve, "of another kind"))
    for text, why in texts:
        path.write_bytes(text)
        with pytest.raises(ValueError, match=why):
            Identity.load(path, "word")


def test_what_an_identity_shows():
    identity = Identity.create()
    assert repr(identity) == f"Identity({fingerprint(identity.public)})" and len(fingerprint(identity.public)) == 39
    assert fingerprint(identity.public) != fingerprint(Identity.create().public)


@pytest.mark.claim("asm-key-stream")
@pytest.mark.parametrize("point", law.SMALL_ORDER)
def test_a_key_that_makes_every_secret_zero_is_refused(point):
    law.no_secret_is_zero(point)


@pytest.mark.claim("asm-key-stream")
def test_a_short_public_key_is_refused():
    law.refused(lambda: law.KeyPair().shared_key(b"short"), "refuse that party")


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
    law.toys_agree(7, 3)
    assert {toy_break(public, 47, 5) for public in range(1, 47)} == set(range(1, 47))
    assert toy_shared(1, toy_public(9)) == toy_public(9)
    with pytest.raises(ValueError, match="0 is no power of 5 mod 47"):
        toy_break(0, 47, 5)
    assert toy_public(1, 3, 2) == 2 and toy_shared(1, 2, 3) == 2
    for wrong in (lambda: toy_public(0), lambda: toy_shared(0, 2)):
        with pytest.raises(ValueError, match=r"^secret must be"):
            wrong()
    for wrong in (lambda: toy_public(1, 2), lambda: toy_shared(1, 2, 2)):
        with pytest.raises(ValueError, match=r"^prime must be"):
            wrong()


def test_a_nonce_is_new_for_everyone_who_contributes():
    """Each contribution counts, and so does where one ends."""
    nonces = [joint_nonce(parts) for parts in ([b"a", b"b"], [b"b", b"a"], [b"ab", b""], [b"a", b"c"], [b"a"])]
    assert nonces[4] == hashed((VERSION, "session", (b"a",)))
    assert len(set(nonces)) == 5 and {len(nonce) for nonce in nonces} == {32}
