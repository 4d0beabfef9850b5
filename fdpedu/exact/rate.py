"""The decay of a geometric law, by a rational rate or by a rational α = e^{−rate}."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from fdpedu.exact.enclosure import Enclosure, exp_enclosure, log_enclosure
from fdpedu.exact.reading import Rational, as_fraction, as_integer, as_positive_fraction, shown


@dataclass(frozen=True)
class Rate:
    """The decay of a geometric law, written as α = e^{−rate}: exactly one of a rational rate and a rational α.

    ``Rate.of(epsilon=1, sensitivity=2)`` is α = e^{−1/2}; ``Rate.of(alpha="1/3")`` is α = 1/3 itself.
    """

    rate: Fraction | None = None
    alpha: Fraction | None = None

    def __post_init__(self) -> None:
        number = self.alpha if self.rate is None else self.rate
        if (self.rate is None) == (self.alpha is None) or type(number) is not Fraction:
            raise ValueError("a rate needs exactly one of rate and alpha, as a Fraction")
        if self.rate is not None and self.rate <= 0:
            raise ValueError(f"rate must be greater than 0, got {shown(self.rate)}")
        if self.alpha is not None and not 0 < self.alpha < 1:
            raise ValueError(f"alpha must lie strictly between 0 and 1, got {shown(self.alpha)}")

    @classmethod
    def of(cls, epsilon: Rational | None = None, alpha: Rational | None = None, sensitivity: int = 1) -> Rate:
        """Read the parameters of a law, which takes exactly one of ``epsilon`` and ``alpha``.

        >>> Rate.of(epsilon="1/2", sensitivity=2)
        Rate(rate=Fraction(1, 4), alpha=None)
        """
        if (epsilon is None) == (alpha is None):
            raise ValueError("give exactly one of epsilon and alpha (alpha = e^(−epsilon/sensitivity))")
        if alpha is None:
            steps = as_integer(sensitivity, "sensitivity", minimum=1)
            return cls(rate=as_positive_fraction(epsilon, "epsilon") / steps)
        if as_integer(sensitivity, "sensitivity", minimum=1) != 1:
            raise ValueError("alpha is e^(−epsilon/sensitivity) itself: give it alone, or epsilon and sensitivity")
        return cls(alpha=as_fraction(alpha, "alpha"))

    def power(self, exponent: int, digits: int = 40) -> Enclosure:
        """α^exponent, enclosed (exact when α is rational and the exponent small)."""
        if self.rate is not None:
            return exp_enclosure(-self.rate * exponent, digits)
        assert self.alpha is not None
        if exponent <= 64:
            return Enclosure.exactly(self.alpha**exponent)
        log = log_enclosure(self.alpha, digits + len(str(exponent)))
        low, high = (exp_enclosure(end * exponent, digits) for end in (log.lower, log.upper))
        return Enclosure(low.lower, high.upper)

    def weight(self, exponent: int) -> Fraction | Enclosure:
        """α^exponent: a fraction when α is rational, an enclosure when the rate is.

        >>> Rate.of(alpha="2/3").weight(2), Rate.of(epsilon=1).weight(2)
        (Fraction(4, 9), 0.13533528 (±2e-40))
        """
        if self.alpha is None:
            return self.power(exponent)
        if exponent * self.alpha.denominator.bit_length() > 10**6:
            raise ValueError(f"alpha**{exponent} would be a fraction of a million digits; give epsilon instead")
        return self.alpha**exponent

    def __float__(self) -> float:
        """The rate as a float, for sizing tables only."""
        if self.rate is not None:
            return float(min(self.rate, Fraction(10**9)))
        assert self.alpha is not None
        log = log_enclosure(self.alpha, 20)
        return float(-log.upper)
