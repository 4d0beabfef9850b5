"""Ideal masks, keys and signatures for the checks of this chapter: every table of a small space at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.replay import patched
from fdpedu.randomness import Words
from fdpedu.secure_sum import Primitives, canonical, hashed
from fdpedu.secure_sum.binding import Canonical


class Tables:
    """A table for every key that is asked for, in the order of asking; all fillings of ``tables`` tables at once."""

    def __init__(self, tables: int, modulus: int) -> None:
        self.size, self._modulus = modulus**tables, modulus
        self._free = [np.arange(self.size, dtype=np.uint64) // modulus**i % modulus for i in reversed(range(tables))]
        self.of_key: dict[bytes, Words] = {}

    def stream(self, key: bytes, size: int, modulus: int) -> Iterator[Words]:
        """What stands for the key stream of a key."""
        require((size, modulus) == (self.size, self._modulus), "the sum has another size or modulus than the tables")
        if key not in self.of_key:
            require(self._free, "more keys are used than there are tables")
            self.of_key[key] = self._free.pop()
        yield self.of_key[key].copy()


@contextmanager
def ideal_tables(tables: int, modulus: int) -> Iterator[Tables]:
    """Ideal tables in the place of key streams, for the length of a block."""
    ideal = Tables(tables, modulus)
    with patched("fdpedu.secure_sum.masks", _uniform_stream=ideal.stream):
        yield ideal


def view_counts(columns: Sequence[Words], modulus: int) -> dict[int, int]:
    """How many fillings give each view; a view is a row of the columns, written as one number."""
    code = np.zeros(columns[0].shape, dtype=np.int64)
    for column in columns:
        code = code * modulus + column.astype(np.int64)
    views, counts = np.unique(code, return_counts=True)
    return dict(zip(views.tolist(), counts.tolist(), strict=True))


def require_uniform_view(sent: Sequence[Words], known: Sequence[Words], modulus: int, total: int | None) -> None:
    """Given what is known, all that was sent is equally likely: with that total mod R, or without any bond."""
    if total is not None:
        sums = np.sum([column.astype(np.int64) for column in sent], axis=0)
        require(not ((sums - total) % modulus).any(), "a view does not add up to the sum")
    counts = view_counts([*known, *sent], modulus)
    free = modulus ** (len(sent) - (total is not None))
    situations = len(view_counts(known, modulus)) if known else 1
    require(len(set(counts.values())) == 1, "some views are likelier than others")
    require(len(counts) == situations * free, f"{len(counts)} views occur instead of {situations * free}")


class IdealSigner:
    """It signs by entering what it signs in the common table."""

    def __init__(self, public: bytes, signed: set[tuple[bytes, bytes]]) -> None:
        self.public, self._signed = public, signed

    def sign(self, purpose: str, *fields: Canonical) -> bytes:
        content = canonical((purpose, *fields))
        self._signed.add((self.public, content))
        return hashed(("signature", self.public, content))


class IdealPrimitives(Primitives):
    """Keys and signatures from a table: nobody guesses a secret, and what nobody has signed is not signed."""

    def __init__(self) -> None:
        self._count = 0
        self._signed: set[tuple[bytes, bytes]] = set()

    def fresh(self) -> bytes:
        self._count += 1
        return self._count.to_bytes(32, "big")

    def public(self, secret: bytes) -> bytes:
        return hashed(("public", secret))

    def agree(self, secret: bytes, other_public: bytes) -> bytes:
        return hashed(("agreed", *sorted((self.public(secret), other_public))))

    def identity(self) -> IdealSigner:
        return IdealSigner(self.fresh(), self._signed)

    def is_signed(self, identity: bytes, signature: bytes, purpose: str, *fields: Canonical) -> bool:
        content = canonical((purpose, *fields))
        return (identity, content) in self._signed and signature == hashed(("signature", identity, content))
