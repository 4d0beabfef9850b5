"""The fast sampler: an alias table with integer weights, and the slow path for what the integers leave over.

Walker's alias method puts the weights of a law into columns of equal height, each holding at most two values, so that
a draw needs one column and one comparison. Over integers nothing is rounded. With words of w bits and 2^b columns, a
word's low b bits are the column and its other bits a height below 2^{w−b}. Value k owns exactly ⌊2^w·p_k⌋ of the 2^w
words (or a little less, where p_k is known by an enclosure only); the words that are left over belong to the residual.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import Integers, as_indices
from fdpedu.randomness import Source, short_words
from fdpedu.sampling.law import Bounds, Law, invert

RESIDUAL = -(2**62)  # marks the words that the table leaves to the slow path; no law has this value
_TILE = 16384  # draws at a time, so that all arrays stay in the cache
_GUARD = 32  # bits beyond the word, so that ⌊2^w·p⌋ is rarely missed
_MAX_COLUMN_BITS = 12


@dataclass(frozen=True)
class AliasColumns:
    """2^column_bits columns of equal height, each with at most two values.

    In column c the heights below ``thresholds[c]`` are ``values[2c]``, the rest ``values[2c+1]``.
    """

    word_bits: int
    column_bits: int
    thresholds: NDArray[np.uint32]
    values: Integers

    @classmethod
    def filled(cls, weights: list[int], labels: list[int], word_bits: int, column_bits: int) -> AliasColumns:
        """``labels[i]`` owns ``weights[i]`` words, and ``RESIDUAL`` those that are left over."""
        rest = (1 << word_bits) - sum(weights)
        padding = [0] * ((1 << column_bits) - len(weights) - 1)
        thresholds, alias = fill_columns([*weights, *padding, rest], 1 << (word_bits - column_bits))
        names = [*labels, *padding, RESIDUAL]
        values = [label for c, other in enumerate(alias) for label in (names[c], names[other])]
        return cls(word_bits, column_bits, np.array(thresholds, dtype=np.uint32), np.array(values, dtype=np.int64))

    def look_up(self, words: NDArray[np.uint32], out: Integers) -> None:
        """The value of each word, written to ``out``."""
        columns = (words & np.uint32((1 << self.column_bits) - 1)).astype(np.intp)
        heights = words >> np.uint32(self.column_bits)
        aliased = heights >= self.thresholds.take(as_indices(columns), mode="clip")
        columns += columns
        columns += aliased
        self.values.take(as_indices(columns), out=out, mode="clip")

    def words_of(self) -> dict[int, int]:
        """How many of the 2^word_bits words give each value, counted in the very arrays that the sampler reads."""
        height, owned = 1 << (self.word_bits - self.column_bits), dict[int, int]()
        for c, threshold in enumerate(self.thresholds.tolist()):
            for value, words in zip(
                self.values[2 * c : 2 * c + 2].tolist(), (threshold, height - threshold), strict=True
            ):
                if words:
                    owned[value] = owned.get(value, 0) + words
        return owned


@dataclass(frozen=True)
class AliasTable(AliasColumns):
    """The columns of a law, and the law of what they leave over."""

    residual: Law

    @classmethod
    def of(cls, law: Law, word_bits: int) -> AliasTable:
        """The table of a law for words of that many bits."""
        most = min(_MAX_COLUMN_BITS, word_bits - 1)
        columns = min(law.terms.bit_length(), most)  # so few bits that the terms and the residual fit
        weights = integer_weights(law, min(law.terms, (1 << columns) - 1), word_bits)
        filled = AliasColumns.filled(weights, [law.value(k) for k in range(len(weights))], word_bits, columns)
        residual = _residual_law(law, weights, word_bits)
        return cls(word_bits, columns, filled.thresholds, filled.values, residual)


def integer_weights(law: Law, n: int, word_bits: int) -> list[int]:
    """For k < n an integer at most 2^w·p_k, and hardly ever less than its floor."""
    lower, upper = law.bounds(law.terms, word_bits + _GUARD)
    gaps = [lower[0], *(low - high for low, high in zip(lower[1:], upper[:-1], strict=True))]
    # thm-alias-table: m_k ≤ 2^w·p_k, so every weight is a lower bound, rounded down
    return [max(0, gap) >> _GUARD for gap in gaps[:n]]


def fill_columns(weights: list[int], height: int) -> tuple[list[int], list[int]]:
    """Cut weights that add up to ``len(weights)·height`` into columns of that height with at most two owners each.

    Column c belongs to c itself below ``thresholds[c]`` and to ``alias[c]`` above.

    >>> fill_columns([1, 7, 4], 4)
    ([1, 4, 4], [1, 1, 2])
    """
    left, alias = list(weights), list(range(len(weights)))
    assert sum(weights) == height * len(weights)
    small = [c for c, weight in enumerate(left) if weight < height]
    large = [c for c, weight in enumerate(left) if weight > height]
    # thm-alias-table (1): a column is filled up once: two owners at most
    while small:
        c, donor = small.pop(), large[-1]
        alias[c] = donor
        left[donor] -= height - left[c]
        if left[donor] <= height:
            large.pop()
        if left[donor] < height:
            small.append(donor)
    return [min(weight, height) for weight in left], alias


def _residual_law(law: Law, weights: list[int], word_bits: int) -> Law:
    """What the table leaves over: F_res(k) = (2^w·F(k) − Σ_{j≤k} weights[j]) / (2^w − Σ weights)."""
    sums, rest = list(accumulate(weights)), (1 << word_bits) - sum(weights)

    def bounds(n: int, bits: int) -> Bounds:
        lower, upper = law.bounds(n, bits + word_bits)
        taken = [sums[min(k, len(sums) - 1)] << bits for k in range(len(lower))]
        low = [max(0, (f - s) // rest) for f, s in zip(lower, taken, strict=True)]
        high = [min(1 << bits, -((s - f) // rest)) for f, s in zip(upper, taken, strict=True)]
        return list(accumulate(low, max)), list(accumulate(reversed(high), min))[::-1]

    return Law(bounds, law.terms, law.last, law.value)


def sample(law: Law, size: int, source: Source) -> Integers:
    """Draw ``size`` independent values of the law, exactly: one short word each, and the slow path for the residual.

    Claims: thm-alias-table

    Examples
    --------
    >>> from fdpedu.randomness import ReplayedWords
    >>> from fdpedu.sampling.law import finite_law
    >>> law = finite_law([1, 3])  # 16 words of 4 bits; value 0 owns 0, 4, 8 and 12
    >>> sample(law, 5, ReplayedWords([0, 12, 5, 1, 15], word_bits=4)).tolist()
    [0, 0, 1, 1, 1]
    """
    word_bits = min(source.word_bits, 32)
    table = law.tables.get(word_bits)
    if table is None:
        table = law.tables[word_bits] = AliasTable.of(law, word_bits)
    out = np.empty(size, dtype=np.int64)
    for start in range(0, size, _TILE):
        block = out[start : start + _TILE]
        table.look_up(short_words(source, block.size), block)
        for i in np.flatnonzero(block == RESIDUAL):
            # thm-alias-table (2): the residual is drawn with fresh words
            block[i] = invert(table.residual, source)
    return out
