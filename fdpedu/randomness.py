"""Two sources of random words, and the exact integers made from them.

A *source* yields words of ``word_bits`` uniform random bits; all randomness of the package comes through it.

- :class:`SystemSource`: the operating system's entropy, 64 bits a word. The default of every release.
- :class:`SeededSource`: a ``numpy.random.Generator``, for teaching and tests. It warns once: anyone who knows the
  seed subtracts the noise.

Three more exist for tests and demonstrations, never for a release. :class:`Rehearsal` is seeded and silent, for pages
and checks that must not change from run to run. :class:`ReplayedWords` plays a given tape, so that the law of the
shipped samplers can be *enumerated* tape by tape; its words may be short (say 4 bits) for this purpose.
:class:`ZeroWords` yields zeros: every sampler of the package maps zeros to the outcome 0, so this is the noiseless
limit ε → ∞, which is no budget.

Sources with a state (a seed, a tape) are not copied, and refuse to go on after a fork: both would have the same words.

Not guaranteed: that the operating system's generator is good, or that the running time is independent of the words.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import Integers, ceil_div
from fdpedu.process import require_same_process, this_process

Words = NDArray[np.uint64]


@runtime_checkable
class Source(Protocol):
    """Random words: ``words(size)`` gives ``size`` independent uniform integers in [0, 2**word_bits)."""

    kind: str
    word_bits: int

    def words(self, size: int) -> Words: ...

    def spawn(self, n: int) -> Sequence[Source]: ...


Rng = Source | np.random.Generator | None  # what :func:`as_source` reads


class SeededReleaseWarning(UserWarning):
    """A seeded release is reproducible, hence not private against anyone who knows the seed."""


class SystemSource:
    """The operating system's entropy (``os.urandom``).

    Claims: asm-random-words
    """

    __slots__ = ()  # it has no attribute that could be set
    kind = "operating system"
    word_bits = 64

    def words(self, size: int) -> Words:
        return np.frombuffer(os.urandom(8 * size), dtype=np.uint64)

    def spawn(self, n: int) -> Sequence[Source]:
        return [self] * n


class Repeatable:
    """A source that holds a state, which a copy or a fork would go through a second time; so it refuses both."""

    def __init__(self) -> None:
        self._made_in = this_process()

    def __reduce__(self) -> Any:
        raise TypeError("a source with a state is neither copied nor pickled: the copy would yield the same words")

    def _require_one(self) -> None:
        require_same_process(self._made_in, "this source", "make one here, from a seed of its own")


class SeededSource(Repeatable):
    """A ``numpy.random.Generator``: reproducible, for teaching and tests; it warns once in a session."""

    kind = "seeded generator"
    word_bits = 64
    _warned = False

    def __init__(self, generator: np.random.Generator) -> None:
        super().__init__()
        if not SeededSource._warned:
            SeededSource._warned = True
            warnings.warn(
                "seeded releases are not private: whoever knows the seed can subtract the noise. "
                "Leave rng out to draw from the operating system.",
                SeededReleaseWarning,
                stacklevel=4,
            )
        self._generator = generator

    def words(self, size: int) -> Words:
        self._require_one()
        return self._generator.integers(2**64, size=size, dtype=np.uint64)

    def spawn(self, n: int) -> Sequence[Source]:
        self._require_one()
        return [SeededSource(child) for child in self._generator.spawn(n)]


class TapeExhausted(Exception):
    """A replayed tape ended before the sampler did."""


class ReplayedWords(Repeatable):
    """Test only: plays the given words of ``word_bits`` bits, then raises :class:`TapeExhausted`."""

    kind = "replayed tape (test only)"

    def __init__(self, tape: Sequence[int], word_bits: int = 64) -> None:
        super().__init__()
        self.word_bits = word_bits
        self._tape, self._position = tuple(tape), 0

    def words(self, size: int) -> Words:
        self._require_one()
        end = self._position + size
        if end > len(self._tape):
            raise TapeExhausted
        played, self._position = self._tape[self._position : end], end
        return np.array(played, dtype=np.uint64)

    def spawn(self, n: int) -> Sequence[Source]:
        self._require_one()
        return [self] * n


class Rehearsal(Repeatable):
    """Test only: the words of a seeded generator, without the warning, because nothing drawn from it is released."""

    kind = SeededSource.kind
    word_bits = 64

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._generator = np.random.default_rng(seed)

    def words(self, size: int) -> Words:
        self._require_one()
        return self._generator.integers(2**64, size=size, dtype=np.uint64)

    def spawn(self, n: int) -> Sequence[Source]:
        self._require_one()
        return [self] * n


class ZeroWords:
    """Test only: every word is zero, so every noise is zero. No budget describes this."""

    kind = "zero (test only)"
    word_bits = 64

    def words(self, size: int) -> Words:
        return np.zeros(size, dtype=np.uint64)

    def spawn(self, n: int) -> Sequence[Source]:
        return [self] * n


def as_source(rng: Rng = None) -> Source:
    """``None`` is the operating system, a NumPy generator is wrapped (and warns once), a source is itself."""
    if rng is None:
        return SystemSource()
    if isinstance(rng, np.random.Generator):
        return SeededSource(rng)
    if isinstance(rng, Source):
        if rng.kind == SystemSource.kind and type(rng) is not SystemSource:
            raise ValueError(f"a source of kind {rng.kind!r} must be the SystemSource, got {type(rng).__name__}")
        return rng
    raise ValueError(
        f"rng must be None (operating system), a numpy.random.Generator or a source, got {type(rng).__name__}"
    )


def short_words(source: Source, size: int) -> NDArray[np.uint32]:
    """``size`` words of 32 bits, two from each word of 64; the words of a shorter tape as they are."""
    if source.word_bits < 64:
        return source.words(size).astype(np.uint32)
    return source.words(ceil_div(size, 2)).view(np.uint32)[:size]


def uniform_below(bound: Integers, source: Source) -> Integers:
    """Independent uniform integers in [0, bound[i]), exactly.

    Words beyond the largest multiple of the bound are drawn again.

    Parameters
    ----------
    bound : int64 array of positive integers, shape (n,); each at most 2**word_bits
    source : where the words come from

    Examples
    --------
    >>> uniform_below(np.array([3, 3, 3]), ReplayedWords([15, 5, 14, 13], word_bits=4)).tolist()  # 15 ≥ 5·3 is refused
    [1, 2, 2]
    """
    limit = np.uint64(2**source.word_bits - 1)
    steps = np.asarray(bound).astype(np.uint64)
    # Words 0..last are accepted, last + 1 the largest multiple of the bound that is at most 2**word_bits.
    last = limit - (limit % steps + np.uint64(1)) % steps
    words = source.words(steps.size).copy()
    refused = np.flatnonzero(words > last)
    while refused.size:
        words[refused] = source.words(refused.size)
        refused = refused[words[refused] > last[refused]]
    return (words % steps).astype(np.int64)
