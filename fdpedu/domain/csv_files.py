"""CSV files as tables with names: what stands in a file is text, and the domain says what it should mean."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from fdpedu.domain.domain import Domain
from fdpedu.domain.features import Numeric
from fdpedu.domain.tables import Named
from fdpedu.exact import quoted, require_type
from fdpedu.files import as_path

_DELIMITERS = (",", ";", "\t", "|")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_GROUPED = re.compile(r"[-+]?[1-9][0-9]{0,2}(?:SIGN[0-9]{3})+")
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")  # what stands for a number as a category: no code as 0123
THOUSANDS = {",": ",", ".": ".", " ": " \u00a0\u202f", "'": "'’", "none": ""}
_NOTHING = ("", "na", "n/a", "nan", "null", "none")  # what programs write where a number is missing


@dataclass(frozen=True)
class _Text:
    """The cells of a file: the header, the rows, and the line in which each row begins."""

    header: list[str]
    rows: list[list[str]]
    lines: list[int]


def read_csv(
    path: str | os.PathLike[str],
    domain: Domain,
    *,
    label: str | None = None,
    delimiter: str | None = None,
    decimal: str = ".",
    thousands: str | None = None,
    encoding: str = "utf-8-sig",
    every_line: bool = False,
) -> Named:
    """A CSV file with a header as a table with names: numbers and categories are read as the domain has them.

    Parameters
    ----------
    path : of the file
    domain : which columns are numbers, and what the categories and classes are
    label : the name of the column that holds the class, if it is to be read
    delimiter : between cells; None for the one of comma, semicolon, tab and bar with which the header has the names
    decimal : "." or ","
    thousands : what separates thousands: ``","``, ``"."``, ``" "``, ``"'"`` or ``"none"``; None: nothing does, and a
        column of numbers in which every comma, or every dot, could do so is refused
    encoding : of the file
    every_line : whether a blank line between rows is refused, because an answer is due for each row; in a file of one
        column it always is, because there it is a row without a value. Else blank lines are passed over

    Raises
    ------
    ValueError
        If the file cannot be read, has no such header, or has a row of another length: by its line, never its text.
    """
    if not isinstance(encoding, str):
        raise ValueError(f"encoding must be the name of one, such as 'utf-8', got {quoted(encoding)}")
    if decimal not in (".", ","):
        raise ValueError(f"decimal must be '.' or ',', got {decimal!r}")
    if thousands is not None and (thousands not in THOUSANDS or thousands == decimal):
        raise ValueError(f"thousands must be one of {', '.join(map(repr, THOUSANDS))}, and not the decimal sign")
    require_type(domain, Domain, "domain")
    if label is not None:
        domain.check_label(label)
    wanted = [feature.name for feature in domain.features] + ([] if label is None else [label])
    shown = repr(os.fspath(as_path(path)))
    content = _content(path, encoding, shown)
    text = _split(content, _delimiter(content, wanted, delimiter, decimal), shown, every_line)
    if not set(wanted) & set(text.header):
        names = ", ".join(map(repr, wanted))
        raise ValueError(f"{shown}: the first line has none of the names {names}; is the line with the names missing?")
    readers = _readers(domain, label, decimal, THOUSANDS[thousands or "none"])
    for feature in domain.features:
        if isinstance(feature, Numeric) and feature.name in text.header:
            at = text.header.index(feature.name)
            where = f"{shown}, column {feature.name!r}"
            _require_clear([row[at].strip() for row in text.rows], decimal, thousands, where)

    def column(name: str) -> list[Any]:
        at, read = text.header.index(name), readers.get(name, str.strip)
        return [read(row[at]) for row in text.rows]

    return Named(tuple(text.header), column, lambda i: f"line {text.lines[i]}")


def _content(path: str | os.PathLike[str], encoding: str, shown: str) -> list[str]:
    """The lines of the file, with their ends."""
    try:
        with Path(path).open(encoding=encoding, newline="") as file:
            content = file.readlines()
    except UnicodeError:
        raise ValueError(
            f"{shown} is no text in the encoding {encoding!r}; give encoding=, such as 'cp1252' or 'utf-16'"
        ) from None
    except LookupError:
        raise ValueError(f"encoding must be the name of one, such as 'utf-8', got {encoding!r}") from None
    except (OSError, ValueError) as error:
        raise ValueError(f"cannot read {shown}: {getattr(error, 'strerror', None) or 'no such file'}") from None
    if not any(line.strip() for line in content):
        raise ValueError(f"{shown} is empty; its first line must have the names of the columns")
    return content


def _delimiter(content: Sequence[str], wanted: Sequence[str], given: str | None, decimal: str) -> str:
    """The one given, or the one with which the header has most of the names wanted."""
    if given is not None:
        if not isinstance(given, str) or len(given) != 1 or given in '"\r\n':
            raise ValueError(f"delimiter must be one character, such as ';', got {given!r}")
        return given
    found = {}
    for delimiter in _DELIMITERS:
        header = _header(content, delimiter)
        found[delimiter] = len(set(wanted) & set(header)), len(header)
    return max(found, key=lambda delimiter: found[delimiter])


def _header(content: Sequence[str], delimiter: str) -> list[str]:
    """The first row, if it can be read with this delimiter."""
    try:
        return _stripped(next(_rows(content, delimiter, ""), ([], 0))[0])
    except ValueError:
        return []


def _split(content: Sequence[str], delimiter: str, shown: str, every_line: bool) -> _Text:
    blank = list[int]()
    numbered = _rows(content, delimiter, shown, blank)
    header = _stripped(next(numbered, ([], 0))[0])
    blank.clear()  # above the names
    rows, lines = [], []
    for row, line in numbered:
        if blank and (every_line or len(header) == 1):
            raise ValueError(f"{shown} line {blank[0]}: it is blank; write what the row is, or take the line out")
        if len(row) != len(header):
            raise ValueError(f"{shown} line {line}: expected {len(header)} cells, as in the first line, got {len(row)}")
        rows.append(row)
        lines.append(line)
    return _Text(header, rows, lines)


def _rows(
    content: Sequence[str], delimiter: str, shown: str, blank: list[int] | None = None
) -> Iterator[tuple[list[str], int]]:
    """The rows that hold anything, each with the line in which it begins; the lines of others go into ``blank``."""
    reader = csv.reader(content, delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error:
            raise ValueError(f"{shown} line {line}: quotation marks do not match, or a cell is too long") from None
        if row is None:
            return
        if any(cell.strip() for cell in row):
            yield row, line
        elif blank is not None:
            blank.append(line)


def _stripped(header: Sequence[str]) -> list[str]:
    return [name.strip() for name in header]


def _require_clear(cells: Sequence[str], decimal: str, thousands: str | None, where: str) -> None:
    """Refuse commas and dots whose meaning was not announced, as in 1,5 or 52,300: the most frequent mistake."""
    for sign, meant in ((",", "comma"), (".", "dot")):
        separated = [cell for cell in cells if sign in cell] if thousands is None else []
        grouped = re.compile(_GROUPED.pattern.replace("SIGN", re.escape(sign)))
        if separated and all(grouped.fullmatch(cell) for cell in separated):
            raise ValueError(
                f"{where}: every {meant} stands before three digits, so 52{sign}300 may be 52300 or 52.3. If it "
                f"separates thousands: thousands={sign!r}; if it is the decimal sign: thousands='none'"
                + (f" and decimal={sign!r}" if sign != decimal else "")
            )
    if decimal == "." and thousands != "," and any(re.fullmatch(r"[-+]?[0-9]+,[0-9]+", cell) for cell in cells):
        raise ValueError(f"{where}: numbers have a comma; if it is the decimal sign: decimal=','")


def _readers(domain: Domain, label: str | None, decimal: str, between: str) -> dict[str, Callable[[str], Any]]:
    """For each column that is wanted, what makes a value of a cell. What it cannot read stays text."""
    readers = dict[str, Callable[[str], Any]]()
    for feature in domain.features:
        if isinstance(feature, Numeric):
            readers[feature.name] = _number(decimal, between)
        else:
            readers[feature.name] = _member(feature.categories, repr(feature.name), decimal)
    if label is not None:
        readers[label] = _member(domain.classes, "the class", decimal)
    return readers


def _number(decimal: str, between: str) -> Callable[[str], Any]:
    """What reads a number with this decimal sign, and any of these signs between its thousands."""
    plain_digits = str.maketrans({**{"." if decimal == "," else ",": "_"}, decimal: "."})
    grouped = re.compile(rf"([-+]?[1-9][0-9]{{0,2}}(?:[{re.escape(between)}][0-9]{{3}})+)({re.escape(decimal)}[0-9]*)?")

    def read(cell: str) -> Any:
        text = cell.strip()
        if text.lower() in _NOTHING:
            return None
        if between and (found := grouped.fullmatch(text)):
            text = found[1].translate(dict.fromkeys(map(ord, between))) + (found[2] or "")
        plain = text.translate(plain_digits)
        return float(plain) if _NUMBER.fullmatch(plain) else cell.strip() or None

    return read


def _member(allowed: Sequence[Any], what: str, decimal: str) -> Callable[[str], Any]:
    """The value that the cell's text stands for; truth values are read in any case of their letters, numbers as such.

    1, 1.0 and 1.00 are one number, however the file and the domain write it; 01 is a code and no number.
    """
    written = [(text, value) for value in allowed for text in _texts(value)]
    meant = dict(written)
    if len(meant) < len(written):
        raise ValueError(f"the categories of {what} must differ when they are written in a file")
    pairs = [(_as_number(str(value)), value) for value in allowed if not isinstance(value, bool)]
    numbers: dict[Fraction | None, Any] = {number: value for number, value in pairs if number is not None}
    if len(numbers) < sum(number is not None for number, _ in pairs):
        numbers = {}  # "1" and "1.0" are two categories: then only their texts count

    def read(cell: str) -> Any:
        text = cell if cell in meant else cell.strip()
        if text in meant:
            return meant[text]
        return numbers.get(_as_number(text.replace(decimal, ".")), text or None)

    return read


def _as_number(text: str) -> Fraction | None:
    return Fraction(text) if _WHOLE.fullmatch(text) and len(text) <= 400 else None


def _texts(value: Any) -> tuple[str, ...]:
    text = str(value)
    return (text, text.lower(), text.upper()) if isinstance(value, bool) else (text,)
