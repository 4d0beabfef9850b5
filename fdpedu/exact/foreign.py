"""What an object of another library holds, so that no gap, mask or unit is lost on the way into an array.

``np.asarray(x)`` asks x to make an array of itself. Some lose something by it: a chunked dictionary of Arrow makes its
last category of a null, a masked array shows what is behind its mask, a quantity forgets its unit. So an object is
believed only if it is known to show its gaps: NumPy's own arrays, series of pandas, and numbers of Polars and Arrow.
All others are read value by value. What has a unit or an unknown kind of mask is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

_NUMBERS = re.compile(r"(u?int|float|double|halffloat)\d*")  # names of types
_IN_PYTHON = ("to_pylist", "to_list", "tolist")  # what Arrow, Polars and others call a list of Python's values
_KNOWN = ("pandas", "polars", "pyarrow")
_EXACT = 2.0**53  # floats below are the integers that they were made of


def held(value: Any, name: str) -> NDArray[Any] | list[Any]:
    """All that an object with ``__array__`` holds: an array, masked where it was, or a list of Python's values.

    >>> held(np.ma.array([1, 2], mask=[False, True]), "rows").tolist()
    [1, None]

    Raises
    ------
    ValueError
        If it has a unit, or a mask that is not NumPy's; or if it fails when it is read.
    """
    kind = type(value)
    root = kind.__module__.partition(".")[0]
    if kind in (np.ndarray, np.ma.MaskedArray):
        return value
    if root == "numpy":
        return np.ma.asarray(value) if isinstance(value, np.ma.MaskedArray) else np.asarray(value)
    if root not in _KNOWN:
        _require_plain(value, name)
    try:
        return _of_library(value, root)
    except Exception:  # its own words could hold a value
        raise ValueError(f"{name}: cannot be read as a column of values ({kind.__name__})") from None


def _require_plain(value: Any, name: str) -> None:
    """Refuse what has a unit or a mask, and arrays of other libraries, which may have either."""
    parts = {what: _part(value, what) for what in ("unit", "units", "mask")}
    hidden = [what for what, found in parts.items() if found is not None and not callable(found)]
    if hidden or isinstance(value, np.ndarray):
        has = f"has a {hidden[0].removesuffix('s')}" if hidden else "may have a unit or a mask"
        raise ValueError(
            f"{name}: a {type(value).__name__} {has}, which would be lost; give plain values, in the domain's unit, "
            "and None where one is missing"
        )


def _part(value: Any, what: str) -> Any:
    try:
        return getattr(value, what, None)
    except Exception:
        return None


def _of_library(value: Any, root: str) -> NDArray[Any] | list[Any]:
    form = str(value.type if root == "pyarrow" else _part(value, "dtype")).lower()
    if root == "pandas" or (root in _KNOWN and _NUMBERS.fullmatch(form)):
        array = np.asarray(value)
        made_floats = array.dtype.kind == "f" and array.ndim == 1 and not re.search("float|double", form)
        if not made_floats or not (np.abs(array) >= _EXACT).any():  # integers beside gaps become floats
            return array
    if root == "pyarrow" and hasattr(value.type, "index_type"):  # a dictionary is slow to go through
        value = value.cast(value.type.value_type)
    listing = next((listed for way in _IN_PYTHON if callable(listed := _part(value, way))), None)
    if listing is not None:
        return list(listing())
    if isinstance(value, Iterable):
        return list(value)
    return held(np.asanyarray(value), "")  # it has no other form than its array


def require_one_order(rows: Any, column: Any, name: str, of: str = "X") -> None:
    """Refuse rows and a column that say in which order they are, as those of pandas do, and not the same.

    Parameters
    ----------
    rows, column : any; what has no index is taken by position
    name, of : what the message calls the column and the rows
    """
    own, other = (_part(each, "index") for each in (rows, column))
    if hasattr(own, "equals") and hasattr(other, "equals") and not own.equals(other):
        raise ValueError(f"{name} has another index than {of}; order both alike, then reset_index()")
