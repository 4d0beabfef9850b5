"""Structures: trees that say which feature is asked at each node, without thresholds and without labels.

A structure is written as a string of integers, which has an entry for each inner node of the full binary tree of a
depth, each node before its sides, and the left side before the right one. An entry below a leaf means nothing: such a
subtree is detached, and different strings may be one structure.

How good a structure can be on some rows is its *least loss*: over all thresholds that the public domain offers at each
node together, and all labels. The thresholds are those of the domain, never of the rows, and a side may stay without
rows; so the family of trees among which the least is taken is the same for all rows, and one record more raises the
least loss by at most 1, and lowers it never. Thresholds that are chosen greedily, node by node, have no such bound.

Claims: lem-least-loss, lem-phenotypes
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np

from fdpedu.cart.candidates import candidates
from fdpedu.cart.split import Counts
from fdpedu.domain import Codes, Domain
from fdpedu.exact import Integers, as_integer, as_integers, as_list, quoted, require_type

LEAF = -1
"""What stands in a string where a node asks nothing."""
MAX_DEPTH = 8
STRUCTURE_LOSSES = ("errors", "squared")
"""Rows that are not of their leaf's majority class; squared distances of levels k/(K−1) from their leaf's mean."""
MAX_CELLS = 2**22
_MAX_ROWS = 2**31  # up to which the numbers of the squared loss fit into 64 bits


@dataclass(frozen=True)
class Structure:
    """A node that asks for a feature, with its two sides; or a leaf, which has neither.

    Examples
    --------
    >>> Structure(1, Structure(0)) == to_structure((1, 0, LEAF))
    True
    >>> print(Structure(1, Structure(0)))
    1(0, ·)
    """

    feature: int | None = None
    left: Structure | None = None
    right: Structure | None = None

    def __post_init__(self) -> None:
        if self.feature is None:
            if self.left is not None or self.right is not None:
                raise ValueError("left and right must be left out of a leaf, which asks for no feature")
            return
        object.__setattr__(self, "feature", as_integer(self.feature, "feature", minimum=0, maximum=2**16))
        for name in ("left", "right"):
            side = getattr(self, name)
            object.__setattr__(self, name, Structure() if side is None else side)
            require_type(getattr(self, name), Structure, name)

    @property
    def sides(self) -> tuple[Structure, ...]:
        """The left and the right one; none of a leaf."""
        return () if self.left is None or self.right is None else (self.left, self.right)

    @property
    def depth(self) -> int:
        """The number of questions on the longest path."""
        return 1 + max(side.depth for side in self.sides) if self.sides else 0

    @property
    def features(self) -> tuple[int, ...]:
        """What the inner nodes ask for, each node before its sides."""
        if self.feature is None:
            return ()
        return (self.feature, *(feature for side in self.sides for feature in side.features))

    @property
    def n_nodes(self) -> int:
        """The number of questions."""
        return len(self.features)

    def __str__(self) -> str:
        if not self.n_nodes:
            return "·"
        below = ", ".join(map(str, self.sides))
        return f"{self.feature}({below})" if self.n_nodes > 1 else str(self.feature)


def to_string(tree: Any, depth: int) -> tuple[int, ...]:
    """A structure as 2^depth − 1 integers: positions of features, and :data:`LEAF`.

    Parameters
    ----------
    tree : a structure, or what has one under that name
    depth : of the full tree, at least the structure's own, at most 8

    Examples
    --------
    >>> to_string(Structure(1, Structure(0)), 2)
    (1, 0, -1)
    """
    structure = getattr(tree, "structure", tree)
    require_type(structure, Structure, "tree")
    levels = as_integer(depth, "depth", minimum=0, maximum=MAX_DEPTH)
    if structure.depth > levels:
        raise ValueError(f"depth must be at least that of the tree, {structure.depth}, got {levels}")
    return tuple(_written(structure, levels))


def _written(structure: Structure, depth: int) -> list[int]:
    if structure.feature is None or not depth:
        return [LEAF] * (2**depth - 1)
    return [structure.feature, *(entry for side in structure.sides for entry in _written(side, depth - 1))]


def to_structure(string: Sequence[int]) -> Structure:
    """The structure that is connected with the root; detached subtrees are left out.

    Parameters
    ----------
    string : 2^d − 1 integers, for d from 0 to 8: positions of features from 0, or :data:`LEAF`

    Examples
    --------
    >>> to_structure((LEAF, 0, 2)) == to_structure((LEAF, LEAF, LEAF)) == Structure()
    True
    """
    entries = [as_integer(entry, "string", minimum=LEAF, maximum=2**16) for entry in as_list(string, "string")]
    if (size := len(entries) + 1) & (size - 1) or size > 2**MAX_DEPTH:
        raise ValueError(f"string must have 2^d − 1 entries, for d from 0 to {MAX_DEPTH}, got {len(entries)}")
    return _read(entries)


def _read(entries: list[int]) -> Structure:
    if not entries or entries[0] == LEAF:
        return Structure()
    half = len(entries) // 2
    return Structure(entries[0], _read(entries[1 : 1 + half]), _read(entries[1 + half :]))


def count_structures(n_features: int, depth: int) -> int:
    """How many structures there are up to a depth: T(0) = 1, T(d) = 1 + p·T(d−1)².

    Claims: lem-phenotypes

    Examples
    --------
    >>> [count_structures(3, depth) for depth in range(4)]
    [1, 4, 49, 7204]
    """
    p = as_integer(n_features, "n_features", minimum=1, maximum=2**16)
    count = 1
    for _ in range(as_integer(depth, "depth", minimum=0, maximum=MAX_DEPTH)):
        count = 1 + p * count * count  # lem-phenotypes: a leaf, or a feature and two structures
    return count


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


def require_structure(structure: Structure, domain: Domain, name: str = "structure") -> None:
    """Refuse a structure that asks for a feature that the domain has not."""
    unknown = [feature for feature in structure.features if feature >= domain.n_features]
    if unknown:
        raise ValueError(f"{name} must ask for features from 0 to {domain.n_features - 1} only, got {unknown[0]}")


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
    sizes = np.array([feature.n_codes for feature in domain.features])
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
        return np.bincount(at, minlength=int(np.prod(sizes))).reshape(sizes)

    def on(self, path: tuple[tuple[int, bool], ...]) -> Counts:
        """Of the rows that take a path, for each split of its features: shape (splits, …, classes)."""
        table = self.by_codes(tuple(feature for feature, _ in path))
        for axis, (feature, left) in enumerate(path):
            table = _side(table, axis, feature_splits(self.domain, feature), left)
        return table


@lru_cache(maxsize=2**10)
def feature_splits(domain: Domain, feature: int) -> tuple[tuple[int, int, int], ...]:
    """What goes left in each public split of a feature: the codes from a start to before an end, and one more or −1.

    A feature with a single code divides nothing: all goes left.
    """
    lefts = [left for left in candidates(domain, domain.everything).lefts if left.feature == feature]
    found = [(left.start, left.end, -1 if left.extra is None else left.extra) for left in lefts]
    return tuple(found) or ((0, domain.features[feature].n_codes, -1),)


def _side(table: Counts, axis: int, splits: tuple[tuple[int, int, int], ...], left: bool) -> Counts:
    """The counts with codes along an axis, as counts with splits along it."""
    first = np.moveaxis(table, axis, 0)
    start, end, extra = np.array(splits).T
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
    left, right = (
        _least(side, (*path, (structure.feature, at)), counts, loss, lattice)
        for side, at in zip(structure.sides, (True, False), strict=True)
    )
    return np.asarray((left + right).min(axis=-1))  # lem-least-loss: the same splits, whatever the rows are


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
    places = np.arange(counts.shape[-1])
    rows = counts.sum(axis=-1)
    n = np.maximum(rows, 1)
    total, squares = (counts * places).sum(axis=-1), (counts * places**2).sum(axis=-1)
    q, r = total // n, total % n
    whole, part = squares - q * q * n - 2 * q * r - r * r // n, r * r % n  # the loss is whole − part/n
    steps = lattice * whole - (lattice * part + n - 1) // n
    return steps // max(1, places[-1] ** 2)
