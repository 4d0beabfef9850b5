"""How long the pair of a row's gradient and Hessian is, and how much the Hessian may be enlarged for nothing.

With the probability p a row has g = p − y and h = p(1 − p). The source adds the largest |g| and the largest h, and
finds √(1 + 1/16) = √17/4. No row has both, and its pair is never longer than 1.
"""

from __future__ import annotations

import math
from fractions import Fraction

from fdpedu.exact import Enclosure, Rational, as_fraction, as_integer, shown

_DIGITS = 60


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
    """Whether g² + (κh)² ≤ 1 for all p: exactly if κ² ≤ φ⁵ = (11 + 5√5)/2, so κ ≤ 3.330…

    Claims: lem-hessian-free

    Proof. For 0 < p < 1 the bound says κ² ≤ (1+p)/(p²(1−p)). That is least where p² + p = 1, at p = 1/φ; there
    1 + p = φ and 1 − p = p², so it is φ/p⁴ = φ⁵. ∎ Decided without a root: 2κ² − 11 ≤ 0, or (2κ² − 11)² ≤ 125.

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
