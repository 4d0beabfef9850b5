"""Exact negative binomial numbers, with one look-up for small values and one more word for large ones.

The values 0, 1, 2, … are cut into *cells*: single values first, then blocks of 2, 4, 8, … values, so narrow that the
weights r(k) of :mod:`fdpedu.sampling.polya_weights` fall by a few per cent within a block. A cell of 2^b values
that starts at s is proposed with probability κ·2^b·r(s). A proposed block gives k = s + L with L uniform below 2^b,
and k is kept with probability r(k)/r(s). So **an attempt yields k with probability exactly κ·r(k), for every k**; an
attempt that yields nothing is made again. The number κ is any that we like, because the law does not depend on it:
neither the sum of the weights nor that of the cells has to be known.

Of 2^w words, a cell owns W ≤ 2^w·κ·2^b·r(s), an integer that floats give with certainty. What is left over, R words,
is the *residual*: there one of the C columns is chosen, each with probability g = 1/(2C), or one of the blocks beyond
the table, the i-th with probability g = 2^{−i−2}; and the cell is kept with probability (2^w·κ·2^b·r(s) − W)/(R·g),
which is what is missing. R is so large that none of these exceeds 1. A coin of probability r(k)/r(s) is settled by a
float, unless the word is too close to call; that coin, and all of the residual's, are settled by enclosures.

Claims: lem-nb-blocks
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import Enclosure, Integers, Rate, as_indices
from fdpedu.randomness import Source, Words, short_words
from fdpedu.sampling.alias import RESIDUAL, AliasColumns
from fdpedu.sampling.coins import coin_law
from fdpedu.sampling.digits import geometric, require_drawable
from fdpedu.sampling.law import invert
from fdpedu.sampling.polya_weights import LOG_ERROR, NegativeBinomialWeights, product

FAILED = -1  # an attempt that yields nothing
MARGIN = 2 * LOG_ERROR  # two logarithms; nearer than that to a ratio, enclosures decide
_TILE = 16384
_HALF = Rate.of(alpha="1/2")


@dataclass(frozen=True)
class Cells:
    """How the values are cut into cells.

    Cell j holds the 2^shifts[j] values from starts[j] on, and beyond ``end`` all blocks have 2^beyond values.
    """

    starts: Integers
    shifts: Integers
    end: int
    beyond: int

    @classmethod
    def cut(
        cls, decay: float, most: int = 4095, *, singles: int = 1024, fineness: int = 32, reach: float = 14.0
    ) -> Cells:
        """Single values below ``singles``, then blocks, ``most`` cells at most.

        Parameters
        ----------
        decay : the rate of the law, as a float
        most : of cells, ≥ 1
        singles : values below this one have a cell each, ≥ 1
        fineness : a block that starts at s has at most s/fineness values, and at most 1/(fineness·decay)
        reach : the table ends near reach/decay, beyond which lies about e^{−reach} of the law
        """
        least = int(reach / decay) + 1
        starts, end = [np.arange(min(singles, least), dtype=np.int64)], min(singles, least)
        shifts = [np.zeros(end, dtype=np.int64)]
        widest = max(0, int(1 / (fineness * decay)).bit_length() - 1)
        while end < least:
            shift = min(widest, max(0, (end // fineness).bit_length() - 1))
            stop = least if shift == widest else min(least, fineness << (shift + 1))
            starts.append(np.arange(end, stop, 1 << shift, dtype=np.int64))
            shifts.append(np.full(starts[-1].size, shift, dtype=np.int64))
            end = int(starts[-1][-1]) + (1 << shift)
        halves = next(b for b in range(64) if decay * 2.0**b > 0.7)  # > ln 2: a block weighs less than half the last
        all_starts, all_shifts = np.concatenate([*starts, [end]]), np.concatenate(shifts)[:most]
        return cls(all_starts[: all_shifts.size], all_shifts, int(all_starts[all_shifts.size]), halves)

    def first_beyond(self, weights: NegativeBinomialWeights) -> float:
        """2^beyond·r(end), what the first block beyond the table weighs."""
        return float(np.exp(weights.log(np.array([self.end], dtype=np.int64)))[0]) * 2.0**self.beyond

    def sure_words(self, weights: NegativeBinomialWeights, word_bits: int) -> Words:
        """For each cell a number of words below which the coin of its last value, the least of all, is heads."""
        last = self.starts + (1 << self.shifts) - 1
        lowest = np.exp(weights.log(last) - weights.log(self.starts)) - 2 * MARGIN
        steps = np.floor(np.clip(lowest, 0, 0.999) * 2.0 ** (word_bits - self.shifts))
        return steps.astype(np.uint64) << self.shifts.astype(np.uint64)


@dataclass(frozen=True)
class BlockTable:
    """A sampler for NB(1/m, α): the cells, the words that each owns, and what decides within a block.

    Parameters
    ----------
    weights : the law's weights r(k), in floats with a bound on their error, and exactly
    cells : how the values are cut
    columns : word → value of a single, −1−j for a block j, or ``RESIDUAL``
    word_bits : w, the length of the source's words
    owned, rest : the words W of each cell, and R
    scale : 2^w·κ, so that a cell lacks scale·2^shift·r(start) − W words
    masks, sure : for each block, the bits of the offset; and every word below ``sure`` is kept, whatever its offset
    """

    weights: NegativeBinomialWeights
    cells: Cells
    columns: AliasColumns
    word_bits: int
    owned: list[int]
    rest: int
    scale: Fraction
    masks: Words
    sure: Words

    @classmethod
    def of(cls, weights: NegativeBinomialWeights, cells: Cells, word_bits: int) -> BlockTable:
        """The table for a source whose words have that many bits."""
        short, columns = min(word_bits, 32), cells.starts.size.bit_length()
        if columns > short - 3 or max(cells.beyond, int(cells.shifts.max())) > word_bits:
            raise ValueError(f"a source of {word_bits}-bit words is too short for so many cells, or for such blocks")
        mass = np.exp(weights.log(cells.starts)) * 2.0**cells.shifts
        total, following = float(mass.sum()), cells.first_beyond(weights)
        scale = min((2.0**short - 4.0 * 2**columns) / total, 2.0**short / (total + 5 * following))
        owned = np.floor(mass * (scale * (1 - MARGIN))).astype(np.int64).tolist()
        rest = (1 << short) - sum(owned)
        assert rest >= max(3 << columns, 4 * scale * following * (1 + MARGIN)), "more than the residual can hold"
        labels = np.where(cells.shifts > 0, -1 - np.arange(cells.starts.size, dtype=np.int64), cells.starts).tolist()
        return cls(
            weights,
            cells,
            AliasColumns.filled(owned, labels, short, columns),
            word_bits,
            owned,
            rest,
            Fraction(scale),
            ((1 << cells.shifts) - 1).astype(np.uint64),
            cells.sure_words(weights, word_bits),
        )

    def sample(self, size: int, source: Source) -> Integers:
        """Independent values of the law, exactly."""
        out = self._attempts(size, source)
        failed = np.flatnonzero(out == FAILED)
        while failed.size:
            out[failed] = self._attempts(failed.size, source)
            failed = failed[out[failed] == FAILED]
        return out

    def _attempts(self, size: int, source: Source) -> Integers:
        """Each is k with probability κ·r(k), and FAILED otherwise."""
        out = np.empty(size, dtype=np.int64)
        for start in range(0, size, _TILE):
            tile = out[start : start + _TILE]
            self.columns.look_up(short_words(source, tile.size), tile)
            if tile.min() < 0:
                self._settle(tile, source)
        return out

    def _settle(self, tile: Integers, source: Source) -> None:
        """Replace the labels of residual and blocks by values, or by FAILED."""
        for i in np.flatnonzero(tile == RESIDUAL):
            tile[i] = self._residual(source)
        in_blocks = np.flatnonzero(tile < FAILED)
        if in_blocks.size:
            tile[in_blocks] = self._within(-1 - tile[in_blocks], source)

    def _within(self, block: Integers, source: Source) -> Integers:
        """A value of each block: the low bits of a word are the offset, its high bits the coin."""
        words = source.words(block.size)
        values = self.cells.starts.take(as_indices(block))
        values += (words & self.masks.take(as_indices(block))).view(np.int64)
        unsure = np.flatnonzero(words >= self.sure.take(as_indices(block)))
        if unsure.size:
            kept = self._coins(block[unsure], values[unsure], words[unsure], source)
            values[unsure[~kept]] = FAILED
        return values

    def _coins(self, block: Integers, values: Integers, words: Words, source: Source) -> NDArray[np.bool_]:
        """Heads with probability exactly r(k)/r(s), by floats where they are certain."""
        starts, shifts = self.cells.starts[block], self.cells.shifts[block]
        coin = words >> shifts.astype(np.uint64)
        width = 2.0 ** (shifts - self.word_bits)
        low = coin.astype(np.float64) * width
        ratio = np.exp(self.weights.log(values) - self.weights.log(starts))
        heads = low + width <= ratio - MARGIN
        for i in np.flatnonzero(~heads & (low < ratio + MARGIN)):
            bits = self.word_bits - int(shifts[i])
            heads[i] = self._exact_coin(int(starts[i]), int(values[i]), source, int(coin[i]), bits)
        return heads

    def _exact_coin(self, start: int, value: int, source: Source, prefix: int, bits: int) -> bool:
        """Heads with probability r(value)/r(start), by enclosures; the first bits of the uniform are known."""
        law = coin_law(lambda digits: self._ratio(start, value, digits + 3))
        return invert(law, source, prefix, bits) == 0

    def _ratio(self, start: int, value: int, digits: int) -> Enclosure:
        """r(value)/r(start)."""
        first, other = (self.weights.enclosure(k, digits) for k in (start, value))
        return Enclosure(other.lower / first.upper, min(Fraction(1), other.upper / first.lower))

    def _residual(self, source: Source) -> int:
        """An attempt in the residual, the slow way: choose a cell, then a value in it, then keep it or not."""
        word = int(source.words(1)[0])
        columns = 1 << self.columns.column_bits
        if word & 1:
            i = int(geometric(_HALF, 1, source)[0])
            start, shift, owned = self.cells.end + (i << self.cells.beyond), self.cells.beyond, 0
            chance = Fraction(1, 1 << (i + 2))
        else:
            j = word >> 1 & (columns - 1)
            if j >= len(self.owned):
                return FAILED
            start, shift, owned = int(self.cells.starts[j]), int(self.cells.shifts[j]), self.owned[j]
            chance = Fraction(1, 2 * columns)
        offset = int(source.words(1)[0]) & ((1 << shift) - 1) if shift else 0
        law = coin_law(lambda digits: self._missing(start, shift, owned, offset, self.rest * chance, digits))
        return start + offset if invert(law, source) == 0 else FAILED

    def _missing(self, start: int, shift: int, owned: int, offset: int, limit: Fraction, digits: int) -> Enclosure:
        """(2^w·κ·2^shift·r(s) − W)/limit · r(s + offset)/r(s), at most 1."""
        digits += 12  # because of the ten of W nothing may remain
        first = self.weights.enclosure(start, digits)
        low, high = (max(Fraction(0), self.scale * (1 << shift) * end - owned) for end in (first.lower, first.upper))
        probability = product(Enclosure(low / limit, high / limit), self._ratio(start, start + offset, digits))
        assert probability.lower <= 1, "more is missing than the residual can hold"
        return Enclosure(probability.lower, min(Fraction(1), probability.upper))


@lru_cache(maxsize=64)
def _shipped_table(rate: Rate, n_noise_shares: int, word_bits: int) -> BlockTable:
    return _make_table(rate, n_noise_shares, word_bits)


def _make_table(rate: Rate, n_noise_shares: int, word_bits: int) -> BlockTable:
    require_drawable(rate)
    weights = NegativeBinomialWeights(rate, n_noise_shares)
    most = (1 << max(1, min(12, word_bits - 3))) - 1  # of a tape of short words, so that the residual fits
    return BlockTable.of(weights, Cells.cut(weights.decay, most), word_bits)


def negative_binomial(rate: Rate, n_noise_shares: int, size: int, source: Source) -> Integers:
    """Independent exact NB(1/m, α) integers: Pr[k] = Γ(k+1/m)/(k!·Γ(1/m))·α^k·(1−α)^{1/m}, m = ``n_noise_shares``.

    Claims: lem-nb-blocks

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> negative_binomial(Rate.of(epsilon="1/1000000"), 4, 3, ZeroWords()).tolist()
    [0, 0, 0]
    """
    if n_noise_shares == 1:
        return geometric(rate, size, source)
    require_drawable(rate)  # here too: a table that was made before is found for whatever equals its rate
    return _shipped_table(rate, n_noise_shares, source.word_bits).sample(size, source)
