"""What a release costs, in one of two measures: ε, or ρ with a small correction ξ.

A mechanism is *pure* of cost ε if the logarithm of the ratio of neighbours' probabilities is at most ε. It is
*gaussian* of cost (ρ, ξ) if the outputs of neighbours can be drawn, by one kernel and up to factors e^{±ξ} in their
probabilities, from one number of N(0, 2ρ) and of N(2ρ, 2ρ). In either measure costs add along a path, and over disjoint
regions the largest counts. So one code adds both: an :class:`Amount` is the pair (value, ξ), and in ε its second part
is 0. What was begun in the older measure *concentrated* (λ·ρ + ξ bounds the Rényi divergence of every whole order
λ ≥ 2) is read and goes on in it.

Guarantee: neighbours differ by adding or removing one record. The numbers are exact fractions.

Claims: thm-gaussian-filter
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from fdpedu.exact import Rational, as_fraction, as_positive_fraction, quoted, shown

PURE, GAUSSIAN, CONCENTRATED = "pure", "gaussian", "concentrated"
SYMBOLS = {PURE: "ε", GAUSSIAN: "ρ", CONCENTRATED: "ρ"}
KINDS = {**SYMBOLS, CONCENTRATED: "ρ as it was booked before, of the measure concentrated"}
NAMES = {PURE: "epsilon", GAUSSIAN: "rho", CONCENTRATED: "rho"}
_ZERO = Fraction(0)
Priced = Any  # a Cost, or a number, which is ε; what is kept is a Cost
Paid = Any  # ε as a Fraction, or ρ and ξ as an Amount


class Amount(NamedTuple):
    """How much is paid or left: ε, or ρ and ξ."""

    value: Fraction = _ZERO
    xi: Fraction = _ZERO

    def __str__(self) -> str:
        return f"ρ = {shown(self.value)}, ξ = {shown(self.xi)}"

    def plus(self, other: Amount) -> Amount:
        return Amount(self.value + other.value, self.xi + other.xi if other.xi else self.xi)

    def less(self, other: Amount) -> Amount:
        return Amount(self.value - other.value, self.xi - other.xi if other.xi else self.xi)

    def joined(self, other: Amount) -> Amount:
        """The larger of both, part by part: what a record pays that is in one of two disjoint regions."""
        return Amount(max(self.value, other.value), max(self.xi, other.xi))

    def within(self, limit: Amount) -> bool:
        """Whether no part is more than that of the limit."""
        return self.value <= limit.value and self.xi <= limit.xi

    def public(self, measure: str) -> Paid:
        """In ε the number alone."""
        return self.value if measure == PURE else self


NOTHING = Amount()


def sum_of(amounts: Iterable[Amount]) -> Amount:
    """What is paid one after the other."""
    found = NOTHING
    for amount in amounts:
        found = found.plus(amount)
    return found


def largest_of(amounts: Iterable[Amount]) -> Amount:
    """What is paid at most in one of several disjoint regions."""
    found = NOTHING
    for amount in amounts:
        found = found.joined(amount)
    return found


@dataclass(frozen=True)
class Cost:
    """What a release or a whole account costs, in its measure.

    Parameters
    ----------
    measure : ``"pure"`` or ``"gaussian"``; ``"concentrated"`` of what was begun before there was the latter
    value : ε or ρ, greater than 0, read exactly
    xi : in ρ the logarithm of the factor by which probabilities may differ, at least 0; in ε it is 0

    Examples
    --------
    >>> print(Cost("pure", "1/2"), "and", Cost("gaussian", "1/40", "1/10000"))
    ε = 1/2 and ρ = 1/40, ξ = 1/10000
    """

    measure: str
    value: Fraction
    xi: Fraction = _ZERO

    def __post_init__(self) -> None:
        require_measure(self.measure)
        object.__setattr__(self, "value", as_positive_fraction(self.value, NAMES[self.measure]))
        object.__setattr__(self, "xi", as_fraction(self.xi, "xi"))
        if self.xi < 0 or (self.xi and self.measure == PURE):
            raise ValueError(f"xi must be at least 0, and 0 for a cost in ε, got {shown(self.xi)}")

    def __str__(self) -> str:
        xi = f", ξ = {shown(self.xi)}" * (self.xi > 0)
        return f"{SYMBOLS[self.measure]} = {shown(self.value)}{xi}"

    @cached_property
    def amount(self) -> Amount:
        return Amount(self.value, self.xi)

    @property
    def is_pure(self) -> bool:
        return self.measure == PURE

    @property
    def epsilon(self) -> Fraction:
        """ε; of a cost in ρ there is none."""
        if not self.is_pure:
            raise ValueError(f"this cost is in ρ ({self}), and has no ε of its own: only a whole budget is converted")
        return self.value

    def least_variance(self, l2_squared: int) -> Fraction:
        """The least variance of integer noise with which a release of this ρ moves by ℓ₂² of this size."""
        # lem-smoothed-gaussian: integers take 1 of it
        return l2_squared / (2 * self.value) + (self.measure == GAUSSIAN)

    def scaled(self, factor: Fraction | int) -> Cost:
        """So many times the value, in the same measure; ξ is not kept, as it follows from the noise."""
        return Cost(self.measure, self.value * factor)


def require_measure(measure: object) -> None:
    if not isinstance(measure, str) or measure not in SYMBOLS:
        raise ValueError(f"measure must be 'pure' or 'gaussian', got {quoted(measure)}")


def as_cost(cost: Cost | Rational, name: str = "cost") -> Cost:
    """A cost as it is; a bare number is ε.

    >>> print(as_cost("1/10"))
    ε = 1/10
    """
    return cost if type(cost) is Cost else Cost(PURE, as_positive_fraction(cost, name))
