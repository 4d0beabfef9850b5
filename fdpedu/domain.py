"""What is public, as an object: features, their bins and categories, the classes, and regions of the record domain.

A :class:`Domain` is written down before anyone looks at data: ranges from physics or from the literature, categories
from the form that was filled in. From then on a record is a row of small integers, its *codes*, at most 256 a feature,
and everything that is released later (which cells exist, where a split can lie) depends on the domain alone.

The contract of a bin, in one line: ``x`` has code ``i`` iff ``edges[i] < x ≤ edges[i+1]``; the first bin holds its lower end
too. So the split "code ≤ i goes left" is exactly the report's ``x ≤ t`` with ``t = edges[i+1]``.

Checks happen here, at the border, and their messages give row and column, never a value.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.exact import as_fraction, as_integer

Codes = NDArray[np.uint8]
MAX_CODES = 256


@dataclass(frozen=True)
class Numeric:
    """An ordered feature with public bin edges.

    Parameters
    ----------
    name : the feature's name
    edges : increasing finite numbers, at least 3 (two bins); values beyond the ends are clipped into the end bins
    unit, reason : what the numbers mean, and why the range is known without the data

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
    unit: str = ""
    reason: str = ""

    def __post_init__(self) -> None:
        _check_name(self.name)
        edges = tuple(float(as_fraction(edge, f"an edge of {self.name!r}")) for edge in self.edges)
        if not 3 <= len(edges) <= MAX_CODES + 1 or any(a >= b for a, b in zip(edges, edges[1:], strict=False)):
            raise ValueError(f"feature {self.name!r} needs 3 to {MAX_CODES + 1} edges in increasing order")
        object.__setattr__(self, "edges", edges)

    @classmethod
    def grid(cls, name: str, low: Any, high: Any, bins: int = 16, *, unit: str = "", reason: str = "") -> Numeric:
        """``bins`` bins of equal width on [low, high], both public."""
        count = as_integer(bins, "bins", at_least=2)
        start, end = as_fraction(low, "low"), as_fraction(high, "high")
        if count > MAX_CODES or start >= end:
            raise ValueError(f"feature {name!r} needs low < high and 2 to {MAX_CODES} bins")
        return cls(name, tuple(float(start + (end - start) * Fraction(i, count)) for i in range(count + 1)), unit, reason)

    ordered = True

    @property
    def n_codes(self) -> int:
        return len(self.edges) - 1

    def encode(self, column: Iterable[Any]) -> Codes:
        """Codes of finite numbers: i iff edges[i] < x ≤ edges[i+1], clipped into the end bins."""
        return np.searchsorted(np.asarray(self.edges[1:-1]), np.asarray(column, dtype=float), side="left").astype(np.uint8)

    def outside(self, column: Iterable[Any]) -> int:
        """How many values lie outside the public range (known to the party alone, never released)."""
        values = np.asarray(column, dtype=float)
        return int(np.count_nonzero((values < self.edges[0]) | (values > self.edges[-1])))

    def check(self, column: Sequence[Any], where: str) -> NDArray[np.float64]:
        """The column as finite floats; refuses anything else by row and column, never by value."""
        array = np.asarray(column)
        if array.dtype.kind in "iuf":
            values = array.astype(float)
        else:
            bad = next((i for i, x in enumerate(column) if isinstance(x, bool) or not isinstance(x, numbers.Real)), None)
            if bad is not None:
                raise ValueError(f"{where} row {bad}, column {self.name!r}: expected a number")
            values = np.array([_to_float(x) for x in column], dtype=float)
        if not np.isfinite(values).all():
            bad = int(np.flatnonzero(~np.isfinite(values))[0])
            raise ValueError(
                f"{where} row {bad}, column {self.name!r}: expected a finite number; a missing value must be filled in or "
                "its row left out before the party is made"
            )
        return values

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
    unit: str = ""
    reason: str = ""

    def __post_init__(self) -> None:
        _check_name(self.name)
        object.__setattr__(self, "categories", _distinct(self.categories, f"the categories of {self.name!r}"))

    ordered = False

    @property
    def n_codes(self) -> int:
        return len(self.categories)

    def encode(self, column: Iterable[Any]) -> Codes:
        codes = {category: code for code, category in enumerate(self.categories)}
        return np.array([codes[x] for x in column], dtype=np.uint8)

    def outside(self, column: Iterable[Any]) -> int:
        return 0

    def check(self, column: Sequence[Any], where: str) -> Sequence[Any]:
        """The column, if every value is one of the categories."""
        return _check_members(column, self.categories, where, f"column {self.name!r}")

    def describe_split(self, left: Iterable[int]) -> str:
        return f"{self.name} in {{{', '.join(str(self.categories[code]) for code in sorted(left))}}}"


Feature = Numeric | Categorical


@dataclass(frozen=True)
class Region:
    """A product of code sets, one per feature, and a class set: the part of the record domain that a query looks at.

    Sets are bit masks (bit i stands for code i). Two regions are disjoint iff they are in some coordinate; one contains
    another iff it does in every coordinate. Rows can be partitioned by regions. Columns cannot: one record has a value
    in every feature.
    """

    features: tuple[int, ...]
    classes: int

    def __post_init__(self) -> None:
        if not self.classes or not all(self.features):
            raise ValueError("a region must hold at least one code of every feature and at least one class")

    def restrict(self, feature: int, codes: Iterable[int]) -> Region:
        """The part of the region in which ``feature`` has one of ``codes``."""
        masks = list(self.features)
        masks[feature] &= _mask(codes)
        return Region(tuple(masks), self.classes)

    def restrict_class(self, classes: Iterable[int]) -> Region:
        return Region(self.features, self.classes & _mask(classes))

    def codes(self, feature: int) -> frozenset[int]:
        return _members(self.features[feature])

    def is_disjoint(self, other: Region) -> bool:
        return any(not a & b for a, b in zip(self._masks, other._masks, strict=True))

    def contains(self, other: Region) -> bool:
        return all(not b & ~a for a, b in zip(self._masks, other._masks, strict=True))

    def hull(self, other: Region) -> Region:
        """The smallest product that contains both."""
        masks = tuple(a | b for a, b in zip(self._masks, other._masks, strict=True))
        return Region(masks[:-1], masks[-1])

    @property
    def _masks(self) -> tuple[int, ...]:
        return (*self.features, self.classes)

    def holds(self, codes: Codes, labels: Codes, whole: Region) -> NDArray[np.bool_]:
        """Which records lie in the region; ``whole`` is the whole domain, whose coordinates need no look."""
        inside = np.ones(labels.size, dtype=bool)
        coordinates = [*codes.T, labels]
        for column, mask, everything in zip(coordinates, self._masks, whole._masks, strict=True):
            if mask != everything:
                inside &= np.array([mask >> code & 1 for code in range(MAX_CODES)], dtype=bool)[column]
        return inside

    def to_json(self, whole: Region) -> dict[str, list[int]]:
        """Only the coordinates that are restricted, as lists of codes: ``{"0": [0, 1], "class": [1]}``."""
        names = [*map(str, range(len(self.features))), "class"]
        triples = zip(names, self._masks, whole._masks, strict=True)
        return {name: sorted(_members(mask)) for name, mask, everything in triples if mask != everything}


@dataclass(frozen=True)
class Domain:
    """The public description of a record: its features and its classes. Built without seeing data.

    Examples
    --------
    >>> domain = Domain([Numeric.grid("age", 0, 100, bins=4), Categorical("ward", ("A", "B"))], ("well", "ill"))
    >>> codes, labels = domain.encode([[63, "B"], [17, "A"]]), domain.encode_labels(["ill", "well"])
    >>> codes.tolist(), labels.tolist()
    ([[2, 1], [0, 0]], [1, 0])
    >>> domain.encode([[63, "C"]])
    Traceback (most recent call last):
    ValueError: rows row 0, column 'ward': expected one of the 2 public categories
    """

    features: tuple[Feature, ...]
    classes: tuple[Any, ...]

    def __init__(self, features: Iterable[Feature], classes: Iterable[Any]) -> None:
        members = tuple(features)
        if not members or not all(isinstance(feature, Feature) for feature in members):
            raise ValueError("features must be a non-empty list of Numeric and Categorical")
        _distinct([feature.name for feature in members], "the features' names", at_least=1)
        object.__setattr__(self, "features", members)
        object.__setattr__(self, "classes", _distinct(classes, "classes"))

    @property
    def n_features(self) -> int:
        return len(self.features)

    @property
    def n_classes(self) -> int:
        return len(self.classes)

    @cached_property
    def everything(self) -> Region:
        """The region of all records."""
        return Region(tuple((1 << feature.n_codes) - 1 for feature in self.features), (1 << self.n_classes) - 1)

    def index(self, name: str) -> int:
        """The position of the feature called ``name``."""
        names = [feature.name for feature in self.features]
        if name not in names:
            raise ValueError(f"unknown feature {name!r}; the domain has {', '.join(map(repr, names))}")
        return names.index(name)

    def select(self, names: Iterable[str]) -> Domain:
        """The same domain with only the named features, in the order given."""
        return Domain([self.features[self.index(name)] for name in names], self.classes)

    def encode(self, rows: Any, where: str = "rows") -> Codes:
        """Codes of rows of raw feature values, shape (n, p); refuses bad rows by row and column, never by value."""
        return self._encode_columns(self._columns(rows, where), where)[0]

    def admit(self, rows: Any, where: str = "rows") -> tuple[Codes, dict[str, int]]:
        """Codes, and for each feature how many values were clipped into an end bin."""
        return self._encode_columns(self._columns(rows, where), where)

    def _encode_columns(self, columns: list[Any], where: str) -> tuple[Codes, dict[str, int]]:
        encoded, clipped = [], {}
        for feature, column in zip(self.features, columns, strict=True):
            values = feature.check(column, where)
            encoded.append(feature.encode(values))
            clipped[feature.name] = feature.outside(values)
        return np.column_stack(encoded).reshape(-1, self.n_features), clipped

    def encode_labels(self, labels: Any, where: str = "labels") -> Codes:
        """Codes of raw class labels, shape (n,)."""
        members = _check_members(_as_list(labels, where), self.classes, where, "the class")
        codes = {label: code for code, label in enumerate(self.classes)}
        return np.array([codes[label] for label in members], dtype=np.uint8)

    def _columns(self, rows: Any, where: str) -> list[Any]:
        if isinstance(rows, np.ndarray) and rows.ndim == 2:
            if rows.shape[1] != self.n_features:
                raise ValueError(f"{where}: expected {self.n_features} feature values a row, got {rows.shape[1]}")
            return list(rows.T)
        table = _as_list(rows, where)
        for i, row in enumerate(table):
            if isinstance(row, (str, bytes)) or not hasattr(row, "__len__") or len(row) != self.n_features:
                raise ValueError(f"{where} row {i}: expected {self.n_features} feature values")
        return [[row[j] for row in table] for j in range(self.n_features)]


def domain_from_data_not_private(X: Any, y: Any, *, bins: int = 16, names: Sequence[str] | None = None) -> Domain:
    """A domain whose ranges are the minima and maxima OF THE DATA. Not private: it reveals two patients a column.

    For ordinary CART on a grid, and to show in class what goes wrong. No release of the package calls it.
    """
    table = np.asarray(X, dtype=float)
    if table.ndim != 2 or not table.size or not np.isfinite(table).all():
        raise ValueError("X must be a non-empty table of finite numbers, shape (n, p)")
    labels = names if names is not None else [f"x{j}" for j in range(table.shape[1])]
    ends = [(low, high if high > low else low + 1) for low, high in zip(table.min(axis=0), table.max(axis=0), strict=True)]
    return Domain(
        [Numeric.grid(name, low, high, bins) for name, (low, high) in zip(labels, ends, strict=True)],
        sorted(set(np.asarray(y).tolist())),
    )


def regions_summary(region: Region, domain: Domain) -> str:
    """The region in words: ``worst radius in codes 0–6, class malignant``; the whole domain is ``all records``."""
    parts = []
    for j, feature in enumerate(domain.features):
        codes = region.codes(j)
        if len(codes) < feature.n_codes:
            parts.append(_describe_codes(feature, codes))
    classes = _members(region.classes)
    if len(classes) < domain.n_classes:
        parts.append("class " + " or ".join(str(domain.classes[c]) for c in sorted(classes)))
    return ", ".join(parts) or "all records"


def _describe_codes(feature: Feature, codes: frozenset[int]) -> str:
    if isinstance(feature, Categorical):
        return feature.describe_split(codes)
    first, last = min(codes), max(codes)
    low = f"{feature.edges[first]:.6g} < " if first else ""
    high = f" ≤ {feature.edges[last + 1]:.6g}" if last + 1 < feature.n_codes else ""
    return f"{low}{feature.name}{high}"


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or not name.strip():
        raise ValueError("a feature's name must be a non-empty string")


def _distinct(values: Iterable[Any], what: str, *, at_least: int = 2) -> tuple[Any, ...]:
    members = tuple(values.tolist() if isinstance(values, np.ndarray) else values)
    try:
        distinct = len(set(members)) == len(members)
    except TypeError:
        distinct = False
    if isinstance(values, str) or not distinct or not at_least <= len(members) <= MAX_CODES:
        raise ValueError(f"{what} must be {at_least} to {MAX_CODES} different values")
    return members


def _check_members(column: Sequence[Any], allowed: tuple[Any, ...], where: str, what: str) -> Sequence[Any]:
    known: Mapping[Any, None] = dict.fromkeys(allowed)
    for i, value in enumerate(column):
        try:
            member = value in known and not (isinstance(value, bool) and not any(value is a for a in allowed))
        except TypeError:
            member = False
        if not member:
            raise ValueError(f"{where} row {i}, {what}: expected one of the {len(allowed)} public categories")
    return column


def _as_list(values: Any, where: str) -> list[Any]:
    if isinstance(values, np.ndarray):
        if values.ndim != 1:
            raise ValueError(f"{where}: expected one dimension, got {values.ndim}")
        return values.tolist()
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise ValueError(f"{where}: expected a sequence, got {type(values).__name__}")
    return list(values)


def _to_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _mask(codes: Iterable[int]) -> int:
    mask = 0
    for code in codes:
        mask |= 1 << int(code)
    return mask


def _members(mask: int) -> frozenset[int]:
    return frozenset(code for code in range(mask.bit_length()) if mask >> code & 1)
