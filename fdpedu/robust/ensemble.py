"""Votes of trees on disjoint parts of the rows: how many forged rows every single prediction stands.

A public rule deals the rows out into k parts, by a hash of the row itself. So a row that is added or removed changes
one part, and one vote. (Levine and Feizi 2021, Deep Partition Aggregation.)

NOT PRIVATE: the trees are CART's. What is certified holds for every prediction, with no coins.

Claims: lem-partition-certificate
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu import cart
from fdpedu.cart import fit_cart
from fdpedu.cart.tree import class_array
from fdpedu.domain import BY_VOTES, Codes, Domain, require_classes
from fdpedu.domain.tables import Columns, Named, as_table, by_position
from fdpedu.exact import Integers, as_integer, as_integers, require_type
from fdpedu.exact.foreign import require_one_order


@dataclass(frozen=True, repr=False)
class PartitionEnsemble:
    """Trees that vote: the class with most votes wins, the first of the domain in a tie.

    Claims: lem-partition-certificate

    Parameters
    ----------
    domain : of all trees
    trees : one for each part; a part without rows votes for the domain's first class
    """

    domain: Domain
    trees: tuple[cart.Tree | None, ...] = field(repr=False)

    def __repr__(self) -> str:
        return f"PartitionEnsemble({len(self.trees)} trees)"

    def votes(self, X: Any) -> Integers:
        """How many trees vote for each class, for each row: shape (n, classes)."""
        codes = self.domain.encode(X, "X")
        found = np.zeros((len(codes), self.domain.n_classes), dtype=np.int64)
        at = np.arange(len(codes), dtype=np.int64)
        for tree in self.trees:
            labels = (
                0
                if tree is None
                else np.array([leaf.label for leaf in tree.leaves()], dtype=np.int64)[tree.route(codes)]
            )
            found[at, labels] += 1
        return found

    def predict(self, X: Any) -> NDArray[Any]:
        """The class that wins, for each row."""
        return class_array(self.domain.classes)[self.votes(X).argmax(axis=1)]

    def certified_rows(self, X: Any) -> Integers:
        """How many added or removed rows each prediction certainly stands.

        Claims: lem-partition-certificate
        """
        return certified_rows_of_votes(self.votes(X))

    def certified_accuracy(self, X: Any, y: ArrayLike, rows: int) -> float:
        """The share of rows whose prediction is right, and stays so whatever ``rows`` rows are added or removed.

        Parameters
        ----------
        X, y : test rows, at least one, and their classes
        rows : x ≥ 0; a row that is changed counts 2
        """
        x = as_integer(rows, "rows", minimum=0)
        require_one_order(X, y, "y")
        votes, labels = self.votes(X), self.domain.encode_labels(y, "y")
        if len(votes) != len(labels) or not len(labels):
            raise ValueError(f"X and y must have as many rows, at least 1; got {len(votes)} and {len(labels)}")
        right = votes.argmax(axis=1) == labels
        return float(np.mean(right & (certified_rows_of_votes(votes) >= x)))


def certified_rows_of_votes(votes: ArrayLike) -> Integers:
    """⌊(v_c − v_j − [j < c])/2⌋, the least over all classes j other than the winner c: shape (n,).

    Claims: lem-partition-certificate

    Parameters
    ----------
    votes : integers for each row and class, shape (n, classes), at least two classes

    Examples
    --------
    >>> certified_rows_of_votes([[6, 4], [4, 6], [5, 5], [10, 0]]).tolist()
    [1, 0, 0, 5]
    """
    table = as_integers(votes, "votes")
    if table.ndim != 2 or table.shape[1] < 2:
        raise ValueError(f"votes must have the shape (n, classes), two classes or more, got {table.shape}")
    winner = table.argmax(axis=1)
    classes = np.arange(table.shape[1], dtype=np.int64)
    # lem-partition-certificate: in a tie the first class wins
    lead = table[np.arange(len(table), dtype=np.int64), winner][:, None] - table - (classes < winner[:, None])
    lead[np.arange(len(table), dtype=np.int64), winner] = np.iinfo(np.int64).max
    return np.asarray(lead.min(axis=1) // 2)


def fit_partition_ensemble(
    X: Any, y: ArrayLike, domain: Domain, parts: int, *, max_depth: int = 4
) -> PartitionEnsemble:
    """CART on each of k parts, into which rows are dealt by a hash of their values and class. NOT PRIVATE.

    Claims: lem-partition-certificate

    Parameters
    ----------
    X, y : rows and their classes
    domain : public
    parts : k, from 1 to 10,000
    max_depth : of each tree

    Examples
    --------
    >>> domain = Domain.from_spec({"features": {"age": [0, 100, 20]}, "classes": ["well", "ill"]})
    >>> ages = [[i / 4] for i in range(400)]
    >>> ensemble = fit_partition_ensemble(ages, ["ill" if a > 50 else "well" for (a,) in ages], domain, 8)
    >>> ensemble.predict([[20], [80]]).tolist(), ensemble.certified_rows([[20], [80]]).tolist()
    (['well', 'ill'], [4, 3])
    """
    require_type(domain, Domain, "domain")
    require_classes(domain, "fit_partition_ensemble", BY_VOTES)
    k = as_integer(parts, "parts", minimum=1, maximum=10_000)
    require_one_order(X, y, "y")
    columns = _columns(X, domain)
    codes, labels = domain.encode(columns, "X"), domain.encode_labels(y, "y")
    if len(codes) != len(labels) or not len(codes):
        raise ValueError(f"X and y must have as many rows, at least 1; got {len(codes)} and {len(labels)}")
    rows, classes = np.empty(codes.shape, dtype=object), class_array(domain.classes)[labels]
    for j, cells in enumerate(columns.cells):
        rows[:, j] = cells
    at = part_of(rows, labels, k)
    trees = [
        fit_cart(rows[at == part], classes[at == part], grid=domain, max_depth=max_depth)
        if (at == part).any()
        else None
        for part in range(k)
    ]
    return PartitionEnsemble(domain, tuple(trees))


def _columns(X: Any, domain: Domain) -> Columns:
    """The columns of the domain's features, in its order: by name where they have names."""
    table = as_table(X, "X")
    if isinstance(table, Named):
        return table.select([feature.name for feature in domain.features], "X")
    return by_position(table, domain.n_features, f"{domain.n_features} feature values", "X")


def part_of(rows: NDArray[Any], labels: Codes, parts: int) -> Integers:
    """The part of each row, by SHA-256 of its values and class: a function of the row alone.

    Parameters
    ----------
    rows : raw values, shape (n, p)
    labels : codes of the classes, shape (n,)
    parts : k, at least 1

    Examples
    --------
    >>> part_of(np.array([[3, "A"], [3.0, "A"], [4, "A"]], dtype=object), np.array([0, 0, 1]), 5).tolist()
    [2, 2, 4]
    """
    texts = ("\x1f".join(map(_text, (*row, int(label)))) for row, label in zip(rows, labels, strict=True))
    hashes = (hashlib.sha256(text.encode()).digest() for text in texts)
    return np.array([int.from_bytes(found[:8], "big") % parts for found in hashes], dtype=np.int64)


def _text(value: Any) -> str:
    """Equal numbers have one text, whatever their type is."""
    return repr(float(value) + 0.0) if isinstance(value, (int, float, np.number)) else str(value)
