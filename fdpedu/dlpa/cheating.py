"""Parties that do not add their share: what it costs, and what the sum can tell of it.

A cheat may send its value without noise, with too much of it, or with a constant on top. The sum of what the *honest*
send does not depend on that, and all that is released is made of this sum and of what the cheats chose. So a record at
an honest party is protected by the honest parties' shares whatever the cheats send: c cheats are no worse than c
colluders or c parties that fell silent, and ``tolerate`` covers all three. What suffers is accuracy.

The sum does not show who has cheated, because shares are alike; nor a constant, because other data would give the same
law. Missing noise can show in cells that are *publicly empty*, such as bins outside a node: what is released in them is
noise and nothing else, and less noise has a smaller sum of squares. How often that is noticed is what
:func:`zero_cells_test` computes. But a cheat knows these cells, too, and may add its noise in them only.

Guarantee: as :mod:`fdpedu.dlpa.shares`, against those who send what they like. Arithmetic of the test: floats, right to
about ten digits; it is for planning, and decides no release. Not guaranteed: that the sum is right.

Claims: thm-cheats
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from fdpedu.dlpa.shares import count_noise_shares
from fdpedu.exact import Rate, Rational, as_fraction, as_integer, shown

Floats = NDArray[np.float64]

_TAIL = 32  # e^−32 is what is left out of one cell's law
_MAX_SIZE = 1 << 23


@dataclass(frozen=True)
class ZeroCellsTest:
    """A test for missing noise: it raises the alarm if the squares of known zeros add up to at most ``threshold``.

    Parameters
    ----------
    cells : how many cells are publicly empty
    threshold : the largest sum of squares that is an alarm; −1 if none can be
    false_alarm : the probability of an alarm when all parties add their shares, at most the level asked for
    power : the probability of an alarm when the stated number of parties adds none
    """

    cells: int
    threshold: int
    false_alarm: float
    power: float

    def __str__(self) -> str:
        return (
            f"{self.cells} known zeros, alarm for a sum of squares up to {self.threshold}: false alarms with "
            f"probability {self.false_alarm:.3g}, power {self.power:.3g}"
        )


def zero_cells_test(
    epsilon: Rational | None = None,
    *,
    n_parties: int,
    silent: int,
    cells: int,
    tolerate: int = 0,
    level: Rational = "1/100",
    alpha: Rational | None = None,
) -> ZeroCellsTest:
    """How likely it is that ``silent`` parties without noise are noticed in cells that are publicly empty.

    With all shares a cell's noise is a difference of two NB(K/m, α) numbers, m = K − tolerate; without those of s
    parties, of two NB((K − s)/m, α) numbers. The law of the sum of squares over independent cells is a convolution.

    Claims: thm-cheats

    Parameters
    ----------
    epsilon : of the noise in each cell, from 1/20 to 50, read exactly (or give ``alpha``)
    n_parties : K ≥ 1
    silent : 1 ≤ s ≤ K, how many parties add no noise, in none of the cells
    cells : 1 to 1000, how many cells are publicly empty
    tolerate : 0 ≤ c < K, what the shares were made for
    level : the largest probability of a false alarm, strictly between 0 and 1
    alpha : in place of ``epsilon``, a fraction in (0, 1)

    Examples
    --------
    >>> print(zero_cells_test(1, n_parties=5, silent=1, cells=40))
    40 known zeros, alarm for a sum of squares up to 27: false alarms with probability 0.00813, power 0.044
    """
    m, rate = count_noise_shares(n_parties, tolerate), Rate.of(epsilon, alpha)
    if not 1 / 20 <= float(rate) <= 50:
        raise ValueError(f"epsilon must be from 1/20 to 50, got about {float(rate):.4g}")
    if as_integer(silent, "silent", minimum=1) > n_parties:
        raise ValueError(f"silent must be at most the number of parties ({n_parties}), got {silent}")
    allowed, count = as_fraction(level, "level"), as_integer(cells, "cells", minimum=1, maximum=1000)
    if not 0 < allowed < 1:
        raise ValueError(f"level must lie strictly between 0 and 1, got {shown(allowed)}")
    whole, less = (_square_sums(float(rate), Fraction(shares, m), count) for shares in (n_parties, n_parties - silent))
    threshold = int(np.searchsorted(whole, float(allowed), side="right")) - 1
    found = (float(sums[min(threshold, sums.size - 1)]) if threshold >= 0 else 0.0 for sums in (whole, less))
    return ZeroCellsTest(count, threshold, *found)


def _square_sums(rate: float, shape: Fraction, cells: int) -> Floats:
    """Pr[Σ z² ≤ t] for t = 0, 1, 2, …, over independent cells: by a discrete Fourier transform.

    It is long enough for the mean and 40 standard deviations more, and for the largest square that is kept.
    """
    if shape == 0:
        return np.ones(1)
    law = _difference_law(rate, float(shape))
    squares = np.arange(law.size, dtype=np.int64) ** 2
    mean, second = float(law @ squares), float(law @ squares.astype(float) ** 2)
    reach = cells * mean + 40 * math.sqrt(cells * second) + squares[-1]
    size = _affordable(1 << math.ceil(math.log2(reach + 2)))
    spread = np.zeros(size)
    spread[squares] = law
    total = np.fft.irfft(np.fft.rfft(spread) ** cells)
    return np.asarray(np.minimum(np.cumsum(np.maximum(total, 0.0)), 1.0))


def _difference_law(rate: float, shape: float) -> Floats:
    """Pr[|X − Y| = k] for k = 0, 1, …, where X and Y are NB(shape, e^{−rate}); up to e^{−32}, and then rescaled."""
    most = math.ceil((_TAIL + 4 * shape * max(0.0, math.log(_TAIL / rate))) / rate) + 2
    _affordable(most * most)
    steps = np.arange(1, most, dtype=np.int64)
    logs = np.concatenate([[0.0], np.cumsum(np.log((steps - 1 + shape) / steps) - rate)])
    weights = np.exp(logs - logs.max())
    size = 1 << (2 * most - 1).bit_length()
    image = np.abs(np.fft.rfft(weights, size)) ** 2
    law = np.maximum(np.fft.irfft(image)[:most], 0.0)
    law[1:] *= 2
    return np.asarray(law / law.sum())


def _affordable(size: int) -> int:
    if size > _MAX_SIZE:
        raise ValueError("cells, or n_parties, are too many for so small an epsilon: the law would be too long a table")
    return size
