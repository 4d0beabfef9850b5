"""The weights α^{u* − u_r} that all selection mechanisms share: exact, enclosed by fractions, or enclosed by floats.

A draw is decided by floats that certainly lie below and above the truth, for all candidates at once. The closest calls,
which the floats leave open, are decided by enclosures of as many digits as it takes.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import (
    Enclosure,
    Integers,
    Rate,
    Rational,
    as_integer,
    as_positive_fraction,
    ceil_div,
    exp_enclosure,
    log_enclosure,
)
from fdpedu.mechanisms.utilities import HUGE, LEAST, STEP, Floats, Utilities
from fdpedu.randomness import Rng, Source, as_source
from fdpedu.sampling import Law, geometric_law, invert, sample
from fdpedu.sampling.coins import SLACK, coin_law, enclosed_coins
from fdpedu.sampling.digits import low_digits
from fdpedu.sampling.law import Bounds

Probability = Fraction | Enclosure
EXP = 2.0**-45  # relative: far more than the error of a float e^{−x}, which is a unit or two in the last place
_TILE = 2**16  # weights at a time, when there are many draws


class Weights:
    """Candidates with their weights α^{u* − u_r}, for the base α = e^{−rate} of the coins.

    With ``alpha`` the base itself is given, so there is no ``sensitivity`` and no ``monotone`` to make it of.
    """

    def __init__(
        self,
        utilities: Any,
        epsilon: Rational | None,
        alpha: Rational | None,
        sensitivity: Rational,
        monotone: bool,
    ) -> None:
        self.utilities = Utilities(utilities)
        if not isinstance(monotone, (bool, np.bool_)):
            raise ValueError(f"monotone must be True or False, got {type(monotone).__name__}")
        delta = as_positive_fraction(sensitivity, "sensitivity")
        unit = Rate.of(epsilon, alpha)  # refuses both and neither
        if unit.rate is not None:
            # thm-exponential: 2Δ, unless all utilities move in one direction (thm-exponential-monotone)
            unit = Rate(rate=unit.rate / delta / (1 if monotone else 2))
        elif monotone or delta != 1:
            raise ValueError("alpha is the base of the coins itself: give sensitivity and monotone with epsilon only")
        elif self.utilities.steps is None and any(gap.denominator > 1 for gap in self.utilities.gaps):
            raise ValueError("with alpha, differences of utilities must be integers; give epsilon instead")
        self.rate = unit

    def __len__(self) -> int:
        return len(self.utilities)

    def power(self, gap: Fraction, digits: int = 60) -> Enclosure:
        """α^gap, enclosed."""
        if self.rate.rate is not None:
            return exp_enclosure(-self.rate.rate * gap, digits)
        return self.rate.power(int(gap), digits)

    def unit(self, gap: Any) -> Any:
        """α^gap: a fraction for a rational base, else an enclosure."""
        return self.power(Fraction(gap)) if self.rate.alpha is None else self.rate.weight(int(gap))

    def all(self) -> list[Any]:
        """The weights α^{u* − u_r}."""
        return [self.unit(gap) for gap in self.utilities.gaps]

    def integers(self) -> NDArray[Any]:
        """The utilities as integers, 0 for the best: of 64 bits, or Python's where a gap is beyond 2**62."""
        steps = self.utilities.steps
        if steps is not None and steps.max() <= 2**62:
            return -steps.astype(np.int64)
        gaps = self.utilities.gaps
        # thm-report-noisy-max: geometric noise is on integers, so the utilities must be integers
        if any(gap.denominator > 1 for gap in gaps):
            raise ValueError("utilities must differ by integers (scale them, and the sensitivity)")
        return np.array([-int(gap) for gap in gaps], dtype=np.int64 if max(gaps) <= 2**62 else object)

    # Draws. The candidates stand in a row: the best first, and from there on in their order, as if in a ring.

    def in_row(self, places: Any) -> Any:
        """Which candidates stand at these places of the row."""
        return (places + self.utilities.best) % len(self)

    @cached_property
    def float_bounds(self) -> tuple[Floats, Floats]:
        """Floats below and above the weights in the row. Both are 1 where the weight is, the lower one only there."""
        near, far = self.utilities.gap_bounds()
        least, most = _rate_bounds(self.rate)
        with np.errstate(over="ignore", invalid="ignore"):
            low = np.exp(-most * far * (1 + STEP)) * (1 - EXP) - LEAST
            high = np.exp(-least * near * (1 - STEP)) * (1 + EXP) + LEAST
        sure = far == 0
        low, high = np.where(sure, 1.0, np.maximum(0.0, low)), np.where(sure, 1.0, np.minimum(1.0, high))
        row = self.in_row(np.arange(len(self), dtype=np.int64))
        return low[row], high[row]

    @cached_property
    def law(self) -> Law:
        """The law ∝ weights on the places of the row."""
        last = len(self) - 1

        def bounds(n: int, bits: int) -> Bounds:
            scale = bits + 64
            power = lru_cache(maxsize=None)(lambda gap: self.power(gap, digits=scale // 3 + 10))
            none = Enclosure(Fraction(0), Fraction(1, 2**scale))
            large = (self.float_bounds[1] > 2.0**-scale).tolist()
            ends = [power(self.utilities.gap(self.in_row(k))) if large[k] else none for k in range(len(self))]
            low = list(accumulate((e.lower.numerator << scale) // e.lower.denominator for e in ends))
            high = list(accumulate(ceil_div(e.upper.numerator << scale, e.upper.denominator) for e in ends))
            lower = [(a << bits) // high[-1] for a in low]
            upper = [ceil_div(b << bits, low[-1]) for b in high]
            one = 1 << bits
            return [*lower[:last], one], [*(min(one, bound) for bound in upper[:last]), one]

        return Law(bounds, terms=len(self), last=last)

    @cached_property
    def float_sums(self) -> tuple[Floats, Floats]:
        """Floats below and above the distribution function of that law, but infinite where it is 1."""
        low, high = map(np.cumsum, self.float_bounds)
        slack = (len(self) + 8) * STEP  # relative: more than the roundings of two sums and a quotient
        lower, upper = low / high[-1] * (1 - slack), high / low[-1] * (1 + slack)
        lower[-1] = np.inf
        return lower, upper

    def choose(self, n: int, source: Source) -> Integers:
        """``n`` candidates, each with probability ∝ weight: the first place k with U < F(k), for a uniform U."""
        lower, upper = self.float_sums
        words, cell = source.words(n), 2.0**-source.word_bits
        start = words.astype(np.float64) * cell
        place = np.searchsorted(lower, (start + cell) * (1 + SLACK))
        # thm-alias-table (3): where floats leave U < F(k) open, more bits of the same U decide it
        for i in np.flatnonzero((place > 0) & (start * (1 - SLACK) < upper[place - 1])):
            place[i] = invert(self.law, source, int(words[i]), source.word_bits)
        return np.asarray(self.in_row(place), dtype=np.int64)

    def flip(self, n: int, source: Source) -> NDArray[np.bool_]:
        """``n`` rows of coins, each heads with probability α^{u* − u_r}. Words that are zero show tails."""
        low, high = self.float_bounds
        unsure = np.flatnonzero(low < 1)

        def tails(i: int) -> Law:
            gap = self.utilities.gap(self.in_row(int(unsure[i % unsure.size])))
            return coin_law(lambda digits: 1 - self.power(gap, digits))

        least, most = (np.tile(1 - end[unsure], n) for end in (high, low))
        heads = np.ones((n, len(self)), dtype=bool)
        heads[:, unsure] = ~enclosed_coins(least - SLACK, most + SLACK, tails, source).reshape(n, unsure.size)
        return heads

    def noise(self, n: int, source: Source) -> NDArray[Any]:
        """``n`` rows of geometric numbers, Pr[k] = (1−α)α^k: of 64 bits, or Python's where one would not fit."""
        low, stride = low_digits(self.rate, n * len(self), source)
        high = sample(geometric_law(self.rate, stride), n * len(self), source).reshape(n, len(self))
        if low is None:
            return high
        if high.max(initial=0) >= 2**62 // stride:
            return low.reshape(high.shape) + stride * high.astype(object)
        return low.reshape(high.shape) + stride * high


def _rate_bounds(rate: Rate) -> tuple[float, float]:
    """Floats below and above the rate, where α = e^{−rate}."""
    if rate.alpha is not None:
        log = log_enclosure(rate.alpha, 25)
        low, high = -log.upper, -log.lower
    else:
        assert rate.rate is not None
        low = high = rate.rate
    least, most = (float(min(end, Fraction(HUGE))) for end in (low, high))
    return max(0.0, least * (1 - STEP) - LEAST), np.inf if most == HUGE else most * (1 + STEP) + LEAST


def drawn(
    draw: Callable[[int, Source], Integers], size: int | None, rng: Rng, width: int = 1
) -> int | NDArray[np.int64]:
    """One draw as an int, or ``size`` draws as an array, in tiles that bound the memory for ``width`` numbers each."""
    source = as_source(rng)
    if size is None:
        return int(draw(1, source)[0])
    n, tile = as_integer(size, "size", minimum=0, maximum=2**32), max(1, _TILE // width)
    parts = [draw(min(tile, n - start), source) for start in range(0, n, tile)]
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
