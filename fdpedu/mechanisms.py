"""Chapter 3. Mechanisms: noise that really has the law it claims.

The discrete Laplace law, Pr[k] = (1−α)/(1+α)·α^|k| on the integers, is the two-sided geometric law: the difference of
two independent geometric numbers. Added to an integer query of sensitivity Δ with α = e^{−ε/Δ} it is exactly
ε-differentially private, and it is sampled exactly (:mod:`fdpedu.inversion`), so that the guarantee holds for the
numbers that leave the program and not only for ideal reals.

Guarantee: ε-DP against an outsider who sees the released integers; for the neighbour relation under which the
sensitivity was computed; arithmetic: integers. Not guaranteed: running time; a source of random words that is not
random.

Claims: thm-discrete-laplace
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.exact import Enclosure, Rate
from fdpedu.inversion import geometric
from fdpedu.randomness import Integers, Source, as_source

_LARGEST = 2**62  # values within ±2**62 leave room for the noise in 64 bits


@overload
def discrete_laplace(
    value: int,
    epsilon: Any = ...,
    rng: Source | np.random.Generator | None = ...,
    *,
    sensitivity: int = ...,
    alpha: Any = ...,
) -> int: ...
@overload
def discrete_laplace(
    value: ArrayLike,
    epsilon: Any = ...,
    rng: Source | np.random.Generator | None = ...,
    *,
    sensitivity: int = ...,
    alpha: Any = ...,
) -> NDArray[np.int64]: ...
def discrete_laplace(
    value: Any,
    epsilon: Any = None,
    rng: Source | np.random.Generator | None = None,
    *,
    sensitivity: int = 1,
    alpha: Any = None,
) -> Any:
    """Add discrete Laplace noise to integers: ``value + k`` with Pr[k] ∝ α^|k|, α = e^{−epsilon/sensitivity}.

    Parameters
    ----------
    value : integers of any shape, within ±2**62; an int gives an int
    epsilon : greater than 0, read exactly (or give ``alpha``, a fraction in (0, 1))
    rng : None for the operating system's entropy; a generator is for teaching, and warns
    sensitivity : integer ≥ 1, the ℓ₁ sensitivity of ``value``, which the caller answers for

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> discrete_laplace([[3, 4]], "1/2", ZeroWords())
    array([[3, 4]])

    Claims: thm-discrete-laplace
    """
    rate, source = Rate.of(epsilon, alpha, sensitivity), as_source(rng)
    values = as_integers(value, "value")
    noise = discrete_laplace_noise(rate, values.size, source).reshape(values.shape)
    return int(values + noise) if isinstance(value, (int, np.integer)) else values + noise


def discrete_laplace_noise(rate: Rate, size: int, source: Source) -> Integers:
    """Independent discrete Laplace integers, as differences of two geometric ones."""
    return geometric(rate, size, source) - geometric(rate, size, source)


def discrete_laplace_pmf(
    k: int, epsilon: Any = None, *, alpha: Any = None, sensitivity: int = 1
) -> Fraction | Enclosure:
    """Pr[noise = k]: a fraction when ``alpha`` is given, an enclosure when ``epsilon`` is.

    >>> discrete_laplace_pmf(1, alpha="1/3")
    Fraction(1, 6)
    >>> discrete_laplace_pmf(0, 1)
    0.46211716 (±2e-40)
    """
    rate = Rate.of(epsilon, alpha, sensitivity)
    if rate.alpha is not None:
        return (1 - rate.alpha) / (1 + rate.alpha) * rate.alpha ** abs(int(k))
    one, power = rate.power(1), rate.power(abs(int(k)))
    return Enclosure(
        (1 - one.upper) / (1 + one.upper) * power.lower,
        (1 - one.lower) / (1 + one.lower) * power.upper,
    )


def as_integers(value: Any, name: str) -> Integers:
    """An int64 array of integers within ±2**62; refuses floats, bools and anything larger."""
    array = np.asarray(value)
    if array.size == 0:
        return np.zeros(array.shape, dtype=np.int64)
    if array.dtype.kind not in "iu" or int(array.max()) > _LARGEST or int(array.min()) < -_LARGEST:
        raise ValueError(
            f"{name} must be integers within ±2**62; got {array.dtype.name} (round real data before the noise)"
        )
    return array.astype(np.int64)
