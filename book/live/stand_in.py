"""The parts of ``cryptography`` that fdpedu uses, in plain Python and NumPy, for the browser: for teaching only.

There is no build of the package for WebAssembly in the registries. This module gives the same bytes, slowly and with no
protection of its keys against whoever measures time or reads memory. :func:`install` puts it in the package's place;
it does so in the live edition alone, and never where the package itself can be imported. Whatever is released then is
named a rehearsal in its derivation. It is one file, because it is loaded as one and read beside four RFCs.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import sys
from functools import cached_property, lru_cache
from types import ModuleType

import numpy as np

NAME = "a stand-in for cryptography, in plain Python, for teaching"

_P = 2**255 - 19  # of the field of both curves
_L = 2**252 + 27742317777372353535851937790883648493  # order of Ed25519's base point
_D = -121665 * pow(121666, -1, _P) % _P
_I = pow(2, (_P - 1) // 4, _P)  # a square root of −1


class InvalidTag(Exception):
    """What was sealed was changed, or with another key."""


class InvalidSignature(Exception):
    """Not signed by this key."""


# --- ChaCha20 (RFC 8439), and its seal --------------------------------------------------------------------------------


def _rotated(x: np.ndarray, bits: int) -> np.ndarray:
    return (x << np.uint32(bits)) | (x >> np.uint32(32 - bits))


def _quarters(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> None:
    for one, two, three, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        one += two
        three[:] = _rotated(three ^ one, bits)


_TURNS = [np.roll(np.arange(4), -k) for k in range(4)]  # a row's diagonals, and with −k their columns again


_LANES = int.from_bytes(b"\xff\xff\xff\xff\0\0\0\0" * 4, "little")


def _block(start: bytes) -> bytes:
    """One block: of each row the four words in one integer, 64 bits apart. For few blocks faster than NumPy."""
    wide, lanes = np.frombuffer(start, dtype="<u4").astype("<u8").tobytes(), _LANES
    rows = a, b, c, d = [int.from_bytes(wide[at : at + 32], "little") for at in range(0, 128, 32)]
    for _ in range(10):
        for one, three in ((64, 192), (192, 64)):
            a = a + b & lanes
            d = ((d ^ a) << 16 | (d ^ a) >> 16) & lanes
            c = c + d & lanes
            b = ((b ^ c) << 12 | (b ^ c) >> 20) & lanes
            a = a + b & lanes
            d = ((d ^ a) << 8 | (d ^ a) >> 24) & lanes
            c = c + d & lanes
            b = ((b ^ c) << 7 | (b ^ c) >> 25) & lanes
            b = (b >> one | b << three) & lanes
            c = (c >> 128 | c << 128) & lanes
            d = (d >> three | d << one) & lanes
    words = b"".join((x + y & lanes).to_bytes(32, "little") for x, y in zip(rows, (a, b, c, d), strict=True))
    return np.frombuffer(words, dtype="<u4")[::2].tobytes()


def chacha20(key: bytes, nonce: bytes, n_bytes: int, counter: int = 0) -> bytes:
    """Key stream from block ``counter`` on.

    Parameters
    ----------
    key : 32 bytes
    nonce : 16 bytes: the first counter (little-endian) and 12 bytes of nonce, or these alone
    """
    if len(nonce) == 16:
        counter, nonce = counter + int.from_bytes(nonce[:4], "little"), nonce[4:]
    blocks = -(-n_bytes // 64)
    if blocks < 8:
        counters = [(counter + at) % 2**32 for at in range(blocks)]
        starts = (b"expand 32-byte k" + key + at.to_bytes(4, "little") + nonce for at in counters)
        return b"".join(map(_block, starts))[:n_bytes]
    start = np.zeros((16, blocks), dtype=np.uint32)
    start[:4] = np.frombuffer(b"expand 32-byte k", dtype="<u4")[:, None]
    start[4:12] = np.frombuffer(key, dtype="<u4")[:, None]
    start[12] = (np.arange(blocks, dtype=np.uint64) + np.uint64(counter)).astype(np.uint32)
    start[13:] = np.frombuffer(nonce, dtype="<u4")[:, None]
    rows = [row.copy() for row in start.reshape(4, 4, blocks)]
    for _ in range(10):
        for way in (1, -1):
            _quarters(*rows)
            rows = [row[_TURNS[way * k]] for k, row in enumerate(rows)]
    x = np.concatenate(rows) + start
    return x.T.astype("<u4").tobytes()[:n_bytes]


def _xored(data: bytes, stream: bytes) -> bytes:
    return (np.frombuffer(data, dtype=np.uint8) ^ np.frombuffer(stream, dtype=np.uint8)).tobytes()


def _poly1305(key: bytes, message: bytes) -> bytes:
    r, s = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF, int.from_bytes(key[16:], "little")
    total = 0
    for at in range(0, len(message), 16):
        total = (total + int.from_bytes(message[at : at + 16] + b"\1", "little")) * r % (2**130 - 5)
    return ((total + s) % 2**128).to_bytes(16, "little")


class ChaCha20Poly1305:
    """Seals: encrypts, and knows when somebody has changed a byte."""

    def __init__(self, key: bytes) -> None:
        if len(key) != 32:
            raise ValueError("ChaCha20Poly1305 key must be 32 bytes.")
        self._key = key

    def encrypt(self, nonce: bytes, data: bytes, associated_data: bytes | None) -> bytes:
        """What is sealed, with its tag of 16 bytes."""
        sealed = _xored(data, chacha20(self._key, nonce, len(data), 1))
        return sealed + self._tag(nonce, sealed, associated_data or b"")

    def decrypt(self, nonce: bytes, data: bytes, associated_data: bytes | None) -> bytes:
        """What was sealed; :class:`InvalidTag` if anything differs."""
        sealed, tag = data[:-16], data[-16:]
        if len(data) < 16 or not hmac.compare_digest(tag, self._tag(nonce, sealed, associated_data or b"")):
            raise InvalidTag
        return _xored(sealed, chacha20(self._key, nonce, len(sealed), 1))

    def _tag(self, nonce: bytes, sealed: bytes, beside: bytes) -> bytes:
        if len(nonce) != 12:
            raise ValueError("Nonce must be 12 bytes")
        text = b"".join(part + bytes(-len(part) % 16) for part in (beside, sealed))
        ends = len(beside).to_bytes(8, "little") + len(sealed).to_bytes(8, "little")
        return _poly1305(chacha20(self._key, nonce, 32), text + ends)


class _Stream:
    def __init__(self, key: bytes, nonce: bytes) -> None:
        self._key, self._nonce, self._used = key, nonce, 0

    def _next(self, n_bytes: int) -> bytes:
        block, skip = divmod(self._used, 64)
        self._used += n_bytes
        return chacha20(self._key, self._nonce, skip + n_bytes, block)[skip:]

    def update(self, data: bytes | memoryview) -> bytes:
        return _xored(bytes(data), self._next(len(data)))

    def update_into(self, data: bytes | memoryview, buffer: memoryview) -> int:
        into = memoryview(buffer).cast("B")
        into[: len(data)] = self.update(data)
        return len(data)

    def finalize(self) -> bytes:
        return b""


class ChaCha20:
    """An algorithm, for :class:`Cipher`."""

    def __init__(self, key: bytes, nonce: bytes) -> None:
        if (len(key), len(nonce)) != (32, 16):
            raise ValueError("key must be 32 bytes, and nonce 16: the first counter and 12 bytes of nonce")
        self.key, self.nonce = key, nonce


class Cipher:
    """A key stream added to what is given."""

    def __init__(self, algorithm: ChaCha20, mode: None) -> None:
        self._algorithm = algorithm

    def encryptor(self) -> _Stream:
        """From its first byte on."""
        return _Stream(self._algorithm.key, self._algorithm.nonce)


# --- HKDF (RFC 5869) --------------------------------------------------------------------------------------------------


class SHA256:
    """Which hash."""


class HKDF:
    """Keys from what is not uniform."""

    def __init__(self, algorithm: SHA256, length: int, salt: bytes | None, info: bytes | None) -> None:
        self._length, self._salt, self._info = length, salt or bytes(32), info or b""

    def derive(self, key_material: bytes) -> bytes:
        """So many bytes."""
        key, last, out = hmac.digest(self._salt, key_material, "sha256"), b"", b""
        for number in range(1, -(-self._length // 32) + 1):
            last = hmac.digest(key, last + self._info + bytes([number]), "sha256")
            out += last
        return out[: self._length]


# --- X25519 (RFC 7748) ------------------------------------------------------------------------------------------------


def _clamped(private: bytes) -> int:
    return int.from_bytes(private, "little") & ~7 & (2**254 - 1) | 2**254


def _x25519(private: bytes, public: bytes) -> bytes:
    k, u = _clamped(private), int.from_bytes(public, "little") % 2**255
    x2, z2, x3, z3, swapped = 1, 0, u, 1, 0
    for bit in reversed(range(255)):
        if swapped ^ (k >> bit & 1):
            x2, x3, z2, z3 = x3, x2, z3, z2
        swapped = k >> bit & 1
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        da, cb, aa, bb = d * a % _P, c * b % _P, a * a % _P, b * b % _P
        e = aa - bb
        x3, z3 = (da + cb) ** 2 % _P, u * (da - cb) ** 2 % _P
        x2, z2 = aa * bb % _P, e * (aa + 121665 * e) % _P
    if swapped:
        x2, z2 = x3, z3
    return (x2 * pow(z2, -1, _P) % _P if z2 else 0).to_bytes(32, "little")


class _Public:
    def __init__(self, data: bytes) -> None:
        self._data = bytes(data)

    def public_bytes(self, encoding: str, format: str) -> bytes:
        return self._data

    @classmethod
    def from_public_bytes(cls, data: bytes):
        if len(data) != 32:
            raise ValueError("a public key is 32 bytes long")
        return cls(data)


class _Private:
    def __init__(self, data: bytes) -> None:
        self._data = bytes(data)

    @classmethod
    def generate(cls):
        return cls(os.urandom(32))

    @classmethod
    def from_private_bytes(cls, data: bytes):
        if len(data) != 32:
            raise ValueError("a private key is 32 bytes long")
        return cls(data)

    def private_bytes(self, encoding: str, format: str, encryption: str) -> bytes:
        if encoding != Encoding.Raw:
            raise ValueError("the live edition keeps no keys in files: install fdpedu for that")
        return self._data


class X25519PublicKey(_Public):
    """The other's."""


class X25519PrivateKey(_Private):
    """One's own."""

    def public_key(self) -> X25519PublicKey:
        """Its public half."""
        return X25519PublicKey(_x25519(self._data, (9).to_bytes(32, "little")))

    def exchange(self, peer_public_key: X25519PublicKey) -> bytes:
        """What both have in common; a point of small order is refused."""
        secret = _x25519(self._data, peer_public_key._data)
        if not any(secret):
            raise ValueError("Error computing shared key.")
        return secret


# --- Ed25519 (RFC 8032) -----------------------------------------------------------------------------------------------

_Point = tuple[int, int, int, int]  # X, Y, Z, T of x = X/Z, y = Y/Z, xy = T/Z
_ZERO: _Point = (0, 1, 1, 0)


def _added(p: _Point, q: _Point) -> _Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % _P, (p[1] + p[0]) * (q[1] + q[0]) % _P
    c, d = 2 * p[3] * q[3] * _D % _P, 2 * p[2] * q[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


@lru_cache(64)  # the base point, and the few keys of a session, of which each is asked many times
def _doubled(point: _Point) -> list[_Point]:
    """1, 2, 4, … times the point."""
    doubles = [point]
    for _ in range(255):
        doubles.append(_added(doubles[-1], doubles[-1]))
    return doubles


def _times(k: int, point: _Point) -> _Point:
    total = _ZERO
    for bit, double in enumerate(_doubled(point)):
        if k >> bit & 1:
            total = _added(total, double)
    return total


def _written(point: _Point) -> bytes:
    inverse = pow(point[2], -1, _P)
    x, y = point[0] * inverse % _P, point[1] * inverse % _P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _read(data: bytes) -> _Point | None:
    whole = int.from_bytes(data, "little")
    y, odd = whole % 2**255, whole >> 255
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _I % _P
    if (x * x - square) % _P or (x == 0 and odd):
        return None
    x = _P - x if x & 1 != odd else x
    return x, y, 1, x * y % _P


_BASE = _read((4 * pow(5, -1, _P) % _P).to_bytes(32, "little"))
assert _BASE is not None


def _hashed(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")


class Ed25519PublicKey(_Public):
    """Whoever has it can check."""

    def verify(self, signature: bytes, data: bytes) -> None:
        """Raise :class:`InvalidSignature` unless the key's owner has signed."""
        point, r = _read(self._data), _read(signature[:32])
        s = int.from_bytes(signature[32:], "little")
        if point is None or r is None or len(signature) != 64 or s >= _L:
            raise InvalidSignature
        k = _hashed(signature[:32], self._data, data) % _L
        negative = (_P - point[0], point[1], point[2], _P - point[3])
        if _written(_added(_times(s, _BASE), _times(k, negative))) != signature[:32]:
            raise InvalidSignature


class Ed25519PrivateKey(_Private):
    """Whoever has it can sign."""

    def _halves(self) -> tuple[int, bytes]:
        whole = hashlib.sha512(self._data).digest()
        return _clamped(whole[:32]), whole[32:]

    @cached_property
    def _public(self) -> bytes:
        return _written(_times(self._halves()[0], _BASE))

    def public_key(self) -> Ed25519PublicKey:
        """Its public half."""
        return Ed25519PublicKey(self._public)

    def sign(self, data: bytes) -> bytes:
        """64 bytes."""
        secret, prefix = self._halves()
        public = self._public
        r = _hashed(prefix, data) % _L
        first = _written(_times(r, _BASE))
        return first + ((r + _hashed(first, public, data) * secret) % _L).to_bytes(32, "little")


# --- in the package's place -------------------------------------------------------------------------------------------


class Encoding:
    """How keys are written."""

    Raw, PEM = "raw", "pem"


class PrivateFormat:
    """How private keys are written."""

    Raw, PKCS8 = "raw", "pkcs8"


class PublicFormat:
    """How public keys are written."""

    Raw = "raw"


class NoEncryption:
    """Of a private key that is not written to a file."""


class BestAvailableEncryption:
    """Of a private key in a file."""

    def __init__(self, password: bytes) -> None:
        pass


def load_pem_private_key(data: bytes, password: bytes | None) -> Ed25519PrivateKey:
    """The live edition keeps no keys in files."""
    raise ValueError("the live edition keeps no keys in files: install fdpedu for that")


_MODULES = {
    "": {},
    ".exceptions": {"InvalidTag": InvalidTag, "InvalidSignature": InvalidSignature},
    ".hazmat": {},
    ".hazmat.primitives": {},
    ".hazmat.primitives.hashes": {"SHA256": SHA256},
    ".hazmat.primitives.asymmetric": {},
    ".hazmat.primitives.asymmetric.x25519": {"X25519PrivateKey": X25519PrivateKey, "X25519PublicKey": X25519PublicKey},
    ".hazmat.primitives.asymmetric.ed25519": {
        "Ed25519PrivateKey": Ed25519PrivateKey,
        "Ed25519PublicKey": Ed25519PublicKey,
    },
    ".hazmat.primitives.ciphers": {"Cipher": Cipher},
    ".hazmat.primitives.ciphers.algorithms": {"ChaCha20": ChaCha20},
    ".hazmat.primitives.ciphers.aead": {"ChaCha20Poly1305": ChaCha20Poly1305},
    ".hazmat.primitives.kdf": {},
    ".hazmat.primitives.kdf.hkdf": {"HKDF": HKDF},
    ".hazmat.primitives.serialization": {
        "Encoding": Encoding,
        "PrivateFormat": PrivateFormat,
        "PublicFormat": PublicFormat,
        "NoEncryption": NoEncryption,
        "BestAvailableEncryption": BestAvailableEncryption,
        "load_pem_private_key": load_pem_private_key,
    },
}


def install() -> None:
    """Put it in the place of ``cryptography``; refuses where that is to be had."""
    from importlib.util import find_spec

    if find_spec("cryptography") is not None:
        raise RuntimeError("cryptography is installed here: its stand-in is for the browser only")
    for name, members in _MODULES.items():
        module = ModuleType("cryptography" + name, NAME)
        module.__dict__.update(members, __path__=[], __version__=NAME, STANDS_IN=True)
        sys.modules["cryptography" + name] = module
        above, _, last = ("cryptography" + name).rpartition(".")
        if above:
            setattr(sys.modules[above], last, module)
