"""The public description of a record, and the one function that looks at data to make one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from fdpedu import files
from fdpedu.domain import spec
from fdpedu.domain.columns import Cells, Codes, Reading, as_cells, composed, members_of
from fdpedu.domain.features import (
    FEATURES,
    MAX_CODES,
    Categorical,
    Feature,
    Numeric,
    distinct_values,
    expected_member,
    expected_number,
    told_apart,
)
from fdpedu.domain.region import Region
from fdpedu.domain.report import TableReport, examine
from fdpedu.domain.tables import Columns, Named, as_table, by_position
from fdpedu.domain.target import checked_target, midpoints, note_of_counts
from fdpedu.exact import as_floats, as_list, quoted
from fdpedu.showing import text_table


@dataclass(frozen=True, eq=False)
class Domain:
    """The public description of a record: its features, and its classes or its target. Built without seeing data.

    Parameters
    ----------
    features : numeric and categorical ones, at least one
    classes : 2 to 256 different values; left out with a target, whose levels then stand for classes
    target : a :class:`Numeric` with levels of one width, for records that have a number in place of a class

    Examples
    --------
    >>> domain = Domain([Numeric.grid("age", 0, 100, bins=4), Categorical("ward", ("A", "B"))], ("well", "ill"))
    >>> codes, labels = domain.encode([[63, "B"], [17, "A"]]), domain.encode_labels(["ill", "well"])
    >>> codes.tolist(), labels.tolist()
    ([[2, 1], [0, 0]], [1, 0])
    >>> domain.encode([[63, "C"]])
    Traceback (most recent call last):
    ValueError: rows row 0, column 'ward': expected one of the 2 public categories ('A', 'B')
    >>> stay = Domain([Numeric.grid("age", 0, 100, bins=4)], target=Numeric.grid("days", 0, 40, bins=4))
    >>> stay.classes, stay.encode_labels([10, 10.5, 99]).tolist()
    ((5.0, 15.0, 25.0, 35.0), [0, 1, 3])
    """

    features: tuple[Feature, ...]
    classes: tuple[Any, ...]
    target: Numeric | None = None

    def __init__(
        self, features: Iterable[Feature], classes: Iterable[Any] | None = None, *, target: Numeric | None = None
    ) -> None:
        members = tuple(features) if isinstance(features, Iterable) and not isinstance(features, Set) else ()
        if not members or not all(type(feature) in FEATURES for feature in members):
            raise ValueError("features must be a non-empty list of Numeric and Categorical")
        if len(members) > MAX_CODES:
            raise ValueError(f"features must be at most {MAX_CODES}, got {len(members)}")
        distinct_values([feature.name for feature in members], "the features' names", minimum=1)
        object.__setattr__(self, "features", members)
        if (classes is None) == (target is None):
            raise ValueError("a domain has classes or a target: give one of them")
        if target is not None:
            classes = midpoints(checked_target(target, [feature.name for feature in members]))
        object.__setattr__(self, "target", target)
        object.__setattr__(self, "classes", distinct_values(() if classes is None else classes, "classes"))

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if type(other) is Domain else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.features, told_apart(self.classes), self.target

    def __repr__(self) -> str:
        """As it is made."""
        last = f"classes={self.classes!r}" if self.target is None else f"target={self.target!r}"
        return f"Domain(features={self.features!r}, {last})"

    @property
    def n_features(self) -> int:
        return len(self.features)

    @property
    def n_classes(self) -> int:
        """The number of classes, or of a target's levels."""
        return len(self.classes)

    @cached_property
    def n_codes(self) -> int:
        """The number of codes of all features together."""
        return sum(feature.n_codes for feature in self.features)

    @cached_property
    def everything(self) -> Region:
        """The region of all records, at all parties."""
        return Region(tuple((1 << feature.n_codes) - 1 for feature in self.features), (1 << self.n_classes) - 1)

    def index(self, name: str) -> int:
        """The position of the feature called ``name``."""
        names = [feature.name for feature in self.features]
        if not isinstance(name, str) or composed(name) not in names:
            raise ValueError(f"unknown feature {name!r}; the domain has {', '.join(map(repr, names))}")
        return names.index(composed(name))

    def select(self, names: Iterable[str]) -> Domain:
        """The same domain with only the named features, in the order given."""
        return self.with_features([self.features[self.index(name)] for name in as_list(names, "names")])

    def with_features(self, features: Iterable[Feature]) -> Domain:
        """A domain of these features, with the same classes or the same target."""
        return Domain(features, None if self.target else self.classes, target=self.target)

    @classmethod
    def from_spec(cls, source: Mapping[str, Any] | str | os.PathLike[str]) -> Domain:
        """A domain from public knowledge as people write it down: a dictionary, or JSON (a path, or the text itself).

        ``[low, high, bins]``, three numbers, is a numeric feature; a list of other values is the categories of one, in
        their order. The longer forms are ``{"low": …, "high": …, "bins": …}``, ``{"edges": […]}`` and
        ``{"categories": […]}``, each with ``"unit"`` and ``"reason"`` if one likes. Numbers may be text such as "1/3".
        A list that may be either is refused, and the refusal writes out both: three numbers that increase, or that
        follow one another in any order (1, 2, 3), two numbers other than 0 and 1 and the like, four or more that
        increase other than by 1 (edges?), numbers beside text that reads as one.

        In place of ``"classes"`` there may be a numeric ``"target"``: ``[low, high]``, which has 256 levels,
        ``[low, high, levels]``, or the longer ``{"low": …, "high": …, "levels": …}`` with ``"name"``, ``"unit"`` and
        ``"reason"`` if one likes.

        Examples
        --------
        >>> features = {"age": [0, 100, 4], "ward": ["A", "B"]}
        >>> domain = Domain.from_spec({"features": features, "classes": ["ill", "well"]})
        >>> [(feature.name, feature.n_codes) for feature in domain.features], domain.classes
        ([('age', 4), ('ward', 2)], ('ill', 'well'))
        >>> Domain.from_spec({"features": {"ward": {"A", "B"}}, "classes": ["ill", "well"]})
        Traceback (most recent call last):
        ValueError: the feature 'ward' must be a list or a dictionary, got set: its order must be explicit
        """
        return cls(**spec.read(source))

    def to_spec(self) -> dict[str, Any]:
        """The shortest specification that :meth:`from_spec` reads as this very domain."""
        return spec.write(self.features, self.classes, self.target)

    def to_json(self, indent: int | None = None) -> str:
        """:meth:`to_spec` as JSON, with the name of its schema; :meth:`from_spec` reads it."""
        return spec.as_json(spec.write(self.features, self.classes, self.target), indent)

    def identity(self) -> str:
        """The JSON without units and reasons: the same for two domains if and only if records have the same codes."""
        plain = [_without_words(feature) for feature in self.features]
        target = None if self.target is None else replace(self.target, unit="", reason="")
        return spec.as_json(spec.write(plain, map(_as_whole, self.classes), target), None)

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write :meth:`to_json` to a file, for people to read, too."""
        files.write_text(path, self.to_json(indent=1) + "\n", overwrite=overwrite)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Domain:
        """The domain of a JSON file, written by :meth:`save` or by hand."""
        return cls(**spec.read(spec.load(path)))

    def to_text(self) -> str:
        """The features and classes as an aligned table; a target stands in its last line."""
        listed = self.features if self.target is None else (*self.features, self.target)
        table = text_table([("feature", "codes", "values", "why these"), *map(_row_of, listed)])
        if self.target is not None:
            return f"{table}\n\ntarget: {self.target.name}, in {self.n_classes} levels"
        return f"{table}\n\nclasses: {', '.join(map(str, self.classes))}"

    def check(self, table: Any, label: str | None = None) -> TableReport:
        """A report of what would be clipped or refused in a table. For its owner's eyes only: it is not private.

        Parameters
        ----------
        table : whatever :class:`~fdpedu.federation.Party` takes; nothing in it makes this function raise
        label : the name of the column that holds the class, or the target; without it, that is looked at only if it
            stands last

        Raises
        ------
        ValueError
            If the label is not the name of a column, or is the name of a feature.

        Examples
        --------
        >>> domain = Domain([Numeric.grid("age", 0, 100), Categorical("ward", ("A", "B"))], ("well", "ill"))
        >>> print(domain.check({"age": [17, 130, None], "Ward": ["A", "B", "B"]}))
        column | rows | below | above | missing | unfit | verdict
        age    |    3 |     0 |     1 |       1 |     0 | refused: 1 row
        ward   |    – |     – |     – |       – |     – | not there; is it 'Ward'?
        'age' is refused in row 2
        'Ward' is no column of the domain and is left out
        """
        if label is not None:
            self.check_label(label)
            label = composed(label)
        last = "the class" if self.target is None else f"the target {self.target.name!r}"
        return examine(self.features, self._read_labels, table, label, last, self._note_of_target)

    def _note_of_target(self, cells: Cells) -> str:
        return "" if self.target is None else note_of_counts(self.target, cells)

    def check_label(self, label: object, columns: Iterable[object] = ()) -> None:
        """Refuse what cannot be the name of the column of classes, or of the target: no text, or that of a feature.

        Where there are ``columns``, and one is called as the target is, no other one can hold the target.
        """
        if not isinstance(label, str):
            raise ValueError(f"label must be the name of a column, got {quoted(label)}")
        if composed(label) in [feature.name for feature in self.features]:
            raise ValueError(
                f"label must be the name of the column of classes, or of the target, got that of the feature {label!r}"
            )
        if self.target is not None and composed(label) != self.target.name and self.target.name in columns:
            raise ValueError(
                f"label must be {self.target.name!r}, as the domain calls its target and a column is called; got "
                f"{quoted(label)}"
            )

    def encode(self, rows: Any, where: str = "rows") -> Codes:
        """Codes of rows of raw feature values, shape (n, p); refuses bad rows by row and column, never by value.

        A table with names (a data frame, a mapping of columns, a list of dictionaries) gives its columns by name.
        """
        return self.admit(rows, where)[0]

    def admit(self, rows: Any, where: str = "rows") -> tuple[Codes, dict[str, int]]:
        """Codes, and for each feature how many values were clipped into an end bin."""
        columns = rows if isinstance(rows, Columns) else self.columns(rows, where)
        encoded, clipped = np.empty((len(columns.cells[0]), self.n_features), dtype=np.uint8), {}
        for j, (feature, cells) in enumerate(zip(self.features, columns.cells, strict=True)):
            reading = feature.read(cells)
            if (row := reading.first_fault) is not None:
                place = f"{where} {columns.row(row)}, column {feature.name!r}"
                raise ValueError(f"{place}: {feature.expects(int(reading.faults[row]))}")
            encoded[:, j] = reading.codes
            clipped[feature.name] = reading.below + reading.above
        return encoded, clipped

    def encode_labels(self, labels: Any, where: str = "labels") -> Codes:
        """Codes of raw class labels, or levels of a target's values, shape (n,)."""
        return self.admit_labels(labels, where)[0]

    def admit_labels(self, labels: Any, where: str = "labels") -> tuple[Codes, dict[str, int]]:
        """Codes; and of a target, under its name, how many values were clipped into an end level."""
        columns = labels if isinstance(labels, Columns) else Columns([as_cells(labels, where)])
        reading = self._read_labels(columns.cells[0])
        if (row := reading.first_fault) is not None:
            raise ValueError(f"{where} {columns.row(row)}, {self._expected_label(int(reading.faults[row]))}")
        return reading.codes, {} if self.target is None else {self.target.name: reading.below + reading.above}

    def _read_labels(self, cells: Cells) -> Reading:
        """Codes and faults of the cells of a class, or of the target. Raises nothing."""
        return Reading(*members_of(cells, self.classes)) if self.target is None else self.target.read(cells)

    def _expected_label(self, fault: int) -> str:
        if self.target is None:
            return f"the class: {expected_member(self.classes, fault)}"
        return f"the target {self.target.name!r}: {expected_number(fault)}"

    def columns(self, rows: Any, where: str) -> Columns:
        """The raw cells of each feature, in the domain's order, from a table with names or from rows by position."""
        table = as_table(rows, where)
        if isinstance(table, Named):
            return table.select([feature.name for feature in self.features], where)
        return by_position(table, self.n_features, f"{self.n_features} feature values", where)

    def describe(self, region: Region) -> str:
        """The region in words, such as ``age ≤ 50, class ill``; the whole domain is ``all records``.

        Parties are counted from 1: the position 2 is ``party 3``.
        """
        parts = []
        for j, feature in enumerate(self.features):
            codes = region.codes(j)
            if len(codes) < feature.n_codes:
                parts.append(_describe_codes(feature, codes))
        classes = region.class_codes
        if len(classes) < self.n_classes:
            parts.append(self._describe_classes(sorted(classes)))
        if not region.of_all_parties:
            parts.append("party " + " or ".join(str(index + 1) for index in sorted(region.party_indexes)))
        return ", ".join(parts) or "all records"

    def _describe_classes(self, codes: Sequence[int]) -> str:
        """Classes by their names; of a target the levels, counted from 1."""
        if self.target is None:
            return "class " + " or ".join(str(self.classes[c]) for c in codes)
        return f"{self.target.name} in level " + " or ".join(str(c + 1) for c in codes)


def _without_words(feature: Feature) -> Feature:
    if isinstance(feature, Categorical):
        feature = replace(feature, categories=tuple(map(_as_whole, feature.categories)))
    return replace(feature, unit="", reason="")


def _as_whole(value: Any) -> Any:
    """A whole number as an integer: 1.0 is the category 1."""
    return int(value) if type(value) is float and value.is_integer() else value


def domain_from_data_not_private(X: Any, y: Any, *, bins: int = 16, names: Sequence[str] | None = None) -> Domain:
    """A domain whose ranges are the minima and maxima OF THE DATA. Not private: it reveals two patients a column.

    For ordinary CART on a grid, and to show in class what goes wrong. No release of the package calls it.
    """
    table = as_floats(X, "X", 2)
    if not table.size or not np.isfinite(table).all():
        raise ValueError("X must be a non-empty table of finite numbers, shape (n, p)")
    labels = [f"x{j}" for j in range(table.shape[1])] if names is None else as_list(names, "names")
    if len(labels) != table.shape[1]:
        raise ValueError(f"names must name the {table.shape[1]} columns, got {len(labels)}")
    ends = [
        (low, high if high > low else low + 1) for low, high in zip(table.min(axis=0), table.max(axis=0), strict=True)
    ]
    return Domain(
        [Numeric.grid(name, low, high, bins) for name, (low, high) in zip(labels, ends, strict=True)],
        _sorted_classes(y),
    )


def _sorted_classes(y: Any) -> list[Any]:
    try:
        return sorted(set(as_list(y, "y")))
    except TypeError:
        raise ValueError("y must be labels of one kind, that can be sorted") from None


def _row_of(feature: Feature) -> tuple[str, str, str, str]:
    if isinstance(feature, Numeric):
        values = f"{feature.edge_texts[0]} to {feature.edge_texts[-1]} {feature.unit}".rstrip()
    else:
        values = ", ".join(map(str, feature.categories))
    values += ", or missing" * feature.missing
    return (feature.name, str(feature.n_codes), values, feature.reason)


def _describe_codes(feature: Feature, codes: frozenset[int]) -> str:
    if isinstance(feature, Categorical):
        return feature.describe_split(codes)
    last, or_missing = feature.last_bin(codes)
    if last is None or (last == feature.n_bins - 1 and min(codes) == 0):
        return feature.describe_split(codes)
    low = f"{feature.edge_texts[min(codes)]} < " if min(codes) else ""
    high = f" ≤ {feature.edge_texts[last + 1]}" if last + 1 < feature.n_bins else ""
    return f"{low}{feature.name}{high}{' or missing' * or_missing}"
