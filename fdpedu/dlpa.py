"""Chapter 6. Noise in shares: nobody holds the whole noise, and the sum has exactly the right law.

The report's equation (1) sums gamma differences to a Laplace number, over ideal reals. Here everything is an integer.
Party k adds X_k − Y_k with X_k, Y_k independent negative binomial NB(1/m, α); the difference of two sums of m such
numbers is a difference of two geometric numbers, which is exactly the discrete Laplace law. With m = K − c, where c
parties are *tolerated*, any K − c honest parties already carry the full noise, so c colluders who subtract their own
shares, or c parties that drop out, leave an exactly ε-private sum. The price is a variance K/(K−c) times as large.

A share can be drawn without any table, from one geometric number and rational coins. The m shares of a geometric
number g are the colours of Pólya's urn; and the urn is a random permutation of g things whose cycles are coloured
independently, with probability 1/m for this party. The cycle lengths of a random permutation are easy: the first is
uniform on 1..g, the next is uniform on what is left, and so on. That is :func:`negative_binomial_by_cycles`, the
readable form. What is shipped, :func:`negative_binomial`, has the same law from one look-up, and for large values a
further word.

Guarantee: with at most ``tolerate`` colluders, the sum is ε-DP (see :mod:`fdpedu.mechanisms`). Arithmetic: integers.
Not guaranteed: anything against parties that deviate from the protocol (they are honest but curious).

Claims: thm-polya-shares, thm-tolerate
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import LOG_2_ROUNDED_UP, Enclosure, Integers, Rate, Rational, as_integer, log_enclosure
from fdpedu.randomness import Rng, Source, as_source, uniform_below
from fdpedu.sampling import geometric, negative_binomial

__all__ = [
    "count_noise_shares",
    "insider_epsilon",
    "negative_binomial",
    "negative_binomial_by_cycles",
    "polya_share",
    "polya_shares",
]


def polya_shares(
    n_parties: int,
    epsilon: Rational | None = None,
    size: int = 1,
    rng: Rng = None,
    *,
    sensitivity: int = 1,
    tolerate: int = 0,
    alpha: Rational | None = None,
) -> NDArray[np.int64]:
    """The noise shares of all parties, shape (n_parties, size); their sum over any n_parties − tolerate rows is enough.

    Summed over n_parties − tolerate parties, each column is exactly discrete Laplace with α = e^{−epsilon/sensitivity}.

    Claims: thm-polya-shares, thm-tolerate

    Parameters
    ----------
    n_parties : K ≥ 1
    epsilon : greater than 0, read exactly (or give ``alpha``)
    size : how many numbers each party's share has
    rng : None for the operating system's entropy; a generator is for teaching, and warns
    sensitivity : integer ≥ 1, of the sum that the noise is for; 1 with ``alpha``
    tolerate : 0 ≤ c < K, how many colluders or drop-outs the noise withstands
    alpha : in place of ``epsilon``, a fraction in (0, 1)

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> polya_shares(3, 1, 2, ZeroWords(), tolerate=1).tolist()
    [[0, 0], [0, 0], [0, 0]]
    """
    rate = Rate.of(epsilon, alpha, sensitivity)
    size = as_integer(size, "size", minimum=0, maximum=2**32)
    n_noise_shares = count_noise_shares(n_parties, tolerate)
    sources = as_source(rng).spawn(n_parties)
    return np.array([polya_share(rate, n_noise_shares, size, source) for source in sources])


def count_noise_shares(n_parties: int, tolerate: int) -> int:
    """m = n_parties − tolerate: how many shares make up the full noise."""
    as_integer(n_parties, "n_parties", minimum=1, maximum=10**9)
    if as_integer(tolerate, "tolerate", minimum=0) >= n_parties:
        raise ValueError(f"tolerate must be less than the number of parties ({n_parties}), got {tolerate}")
    return n_parties - tolerate


def polya_share(rate: Rate, n_noise_shares: int, size: int, source: Source) -> Integers:
    """One party's share: the difference of two NB(1/n_noise_shares, α) numbers."""
    return negative_binomial(rate, n_noise_shares, size, source) - negative_binomial(rate, n_noise_shares, size, source)


def negative_binomial_by_cycles(rate: Rate, n_noise_shares: int, size: int, source: Source) -> Integers:
    """Independent exact NB(1/m, α) integers, as :func:`negative_binomial` gives them, but slower for small ε.

    A geometric number is cut into the cycles of a random permutation; each cycle is this party's with probability 1/m.

    Claims: lem-cycles

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> negative_binomial_by_cycles(Rate.of(epsilon="1/1000"), 3, 2, ZeroWords())
    array([0, 0])
    """
    left = geometric(rate, size, source)
    if n_noise_shares == 1:
        return left
    share = np.zeros(size, dtype=np.int64)
    open_ = np.flatnonzero(left)
    while open_.size:
        cycle = 1 + uniform_below(left[open_], source)
        mine = uniform_below(np.full(open_.size, n_noise_shares), source) == 0
        share[open_] += np.where(mine, cycle, 0)
        left[open_] -= cycle
        open_ = open_[left[open_] > 0]
    return share


def insider_epsilon(
    epsilon: Rational, n_parties: int, colluders: int, *, tolerate: int = 0, sensitivity: int = 1
) -> Enclosure:
    """The ε that remains when ``colluders`` of the parties subtract their own Pólya shares from a released sum.

    The remaining noise is a difference of two NB(τ, α) numbers with τ = (K−c)/(K−tolerate). For τ ≥ 1 the loss is ε
    itself; for τ < 1 the worst pair of neighbouring values is 0 against 1, and the loss is ln(Pr[0]/Pr[1]) > ε.

    Claims: thm-insider-polya

    Parameters
    ----------
    epsilon : of one release against an outsider, greater than 0, read exactly
    n_parties : K ≥ 1
    colluders : 0 ≤ c < n_parties
    tolerate : the number of colluders that the shares were made for, 0 ≤ tolerate < n_parties
    sensitivity : of the query, which must be 1, because the formula is proved for 1 only

    Examples
    --------
    >>> insider_epsilon(1, 5, 1), insider_epsilon(1, 5, 1, tolerate=1)
    (1.2116815 (±8e-36), 1)
    """
    if as_integer(sensitivity, "sensitivity", minimum=1) != 1:
        raise ValueError(f"the insider's loss is known for queries of sensitivity 1, got {sensitivity}")
    rate = Rate.of(epsilon)
    if as_integer(colluders, "colluders", minimum=0) >= as_integer(n_parties, "n_parties", minimum=1):
        raise ValueError(f"colluders must be less than the number of parties ({n_parties}), got {colluders}")
    tau = Fraction(n_parties - colluders, count_noise_shares(n_parties, tolerate))
    assert rate.rate is not None
    if rate.rate < Fraction(1, 10**300):
        raise ValueError("epsilon must be at least 10^-300, where the sums over all outcomes end")
    if tau >= 1:
        return Enclosure.exactly(rate.rate)
    zero, one = _difference_sums(tau, rate)
    low, high = log_enclosure(zero.lower / one.upper), log_enclosure(zero.upper / one.lower)
    return Enclosure(low.lower, high.upper)


def _difference_sums(tau: Fraction, rate: Rate) -> tuple[Enclosure, Enclosure]:
    """Σ_k w_k² and Σ_k w_k·w_{k+1} with w_k = (τ)_k/k!·α^k: Pr[0] and Pr[1] of the difference, up to one factor.

    The weights decrease by a ratio below α each time, so the tail after n terms is less than w_n²/(1−α²).
    """
    scale = 120 + 2 * max(0, -math.frexp(float(rate))[1])
    terms = int(scale * LOG_2_ROUNDED_UP / (2 * float(rate))) + 2
    if terms > 10**6:
        raise ValueError("epsilon is too small for the insider's loss to be summed; it must be at least 1/10000")
    alpha = rate.power(1, digits=scale // 3 + 10)
    ends = []
    for value, up in ((alpha.lower, 0), (alpha.upper, 1)):
        step = (value.numerator << scale) // value.denominator + up
        w, zero, one = 1 << scale, 0, 0
        for k in range(terms):
            following = (w * step * (tau.numerator + k * tau.denominator) // ((k + 1) * tau.denominator) >> scale) + up
            zero, one = zero + w * w, one + w * following
            w = following
        ratio = Fraction(step, 1 << scale)
        tail = Fraction(w * w) / (1 - ratio * ratio) if up else Fraction(0)
        ends.append((zero + tail, one + tail))
    (zero_low, one_low), (zero_high, one_high) = ends
    return Enclosure(Fraction(zero_low), Fraction(zero_high)), Enclosure(Fraction(one_low), Fraction(one_high))
