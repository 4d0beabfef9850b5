"""How good a structure can be on some rows: its least loss, over all thresholds of a public domain and all labels.

The thresholds are those of the domain, never of the rows, and a side may stay without rows. So the family of trees
among which the least is taken is the same for all rows: one record more raises the least loss by at most 1, and never
lowers it. Thresholds that are chosen greedily, node by node, have no such bound.

All thresholds of a path are tried together, on tables of counts by the codes of its features. In steps of 1/m each leaf
is rounded down for itself, in integers.

Claims: lem-least-loss, lem-greedy-jump
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np

from fdpedu.cart.candidates import candidates
from fdpedu.cart.split import CodeSplit, Counts
from fdpedu.cart.structures import Structure, require_structure, to_structure
from fdpedu.cart.tree import Node
from fdpedu.domain import Codes, Domain
from fdpedu.exact import Integers, as_integer, as_integers, occurrences, quoted, require_type

STRUCTURE_LOSSES = ("errors", "squared")
"""Rows that are not of their leaf's majority class; squared distances of levels k/(K−1) from their leaf's mean."""
MAX_CELLS = 2**22
_MAX_ROWS = 2**31  # up to which the numbers of the squared loss fit into 64 bits


def least_loss(codes: Any, labels: Any, structure: Any, domain: Domain, loss: str, *, lattice: int = 1) -> int:
    """⌊m·loss⌋ of the best tree with a structure: over the domain's thresholds at all nodes, and all labels.

    Each leaf is rounded down for itself. A record raises the least loss by 0 to m steps.

    Claims: lem-least-loss

    Parameters
    ----------
    codes : of rows, shape (n, p)
    labels : codes of their classes or levels, shape (n,)
    structure : a :class:`Structure`, or its string
    domain : public
    loss : a name of :data:`STRUCTURE_LOSSES`
    lattice : m, from 1 to 2**16

    Examples
    --------
    >>> domain = Domain.from_spec({"features": {"a": [0, 3, 3], "b": [0, 2, 2]}, "classes": ["ill", "well"]})
    >>> xor = [[0, 0], [0, 1], [2, 0], [2, 1]]
    >>> [least_loss(xor, [0, 1, 1, 0], string, domain, "errors") for string in ((0,), (0, 1, 1))]
    [2, 0]
    """
    require_type(domain, Domain, "domain")
    found = structure if isinstance(structure, Structure) else to_structure(structure)
    require_structure(found, domain)
    require_loss(loss)
    m = as_integer(lattice, "lattice", minimum=1, maximum=2**16)
    columns, classes = _checked(codes, labels, domain)
    return int(least_losses(columns, classes, [found], domain, loss, m)[0])


def require_loss(loss: object) -> None:
    """Refuse what is no name of :data:`STRUCTURE_LOSSES`."""
    if not isinstance(loss, str) or loss not in STRUCTURE_LOSSES:
        raise ValueError(f"loss must be one of {', '.join(STRUCTURE_LOSSES)}; got {quoted(loss)}")


def _checked(codes: Any, labels: Any, domain: Domain) -> tuple[Codes, Codes]:
    table, classes = as_integers(codes, "codes"), as_integers(labels, "labels")
    if table.size == 0 and classes.size == 0:
        return np.zeros((domain.n_features, 0), dtype=np.uint8), np.zeros(0, dtype=np.uint8)
    if table.ndim != 2 or table.shape[1] != domain.n_features or classes.shape != table.shape[:1]:
        raise ValueError(
            f"codes must have shape (n, {domain.n_features}) and labels (n,), got {table.shape} and {classes.shape}"
        )
    sizes = np.array([feature.n_codes for feature in domain.features], dtype=np.int64)
    if (table < 0).any() or (table >= sizes).any() or (classes < 0).any() or (classes >= domain.n_classes).any():
        raise ValueError("codes and labels must be codes of the domain")
    return np.ascontiguousarray(table.T.astype(np.uint8)), classes.astype(np.uint8)


def least_losses(
    columns: Codes, labels: Codes, structures: Sequence[Structure], domain: Domain, loss: str, lattice: int
) -> Integers:
    """:func:`least_loss` of several structures on rows that are known to be such.

    Parameters
    ----------
    columns, labels : codes, shapes (p, n) and (n,)
    structures : of the domain
    domain, loss, lattice : as there
    """
    counts = _Counting(columns, labels, domain)
    return np.array([_least(each, (), counts, loss, lattice) for each in structures], dtype=np.int64)


def most_cells(structure: Structure, domain: Domain) -> int:
    """The size of the largest table of counts that :func:`least_loss` makes."""
    return domain.n_classes * _most_codes(structure, domain)


def _most_codes(structure: Structure, domain: Domain) -> int:
    if structure.feature is None:
        return 1
    # a code of missing values makes two splits of each border
    size = 2 * domain.features[structure.feature].n_codes
    return size * max(_most_codes(side, domain) for side in structure.sides)


class _Counting:
    """Class counts of rows by the codes of some features, and by the sides of their splits."""

    def __init__(self, columns: Codes, labels: Codes, domain: Domain) -> None:
        self.columns, self.labels, self.domain = columns, labels, domain
        self.by_codes = cache(self._by_codes)  # structures have paths in common

    def _by_codes(self, features: tuple[int, ...]) -> Integers:
        """Shape (codes of the first feature, …, classes)."""
        sizes = (*(self.domain.features[j].n_codes for j in features), self.domain.n_classes)
        at = self.labels.astype(np.intp)
        for j, stride in zip(features, np.cumprod(sizes[:0:-1])[::-1].tolist(), strict=True):
            at += self.columns[j] * np.intp(stride)
        return occurrences(at, int(np.prod(sizes))).reshape(sizes)

    def on(self, path: tuple[tuple[int, bool], ...]) -> Counts:
        """Of the rows that take a path, for each split of its features: shape (splits, …, classes)."""
        table = self.by_codes(tuple(feature for feature, _ in path))
        for axis, (feature, left) in enumerate(path):
            table = _side(table, axis, feature_splits(self.domain, feature), left)
        return table


@lru_cache(maxsize=2**10)
def feature_splits(domain: Domain, feature: int) -> tuple[tuple[int, int, int], ...]:
    """What goes left in each public split of a feature: the codes from a start to before an end, and one more or −1."""
    lefts = (left for left in candidates(domain, domain.everything).lefts if left.feature == feature)
    return tuple((left.start, left.end, -1 if left.extra is None else left.extra) for left in lefts)


def _side(table: Counts, axis: int, splits: tuple[tuple[int, int, int], ...], left: bool) -> Counts:
    """The counts with codes along an axis, as counts with splits along it."""
    first = np.moveaxis(table, axis, 0)
    start, end, extra = np.array(splits, dtype=np.int64).T
    sums = np.concatenate([np.zeros_like(first[:1]), np.cumsum(first, axis=0)])
    inside = sums[end] - sums[start]
    inside[extra >= 0] += first[extra[extra >= 0]]
    return np.moveaxis(inside if left else sums[-1] - inside, 0, axis)


def _least(
    structure: Structure, path: tuple[tuple[int, bool], ...], counts: _Counting, loss: str, lattice: int
) -> Integers:
    """The least loss of the rows that take a path, for each split of the features on it."""
    if structure.feature is None:
        return leaf_losses(counts.on(path), loss, lattice)
    return np.asarray(_of_splits(structure, path, counts, loss, lattice).min(axis=-1))


def _of_splits(
    structure: Structure, path: tuple[tuple[int, bool], ...], counts: _Counting, loss: str, lattice: int
) -> Integers:
    """The same for each split of the structure's own feature, too: one axis more."""
    assert structure.feature is not None
    # lem-least-loss: the same splits, whatever the rows are
    left, right = (
        _least(side, (*path, (structure.feature, at)), counts, loss, lattice)
        for side, at in zip(structure.sides, (True, False), strict=True)
    )
    return np.asarray(left + right)


def leaf_losses(counts: Counts, loss: str, lattice: int) -> Integers:
    """⌊m·loss⌋ of leaves from their counts: shape (…, classes) becomes (…).

    For the squared loss a level k of K stands at k/(K−1), so that the loss is (Σk² − (Σk)²/n)/(K−1)².
    """
    if loss == "errors":
        return np.asarray((counts.sum(axis=-1) - counts.max(axis=-1)) * lattice)
    rows = counts.sum(axis=-1)
    if rows.max(initial=0) >= _MAX_ROWS:
        return _squares(counts.astype(object), lattice).astype(np.int64)
    return _squares(counts, lattice)


def _squares(counts: Any, lattice: int) -> Any:
    """With Σk = qn + r the loss is (Σk² − q²n − 2qr − r²/n)/(K−1)², and r < n keeps all numbers short."""
    places = np.arange(counts.shape[-1], dtype=np.int64)
    rows = counts.sum(axis=-1)
    n = np.maximum(rows, 1)
    total, squares = (counts * places).sum(axis=-1), (counts * places**2).sum(axis=-1)
    q, r = total // n, total % n
    whole, part = squares - q * q * n - 2 * q * r - r * r // n, r * r % n  # the loss is whole − part/n
    steps = lattice * whole - (lattice * part + n - 1) // n
    return steps // max(1, places[-1] ** 2)


def grow_at(columns: Codes, labels: Codes, structure: Structure, domain: Domain, loss: str, lattice: int) -> Node:
    """The tree of least loss with a structure; of equal splits the first. A node that divides no rows is left out.

    Parameters
    ----------
    columns, labels : codes, shapes (p, n) and (n,); of no rows it is a leaf
    structure : of the domain
    domain, loss, lattice : as for :func:`least_loss`
    """
    counts = tuple(occurrences(labels, domain.n_classes).tolist())
    if structure.feature is None or not len(labels):
        return Node(counts)
    losses = _of_splits(structure, (), _Counting(columns, labels, domain), loss, lattice)
    split = code_split(domain, structure.feature, int(losses.argmin()))
    goes_left = split.goes_left(columns[structure.feature])
    parts = zip(structure.sides, (goes_left, ~goes_left), strict=True)
    sides = [grow_at(columns[:, of], labels[of], side, domain, loss, lattice) for side, of in parts if of.any()]
    return Node(counts, split, *sides) if len(sides) == 2 else sides[0]


def code_split(domain: Domain, feature: int, at: int) -> CodeSplit:
    """The split of a feature at a position of :func:`feature_splits`."""
    start, end, extra = feature_splits(domain, feature)[at]
    return CodeSplit(feature, frozenset((*range(start, end), *[extra] * (extra >= 0))))
