"""The bounds of a node as one vector, and as integers on a lattice."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np

from fdpedu.bounds import joint_sensitivity, lattice_bound, local_bound
from fdpedu.claims.bounds.local import ADD_REMOVE, CONVENTION, EXACT, FAMILY, SHAPES, Table, added, small_tables
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Rows


def vector(rows: Rows, record: tuple[int, ...]) -> None:
    """All bounds of one party move the same way; together by at most what is stated for each norm.

    The last item of a row is its class (of three); the others are codes of features with two bins.
    """
    p = len(record) - 1
    before, after = (bounds_of(data, p) for data in (rows, [*rows, record]))
    changes = [b - a for a, b in zip(before, after, strict=True)]
    require(min(changes) >= 0, f"the bounds change by {changes}")
    norms = {"l1": sum(changes), "l2 squared": sum(c * c for c in changes), "linf": max(changes)}
    for norm, value in norms.items():
        require(value < joint_sensitivity(p, norm), f"in {norm} the bounds change by {value}")


def vector_tight(p: int, n: int) -> None:
    """Next to n rows that agree in every feature, a record of another class moves the p bounds by p·n/(n+1) together.

    So no constant that is less than the stated ones holds for all n.
    """
    before, after = bounds_of([(0,) * p + (1,)] * n, p), bounds_of([(0,) * p + (1,)] * n + [(0,) * p + (2,)], p)
    changes = [b - a for a, b in zip(before, after, strict=True)]
    found = {"l1": sum(changes), "l2 squared": sum(c * c for c in changes), "linf": max(changes)}
    share = Fraction(n, n + 1)
    for norm, value in found.items():
        least = joint_sensitivity(p, norm) * (share**2 if norm == "l2 squared" else share)
        require(value == least, f"in {norm} they change by {value}, not by {least}")


def bounds_of(rows: Rows, p: int) -> list[Fraction]:
    """The bound of each feature of two bins, for rows of three classes."""
    tables = np.zeros((p, 2, 3), dtype=np.int64)
    for *codes, c in rows:
        tables[np.arange(p, dtype=np.int64), codes, c] += 1
    return [local_bound(table) for table in tables]


def on_lattice(table: Table, lattice: int) -> None:
    """⌊m·F⌋ is at most m·F, and less than 1 below it; every record raises it by 0, 1, … or m."""
    start, exact = lattice_bound(table, lattice), lattice * local_bound(table)
    require(isinstance(start, int) and start <= exact < start + 1, f"m·F is {exact}, on the lattice {start}")
    for code, c in product(range(len(table)), range(len(table[0]))):
        change = lattice_bound(added(table, code, c), lattice) - start
        require(0 <= change <= lattice, f"a record of class {c} at code {code} changes it by {change}")


def data_sets(p: int, most: int) -> Iterator[tuple[Rows, tuple[int, ...]]]:
    """All data sets of at most so many rows of p features with two bins and three classes, with every new record."""
    universe = list(product(*[range(2)] * p, range(3)))
    for n in range(most + 1):
        yield from product(combinations_with_replacement(universe, n), universe)


CLAIMS = (
    Claim(
        "lem-bounds-vector",
        status="proved+checked",
        code=("fdpedu.bounds.local.joint_sensitivity",),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                "all data of at most {size} records with two features of two bins, three classes, every record added",
                vector,
                lambda most: data_sets(2, most),
                2,
                4,
            ),
            Check(
                "tight",
                "exact",
                "1 to 5 features, up to {size} rows: rows that are alike move them by p·n/(n+1)",
                vector_tight,
                lambda n: product(range(1, 6), (1, 10, n)),
                100,
                10_000,
            ),
        ),
        assumptions=(CONVENTION, FAMILY, ADD_REMOVE, EXACT),
        uses=("lem-local-bound",),
    ),
    Claim(
        "lem-lattice-bound",
        status="proved+checked",
        code=("fdpedu.bounds.local.lattice_bound",),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                f"all tables of {SHAPES} with at most {{size}} rows, m = 1, 2, 7 and 1000, with every record added",
                on_lattice,
                lambda most: ((table, m) for (table,) in small_tables(most) for m in (1, 2, 7, 1000)),
                3,
                6,
            ),
        ),
        assumptions=(CONVENTION, FAMILY, ADD_REMOVE, EXACT),
        uses=("lem-local-bound", "thm-impurity-lower-bound"),
    ),
)

TWINS = (
    Broken(
        "5/4 for all bounds of a node",
        "fdpedu.bounds.local.joint_sensitivity",
        "else p * SENSITIVITY",
        "else REPORT_SENSITIVITY",
        "The sensitivity of the bounds is 5/4, and a record is one record, however many features it has.",
        "lem-bounds-vector",
        "neighbours",
    ),
    Broken(
        "a bound rounded up",
        "fdpedu.bounds.local.lattice_bound",
        "math.floor",
        "math.ceil",
        "Rounding costs at most one step, on either side.",
        "lem-lattice-bound",
        "neighbours",
    ),
)
