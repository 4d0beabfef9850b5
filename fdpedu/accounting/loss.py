"""The law of the privacy loss, kept as numbers, so that any mixture of mechanisms can be composed.

Let L = ln(P/Q), drawn under P. The losses of independent releases add up, so their law is a convolution; and
δ(ε) = E[(1 − e^{ε−L})₊] is the mean of a non-decreasing function of L. Two laws on the grid {i·h} enclose the true one:
in the *pessimistic* one every tail Pr[L ≥ x] is at least as large, in the *optimistic* one at most as large. That order
is all that is needed: it survives convolution with any third law, and it orders δ.

- A loss between two points of the grid goes to the upper one (pessimistic) or to the lower one (optimistic).
- Tails are integers in units of 10⁻³⁰, rounded up or down; the masses are their differences.
- What is too unlikely to be kept goes up (to +∞), or down (away).

So nothing depends on the rounding being small; only the distance of the two answers does: at most k·h in ε.
Convolution is exact: two lists of integers are written one after the other into two long decimal numbers, whose product
Python computes by a number-theoretic transform. The laws here are the same for (P, Q) as for (Q, P).
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise

from fdpedu.accounting.lattice import LossLattice, decay, delta_at, epsilon_at
from fdpedu.accounting.normal import normal_tail
from fdpedu.accounting.parameters import as_count, as_delta, as_epsilon
from fdpedu.exact import Enclosure, Rational, as_integer, ceil_div, shown

Tail = Callable[[Fraction, bool], Enclosure]  # Pr[L ≥ x], or Pr[L > x] where the second argument is True

_PLACES = 30
UNIT = 10**_PLACES
_NEGLIGIBLE = 10**4  # tails below 10⁻²⁶ are cut off
_MAX_CELLS = 1 << 19


@dataclass(frozen=True)
class _Law:
    """Masses in units of 10⁻³⁰ at the losses first·h, (first + 1)·h, …, and at +∞."""

    first: int
    masses: tuple[int, ...]
    infinite: int = 0


@dataclass(frozen=True)
class LossDistribution:
    """The privacy loss of a mechanism, enclosed by two laws on a grid; for the mechanism's neighbours.

    Claims: thm-loss-distribution

    Examples
    --------
    >>> seventy = LossDistribution.discrete_laplace("1/10", step="1/10").compose(70)
    >>> seventy.epsilon(1e-6)  # this loss takes the values ±1/10 only, so on this grid nothing is rounded
    3.878876 (±3e-25)
    """

    step: Fraction
    pessimistic: _Law
    optimistic: _Law

    @classmethod
    def of_tail(cls, tail: Tail, lowest: Fraction, highest: Fraction, step: Rational = "1/1024") -> LossDistribution:
        """From the tails of L; ``tail(x, strict)`` encloses Pr[L > x] if ``strict``, else Pr[L ≥ x].

        Parameters
        ----------
        tail : from a loss x and whether the inequality is strict to an enclosure of the tail
        lowest, highest : what lies below or above is treated as too unlikely to be kept, and bounded
        step : of the grid; if all losses are multiples of it nothing is rounded
        """
        h = as_epsilon(step, "step")
        first, last = math.floor(lowest / h), math.ceil(highest / h)
        if last - first >= _MAX_CELLS:
            raise ValueError(f"step {shown(h)} is too fine: the grid would have more than {_MAX_CELLS} points")
        # thm-loss-distribution: each tail is rounded in one direction
        up = [math.ceil(tail((i - 1) * h, True).upper * UNIT) for i in range(first, last + 2)]
        down = [math.floor(tail(i * h, False).lower * UNIT) for i in range(first, last + 1)]
        up = list(accumulate([min(UNIT, t) for t in reversed(up)], max))[::-1]
        down = list(accumulate([max(0, t) for t in down], min))
        pessimistic = _from_tails(first, [UNIT, *up[1:]], True)
        return cls(h, pessimistic, _from_tails(first, [*down, 0], False))

    @classmethod
    def laplace(cls, epsilon: Rational, step: Rational = "1/1024") -> LossDistribution:
        """Laplace noise with rate ε/Δ.

        L is ε with probability ½, −ε with ½e^{−ε}, and in between Pr[L ≥ x] is 1 − ½·e^{(x−ε)/2}.
        """
        e = as_epsilon(epsilon, "epsilon")

        def tail(x: Fraction, strict: bool) -> Enclosure:
            if x < -e or (x == -e and not strict):
                return Enclosure.exactly(Fraction(1))
            if x > e or (x == e and strict):
                return Enclosure.exactly(Fraction(0))
            power = decay((e - x) / 2, 60)
            return Enclosure(1 - power.upper / 2, 1 - power.lower / 2)

        return cls.of_tail(tail, -e, e, step)

    @classmethod
    def discrete_laplace(cls, epsilon: Rational, sensitivity: int = 1, step: Rational = "1/1024") -> LossDistribution:
        """Discrete Laplace noise with rate ε/Δ, Δ an integer.

        L is (Δ − 2j)·ε/Δ for j = 0, …, Δ, and Pr[L ≥ that] = 1 − α^{j+1}/(1+α) for j < Δ, α = e^{−ε/Δ}.
        """
        e, d = as_epsilon(epsilon, "epsilon"), as_integer(sensitivity, "sensitivity", minimum=1)
        alpha = decay(e / d, 60)

        def tail(x: Fraction, strict: bool) -> Enclosure:
            j = (d - x * d / e) / 2  # L ≥ x iff the index is at most j
            most = math.ceil(j) - 1 if strict else math.floor(j)
            if most < 0 or most >= d:
                return Enclosure.exactly(Fraction(int(most >= d)))
            power = decay(e / d * (most + 1), 60)
            return Enclosure(1 - power.upper / (1 + alpha.lower), 1 - power.lower / (1 + alpha.upper))

        return cls.of_tail(tail, -e, e, step)

    @classmethod
    def randomised_response(cls, epsilon: Rational, step: Rational = "1/1024") -> LossDistribution:
        """The coin (e^ε, 1)/(1 + e^ε): L is ε or −ε, as for a discrete Laplace release of sensitivity 1."""
        return cls.discrete_laplace(epsilon, 1, step)

    @classmethod
    def gaussian(cls, sigma: Rational, sensitivity: Rational = 1, step: Rational = "1/128") -> LossDistribution:
        """Gaussian noise: L is normal with mean μ²/2 and variance μ², μ = Δ/σ. μ is from 1/1000 to 30."""
        mu = as_epsilon(sensitivity, "sensitivity") / as_epsilon(sigma, "sigma")
        if not Fraction(1, 1000) <= mu <= 30:
            raise ValueError(f"sensitivity/sigma must be from 1/1000 to 30, got {shown(mu)}")
        middle, reach = mu**2 / 2, 11 * mu  # Pr[|Z| > 11] < 10⁻²⁷
        return cls.of_tail(lambda x, _: normal_tail((x - middle) / mu), middle - reach, middle + reach, step)

    def then(self, other: LossDistribution) -> LossDistribution:
        """Both releases, one after the other; the grids must have the same step."""
        if not isinstance(other, LossDistribution) or other.step != self.step:
            raise ValueError("two loss distributions compose on grids of the same step")
        up = _convolve(self.pessimistic, other.pessimistic, True)
        return LossDistribution(self.step, up, _convolve(self.optimistic, other.optimistic, False))

    def compose(self, k: int) -> LossDistribution:
        """k such releases, by repeated squaring."""
        count = as_count(k)
        half = self.compose(count // 2) if count > 1 else self
        twice = half.then(half) if count > 1 else self
        return twice.then(self) if count > 1 and count % 2 else twice

    def delta(self, epsilon: Rational) -> Enclosure:
        """The least δ for which all of it is (ε, δ)-DP; an enclosure."""
        e = as_epsilon(epsilon, "epsilon", zero=True)
        low, high = (delta_at(_lattice(law, self.step), e) for law in (self.optimistic, self.pessimistic))
        return Enclosure(low.lower, high.upper)

    def epsilon(self, delta: Rational) -> Enclosure:
        """The least ε ≥ 0 for which all of it is (ε, δ)-DP; an enclosure.

        Raises
        ------
        ValueError
            If δ is so small that what the tables leave out might exceed it (it never is when δ ≥ 10⁻²⁰).
        """
        d = as_delta(delta)
        low, high = (epsilon_at(_lattice(law, self.step), d) for law in (self.optimistic, self.pessimistic))
        if high is None:
            beyond = shown(Fraction(self.pessimistic.infinite, UNIT))
            raise ValueError(f"delta must be more than {beyond}, the mass that these tables leave out")
        return Enclosure(low.lower if low else Fraction(0), high.upper)


def _from_tails(first: int, tails: Sequence[int], up: bool) -> _Law:
    """A law from its tails at first, first + 1, …, and beyond the last; those near 0 and near the total are cut."""
    total, n = tails[0], len(tails) - 1
    start = next((i for i in range(n - 1, 0, -1) if total - tails[i] <= _NEGLIGIBLE), 0)
    stop = next((i for i in range(start + 1, n) if tails[i] <= _NEGLIGIBLE), n)
    head, end = (total, tails[stop]) if up else (tails[start], 0)
    kept = [head, *tails[start + 1 : stop], end]
    return _Law(first + start, tuple(a - b for a, b in pairwise(kept)), end if up else 0)


def _convolve(a: _Law, b: _Law, up: bool) -> _Law:
    """The law of the sum, its tails rounded up or down to the unit."""
    if len(a.masses) + len(b.masses) > _MAX_CELLS:
        raise ValueError(f"the composed grid would have more than {_MAX_CELLS} points: take a larger step")
    products = _product(a.masses, b.masses)
    infinite = a.infinite * (sum(b.masses) + b.infinite) + sum(a.masses) * b.infinite
    tails = list(accumulate(reversed(products), initial=infinite))[::-1]
    # thm-loss-distribution: the order of tails survives a convolution, if rounding respects it
    rounded = [ceil_div(tail, UNIT) if up else tail // UNIT for tail in tails]
    return _from_tails(a.first + b.first, rounded, up)


def _product(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The coefficients of the product of two polynomials: Kronecker substitution, at a power of 10."""
    width = 2 * (_PLACES + 1) + len(str(min(len(a), len(b))))
    n = len(a) + len(b) - 1
    x, y = (decimal.Decimal("".join(f"{mass:0{width}d}" for mass in masses)) for masses in (a, b))
    exact = decimal.Context(prec=width * (n + 1), Emax=decimal.MAX_EMAX, traps=[decimal.Inexact, decimal.Overflow])
    digits = f"{exact.multiply(x, y):f}".zfill(width * n)
    return [int(digits[i : i + width]) for i in range(0, width * n, width)]


def _lattice(law: _Law, step: Fraction) -> LossLattice:
    """The law from its largest loss down, with 64 bits more, so that rounding on the walk does not show."""
    top = (law.first + len(law.masses) - 1) * step
    masses = ((mass << 64, mass << 64) for mass in reversed(law.masses))
    return LossLattice(top, step, UNIT << 64, masses, (law.infinite << 64, law.infinite << 64))
