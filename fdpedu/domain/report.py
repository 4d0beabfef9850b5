"""What a table would lose at the border, column by column: for the eyes of its owner, before a party is made of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from fdpedu.domain.columns import FITS, MISSING, Cells, Reading
from fdpedu.domain.features import Feature
from fdpedu.domain.tables import Columns, Named, as_table, by_position, similar, width_of
from fdpedu.printable import escape
from fdpedu.showing import text_table

Reader = Callable[[Cells], Reading]
_MAX_SHOWN = 20  # rows of a column that are named in print; plain data name all
Note = Callable[[Cells], str]
_Column = tuple[str, Reader, Note]  # its name, what reads its cells, and what is to be considered about them
_HEAD = ("column", "rows", "below", "above", "missing", "unfit", "verdict")
_TO_THE_RIGHT = range(1, 6)


@dataclass(frozen=True)
class ColumnReport:
    """What there is to say about one column. Rows and numbers of them only, never a value.

    Parameters
    ----------
    name : of the feature, of the class or of the target
    rows : how many it has; None if the column is not there or cannot be read
    below, above : how many numbers are clipped into the first and into the last bin
    missing, unfit : how many cells lack a value, and how many hold something that is refused
    problem : why the column cannot be read; empty if it can
    coded : whether missing values have a code of their own; else they are refused
    at : the rows that are refused, as the table calls them
    note : what should be considered, if nothing is refused
    """

    name: str
    rows: int | None = None
    below: int = 0
    above: int = 0
    missing: int = 0
    unfit: int = 0
    problem: str = ""
    coded: bool = False
    at: tuple[str, ...] = ()
    note: str = ""

    @property
    def ok(self) -> bool:
        """Whether no value of the column is refused; values may be clipped."""
        return not self.problem and not self.refused

    @property
    def refused(self) -> int:
        """How many rows cannot be taken as they are."""
        return self.unfit + (0 if self.coded else self.missing)

    @property
    def outcome(self) -> str:
        """The outcome in words: refused, clipped or ok."""
        refused, clipped = self.refused, self.below + self.above
        if self.problem or refused:
            return self.problem or f"refused: {refused} row{'s' * (refused > 1)}"
        return f"clipped: {clipped / self.rows:.1%}" if clipped and self.rows else "ok"

    def row(self) -> tuple[str, ...]:
        """The cells of the column's line in a table."""
        counts = (self.rows, self.below, self.above, self.missing, self.unfit)
        shown = ["–" if self.rows is None else f"{count:,}" for count in counts]
        return (self.name, *shown, self.outcome)


@dataclass(frozen=True)
class TableReport:
    """What :meth:`Domain.check` found in a table. It was computed from the data: show it to their owner only.

    Parameters
    ----------
    columns : one for each feature, then the class or the target, if it was looked at
    extra : the names of the columns that are left out
    problem : why the whole table cannot be read; empty if it can
    """

    columns: tuple[ColumnReport, ...] = ()
    extra: tuple[str, ...] = ()
    problem: str = ""

    @property
    def ok(self) -> bool:
        """Whether a party can be made of the table; values may be clipped."""
        return not self.problem and all(column.ok for column in self.columns)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        return {"ok": self.ok, **asdict(self)}

    def __str__(self) -> str:
        table = text_table([_HEAD, *(column.row() for column in self.columns)], right=_TO_THE_RIGHT, between=" | ")
        return "\n".join([table] * bool(self.columns) + self._remarks())

    def _remarks(self) -> list[str]:
        left_out = [f"{name!r} is no column of the domain and is left out" for name in self.extra]
        refused = [f"{column.name!r} is refused in {_listed(column.at)}" for column in self.columns if column.at]
        notes = [f"{column.name!r} {column.note}" for column in self.columns if column.note]
        return [self.problem] * bool(self.problem) + refused + notes + left_out

    def _repr_html_(self) -> str:
        rows = [_html_row("th", _HEAD), *(_html_row("td", column.row()) for column in self.columns)]
        remarks = "".join(f"<p>{escape(remark)}</p>" for remark in self._remarks())
        return f"<table>{''.join(rows)}</table>{remarks}"


def _listed(rows: Sequence[str]) -> str:
    more = len(rows) - _MAX_SHOWN
    return ", ".join(rows[:_MAX_SHOWN]) + (f" and {more:,} more" if more > 0 else "")


def _html_row(tag: str, row: Sequence[str]) -> str:
    """A table row that is legible without a style sheet, as in a reader's own notebook."""
    sides = ["right" if j in _TO_THE_RIGHT else "left" for j in range(len(row))]
    cells = [
        f'<{tag} style="text-align: {side}; padding: 0 0.6em">{escape(cell)}</{tag}>'
        for side, cell in zip(sides, row, strict=True)
    ]
    return f"<tr>{''.join(cells)}</tr>"


def examine(
    features: Sequence[Feature],
    read_label: Reader,
    table: Any,
    label: str | None,
    last: str,
    note: Note,
) -> TableReport:
    """The report on a table; nothing in the table makes it raise.

    Parameters
    ----------
    features : of the domain
    read_label : what reads the cells of the class, or of the target
    table : any
    label : the name of that column in a table with names; None if it is not looked at there
    last : what it is called where it stands last, in a table without names
    note : what is to be considered about the cells of that column; empty if nothing is
    """
    readers: list[_Column] = [(feature.name, feature.read, _nothing) for feature in features]
    try:
        found = as_table(table, "the table")
        if isinstance(found, Named):
            return _by_name([*readers, *([] if label is None else [(label, read_label, note)])], found)
        columns = _by_position(found, len(features))
    except ValueError as error:
        return TableReport(problem=str(error))
    readers.append((last, read_label, note))
    return TableReport(tuple(_report(*pair, columns.row) for pair in zip(readers, columns.cells, strict=False)))


def _nothing(cells: Cells) -> str:
    return ""


def _by_position(table: Any, width: int) -> Columns:
    """The columns of a table by position: the features, and the class if it stands last."""
    width += width_of(table) == width + 1
    return by_position(table, width, f"{width} values, one for each feature", "the table")


def _by_name(readers: Sequence[_Column], table: Named) -> TableReport:
    wanted = [name for name, _, _ in readers]
    extra = tuple(name for name in table.names if name is not None and name not in wanted)
    found = [(reader, _cells(table, reader[0], extra)) for reader in readers]
    uneven = len({len(cells) for _, cells in found if not isinstance(cells, str)}) > 1
    problem = "the columns have different numbers of rows" if uneven else ""
    return TableReport(tuple(_report(*pair, table.row) for pair in found), extra, problem)


def _cells(table: Named, name: str, extra: Sequence[str]) -> Cells | str:
    """The column of that name, or why there is none."""
    if name not in table.names:
        near = similar(name, extra)
        return "not there" + (f"; is it {near!r}?" if near else "")
    try:
        return table.select([name], "the table").cells[0]
    except ValueError as error:
        return str(error)


def _report(column: _Column, cells: Cells | str, row: Callable[[int], str]) -> ColumnReport:
    name, read, note = column
    if isinstance(cells, str):
        return ColumnReport(name, problem=cells)
    reading = read(cells)
    refused = np.flatnonzero(reading.faults != FITS).tolist()
    missing = int(np.count_nonzero(reading.faults == MISSING))
    counts = (len(reading.faults), reading.below, reading.above, missing + reading.missing, len(refused) - missing)
    return ColumnReport(name, *counts, coded=reading.missing > 0, at=tuple(map(row, refused)), note=note(cells))
