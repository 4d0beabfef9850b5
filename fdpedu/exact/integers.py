"""Arrays as arguments: integers that noise or masks are added to, and counts or columns as floats."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Integers = NDArray[np.int64]
MAX_INTEGER = 2**62  # values within ±2**62 fit into 64 bits with their noise


def as_integers(value: ArrayLike, name: str) -> Integers:
    """An int64 array of integers within ±2**62; refuses floats, bools and anything larger.

    Parameters
    ----------
    value : an integer or an array of any shape; an empty one may be of any type
    name : the parameter's name, for the error message

    Raises
    ------
    ValueError
        If the array's type is not an integer one, or a value is outside ±2**62.

    Examples
    --------
    >>> as_integers([[1, -2]], "values")
    array([[ 1, -2]])
    """
    array = np.asarray(value)
    if array.size == 0:
        return np.zeros(array.shape, dtype=np.int64)
    if array.dtype.kind not in "iu" or int(array.max()) > MAX_INTEGER or int(array.min()) < -MAX_INTEGER:
        raise ValueError(
            f"{name} must be integers within ±2**62; got {array.dtype.name} (round real data before the noise)"
        )
    return array.astype(np.int64)


def as_floats(value: ArrayLike, name: str, ndim: int | None = None) -> NDArray[np.float64]:
    """A float64 array; refuses text, complex numbers and what is no number, and the wrong number of dimensions.

    >>> as_floats([1, 2], "counts").tolist()
    [1.0, 2.0]
    """
    found = np.asarray(value)
    try:
        with np.errstate(over="ignore"):  # a long float beyond all floats is infinite
            array = found.astype(float, copy=False) if found.dtype.kind in "biufO" else None
    except (TypeError, ValueError, ArithmeticError):
        array = None
    if array is None or ndim not in (None, array.ndim) or not np.isfinite(array).all():
        shape = "" if ndim is None else f" of {ndim} dimension{'s' * (ndim != 1)}"
        raise ValueError(f"{name} must be finite numbers{shape}, got {found.dtype.name} of shape {found.shape}")
    return array
