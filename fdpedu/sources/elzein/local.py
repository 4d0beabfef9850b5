"""What a party finds out on its own raw rows: its best attribute, thresholds and label, and the best depth.

As in C4.5 a number is compared with a threshold halfway between two values, and a category has a branch of its own. The
criterion is information gain or the decrease of Gini impurity, both times the number of rows; of equals the first
attribute, and the smallest threshold, is taken. Nothing here is noisy, and nothing is private.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fdpedu.cart import entropy, gini
from fdpedu.domain import Categorical, Domain
from fdpedu.exact import Integers, occurrences
from fdpedu.exact.foreign import require_one_order
from fdpedu.randomness import Source
from fdpedu.sources.raw_rows import Floats, read_values
from fdpedu.trees.subset import shuffled

IMPURITIES = {"entropy": entropy, "gini": gini}
FOLDS, MAX_BY_VALIDATION = 5, 23
_NOTHING = 1e-9  # a gain in rows that is no more than the error of floats


class Best(NamedTuple):
    """For each attribute the gain of its best split, −1 if there is none, and the threshold (NaN of a category)."""

    gains: Floats
    thresholds: Floats


@dataclass(frozen=True)
class Rows:
    """Rows of one party.

    Parameters
    ----------
    values : numbers, and codes of categories, shape (n, p)
    labels : codes of classes, shape (n,)
    domain : what is public
    on_edges : whether numbers are the upper edges of their bins, and thresholds are such edges as well
    """

    values: Floats
    labels: Integers
    domain: Domain
    on_edges: bool = False

    def __len__(self) -> int:
        return len(self.labels)

    def kept(self, which: Any) -> Rows:
        """Some of them."""
        return replace(self, values=self.values[which], labels=self.labels[which])

    @property
    def class_counts(self) -> Integers:
        """How many are of each class."""
        return occurrences(self.labels, self.domain.n_classes)

    @property
    def label(self) -> int:
        """The class of most rows; of equals the first."""
        return int(self.class_counts.argmax())

    def best(self, criterion: str, attributes: Sequence[int]) -> Best:
        """The best split of each of the attributes."""
        gains, thresholds = np.full(self.domain.n_features, -1.0), np.full(self.domain.n_features, np.nan)
        if len(self) and np.count_nonzero(self.class_counts) > 1:
            numbers = [j for j in attributes if not isinstance(self.domain.features[j], Categorical)]
            if numbers:
                gains[numbers], thresholds[numbers] = self._best_thresholds(criterion, numbers)
            categories = [j for j in attributes if j not in numbers]
            if categories:
                gains[categories] = self._gains_of_categories(criterion, categories)
        return Best(gains, thresholds)

    @property
    def _one_hot(self) -> NDArray[np.bool_]:
        return np.asarray(self.labels[:, None] == np.arange(self.domain.n_classes, dtype=np.int64))

    def _gains_of_categories(self, criterion: str, named: Sequence[int]) -> Floats:
        """Of each category the gain of a branch for each of its values, −1 if all rows have the same one."""
        width, classes = max(self.domain.features[j].n_codes for j in named), self.domain.n_classes
        cells = (np.arange(len(named), dtype=np.int64) * width + self.values[:, named].astype(np.int64)) * classes
        table = occurrences((cells + self.labels[:, None]).ravel(), len(named) * width * classes)
        table = table.reshape(len(named), width, classes)
        left, divides = n_times(criterion, table).sum(axis=1), np.count_nonzero(table.any(axis=2), axis=1) > 1
        return np.where(divides, n_times(criterion, self.class_counts) - left, -1.0)

    def _best_thresholds(self, criterion: str, numbers: Sequence[int]) -> tuple[Floats, Floats]:
        """Of each number the gain of its best threshold, and this threshold."""
        columns = self.values[:, numbers]
        order = np.argsort(columns, axis=0, kind="stable")
        ordered = np.take_along_axis(columns, order, axis=0)
        lefts = np.cumsum(self._one_hot[order], axis=0, dtype=np.int64)[:-1]  # shape (n − 1, numbers, classes)
        remains = n_times(criterion, lefts) + n_times(criterion, self.class_counts - lefts)
        remains[ordered[:-1] == ordered[1:]] = np.inf
        least = remains.min(axis=0)
        at, here = (remains <= least + _NOTHING).argmax(axis=0), np.arange(len(numbers), dtype=np.int64)
        low, high = ordered[at, here], ordered[at + 1, here]
        divides = np.isfinite(least)
        gains = np.where(divides, n_times(criterion, self.class_counts) - least, -1.0)
        return gains, np.where(divides, low if self.on_edges else low + (high - low) / 2, np.nan)


def n_times(criterion: str, counts: NDArray[np.int64]) -> Any:
    """n times the impurity, from class counts of shape (…, C)."""
    return IMPURITIES[criterion](counts) * counts.sum(axis=-1)


def chosen_attribute(best: Best, among: Sequence[int] | None = None) -> int | None:
    """The attribute of the largest gain, of equals the first; None if none gains anything."""
    gains = (
        best.gains
        if among is None
        else np.where(np.isin(np.arange(len(best.gains), dtype=np.int64), among), best.gains, -1.0)
    )
    if not gains.max() > _NOTHING:
        return None
    return int((gains >= gains.max() - _NOTHING).argmax())


def read_rows(X: Any, y: Any, domain: Domain, where: str, *, on_edges: bool = False) -> Rows:
    """The raw rows of a party, checked: refused by row and column, never by value; numbers are clipped to the ranges.

    Parameters
    ----------
    X, y : rows and their classes
    domain : public, without codes for missing values
    where : whose they are, for messages
    on_edges : whether numbers become the upper edges of their bins
    """
    require_one_order(X, y, f"{where}: labels", "the rows")
    values = read_values(X, domain, where, on_edges=on_edges)
    labels = domain.encode_labels(y, f"{where}, labels").astype(np.int64)
    if len(labels) != len(values):
        raise ValueError(f"{where}: rows and labels must be as many, got {len(values)} and {len(labels)}")
    return Rows(values, labels, domain, on_edges)


def sides(rows: Rows, attribute: int, threshold: float | None) -> Iterator[Rows]:
    """The rows of each branch: up to the threshold and above it, or of each category."""
    column = rows.values[:, attribute]
    if threshold is not None:
        yield rows.kept(column <= threshold)
        yield rows.kept(column > threshold)
    else:
        for code in range(rows.domain.features[attribute].n_codes):
            yield rows.kept(column == code)


def correct_by_depth(train: Rows, test: Rows, criterion: str, attributes: Sequence[int], depth: int) -> Integers:
    """How many test rows one's own tree gets right, if it is cut at depth 0, 1, …: shape (depth + 1,)."""
    own = np.full(depth + 1, np.count_nonzero(test.labels == train.label))
    best = train.best(criterion, attributes) if depth else None
    attribute = None if best is None else chosen_attribute(best)
    if best is None or attribute is None:
        return own
    threshold = _threshold(best, attribute)
    left = attributes if threshold is not None else [j for j in attributes if j != attribute]
    own[1:] = 0
    for a, b in zip(sides(train, attribute, threshold), sides(test, attribute, threshold), strict=True):
        if len(a):
            own[1:] += correct_by_depth(a, b, criterion, left, depth - 1)
        else:  # a branch without rows has the label of the node above, however deep it is
            own[1:] += np.count_nonzero(b.labels == train.label)
    return own


def _threshold(best: Best, attribute: int) -> float | None:
    found = float(best.thresholds[attribute])
    return None if np.isnan(found) else found


def own_depth(rows: Rows, criterion: str, source: Source) -> int:
    """The depth, 1 to 23 as in the source, with most right predictions in 5-fold cross-validation; of equals the least.

    A party with fewer rows than folds leaves out one row at a time; with a single row it says 1.

    Parameters
    ----------
    rows : of a party, at least one
    criterion : by which its trees are grown
    source : of the folds
    """
    n, folds = len(rows), min(FOLDS, len(rows))
    if folds < 2:
        return 1
    fold = np.empty(n, dtype=np.int64)
    fold[np.asarray(shuffled(range(n), source))] = np.arange(n, dtype=np.int64) % folds
    attributes = list(range(rows.domain.n_features))
    correct = sum(
        correct_by_depth(rows.kept(fold != k), rows.kept(fold == k), criterion, attributes, MAX_BY_VALIDATION)
        for k in range(folds)
    )
    return 1 + int(np.argmax(np.asarray(correct)[1:]))
