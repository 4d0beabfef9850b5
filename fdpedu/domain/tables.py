"""A table as people have it: columns found by their names where it has names, by their places where it has none.

By name come a data frame (whatever has ``columns`` and ``[name]``), a mapping from names to columns, an array with
named fields, and a list of dictionaries or of other rows that name their cells. By position come an array of two
dimensions and a list of rows. What has names that cannot be read is refused, and never read by position.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain.columns import Cells, as_cells, composed
from fdpedu.exact.foreign import held


def row_by_place(i: int) -> str:
    """The default name of a row in messages: by its position.

    >>> row_by_place(3)
    'row 3'
    """
    return f"row {i}"


@dataclass(frozen=True)
class Columns:
    """Columns of one length, in the order asked for.

    Parameters
    ----------
    cells : the columns
    row : how a message calls the i-th row
    named : whether they were found by their names
    """

    cells: list[Cells]
    row: Callable[[int], str] = row_by_place
    named: bool = False


@dataclass(frozen=True)
class Named:
    """A table with names.

    Parameters
    ----------
    names : of all its columns, in its order; None for what is no text
    column : the column of a name
    row : how a message calls the i-th row
    """

    names: tuple[str | None, ...]
    column: Callable[[str], Any]
    row: Callable[[int], str] = row_by_place

    def __post_init__(self) -> None:
        given, column = {composed(name): name for name in self.names if name is not None}, self.column
        if any(name != other for name, other in given.items()):
            object.__setattr__(self, "names", tuple(None if name is None else composed(name) for name in self.names))
            object.__setattr__(self, "column", lambda name: column(given[name]))

    def select(self, names: Sequence[str], where: str) -> Columns:
        """The columns of these names; the refusal of a missing one names a similar one, if there is one."""
        names = list(map(composed, names))
        missing = [name for name in names if name not in self.names]
        if missing:
            raise ValueError(f"{where}: {self._refusal_of_missing(missing, names)}")
        twice = [name for name in names if self.names.count(name) > 1]
        if twice:
            raise ValueError(
                f"{where}: column {twice[0]!r} stands there more than once; rename or leave out the others"
            )
        cells = [as_cells(self._column(name, where), f"{where}, column {name!r}") for name in names]
        for name, column in zip(names, cells, strict=True):
            if len(column) != len(cells[0]):
                raise ValueError(f"{where}: columns {names[0]!r} and {name!r} must have the same number of rows")
        return Columns(cells, self.row, named=True)

    def _column(self, name: str, where: str) -> Any:
        try:
            return self.column(name)
        except Exception:
            raise ValueError(f"{where}: column {name!r} cannot be read from this kind of table") from None

    def _refusal_of_missing(self, missing: Sequence[str], names: Sequence[str]) -> str:
        extra = [name for name in self.names if name is not None and name not in names]
        named = [f"{name!r}{_did_you_mean(name, extra)}" for name in missing]
        hint = ""
        if self.names and set(self.names) == {None}:
            hint = "; its columns are not named by text: rename them, or give an array with the columns in their order"
        return f"the table has no column {', '.join(named)}{hint}"

    def take(self, rows: NDArray[np.intp], where: str) -> Named:
        """The table with these rows alone, which messages call as before."""
        numbers = rows.tolist()

        def column(name: str) -> Cells:
            return as_cells(self.column(name), f"{where}, column {name!r}")[rows]

        return Named(self.names, column, lambda i: self.row(numbers[i]))


def similar(name: object, names: Iterable[str]) -> str | None:
    """The one of the names that was probably meant; nothing is like what is no text.

    >>> similar("age", ["Age ", "page"]), similar("age", ["ward"]), similar(7, ["7"])
    ('Age ', None, None)
    """
    if not isinstance(name, str):
        return None
    plain = {other.strip().casefold(): other for other in names}
    found = difflib.get_close_matches(name.strip().casefold(), plain, n=1)
    return plain[found[0]] if found else None


def _did_you_mean(name: str, names: Iterable[str]) -> str:
    near = similar(name, names)
    return "" if near is None else f" (its column {near!r} should perhaps be called so)"


Rows = Sequence[Sequence[Any]]  # by position: the cells of each row, and perhaps its class
_FOREIGN = ("__arrow_c_stream__", "__dataframe__")  # interfaces of tables that have names
Table = Named | NDArray[Any] | list[Any]  # what :func:`as_table` tells apart


def as_table(rows: Any, where: str) -> Table:
    """A table with names as :class:`Named`; one by position as an array of two dimensions or as a list of rows."""
    if isinstance(rows, Named):
        return rows
    if isinstance(rows, np.ndarray):
        return _table_of_array(held(rows, where), where)
    if isinstance(rows, Mapping):
        return Named(_texts(rows), rows.__getitem__)
    if _is_frame(rows):
        return Named(_texts(_columns_of(rows)), rows.__getitem__)
    if _names_unread(rows):
        raise ValueError(
            f"{where}: a {type(rows).__name__} may have names that cannot be read here, so it is not read by position; "
            "give a data frame, or a dictionary of columns"
        )
    if hasattr(rows, "__array__"):
        return _table_of_array(held(rows, where), where)
    if isinstance(rows, (str, bytes, Set)) or not isinstance(rows, Iterable):
        raise ValueError(f"{where}: expected a sequence, got {type(rows).__name__}")
    return _table_of_rows(list(rows), where)


def _texts(names: Iterable[Any]) -> tuple[str | None, ...]:
    return tuple(name if isinstance(name, str) else None for name in names)


def _table_of_array(rows: NDArray[Any] | list[Any], where: str) -> Table:
    if isinstance(rows, list):
        return _table_of_rows(rows, where)
    if rows.ndim not in (1, 2) or (rows.dtype.names and rows.ndim == 2):
        raise ValueError(f"{where}: expected one dimension, got {rows.ndim}")
    if rows.dtype.names:
        return Named(rows.dtype.names, rows.__getitem__)
    if rows.ndim == 2:
        return rows
    return _table_of_rows(rows.tolist(), where)


def has_names(rows: Any) -> bool:
    """Whether it names its columns; a frame that numbers them 0, 1, … has no names of its own."""
    if _is_frame(rows) and not isinstance(rows, Mapping):
        return list(names := _columns_of(rows)) != list(range(len(names)))
    return isinstance(rows, (Named, Mapping)) or _names_unread(rows)


def _is_frame(rows: Any) -> bool:
    return all(hasattr(rows, part) for part in ("__len__", "__getitem__", "columns"))


def _columns_of(frame: Any) -> Any:
    """What a frame calls its columns; Arrow's have these under another name."""
    return getattr(frame, "column_names", frame.columns)


def _names_unread(rows: Any) -> bool:
    """Whether it is a table of another kind, or an array that labels its columns, as xarray's do."""
    dims, labels = getattr(rows, "dims", ()), getattr(rows, "coords", ())
    labelled = isinstance(dims, tuple) and len(dims) == 2 and isinstance(labels, Mapping) and dims[1] in labels
    return labelled or any(hasattr(rows, part) for part in _FOREIGN)


def _table_of_rows(rows: list[Any], where: str) -> Table:
    kinds = {type(row): row for row in rows}
    if all(_names_of(row) is None for row in kinds.values()):
        return rows
    named = [_names_of(row) for row in rows]
    for i, names in enumerate(named):
        if names is None:
            raise ValueError(f"{where} row {i}: expected cells with names, as the other rows have")
    whole = [
        dict(zip(names or (), _cells_by(row, names or ()), strict=True)) for row, names in zip(rows, named, strict=True)
    ]
    return Named(
        _texts(dict.fromkeys(chain.from_iterable(whole))), lambda name: [row.get(name, np.nan) for row in whole]
    )


def _names_of(row: Any) -> list[Any] | None:
    """The names of a row's cells: of a dictionary, a named tuple, a record of NumPy, a row of a database; else None."""
    if isinstance(row, Mapping):
        return list(row)
    if isinstance(row, tuple) and hasattr(row, "_fields"):
        return list(row._fields)
    if isinstance(row, np.void):
        return None if row.dtype.names is None else list(row.dtype.names)
    return list(row.keys()) if callable(getattr(row, "keys", None)) else None


def _cells_by(row: Any, names: Sequence[Any]) -> list[Any]:
    return list(row) if isinstance(row, tuple) else [row[name] for name in names]


def by_position(table: NDArray[Any] | list[Any], width: int, expected: str, where: str) -> Columns:
    """The columns of a table without names, which must be ``width`` many; ``expected`` says what a row should hold."""
    if isinstance(table, np.ndarray):
        if table.shape[1] != width:
            raise ValueError(f"{where}: expected {expected} a row, got {table.shape[1]}")
        return Columns([table[:, j] for j in range(width)])
    rows = [_cells_of(row) for row in table]
    bad = next((i for i, row in enumerate(rows) if len(row) != width), None)
    if bad is not None:
        raise ValueError(f"{where} row {bad}: expected {expected}")
    count = len(rows) * width
    cells = np.fromiter(chain.from_iterable(rows), np.dtype(object), count).reshape(-1, width)
    return Columns([cells[:, j] for j in range(width)])


def width_of(table: NDArray[Any] | list[Any]) -> int | None:
    """How many columns a table without names has, by its first row; None if it has none.

    >>> width_of([[1, 2], [3]]), width_of([])
    (2, None)
    """
    if isinstance(table, np.ndarray):
        return int(table.shape[1])
    return len(_cells_of(table[0])) if table else None


def _cells_of(row: Any) -> Sequence[Any]:
    """The cells of a row; what is no row has none."""
    if type(row) in (list, tuple):
        return row
    if isinstance(row, (str, bytes, Mapping, Set)) or not hasattr(row, "__len__"):
        return ()
    try:
        return tuple(row)
    except Exception:  # it only looks like a sequence
        return ()
