"""Structures, counted; and what one record does to their least loss, and to the loss at greedy thresholds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.cart.least_loss import feature_splits, grow_at, least_loss, least_losses
from fdpedu.cart.structures import LEAF, Structure, count_structures, to_string, to_structure
from fdpedu.claims.better_trees.law import Record, coded, records
from fdpedu.claims.better_trees.losses import ADD_REMOVE
from fdpedu.claims.checking import require
from fdpedu.claims.federations import Case
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Domain
from fdpedu.exact import occurrences
from fdpedu.privacy import datasets
from fdpedu.trees.clamped_tables import Data

BITS = Domain.from_spec({"features": {"a": [0, 2, 2], "b": [0, 2, 2]}, "classes": ["well", "ill"]})


@cache
def all_structures(n_features: int, depth: int) -> tuple[Structure, ...]:
    """Every structure up to a depth, the leaf first."""
    if not depth:
        return (Structure(),)
    below = all_structures(n_features, depth - 1)
    return (Structure(), *(Structure(*node) for node in product(range(n_features), below, below)))


def counted(n_features: int, depth: int) -> None:
    """The formula counts the structures of all strings; each is found by its string again."""
    length = 2**depth - 1
    found = {to_structure(string) for string in product(range(LEAF, n_features), repeat=length)}
    require(
        len(found) == count_structures(n_features, depth),
        f"{(n_features + 1) ** length} strings stand for {len(found)} structures, not for "
        f"{count_structures(n_features, depth)}",
    )
    require(found == set(all_structures(n_features, depth)), "strings do not stand for all structures")
    for structure in found:
        string = to_string(structure, depth)
        require(to_structure(string) == structure, f"{string} is read as another structure")


def alphabets(strings: int) -> Iterator[tuple[int, int]]:
    """All numbers of features and depths with at most so many strings."""
    for n_features, depth in product(range(1, 7), range(4)):
        if (n_features + 1) ** (2**depth - 1) <= strings:
            yield n_features, depth


# --- the least loss ---------------------------------------------------------------------------------------------------


def by_trees(domain: Domain, data: Data, structure: Structure, loss: str, lattice: int) -> int:
    """The least loss by its words: of each tree with the structure, leaf by leaf, record by record."""
    if structure.feature is None:
        return _of_leaf([record[-1] for record in data], domain.n_classes, loss, lattice)
    found = []
    for start, end, extra in feature_splits(domain, structure.feature):
        left = tuple(r for r in data if start <= r[structure.feature] < end or r[structure.feature] == extra)
        right = tuple(r for r in data if not (start <= r[structure.feature] < end or r[structure.feature] == extra))
        sides = zip(structure.sides, (left, right), strict=True)
        found.append(sum(by_trees(domain, rows, side, loss, lattice) for side, rows in sides))
    return min(found)


def _of_leaf(labels: Sequence[int], n_classes: int, loss: str, lattice: int) -> int:
    if loss == "errors":
        return lattice * (len(labels) - max((labels.count(c) for c in set(labels)), default=0))
    places = [Fraction(k, n_classes - 1) for k in labels]
    mean = sum(places, Fraction(0)) / max(1, len(places))
    return int(lattice * sum(((place - mean) ** 2 for place in places), Fraction(0)))


def value(case: Case, string: tuple[int, ...], loss: str, lattice: int) -> None:
    """The least loss is that of going through all trees; and a tree at home has it, with no empty leaf."""
    domain, parts = case
    data = tuple(record for rows in parts for record in coded(domain, rows))
    agree(domain, data, to_structure(tuple(entry % (domain.n_features + 1) - 1 for entry in string)), loss, lattice)


def agree(domain: Domain, data: Data, structure: Structure, loss: str, lattice: int) -> None:
    """The same, of coded records."""
    codes, labels = _columns(domain, data)
    found = least_loss(codes.T, labels, structure, domain, loss, lattice=lattice)
    expected = by_trees(domain, data, structure, loss, lattice)
    require(found == expected, f"the least loss of {structure} is {found}, and over all trees {expected}")
    if data:
        root = grow_at(codes, labels, structure, domain, loss, lattice)
        leaves = _leaves(root)
        require(all(sum(leaf) for leaf in leaves), "a leaf at home has no rows")
        lost = sum(
            _of_leaf([c for c, n in enumerate(leaf) for _ in range(n)], domain.n_classes, loss, lattice)
            for leaf in leaves
        )
        require(lost <= expected, f"the tree at home has the loss {lost}, and the least is {expected}")
        require(sum(map(sum, leaves)) == len(data), "rows are lost at home")


def _leaves(node: Any) -> list[tuple[int, ...]]:
    return [node.counts] if node.is_leaf else [*_leaves(node.left), *_leaves(node.right)]


def _columns(domain: Domain, data: Data) -> tuple[Any, Any]:
    codes = np.array([record[:-1] for record in data], dtype=np.uint8).reshape(len(data), domain.n_features)
    return np.ascontiguousarray(codes.T), np.array([record[-1] for record in data], dtype=np.uint8)


def random_cases(draw: ModuleType) -> Any:
    """Rows in random domains, strings of depth up to 2, both losses, coarse and fine steps."""
    lengths = draw.st.sampled_from([1, 3, 3])
    strings = lengths.flatmap(lambda n: draw.tuples(*[draw.integers(0, 9)] * n))
    rest = (draw.st.sampled_from(["errors", "squared"]), draw.st.sampled_from([1, 3, 1024]))
    return draw.tuples(draw.domains_with_parties(2, 2), strings, *rest)


def few_rows(most: int) -> Iterator[tuple[Domain, Data, Structure, str, int]]:
    """All data of at most so many rows of one bit and three levels."""
    levels = Domain.from_spec({"features": {"a": [0, 2, 2]}, "classes": [0, 1, 2]})
    for data, structure in product(datasets(records(levels), most), all_structures(1, 1)):
        yield from ((levels, tuple(data), structure, loss, 7) for loss in ("errors", "squared"))


def rises(domain: Domain, structures: tuple[Structure, ...], data: Data, loss: str, lattice: int) -> None:
    """One record more of any kind raises the least loss of every structure by 0 to m steps."""
    before = least_losses(*_columns(domain, data), structures, domain, loss, lattice)
    for record in records(domain):
        change = least_losses(*_columns(domain, (*data, record)), structures, domain, loss, lattice) - before
        require(
            0 <= change.min() and change.max() <= lattice,
            f"with {record} beside {data} least losses change by {change.min()} to {change.max()} of {lattice} steps",
        )


def bits(most: int) -> Iterator[tuple[Domain, tuple[Structure, ...], Data, str, int]]:
    """All data of at most so many rows of two bits and a label, all 19 structures of depth 2."""
    for data in datasets(records(BITS), most):
        yield from ((BITS, all_structures(2, 2), tuple(data), *how) for how in (("errors", 1), ("squared", 7)))


def random_rises(draw: ModuleType) -> Any:
    """Rows in random domains, with codes of missing values, categories and more classes."""

    def of(case: Case) -> Any:
        domain, parts = case
        data = tuple(record for rows in parts for record in coded(domain, rows))
        strings = draw.tuples(*[draw.integers(-1, domain.n_features - 1)] * 3).map(lambda s: (to_structure(s),))
        rest = (draw.st.sampled_from(["errors", "squared"]), draw.st.sampled_from([1, 5, 1024]))
        return draw.tuples(draw.st.just(domain), strings, draw.st.just(data), *rest)

    return draw.domains_with_parties(2, 2).flatmap(of)


# --- greedy thresholds, and what they do ------------------------------------------------------------------------------

THREE = Domain.from_spec({"features": {"a": [0, 3, 3], "b": [0, 2, 2]}, "classes": ["well", "ill"]})
CELLS = ((0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 1))
CORNERS = Structure(0, Structure(1), Structure(1))


def greedy_node(domain: Domain, columns: Any, labels: Any, structure: Structure) -> list[list[int]]:
    """Class counts of the leaves where each node takes the threshold of least Gini impurity, before those below it."""
    counts = occurrences(labels, domain.n_classes).tolist()
    if structure.feature is None:
        return [counts]
    sides = list[tuple[Fraction, int, Any]]()
    for start, end, extra in feature_splits(domain, structure.feature):
        codes = columns[structure.feature]
        left = (codes >= start) & (codes < end) | (codes == extra)
        both = [occurrences(labels[where], domain.n_classes) for where in (left, ~left)]
        pure = [Fraction(int((n * n).sum()), max(1, int(n.sum()))) for n in both]
        sides.append((sum(pure, Fraction(0)), -len(sides), left))
    left = max(sides, key=lambda found: found[:2])[2]
    parts = zip(structure.sides, (left, ~left), strict=True)
    return [leaf for side, of in parts for leaf in greedy_node(domain, columns[:, of], labels[of], side)]


def greedy_errors(domain: Domain, columns: Any, labels: Any, structure: Structure) -> int:
    """Rows that are not of their leaf's majority class, at greedy thresholds."""
    return sum(sum(leaf) - max(leaf) for leaf in greedy_node(domain, columns, labels, structure))


def f1_losses(domain: Domain, columns: Any, labels: Any, structures: Sequence[Structure], lattice: int) -> Any:
    """⌊−m·n·F1⌋ of class 1 at greedy thresholds."""
    found = []
    for structure in structures:
        leaves = greedy_node(domain, columns, labels, structure)
        ill = [leaf for leaf in leaves if leaf[1] > leaf[0]]
        right, called = sum(leaf[1] for leaf in ill), sum(map(sum, ill))
        there = sum(leaf[1] for leaf in leaves)
        f1 = Fraction(2 * right, called + there) if called + there else Fraction(0)
        found.append(-int(lattice * len(labels) * f1))
    return np.array(found)


def jumps(m: int, record: Record) -> None:
    """Four cells of m rows: one record turns 0 errors at greedy thresholds into 2m, and the least loss by 1 at most."""
    data: Data = tuple(cell for cell in CELLS for _ in range(m))
    errors, least = [], []
    for rows in (data, (*data, record)):
        columns, labels = _columns(THREE, rows)
        errors.append(greedy_errors(THREE, columns, labels, CORNERS))
        least.append(int(least_losses(columns, labels, [CORNERS], THREE, "errors", 1)[0]))
    require(errors == [0, 2 * m], f"greedy thresholds make {errors[0]} errors, and {errors[1]} with one record more")
    require(least[0] == 0 and least[1] <= 1, f"the least loss goes from {least[0]} to {least[1]}")


def heaps(most: int) -> Iterator[tuple[int, Record]]:
    """Up to so many rows a cell, and each record whose first feature is new."""
    yield from ((m, (2, b, c)) for m in (1, 2, 3, most) for b, c in product((0, 1), repeat=2))


CLAIMS = (
    Claim(
        "lem-phenotypes",
        status="proved+checked",
        code=("fdpedu.cart.structures", "fdpedu.cart.structures.count_structures"),
        checks=(
            Check(
                "counted",
                "exhaustive",
                "all strings, for all numbers of features and depths with at most {size} of them",
                counted,
                alphabets,
                1_000,
                20_000,
            ),
        ),
    ),
    Claim(
        "lem-least-loss",
        status="proved+checked",
        code=(
            "fdpedu.cart.least_loss",
            "fdpedu.cart.least_loss.least_loss",
            "fdpedu.structures.at_home.fit_at_home",
        ),
        checks=(
            Check(
                "value",
                "property",
                "{size} random cases: the least loss against that of every tree, record by record",
                value,
                random_cases,
                30,
                500,
            ),
            Check(
                "few rows",
                "exhaustive",
                "the same for all data of at most {size} rows of one bit and three levels",
                agree,
                few_rows,
                2,
                4,
            ),
            Check(
                "bits",
                "exhaustive",
                "all data of at most {size} rows of two bits and a label, all 19 structures, every record added",
                rises,
                bits,
                2,
                5,
            ),
            Check(
                "random",
                "property",
                "{size} random cases in domains with categories, missing values and levels",
                rises,
                random_rises,
                20,
                400,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers"),
        uses=("lem-mixed-loss",),
    ),
    Claim(
        "lem-greedy-jump",
        status="proved+checked",
        code=("fdpedu.cart.least_loss",),
        checks=(
            Check(
                "jumps",
                "exact",
                "four cells of 1 to {size} rows each, and a record that is added",
                jumps,
                heaps,
                100,
                10_000,
            ),
        ),
        assumptions=(ADD_REMOVE,),
        uses=("lem-least-loss",),
    ),
)

_OF = "fdpedu.cart.least_loss"
TWINS = (
    Broken(
        "a threshold must divide rows",
        f"{_OF}._of_splits",
        "return np.asarray(left + right)",
        "sizes = [counts.on((*path, (structure.feature, at))).sum(axis=-1) for at in (True, False)]; "
        "return np.where(sizes[0] * sizes[1] > 0, left + right, 10**6)",
        "A threshold with an empty side divides nothing.",
        "lem-least-loss",
        "bits",
    ),
    Broken(
        "thresholds one node after the other",
        f"{_OF}._of_splits",
        "return np.asarray(left + right)",
        "tables = [counts.on((*path, (structure.feature, at))) for at in (True, False)]; "
        "own = sum(leaf_losses(table, 'squared', 10**4) for table in tables); "
        "return np.where(own == own.min(axis=-1, keepdims=True), left + right, 10**9)",
        "CART chooses a node's threshold before those below it, and so do we.",
        "lem-greedy-jump",
        "jumps",
    ),
    Broken(
        "levels counted in whole steps",
        f"{_OF}._squares",
        "return steps // max(1, places[-1] ** 2)",
        "return steps",
        "A level is an integer, so its distance is one, too.",
        "lem-least-loss",
        "few rows",
    ),
    Broken(
        "all strings are structures",
        "fdpedu.cart.structures.count_structures",
        "count = 1 + p * count * count",
        "count = (p + 1) * count * count",
        "Each entry is one of p features or none.",
        "lem-phenotypes",
        "counted",
    ),
)
