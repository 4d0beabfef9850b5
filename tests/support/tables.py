"""The same rows in every kind of table that people have, without a library of data frames."""

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from hypothesis import strategies as st

from fdpedu.domain import Categorical, Domain, Numeric, Rows

DOMAIN = Domain([Numeric.grid("age", 0, 100, bins=4), Categorical("ward", ("A", "B"))], ("well", "ill"))
NAMES = ["age", "ward", "class"]


class Frame:
    """Whatever has ``columns``, ``[name]`` and a length."""

    def __init__(self, columns: Sequence[tuple[Any, Any]]) -> None:
        self._columns = list(columns)

    @property
    def columns(self) -> list[Any]:
        return [name for name, _ in self._columns]

    def __len__(self) -> int:
        return len(self._columns[0][1])

    def __getitem__(self, name: Any) -> Any:
        return next(column for other, column in self._columns if other == name)


class Series:
    """A column that makes an array of itself, as those of pandas, Polars and Arrow do."""

    def __init__(self, cells: Sequence[Any]) -> None:
        self._cells = objects(cells)

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Any:
        return iter(self._cells)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self._cells


def objects(cells: Sequence[Any]) -> np.ndarray:
    """An array of one dimension that holds the cells as they are, lists among them."""
    return np.fromiter(cells, dtype=object, count=len(cells))


def square(rows: Rows, width: int) -> np.ndarray:
    """An array of objects of two dimensions."""
    return objects([cell for row in rows for cell in row]).reshape(len(rows), width)


def fields(rows: Rows, names: Sequence[str]) -> np.ndarray:
    """An array with named fields."""
    table = np.empty(len(rows), dtype=[(name, object) for name in names])
    for j, name in enumerate(names):
        table[name] = objects([row[j] for row in rows])
    return table


def column(rows: Rows, j: int) -> list[Any]:
    return [row[j] for row in rows]


BY_POSITION: dict[str, Callable[[Rows, Sequence[str]], Any]] = {
    "lists": lambda rows, names: [list(row) for row in rows],
    "tuples": lambda rows, names: tuple(map(tuple, rows)),
    "a generator": lambda rows, names: (list(row) for row in rows),
    "arrays": lambda rows, names: [objects(row) for row in rows],
    "an array": lambda rows, names: square(rows, len(names)),
    "a masked array": lambda rows, names: np.ma.MaskedArray(square(rows, len(names))),
}
BY_NAME: dict[str, Callable[[Rows, Sequence[str]], Any]] = {
    "lists by name": lambda rows, names: {name: column(rows, j) for j, name in enumerate(names)},
    "arrays by name": lambda rows, names: {name: objects(column(rows, j)) for j, name in enumerate(names)},
    "a mapping": lambda rows, names: MappingProxyType({n: iter(column(rows, j)) for j, n in enumerate(names)}),
    "a frame": lambda rows, names: Frame([(name, Series(column(rows, j))) for j, name in enumerate(names)]),
    "fields": fields,
}
DICTIONARIES = {"dictionaries": lambda rows, names: [dict(zip(names, row, strict=True)) for row in rows]}
EVERY = {**BY_POSITION, **BY_NAME, **DICTIONARIES}  # without rows, dictionaries have no names


def held(party):
    """What a party counts, record by record."""
    return party._codes.tolist(), party._labels.tolist()


def turned(table_of, rows, names, data):
    """The table with its columns in some other order, and with one that nobody asked for."""
    order = data.draw(st.permutations(range(len(names) + 1)))
    wider = [[*row, object()] for row in rows]
    return table_of([[row[j] for j in order] for row in wider], [[*names, "id"][j] for j in order])


class ArrowType:
    """The type of a column of Arrow; of a dictionary it says what stands for what."""

    def __init__(self, name: str, dictionary: bool) -> None:
        self._name = f"dictionary<values={name}, indices=int32, ordered=0>" if dictionary else name
        if dictionary:
            self.index_type, self.value_type = ArrowType("int32", False), ArrowType(name, False)

    def __str__(self) -> str:
        return self._name


class ArrowScalar:
    """A value of Arrow's, which is none of Python's."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Arrow:
    """A chunked column, as ``pyarrow.ChunkedArray`` is: a dictionary loses its nulls when it makes an array of itself.

    A null is then its last value. Numbers beside nulls become floats, and cells are Arrow's unless one asks otherwise.
    """

    __module__ = "pyarrow.lib"

    def __init__(self, cells: Sequence[Any], dictionary: bool = False) -> None:
        self._cells = list(cells)
        kinds = {type(cell) for cell in self._cells} - {type(None)}
        self.type = ArrowType({int: "int64", float: "double"}.get(*kinds, "string") if kinds else "null", dictionary)

    def cast(self, other: ArrowType) -> "Arrow":
        return Arrow(self._cells)

    def to_pylist(self) -> list[Any]:
        return list(self._cells)

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Any:
        return iter([ArrowScalar(cell) for cell in self._cells])

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        if hasattr(self.type, "index_type"):
            values = list(dict.fromkeys(cell for cell in self._cells if cell is not None))
            return objects([values[-1] if cell is None else cell for cell in self._cells])
        if str(self.type) in ("int64", "double"):
            return np.array([np.nan if cell is None else cell for cell in self._cells])
        return objects(self._cells)


class Unheard:
    """A column of a library that nobody here has heard of, whose array has 0, or "A", where a value is missing."""

    def __init__(self, cells: Sequence[Any]) -> None:
        self._cells = list(cells)
        self.dtype = np.dtype(object)

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Any:
        return iter(self._cells)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        text = any(isinstance(cell, str) for cell in self._cells)
        return objects([("A" if text else 0) if cell is None else cell for cell in self._cells])


def masked(cells: Sequence[Any]) -> np.ma.MaskedArray:
    """A masked array, behind whose mask stands one of the other values."""
    other = next(cell for cell in cells if cell is not None)
    plain = [other if cell is None else cell for cell in cells]
    return np.ma.array(plain, mask=[cell is None for cell in cells])


class Quantity(np.ndarray):
    """An array with a unit, as astropy and unyt have it."""

    unit = "km"


class Covered(np.ndarray):
    """An array with a mask that is not NumPy's, as astropy has it."""


class Pint:
    """Numbers and a unit, as pint has them: the array that it makes of itself has none."""

    def __init__(self, cells: Any) -> None:
        self.magnitude, self.units = np.asarray(cells), "kilometre"
        self.dtype, self.shape, self.ndim = self.magnitude.dtype, self.magnitude.shape, self.magnitude.ndim

    def __len__(self) -> int:
        return len(self.magnitude)

    def __iter__(self) -> Any:
        return iter(self.magnitude)

    def tolist(self) -> Any:
        return self.magnitude.tolist()

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self.magnitude
