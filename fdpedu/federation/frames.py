"""One table with the rows of many sites, divided among parties by a column that names the site: for trials.

In a federation each site makes its own :class:`Party`, and no table holds all rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np

from fdpedu.domain import Domain
from fdpedu.domain.columns import FILL_IN, composed, is_missing, values_of
from fdpedu.domain.tables import Named, as_table
from fdpedu.exact import as_indices, as_list, quoted
from fdpedu.federation.party import Party

_EXPECTED = "expected the name of a site: a whole number, or text without blanks around it"


def parties_from_frame(
    frame: Any, domain: Domain, *, label: str, by: str, parties: Iterable[Any] | None = None
) -> list[Party]:
    """A party for each value of the column ``by``, called by it, in sorted order. The values of ``by`` become public.

    Where ``parties`` does not fix them beforehand, what is promised holds given their set, which rows decide.

    Parameters
    ----------
    frame : a table with names: a data frame, a mapping of columns, dictionaries, an array with fields
    domain : the public domain that all parties share
    label : the name of the column of classes, or of the target
    by : the name of the column that says whose row it is: a fact of the row alone, and of no other rows, as its number
        modulo 5 would be (lem-dealt-rows); :func:`deal` deals a table without sites
    parties : the values of ``by``, if they are to be fixed beforehand, in this order; then another one is refused, and
        one without rows is a party without rows

    Raises
    ------
    ValueError
        For whatever :class:`Party` refuses, by the row in the frame; for a row without a site, or of an unknown one.

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> domain = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
    >>> visits = {"age": [63, 17, 31], "diagnosis": ["ill", "well", "ill"], "site": ["south", "north", "south"]}
    >>> parties_from_frame(visits, domain, label="diagnosis", by="site")
    [Party('north'), Party('south')]
    """
    if type(domain) is not Domain:
        raise ValueError(f"domain must be a Domain, got {type(domain).__name__}")
    table = as_table(frame, "the frame")
    if not isinstance(table, Named):
        raise ValueError("frame must be a table with names, such as a data frame or a dictionary of columns")
    if not isinstance(label, str) or not isinstance(by, str):
        raise ValueError(f"label and by must be names of columns, got {quoted(label)} and {quoted(by)}")
    label, by = composed(label), composed(by)
    if by == label or by in [feature.name for feature in domain.features]:
        raise ValueError(f"by must be the column of the site, got {by!r}, which is a feature or the class")
    domain.check_label(label, table.names)
    read = _read_once(table, list(dict.fromkeys([*(feature.name for feature in domain.features), label, by])))
    cells = values_of(read.column(by))
    fixed = None if parties is None else _fixed(parties)
    rows = _rows_by_site(cells, fixed, lambda i: f"the frame {table.row(i)}, column {by!r}")
    if fixed is None and len(rows) > max(10, len(cells) / 2):
        raise ValueError(f"column {by!r} has {len(rows)} values in {len(cells)} rows: does it name sites, or persons?")
    sites = sorted(rows, key=lambda site: (isinstance(site, str), site)) if fixed is None else fixed
    return [Party(read.take(as_indices(rows[site]), str(site)), domain, label=label, name=str(site)) for site in sites]


def _read_once(table: Named, names: list[str]) -> Named:
    """The table with its columns read; one that can be gone through only once would be empty for the second party."""
    columns = table.select(names, "the frame").cells
    return Named(tuple(names), dict(zip(names, columns, strict=True)).__getitem__, table.row)


def _rows_by_site(
    cells: Sequence[Any], fixed: Sequence[Any] | None, place: Callable[[int], str]
) -> dict[Any, list[int]]:
    """The numbers of each site's rows."""
    rows: dict[Any, list[int]] = {site: [] for site in fixed or ()}
    for i, site in enumerate(map(_in_one_form, cells)):
        if not _is_site(site):
            expected = f"expected the name of a site; {FILL_IN}" if is_missing(site) else _EXPECTED
            raise ValueError(f"{place(i)}: {expected}")
        if fixed is not None and site not in rows:
            raise ValueError(f"{place(i)}: expected one of the {len(fixed)} parties that were given")
        rows.setdefault(site, []).append(i)
    if len({str(site) for site in rows}) < len(rows):  # 1 and "1": two parties of one name
        raise ValueError("the frame: sites are named by numbers, and by text that reads as the same numbers")
    return rows


def _fixed(parties: Iterable[Any]) -> list[Any]:
    if isinstance(parties, (str, bytes, Set, Mapping)) or not isinstance(parties, Iterable):
        raise ValueError(f"parties must be a list of the values of the column, got {type(parties).__name__}")
    sites = list(map(_in_one_form, as_list(parties, "parties")))
    if not all(map(_is_site, sites)) or len(set(map(str, sites))) < len(sites):
        raise ValueError("parties must be different names of sites, each text or an integer")
    return sites


def _in_one_form(site: Any) -> Any:
    """A text with its accents in one form; a whole number as Python's integer, as 2.0 is where a row lacks its site."""
    if isinstance(site, str):
        return composed(str(site))
    is_number = isinstance(site, (int, float, np.integer, np.floating)) and type(site) not in (bool, np.timedelta64)
    return int(site) if is_number and site % 1 == 0 else site


def _is_site(value: Any) -> bool:
    """Text that says something and can be printed, or an integer."""
    if isinstance(value, str):
        return value.isprintable() and value == value.strip() != ""
    return isinstance(value, int) and not isinstance(value, bool)
