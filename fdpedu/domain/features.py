"""Features with public bins or categories, and the checks that a column passes at the border."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MappingView, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain.columns import FILL_IN, MISSING, Cells, Codes, Reading, as_cells, composed, members_of, numbers_of
from fdpedu.exact import Rational, as_float, as_fraction, as_integer, as_list, require_writable

MAX_CODES = 256
_MAX_LIST_LENGTH = 120  # characters of categories in a message


@dataclass(frozen=True)
class Numeric:
    """An ordered feature with public bin edges.

    Parameters
    ----------
    name : the feature's name
    edges : increasing finite numbers, at least 3 (two bins); values beyond the ends are clipped into the end bins
    unit, reason : what the numbers mean, and why the range is known without the data; words for people, so features
        that differ in nothing else are equal

    Examples
    --------
    >>> age = Numeric.grid("age", 0, 100, bins=4, unit="years")
    >>> age.edges
    (0.0, 25.0, 50.0, 75.0, 100.0)
    >>> age.encode([0, 25, 25.5, 100, 130]).tolist()
    [0, 0, 1, 3, 3]
    >>> age.describe_split({0, 1})
    'age ≤ 50 years'
    """

    name: str
    edges: tuple[float, ...]
    unit: str = field(default="", compare=False)
    reason: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", _checked_name(self.name))
        listed = as_list(self.edges, f"the edges of {self.name!r}")
        edges = tuple(as_float(edge, f"an edge of {self.name!r}") for edge in listed)
        if not 3 <= len(edges) <= MAX_CODES + 1 or any(a >= b for a, b in pairwise(edges)):
            raise ValueError(f"feature {self.name!r} needs 3 to {MAX_CODES + 1} edges in increasing order")
        object.__setattr__(self, "edges", edges)

    @classmethod
    def grid(
        cls, name: str, low: Rational, high: Rational, bins: int = 16, *, unit: str = "", reason: str = ""
    ) -> Numeric:
        """``bins`` bins of equal width on [low, high], both public."""
        count = as_integer(bins, "bins", minimum=2)
        start, end = as_fraction(low, "low"), as_fraction(high, "high")
        if count > MAX_CODES or start >= end:
            raise ValueError(f"feature {name!r} needs low < high and 2 to {MAX_CODES} bins")
        return cls(
            name,
            tuple(as_float(start + (end - start) * Fraction(i, count), "an edge") for i in range(count + 1)),
            unit,
            reason,
        )

    ordered = True

    @property
    def n_codes(self) -> int:
        return len(self.edges) - 1

    def encode(self, column: Iterable[Any]) -> Codes:
        """Codes of finite numbers: i iff edges[i] < x ≤ edges[i+1], clipped into the end bins."""
        return np.searchsorted(np.asarray(self.edges[1:-1]), np.asarray(column, dtype=float), side="left").astype(
            np.uint8
        )

    def outside(self, column: Iterable[Any]) -> int:
        """How many values lie outside the public range (known to the party alone, never released)."""
        values = np.asarray(column, dtype=float)
        return int(np.count_nonzero((values < self.edges[0]) | (values > self.edges[-1])))

    def read(self, cells: Cells) -> Reading:
        """Codes, faults, and how many values lie below and above the public range. Raises nothing."""
        values, faults = numbers_of(cells)
        below, above = (np.count_nonzero(beyond) for beyond in (values < self.edges[0], values > self.edges[-1]))
        return Reading(self.encode(values), faults, int(below), int(above))

    def check(self, column: Sequence[Any], where: str) -> NDArray[np.float64]:
        """The column as finite floats; refuses anything else by row and column, never by value."""
        values, faults = numbers_of(as_cells(column, where))
        if faults.any():
            row = int(np.flatnonzero(faults)[0])
            raise ValueError(f"{where} row {row}, column {self.name!r}: {self.expects(int(faults[row]))}")
        return values

    def expects(self, fault: int) -> str:
        """What a message says about a cell with this fault."""
        return f"expected a finite number; {FILL_IN}" if fault == MISSING else "expected a number"

    def describe_split(self, left: Iterable[int]) -> str:
        """The test "is it left?" in words, for a prefix of codes."""
        return f"{self.name} ≤ {self.edges[max(left) + 1]:.6g}" + (f" {self.unit}" if self.unit else "")


@dataclass(frozen=True)
class Categorical:
    """An unordered feature with a public list of categories.

    >>> ward = Categorical("ward", ("surgery", "maternity", "other"))
    >>> ward.encode(["other", "surgery"]).tolist(), ward.describe_split({0, 2})
    ([2, 0], 'ward in {surgery, other}')
    """

    name: str
    categories: tuple[Any, ...]
    unit: str = field(default="", compare=False)
    reason: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", _checked_name(self.name))
        object.__setattr__(self, "categories", distinct_values(self.categories, f"the categories of {self.name!r}"))

    ordered = False

    @property
    def n_codes(self) -> int:
        return len(self.categories)

    def encode(self, column: Iterable[Any]) -> Codes:
        codes = {category: code for code, category in enumerate(self.categories)}
        return np.array([codes[x] for x in column], dtype=np.uint8)

    def outside(self, column: Iterable[Any]) -> int:
        return 0

    def read(self, cells: Cells) -> Reading:
        """Codes and faults. Raises nothing."""
        return Reading(*members_of(cells, self.categories))

    def check(self, column: Sequence[Any], where: str) -> Sequence[Any]:
        """The column, if every value is one of the categories."""
        _, faults = members_of(as_cells(column, where), self.categories)
        if faults.any():
            row = int(np.flatnonzero(faults)[0])
            raise ValueError(f"{where} row {row}, column {self.name!r}: {self.expects(int(faults[row]))}")
        return column

    def expects(self, fault: int) -> str:
        """What a message says about a cell with this fault."""
        return expected_member(self.categories, fault)

    def describe_split(self, left: Iterable[int]) -> str:
        return f"{self.name} in {{{', '.join(str(self.categories[code]) for code in sorted(left))}}}"


Feature = Numeric | Categorical
FEATURES = (Numeric, Categorical)  # themselves and no subclass, which could encode otherwise than it says


def _checked_name(name: Any) -> str:
    if not isinstance(name, str) or not name.strip():
        raise ValueError("a feature's name must be a non-empty string")
    require_writable(name, "a feature's name")
    return composed(name)


def distinct_values(values: Iterable[Any], what: str, *, minimum: int = 2) -> tuple[Any, ...]:
    """The values, if they are distinct, not missing, and in a fixed order (so not a set)."""
    if isinstance(values, (Set, Mapping, MappingView)):
        raise ValueError(
            f"{what} must be a list or a tuple: their order must be explicit, a {type(values).__name__} has none"
        )
    listed = isinstance(values, Iterable) and not isinstance(values, (str, bytes))
    members = tuple(map(_plain, values)) if listed else ()
    try:
        distinct = len(set(members)) == len(members) and all(value == value for value in members)
    except Exception:  # what cannot be hashed, or compared
        distinct = False
    if not distinct or not minimum <= len(members) <= MAX_CODES:
        raise ValueError(f"{what} must be {minimum} to {MAX_CODES} different values")
    for member in members:
        require_writable(member, f"each of {what}")
    return members


def _plain(value: Any) -> Any:
    """A scalar of NumPy as Python's, and a text in its one form."""
    plain = value.item() if isinstance(value, (np.number, np.bool_, np.str_)) else value
    return composed(plain) if isinstance(plain, str) else plain


def expected_member(allowed: Sequence[Any], fault: int) -> str:
    """The text of a message about a cell that holds none of the allowed values.

    >>> expected_member(("A", "B"), 2)
    "expected one of the 2 public categories ('A', 'B')"
    """
    listed = f" ({', '.join(map(repr, allowed))})"
    expected = (
        f"expected one of the {len(allowed)} public categories{listed if len(listed) <= _MAX_LIST_LENGTH else ''}"
    )
    return expected + (f"; {FILL_IN}" if fault == MISSING else "")
