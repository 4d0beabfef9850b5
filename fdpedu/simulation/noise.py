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
many. It is made from uniform floats of 52 bits, so its probabilities are off by about 10⁻¹⁵.

Where the release costs ρ, a share is a discrete Gaussian number, and what K of them add up to is drawn as one of K
times the parameter. That is not quite their sum: the two laws differ at every value by a factor of at most e^θ, with θ
below 10⁻⁷ for shares of 2 and more (:func:`fdpedu.dlpa.gaussian_sum_distance`).

Nothing here is for a release: a simulation may know the sum, which in a federation nobody knows without its noise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from fdpedu.accounting import Cost
from fdpedu.dlpa import count_noise_shares, polya_share
from fdpedu.dlpa.gaussian_noise import gaussian_noise
from fdpedu.exact import Rate, as_indices
from fdpedu.randomness import Source
from fdpedu.sampling import AliasTable, Law, geometric_digit_law, require_drawable, sample
from fdpedu.sampling.alias import RESIDUAL
from fdpedu.sampling.digits import two_sided_law
from fdpedu.sampling.gaussians import discrete_gaussian_noise
from fdpedu.simulation.grid import Floats
from fdpedu.trees.cell_noise import cell_deviation
from fdpedu.trees.stopping import noise_deviation

_TILE = 16384
_WORDS = 2**16
_BASE, _MIN_DECAY = 1023, 2.0**-7  # slower decays are written in digits


@dataclass(frozen=True, eq=False)
class Lookup:
    """Each word of 16 bits with its value; the words from ``sure`` on are left to the residual law.

    Values are what a function makes of those of the law.
    """

    values: Floats
    sure: int
    residual: Law
    made: Callable[[Floats], Floats]

    @classmethod
    def of(cls, law: Law, made: Callable[[Floats], Floats]) -> Lookup:
        """The table of a law, with the words that belong to the residual last; the first word's value is 0."""
        table, values = AliasTable.of(law, 16), np.empty(_WORDS, dtype=np.int64)
        table.look_up(np.arange(_WORDS, dtype=np.uint32), values)
        sure = values[values != RESIDUAL]
        ordered = np.zeros(_WORDS)
        ordered[: sure.size] = made(sure.astype(np.float64))
        return cls(ordered, sure.size, table.residual, made)

    def draw(self, out: Floats, source: Source) -> None:
        """Fill an array with independent values of the law."""
        words = source.words(-(-out.size // 4)).view(np.uint16)[: out.size]
        np.take(self.values, as_indices(words), out=out, mode="clip")
        if self.sure < _WORDS:
            left = np.flatnonzero(words >= self.sure)
            out[left] = self.made(sample(self.residual, left.size, source).astype(np.float64))


@dataclass(frozen=True, eq=False)
class Digits:
    """A discrete Laplace number in digits: the highest one with its sign, and those below, each with what it is worth.

    The highest digit's −1 − g is the other sign of g; worth s it becomes −1 − s·g, from which the lower digits are
    taken as they are added to s·g.
    """

    highest: Lookup
    lower: tuple[Lookup, ...]

    @classmethod
    def of(cls, rate: Rate) -> Digits:
        """The tables for a rate."""
        lower, worth = list[Lookup](), 1
        while float(rate) * worth < _MIN_DECAY:
            lower.append(Lookup.of(geometric_digit_law(rate, worth, _BASE), partial(np.multiply, worth)))
            worth *= _BASE
        return cls(Lookup.of(two_sided_law(rate, worth), partial(_signed, worth)), tuple(lower))

    def draw(self, size: int, source: Source) -> Floats:
        """Independent numbers."""
        out, digit = np.empty(size), np.empty(min(size, _TILE))
        for start in range(0, size, _TILE):
            tile = out[start : start + _TILE]
            self.highest.draw(tile, source)
            for lookup in self.lower:
                lookup.draw(digit[: tile.size], source)
                tile += np.copysign(digit[: tile.size], tile)
        return out


def _signed(worth: int, highest: Floats) -> Floats:
    return np.where(highest < 0, worth * (highest + 1) - 1, worth * highest)


@lru_cache(maxsize=64)
def _digits(rate: Rate) -> Digits:
    return Digits.of(rate)


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
    return _digits(rate).draw(size, source)


def noise_scale(noise: Rate | Cost, n_parties: int, tolerate: int) -> float:
    """The standard deviation of the noise of all parties in a cell, as for :func:`summed_noise`."""
    honest = count_noise_shares(n_parties, tolerate)
    if isinstance(noise, Rate):
        return noise_deviation(noise, n_parties, honest)
    return cell_deviation(noise, n_parties, honest)


def summed_noise(rate: Rate | Cost, n_parties: int, tolerate: int, size: int, source: Source) -> Floats:
    """Independent sums of the noise shares of all parties.

    Parameters
    ----------
    rate : of the release, as the honest parties' noise has it; or what a release of sensitivity 1 costs in ρ
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
    if isinstance(rate, Cost):
        share = gaussian_noise(rate, l2_squared=1, cells=1, n_shares=honest).share
        return discrete_gaussian_noise(n_parties * share, size, source).astype(np.float64)
    noise = laplace_noise(rate, size, source)
    for _ in range(tolerate):
        noise += polya_share(rate, honest, size, source)
    return noise


def laplace_noise_of_rates(rates: Floats, times: int, source: Source) -> Floats:
    """Discrete Laplace numbers, so many of each rate, up to the rounding of floats: shape (times, *rates.shape).

    A geometric number is ⌊E/rate⌋ with E exponential; it is the noise with probability 1/(1+α), and −1 less it is with
    probability α/(1+α).

    >>> from fdpedu.randomness import ZeroWords
    >>> laplace_noise_of_rates(np.array([0.5, 1e-6]), 2, ZeroWords()).tolist()
    [[0.0, 0.0], [0.0, 0.0]]
    """
    shape = (times, *rates.shape)
    noise = np.log(_rest(shape, source))
    noise /= -rates
    np.floor(noise, out=noise)
    noise += 0.5
    coins = _rest(shape, source)
    coins -= 1 - 1 / (1 + np.exp(-rates))
    np.copysign(noise, coins, out=noise)
    noise -= 0.5  # −½ − g and ½ + g become −1 − g and g
    return noise


def _rest(shape: tuple[int, ...], source: Source) -> Floats:
    """1 less a uniform number of 52 bits; 1 for a word of zeros."""
    words = source.words(int(np.prod(shape))) >> np.uint64(12)
    words |= np.uint64(0x3FF << 52)  # the bits of a float from 1 to 2
    return np.subtract(2.0, words.view(np.float64)).reshape(shape)
