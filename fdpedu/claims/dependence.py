"""Which random words each number of a draw is made of; and draws so long that nothing in them may repeat.

Numbers that are functions of disjoint sets of independent words are independent. So where words are too wide to play
them all, the words are altered one half at a time, and what changes is looked at: no half of a word may reach two
numbers. That is exact for the words at hand, and says nothing of what happens once in a million draws; the joint laws
of :mod:`fdpedu.claims.replay`, with short words, do.

A fault that begins at some size shows in a long draw only. Its bits are fair and independent of each other, so the
products of two of them at any distance, or mirrored at any place, add up to little.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.claims.checking import require
from fdpedu.randomness import SeededSource, Words

Place = tuple[tuple[int, ...], int, int]  # which child's child … of the source, its how-many-th word, which half of it
ALPHA = 1e-9  # of a long draw: the probability of a false alarm, for bits that are fair


class AlteredWords:
    """The words of a seeded generator, of which some are altered; each child has words of its own.

    Parameters
    ----------
    seed : of all words
    altered : at which places bits are flipped, and which of the 32
    path : of this source among the children of the first
    """

    kind = SeededSource.kind
    word_bits = 64

    def __init__(self, seed: int, altered: Mapping[Place, int] | None = None, path: tuple[int, ...] = ()) -> None:
        self._seed, self._altered, self._path = seed, altered or {}, path
        self._generator = np.random.default_rng([seed, *(k + 1 for k in path)])  # a 0 at the end would add nothing
        self._drawn, self._children = 0, list[AlteredWords]()

    def words(self, size: int) -> Words:
        found = self._generator.integers(0, 2**64, size=size, dtype=np.uint64)
        for (path, index, half), bits in self._altered.items():
            if path == self._path and 0 <= index - self._drawn < size:
                found[index - self._drawn] ^= np.uint64(bits << (32 * half))
        self._drawn += size
        return found

    def spawn(self, n: int) -> list[AlteredWords]:
        first = len(self._children)
        self._children += [AlteredWords(self._seed, self._altered, (*self._path, first + k)) for k in range(n)]
        return self._children[first:]

    def places(self) -> list[Place]:
        """The halves of all words that were drawn, here and by the children."""
        own = [(self._path, index, half) for index in range(self._drawn) for half in (0, 1)]
        return own + [place for child in self._children for place in child.places()]


def reached_by(draw: Callable[[AlteredWords], Any], seed: int, times: int = 2) -> list[set[Place]]:
    """For each number of a draw, the halves of words that it changes with, each altered ``times`` times."""
    source = AlteredWords(seed)
    plain = np.ravel(draw(source))
    flips = np.random.default_rng([seed, 2**31]).integers(1, 2**32, size=times).tolist()
    reached: list[set[Place]] = [set() for _ in plain]
    for place in source.places():
        for bits in flips:
            after = np.ravel(draw(AlteredWords(seed, {place: bits})))
            for cell in np.flatnonzero(after != plain):
                reached[cell].add(place)
    return reached


def require_own_words(draw: Callable[[AlteredWords], Any], seed: int, least: int = 1, sources: int = 1) -> None:
    """No half of a word reaches two numbers; each is reached by ``least`` halves of words of each of the sources.

    >>> require_own_words(lambda source: source.words(3), seed=1, least=2)
    >>> require_own_words(lambda source: np.repeat(source.words(2), 2), seed=1)
    Traceback (most recent call last):
    fdpedu.claims.checking.Refuted: the numbers 0 and 1 are made of the same word
    """
    reached = reached_by(draw, seed)
    _require_apart(reached)
    seen = {path for places in reached for path, _, _ in places}
    if len(seen) >= sources and not all(_enough(places, least, sources) for places in reached):
        reached = reached_by(draw, seed, times=12)  # another word may give the same number; twelve hardly do
        _require_apart(reached)
    for cell, places in enumerate(reached):
        require(
            _enough(places, least, sources),
            f"number {cell} is made of {_counts(places)} half words, one count a source; "
            f"needed are {sources} sources, {least} of each",
        )


def _require_apart(reached: Sequence[set[Place]]) -> None:
    owner: dict[Place, int] = {}
    for cell, places in enumerate(reached):
        for place in sorted(places):
            other = owner.setdefault(place, cell)
            require(other == cell, f"the numbers {other} and {cell} are made of the same word")


def _counts(places: set[Place]) -> list[int]:
    """How many of these places each source has."""
    return sorted(Counter(path for path, _, _ in places).values(), reverse=True)


def _enough(places: set[Place], least: int, sources: int) -> bool:
    counts = _counts(places)
    return len(counts) == sources and counts[-1] >= least


def require_unrelated(signs: Mapping[str, NDArray[Any]]) -> None:
    """Long rows of fair signs, or of other numbers in [−1, 1] of mean 0: none repeats at any distance, nor mirrored.

    The products of independent ones at one distance, or with one sum of places, have the mean 0 too, whatever came
    before. So by Hoeffding's (and Azuma's) inequality their sum exceeds a bound with a probability below α, for all of
    the distances, sums and rows together.

    >>> row = np.random.default_rng(1).integers(0, 2, 1000) * 2 - 1
    >>> require_unrelated({"a row": row})
    >>> require_unrelated({"a row twice": np.concatenate([row, -row])})
    Traceback (most recent call last):
    fdpedu.claims.checking.Refuted: a row twice: numbers 1000 apart are alike...
    """
    tests = sum(4 * row.size for row in signs.values())
    for name, row in ((name, np.ravel(row)) for name, row in signs.items()):
        n, length = row.size, 1 << (2 * row.size).bit_length()
        limit = math.sqrt(2 * n * math.log(2 * tests / ALPHA))
        once = np.fft.rfft(row, length)
        apart = np.abs(np.fft.irfft(once * once.conj(), length)[1:n])
        places = np.arange(0, 2 * n - 1, 2, dtype=np.int64) // 2
        mirrored = np.fft.irfft(once * once, length)[: 2 * n - 1]
        mirrored[0 : 2 * n - 1 : 2] -= row[places].astype(float) ** 2  # a number is always like itself
        total = abs(float(row.sum()))
        require(total <= limit, f"{name}: the sum of {n} numbers of mean 0 is {total:.0f}, more than {limit:.0f}")
        worst = int(np.argmax(apart)) + 1
        require(apart[worst - 1] <= limit, f"{name}: numbers {worst} apart are alike, by {apart[worst - 1]:.0f} of {n}")
        worst = int(np.argmax(np.abs(mirrored)))
        require(
            abs(mirrored[worst]) / 2 <= limit,
            f"{name}: numbers at places that add up to {worst} are alike, by {abs(mirrored[worst]) / 2:.0f} of {n}",
        )


def bits_of(numbers: NDArray[Any], bits: Sequence[int]) -> dict[str, NDArray[np.float64]]:
    """Signs from some bits of the magnitudes of integers, in one row each."""
    sizes = np.abs(np.ravel(numbers)) if numbers.dtype != np.uint64 else np.ravel(numbers)
    one = sizes.dtype.type(1)
    return {f"bit {bit} of {sizes.size} numbers": 1.0 - 2.0 * ((sizes >> sizes.dtype.type(bit)) & one) for bit in bits}


def require_distinct(numbers: Any, what: str, most: int = 0) -> None:
    """So rarely does one of these numbers come twice that more than ``most`` repetitions are a fault."""
    flat = np.abs(np.ravel(numbers)) if np.asarray(numbers).dtype != np.uint64 else np.ravel(numbers)
    again = flat.size - np.unique(flat).size
    require(again <= most, f"of {flat.size} {what}, {again} came before")
