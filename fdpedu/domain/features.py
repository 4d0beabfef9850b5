"""Features with public bins or categories, and the checks that a column passes at the border."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MappingView, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fdpedu.domain.columns import (
    FILL_IN,
    FITS,
    INFINITE,
    MISSING,
    Cells,
    Codes,
    Faults,
    Reading,
    as_cells,
    composed,
    is_missing,
    members_of,
    numbers_of,
)
from fdpedu.exact import Rational, as_float, as_fraction, as_integer, as_list
from fdpedu.printable import number_texts, require_printable

MAX_CODES = 256
_MAX_LIST_LENGTH = 120  # characters of categories in a message
DECLARE = f'{FILL_IN}, or the domain gives it a code of its own: "missing": true'


@dataclass(frozen=True)
class Numeric:
    """An ordered feature with public bin edges.

    Claims: lem-missing-code

    Parameters
    ----------
    name : the feature's name
    edges : increasing finite numbers, at least 3 (two bins); values beyond the ends are clipped into the end bins
    unit, reason : what the numbers mean, and why the range is known without the data; words for people, so features
        that differ in nothing else are equal
    missing : whether a missing value has a code of its own, after those of the bins. It is counted like a bin, and each
        split at an edge may send it to either side; without it a missing value is refused

    Examples
    --------
    >>> age = Numeric.grid("age", 0, 100, bins=4, unit="years")
    >>> age.edges
    (0.0, 25.0, 50.0, 75.0, 100.0)
    >>> age.encode([0, 25, 25.5, 100, 130]).tolist()
    [0, 0, 1, 3, 3]
    >>> age.describe_split({0, 1})
    'age ≤ 50 years'
    >>> gaps = Numeric.grid("age", 0, 100, bins=4, missing=True)
    >>> gaps.encode([30, float("nan")]).tolist(), gaps.describe_split({0, 1, 4})
    ([1, 4], 'age ≤ 50 or missing')
    """

    name: str
    edges: tuple[float, ...]
    unit: str = field(default="", compare=False)
    reason: str = field(default="", compare=False)
    missing: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", _checked_name(self.name))
        _require_words(self)
        listed = as_list(self.edges, f"the edges of {self.name!r}")
        edges = tuple(as_float(edge, f"an edge of {self.name!r}") for edge in listed)
        most = MAX_CODES + 1 - _as_flag(self.missing, self.name)
        if not 3 <= len(edges) <= most or any(a >= b for a, b in pairwise(edges)):
            raise ValueError(f"feature {self.name!r} needs 3 to {most} edges in increasing order")
        object.__setattr__(self, "edges", edges)

    @classmethod
    def grid(
        cls,
        name: str,
        low: Rational,
        high: Rational,
        bins: int = 16,
        *,
        unit: str = "",
        reason: str = "",
        missing: bool = False,
    ) -> Numeric:
        """``bins`` bins of equal width on [low, high], both public."""
        count, most = as_integer(bins, "bins", minimum=2), MAX_CODES - _as_flag(missing, name)
        start, end = as_fraction(low, "low"), as_fraction(high, "high")
        if count > most or start >= end:
            raise ValueError(f"feature {name!r} needs low < high and 2 to {most} bins")
        edges = tuple(as_float(start + (end - start) * Fraction(i, count), "an edge") for i in range(count + 1))
        return cls(name, edges, unit, reason, missing)

    ordered = True

    @property
    def n_bins(self) -> int:
        """How many bins there are: the codes without that of a missing value, which comes after them."""
        return len(self.edges) - 1

    @property
    def n_codes(self) -> int:
        return self.n_bins + self.missing

    @property
    def orders(self) -> tuple[tuple[int, ...], ...]:
        """The public orders of the codes whose prefixes go left in a split: missing values come last, or first."""
        bins = tuple(range(self.n_bins))
        return ((*bins, self.n_bins), (self.n_bins, *bins)) if self.missing else (bins,)

    def encode(self, column: Iterable[Any]) -> Codes:
        """Codes of numbers: i iff edges[i] < x ≤ edges[i+1], clipped into the end bins; NaN only with ``missing``."""
        return self._codes(self.check(column, self.name))

    def _codes(self, values: NDArray[np.float64]) -> Codes:
        codes = np.searchsorted(np.asarray(self.edges[1:-1]), values, side="left").astype(np.uint8)
        if self.missing:
            codes[np.isnan(values)] = self.n_bins
        return codes

    def outside(self, column: Iterable[Any]) -> int:
        """How many values lie outside the public range (known to the party alone, never released)."""
        values = self.check(column, self.name)
        return int(np.count_nonzero((values < self.edges[0]) | (values > self.edges[-1])))

    def read(self, cells: Cells) -> Reading:
        """Codes, faults, and how many values lie below and above the public range. Raises nothing."""
        values, faults = numbers_of(cells)
        below, above = (np.count_nonzero(beyond) for beyond in (values < self.edges[0], values > self.edges[-1]))
        missing = self.missing * int(np.count_nonzero(faults == MISSING))
        return Reading(self._codes(values), _left_faults(faults, self.missing), int(below), int(above), missing)

    def check(self, column: Iterable[Any], where: str) -> NDArray[np.float64]:
        """The column as floats, finite, or NaN with ``missing``; refuses all else by row and column, never by value."""
        values, faults = numbers_of(as_cells(column, where))
        faults = _left_faults(faults, self.missing)
        if faults.any():
            row = int(np.flatnonzero(faults)[0])
            raise ValueError(f"{where} row {row}, column {self.name!r}: {self.expects(int(faults[row]))}")
        return values

    def expects(self, fault: int) -> str:
        """What a message says about a cell with this fault."""
        return expected_number(fault, DECLARE)

    def describe_split(self, left: Iterable[int]) -> str:
        """The test "is it left?" in words, for a prefix of one of the orders of codes."""
        last, or_missing = self.last_bin(left)
        if last is None:
            return f"{self.name} missing"
        if last == self.n_bins - 1 and self.missing and not or_missing:
            return f"{self.name} not missing"
        test = f"{self.name} ≤ {self.edge_texts[last + 1]}" + (f" {self.unit}" if self.unit else "")
        return f"{test} or missing" if or_missing else test

    @property
    def edge_texts(self) -> tuple[str, ...]:
        """The edges as they are shown everywhere: told apart, in few digits."""
        return number_texts(self.edges)

    @property
    def code_texts(self) -> tuple[str, ...]:
        """What each code stands for, in words."""
        bins = [f"{low} to {high}" for low, high in pairwise(self.edge_texts)]
        return tuple(bins + ["missing"] * self.missing)

    def last_bin(self, codes: Iterable[int]) -> tuple[int | None, bool]:
        """The last of the codes that is a bin, None if there is none; and whether missing values are among them."""
        members = set(codes)
        return max(members - {self.n_bins}, default=None), self.missing and self.n_bins in members


@dataclass(frozen=True, eq=False)
class Categorical:
    """An unordered feature with a public list of categories.

    Claims: lem-missing-code

    Parameters
    ----------
    name : the feature's name
    categories : different values, at least 2
    unit, reason : what the categories mean, and why they are known without the data
    missing : whether a missing value has a code of its own, after those of the categories, and is then one more of them

    Examples
    --------
    >>> ward = Categorical("ward", ("surgery", "maternity", "other"))
    >>> ward.encode(["other", "surgery"]).tolist(), ward.describe_split({0, 2})
    ([2, 0], 'ward in {surgery, other}')
    """

    name: str
    categories: tuple[Any, ...]
    unit: str = field(default="", compare=False)
    reason: str = field(default="", compare=False)
    missing: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", _checked_name(self.name))
        _require_words(self)
        categories = distinct_values(self.categories, f"the categories of {self.name!r}")
        object.__setattr__(self, "categories", categories)
        if _as_flag(self.missing, self.name) and any(map(is_missing, categories)):
            raise ValueError(f"the categories of {self.name!r} have one for missing values: leave it out, or missing")
        if self.n_codes > MAX_CODES:
            raise ValueError(f"feature {self.name!r} has {MAX_CODES - 1} categories at most, beside missing values")

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if type(other) is Categorical else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.name, told_apart(self.categories), self.missing

    ordered = False
    orders: ClassVar[tuple[tuple[int, ...], ...]] = ()  # none is public: shares order the codes

    @property
    def n_codes(self) -> int:
        return len(self.categories) + self.missing

    def encode(self, column: Iterable[Any]) -> Codes:
        """Codes of categories; what is none is refused."""
        cells = as_cells(column, self.name)
        self.check(cells, self.name)
        return self.read(cells).codes

    def outside(self, column: Iterable[Any]) -> int:
        return 0

    def read(self, cells: Cells) -> Reading:
        """Codes and faults. Raises nothing."""
        codes, faults = members_of(cells, self.categories)
        if self.missing:
            codes[faults == MISSING] = len(self.categories)
        missing = self.missing * int(np.count_nonzero(faults == MISSING))
        return Reading(codes, _left_faults(faults, self.missing), missing=missing)

    def check(self, column: Any, where: str) -> Any:
        """The column, if every value is one of the categories, or missing with ``missing``."""
        faults = _left_faults(members_of(as_cells(column, where), self.categories)[1], self.missing)
        if faults.any():
            row = int(np.flatnonzero(faults)[0])
            raise ValueError(f"{where} row {row}, column {self.name!r}: {self.expects(int(faults[row]))}")
        return column

    def expects(self, fault: int) -> str:
        """What a message says about a cell with this fault."""
        return expected_member(self.categories, fault, DECLARE)

    @property
    def code_texts(self) -> tuple[str, ...]:
        """What each code stands for, in words."""
        return tuple([*map(str, self.categories), *["missing"] * self.missing])

    def describe_split(self, left: Iterable[int]) -> str:
        """The test "is it left?" in words."""
        return self.in_words(left, "in")

    def in_words(self, codes: Iterable[int], relation: str) -> str:
        """What a set of codes says of the feature: that it is "in" them, or "not in" them."""
        listed, n = sorted(codes), len(self.categories)
        if self.missing and (listed == [n] or listed == list(range(n))):
            return f"{self.name} {'not ' * ((listed == [n]) != (relation == 'in'))}missing"
        named = ", ".join(self.code_texts[code] for code in listed if code < n)
        more = (" or missing" if relation == "in" else " and not missing") if self.missing and n in listed else ""
        return f"{self.name} {relation} {{{named}}}{more}"


Feature = Numeric | Categorical
FEATURES = (Numeric, Categorical)  # themselves and no subclass, which could encode otherwise than it says


def _as_flag(missing: Any, name: str) -> bool:
    if missing is not True and missing is not False:
        raise ValueError(f"missing of {name!r} must be True or False, got {type(missing).__name__}")
    return missing


def _left_faults(faults: Faults, missing: bool) -> Faults:
    """The faults that are left where missing values have a code."""
    return np.where(faults == MISSING, np.uint8(FITS), faults) if missing else faults


def _checked_name(name: Any) -> str:
    if not isinstance(name, str) or not name.strip():
        raise ValueError("a feature's name must be a non-empty string")
    require_printable(name, "a feature's name")
    return composed(name)


def _require_words(feature: Feature) -> None:
    """Refuse words for people that are not one line of visible characters."""
    for what in ("unit", "reason"):
        require_printable(getattr(feature, what), f"the {what} of {feature.name!r}")


def distinct_values(values: Iterable[Any], what: str, *, minimum: int = 2) -> tuple[Any, ...]:
    """The values, if they are distinct, not missing, and in a fixed order (so not a set)."""
    if isinstance(values, (Set, Mapping, MappingView)):
        raise ValueError(
            f"{what} must be a list or a tuple: their order must be explicit, a {type(values).__name__} has none"
        )
    listed = isinstance(values, Iterable) and not isinstance(values, (str, bytes))
    members = tuple(map(_plain, as_list(values, what))) if listed else ()
    try:
        distinct = len(set(members)) == len(members) and all(value == value for value in members)
    except Exception:  # what cannot be hashed, or compared
        distinct = False
    if not distinct or not minimum <= len(members) <= MAX_CODES:
        raise ValueError(f"{what} must be {minimum} to {MAX_CODES} different values")
    for member in members:
        require_printable(member, f"each of {what}")
    return members


def told_apart(values: Iterable[Any]) -> tuple[Any, ...]:
    """What compares as the values are read: 1 and 1.0 are one value, 1 and True are two, though not for Python.

    >>> told_apart([1, "A"]) == told_apart([1.0, "A"]), told_apart([1]) == told_apart([True])
    (True, False)
    """
    return tuple((isinstance(value, bool), value) for value in values)


def _plain(value: Any) -> Any:
    """A scalar of NumPy as Python's, and a text in its one form."""
    plain = value.item() if isinstance(value, (np.number, np.bool_, np.str_)) else value
    return composed(plain) if isinstance(plain, str) else plain


def expected_number(fault: int, otherwise: str = FILL_IN) -> str:
    """The text of a message about a cell that holds no finite number, and what to do if it holds nothing.

    >>> expected_number(3)
    'expected a finite number'
    """
    if fault == MISSING:
        return f"expected a finite number; {otherwise}"
    return "expected a finite number" if fault == INFINITE else "expected a number"


def expected_member(allowed: Sequence[Any], fault: int, otherwise: str = FILL_IN) -> str:
    """The text of a message about a cell that holds none of the allowed values, and what to do if it holds nothing.

    >>> expected_member(("A", "B"), 2)
    "expected one of the 2 public categories ('A', 'B')"
    """
    listed = f" ({', '.join(map(repr, allowed))})"
    expected = (
        f"expected one of the {len(allowed)} public categories{listed if len(listed) <= _MAX_LIST_LENGTH else ''}"
    )
    return expected + (f"; {otherwise}" if fault == MISSING else "")
