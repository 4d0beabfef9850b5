"""Gamma shares: the report's equation (1), over ideal reals, in floats that only stand for them.

The Laplace law is *infinitely divisible*: for every m it is the law of a sum of m independent numbers of one law. The
characteristic function shows it. That of a gamma number with shape a and scale b is (1 − ibt)^{−a}; that of G − G' is
therefore (1 + b²t²)^{−a}; and the m-th power with a = 1/m is 1/(1 + b²t²), which is Laplace noise of scale b. A gamma
law with *rate* ε has *scale* 1/ε: the report writes the rate, NumPy takes the scale.

Guarantee: over ideal reals, that of :func:`fdpedu.dlpa.polya_shares`. None for the floats that this returns: they have
the trouble of all float noise, and one more, because a gamma number of small shape is often smaller than the smallest
float and then exactly 0 (:func:`underflow_probability`). They do not fit a sum of integers mod R either: see
:mod:`fdpedu.dlpa.real_noise`. For comparison only.

Claims: lem-laplace-divisible
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fdpedu.dlpa.shares import count_noise_shares
from fdpedu.exact import Rational, as_float, as_integer, as_positive_fraction
from fdpedu.randomness import Rng, Source, as_source

_UNIT = 2.0**-53
_SMALLEST_BITS = 1074  # the smallest positive float is 2^−1074; half of it, and what is below, becomes 0


def gamma_shares(
    n_parties: int, scale: Rational, size: int = 1, rng: Rng = None, *, tolerate: int = 0
) -> NDArray[np.float64]:
    """The real-valued shares of all parties, shape (n_parties, size): differences of gamma numbers, as floats.

    Over ideal reals each column, summed over n_parties − tolerate parties, is Laplace noise of that scale.

    Claims: lem-laplace-divisible

    Parameters
    ----------
    n_parties : K ≥ 1
    scale : b > 0 of the Laplace noise, sensitivity/ε; it is not the rate
    size : how many numbers each party's share has
    rng : None for the operating system's entropy; a generator is for teaching, and warns
    tolerate : 0 ≤ c < K, how many colluders or drop-outs the noise withstands

    Examples
    --------
    >>> from fdpedu.randomness import Rehearsal
    >>> gamma_shares(3, 1, 4, Rehearsal(1)).shape
    (3, 4)
    """
    spread = as_float(as_positive_fraction(scale, "scale"), "scale")
    if not 1e-300 <= spread <= 1e300:
        raise ValueError(f"scale must be from 1e-300 to 1e300, got {spread}")
    size = as_integer(size, "size", minimum=0, maximum=2**32)
    shape = 1 / count_noise_shares(n_parties, tolerate)
    return np.array([_share(shape, spread, size, source) for source in as_source(rng).spawn(n_parties)])


def _share(shape: float, scale: float, size: int, source: Source) -> NDArray[np.float64]:
    return scale * _gamma(shape, size, source) - scale * _gamma(shape, size, source)


def _gamma(shape: float, size: int, source: Source) -> NDArray[np.float64]:
    """Gamma numbers of scale 1, by two uniform numbers each: H·U^{1/a}, where H has the shape a + 1.

    Computed by logarithms, so that what is representable is not lost on the way.
    """
    from scipy.special import gammaincinv

    first, second = (_uniform(size, source) for _ in range(2))
    with np.errstate(divide="ignore", under="ignore"):
        return np.asarray(np.exp(np.log(gammaincinv(shape + 1, first)) + np.log(second) / shape))


def _uniform(size: int, source: Source) -> NDArray[np.float64]:
    """Multiples of 2⁻⁵³ in [0, 1)."""
    return (source.words(size) >> np.uint64(11)).astype(np.float64) * _UNIT


def underflow_probability(n_parties: int, *, tolerate: int = 0) -> float:
    """The probability that a gamma number of shape 1/(n_parties − tolerate) and scale 1 is exactly 0 as a float.

    It is P(a, 2⁻¹⁰⁷⁵), the regularised incomplete gamma function. There it equals its first term, x^a/Γ(1 + a), as far
    as any float can tell.

    Claims: lem-gamma-underflow

    Parameters
    ----------
    n_parties : K ≥ 1
    tolerate : 0 ≤ c < K

    Examples
    --------
    >>> [round(underflow_probability(k), 3) for k in (5, 200, 500)]
    [0.0, 0.024, 0.226]
    """
    shape = 1 / count_noise_shares(n_parties, tolerate)
    return math.exp(-(_SMALLEST_BITS + 1) * shape * math.log(2) - math.lgamma(1 + shape))
