"""The weights α^{u* − u_r} that all selection mechanisms share, exactly or enclosed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import Enclosure, Rate, as_fraction, as_integer, as_positive_fraction, exp_enclosure
from fdpedu.randomness import Integers, Source, as_source
from fdpedu.sampling import Law
from fdpedu.sampling.law import Bounds

Probability = Fraction | Enclosure
MOST_CANDIDATES = 4000


class Weights:
    """Candidates with their ``gaps`` u* − u_r ≥ 0, and the ``rate`` of the coins' base α = e^{−rate}."""

    def __init__(self, utilities: Any, epsilon: Any, alpha: Any, sensitivity: Any, monotone: bool) -> None:
        if isinstance(utilities, np.ndarray):
            utilities = utilities.tolist()
        if not isinstance(utilities, Sequence) or isinstance(utilities, (str, bytes)):
            raise ValueError("utilities must be a list of numbers")
        if not 1 <= len(utilities) <= MOST_CANDIDATES:
            raise ValueError(f"utilities must be 1 to {MOST_CANDIDATES} numbers, got {len(utilities)}")
        values = [as_fraction(u, "utilities") for u in utilities]
        self.gaps = [max(values) - u for u in values]
        if not isinstance(monotone, (bool, np.bool_)):
            raise ValueError(f"monotone must be True or False, got {type(monotone).__name__}")
        if alpha is not None and any(gap.denominator > 1 for gap in self.gaps):
            raise ValueError("with alpha, differences of utilities must be integers; give epsilon instead")
        unit = Rate.of(epsilon, alpha)  # refuses both and neither
        if unit.rate is not None:
            unit = Rate(rate=unit.rate / as_positive_fraction(sensitivity, "sensitivity") / (1 if monotone else 2))
        self.rate = unit

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
        return [self.unit(gap) for gap in self.gaps]

    def heights(self) -> list[int]:
        """Utilities as integers, up to a common constant; refuses fractions, and gaps beyond 2**62."""
        if any(gap.denominator > 1 or gap > 2**62 for gap in self.gaps):
            raise ValueError("utilities must differ by integers of at most 2**62 (scale them, and the sensitivity)")
        return [-int(gap) for gap in self.gaps]

    def law(self, order: Sequence[int]) -> Law:
        """The law ∝ weights, with the candidates in the given order."""
        last = len(order) - 1

        def bounds(n: int, bits: int) -> Bounds:
            scale = bits + 64
            ends = [self.power(self.gaps[r], digits=scale // 3 + 10) for r in order]
            low = list(accumulate((e.lower.numerator << scale) // e.lower.denominator for e in ends))
            high = list(accumulate(-((-e.upper.numerator << scale) // e.upper.denominator) for e in ends))
            lower = [(a << bits) // high[-1] for a in low]
            upper = [-((-b << bits) // low[-1]) for b in high]
            one = 1 << bits
            return [*lower[:last], one], [*(min(one, bound) for bound in upper[:last]), one]

        return Law(bounds, terms=len(order), last=last, value=lambda k: order[k])


def drawn(draw: Callable[[int, Source], Integers], size: int | None, rng: Any) -> int | NDArray[np.int64]:
    """One draw as an int, or ``size`` of them as an array."""
    if size is None:
        return int(draw(1, as_source(rng))[0])
    return draw(as_integer(size, "size", at_least=0), as_source(rng))
