"""What stands in for ``cryptography`` in the live edition: the same bytes, the same refusals, named in derivations."""

import subprocess
import sys

import pytest
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ed25519, x25519
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given, settings
from hypothesis import strategies as st

from book.live import stand_in
from tests.support.repository import PACKAGE, ROOT

RAW = (Encoding.Raw, PublicFormat.Raw)
KEYS, NONCES, TEXTS = st.binary(min_size=32, max_size=32), st.binary(min_size=12, max_size=12), st.binary(max_size=300)
few = settings(max_examples=12)


def hexed(text):
    return bytes.fromhex(text)


# --- known answers ----------------------------------------------------------------------------------------------------


def test_chacha20_of_rfc_8439():
    """§2.4.2: the key stream's first bytes, and the text that it hides."""
    key, nonce = bytes(range(32)), hexed("000000000000004a00000000")
    text = b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
    text += b"sunscreen would be it."
    hidden = bytes(a ^ b for a, b in zip(text, stand_in.chacha20(key, nonce, len(text), 1), strict=True))
    assert hidden[:16] == hexed("6e2e359a2568f98041ba0728dd0d6981") and hidden[-10:] == hexed("b40b8eedf2785e42874d")


def test_poly1305_of_rfc_8439():
    """§2.5.2."""
    key = hexed("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b")
    tag = stand_in._poly1305(key, b"Cryptographic Forum Research Group")
    assert tag == hexed("a8061dc1305136c6c22b8baf0c0127a9")


def test_hkdf_of_rfc_5869():
    """A.1, the first case."""
    key = stand_in.HKDF(stand_in.SHA256(), 42, bytes(range(13)), bytes(range(0xF0, 0xFA))).derive(b"\x0b" * 22)
    assert key == hexed("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")


def test_x25519_of_rfc_7748():
    """§5.2, the first case."""
    scalar = hexed("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4")
    point = hexed("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c")
    product = stand_in.X25519PrivateKey(scalar).exchange(stand_in.X25519PublicKey(point))
    assert product == hexed("c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552")


def test_ed25519_of_rfc_8032():
    """§7.1, the first test: the public key and the signature of nothing."""
    private = stand_in.Ed25519PrivateKey(hexed("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
    assert private.public_key().public_bytes(*RAW) == hexed(
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    )
    assert private.sign(b"") == hexed(
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555f"
        "b8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    )


# --- the package's bytes, on any input --------------------------------------------------------------------------------


@few
@given(KEYS, KEYS)
def test_both_agree_on_a_secret(mine, yours):
    theirs = x25519.X25519PrivateKey.from_private_bytes(yours).public_key()
    ours = stand_in.X25519PrivateKey(mine)
    raw = theirs.public_bytes(*RAW)
    package = x25519.X25519PrivateKey.from_private_bytes(mine)
    assert ours.public_key().public_bytes(*RAW) == package.public_key().public_bytes(*RAW)
    assert ours.exchange(stand_in.X25519PublicKey(raw)) == package.exchange(theirs)


@few
@given(KEYS, TEXTS)
def test_a_signature_is_the_same(key, text):
    package, ours = ed25519.Ed25519PrivateKey.from_private_bytes(key), stand_in.Ed25519PrivateKey(key)
    public = package.public_key().public_bytes(*RAW)
    assert ours.public_key().public_bytes(*RAW) == public and ours.sign(text) == package.sign(text)


@few
@given(KEYS, TEXTS, st.integers(0, 511), st.integers(0, 2400))
def test_a_changed_signature_is_refused_by_both(key, text, bit, place):
    """One bit of the signature is changed, or of the text."""
    signed = int.from_bytes(stand_in.Ed25519PrivateKey(key).sign(text), "little")
    public = stand_in.Ed25519PrivateKey(key).public_key().public_bytes(*RAW)
    package = ed25519.Ed25519PublicKey.from_public_bytes(public)
    other = bytes([*text[:-1], text[-1] ^ 1 << place % 8]) if text else b"x"
    for given_text, signature in ((text, signed), (text, signed ^ 1 << bit), (other, signed)):
        pair, verdicts = (signature.to_bytes(64, "little"), given_text), []
        for checker, refusal in (
            (package, InvalidSignature),
            (stand_in.Ed25519PublicKey(public), stand_in.InvalidSignature),
        ):
            try:
                checker.verify(*pair)
                verdicts.append(True)
            except refusal:
                verdicts.append(False)
        assert verdicts == [pair == (signed.to_bytes(64, "little"), text)] * 2


@few
@given(KEYS, NONCES, TEXTS, TEXTS | st.none(), st.integers(0, 10**4))
def test_what_is_sealed_is_the_same_and_a_change_is_seen(key, nonce, text, beside, place):
    package, ours = ChaCha20Poly1305(key), stand_in.ChaCha20Poly1305(key)
    sealed = package.encrypt(nonce, text, beside)
    assert ours.encrypt(nonce, text, beside) == sealed and ours.decrypt(nonce, sealed, beside) == text
    changed = bytearray(sealed)
    changed[place % len(sealed)] ^= 1 << place % 8
    for short in (bytes(changed), sealed[:-1], sealed[:9], b""):
        with pytest.raises(InvalidTag):
            package.decrypt(nonce, short, beside)
        with pytest.raises(stand_in.InvalidTag):
            ours.decrypt(nonce, short, beside)


@few
@given(KEYS, st.binary(min_size=16, max_size=16), st.lists(st.integers(0, 1000), max_size=4))
def test_a_key_stream_goes_on_where_it_stood(key, nonce, pieces):
    """A counter beyond 2³² is refused by the package and never reached by the library: it starts below 2³¹."""
    nonce = nonce[:3] + bytes([nonce[3] & 127]) + nonce[4:]
    package = Cipher(algorithms.ChaCha20(key, nonce), mode=None).encryptor()
    ours = stand_in.Cipher(stand_in.ChaCha20(key, nonce), None).encryptor()
    for piece in pieces:
        into = bytearray(piece)
        assert ours.update_into(bytes(piece), into) == piece
        assert bytes(into) == package.update(bytes(piece))
    assert ours.finalize() == package.finalize()


@few
@given(KEYS, TEXTS | st.none(), TEXTS | st.none(), st.integers(1, 300))
def test_derived_keys_are_the_same(key, salt, info, length):
    ours = stand_in.HKDF(stand_in.SHA256(), length, salt, info).derive(key)
    assert ours == HKDF(hashes.SHA256(), length, salt, info).derive(key)


LOW = (0, 1, 2**255 - 20, 2**255 - 19, 2**255 - 18)  # points of small order, and what is the same


@pytest.mark.parametrize("point", LOW)
def test_a_point_of_small_order_is_refused_as_there(point):
    raw = point.to_bytes(32, "little")
    with pytest.raises(ValueError):
        x25519.X25519PrivateKey.generate().exchange(x25519.X25519PublicKey.from_public_bytes(raw))
    with pytest.raises(ValueError, match="shared key"):
        stand_in.X25519PrivateKey.generate().exchange(stand_in.X25519PublicKey.from_public_bytes(raw))


@pytest.mark.parametrize("n", [0, 31, 33])
def test_keys_of_another_length_are_refused_as_there(n):
    pairs = [
        (stand_in.ChaCha20Poly1305, ChaCha20Poly1305),
        (stand_in.X25519PublicKey.from_public_bytes, x25519.X25519PublicKey.from_public_bytes),
        (stand_in.X25519PrivateKey.from_private_bytes, x25519.X25519PrivateKey.from_private_bytes),
        (stand_in.Ed25519PublicKey.from_public_bytes, ed25519.Ed25519PublicKey.from_public_bytes),
        (stand_in.Ed25519PrivateKey.from_private_bytes, ed25519.Ed25519PrivateKey.from_private_bytes),
        (lambda key: stand_in.ChaCha20(key, bytes(16)), lambda key: algorithms.ChaCha20(key, bytes(16))),
    ]
    for ours, package in pairs:
        for reads in (ours, package):
            with pytest.raises(ValueError):
                reads(bytes(n))


# --- in its place, and nowhere else -----------------------------------------------------------------------------------


def test_it_is_not_put_where_the_package_is():
    with pytest.raises(RuntimeError, match="for the browser only"):
        stand_in.install()


def test_nothing_of_the_library_knows_it():
    assert [
        file for file in PACKAGE.rglob("*.py") if "stand_in" in file.read_text("utf8").replace("_stand_ins", "")
    ] == []


TREE = """
import sys
sys.path[:0] = [{root!r}]
sys.modules["cryptography"] = None  # as where it is not installed
from book.live import stand_in
stand_in.install()
from fdpedu.accounting import Charge, Ledger, check_derivation
from fdpedu.domain import Domain
from fdpedu.federation import Federation, Party
from fdpedu.trees import fit_federated_tree

domain = Domain.from_spec({{"features": {{"age": [0, 100, 4]}}, "classes": ["ill", "well"]}})
rows = [[30, "well"]] * 20 + [[70, "ill"]] * 20
by_hand = Ledger(1, domain=domain)
by_hand.charge([Charge(domain.everything, "1/2", "a count", "by hand", 1, "thm-histogram")])
federation = Federation([Party(rows, domain) for _ in range(3)], domain, Ledger(1))
tree = fit_federated_tree(federation, max_depth=1)
for derivation in (by_hand.derivation(), tree.derivation):
    print(check_derivation(derivation.to_json()).randomness)
"""


def test_every_derivation_names_it():
    """A federated tree grows with it, masks and all; its derivation, and one of charges by hand, say: a rehearsal."""
    code = TREE.format(root=str(ROOT))
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert said.stdout.splitlines() == [str(("operating system", "rehearsal"))] * 2, said.stderr
