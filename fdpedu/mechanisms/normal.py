"""Gaussian noise: over ideal reals with its exact (ε, δ), and over the integers, exactly sampled.

The Gaussian mechanism adds N(0, σ²) to a query of ℓ₂ sensitivity Δ. It is (ε, δ)-DP if and only if δ is at least
Φ(Δ/2σ − εσ/Δ) − e^ε·Φ(−Δ/2σ − εσ/Δ), and ρ-zCDP with ρ = Δ²/(2σ²). The discrete Gaussian law, Pr[k] ∝ e^{−k²/2σ²} on
the integers, has the same ρ and is sampled exactly.

The functions ``gaussian*`` compute in floats, with an error of a few units in the last place; what they return is for
planning and for comparison, and the floats that :func:`gaussian` returns carry no guarantee.

Claims: thm-gaussian, thm-discrete-gaussian
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.exact import (
    Enclosure,
    Rational,
    as_float,
    as_fraction,
    as_integer,
    as_integers,
    as_positive_fraction,
    exp_enclosure,
    shown,
    unmasked,
)
from fdpedu.randomness import Rng, as_source
from fdpedu.sampling.gaussians import MAX_VARIANCE, discrete_gaussian_noise

_MAX_TERMS = 10**5  # terms of a sum


def gaussian(value: ArrayLike, sigma: Rational, rng: Rng = None) -> NDArray[np.float64]:
    """value + N(0, sigma²), in floats: for ideal reals a private mechanism, for floats a comparison.

    A sum beyond the largest float is infinite.

    >>> from fdpedu.randomness import Rehearsal
    >>> gaussian([0.0, 1.0], 2, Rehearsal(7)).shape
    (2,)
    """
    from scipy.special import ndtri

    scale, values = _positive(sigma, "sigma"), _floats(value)
    words = as_source(rng).words(values.size)
    uniform = ((words >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52  # exact, so neither 0 nor 1
    with np.errstate(over="ignore"):
        return values + scale * ndtri(uniform).reshape(values.shape)


def gaussian_logpdf(x: ArrayLike, sigma: Rational) -> NDArray[np.float64]:
    """ln of the density of N(0, sigma²)."""
    scale = _positive(sigma, "sigma")
    with np.errstate(over="ignore"):  # far out the density is 0, and its logarithm −∞
        return -0.5 * (_floats(x) / scale) ** 2 - math.log(scale) - math.log(2 * math.pi) / 2


def gaussian_delta(epsilon: Rational, sigma: Rational, *, sensitivity: Rational = 1) -> float:
    """The smallest δ for which the Gaussian mechanism is (ε, δ)-DP: Φ(Δ/2σ − εσ/Δ) − e^ε·Φ(−Δ/2σ − εσ/Δ).

    Ideal reals; ℓ₂ sensitivity; computed in floats, by logarithms, so that small values keep their digits.

    Claims: thm-gaussian

    >>> round(gaussian_delta(1, 1), 12)
    0.126936737507
    """
    from scipy.special import log_ndtr

    eps = as_float(epsilon, "epsilon")
    if eps < 0:
        raise ValueError(f"epsilon must be at least 0, got {eps}")
    ratio = as_positive_fraction(sensitivity, "sensitivity") / as_positive_fraction(sigma, "sigma")
    mu = _positive(ratio, "sensitivity / sigma")
    first = float(log_ndtr(mu / 2 - eps / mu))
    second = eps + float(log_ndtr(-mu / 2 - eps / mu))
    return math.exp(first) * -math.expm1(second - first) if second < first else 0.0


def gaussian_sigma(epsilon: Rational, delta: Rational, *, sensitivity: Rational = 1) -> float:
    """The smallest σ for which Gaussian noise is (ε, δ)-DP, from above; for every ε ≥ 0 (Balle and Wang 2018).

    >>> sigma = gaussian_sigma(1, 1e-6)
    >>> gaussian_delta(1, sigma) <= 1e-6 < gaussian_delta(1, sigma * 0.999999)
    True
    """
    target = _delta(delta)
    low, high = 1e-12, 1.0
    while gaussian_delta(epsilon, high, sensitivity=1) > target:
        low, high = high, 2 * high
        if high > 1e15:
            raise ValueError("no σ below 10**15 is enough for this epsilon and delta")
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if gaussian_delta(epsilon, middle, sensitivity=1) > target else (low, middle)
    return _positive(Fraction(high) * as_positive_fraction(sensitivity, "sensitivity"), "sigma")


def classical_gaussian_sigma(epsilon: Rational, delta: Rational, *, sensitivity: Rational = 1) -> float:
    """Δ·√(2 ln(1.25/δ))/ε, the textbook's σ: proved for 0 < ε < 1 only, and refused elsewhere.

    >>> classical_gaussian_sigma("1/2", 1e-6) > gaussian_sigma("1/2", 1e-6)
    True
    """
    eps = as_positive_fraction(epsilon, "epsilon")
    if eps >= 1:
        raise ValueError(f"the classical formula is proved for epsilon < 1 only, got {shown(eps)}; use gaussian_sigma")
    factor = Fraction(math.sqrt(2 * (math.log(1.25) - math.log(_delta(delta)))))
    return _positive(factor * as_positive_fraction(sensitivity, "sensitivity") / eps, "sigma")


def discrete_gaussian(value: Any, rho: Rational, rng: Rng = None, *, sensitivity: int = 1) -> Any:
    """Add discrete Gaussian noise to integers: Pr[k] ∝ e^{−k²/2σ²} with σ² = sensitivity²/(2·rho), exactly.

    The numbers come from a table, or for a large σ by rejection (:mod:`fdpedu.sampling.gaussians`).

    Contract: the caller answers for the sensitivity, under the neighbour relation that the guarantee is meant for.

    Claims: thm-discrete-gaussian

    Parameters
    ----------
    value : integers of any shape, within ±2**62; an int gives an int
    rho : greater than 0, read exactly: the release is rho-zCDP
    rng : None for the operating system's entropy; a generator is for teaching, and warns
    sensitivity : integer ≥ 1, the ℓ₂ sensitivity of ``value``

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> discrete_gaussian([3, 4], "1/2", ZeroWords()).tolist()
    [3, 4]
    """
    variance, source = _variance(rho, sensitivity), as_source(rng)
    values = as_integers(value, "value")
    noise = discrete_gaussian_noise(variance, values.size, source).reshape(values.shape)
    return int(values + noise) if isinstance(value, (int, np.integer)) else values + noise


def discrete_gaussian_pmf(k: int, rho: Rational, *, sensitivity: int = 1) -> Enclosure:
    """Pr[noise = k] = e^{−k²/2σ²}/Σ_j e^{−j²/2σ²}, enclosed; σ² = sensitivity²/(2·rho), σ up to about 6,000.

    >>> discrete_gaussian_pmf(0, "1/2")
    0.39894228 (±4e-60)
    """
    variance = _variance(rho, sensitivity)
    whole = as_integer(k, "k", minimum=-(2**63))
    return exp_enclosure(-Fraction(whole * whole) / (2 * variance)) / _theta(variance)


def discrete_gaussian_delta(epsilon: Rational, rho: Rational) -> Enclosure:
    """The smallest δ for which the discrete Gaussian mechanism of sensitivity 1 is (ε, δ)-DP, enclosed.

    The loss at output k, between the values 0 and 1, is (1 − 2k)/(2σ²): it exceeds ε for k < ½ − εσ². So
    δ = Pr[k ≤ m] − e^ε·Pr[k ≤ m − 1] with m the last such k.

    >>> discrete_gaussian_delta(1, "1/2")
    0.14135134 (±1e-40)
    """
    variance, eps = _variance(rho, 1), as_fraction(epsilon, "epsilon")
    if eps < 0:
        raise ValueError(f"epsilon must be at least 0, got {shown(eps)}")
    # thm-discrete-gaussian: m is the largest integer *below* ½ − εσ²
    m = math.ceil(Fraction(1, 2) - eps * variance) - 1
    theta = _theta(variance)
    return _tail(variance, -m) / theta - exp_enclosure(eps) * (_tail(variance, 1 - m) / theta)


@lru_cache(maxsize=64)
def _theta(variance: Fraction) -> Enclosure:
    """Σ e^{−k²/2σ²} over all integers."""
    return _tail(variance, 0) * 2 - 1


def _tail(variance: Fraction, start: int) -> Enclosure:
    """Σ_{k ≥ start} e^{−k²/2σ²} for start ≥ 0, in fixed point, rounded outwards.

    Each term is the one before times a step, and the steps shrink by e^{−1/σ²} each time. So what follows the last
    term is at most that term times step/(1 − step).
    """
    scale = 200
    first, step, shrink = (
        exp_enclosure(-x / (2 * variance), 90) for x in (Fraction(start * start), Fraction(2 * start + 1), Fraction(2))
    )
    one, ends = 1 << scale, list[Fraction]()
    for up in (0, 1):
        term, factor, less = one, *(_fixed(x.upper if up else x.lower, scale, up) for x in (step, shrink))
        total, count = 0, 0
        # Rounded up, a term stays near 1/(1 − factor) units however small it is: there the sum ends.
        while term > (2 * one // max(1, one - factor) if up else 1) and count < _MAX_TERMS:
            total, count = total + term, count + 1
            term = (term * factor >> scale) + up
            factor = (factor * less >> scale) + up
        if count == _MAX_TERMS:
            raise ValueError(f"σ² = {shown(variance)} is too large for the sum; σ must be at most about 6,000")
        total += (term * one // max(1, one - factor) + 1) if up else 0
        ends.append(Fraction(total, one))
    return first * Enclosure(*ends)


def _fixed(x: Fraction, scale: int, up: int) -> int:
    return (x.numerator << scale) // x.denominator + up


def _variance(rho: Rational, sensitivity: Rational) -> Fraction:
    steps = as_integer(sensitivity, "sensitivity", minimum=1)
    variance = steps * steps / (2 * as_positive_fraction(rho, "rho"))
    if variance > MAX_VARIANCE:
        raise ValueError("rho is too small: sensitivity²/(2·rho) must be at most 2**60, so that the noise fits 64 bits")
    return variance


def _delta(delta: Rational) -> float:
    value = as_float(delta, "delta")
    if not 0 < value < 1:
        raise ValueError(f"delta must lie strictly between 0 and 1, got {value}")
    return value


def _positive(value: Any, name: str) -> float:
    number = as_float(as_positive_fraction(value, name), name)
    if number == 0:
        raise ValueError(f"{name} is too small for a float")
    return number


def _floats(value: ArrayLike) -> NDArray[np.float64]:
    array = unmasked(value, "value")
    if array.dtype.kind not in "iuf" or not np.isfinite(array).all():
        raise ValueError("value must be finite numbers")
    return array.astype(np.float64)
