"""Laplace noise over the reals: the ideal, its floats, the attack on them, and a remedy.

The Laplace mechanism adds Y with density e^{−|y|/b}/2b, b = Δ/ε, and is ε-DP over ideal reals. A program has floats.
Its noise is a function of 53 random bits, so the outputs that are possible for one value are a thin set of doubles, and
another value has another set. An output that lies in the one and not in the other gives the value away, whatever ε.
:func:`reachable` decides which it is, for the very formula of ``numpy.random.Generator.laplace``.

:func:`snapped_laplace` is a remedy: the ideal number rounded to a public grid, which is post-processing, drawn with
exactly that law. All grid points are possible for all values.

Claims: thm-laplace, float-laplace-as-coded, thm-snapped-laplace
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.exact import (
    Enclosure,
    Rate,
    Rational,
    as_float,
    as_fraction,
    as_integer,
    as_positive_fraction,
    exp_enclosure,
    unmasked,
)
from fdpedu.randomness import Rng, as_source
from fdpedu.sampling import Law, geometric, sample
from fdpedu.sampling.law import Bounds

_UNIT = 2.0**-53


def laplace(value: ArrayLike, epsilon: Rational, rng: Rng = None, *, sensitivity: Rational = 1) -> NDArray[np.float64]:
    """value + Laplace(sensitivity/epsilon), in floats, by the textbook's inverse distribution function.

    ε-DP over ideal reals. The floats that this returns carry no guarantee: see :func:`reachable`. For comparison only.
    A sum beyond the largest float is infinite.

    Claims: thm-laplace

    >>> from fdpedu.randomness import ZeroWords
    >>> laplace([3.0, 4.0], 1, ZeroWords())
    array([3., 4.])
    """
    scale, values = _scale(epsilon, sensitivity), _finite(value)
    words = as_source(rng).words(values.size)
    size = -np.log1p(-(words >> np.uint64(11)).astype(np.float64) * _UNIT)
    noise = np.where(words & np.uint64(1), -size, size).reshape(values.shape)
    with np.errstate(over="ignore"):
        return values + scale * noise


def laplace_logpdf(x: ArrayLike, epsilon: Rational, *, sensitivity: Rational = 1) -> NDArray[np.float64]:
    """ln of the density e^{−|x|/b}/2b with b = sensitivity/epsilon.

    >>> float(laplace_logpdf(1.0, 2))
    -2.0
    """
    scale = _scale(epsilon, sensitivity)
    with np.errstate(over="ignore"):  # far out the density is 0, and its logarithm −∞
        return -np.abs(_finite(x)) / scale - math.log(scale) - math.log(2)


def numpy_laplace_value(value: float, scale: float, uniform: float) -> float:
    """What ``numpy.random.Generator.laplace(value, scale)`` returns when its uniform number is ``uniform``.

    NumPy draws j·2⁻⁵³ with 0 < j < 2⁵³, and computes this, bit for bit.

    >>> generator, other = np.random.default_rng(1), np.random.default_rng(1)
    >>> generator.laplace(1.0, 2.0) == numpy_laplace_value(1.0, 2.0, other.random())
    True
    """
    where, spread, u = as_float(value, "value"), _spread(scale), as_float(uniform, "uniform")
    if not 0 < u < 1:
        raise ValueError(f"uniform must lie strictly between 0 and 1, got {u}")
    return _numpy_value(where, spread, u)


def _numpy_value(value: float, scale: float, uniform: float) -> float:
    if uniform >= 0.5:
        return value - scale * math.log(2.0 - uniform - uniform)
    return value + scale * math.log(uniform + uniform)


def _spread(scale: Rational) -> float:
    spread = as_float(scale, "scale")
    if spread <= 0:
        raise ValueError(f"scale must be greater than 0, got {spread}")
    return spread


def reachable(output: float, value: float, scale: float) -> bool:
    """Whether this very double can come out of NumPy's Laplace noise of that scale around ``value``.

    The output rises with the uniform number, so the only candidates are found by bisection (and their neighbours, lest
    the logarithm's last digit be out of order).

    Claims: float-laplace-as-coded

    >>> output = numpy_laplace_value(0.0, 1.0, 900719925474099 * 2**-53)
    >>> reachable(output, 0.0, 1.0), reachable(output, 1.0, 1.0)
    (True, False)
    """
    seen, where, spread = as_float(output, "output"), as_float(value, "value"), _spread(scale)
    low, high = 1, 2**53 - 1
    while low < high:
        middle = (low + high) // 2
        if _numpy_value(where, spread, middle * _UNIT) < seen:
            low = middle + 1
        else:
            high = middle
    near = range(max(1, low - 8), min(2**53 - 1, low + 8) + 1)
    return any(_numpy_value(where, spread, j * _UNIT) == seen for j in near)


def outputs_needed(epsilon: Rational, value: float, other: float, rng: Rng = None) -> int:
    """How many outputs of the float mechanism at ``value`` it takes until one of them is impossible at ``other``.

    >>> from fdpedu.randomness import Rehearsal
    >>> outputs_needed(1, 0.0, 1.0, Rehearsal(2)) < 20
    True
    """
    scale, source, count = _scale(epsilon, 1), as_source(rng), 0
    true, false = as_float(value, "value"), as_float(other, "other")
    while count < 10_000:
        j = int(source.words(1)[0]) >> 11
        if j:
            count += 1
            if not reachable(_numpy_value(true, scale, j * _UNIT), false, scale):
                return count
    raise ValueError("10,000 outputs did not tell the two values apart; are they the same?")


def snapped_laplace(
    value: Rational, epsilon: Rational, rng: Rng = None, *, grid: Rational, sensitivity: Rational = 1
) -> Fraction:
    """value + ideal Laplace noise, rounded to the nearest multiple of ``grid``: drawn with exactly that law.

    Contract: the caller answers for the sensitivity of the numbers that are handed in, rounding included.

    Claims: thm-snapped-laplace

    Parameters
    ----------
    value : a number, read exactly (a float as the decimal that it prints as)
    epsilon : greater than 0, read exactly
    rng : None for the operating system's entropy; a generator is for teaching, and warns
    grid : a public step > 0
    sensitivity : Δ > 0 of ``value`` as it is read

    Returns
    -------
    A multiple of ``grid``, as a fraction.

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> snapped_laplace(3.14, 1, ZeroWords(), grid="1/4")
    Fraction(13, 4)
    """
    rate, step, centre, rest = _snapping(value, epsilon, grid, sensitivity)
    source = as_source(rng)
    side = int(sample(_side_law(rate, step, rest), 1, source)[0])
    # thm-snapped-laplace: on either side of the nearest multiple the masses fall by e^{−ε·grid/Δ} a step
    beyond = int(geometric(Rate(rate=rate * step), 1, source)[0]) if side else 0
    return step * (centre + (0, 1 + beyond, -1 - beyond)[side])


def snapped_laplace_pmf(
    k: int, value: Rational, epsilon: Rational, *, grid: Rational, sensitivity: Rational = 1
) -> Enclosure:
    """Pr[output = k·grid]: the mass of ((k − ½)·grid, (k + ½)·grid) under Laplace noise around the value.

    >>> snapped_laplace_pmf(0, 0, 1, grid=2)  # 1 − 1/e
    0.63212056 (±2e-40)
    """
    rate, step, centre, rest = _snapping(value, epsilon, grid, sensitivity)
    steps = as_integer(k, "k", minimum=-(2**63)) - centre
    right, left = _beyond(rate, step, rest)
    if steps == 0:
        return 1 - right - left
    side, far = (right, steps - 1) if steps > 0 else (left, -steps - 1)
    decay = Rate(rate=rate * step)
    return side * decay.power(far) * (1 - decay.power(1))


def _snapping(
    value: Rational, epsilon: Rational, grid: Rational, sensitivity: Rational
) -> tuple[Fraction, Fraction, int, Fraction]:
    """Rate, step, the nearest grid point and what the value is beyond it."""
    rate = as_positive_fraction(epsilon, "epsilon") / as_positive_fraction(sensitivity, "sensitivity")
    number, step = as_fraction(value, "value"), as_positive_fraction(grid, "grid")
    centre = round(number / step)
    return rate, step, centre, number - centre * step


def _beyond(rate: Fraction, step: Fraction, rest: Fraction, digits: int = 40) -> tuple[Enclosure, Enclosure]:
    """The probabilities of rounding to the right and to the left of the nearest grid point."""
    right, left = (exp_enclosure(-rate * (step / 2 + sign * rest), digits) for sign in (-1, 1))
    return Enclosure(right.lower / 2, right.upper / 2), Enclosure(left.lower / 2, left.upper / 2)


def _side_law(rate: Fraction, step: Fraction, rest: Fraction) -> Law:
    """0 for the nearest grid point, 1 for right of it, 2 for left of it."""

    def bounds(n: int, bits: int) -> Bounds:
        one = 1 << bits
        right, left = _beyond(rate, step, rest, digits=bits // 3 + 10)
        ends = [1 - right - left, 1 - left]
        lower = [math.floor(max(Fraction(0), end.lower) * one) for end in ends]
        upper = [math.ceil(min(Fraction(1), end.upper) * one) for end in ends]
        return [*lower, one], [*upper, one]

    return Law(bounds, terms=3, last=2)


def _scale(epsilon: Rational, sensitivity: Rational) -> float:
    return _spread(as_positive_fraction(sensitivity, "sensitivity") / as_positive_fraction(epsilon, "epsilon"))


def _finite(value: ArrayLike) -> NDArray[np.float64]:
    array = unmasked(value, "value")
    if array.dtype.kind not in "iuf" or not np.isfinite(array).all():
        raise ValueError("value must be finite numbers")
    return array.astype(np.float64)
