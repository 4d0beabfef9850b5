"""Who is at the other end: identities, announcements, and what somebody in the middle can do."""

import hashlib
import os
import re
import stat
import unicodedata

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat

from fdpedu.secure_sum import (
    Identity,
    KeyPair,
    canonical,
    fingerprint,
    hashed,
    is_signed,
    joint_nonce,
    verify_announcements,
)
from fdpedu.secure_sum.binding import VERSION
from fdpedu.secure_sum.identity import WEAK
from tests.support.faults import every_failure


def doubled(y):
    """The second coordinate of 2P on the curve −x² + y² = 1 + d·x²y²; x² follows from y."""
    p = 2**255 - 19
    d = -121665 * pow(121666, -1, p) % p
    x2 = (y * y - 1) * pow(d * y * y + 1, -1, p) % p
    return (y * y + x2) * pow(2 - y * y + x2, -1, p) % p


@pytest.mark.claim("asm-signatures")
def test_nobody_signs_for_a_key_of_small_order():
    """All seven spellings with both signs; the library below takes a signature that anybody can make for each."""
    assert len(WEAK) == 7 and all(doubled(doubled(doubled(y))) == 1 for y in WEAK) and doubled(doubled(doubled(4))) != 1
    keys = [(y + sign * 2**255).to_bytes(32, "little") for y in WEAK for sign in (0, 1)]
    forged = 0
    for key in keys:
        for k in range(3):
            for first in keys:
                assert not is_signed(key, first + bytes(32), "purpose", k)
                try:
                    public = Ed25519PublicKey.from_public_bytes(key)
                    public.verify(first + bytes(32), canonical((VERSION, "purpose", k)))
                    forged += 1
                except (InvalidSignature, ValueError):
                    pass
    assert forged > 14


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
    with pytest.raises(ValueError, match="passphrase"):
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
    for text, name in ((b"nothing", "passphrase"), (bare, "passphrase"), (curve, "Ed25519")):
        path.write_bytes(text)
        with pytest.raises(ValueError, match=name):
            Identity.load(path, "word")


@pytest.mark.claim("thm-announcements")
def test_what_an_identity_shows():
    """32 hexadecimal digits in groups of four; other bytes would be another version's fingerprint."""
    identity = Identity.create()
    assert repr(identity) == f"Identity({fingerprint(identity.public)})"
    text = fingerprint(bytes(32))
    assert re.fullmatch("[0-9a-f]{4}( [0-9a-f]{4}){7}", text)
    assert text.replace(" ", "") == hashlib.sha256(canonical(("fingerprint", bytes(32)))).hexdigest()[:32]
    assert len({text, fingerprint(bytes(31) + b"\1"), fingerprint(identity.public)}) == 3


def test_a_nonce_is_new_for_everyone_who_contributes():
    """Each contribution counts, and so does where one ends."""
    nonces = [joint_nonce(parts) for parts in ([b"a", b"b"], [b"b", b"a"], [b"ab", b""], [b"a", b"c"], [b"a"])]
    assert nonces[4] == hashed((VERSION, "session", (b"a",)))
    assert len(set(nonces)) == 5 and {len(nonce) for nonce in nonces} == {32}


@pytest.mark.parametrize("place", [0, 1, 3])
def test_an_announcement_is_refused_by_its_place(place):
    """Counted from 1."""
    identities = [Identity.create() for _ in range(4)]
    members = [identity.public for identity in identities]
    announced = [identity.announce(bytes(32), KeyPair().public, members) for identity in identities]
    pinned = [member for k, member in enumerate(members) if k != place]
    with pytest.raises(ValueError, match=f"^announcement {place + 1} of 4 .*pinned"):
        verify_announcements(announced, pinned, announced[2])


@pytest.mark.claim("thm-announcements")
def test_a_binding_holds_the_session_and_the_members():
    people = [Identity.create() for _ in range(2)]
    members = [person.public for person in people]
    announced = [person.announce(b"monday", bytes([k]) * 32, members) for k, person in enumerate(people)]
    found = verify_announcements(announced, members, announced[1])
    assert found.session == b"monday"
    assert found.members == tuple((name, bytes([k]) * 32) for k, name in enumerate(members))


@pytest.mark.claim("asm-signatures")
@pytest.mark.skipif(os.name != "posix", reason="rights of this kind")
def test_an_identity_is_read_only_where_nobody_but_its_owner_has_any_right(tmp_path):
    """Every set of rights with which its owner may read it: one bit for another is enough to refuse it."""
    path = tmp_path / "identity.pem"
    Identity.create().save(path, "word")
    for rights in range(0o400, 0o1000):
        path.chmod(rights)
        if rights % 0o100:
            with pytest.raises(ValueError, match=f"^{re.escape(str(path))} may be read by others"):
                Identity.load(path, "word")
        elif rights in (0o400, 0o600):
            assert Identity.load(path, "word").public


@pytest.mark.claim("asm-signatures")
@pytest.mark.skipif(os.name != "posix", reason="rights of this kind")
@pytest.mark.parametrize("mask", [0, 0o022, 0o077])
def test_an_identity_s_file_is_its_owner_s_whatever_a_new_file_may_be(tmp_path, monkeypatch, mask):
    """From the moment at which there is a file at all."""
    rights, own, before = set(), os.open, os.umask(mask)

    def opening(path, flags, *mode):
        handle = own(path, flags, *mode)
        if flags & os.O_CREAT:
            rights.add(stat.S_IMODE(os.fstat(handle).st_mode))
        return handle

    monkeypatch.setattr(os, "open", opening)
    try:
        Identity.create().save(tmp_path / "identity.pem", "word")
    finally:
        os.umask(before)
    assert rights == {0o600} == {stat.S_IMODE((tmp_path / "identity.pem").stat().st_mode)}


@pytest.mark.claim("asm-signatures")
def test_wherever_the_disk_fails_an_identity_is_saved_whole_or_can_be_saved_again(tmp_path):
    """What was half written would keep its place: an identity's file is never overwritten."""
    path, identity = tmp_path / "identity.pem", Identity.create()
    for failing in every_failure():
        with failing as disk:
            try:
                identity.save(path, "word")
                disk.require_done()
            except OSError:
                assert disk.failed and not path.exists()
                continue
        assert not disk.failed, f"a failure is passed over: {disk.steps}"
        assert Identity.load(path, "word").public == identity.public
        path.unlink()


@pytest.mark.parametrize("saved", ["NFC", "NFD"])
@pytest.mark.parametrize("typed", ["NFC", "NFD"])
def test_a_passphrase_is_the_same_however_a_keyboard_writes_its_accents(tmp_path, saved, typed):
    """Also for what was saved before, as it came."""
    path, identity = tmp_path / "identity.pem", Identity.create()
    said = {form: unicodedata.normalize(form, "schön geheim é") for form in ("NFC", "NFD")}
    identity.save(path, said[saved])
    assert Identity.load(path, said[typed]).public == identity.public
    secret = BestAvailableEncryption(said[saved].encode())
    path.write_bytes(identity._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, secret))
    assert Identity.load(path, said[typed]).public == identity.public
    for other in ("schon geheim e", ""):
        with pytest.raises(ValueError, match="passphrase"):
            Identity.load(path, other)


@pytest.mark.parametrize("passphrase", [b"word", None, 7, ["word"], "\ud800"])
def test_a_passphrase_is_text(tmp_path, passphrase):
    """What is none is refused by its type, and no file is made."""
    path = tmp_path / "identity.pem"
    with pytest.raises(ValueError, match="passphrase must be text"):
        Identity.create().save(path, passphrase)
    assert not path.exists()
    Identity.create().save(path, "word")
    with pytest.raises(ValueError, match="passphrase must be text"):
        Identity.load(path, passphrase)
