"""The noise of a sum, drawn at once: what K parties' shares add up to, without drawing them.

With m = K − tolerate, a share is X − Y with X and Y of the law NB(1/m, α), and so the sum of K shares is X − Y with X
and Y of the law NB(K/m, α). Without colluders (m = K) that is NB(1, α), geometric: the sum is **one discrete Laplace
number**. Otherwise it is drawn as what the shares of the m honest parties add up to, one discrete Laplace number, and
``tolerate`` more shares: the same law, because shares are independent.

The discrete Laplace number comes from one look-up: an alias table for words of 16 bits is spread out, so that each of
the 65,536 words has its value beside it. Words that the alias table leaves to its residual are the last ones, and there
the residual's own table decides. So the law is exact, as it is in :mod:`fdpedu.sampling`, whose laws these are. Slowly
decaying laws are drawn in digits, as there.

:func:`laplace_noise_of_rates` is for noise whose rate is another one in every cell: there a table a rate would be too
many. It is made from uniform floats of 53 bits and coins of 32, so probabilities are off by about 10⁻¹⁰.

Nothing here is for a release: a simulation may know the sum, which in a federation nobody knows without its noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fdpedu.dlpa import count_noise_shares, polya_share
from fdpedu.exact import Rate
from fdpedu.randomness import Source, short_words
from fdpedu.sampling import AliasTable, Law, geometric_digit_law, require_drawable, sample
from fdpedu.sampling.alias import RESIDUAL
from fdpedu.sampling.digits import two_sided_law
from fdpedu.simulation.grid import Floats

_TILE = 16384
_WORDS = 2**16
_BASE, _MIN_DECAY = 1023, 2.0**-7  # slower decays are written in digits


@dataclass(frozen=True, eq=False)
class Lookup:
    """Each word of 16 bits with its value; the words from ``sure`` on are left to the residual law.

    Claims: thm-alias-table
    """

    words: NDArray[np.uint16]
    values: Floats
    sure: int
    residual: Law

    @classmethod
    def of(cls, law: Law) -> Lookup:
        """The table of a law, its words in the order of their values' size, those of the residual last."""
        table, values = AliasTable.of(law, 16), np.empty(_WORDS, dtype=np.int64)
        table.look_up(np.arange(_WORDS, dtype=np.uint32), values)
        order = np.lexsort((np.abs(values), values == RESIDUAL))
        sure = int((values != RESIDUAL).sum())
        return cls(order.astype(np.uint16), values[order].astype(np.float64), sure, table.residual)

    def draw(self, size: int, source: Source) -> Floats:
        """Independent values of the law."""
        out = np.empty(size)
        for start in range(0, size, _TILE):
            tile = out[start : start + _TILE]
            words = source.words(-(-tile.size // 4)).view(np.uint16)[: tile.size]
            np.take(self.values, words, out=tile, mode="clip")
            left = np.flatnonzero(words >= self.sure)
            if left.size:
                tile[left] = sample(self.residual, left.size, source)
        return out


@lru_cache(maxsize=32)
def _tables(rate: Rate) -> tuple[list[tuple[int, Lookup]], int, Lookup]:
    """The lower digits with what each is worth; what the highest one is worth, and it with its sign."""
    lower, stride = list[tuple[int, Lookup]](), 1
    while float(rate) * stride < _MIN_DECAY:
        lower.append((stride, Lookup.of(geometric_digit_law(rate, stride, _BASE))))
        stride *= _BASE
    return lower, stride, Lookup.of(two_sided_law(rate, stride))


def laplace_noise(rate: Rate, size: int, source: Source) -> Floats:
    """Independent discrete Laplace numbers of one rate, exactly: Pr[k] ∝ e^{−rate·|k|}.

    Parameters
    ----------
    rate : at least 2**-40
    size : how many
    source : of words of 64 bits

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> laplace_noise(Rate.of(epsilon="1/1000"), 3, ZeroWords()).tolist()
    [0.0, 0.0, 0.0]
    """
    require_drawable(rate)
    lower, stride, highest = _tables(rate)
    top = highest.draw(size, source)
    if not lower:
        return top
    low = sum((worth * lookup.draw(size, source) for worth, lookup in lower), start=np.zeros(size))
    return np.where(top < 0, stride * (top + 1) - 1 - low, stride * top + low)  # −1 − g is the other sign of g


def summed_noise(rate: Rate, n_parties: int, tolerate: int, size: int, source: Source) -> Floats:
    """Independent sums of the noise shares of all parties.

    Parameters
    ----------
    rate : of the release, as the honest parties' noise has it
    n_parties, tolerate : how many there are, and how many may be missing from the noise
    size : how many
    source : of words of 64 bits

    Examples
    --------
    >>> from fdpedu.randomness import Rehearsal
    >>> noise = summed_noise(Rate.of(epsilon=1), 5, 1, 100_000, Rehearsal(1))
    >>> round(float(noise.var() / summed_noise(Rate.of(epsilon=1), 5, 0, 100_000, Rehearsal(2)).var()), 1)  # 5/4
    1.2
    """
    honest = count_noise_shares(n_parties, tolerate)
    noise = laplace_noise(rate, size, source)
    for _ in range(tolerate):
        noise += polya_share(rate, honest, size, source)
    return noise


def laplace_noise_of_rates(rates: Floats, times: int, source: Source) -> Floats:
    """Discrete Laplace numbers, so many of each rate, up to the rounding of floats: shape (times, *rates.shape).

    A geometric number is ⌊E/rate⌋ with E exponential; it is the noise with probability 1/(1+α), and −1 less it is with
    probability α/(1+α), by a coin of 32 bits.

    >>> from fdpedu.randomness import ZeroWords
    >>> laplace_noise_of_rates(np.array([0.5, 1e-6]), 2, ZeroWords()).tolist()
    [[0.0, 0.0], [0.0, 0.0]]
    """
    shape = (times, *rates.shape)
    size = times * rates.size
    rest = (source.words(size) >> np.uint64(11)) * -(2.0**-53)
    rest += 1
    noise = np.floor(-np.log(rest).reshape(shape) / rates)
    coins = short_words(source, size).reshape(shape)
    return np.where(coins < 2.0**32 / (1 + np.exp(-rates)), noise, -1 - noise)
