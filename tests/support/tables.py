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
