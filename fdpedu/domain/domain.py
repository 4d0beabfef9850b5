"""The public description of a record, and the one function that looks at data to make one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fdpedu.domain.features import Categorical, Codes, Feature, Numeric, check_members, distinct_values
from fdpedu.domain.region import Region


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
        distinct_values([feature.name for feature in members], "the features' names", minimum=1)
        object.__setattr__(self, "features", members)
        object.__setattr__(self, "classes", distinct_values(classes, "classes"))

    @property
    def n_features(self) -> int:
        return len(self.features)

    @property
    def n_classes(self) -> int:
        return len(self.classes)

    @cached_property
    def n_codes(self) -> int:
        """The number of codes of all features together."""
        return sum(feature.n_codes for feature in self.features)

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
        members = check_members(_as_list(labels, where), self.classes, where, "the class")
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

    def describe(self, region: Region) -> str:
        """The region in words, such as ``age ≤ 50, class ill``; the whole domain is ``all records``."""
        parts = []
        for j, feature in enumerate(self.features):
            codes = region.codes(j)
            if len(codes) < feature.n_codes:
                parts.append(_describe_codes(feature, codes))
        classes = region.class_codes
        if len(classes) < self.n_classes:
            parts.append("class " + " or ".join(str(self.classes[c]) for c in sorted(classes)))
        return ", ".join(parts) or "all records"


def domain_from_data_not_private(X: Any, y: Any, *, bins: int = 16, names: Sequence[str] | None = None) -> Domain:
    """A domain whose ranges are the minima and maxima OF THE DATA. Not private: it reveals two patients a column.

    For ordinary CART on a grid, and to show in class what goes wrong. No release of the package calls it.
    """
    table = np.asarray(X, dtype=float)
    if table.ndim != 2 or not table.size or not np.isfinite(table).all():
        raise ValueError("X must be a non-empty table of finite numbers, shape (n, p)")
    labels = names if names is not None else [f"x{j}" for j in range(table.shape[1])]
    ends = [
        (low, high if high > low else low + 1) for low, high in zip(table.min(axis=0), table.max(axis=0), strict=True)
    ]
    return Domain(
        [Numeric.grid(name, low, high, bins) for name, (low, high) in zip(labels, ends, strict=True)],
        sorted(set(np.asarray(y).tolist())),
    )


def _describe_codes(feature: Feature, codes: frozenset[int]) -> str:
    if isinstance(feature, Categorical):
        return feature.describe_split(codes)
    first, last = min(codes), max(codes)
    low = f"{feature.edges[first]:.6g} < " if first else ""
    high = f" ≤ {feature.edges[last + 1]:.6g}" if last + 1 < feature.n_codes else ""
    return f"{low}{feature.name}{high}"


def _as_list(values: Any, where: str) -> list[Any]:
    if isinstance(values, np.ndarray):
        if values.ndim != 1:
            raise ValueError(f"{where}: expected one dimension, got {values.ndim}")
        return values.tolist()
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise ValueError(f"{where}: expected a sequence, got {type(values).__name__}")
    return list(values)
