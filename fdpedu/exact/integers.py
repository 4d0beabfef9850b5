"""Integer arrays as arguments: counts and values that noise or masks are added to."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Integers = NDArray[np.int64]
MAX_INTEGER = 2**62  # values within ±2**62 leave room for the noise in 64 bits


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
