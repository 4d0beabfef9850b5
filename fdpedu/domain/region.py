"""Regions: the parts of the record domain that queries look at, and the algebra that accounting needs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain.columns import Codes
from fdpedu.domain.features import MAX_CODES
from fdpedu.exact import quoted

MAX_PARTIES = 256  # positions on the public list of a session's parties
ALL = (1 << MAX_PARTIES) - 1  # the mask of all of them
SESSION = re.compile("[0-9a-f]{64}")  # the name of a session: 32 bytes, in hexadecimal digits
PARTY = "party "  # what stands before it where a region names positions of parties in JSON
_SLOT = MAX_CODES // 8 + 1  # bytes of a coordinate where all stand in one integer: its codes, and spare bits above them


@dataclass(frozen=True)
class Region:
    """A product of code sets, one per feature, and a class set: the part of the record domain that a query looks at.

    Sets are bit masks (bit i stands for code i). Two regions are disjoint iff they are in some coordinate; one contains
    another iff it does in every coordinate. Rows can be partitioned by regions. Columns cannot: one record has a value
    in every feature.

    A record also lies at one party, whose position on the public list of a session's parties is one more coordinate, of
    256 codes. Each session has a list of its own, and so a coordinate of its own: positions of two sessions say nothing
    of each other. Only accounting restricts it: no row says where it lies, so queries look at regions of all parties.

    Parameters
    ----------
    features, classes : one bit mask for every feature, and one for the classes
    parties : the bit mask of the positions of parties; all of them, if it is left out
    session : the name of the session in which these are positions, 64 hexadecimal digits; empty for all parties

    Examples
    --------
    >>> everyone = Region((0b111, 0b11), 0b11)
    >>> monday, tuesday = "0" * 64, "1" * 64
    >>> first, others = everyone.of_party({0}, monday), everyone.of_party(range(1, 5), monday)
    >>> first.is_disjoint(others), everyone.contains(first)
    (True, True)
    >>> first.is_disjoint(everyone.of_party({1}, tuesday))
    False
    """

    features: tuple[int, ...]
    classes: int
    parties: int = ALL
    session: str = ""

    def __post_init__(self) -> None:
        if type(self.features) is not tuple or not all(type(mask) is int for mask in self._masks):
            raise ValueError("a region needs a tuple of bit masks and one for the classes, all of them integers")
        if not all(0 < mask < 1 << MAX_CODES for mask in self._masks[:-1]):
            raise ValueError("a region must hold at least one code of every feature and of the class, of at most 256")
        if not 0 < self.parties <= ALL:
            raise ValueError("a region must hold at least one party, of the positions 0 to 255")
        # lem-party-coordinate: a position is one of a list, and each session has a list of its own
        if self.of_all_parties:
            object.__setattr__(self, "session", "")
        elif type(self.session) is not str or not SESSION.fullmatch(self.session):
            raise ValueError(
                f"a region of some parties needs the name of their session, 64 hexadecimal digits; got session = "
                f"{quoted(self.session)}"
            )

    def __repr__(self) -> str:
        some = "" if self.of_all_parties else f", parties={self.parties}, session={self.session!r}"
        return f"Region(features={self.features}, classes={self.classes}{some})"

    def __hash__(self) -> int:
        return self._hash

    def restrict(self, feature: int, codes: Iterable[int]) -> Region:
        """The part of the region in which ``feature`` has one of ``codes``."""
        n = len(self.features)
        if isinstance(feature, bool) or not isinstance(feature, (int, np.integer)) or feature not in range(n):
            raise ValueError(f"feature must be a position from 0 to {n - 1}, got {quoted(feature)}")
        masks = list(self.features)
        masks[feature] &= _mask(codes)
        return Region(tuple(masks), self.classes, self.parties, self.session)

    def restrict_class(self, classes: Iterable[int]) -> Region:
        return Region(self.features, self.classes & _mask(classes), self.parties, self.session)

    def of_party(self, indexes: Iterable[int], session: str) -> Region:
        """The part of the region at the parties with these positions, 0 to 255, in the session of this name.

        >>> Region((3,), 3).of_party({2, 4}, "0" * 64).party_indexes
        frozenset({2, 4})
        """
        some = _mask(indexes, "positions of parties")
        if not self.of_all_parties and session != self.session:
            raise ValueError("a region has parties of one session: those of another are no part of it")
        return Region(self.features, self.classes, self.parties & some, session)

    @property
    def of_all_parties(self) -> bool:
        """Whether no party is left out, as in every region that a query looks at."""
        return self.parties == ALL

    @property
    def party_indexes(self) -> frozenset[int]:
        """The positions of the region's parties."""
        return _members(self.parties)

    def codes(self, feature: int) -> frozenset[int]:
        return _members(self.features[feature])

    @property
    def class_codes(self) -> frozenset[int]:
        return _members(self.classes)

    def is_disjoint(self, other: Region) -> bool:
        """Whether some coordinate has no code in common. Filled up by 2^256 − 1, any other slot sets its spare bit."""
        self._require_as_many(other)
        fill, spare = _fill_and_spare(len(self._masks))
        common = self._packed & other._packed
        if self.session != other.session:  # lem-party-coordinate: the two positions of a record may be any
            common |= 1 << 8 * _SLOT * (len(self._masks) - 1)
        return (common + fill) & spare != spare

    def contains(self, other: Region) -> bool:
        """Whether every coordinate has all codes of the other region's."""
        self._require_as_many(other)
        own = self.of_all_parties or self.session == other.session
        return own and self._packed | other._packed == self._packed

    def hull(self, other: Region) -> Region:
        """The smallest product that contains both."""
        *features, classes, parties = (a | b for a, b in zip(self._masks, other._masks, strict=True))
        return Region(tuple(features), classes, parties if self.session == other.session else ALL, self.session)

    def _require_as_many(self, other: Region) -> None:
        if len(self.features) != len(other.features):
            raise ValueError(
                f"two regions must have the same number of features, got {len(self.features)} and {len(other.features)}"
            )

    @property
    def _masks(self) -> tuple[int, ...]:
        return (*self.features, self.classes, self.parties)

    @cached_property
    def _packed(self) -> int:
        """All coordinates in one integer, each in a slot of its own."""
        return _pack(self._masks)

    @cached_property
    def _hash(self) -> int:
        return hash((self._packed, self.session))

    def holds(self, codes: Codes, labels: Codes, whole: Region) -> NDArray[np.bool_]:
        """Which records lie in the region; coordinates that are as in ``whole``, the whole domain, are skipped."""
        if self.parties != whole.parties:
            raise ValueError("a row does not say at which party it lies: ask for a region of all parties")
        inside = np.ones(labels.size, dtype=bool)
        coordinates = [*codes.T, labels]
        for column, mask, everything in zip(coordinates, self._masks[:-1], whole._masks[:-1], strict=True):
            if mask != everything:
                inside &= _table(mask)[column]
        return inside

    def inside(self, sizes: Iterable[int]) -> NDArray[np.bool_]:
        """Which of all features' codes, one after the other, lie in the region; ``sizes`` are how many each has.

        >>> Region((0b101, 0b10), 1).inside([3, 2]).tolist()
        [True, False, True, False, True]
        """
        return np.concatenate([_table(mask)[:size] for mask, size in zip(self.features, sizes, strict=True)])

    def to_json(self, whole: Region) -> dict[str, list[int]]:
        """Only the coordinates that differ from the whole's, as lists of codes: ``{"0": [0, 1], "class": [1]}``.

        Positions of parties stand under the name of their session: ``{"party 0123…": [3]}``.
        """
        triples = zip(self._names, self._masks, whole._masks, strict=True)
        return {name: sorted(_members(mask)) for name, mask, everything in triples if mask != everything}

    @classmethod
    def from_json(cls, named: Mapping[str, Iterable[int]], whole: Region) -> Region:
        """The part of ``whole`` with the codes that are named, coordinate by coordinate: what :meth:`to_json` wrote."""
        region = whole
        for name, codes in named.items():
            if name.startswith(PARTY):
                region = region.of_party(codes, name.removeprefix(PARTY))
            else:
                region = region.restrict_class(codes) if name == "class" else region.restrict(int(name), codes)
        return region

    @property
    def _names(self) -> tuple[str, ...]:
        """What the coordinates are called in JSON, in the order of ``_masks``."""
        return (*map(str, range(len(self.features))), "class", PARTY + self.session)


def _mask(codes: Iterable[Any], what: str = "codes") -> int:
    if isinstance(codes, (str, bytes)) or not isinstance(codes, Iterable):
        raise ValueError(f"{what} must be a list of integers from 0 to {MAX_CODES - 1}, got {quoted(codes)}")
    mask = 0
    for code in codes:
        real = isinstance(code, Real) and not isinstance(code, (bool, np.timedelta64))
        if not real or not 0 <= code < MAX_CODES or code != int(code):
            raise ValueError(f"{what} must be integers from 0 to {MAX_CODES - 1}, got {quoted(code)}")
        mask |= 1 << int(code)
    return mask


def _members(mask: int) -> frozenset[int]:
    return frozenset(code for code in range(mask.bit_length()) if mask >> code & 1)


def _pack(masks: Iterable[int]) -> int:
    return int.from_bytes(b"".join(mask.to_bytes(_SLOT, "little") for mask in masks), "little")


@lru_cache(maxsize=64)
def _fill_and_spare(coordinates: int) -> tuple[int, int]:
    """2^256 − 1 in every slot, and the spare bit above the codes of every slot."""
    return _pack([(1 << MAX_CODES) - 1] * coordinates), _pack([1 << MAX_CODES] * coordinates)


@lru_cache(maxsize=4096)
def _table(mask: int) -> NDArray[np.bool_]:
    """Whether each code is a member; cached, because every query of a region needs it."""
    table = np.array([mask >> code & 1 for code in range(MAX_CODES)], dtype=bool)
    table.flags.writeable = False
    return table
