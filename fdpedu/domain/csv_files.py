"""CSV files as tables with names: what stands in a file is text, and the domain says what it should mean."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fdpedu.domain.domain import Domain
from fdpedu.domain.features import Numeric
from fdpedu.domain.tables import Named
from fdpedu.exact import quoted, require_type
from fdpedu.files import as_path

_DELIMITERS = (",", ";", "\t", "|")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WITH_COMMA = re.compile(r"[-+]?[0-9]+,[0-9]+")
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
    encoding: str = "utf-8-sig",
) -> Named:
    """A CSV file with a header as a table with names: numbers and categories are read as the domain has them.

    Parameters
    ----------
    path : of the file
    domain : which columns are numbers, and what the categories and classes are
    label : the name of the column that holds the class, if it is to be read
    delimiter : between cells; None for the one of comma, semicolon, tab and bar with which the header has the names
    decimal : "." or ","; a number with separators of thousands is none
    encoding : of the file

    Raises
    ------
    ValueError
        If the file cannot be read, has no such header, or has a row of another length: by its line, never its text.
    """
    if not isinstance(encoding, str):
        raise ValueError(f"encoding must be the name of one, such as 'utf-8', got {quoted(encoding)}")
    if decimal not in (".", ","):
        raise ValueError(f"decimal must be '.' or ',', got {decimal!r}")
    require_type(domain, Domain, "domain")
    if label is not None:
        domain.check_label(label)
    wanted = [feature.name for feature in domain.features] + ([] if label is None else [label])
    shown = repr(os.fspath(as_path(path)))
    content = _content(path, encoding, shown)
    text = _split(content, _delimiter(content, wanted, delimiter, decimal), shown)
    if not set(wanted) & set(text.header):
        names = ", ".join(map(repr, wanted))
        raise ValueError(f"{shown}: the first line has none of the names {names}; is the line with the names missing?")
    readers = _readers(domain, label, decimal)
    if decimal == ".":
        _require_no_commas(text, [feature.name for feature in domain.features if isinstance(feature, Numeric)], shown)

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


def _split(content: Sequence[str], delimiter: str, shown: str) -> _Text:
    numbered = _rows(content, delimiter, shown)
    header = _stripped(next(numbered, ([], 0))[0])
    rows, lines = [], []
    for row, line in numbered:
        if len(row) != len(header):
            raise ValueError(f"{shown} line {line}: expected {len(header)} cells, as in the first line, got {len(row)}")
        rows.append(row)
        lines.append(line)
    return _Text(header, rows, lines)


def _rows(content: Sequence[str], delimiter: str, shown: str) -> Iterator[tuple[list[str], int]]:
    """The rows that hold anything, each with the line in which it begins."""
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


def _stripped(header: Sequence[str]) -> list[str]:
    return [name.strip() for name in header]


def _require_no_commas(text: _Text, numeric: Sequence[str], shown: str) -> None:
    """Refuse decimal commas that were not announced, the most frequent mistake."""
    for name in set(numeric) & set(text.header):
        at = text.header.index(name)
        if any(_WITH_COMMA.fullmatch(row[at].strip()) for row in text.rows):
            raise ValueError(f"{shown}, column {name!r}: numbers have a comma; if it is the decimal sign: decimal=','")


def _readers(domain: Domain, label: str | None, decimal: str) -> dict[str, Callable[[str], Any]]:
    """For each column that is wanted, what makes a value of a cell. What it cannot read stays text."""
    readers = dict[str, Callable[[str], Any]]()
    for feature in domain.features:
        if isinstance(feature, Numeric):
            readers[feature.name] = _number(decimal)
        else:
            readers[feature.name] = _member(feature.categories, repr(feature.name))
    if label is not None:
        readers[label] = _member(domain.classes, "the class")
    return readers


def _number(decimal: str) -> Callable[[str], Any]:
    def read(cell: str) -> Any:
        text = cell.strip()
        if text.lower() in _NOTHING:
            return None
        plain = text if decimal == "." else text.translate({ord("."): "_", ord(","): "."})
        return float(plain) if _NUMBER.fullmatch(plain) else text or None

    return read


def _member(allowed: Sequence[Any], what: str) -> Callable[[str], Any]:
    """The value that the cell's text stands for; truth values are read in any case of their letters."""
    written = [(text, value) for value in allowed for text in _texts(value)]
    meant = dict(written)
    if len(meant) < len(written):
        raise ValueError(f"the categories of {what} must differ when they are written in a file")

    def read(cell: str) -> Any:
        text = cell if cell in meant else cell.strip()
        return meant.get(text, text or None)

    return read


def _texts(value: Any) -> tuple[str, ...]:
    text = str(value)
    return (text, text.lower(), text.upper()) if isinstance(value, bool) else (text,)
