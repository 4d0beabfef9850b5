"""Gaussian shares for an account in ρ: how large a share has to be, what is booked for it, and how far a sum reaches.

Each of K parties adds a discrete Gaussian number of parameter v, its *share*, to each cell of its integer answers, and
any m = K − tolerate shares make up the noise. A sum of m shares has the probabilities of a discrete Gaussian number of
parameter σ² = m·v within factors e^{±θ} (``thm-gaussian-sum``), and that one those of a normal number of variance
σ² − 1, rounded at random, within e^{±3·10⁻¹³} (``lem-smoothed-gaussian``). So a release whose neighbours have the
squared ℓ₂ distance Δ₂² at most, in at most n₀ cells, costs

    ρ = Δ₂²/(2·(m·v − 1)) and ξ = n₀·(θ + 3·10⁻¹³),

and the costs of several releases add up. A share has v ≥ 2, so that ξ is small: at most 2·10⁻⁸·n₀ for 100 shares.

Guarantee: (ρ, ξ) in the measure gaussian against outsiders and at most ``tolerate`` insiders, for whatever neighbours
l2_squared and cells were computed for; to c > tolerate insiders the shares of K − c parties are left, which makes ρ to
(m·v − 1)/((K − c)·v − 1) times as much and ξ no larger. Arithmetic: integers in the shares, fractions in ρ and ξ. Not
guaranteed: anything against parties that deviate from the protocol (they are honest but curious).

Claims: lem-gaussian-sum-renyi, lem-smoothed-gaussian
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from fdpedu.accounting.cost import CONCENTRATED, GAUSSIAN, Cost
from fdpedu.exact import (
    Integers,
    Rational,
    as_fraction,
    as_integer,
    as_positive_fraction,
    exp_enclosure,
    log_enclosure,
    shown,
)
from fdpedu.randomness import Source
from fdpedu.sampling.gaussians import MAX_VARIANCE, discrete_gaussian_noise

LEAST_SHARE = Fraction(2)
_PI_SQUARED = Fraction(98_696, 10_000)  # a little less than π² = 9.869604…
_ROUNDING = Fraction(3, 10**13)  # of the normal number to the integers, at σ² ≥ 2
_XI_STEPS = 10**13  # ξ is a multiple of 10⁻¹³, in the older measure of 10⁻¹²


@dataclass(frozen=True)
class GaussianNoise:
    """The noise of one release in shares, as :func:`gaussian_noise` makes it.

    Parameters
    ----------
    share : v, the parameter of each party's discrete Gaussian numbers
    n_shares : m, how many shares make up the noise
    xi : ξ, what is booked beside ρ
    """

    share: Fraction
    n_shares: int
    xi: Fraction

    @property
    def variance(self) -> Fraction:
        """σ² = m·v, of what m shares add up to."""
        return self.share * self.n_shares


def gaussian_noise(rho: Cost | Rational, *, l2_squared: int, cells: int, n_shares: int) -> GaussianNoise:
    """The shares with which a release costs (rho, ξ), and ξ.

    A public rule: the share v = (l2_squared/(2·rho) + 1)/n_shares, or 2 if that is more, rounded up to four significant
    digits; ξ = cells·(θ + 3·10⁻¹³), rounded up to a multiple of 10⁻¹³. In the older measure ``concentrated`` the
    variance has no 1 more, and ξ is 3·cells·θ, rounded up to a multiple of 10⁻¹².

    Claims: lem-gaussian-sum-renyi, lem-smoothed-gaussian

    Parameters
    ----------
    rho : ρ > 0, read exactly, or a cost in ρ, in its measure
    l2_squared : Δ₂² ≥ 1, the largest squared ℓ₂ distance of the answers of neighbours, which are integers
    cells : n₀ ≥ 1, in how many numbers of the answer neighbours differ at most
    n_shares : m ≥ 1, how many shares make up the noise; at most 10**9

    Raises
    ------
    ValueError
        If a parameter is outside its domain, or a share would have more than 2**60.

    Examples
    --------
    >>> noise = gaussian_noise("1/100", l2_squared=8, cells=8, n_shares=3)
    >>> noise.share, noise.variance, noise.xi  # (8/(2/100) + 1)/3 is 133.66…
    (Fraction(1337, 10), Fraction(4011, 10), Fraction(1, 400000000000))
    """
    return _remembered(
        rho if type(rho) is Cost and not rho.is_pure else Cost(GAUSSIAN, as_positive_fraction(rho, "rho")),
        as_integer(l2_squared, "l2_squared", minimum=1),
        as_integer(cells, "cells", minimum=1),
        as_integer(n_shares, "n_shares", minimum=1, maximum=10**9),
    )


@lru_cache(maxsize=4096)
def _remembered(rho: Cost, l2_squared: int, cells: int, n_shares: int) -> GaussianNoise:
    return by_rule(rho, l2_squared, cells, n_shares)


def by_rule(rho: Cost, l2_squared: int, cells: int, n_shares: int) -> GaussianNoise:
    """What :func:`gaussian_noise` says of parameters that have been read, anew each time."""
    least = max(LEAST_SHARE, rho.least_variance(l2_squared) / n_shares)
    share = _rounded_up(least) if least <= MAX_VARIANCE else least
    if share > MAX_VARIANCE:
        raise ValueError(
            "rho is too small: a share, (l2_squared/(2·rho) + 1)/n_shares, must be at most 2**60, so that the noise "
            f"fits 64 bits, got {shown(least)}; give a larger rho, or ask for fewer numbers"
        )
    # lem-smoothed-gaussian: every cell in which neighbours differ has factors of its own
    theta, older = _theta_bound(share, n_shares), rho.measure == CONCENTRATED
    xi, steps = (3 * cells * theta, _XI_STEPS // 10) if older else (cells * (theta + _ROUNDING), _XI_STEPS)
    return GaussianNoise(share, n_shares, Fraction(math.ceil(xi * steps), steps))


def _rounded_up(x: Fraction) -> Fraction:
    """The least number of four significant digits that is at least x ≥ 1."""
    unit = Fraction(10) ** (len(str(math.floor(x))) - 4)
    return math.ceil(x / unit) * unit


def _theta_bound(share: Fraction, n_shares: int) -> Fraction:
    """At least θ of so many shares, for v ≥ 2: (4 + 10⁻⁶)·(e^{−π²v} + (m − 2)·e^{−4π²v/3}), and 0 for one share."""
    if n_shares == 1:
        return Fraction(0)
    first, second = (exp_enclosure(-_PI_SQUARED * share * part).upper for part in (1, Fraction(4, 3)))
    # lem-gaussian-sum-renyi: the first addition has s = v/2, all others at least 2v/3
    return (4 + Fraction(1, 10**6)) * (first + (n_shares - 2) * second)


def gaussian_share(share: Fraction, size: int, source: Source) -> Integers:
    """One party's share: independent discrete Gaussian numbers, Pr[k] ∝ e^{−k²/(2·share)}, exactly.

    Claims: lem-gaussian-sum-renyi

    Parameters
    ----------
    share : v > 0, at most 2**60
    size : how many numbers, one for each cell of the answer
    source : where the random words come from

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> gaussian_share(Fraction(667, 5), 3, ZeroWords()).tolist()
    [0, 0, 0]
    """
    return discrete_gaussian_noise(share, size, source)


def gaussian_reach(share: Rational, n_parties: int, miss: Rational) -> int:
    """A t with Pr[abs(Z) > t] ≤ miss, where Z is the sum of the shares of all parties in one cell.

    It is :func:`sub_gaussian_reach` of the sum's parameter n_parties·share.

    Claims: lem-gaussian-sum-renyi

    Parameters
    ----------
    share : v > 0, of each party's share
    n_parties : how many shares the sum has, 1 to 10**9
    miss : a probability more than 0 and less than 1

    Examples
    --------
    >>> gaussian_reach("667/5", 4, "1/1000000000")  # the deviation of the sum is 23.1
    151
    """
    n = as_integer(n_parties, "n_parties", minimum=1, maximum=10**9)
    return sub_gaussian_reach(n * as_positive_fraction(share, "share"), miss)


def sub_gaussian_reach(variance: Rational, miss: Rational) -> int:
    """The least t that Pr[abs(Z) ≥ t] ≤ 2·e^{−t²/(2·variance)} proves to have Pr[abs(Z) > t] ≤ miss, Z being whole.

    For a discrete Gaussian number it is more than it would have to be: by a fifth for a miss of 1/1000, and by a
    fourteenth for one of 10⁻⁹.

    Claims: lem-gaussian-sum-renyi

    Parameters
    ----------
    variance : more than 0; for a sum Z of independent discrete Gaussian numbers, the sum of their parameters
    miss : a probability more than 0 and less than 1

    Examples
    --------
    >>> sub_gaussian_reach(16, "1/1000")
    15
    """
    probability, parameter = as_fraction(miss, "miss"), as_positive_fraction(variance, "variance")
    if not 0 < probability < 1:
        raise ValueError(f"miss must be more than 0 and less than 1, got {shown(probability)}")
    # lem-gaussian-sum-renyi: more than t is at least t + 1, whose square has to be at least this
    square = 2 * parameter * log_enclosure(2 / probability).upper
    return math.isqrt(math.ceil(square) - 1)
