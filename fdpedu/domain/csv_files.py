"""CSV files as tables with names: what stands in a file is text, and the domain says what it should mean."""

from __future__ import annotations

import codecs
import csv
import io
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from fdpedu.domain.columns import composed
from fdpedu.domain.domain import Domain
from fdpedu.domain.features import Numeric
from fdpedu.domain.tables import Named, similar
from fdpedu.exact import quoted, require_type
from fdpedu.files import as_path, kind_of

_DELIMITERS = (",", ";", "\t", "|")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_GROUPED = re.compile(r"[-+]?[1-9][0-9]{0,2}(?:SIGN[0-9]{3})+")
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")  # what stands for a number as a category: no code as 0123
THOUSANDS = {",": ",", ".": ".", " ": " \u00a0\u202f", "'": "'’", "none": ""}
_DECIMAL = {sign: re.compile(rf"[-+]?[0-9]+{re.escape(sign)}[0-9]+") for sign in ".,"}
_SEPARATOR = re.compile(r'"?sep=(.)"?[\r\n]*', re.IGNORECASE)  # what Excel writes, and reads, above the names
_TYPES = {"continuous", "discrete", "string", "time"}  # what Orange says of columns below their names
_PARTS = {"class", "meta", "ignore"}
_BEFORE_NAMES = 50  # lines of a title in which the names are looked for
_NOTHING = ("", "na", "n/a", "nan", "null", "none")  # what programs write where a value is missing


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
    decimal: str | Mapping[str, str] = ".",
    thousands: str | Mapping[str, str] | None = None,
    encoding: str = "utf-8-sig",
    every_line: bool = False,
) -> Named:
    """A CSV file with a header as a table with names: numbers and categories are read as the domain has them.

    Blanks around a cell mean nothing, unless two categories of a column differ by them only.

    Parameters
    ----------
    path : of the file
    domain : which columns are numbers, and what the categories and classes are
    label : the name of the column that holds the class or the target, if it is to be read
    delimiter : between cells; None for the one of comma, semicolon, tab and bar with which the header has the names, or
        the one that a line ``sep=;`` above the header names
    decimal : "." or ","; or a dictionary from names of columns to one of them, where columns differ
    thousands : what separates thousands: ``","``, ``"."``, ``" "``, ``"'"`` or ``"none"``; None: nothing does, and a
        column of numbers in which every comma, or every dot, could do so is refused. Or a dictionary, as ``decimal``
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
    require_type(domain, Domain, "domain")
    if label is not None:
        domain.check_label(label)
    wanted = [feature.name for feature in domain.features] + ([] if label is None else [composed(label)])
    numeric = columns_of_numbers(domain, label)
    signs = _signs(decimal, thousands, wanted, numeric)
    shown = repr(os.fspath(as_path(path)))
    content, announced = _without_separator(_content(path, encoding, shown), wanted)
    found = _delimiter(content, wanted, announced if delimiter is None else delimiter)
    _require_names(content, wanted, found, shown)
    text = _split(content, found, shown, every_line, exact=_blanks_matter(domain, label))
    if not set(wanted) & set(text.header):
        raise ValueError(_none_of(wanted, shown))
    if label is not None:
        domain.check_label(label, text.header)
    readers = _readers(domain, label, signs)
    cells = {name: _cells_of(text, name) for name in numeric if name in text.header}
    for name in cells:
        _require_clear(name, cells, signs[name], shown)

    def column(name: str) -> list[Any]:
        at, read = text.header.index(name), readers.get(name, str.strip)
        return [read(row[at]) for row in text.rows]

    return Named(tuple(text.header), column, lambda i: f"line {text.lines[i]}")


def columns_of_numbers(domain: Domain, label: str | None) -> list[str]:
    """The names of the columns that hold numbers, by the domain: in these, thousands may be set apart."""
    found = [feature.name for feature in domain.features if isinstance(feature, Numeric)]
    return found if label is None or domain.target is None else [*found, composed(label)]


def _content(path: str | os.PathLike[str], encoding: str, shown: str) -> list[str]:
    """The lines of the file, with their ends."""
    try:
        written = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise ValueError(f"cannot read {shown}: {getattr(error, 'strerror', None) or 'no such file'}") from None
    if what := kind_of(written):
        raise ValueError(f"{shown} is no CSV file but {what}")
    try:
        with io.TextIOWrapper(io.BytesIO(written), encoding=encoding, newline="") as file:
            content = file.readlines()
    except UnicodeError:
        wide = written.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        other = "encoding='utf-16', as it begins so" if wide else "encoding=, such as 'cp1252' or 'utf-16'"
        raise ValueError(f"{shown} is no text in the encoding {encoding!r}; give {other}") from None
    except (LookupError, ValueError):
        raise ValueError(f"encoding must be the name of one, such as 'utf-8', got {encoding!r}") from None
    if next((line for line in content if line.strip() and line[0] != "%"), "").lower().startswith("@relation"):
        raise ValueError(
            f"{shown} is an ARFF file, and no CSV file: keep the rows below @data, and write the names of its "
            "attributes above them, in one line"
        )
    if not any(line.strip() for line in content):
        raise ValueError(f"{shown} is empty; its first line must have the names of the columns")
    return content


def _signs(
    decimal: Any, thousands: Any, wanted: Sequence[str], numbers: Sequence[str]
) -> dict[str, tuple[str, str | None]]:
    """For each column its decimal sign, and what separates thousands, if that is said."""
    named = [
        {composed(str(name)): sign for name, sign in given.items()} if isinstance(given, Mapping) else None
        for given in (decimal, thousands)
    ]
    for what, columns in zip(("decimal", "thousands"), named, strict=True):
        unknown = next((name for name in columns or () if name not in wanted), None)
        if unknown is not None:
            near = similar(unknown, wanted)
            hint = f"; did you mean {near!r}?" if near else ""
            raise ValueError(f"{what} names the column {unknown!r}, which is none of the domain's{hint}")
    wordy = next((name for name in named[1] or () if name not in numbers), None)
    if wordy is not None:
        raise ValueError(f"thousands names the column {wordy!r}, which has categories, and is none of numbers")
    signs = dict[str, tuple[str, str | None]]()
    for name in wanted:
        sign = decimal if named[0] is None else named[0].get(name, ".")
        between = thousands if named[1] is None else named[1].get(name)
        if sign not in (".", ","):
            raise ValueError(f"decimal must be '.' or ',', got {sign!r}")
        if between is not None and (between not in THOUSANDS or between == sign):
            raise ValueError(f"thousands must be one of {', '.join(map(repr, THOUSANDS))}, and not the decimal sign")
        signs[name] = sign, between
    return signs


def _without_separator(content: list[str], wanted: Sequence[str]) -> tuple[list[str], str | None]:
    """The lines, blank where the first says what is between cells; and what it says."""
    found = None if content[0].strip() in wanted else _SEPARATOR.fullmatch(content[0])
    return (content, None) if found is None else (["\n", *content[1:]], found[1])


def _require_names(content: Sequence[str], wanted: Sequence[str], delimiter: str, shown: str) -> None:
    """Refuse a header without any of the names; a line below it that has them is named."""
    header = _header(content, delimiter)
    if not header or set(wanted) & set(header):  # a header that cannot be read is refused with its reason
        return
    counts = [0]
    for i in range(1, min(len(content), _BEFORE_NAMES)):
        below = content[i : i + 1]
        counts.append(max(len(set(wanted) & set(_header(below, sign))) for sign in (*_DELIMITERS, delimiter)))
    if max(counts):
        line = counts.index(max(counts)) + 1
        raise ValueError(
            f"{shown}: the names of the columns stand in line {line}, and must be first; take out what is above"
        )
    raise ValueError(_none_of(wanted, shown))


def _none_of(wanted: Sequence[str], shown: str) -> str:
    names = ", ".join(map(repr, wanted))
    return f"{shown}: the first line has none of the names {names}; is the line with the names missing?"


def _delimiter(content: Sequence[str], wanted: Sequence[str], given: str | None) -> str:
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


def _blanks_matter(domain: Domain, label: str | None) -> bool:
    """Whether two values of one column differ by blanks around them only: then those after a delimiter are read."""
    listed = [feature.categories for feature in domain.features if not isinstance(feature, Numeric)]
    listed += [domain.classes] if label is not None and domain.target is None else []
    return any(len({text.strip() for text in texts}) < len(texts) for texts in (set(map(str, one)) for one in listed))


def _split(content: Sequence[str], delimiter: str, shown: str, every_line: bool, *, exact: bool = False) -> _Text:
    blank = list[int]()
    numbered = _rows(content, delimiter, shown, blank, exact=exact)
    header = _stripped(next(numbered, ([], 0))[0])
    blank.clear()  # above the names
    rows, lines = list[list[str]](), list[int]()
    for row, line in numbered:
        if len(rows) < 2 and _describes_columns(row):
            raise ValueError(
                f"{shown} line {line}: it says what the columns are, as Orange writes it below their names; take out "
                "all lines that do"
            )
        if blank and (every_line or len(header) == 1):
            raise ValueError(f"{shown} line {blank[0]}: it is blank; write what the row is, or take the line out")
        if len(row) != len(header):
            raise ValueError(f"{shown} line {line}: expected {len(header)} cells, as in the first line, got {len(row)}")
        rows.append(row)
        lines.append(line)
    return _Text(header, rows, lines)


def _describes_columns(row: Sequence[str]) -> bool:
    """Whether it has the types of Orange's columns and nothing else, or what part they play, and is blank elsewhere."""
    cells = set(map(str.strip, row))
    types = bool(cells & _TYPES) and cells <= _TYPES | {"c", "d", "s", "t", ""}
    return types or (bool(cells & _PARTS) and "" in cells and cells <= _PARTS | {"c", "m", "i", ""})


def _rows(
    content: Sequence[str], delimiter: str, shown: str, blank: list[int] | None = None, *, exact: bool = False
) -> Iterator[tuple[list[str], int]]:
    """The rows that hold anything, each with the line in which it begins; the lines of others go into ``blank``."""
    reader = csv.reader(content, delimiter=delimiter, strict=True, skipinitialspace=not exact and delimiter != " ")
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
    return [composed(name.strip()) for name in header]


def _cells_of(text: _Text, name: str) -> list[str]:
    at = text.header.index(name)
    return [row[at].strip() for row in text.rows]


def _require_clear(name: str, columns: Mapping[str, Sequence[str]], signs: tuple[str, str | None], shown: str) -> None:
    """Refuse commas and dots whose meaning was not announced, as in 1,5 or 52,300: the most frequent mistake."""
    (decimal, thousands), cells, where = signs, columns[name], f"{shown}, column {name!r}"
    for sign, meant in ((",", "comma"), (".", "dot")):
        separated = [cell for cell in cells if sign in cell] if thousands is None else []
        grouped = re.compile(_GROUPED.pattern.replace("SIGN", re.escape(sign)))
        if separated and all(grouped.fullmatch(cell) for cell in separated):
            raise ValueError(
                f"{where}: every {meant} stands before three digits, so 52{sign}300 may be 52300 or 52.3. If it "
                f"separates thousands: thousands={sign!r}; if it is the decimal sign: thousands='none'"
                + (f" and decimal={sign!r}" if sign != decimal else "")
            )
    other, meant = (",", "comma") if decimal == "." else (".", "dot")
    commas = {column: "," for column, of in columns.items() if _has(of, ",")}
    if commas and thousands != other and _has(cells, other) and (decimal == "." or not _has(cells, decimal)):
        mixed = any(_has(of, ".") for of in columns.values())
        say = f"decimal={commas}" if mixed else "decimal=','"
        raise ValueError(f"{where}: numbers have a {meant}; if it is the decimal sign: {say}")


def _has(cells: Sequence[str], sign: str) -> bool:
    """Whether a cell is a number with this decimal sign."""
    return any(_DECIMAL[sign].fullmatch(cell) for cell in cells)


def _readers(
    domain: Domain, label: str | None, signs: Mapping[str, tuple[str, str | None]]
) -> dict[str, Callable[[str], Any]]:
    """For each column that is wanted, what makes a value of a cell. What it cannot read stays text."""
    readers = dict[str, Callable[[str], Any]]()
    for feature in domain.features:
        decimal, between = signs[feature.name]
        if isinstance(feature, Numeric):
            readers[feature.name] = _number(decimal, THOUSANDS[between or "none"])
        else:
            readers[feature.name] = _member(feature.categories, repr(feature.name), decimal)
    if label is not None:
        decimal, between = signs[composed(label)]
        readers[composed(label)] = (
            _member(domain.classes, "the class", decimal)
            if domain.target is None
            else _number(decimal, THOUSANDS[between or "none"])
        )
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

    1, 1.0 and 1.00 are one number, however the file and the domain write it; 01 is a code and no number. What programs
    write for a missing value stands for one, unless it is a category.
    """
    written = [(text, value) for value in allowed for text in _texts(value)]
    meant = dict(written)
    if len(meant) < len(written):
        raise ValueError(f"the categories of {what} must differ when they are written in a file")
    stripped = [(text.strip(), value) for text, value in written]
    if len(dict(stripped)) == len(stripped):
        meant |= dict(stripped)  # a blank at an end is none of a file's
    pairs = [(_as_number(str(value)), value) for value in allowed if not isinstance(value, bool)]
    numbers: dict[Fraction | None, Any] = {number: value for number, value in pairs if number is not None}
    if len(numbers) < sum(number is not None for number, _ in pairs):
        numbers = {}  # "1" and "1.0" are two categories: then only their texts count

    def read(cell: str) -> Any:
        text = composed(cell) if composed(cell) in meant else composed(cell.strip())
        if text in meant:
            return meant[text]
        unread = None if text.lower() in _NOTHING else text
        return numbers.get(_as_number(text.replace(decimal, ".")), unread)

    return read


def _as_number(text: str) -> Fraction | None:
    return Fraction(text) if _WHOLE.fullmatch(text) and len(text) <= 400 else None


def _texts(value: Any) -> tuple[str, ...]:
    text = str(value)
    return (text, text.lower(), text.upper()) if isinstance(value, bool) else (text,)
