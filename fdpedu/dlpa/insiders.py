"""What a released sum costs those who know part of its noise.

A party that has added a share knows it, and can subtract it; so can c colluders. The rest of the noise is smaller than
all of it, and the loss larger, unless the shares were made for that (``tolerate``).

Guarantee: the loss is enclosed, for shares that are what they should be. Arithmetic: fractions, and sums cut off where
the rest is bounded. Not guaranteed: anything against parties that deviate from the protocol.

Claims: thm-insider-polya
"""

from __future__ import annotations

import math
from fractions import Fraction

from fdpedu.dlpa.shares import count_noise_shares
from fdpedu.exact import LOG_2_ROUNDED_UP, Enclosure, Rate, Rational, as_integer, log_enclosure


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
