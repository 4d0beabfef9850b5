"""The noise that is left when shares are subtracted: the difference of two NB(τ, α) numbers, 0 < τ < 1, enclosed.

Its law is f(k) = (1−α)^{2τ}·w(k) with w(k) = Σ_i w_i·w_{i+k} and w_i = (τ)_i/i!·α^i, a hypergeometric series in α². For
a small rate α² is close to 1 and the series slow; there it is carried over to 1 − α², by Gauss's formula:

    w(k)/α^k = (τ)_k/k!·F(τ, τ+k; k+1; α²)
             = [(τ)_k/(1−τ)_k·A·F(τ, τ+k; 2τ; δ) − B·δ^{1−2τ}·F(1−τ, 1−τ+k; 2−2τ; δ)]/(1−2τ),   δ = 1 − α²,

with A = Γ(2−2τ)/Γ(1−τ)² and B = Γ(2τ)/Γ(τ)². At τ = ½ the bracket is 0; but what an insider learns decreases as τ
grows, so there it lies between what it is a little below ½ and a little above (:func:`around`).

Guarantee: every number is enclosed. Arithmetic: fractions and integers. Not guaranteed: running time.

Claims: lem-remainder
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from fdpedu.dlpa.series import DIGITS, gamma_function, hypergeometric, power_enclosure, rising_ratio
from fdpedu.exact import Enclosure, exp_enclosure

HALF = Fraction(1, 2)
_CLOSE_TO_HALF = Fraction(1, 10**38)
_SMALL_RATE = Fraction(1, 3)  # then δ < ½
_SMALL_LOSS = 12  # the two terms of the bracket are then at most e^24 times their difference


@dataclass(frozen=True)
class Remainder:
    """The law of X − Y for independent X and Y that are NB(τ, e^{−rate}), 0 < τ < 1, τ ≠ ½.

    Claims: lem-remainder
    """

    tau: Fraction
    rate: Fraction

    def pmf(self, k: int) -> Enclosure:
        """f(k).

        >>> Remainder(Fraction(4, 5), Fraction(1)).pmf(0)
        0.52679166 (±...e-...)
        """
        return self._mass * self.weight(k)

    def weight(self, k: int) -> Enclosure:
        """w(k) = f(k)/(1−α)^{2τ}."""
        k = abs(k)
        if self.rate <= _SMALL_RATE and self.rate * k <= _SMALL_LOSS:
            return exp_enclosure(-self.rate * k, DIGITS) * self._by_complement(k)
        return exp_enclosure(-self.rate * k, DIGITS) * self._by_square(k)

    def reach(self, steps: int) -> int:
        """A far k such that f(k+steps) is quickly found; nearly all of the law lies before it."""
        if self.rate > _SMALL_RATE:
            return math.ceil(200 / self.rate)
        return max(64, math.floor(_SMALL_LOSS / self.rate) - steps)

    def _by_square(self, k: int) -> Enclosure:
        """w(k)/α^k as a series in α²."""
        square = exp_enclosure(-2 * self.rate, DIGITS)
        series = hypergeometric([self.tau, self.tau + k], [Fraction(k + 1)], square)
        return rising_ratio(self.tau, Fraction(1), k) * series

    def _by_complement(self, k: int) -> Enclosure:
        """w(k)/α^k as two series in δ = 1 − α²."""
        tau, rest = self.tau, 1 - self.tau
        first = hypergeometric([tau, tau + k], [2 * tau], self._complement) * rising_ratio(tau, rest, k)
        second = hypergeometric([rest, rest + k], [2 * rest], self._complement)
        a, b = self._factors
        return (first * a - second * b) / (rest - tau)

    @cached_property
    def _complement(self) -> Enclosure:
        """δ, to as many digits as if it were not small."""
        missing = len(str(self.rate.denominator // self.rate.numerator))
        return 1 - exp_enclosure(-2 * self.rate, DIGITS + missing)

    @cached_property
    def _factors(self) -> tuple[Enclosure, Enclosure]:
        """A, and B·δ^{1−2τ}."""
        tau, rest = self.tau, 1 - self.tau
        a = gamma_function(2 * rest) / (gamma_function(rest) * gamma_function(rest))
        b = gamma_function(2 * tau) / (gamma_function(tau) * gamma_function(tau))
        return a, b * power_enclosure(self._complement, rest - tau)

    @cached_property
    def _mass(self) -> Enclosure:
        """(1−α)^{2τ}."""
        missing = len(str(self.rate.denominator // self.rate.numerator))
        return power_enclosure(1 - exp_enclosure(-self.rate, DIGITS + missing), 2 * self.tau)


def around(tau: Fraction, decreasing: Callable[[Fraction], Enclosure]) -> Enclosure:
    """A function of τ that does not increase; at ½ from its values a little above and a little below."""
    if tau != HALF:
        return decreasing(tau)
    return Enclosure(decreasing(tau + _CLOSE_TO_HALF).lower, decreasing(tau - _CLOSE_TO_HALF).upper)
