"""What the framework grows: complete trees with weights, and how rows pass through them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.domain import Domain
from fdpedu.exact import Integers, as_integers
from fdpedu.gradients import UNIT
from fdpedu.sources.maddock.candidates import Bools, Floats
from fdpedu.sources.maddock.paying import Counts


@dataclass(frozen=True, eq=False)
class Level:
    """The splits of one level.

    Parameters
    ----------
    features : of each node, shape (nodes,)
    right : which codes of it go right, shape (nodes, codes)
    """

    features: Integers
    right: Bools

    def below(self, nodes: Integers, columns: Integers) -> Integers:
        """Where rows that are in these nodes go; ``columns`` are their codes, shape (p, n)."""
        codes = columns[self.features[nodes], np.arange(len(nodes), dtype=np.int64)]
        return 2 * nodes + self.right[nodes, codes]


@dataclass(frozen=True, eq=False)
class Grown:
    """A complete tree with the weights of its leaves, in units of 1/4096."""

    levels: tuple[Level, ...]
    weights: Integers


@dataclass(frozen=True, eq=False)
class Model:
    """What the framework grew.

    Parameters
    ----------
    domain : what is public
    trees : in order
    counts : what was asked for them
    """

    domain: Domain = field(repr=False)
    trees: tuple[Grown, ...] = field(repr=False)
    counts: Counts

    def scores(self, codes: ArrayLike) -> Floats:
        """The score of each row, above 0 for the second class; codes have the shape (n, p)."""
        columns = as_columns(codes, self.domain)
        found = np.zeros(columns.shape[1], dtype=np.int64)
        for tree in self.trees:
            found += tree.weights[leaves_of(tree.levels, columns)]
        return found / UNIT

    def predict(self, codes: ArrayLike) -> NDArray[Any]:
        """The code of each row's class, 0 or 1."""
        return (self.scores(codes) > 0).astype(np.int64)


def leaves_of(levels: Sequence[Level], columns: Integers) -> Integers:
    """The leaf of each row."""
    nodes = np.zeros(columns.shape[1], dtype=np.int64)
    for level in levels:
        nodes = level.below(nodes, columns)
    return nodes


def as_columns(codes: ArrayLike, domain: Domain) -> Integers:
    """Codes of rows by feature, shape (p, n); refuses what is no code of its feature, by row and column."""
    found = as_integers(codes, "codes")
    if found.ndim != 2 or found.shape[1] != domain.n_features:
        raise ValueError(f"codes must have the shape (rows, {domain.n_features}), got {found.shape}")
    wrong = np.argwhere((found < 0) | (found >= [feature.n_codes for feature in domain.features]))
    if len(wrong):
        row, column = wrong[0].tolist()
        raise ValueError(f"codes row {row}, column {domain.features[column].name!r}: no code of this feature")
    return np.ascontiguousarray(found.T)
