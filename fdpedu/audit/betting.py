"""The bet against a claim: if the claim is true, no gambler grows rich; a gambler who does has refuted it.

A run shows an output of D or of D′, by a fair coin, and the gambler guesses which, or does not. Who stakes the part u
of what he has is left with

    1 + c·u if the guess was right,   1 − u if it was wrong,   1 − d·u if he did not guess,

times what he had, with the odds c = (2 − rδ)/(2e^ε + rδ) and the fee d = rδ/(2e^ε + rδ); r is 2 if outputs are named
for both guesses, and 1 if for one. With δ = 0 the odds are e^{−ε}, and there is no fee. If every run is (ε, δ)-private
given all before it, nobody gains on average; so with a probability of at most α anybody ever has 1/α times what he
began with. Because nobody knows the best stake, the money is divided among gamblers with the :data:`STAKES`.

Nothing is decided by a float: odds are rounded down and fees up, so that the bet is a little worse than fair, and
whether a wealth reaches 1/α is found in integers that are rounded down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.exact import Rational, as_floats, as_fraction, as_integer, exp_enclosure, shown
from fdpedu.exact.integers import has_truth_values

Floats = NDArray[np.float64]

GAMBLERS = 64
STAKES: tuple[Fraction, ...] = tuple(Fraction(2 * j + 1, 2 * GAMBLERS) ** 2 for j in range(GAMBLERS))
"""What each gambler stakes of what he has, in every run: ((2j − 1)/128)² for j from 1 to 64, dense near 0."""
MAX_EPSILON = 50
LEAST_ALPHA = Fraction(1, 10**100)
MOST_RUNS, MOST_EXACT = 10**12, 10**4
_AT_A_TIME = 4096
_BITS = 160


@dataclass(frozen=True)
class Bet:
    """The terms of a bet.

    Claims: thm-two-sided-bet

    Parameters
    ----------
    odds : 0 ≤ c ≤ 1, what a right guess gains of a stake of 1
    fee : 0 ≤ d < 1, what a run without a guess costs of a stake of 1

    Examples
    --------
    >>> bet = Bet(Fraction(1, 2))  # against e^ε = 2
    >>> bet.wealth(3, 0) > 1 > bet.wealth(0, 1)
    True
    """

    odds: Fraction
    fee: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        for name in ("odds", "fee"):
            object.__setattr__(self, name, as_fraction(getattr(self, name), name))
        if not 0 <= self.odds <= 1:
            raise ValueError(f"odds must lie between 0 and 1, got {shown(self.odds)}")
        if not 0 <= self.fee < 1:
            raise ValueError(f"fee must be at least 0 and less than 1, got {shown(self.fee)}")

    @classmethod
    def against(cls, epsilon: Rational, delta: Rational = 0, directions: int = 2) -> Bet:
        """The bet against a claim of (ε, δ), a little worse than fair where e^ε is irrational.

        Claims: thm-approximate-bet

        Parameters
        ----------
        epsilon : from 0 to 50
        delta : 0 ≤ δ < 1
        directions : 2, or 1 if outputs are named for one guess only

        Examples
        --------
        >>> Bet.against(0), float(Bet.against(1).odds)
        (Bet(odds=Fraction(1, 1), fee=Fraction(0, 1)), 0.36787944117144233)
        """
        return cls.against_any((epsilon, epsilon), delta, directions)

    @classmethod
    def against_any(cls, epsilons: tuple[Rational, Rational], delta: Rational = 0, directions: int = 2) -> Bet:
        """The bet whose wealth is at most that against each ε between these two: the least odds, the highest fee."""
        low, high = (as_epsilon(epsilon) for epsilon in epsilons)
        slack = as_integer(directions, "directions", minimum=1, maximum=2) * as_delta(delta)
        odds = (2 - slack) / (2 * exp_enclosure(high) + slack)
        fee = slack / (2 * exp_enclosure(low) + slack)
        return cls(odds.rounded(64).lower, fee.rounded(64).upper)

    def wealth(self, right: int, wrong: int, none: int = 0) -> Fraction:
        """What 1 has become after so many runs of each kind, in any order. Exact, hence for few runs.

        Parameters
        ----------
        right, wrong, none : runs of each kind, 10,000 at most
        """
        k, m, z = _counts(right, wrong, none, most=MOST_EXACT)
        each = ((1 + self.odds * u) ** k * (1 - u) ** m * (1 - self.fee * u) ** z for u in STAKES)
        return sum(each, Fraction(0)) / GAMBLERS

    def log_wealth(self, right: ArrayLike, wrong: ArrayLike, none: ArrayLike = 0) -> Floats:
        """The natural logarithm of the wealth, in floats, for arrays of counts, which need not be whole numbers."""
        named = (("right", right), ("wrong", wrong), ("none", none))
        k, m, z = np.broadcast_arrays(*(_as_counts(counts, name) for name, counts in named))
        if k.size and not 0 <= min(k.min(), m.min(), z.min()) <= max(k.max(), m.max(), z.max()) <= MOST_RUNS:
            raise ValueError(f"right, wrong and none must be counts from 0 to {MOST_RUNS}")
        flat = np.stack([k.ravel(), m.ravel(), z.ravel()])
        parts = [_log_mean(flat[:, i : i + _AT_A_TIME].T @ self._logs) for i in range(0, flat.shape[1], _AT_A_TIME)]
        return np.concatenate([*parts, np.empty(0)]).reshape(k.shape)

    @cached_property
    def _logs(self) -> Floats:
        """What a right guess, a wrong one and none add to the logarithm of each gambler's wealth, shape (3, 64)."""
        u = np.array([float(stake) for stake in STAKES])
        return np.stack([np.log1p(float(self.odds) * u), np.log1p(-u), np.log1p(-float(self.fee) * u)])

    def reaches(self, level: Rational, right: int, wrong: int, none: int = 0) -> bool:
        """Whether the wealth is at least ``level``, for certain: decided in integers, each rounded down.

        Parameters
        ----------
        level : such as 1/α
        right, wrong, none : counts of runs

        Examples
        --------
        >>> Bet(Fraction(1)).reaches(10**6, right=60, wrong=10), Bet(Fraction(1)).reaches(10**6, right=40, wrong=10)
        (True, False)
        """
        least, counts = GAMBLERS * as_fraction(level, "level"), _counts(right, wrong, none)
        total = Fraction(0)
        for u in STAKES:
            mantissa, exponent = 1, 0
            for base, power in zip((1 + self.odds * u, 1 - u, 1 - self.fee * u), counts, strict=True):
                mantissa, exponent = _times((mantissa, exponent), _power_down(base, power))
            if exponent > -4 * _BITS:  # what is less counts as nothing
                total += mantissa * Fraction(2) ** exponent
            if total >= least:
                return True
        return False


def as_epsilon(epsilon: Rational) -> Fraction:
    """0 ≤ ε ≤ 50, exactly."""
    claimed = as_fraction(epsilon, "epsilon")
    if not 0 <= claimed <= MAX_EPSILON:
        raise ValueError(f"epsilon must lie between 0 and {MAX_EPSILON}, got {shown(claimed)}")
    return claimed


def as_delta(delta: Rational) -> Fraction:
    """0 ≤ δ < 1, exactly."""
    slack = as_fraction(delta, "delta")
    if not 0 <= slack < 1:
        raise ValueError(f"delta must be at least 0 and less than 1, got {shown(slack)}")
    return slack


def as_alpha(alpha: Rational) -> Fraction:
    """10⁻¹⁰⁰ ≤ α < 1, exactly."""
    error = as_fraction(alpha, "alpha")
    if not 0 < error < 1:
        raise ValueError(f"alpha must be greater than 0 and less than 1, got {shown(error)}")
    if error < LEAST_ALPHA:
        raise ValueError(f"alpha must be at least 10⁻¹⁰⁰, got {shown(error)}")
    return error


def predicted_runs(
    p_right: float,
    p_wrong: float,
    *,
    epsilon: Rational = 1,
    delta: Rational = 0,
    alpha: Rational = 1e-6,
    directions: int = 2,
) -> int | None:
    """After how many runs the wealth at the expected counts is 1/α; None if it is not within 10⁹ runs.

    Parameters
    ----------
    p_right, p_wrong : how likely a right and a wrong guess are in a run, over both coins; together at most 1
    epsilon, delta, alpha : the claim, and the error that is allowed
    directions : as for :meth:`Bet.against`

    Examples
    --------
    >>> predicted_runs(0.85, 0.15), predicted_runs(0.7, 0.3)
    (392, None)
    """
    right, wrong = (_as_probability(p, name) for p, name in ((p_right, "p_right"), (p_wrong, "p_wrong")))
    if right + wrong > 1 + 1e-12:
        raise ValueError(f"p_right and p_wrong must be at most 1 together, got {right + wrong}")
    none = max(0.0, 1 - right - wrong)
    bet, need = Bet.against(epsilon, delta, directions), -math.log(as_alpha(alpha))

    def enough(n: int) -> bool:
        return float(bet.log_wealth(n * right, n * wrong, n * none)) >= need

    if not enough(10**9):
        return None
    low, high = 0, 10**9  # the logarithm of a mean of exponentials is convex in n: once it has risen it rises on
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _as_probability(value: float, name: str) -> float:
    chance = as_fraction(value, name)
    if not 0 <= chance <= 1:
        raise ValueError(f"{name} must lie between 0 and 1, got {shown(chance)}")
    return float(chance)


def _counts(*counts: int, most: int = MOST_RUNS) -> tuple[int, ...]:
    named = zip(("right", "wrong", "none"), counts, strict=True)
    return tuple(as_integer(n, name, minimum=0, maximum=most) for name, n in named)


def _as_counts(counts: ArrayLike, name: str) -> Floats:
    """An array of numbers, of which none is a truth value."""
    if has_truth_values(counts) or isinstance(counts, (bool, np.bool_)):
        raise ValueError(f"{name} must be counts, and one of them is a truth value")
    return as_floats(counts, name)


def _log_mean(logs: Floats) -> Floats:
    """The logarithm of the mean wealth of the gamblers, from their logarithms, shape (N, 64)."""
    most = logs.max(axis=1)
    found: Floats = most + np.log(np.exp(logs - most[:, None]).mean(axis=1))
    return found


def _times(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    """A product of two numbers, mantissa·2^exponent each, rounded down to 160 bits."""
    product, exponent = a[0] * b[0], a[1] + b[1]
    over = max(0, product.bit_length() - _BITS)
    return product >> over, exponent + over


def _power_down(base: Fraction, power: int) -> tuple[int, int]:
    """base^power for 0 ≤ base, as mantissa·2^exponent, at most the truth and less by a part of 2^−150·power at most."""
    shift = max(0, _BITS + base.denominator.bit_length() - base.numerator.bit_length())
    square, found = ((base.numerator << shift) // base.denominator, -shift), (1, 0)
    while power:
        if power & 1:
            found = _times(found, square)
        square, power = _times(square, square), power >> 1
    return found
