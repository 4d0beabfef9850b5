"""A column as people have it, read into cells, and what is wrong with each cell: no loop where cells are numbers.

A column is an array (masked or not), a series of a data frame, or any sequence. What is read from it is an array of one
dimension. A cell *fits*, or it is *missing* (None, NaN, NA, NaT, masked), or *infinite*, or *unfit* (text where a
number is due, a list, a category that is not listed). Nothing here raises because of what a cell holds.
"""

from __future__ import annotations

import numbers
import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact.foreign import held

Cells = NDArray[Any]  # of one dimension, and masked where the column was
Faults = NDArray[np.uint8]  # for each cell FITS, MISSING, UNFIT or INFINITE
Codes = NDArray[np.uint8]
FITS, MISSING, UNFIT, INFINITE = 0, 1, 2, 3
FILL_IN = "a missing value must be filled in or its row left out beforehand"
_NOTHING = ("NoneType", "NAType", "NaTType", "MaskedConstant")  # the types of what stands for a missing value


@dataclass(frozen=True)
class Reading:
    """What was read from a column: a code for each cell, its fault, and how many numbers were clipped at each end.

    ``missing`` counts the cells without a value that have the feature's code for these, and so no fault.
    """

    codes: Codes
    faults: Faults
    below: int = 0
    above: int = 0
    missing: int = 0

    @property
    def first_fault(self) -> int | None:
        """The row of the first cell that does not fit; None if all do."""
        return int(np.flatnonzero(self.faults)[0]) if self.faults.any() else None


def composed(text: str) -> str:
    """The text with each letter and its accents as one character (NFC): what looks the same is the same.

    >>> len("e\u0301"), len(composed("e\u0301"))
    (2, 1)
    """
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def as_cells(column: Any, where: str) -> Cells:
    """The column as an array of one dimension, whatever it came in; only its form is looked at.

    >>> as_cells([3, [4]], "rows").tolist()
    [3, [4]]
    """
    if isinstance(column, np.ndarray):
        cells = held(column, where)
    elif isinstance(column, (str, bytes, Mapping, Set)) or not (isinstance(column, Iterable) or _makes_array(column)):
        raise ValueError(f"{where}: expected a sequence, got {type(column).__name__}")
    else:
        cells = held(column, where) if _makes_array(column) else column
    if not isinstance(cells, np.ndarray):
        cells = np.fromiter(cells, dtype=object)
    if cells.ndim != 1:
        raise ValueError(f"{where}: expected one dimension, got {cells.ndim}")
    return cells


def _makes_array(column: Any) -> bool:
    return hasattr(column, "__array__")


def numbers_of(cells: Cells) -> tuple[NDArray[np.float64], Faults]:
    """The cells as floats, NaN where they do not fit; text and truth values are no numbers.

    >>> values, faults = numbers_of(as_cells([1, "1", None, True, 0.5], "rows"))
    >>> values.tolist(), faults.tolist()
    ([1.0, nan, nan, nan, 0.5], [0, 2, 1, 2, 0])
    """
    data = np.ma.getdata(cells)
    if data.dtype.kind in "iuf":
        with np.errstate(all="ignore"):  # a long float beyond all floats is infinite
            values = data.astype(np.float64, copy=False)
        faults = _not_finite(values)
    elif data.dtype.kind == "O":
        values, faults = _numbers_of_objects(data)
    else:
        values, faults = np.full(len(data), np.nan), np.full(len(data), UNFIT, dtype=np.uint8)
    faults = _masked_too(cells, faults)
    return (np.where(faults == FITS, values, np.nan) if faults.any() else values), faults


def _numbers_of_objects(data: Cells) -> tuple[NDArray[np.float64], Faults]:
    cells = data.tolist()
    kinds = list(map(type, cells))
    fault_of = {kind: _fault_as_number(kind) for kind in set(kinds)}
    if any(fault_of.values()):
        faults = np.array([fault_of[kind] for kind in kinds], dtype=np.uint8)
        values = np.full(len(data), np.nan)
        values[faults == FITS] = _floats(data[faults == FITS])
    else:
        values, faults = _floats(data), np.zeros(len(data), dtype=np.uint8)
    return values, np.where(faults == FITS, _not_finite(values), faults)


def _not_finite(values: NDArray[np.float64]) -> Faults:
    faults = np.zeros(len(values), dtype=np.uint8)
    if not np.isfinite(values).all():
        faults[np.isnan(values)], faults[np.isinf(values)] = MISSING, INFINITE
    return faults


def _fault_as_number(kind: type) -> int:
    if issubclass(kind, (bool, np.bool_, np.timedelta64)):  # NumPy takes a timedelta for an integer
        return UNFIT
    if issubclass(kind, (numbers.Real, Decimal)):
        return FITS
    return MISSING if kind.__name__ in _NOTHING else UNFIT


def _floats(data: Cells) -> NDArray[np.float64]:
    try:
        return data.astype(np.float64)
    except Exception:  # one of them is too large, or has a way of its own to fail
        return np.array([_float(cell) for cell in data.tolist()], dtype=np.float64)


def _float(cell: Any) -> float:
    try:
        return np.nan if is_missing(cell) else float(cell)
    except Exception:  # beyond all floats; not missing
        return np.inf


def members_of(cells: Cells, allowed: Sequence[Any]) -> tuple[Codes, Faults]:
    """For each cell its position among the allowed values, 0 where it does not fit.

    One look into a dictionary a cell: a category is whatever Python finds equal, but no truth value is a number.

    >>> codes, faults = members_of(as_cells(["b", None, "a", "c"], "rows"), ("a", "b"))
    >>> codes.tolist(), faults.tolist()
    ([1, 0, 0, 0], [0, 1, 0, 2])
    """
    values = values_of(np.ma.getdata(cells))
    found = np.array(_positions(values, allowed), dtype=np.int16)
    faults = np.zeros(len(values), dtype=np.uint8)
    for i in np.flatnonzero(found < 0).tolist():
        faults[i] = MISSING if is_missing(values[i]) else UNFIT
    return np.maximum(found, 0).astype(np.uint8), _masked_too(cells, faults)


def values_of(cells: Cells) -> list[Any]:
    """The cells as Python's values, None where masked; but times stay NumPy's, of which Python would make integers."""
    return list(cells) if cells.dtype.kind in "mM" else cells.tolist()


def one_form(cells: Cells) -> list[Any]:
    """:func:`values_of`, with texts in their one form."""
    return [composed(str(value)) if isinstance(value, str) else value for value in values_of(cells)]


def _positions(values: list[Any], allowed: Sequence[Any]) -> list[int]:
    codes = {value: code for code, value in enumerate(allowed) if not isinstance(value, bool)}
    if {bool, np.bool_}.isdisjoint(map(type, values)):
        try:
            found = [codes.get(value, -1) for value in values]
            return found if min(found, default=0) >= 0 else [_position(value, codes) for value in values]
        except Exception:  # a cell that cannot be hashed or compared: found one by one
            pass
    truths = {value: code for code, value in enumerate(allowed) if isinstance(value, bool)}
    return [_position(value, truths if isinstance(value, (bool, np.bool_)) else codes) for value in values]


def _position(value: Any, codes: Mapping[Any, int]) -> int:
    try:
        plain = value.item() if isinstance(value, np.generic) and value.dtype.kind in "iuf" else value
        return codes.get(composed(value) if isinstance(value, str) else plain, -1)
    except Exception:
        return -1


def is_missing(value: Any) -> bool:
    """Whether a cell marks a missing value: None, NaN and the like."""
    if isinstance(value, Decimal):
        return value.is_nan()
    return type(value).__name__ in _NOTHING or (isinstance(value, (float, np.floating)) and bool(np.isnan(value)))


def _masked_too(cells: Cells, faults: Faults) -> Faults:
    mask = np.ma.getmask(cells)
    return faults if mask is np.ma.nomask else np.where(mask, np.uint8(MISSING), faults)
