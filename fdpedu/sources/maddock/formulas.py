"""The formulas of Maddock et al.: what is made of sums, how long the pair of a row is, what one sample costs.

Equations (3) to (5): S is what a gradient sum G is divided by, the Hessians' sum in (4), the number of rows in (3),
which is (4) with h = 1 for each row. Weights carry a minus sign that got lost in our copy of the source: they descend.

Section 4.2: with the probability p a row has g = p − y and h = p(1 − p). The source adds the largest |g| and the
largest h, and finds √(1 + 1/16) = √17/4. No row has both, and its pair is never longer than 1; so if a row is added or
removed, the Hessian may be enlarged for nothing. If a row is replaced, the sums move by up to 2.

One sample of the rows for many queries costs more than what is booked if each query is amplified by itself.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from fdpedu.exact import Enclosure, Rational, as_fraction, as_integer, exp_enclosure, log_enclosure, shown

_DIGITS = 60
MAX_EXPONENT = 1000


def leaf_weight(gradients: Any, seconds: Any, regularisation: Any) -> Any:
    """−G/(S + λ): eq. (3) where S counts rows, eq. (4) where it adds up Hessians.

    Parameters
    ----------
    gradients, seconds : G and S ≥ 0 of a leaf
    regularisation : λ > 0

    Examples
    --------
    >>> from fractions import Fraction
    >>> leaf_weight(Fraction(-3, 2), Fraction(3, 4), 1)
    Fraction(6, 7)
    """
    return -gradients / (seconds + regularisation)


def split_score(left: Any, right: Any, regularisation: Any, gamma: Any = 0) -> Any:
    """½·(G₁²/(S₁+λ) + G₂²/(S₂+λ) − G²/(S+λ)) − γ, eq. (5): what a split gains.

    Parameters
    ----------
    left, right : (G₁, S₁) and (G₂, S₂) of both sides, with S ≥ 0; what both have together is G and S
    regularisation, gamma : λ > 0 and γ

    Examples
    --------
    >>> from fractions import Fraction
    >>> half = Fraction(1, 2)
    >>> split_score((-3 * half, 3 * half / 2), (3 * half, 3 * half / 2), 1)
    Fraction(9, 7)
    """
    (g_1, s_1), (g_2, s_2) = left, right
    both = (g_1 + g_2) ** 2 / (s_1 + s_2 + regularisation)
    return (g_1**2 / (s_1 + regularisation) + g_2**2 / (s_2 + regularisation) - both) / 2 - gamma


def pair_norm_squared(p: Rational, kappa: Rational = 1) -> Fraction:
    """p² + κ²p²(1−p)², which is g² + (κh)² of a row with y = 0; of one with y = 1 it is that of 1 − p.

    Claims: lem-maddock-sensitivity

    Parameters
    ----------
    p : from 0 to 1
    kappa : κ, by which the Hessian is multiplied, at least 0

    Examples
    --------
    >>> pair_norm_squared("1/2", 3), pair_norm_squared("5/8", "7/2")
    (Fraction(13, 16), Fraction(17425, 16384))
    """
    share, factor = as_fraction(p, "p"), _as_factor(kappa)
    if not 0 <= share <= 1:
        raise ValueError(f"p must lie between 0 and 1, got {shown(share)}")
    return share**2 + (factor * share * (1 - share)) ** 2


def hessian_is_free(kappa: Rational) -> bool:
    """Whether g² + (κh)² ≤ 1 for all p, the sensitivity if a row is added or removed: iff κ² ≤ φ⁵ = (11 + 5√5)/2.

    Claims: lem-hessian-free

    Proof. For 0 < p < 1 the bound says κ² ≤ (1+p)/(p²(1−p)). That is least where p² + p = 1, at p = 1/φ; there
    1 + p = φ and 1 − p = p², so it is φ/p⁴ = φ⁵, and κ ≤ 3.330…. ∎ Decided without a root: 2κ² − 11 ≤ 0, or
    (2κ² − 11)² ≤ 125.

    Parameters
    ----------
    kappa : κ, at least 0

    Examples
    --------
    >>> [hessian_is_free(kappa) for kappa in (3, "3.33", "3.3301", "3.3302", "3.4")]
    [True, True, True, False, False]
    """
    beyond = 2 * _as_factor(kappa) ** 2 - 11
    return beyond <= 0 or beyond**2 <= 125


def largest_pair(kappa: Rational) -> Enclosure:
    """The largest g² + (κh)² over all p: exactly 1 where the Hessian is free, else an enclosure of what it is.

    Claims: lem-hessian-free

    Proof. The derivative 2p(1 − κ²(1−p)(2p−1)) has no sign change for κ² ≤ 8; beyond, the maximum is at p = 1 or at
    p = (3 − r)/4, r² = 1 − 8/κ². ∎

    Parameters
    ----------
    kappa : κ, from 0 to 10⁶

    Examples
    --------
    >>> largest_pair(3), largest_pair(4)
    (1, 1.2861517 (±...e-...))
    """
    factor = _as_factor(kappa)
    if hessian_is_free(factor):
        return Enclosure.exactly(Fraction(1))
    r = _root(1 - 8 / factor**2)
    p, rest = (3 - r) / 4, (1 + r) / 4
    return p * p + factor**2 * (p * p * rest * rest)


def largest_integer_pair(steps: int, kappa: Rational) -> int:
    """The largest P² + ⌊κP(m−P)/m⌋² for P = 0, …, m, by trying all of them.

    Claims: lem-hessian-free

    Where the Hessian is free, it is m²: rounding down makes no pair longer.

    Parameters
    ----------
    steps : m, from 1 to 4096
    kappa : κ, at least 0

    Examples
    --------
    >>> largest_integer_pair(16, 3), largest_integer_pair(16, 4)
    (256, 325)
    """
    m, factor = as_integer(steps, "steps", minimum=1, maximum=4096), _as_factor(kappa)
    return max(p**2 + math.floor(factor * p * (m - p) / m) ** 2 for p in range(m + 1))


def poisson_rdp2(q: Rational, sigma: Rational, queries: int, *, once: bool) -> Enclosure:
    """The Rényi divergence of order 2 of Gaussian queries on rows that were drawn with probability q each.

    Claims: lem-sample-once

    One query of ℓ₂ sensitivity 1 has ln(1 + q²·(e^{1/σ²} − 1)), from the rows with a record to those without it. If
    each query has a sample of its own, k of them have k times that. If one sample answers all k, as in a tree whose
    rows are drawn once, then they are one query of k numbers, and have ln(1 + q²·(e^{k/σ²} − 1)).

    Parameters
    ----------
    q : from 0 to 1
    sigma : σ > 0, of the noise
    queries : k, from 1 to 10⁶; k/σ² at most 1000
    once : whether one sample answers all queries

    Examples
    --------
    >>> poisson_rdp2("1/10", 5, 90, once=False)  # booked
    0.0367... (±...)
    >>> poisson_rdp2("1/10", 5, 90, once=True)  # true
    0.3045... (±...)
    """
    share, deviation = as_fraction(q, "q"), as_fraction(sigma, "sigma")
    k = as_integer(queries, "queries", minimum=1, maximum=10**6)
    if not 0 <= share <= 1:
        raise ValueError(f"q must lie between 0 and 1, got {shown(share)}")
    if deviation <= 0:
        raise ValueError(f"sigma must be greater than 0, got {shown(deviation)}")
    if not isinstance(once, bool):
        raise ValueError(f"once must be True or False, got {type(once).__name__}")
    exponent = (k if once else 1) / deviation**2
    if exponent > MAX_EXPONENT:
        raise ValueError(f"sigma must be larger: the exponent 1/σ², or k/σ² of one sample, is above {MAX_EXPONENT}")
    grown = exp_enclosure(Fraction(exponent), _DIGITS)
    ends = [1 + share**2 * (end - 1) for end in (grown.lower, grown.upper)]
    low, high = (log_enclosure(end, _DIGITS) for end in ends)
    return (1 if once else k) * Enclosure(max(Fraction(0), low.lower), high.upper)


def _as_factor(kappa: Rational) -> Fraction:
    factor = as_fraction(kappa, "kappa")
    if not 0 <= factor <= 10**6:
        raise ValueError(f"kappa must be from 0 to 10⁶, got {shown(factor)}")
    return factor


def _root(x: Fraction) -> Enclosure:
    """√x for 0 ≤ x ≤ 1."""
    scale = 10**_DIGITS
    root = math.isqrt(x.numerator * scale**2 // x.denominator)
    return Enclosure(Fraction(root, scale), Fraction(root + 1, scale))
