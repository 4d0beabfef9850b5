"""What a released sum costs those who know part of its noise.

A party that has added a share knows it, and can subtract it; so can c colluders. The rest of the noise is smaller than
all of it, and the loss larger, unless the shares were made for that (``tolerate``). Of Pólya shares what is left is a
difference of two NB(τ, α) numbers, τ = (K−c)/(K−tolerate); of gamma shares, the report's, a difference of two gamma
numbers of shape τ.

Guarantee: the loss is enclosed, for shares that are what they should be. Arithmetic: fractions, and sums cut off where
the rest is bounded. Not guaranteed: anything against parties that deviate from the protocol.

Claims: thm-insider-polya, thm-insider-lattice, thm-insider-gamma, thm-insider-delta
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Literal, overload

from fdpedu.dlpa.remainder import HALF, Remainder, around
from fdpedu.dlpa.series import DIGITS, gamma_function, hypergeometric, log_of, power_enclosure, rising_ratio
from fdpedu.dlpa.shares import count_noise_shares
from fdpedu.exact import (
    Enclosure,
    Rational,
    as_fraction,
    as_integer,
    as_positive_fraction,
    exp_enclosure,
    quoted,
    shown,
)

Noise = Literal["polya", "gamma"]
MIN_EPSILON, MAX_EPSILON = Fraction(1, 10**300), Fraction(1000)
MAX_SHIFT = 10**5
_FAR = 40  # from this ε on the asymptotic series of K_ν is good to 30 digits


@overload
def insider_epsilon(
    epsilon: Rational,
    n_parties: int,
    colluders: int,
    *,
    noise: Literal["polya"] = "polya",
    tolerate: int = 0,
    sensitivity: int = 1,
    lattice: int = 1,
) -> Enclosure: ...


@overload
def insider_epsilon(
    epsilon: Rational,
    n_parties: int,
    colluders: int,
    *,
    noise: Noise,
    tolerate: int = 0,
    sensitivity: int = 1,
    lattice: int = 1,
) -> Enclosure | float: ...


def insider_epsilon(
    epsilon: Rational,
    n_parties: int,
    colluders: int,
    *,
    noise: Noise = "polya",
    tolerate: int = 0,
    sensitivity: int = 1,
    lattice: int = 1,
) -> Enclosure | float:
    """The ε that remains when ``colluders`` of the parties subtract their own shares from a released sum.

    With τ = (K−c)/(K−tolerate) ≥ 1 it is ε itself. For τ < 1 it is more. Of Pólya shares the worst pair of neighbouring
    values is 0 against n, n the sensitivity in steps of the lattice, and the loss ln(f(0)/f(n)) is finite. Of gamma
    shares it does not depend on sensitivity and lattice, and for τ ≤ ½ it is infinite: then ``math.inf`` is returned.

    Claims: thm-insider-polya, thm-insider-lattice, thm-insider-gamma

    Parameters
    ----------
    epsilon : of one release of one number against an outsider, from 10⁻³⁰⁰ to 10³⁰⁰, read exactly
    n_parties : K ≥ 1
    colluders : 0 ≤ c < n_parties; a party whose share never arrives counts as one
    noise : "polya" for the integers that this package adds, "gamma" for the report's real numbers
    tolerate : the number of colluders that the shares were made for, 0 ≤ tolerate < n_parties
    sensitivity : of the number released, an integer ≥ 1; several numbers are several releases
    lattice : m ≥ 1, if the number is a multiple of 1/m and its noise too; m·sensitivity is at most 10⁵

    Examples
    --------
    >>> insider_epsilon(1, 5, 1), insider_epsilon(1, 5, 1, tolerate=1)
    (1.2116815 (±...e-...), 1)
    >>> insider_epsilon(1, 5, 1, noise="gamma"), insider_epsilon(1, 5, 3, noise="gamma")
    (1.4428295 (±...e-...), inf)
    """
    budget, tau = _left(epsilon, n_parties, colluders, tolerate)
    steps = _steps(sensitivity, lattice)
    if noise not in ("polya", "gamma"):
        raise ValueError(f"noise must be 'polya' or 'gamma', got {quoted(noise)}")
    if tau >= 1:
        return Enclosure.exactly(budget)
    if noise == "gamma":
        return _gamma_loss(tau, budget) if tau > HALF else math.inf
    return around(tau, lambda shape: _polya_loss(shape, budget, steps))


def insider_delta(
    epsilon: Rational,
    n_parties: int,
    colluders: int,
    epsilon_prime: Rational,
    *,
    tolerate: int = 0,
    sensitivity: int = 1,
    lattice: int = 1,
) -> Enclosure:
    """The least δ with which a released sum is (ε', δ)-private, if ``colluders`` subtract their own Pólya shares.

    It is Σ_k max(0, f(k) − e^{ε'}·f(k+n)), with f and n as in :func:`insider_epsilon`. For ε' > ε the ends
    may differ by a hundredth of their value; where more noise is left than is needed (τ > 1) the lower end is 0.

    Claims: thm-insider-delta

    Parameters
    ----------
    epsilon, n_parties, colluders : as there; ε is at most 1000
    epsilon_prime : ε' ≥ 0
    tolerate, sensitivity, lattice : as there; m·sensitivity is at most 1000

    Examples
    --------
    >>> insider_delta(1, 5, 1, 1), insider_delta(1, 5, 1, "1.22"), insider_delta(1, 5, 0, "1/2")
    (0.12023902 (±...e-...), 0, 0.28764914 (±...e-...))
    """
    budget, tau = _left(epsilon, n_parties, colluders, tolerate)
    steps, allowed = _steps(sensitivity, lattice), as_fraction(epsilon_prime, "epsilon_prime")
    if allowed < 0:
        raise ValueError(f"epsilon_prime must be at least 0, got {shown(allowed)}")
    if budget > MAX_EPSILON:
        raise ValueError(f"epsilon must be at most {MAX_EPSILON} for δ, got {shown(budget)}")
    if steps > 1000:
        raise ValueError(f"lattice × sensitivity must be at most 1000 for δ, got {steps}")
    if (tau >= 1 and allowed >= budget) or allowed > 2 * MAX_EPSILON:  # no loss is larger
        return Enclosure.exactly(Fraction(0))
    if tau >= 1:
        whole = _delta_of_all(budget / steps, steps, allowed)
        return whole if tau == 1 else Enclosure(Fraction(0), whole.upper)
    return around(tau, lambda shape: _polya_delta(Remainder(shape, budget / steps), steps, allowed))


def _left(epsilon: Rational, n_parties: int, colluders: int, tolerate: int) -> tuple[Fraction, Fraction]:
    """ε as a fraction, and τ: what c colluders leave, in shares of the full noise."""
    budget = as_positive_fraction(epsilon, "epsilon")
    colluders, n_parties = as_integer(colluders, "colluders", minimum=0), as_integer(n_parties, "n_parties", minimum=1)
    if colluders >= n_parties:
        raise ValueError(f"colluders must be less than the number of parties ({n_parties}), got {colluders}")
    tau = Fraction(n_parties - colluders, count_noise_shares(n_parties, tolerate))
    if not MIN_EPSILON <= budget <= 1 / MIN_EPSILON:
        raise ValueError(f"epsilon must be from 10^-300 to 10^300, got {shown(budget)}")
    return budget, tau


def _steps(sensitivity: int, lattice: int) -> int:
    """n: how many steps of the lattice one record can move the number."""
    steps = as_integer(sensitivity, "sensitivity", minimum=1) * as_integer(lattice, "lattice", minimum=1)
    if steps > MAX_SHIFT:
        raise ValueError(f"lattice × sensitivity must be at most {MAX_SHIFT}, got {quoted(steps)}")
    return steps


def _polya_loss(tau: Fraction, epsilon: Fraction, steps: int) -> Enclosure:
    """ln(f(0)/f(n)). What it exceeds ε by grows with ε, towards ln(n!/(τ)_n); so a very large ε needs no series."""
    if epsilon > MAX_EPSILON:
        gain = _polya_loss(tau, MAX_EPSILON, steps) - MAX_EPSILON
        return Enclosure(gain.lower, -log_of(rising_ratio(tau, Fraction(1), steps)).lower) + epsilon
    left = Remainder(tau, epsilon / steps)
    return log_of(left.weight(0) / left.weight(steps), digits=40)


def _gamma_loss(tau: Fraction, epsilon: Fraction) -> Enclosure:
    """ln(Γ(ν)·2^{ν−1}/(ε^ν·K_ν(ε))), ν = τ − ½ < ½.

    By K_ν = ½·π·(I_{−ν} − I_ν)/sin νπ the argument is 1/(S(−ν) − Γ(1−ν)/Γ(1+ν)·(ε/2)^{2ν}·S(ν)), with
    S(ν) = Σ_k (ε²/4)^k/(k!·(1+ν)_k). For a large ε the two terms hardly differ, and K_ν is taken from √(π/2ε)·e^{−ε}
    times its asymptotic series, which for ν < ½ alternates: the truth lies between any two successive partial sums.
    """
    nu = tau - HALF
    if epsilon >= _FAR:
        return _gamma_loss_far(nu, epsilon)
    quarter, gamma = Enclosure.exactly(epsilon * epsilon / 4), gamma_function
    power = power_enclosure(Enclosure.exactly(epsilon / 2), 2 * nu) * (gamma(1 - nu) / gamma(1 + nu))
    bracket = hypergeometric([], [1 - nu], quarter) - power * hypergeometric([], [1 + nu], quarter)
    return -log_of(bracket, digits=40)


def _gamma_loss_far(nu: Fraction, epsilon: Fraction) -> Enclosure:
    """The same from the asymptotic series: ε + ln(Γ(ν)·2^ν·ε^{½−ν}/√(2π)) − ln Σ."""
    term = total = Fraction(1)
    before = total
    for k in range(1, _FAR):
        term *= (4 * nu * nu - (2 * k - 1) ** 2) / (8 * k * epsilon)
        before, total = total, total + term
    series = Enclosure(min(before, total), max(before, total)).rounded()
    two_pi = 2 * gamma_function(HALF) * gamma_function(HALF)
    factor = gamma_function(nu) * power_enclosure(Enclosure.exactly(Fraction(2)), nu)
    factor *= power_enclosure(Enclosure.exactly(epsilon), HALF - nu) / power_enclosure(two_pi, HALF)
    return log_of(factor / series, digits=40) + epsilon


def _delta_of_all(rate: Fraction, steps: int, allowed: Fraction) -> Enclosure:
    """δ of the full noise, a discrete Laplace number: Pr[Z ≥ z] − e^{ε'}·Pr[Z ≥ z+n] from the first gain on."""
    first = math.floor((allowed / rate - steps) / 2) + 1  # f(k) > e^{ε'}·f(k+n) iff k ≥ first, and −n < first ≤ 0
    whole = 1 + exp_enclosure(-rate, DIGITS)
    below = exp_enclosure(-rate * (1 - first), DIGITS) / whole
    above = exp_enclosure(allowed - rate * (first + steps), DIGITS) / whole
    return 1 - below - above


def _polya_delta(left: Remainder, steps: int, allowed: Fraction) -> Enclosure:
    """Σ_k max(0, f(k) − e^{ε'}·f(k+n)): the gains at k ≥ 0, and those between −n/2 and 0."""
    factor = exp_enclosure(allowed, DIGITS)
    near = [left.pmf(k) for k in range(steps + 1)]
    between = (near[k] - factor * near[steps - k] for k in range(1, (steps + 1) // 2))
    total = Enclosure.sum(_gains(between))
    if allowed <= left.rate * steps:  # every k ≥ 0 is a gain, and all of them together are known
        half = (1 + near[0]) / 2
        return total + half - factor * (half - Enclosure.sum(near[:steps]))
    return total + _gains_after(left, steps, factor)


def _gains(differences: Iterator[Enclosure]) -> Iterator[Enclosure]:
    """The terms that may be positive; once one is not, no later one is."""
    for gain in differences:
        if gain.upper <= 0:
            return
        yield Enclosure(max(gain.lower, Fraction(0)), gain.upper)


def _gains_after(left: Remainder, steps: int, factor: Enclosure) -> Enclosure:
    """Σ_{k≥0} max(0, f(k) − e^{ε'}·f(k+n)) for ε' > ε: the gains decrease, and there is none from some k on.

    Up to k = r they add up to e^{ε'}·(Σ_{k<n} f(k) − Σ_{r<k≤r+n} f(k)) − (e^{ε'} − 1)·Σ_{k≤r} f(k).
    """

    def gain(k: int) -> Enclosure:
        return left.pmf(k) - factor * left.pmf(k + steps)

    last, none, far = -1, 1, left.reach(steps)
    while none < far and gain(none).lower > 0:
        last, none = none, min(2 * none, far)
    while none - last > 1 + last // 64:
        between = (last + none) // 2
        last, none = (between, none) if gain(between).lower > 0 else (last, between)
    if last < 0:
        return Enclosure.exactly(Fraction(0))
    known = factor * (_sum(left, 0, steps - 1) - _sum(left, last + 1, last + steps))
    known -= (factor - 1) * _sum(left, 0, last)
    after = Fraction(none - last - 1)
    if none == far:  # f(k+1) ≤ α·f(k)
        after = (1 / (1 - exp_enclosure(-left.rate, DIGITS))).upper
    return known + Enclosure(Fraction(0), after * gain(last).upper)


def _sum(left: Remainder, first: int, last: int) -> Enclosure:
    """Σ f(k) from ``first`` ≥ 0 to ``last``, in blocks of odd length.

    There f is convex: the mean of a block is between the value in the middle and the mean of those at the ends.
    """
    total, k = Enclosure.exactly(Fraction(0)), first
    while k <= last:
        length = min(k // 32, (last - k) // 2 * 2) | 1
        middle, ends = left.pmf(k + length // 2), left.pmf(k) + left.pmf(k + length - 1)
        total += Enclosure(length * middle.lower, length * ends.upper / 2)
        k += length
    return total
