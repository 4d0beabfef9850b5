"""Arrays as arguments: integers that noise or masks are added to, and counts or columns as floats."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.exact.foreign import held

Integers = NDArray[np.int64]
_PLAIN = {int, float, str, bool, Fraction}
MAX_INTEGER = 2**62  # values within ±2**62 fit into 64 bits with their noise


def unmasked(value: ArrayLike, name: str) -> NDArray[Any]:
    """The array; refuses one with masked entries, of which every calculation would take what is behind the mask.

    Masks are found in lists of arrays, too. Of other libraries it takes what :func:`~fdpedu.exact.foreign.held` reads.

    >>> unmasked([1, 2], "counts").tolist()
    [1, 2]
    """
    found = held(value, name) if hasattr(value, "__array__") else value
    if _is_masked(found, name):
        raise ValueError(f"{name} has masked entries; fill them in, or leave their rows out, beforehand")
    return np.asarray(found)


def _is_masked(value: Any, name: str) -> bool:
    if isinstance(value, (list, tuple)):
        kinds = set(map(type, value))
        return not kinds <= _PLAIN and any(_is_masked(one, name) for one in value)
    if isinstance(value, np.generic) or not hasattr(value, "__array__"):
        return False
    return bool(np.ma.is_masked(held(value, name)))


def unframed(value: Any, name: str) -> Any:
    """A series of a data frame as the array, or the list, of what it holds; all else as it is.

    >>> unframed([1, 2], "counts")
    [1, 2]
    """
    is_series = hasattr(value, "__array__") and hasattr(value, "__len__") and not isinstance(value, np.generic)
    return held(value, name) if is_series else value


def as_integers(value: ArrayLike, name: str) -> Integers:
    """An int64 array of integers within ±2**62; refuses floats, bools and anything larger, in lists, too.

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
    >>> as_integers([[1, -2]], "values").tolist()
    [[1, -2]]
    """
    array = unmasked(value, name)
    if array.size == 0:
        return np.zeros(array.shape, dtype=np.int64)
    if array.dtype.kind != "b" and has_truth_values(value):
        raise ValueError(f"{name} must be integers, got a truth value beside them")
    if array.dtype.kind == "f" and _all_integers(value):  # NumPy makes floats of its unsigned integers beside others
        each = np.array(value, dtype=object)
        array = np.array([int(one) for one in each.flat]).reshape(each.shape)
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
    found = unmasked(value, name)
    if found.dtype.kind != "b" and has_truth_values(value):
        raise ValueError(f"{name} must be finite numbers, got a truth value beside them")
    try:
        with np.errstate(over="ignore"):  # a long float beyond all floats is infinite
            array = found.astype(float, copy=False) if found.dtype.kind in "biufO" else None
    except (TypeError, ValueError, ArithmeticError):
        array = None
    if array is None or ndim not in (None, array.ndim) or not np.isfinite(array).all():
        shape = "" if ndim is None else f" of {ndim} dimension{'s' * (ndim != 1)}"
        raise ValueError(f"{name} must be finite numbers{shape}, got {found.dtype.name} of shape {found.shape}")
    return array


def has_truth_values(value: object) -> bool:
    """Whether a truth value stands somewhere in a list; beside numbers NumPy would make a number of it."""
    if isinstance(value, (list, tuple)):
        kinds = set(map(type, value))
        return not kinds.isdisjoint((bool, np.bool_)) or (kinds != {int} and any(map(has_truth_values, value)))
    return isinstance(value, np.ndarray) and value.dtype.kind == "b"


def _all_integers(value: object) -> bool:
    if isinstance(value, (list, tuple)):
        return all(map(_all_integers, value))
    return isinstance(value, (int, np.integer)) or (isinstance(value, np.ndarray) and value.dtype.kind in "iu")
