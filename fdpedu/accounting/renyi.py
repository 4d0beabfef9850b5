"""Rényi privacy: one bound for every order, for mechanisms whose whole curve is known.

D_α(P‖Q) = ln E_Q[(P/Q)^α]/(α−1), for α > 1. A mechanism with D_α ≤ γ for all neighbours is (α, γ)-RDP; the γ of one
order add up under adaptive composition. Every order gives an (ε, δ) (Canonne, Kamath, Steinke 2020, Proposition 12),

    ε = γ + ln(1 − 1/α) − (ln δ + ln α)/(α − 1),

and the best of a few orders is what is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from fdpedu.accounting.lattice import decay, logarithm
from fdpedu.accounting.parameters import MAX_COST, as_count, as_delta, as_epsilon
from fdpedu.exact import Enclosure, Rational, as_fraction, as_list, require_callable, shown

_DIGITS = 150
ORDERS = tuple(1 + Fraction(2**i * j, 256) for i in range(15) for j in (4, 5, 6, 7))
"""Orders from 1 + 1/64 to 449, four to a doubling of α − 1."""


def rdp_laplace(order: Rational, epsilon: Rational, times: int = 1) -> Enclosure:
    """D_α of ``times`` Laplace releases with rate ε/Δ each, for neighbours whose answers differ by Δ:

        ln( α/(2α−1)·e^{(α−1)ε} + (α−1)/(2α−1)·e^{−αε} ) / (α−1)

    Rigorous; an integral of three exponentials. The same in both directions.

    Claims: lem-rdp-laplace

    Parameters
    ----------
    order : α, more than 1 and at most 1000
    epsilon : 10⁻³⁰⁰ to 1000
    times : 1 to 10⁶

    Examples
    --------
    >>> rdp_laplace(2, 1)
    0.61912363 (±2e-150)
    """
    a, e, k = _order(order), as_epsilon(epsilon, "epsilon"), as_count(times, "times")
    fall = decay((2 * a - 1) * e, _DIGITS)
    head = logarithm(a / (2 * a - 1), _DIGITS)
    rest = [logarithm(1 + (a - 1) / a * end, _DIGITS) for end in (fall.lower, fall.upper)]
    low, high = ((a - 1) * e + head.lower + rest[0].lower, (a - 1) * e + head.upper + rest[1].upper)
    return Enclosure(max(Fraction(0), k * low / (a - 1)), k * high / (a - 1))


def rdp_gaussian(order: Rational, sigma: Rational, sensitivity: Rational = 1, times: int = 1) -> Enclosure:
    """D_α = α·Δ²/(2σ²) of Gaussian noise on a query of ℓ₂ sensitivity Δ, times the number of releases; exact.

    Claims: lem-rdp-gaussian

    >>> rdp_gaussian(4, 2)
    0.5
    """
    ratio = as_epsilon(sensitivity, "sensitivity") / as_epsilon(sigma, "sigma")
    return Enclosure.exactly(as_count(times, "times") * _order(order) * ratio**2 / 2)


def rdp_to_epsilon(
    curve: Callable[[Fraction], Enclosure] | Mapping[Rational, Enclosure | Rational],
    delta: Rational,
    orders: Iterable[Rational] = ORDERS,
) -> Enclosure:
    """The least ε ≥ 0 that the conversion gives at one of the orders, where ``curve`` bounds D_α; an enclosure of it.

    The upper end is a guarantee. The lower end is that of the best order tried; other orders may do better.

    Claims: thm-zcdp-to-dp

    Parameters
    ----------
    curve : a function of the order, such as ``lambda a: rdp_laplace(a, "1/10", times=70)``, or a mapping from orders
    delta : 10⁻³⁰⁰ to less than 1
    orders : where a function ``curve`` is asked, each more than 1 and at most 1000; a mapping has its own orders

    Examples
    --------
    >>> rdp_to_epsilon(lambda a: rdp_gaussian(a, 1), 1e-6)
    5.2...
    """
    if not isinstance(curve, Mapping):
        require_callable(curve, "curve")
    log_delta = logarithm(as_delta(delta), _DIGITS)
    values = (
        dict(curve)
        if isinstance(curve, Mapping)
        else {order: curve(_order(order)) for order in as_list(orders, "orders")}
    )
    if not values:
        raise ValueError("orders must hold at least one order")
    found = []
    for order, value in values.items():
        a = _order(order)
        divergence = value if isinstance(value, Enclosure) else Enclosure.exactly(as_fraction(value, "curve"))
        if divergence.lower < 0:
            raise ValueError(f"curve must be at least 0 at every order, got {shown(divergence.lower)}")
        ratio, log = logarithm(1 - 1 / a, _DIGITS), logarithm(a, _DIGITS)
        low = divergence.lower + ratio.lower - (log_delta.upper + log.upper) / (a - 1)
        high = divergence.upper + ratio.upper - (log_delta.lower + log.lower) / (a - 1)
        found.append((max(Fraction(0), low), max(Fraction(0), high)))
    return Enclosure(min(low for low, _ in found), min(high for _, high in found))


def _order(value: Any) -> Fraction:
    order = as_fraction(value, "order")
    if not 1 + Fraction(1, 10**9) <= order <= MAX_COST:
        raise ValueError(f"order must be more than 1 (by 10^-9 or more) and at most {MAX_COST}, got {shown(order)}")
    return order
