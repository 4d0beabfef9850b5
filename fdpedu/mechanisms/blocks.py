"""Three choices at once: a root, and something for each of its sides, by the exponential mechanism over all blocks.

A block costs what its two sides cost together, and what a side offers depends on the root. There are too many blocks to
list, and no need to: the weight of a root is a product, Z_left·Z_right, each factor a sum over what that side offers.
After the root, the two sides are drawn on their own. That is one draw with probability ∝ α^loss among all blocks.

Claims: thm-block
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

from fdpedu.exact import Rate, as_integers, as_list, ceil_div, ceil_shift
from fdpedu.mechanisms.selection import exponential
from fdpedu.randomness import Rng, as_source
from fdpedu.sampling import Law, invert

_FEW = 2**10
SideLosses = tuple[Sequence[int], Sequence[int]]  # of all that the left side of a root offers, and its right side


def draw_block(losses: Sequence[SideLosses], rate: Rate, source: Rng = None) -> tuple[int, int, int]:
    """The positions of a root, and of what is drawn for its left and its right side, with Pr ∝ α^loss, exactly.

    Contract: the caller answers for it that a record moves all losses of a block in one direction, by at most ε/rate.

    Claims: thm-block

    Parameters
    ----------
    losses : for each root the losses of what its sides offer, integers; at least one root, and one offer a side
    rate : of the base α = e^{−rate}
    source : of random words; None for the operating system's

    Examples
    --------
    >>> from fdpedu.randomness import Rehearsal
    >>> draw_block([([9, 5], [7]), ([0], [3, 1, 2])], Rate.of(epsilon=5), Rehearsal(1))
    (1, 0, 1)
    """
    found, words = _read(losses), as_source(source)
    if type(rate) is not Rate:
        raise ValueError(f"rate must be a Rate, got {type(rate).__name__}")
    # thm-block: the root by Z_left·Z_right, then each side on its own, has the law of one joint draw
    root = invert(root_law(found, rate), words)
    left, right = (
        exponential([-loss for loss in side], rate.rate, words, monotone=True)
        if rate.rate is not None
        else exponential([-loss for loss in side], rng=words, alpha=rate.alpha)
        for side in found[root]
    )
    return root, left, right


def _read(losses: Sequence[SideLosses]) -> list[tuple[list[int], list[int]]]:
    """Integers, in the form that the law needs."""
    found = []
    for pair in as_list(losses, "losses"):
        left, right = sides if len(sides := as_list(pair, "losses")) == 2 else ([], [])
        read = as_integers(as_list(left, "losses"), "losses"), as_integers(as_list(right, "losses"), "losses")
        if any(side.ndim != 1 or not side.size for side in read):
            raise ValueError("losses must be a pair for each root: a list of integers for its left and its right side")
        found.append((read[0].tolist(), read[1].tolist()))
    if not found:
        raise ValueError("losses must be of at least one root")
    return found


@dataclass(frozen=True)
class Scaled:
    """A number between ``low`` and ``high``, both in units of 2^−scale: sums and products are of integers."""

    low: int
    high: int
    scale: int

    def __mul__(self, other: Scaled) -> Scaled:
        return Scaled((self.low * other.low) >> self.scale, ceil_shift(self.high * other.high, self.scale), self.scale)


class Powers:
    """α^k for integers k ≥ 0, each a product of two from small tables: of k's last ten binary digits, and of the rest.

    Parameters
    ----------
    rate : of α
    scale : results are in units of 2^−scale
    """

    def __init__(self, rate: Rate, scale: int) -> None:
        self._rate, self._scale = rate, scale
        self._known: dict[int, Scaled] = {}

    def _exactly(self, exponent: int) -> Scaled:
        if exponent not in self._known:
            found = self._rate.power(exponent, self._scale // 3 + 10)
            low = (found.lower.numerator << self._scale) // found.lower.denominator
            high = ceil_div(found.upper.numerator << self._scale, found.upper.denominator)
            self._known[exponent] = Scaled(low, high, self._scale)
        return self._known[exponent]

    def __call__(self, exponent: int) -> Scaled:
        """α^exponent, enclosed."""
        few = exponent % _FEW
        if few == exponent:
            return self._exactly(exponent)
        return self._exactly(exponent - few) * self._exactly(few)

    def sum(self, exponents: Iterable[int]) -> Scaled:
        """The sum of several, enclosed."""
        parts = [(self(exponent), times) for exponent, times in Counter(exponents).items()]
        low, high = sum(part.low * times for part, times in parts), sum(part.high * times for part, times in parts)
        return Scaled(low, high, self._scale)


def root_law(losses: Sequence[SideLosses], rate: Rate) -> Law:
    """The law of the root split: ∝ Z_left·Z_right, each a sum of α^loss over the splits of that side."""
    least = min(min(left) + min(right) for left, right in losses)

    @cache
    def weights(scale: int) -> list[Scaled]:
        power, found = Powers(rate, scale), []
        for sides in losses:
            lows = [min(side) for side in sides]
            z_left, z_right = (power.sum(loss - low for loss in side) for side, low in zip(sides, lows, strict=True))
            found.append(power(sum(lows) - least) * z_left * z_right)
        return found

    def bounds(n: int, bits: int) -> tuple[list[int], list[int]]:
        parts = weights(bits + 64)
        low, high = list(accumulate(part.low for part in parts)), list(accumulate(part.high for part in parts))
        one = 1 << bits
        lower = [(a << bits) // high[-1] for a in low[:-1]]
        upper = [min(one, ceil_div(b << bits, low[-1])) for b in high[:-1]]
        return [*lower, one], [*upper, one]

    return Law(bounds, terms=len(losses), last=len(losses) - 1)
