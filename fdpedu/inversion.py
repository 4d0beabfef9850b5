"""Exact sampling by inversion: a uniform real U whose bits are revealed only as far as they are needed.

A law on 0, 1, 2, … with distribution function F is sampled by drawing U uniform on [0, 1) and returning the first k
with U < F(k). Two things are never exact on a computer, U and F, and both are handled the same way: by enclosures. One
random word u says U ∈ [u, u+1)/2⁶⁴; a table holds ⌊2⁶⁴F(k)⌋. If the whole cell of u lies on one side of every F(k), the
answer is decided, by one look-up. If not (about one word in 2⁶⁴ for each k), further words and further digits of F are
drawn until it is. The result has law F exactly, although no number in the program equals F.

Not guaranteed: constant running time. An undecided word takes longer, and says something of the value drawn.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from fdpedu.exact import Rate
from fdpedu.randomness import Integers, Source, Words

Bounds = tuple[list[int], list[int]]
_BASE = 4096  # the base in which slowly decaying geometric numbers are written
_TAIL_BITS = 34  # what lies beyond the table is met about once in 2**34 draws, and goes the slow way


@dataclass(frozen=True)
class Law:
    """A law on 0, 1, 2, …, known by enclosures of its distribution function F.

    ``bounds(n, bits)`` gives integers with lower[k] ≤ 2**bits·F(k) ≤ upper[k] for k < n. ``terms`` is the size of a
    first table; a finite law has ``last`` set, with F(last) = 1.
    """

    bounds: Callable[[int, int], Bounds]
    terms: int
    last: int | None = None
    _tables: dict[int, tuple[Words, Words]] = field(default_factory=dict, compare=False, repr=False)

    def table(self, word_bits: int) -> tuple[Words, Words]:
        """⌊2^w·F(k)⌋ and ⌈2^w·F(k)⌉ − 1 for the k of the first table (F = 1 at the end of a finite law needs no
        entry).
        """
        if word_bits not in self._tables:
            lower, upper = self.bounds(self.terms, word_bits)
            end = self.terms if self.last is None else self.last
            floors = np.array(lower[:end], dtype=np.uint64)
            ceilings_less_one = np.array([bound - 1 for bound in upper[:end]], dtype=np.uint64)
            self._tables[word_bits] = (floors, ceilings_less_one)
        return self._tables[word_bits]


def sample(law: Law, size: int, source: Source) -> Integers:
    """Draw ``size`` independent values of the law, exactly.

    Examples
    --------
    >>> from fdpedu.randomness import ReplayedWords
    >>> half = geometric_law(Rate.of(alpha="1/2"))
    >>> sample(half, 3, ReplayedWords([3, 8, 13], word_bits=4))  # 16·F = 8, 12, 14, 15, …
    array([0, 1, 2])
    """
    floors, ceilings_less_one = law.table(source.word_bits)
    words = source.words(size)
    values = np.searchsorted(floors, words, side="right")  # U < F(value), and U ≥ F(value − 1) unless undecided
    undecided = (values > 0) & (words <= ceilings_less_one[values - 1]) if floors.size else values > 0
    if law.last is None:
        undecided |= values == law.terms
    for i in np.flatnonzero(undecided):
        values[i] = _refine(law, int(words[i]), source)
    return values.astype(np.int64)


def _refine(law: Law, prefix: int, source: Source) -> int:
    """The slow way: more bits of U, more digits and more terms of F, until U is on one side of every F(k)."""
    bits, terms = source.word_bits, law.terms
    while True:
        prefix = (prefix << source.word_bits) + int(source.words(1)[0])
        bits += source.word_bits
        lower, upper = law.bounds(terms, bits)
        value = bisect.bisect_right(lower, prefix)
        if value == terms:
            terms *= 2
        elif value == 0 or prefix >= upper[value - 1]:
            return value


@lru_cache(maxsize=256)
def geometric_law(rate: Rate, stride: int = 1) -> Law:
    """Pr[k] = (1−β)β^k on k = 0, 1, 2, … with β = α^stride, where α = e^{−rate}."""
    decay = float(rate) * stride

    def bounds(n: int, bits: int) -> Bounds:
        low, high, scale = _powers(rate, stride, n, bits)
        shift, one = scale - bits, 1 << scale
        return [(one - p) >> shift for p in high], [-((p - one) >> shift) for p in low]

    return Law(bounds, terms=max(2, int(_TAIL_BITS * 0.6932 / decay) + 1))


@lru_cache(maxsize=256)
def geometric_digit_law(rate: Rate, stride: int, base: int) -> Law:
    """Pr[k] ∝ β^k on k = 0, …, base−1 with β = α^stride: one digit of a geometric number written in that base."""

    def bounds(n: int, bits: int) -> Bounds:
        low, high, scale = _powers(rate, stride, base, bits)
        one = 1 << scale
        most, least = one - low[-1], one - high[-1]  # 1 − β^base, enclosed
        lower = [((one - p) << bits) // most for p in high[:-1]]
        upper = [min(-((-(one - p) << bits) // least), 1 << bits) for p in low[:-1]]
        return [*lower, 1 << bits], [*upper, 1 << bits]

    return Law(bounds, terms=base, last=base - 1)


def _powers(rate: Rate, stride: int, n: int, bits: int) -> tuple[list[int], list[int], int]:
    """β, β², …, βⁿ as integers that enclose 2^scale·β^k, with β = α^stride and scale some 64 bits beyond ``bits``."""
    smallness = max(0, -math.frexp(float(rate) * stride)[1])  # 1 − β needs as many bits more
    scale = bits + 64 + n.bit_length() + 2 * smallness
    beta = rate.power(stride, digits=scale // 3 + 10)
    low_beta = (beta.lower.numerator << scale) // beta.lower.denominator
    high_beta = -((-beta.upper.numerator << scale) // beta.upper.denominator)
    low, high = [low_beta], [high_beta]
    for _ in range(n - 1):
        low.append(low[-1] * low_beta >> scale)
        high.append(-(-high[-1] * high_beta >> scale))
    return low, high, scale


def geometric(rate: Rate, size: int, source: Source) -> Integers:
    """Independent exact geometric numbers, Pr[k] = (1−α)α^k for k = 0, 1, 2, …, with α = e^{−rate}.

    A slow decay would need a long table. But the digits of a geometric number in base 4096 are independent, so a
    long table becomes two or three short ones: k = low + 4096·high, and high is geometric again, with α⁴⁰⁹⁶.

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> geometric(Rate.of(epsilon="1/1000000"), 4, ZeroWords())
    array([0, 0, 0, 0])
    """
    if float(rate) < 2.0**-40:
        raise ValueError("epsilon/sensitivity must be at least 2**-40, so that the noise fits 64-bit integers")
    value, stride = np.zeros(size, dtype=np.int64), 1
    while float(rate) * stride < 2.0**-8:
        value += stride * sample(geometric_digit_law(rate, stride, _BASE), size, source)
        stride *= _BASE
    return value + stride * sample(geometric_law(rate, stride), size, source)
