"""Zero-concentrated privacy: a quadratic budget ρ between the pure ε and (ε, δ).

A mechanism is ρ-zCDP if for neighbours, all orders α > 1 and both directions the Rényi divergence D_α(P‖Q) is at most
α·ρ. Such budgets add up under adaptive composition, and grow with ε², so that k releases cost k·ε²/2, not k·ε.

**Back to (ε, δ), tightly.** For every α > 1 (Canonne, Kamath, Steinke 2020, Proposition 12)

    δ = e^{(α−1)(αρ−ε)}/(α−1)·(1 − 1/α)^α

will do. Put u = α − 1. The logarithm is convex in u, and its derivative vanishes where φ(u) = ε, with

    φ(u) = (1 + 2u)·ρ + ln(u/(1+u)),        ψ(u) = ρu² + ln(1+u) = ln(1/δ) at that u.

Both are increasing. So the whole curve of best (ε, δ) is u ↦ (φ(u), e^{−ψ(u)}), and either is found from the other by
bisection, in fractions, with a bracket that proves itself. These are enclosures of the conversion, which is an upper
bound for every ρ-zCDP mechanism; a given mechanism may do better.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from fdpedu.accounting.lattice import decay, logarithm
from fdpedu.accounting.parameters import as_delta, as_epsilon
from fdpedu.derivation_checker import MAX_ORDER
from fdpedu.exact import Enclosure, Rational

_DIGITS = 60
_STEPS = 110  # of the bisection: the bracket is then 2⁻¹¹⁰ of the order's size
_FARTHEST = 4096


def pure_to_zcdp(epsilon: Rational) -> Fraction:
    """ρ = ε²/2: what an ε-DP mechanism costs as zCDP, exact (Bun and Steinke 2016). Neighbours as for ε.

    Why: K(t) = ln E_Q[(P/Q)^t] is 0 at t = 0 and t = 1, and K'' is the variance of a variable with values in [−ε, ε],
    at most ε². So K(t) − ε²t(t−1)/2 is concave with zeros 0 and 1, hence ≤ 0 for α > 1, where K(α) = (α−1)·D_α.

    Claims: lem-pure-to-zcdp

    >>> pure_to_zcdp("1/10")
    Fraction(1, 200)
    """
    return as_epsilon(epsilon, "epsilon") ** 2 / 2


def gaussian_to_zcdp(sigma: Rational, sensitivity: Rational = 1) -> Fraction:
    """ρ = Δ²/(2σ²) of Gaussian noise with standard deviation σ on a query of ℓ₂ sensitivity Δ; exact.

    Claims: lem-rdp-gaussian

    >>> gaussian_to_zcdp(1)
    Fraction(1, 2)
    """
    return (as_epsilon(sensitivity, "sensitivity") / as_epsilon(sigma, "sigma")) ** 2 / 2


def zcdp_to_epsilon(rho: Rational, delta: Rational) -> Enclosure:
    """The least ε ≥ 0 of the tight conversion: ρ-zCDP implies (ε, δ)-DP. Rigorous at both ends.

    Claims: thm-zcdp-to-dp

    Parameters
    ----------
    rho : 10⁻³⁰⁰ to 1000
    delta : 10⁻³⁰⁰ to less than 1

    Raises
    ------
    ValueError
        For parameters outside these domains.

    Examples
    --------
    >>> zcdp_to_epsilon("1/2", 1e-6)
    5.2215344 (±...e-...)
    """
    budget, allowed = as_epsilon(rho, "rho"), as_delta(delta)
    log = logarithm(allowed, _DIGITS)
    low, high = _bracket(lambda u: _psi(budget, u), Enclosure(-log.upper, -log.lower))
    ends = _phi(budget, low).lower, _phi(budget, high).upper
    return Enclosure(max(Fraction(0), ends[0]), max(Fraction(0), ends[1]))


def zcdp_to_delta(rho: Rational, epsilon: Rational) -> Enclosure:
    """The least δ of the tight conversion: ρ-zCDP implies (ε, δ)-DP. Rigorous at both ends.

    Claims: thm-zcdp-to-dp

    Parameters
    ----------
    rho : 10⁻³⁰⁰ to 1000
    epsilon : 0, or 10⁻³⁰⁰ to 1000

    Examples
    --------
    >>> zcdp_to_delta("1/2", 0), zcdp_to_delta("1/2", "5.2215")
    (0.55883564 (±...e-...), 1.000169e-6 (±...e-...))
    """
    budget, target = as_epsilon(rho, "rho"), as_epsilon(epsilon, "epsilon", zero=True)
    low, high = _bracket(lambda u: _phi(budget, u), Enclosure.exactly(target))
    # thm-zcdp-to-dp: φ and ψ increase, so an enclosure of u encloses the result
    ends = decay(_psi(budget, high).upper), decay(_psi(budget, low).lower)
    return Enclosure(ends[0].lower, min(Fraction(1), ends[1].upper))


def zcdp_to_epsilon_classical(rho: Rational, delta: Rational) -> Enclosure:
    """ρ + 2·√(ρ·ln(1/δ)), the conversion of most papers: right, and larger than :func:`zcdp_to_epsilon`.

    >>> zcdp_to_epsilon_classical("1/2", 1e-6)
    5.7565218 (±4e-59)
    """
    budget, log = as_epsilon(rho, "rho"), logarithm(as_delta(delta), _DIGITS)
    return Enclosure(
        budget + 2 * _root(-budget * log.upper).lower,
        budget + 2 * _root(-budget * log.lower).upper,
    )


def _root(x: Fraction) -> Enclosure:
    """√x to about 60 digits, by the integer square root."""
    scale = 10**_DIGITS * max(1, x.denominator // max(1, x.numerator))
    root = math.isqrt(x.numerator * scale**2 // x.denominator)
    return Enclosure(Fraction(root, scale), Fraction(root + 1, scale))


def _phi(rho: Fraction, u: Fraction) -> Enclosure:
    log = logarithm(u / (1 + u), _DIGITS)
    return Enclosure((1 + 2 * u) * rho + log.lower, (1 + 2 * u) * rho + log.upper)


def _psi(rho: Fraction, u: Fraction) -> Enclosure:
    log = logarithm(1 + u, _DIGITS)
    return Enclosure(rho * u**2 + log.lower, rho * u**2 + log.upper)


def _bracket(increasing: Callable[[Fraction], Enclosure], target: Enclosure) -> tuple[Fraction, Fraction]:
    """a < b with increasing(a) ≤ target ≤ increasing(b), certainly: first the power of 2, then the bits."""
    below, above = -_FARTHEST, _FARTHEST
    while above - below > 1:
        middle = (below + above) // 2
        if increasing(Fraction(2) ** middle).upper <= target.lower:
            below = middle
        else:
            above = middle
    low, high = Fraction(2) ** below, Fraction(2) ** above
    while increasing(low).upper > target.lower:
        low /= 2
    while increasing(high).lower < target.upper:  # from here on the bracket is proved, and every step keeps it so
        high *= 2
    for _ in range(_STEPS):
        half = (low + high) / 2
        value = increasing(half)
        if value.upper <= target.lower:
            low = half
        elif value.lower >= target.upper:
            high = half
        else:
            break
    return low, high


def epsilon_at(order: int, rho: Fraction, xi: Fraction, delta: Fraction) -> Enclosure:
    """The ε that D_λ ≤ λρ + ξ gives at δ and this whole order λ ≥ 2, enclosed."""
    logs = [logarithm(Fraction(1) / delta, _DIGITS), logarithm(Fraction(order - 1, order), _DIGITS)]
    last = logarithm(Fraction(order - 1), _DIGITS)
    low = logs[0].lower + order * logs[1].lower - last.upper
    high = logs[0].upper + order * logs[1].upper - last.lower
    return Enclosure(order * rho + xi + low / (order - 1), order * rho + xi + high / (order - 1))


def at_best_order(rho: Fraction, xi: Fraction, delta: Fraction) -> Enclosure:
    """The least of these over whole orders, for a budget in the measure ``concentrated``; not below 0.

    Claims: thm-zcdp-to-dp
    """
    log = -float(logarithm(delta, _DIGITS).lower)

    def at(order: int) -> float:
        return order * float(rho) + (log - math.log(order - 1) + order * math.log1p(-1 / order)) / (order - 1)

    low, high = 2, MAX_ORDER
    while high - low > 2:  # it falls and then rises
        third = (high - low) // 3
        low, high = (low, high - third) if at(low + third) <= at(high - third) else (low + third, high)
    found = epsilon_at(min(range(low, high + 1), key=at), rho, xi, delta)
    return Enclosure(max(Fraction(0), found.lower), max(Fraction(0), found.upper))
