"""Checks of chapter 9: what a local bound is, how far one record moves it, and what becomes of it on a lattice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from fdpedu.bounds import (
    REPORT_SENSITIVITY,
    SENSITIVITY,
    joint_sensitivity,
    largest_increment,
    lattice_bound,
    local_bound,
    local_bounds_of_rows,
    search_near_one,
)
from fdpedu.claims.checking import require
from fdpedu.domain import Numeric

Table = Sequence[Sequence[int]]  # for each code the counts of the classes
Rows = Sequence[tuple[Any, ...]]


# --- what it is ---


def impurity(labels: Sequence[int]) -> Fraction:
    """n·½(1 − Σ p̂²) from the labels of rows, by its definition; 0 without rows."""
    n = len(labels)
    shares = [Fraction(list(labels).count(c), n) for c in set(labels)]
    return n * (1 - sum((share * share for share in shares), Fraction(0))) / 2


def rows_of(table: Table) -> list[tuple[int, int]]:
    """A table as rows (code, class)."""
    return [(code, c) for code, row in enumerate(table) for c, n in enumerate(row) for _ in range(n)]


def least_left(rows: Rows, families: Iterable[Any]) -> Fraction:
    """The least n·G of rows over a family of sets of codes that go left."""
    sides = ([[c for code, c in rows if (code in left) == goes] for goes in (True, False)] for left in families)
    return min(sum(map(impurity, pair), Fraction(0)) for pair in sides)


def definition(table: Table, ordered: bool = True) -> None:
    """The bound is the least n·G over all prefixes of the codes, or all subsets, computed from the rows."""
    codes = range(len(table))
    subsets = [{c for c in codes if bits >> c & 1} for bits in range(2 ** len(table))]
    prefixes = [set(range(k)) for k in range(len(table) + 1)]
    least, found = least_left(rows_of(table), prefixes if ordered else subsets), local_bound(table, ordered=ordered)
    require(found == least, f"the least n·G is {least}, the bound {found}")


def raw_definition(column: Sequence[float], y: Sequence[int]) -> None:
    """Of raw rows, beside another column, it is the least n·G over x ≤ t for every value t, and for t below all."""
    rows = list(zip(column, y, strict=True))
    cuts = [{x for x in column if x <= t} for t in [-np.inf, *column]]
    least = least_left(rows, cuts)
    found = local_bounds_of_rows([[0.0, x] for x in column] or np.zeros((0, 2)), list(y), 3)
    require(found == [impurity(y), least], f"the least are {impurity(y)} and {least}, the bounds {found}")


# --- one record ---


def step(table: Table, ordered: bool = True) -> None:
    """Every added record raises the bound by 0 to n/(n+1); by n/(n+1) exactly next to rows of another class, all alike.

    That is, all n rows have its bin or category, and one class, which is not its own.
    """
    start, n = local_bound(table, ordered=ordered), sum(map(sum, table))
    for code, c in product(range(len(table)), range(len(table[0]))):
        change = local_bound(added(table, code, c), ordered=ordered) - start
        alike = n == 0 or any(count == n for other, count in enumerate(table[code]) if other != c)
        require(0 <= change <= Fraction(n, n + 1) < 1, f"a record of class {c} at code {code} changes it by {change}")
        require((change == largest_increment(n)) == alike, f"class {c} at code {code} changes it by {change}")


def added(table: Table, code: int, c: int) -> list[list[int]]:
    """The table with one more row."""
    return [[n + (i == code and j == c) for j, n in enumerate(row)] for i, row in enumerate(table)]


def raw_step(column: Sequence[float], y: Sequence[int], x: float, label: int) -> None:
    """The same for raw values: a row is added to either of two columns."""
    X = [[v, float(i % 3)] for i, v in enumerate(column)]
    before = local_bounds_of_rows(X or np.zeros((0, 2)), list(y), 3)
    after = local_bounds_of_rows([*X, [x, 1.0]], [*y, label], 3)
    n = len(y)
    changes = [b - a for a, b in zip(before, after, strict=True)]
    require(all(0 <= change <= Fraction(n, n + 1) for change in changes), f"the bounds change by {changes}")


def replaced(table: Table) -> None:
    """A record in the place of another moves the bound by (n−1)/n at most; the largest is found, if rows are alike."""
    start, n, worst = local_bound(table), sum(map(sum, table)), Fraction(0)
    cells = list(product(range(len(table)), range(len(table[0]))))
    for code, c in (cell for cell in cells if table[cell[0]][cell[1]]):
        rest = [[k - (i == code and j == c) for j, k in enumerate(row)] for i, row in enumerate(table)]
        worst = max([worst, *(abs(local_bound(added(rest, *cell)) - start) for cell in cells)])
    require(worst <= Fraction(n - 1, n), f"one in another's place moves it by {worst}")
    if max(map(max, table)) == n:
        require(worst == Fraction(n - 1, n), f"of {n} rows that are alike one replaced moves it by {worst}")


def five_quarters(table: Table) -> None:
    """The report's constant, which is larger than need be."""
    start = local_bound(table)
    for code, c in product(range(len(table)), range(len(table[0]))):
        change = abs(local_bound(added(table, code, c)) - start)
        require(SENSITIVITY < REPORT_SENSITIVITY == Fraction(5, 4), f"the report's constant is {REPORT_SENSITIVITY}")
        require(change <= REPORT_SENSITIVITY, f"a record changes the bound by {change}")


def printed_chain(a: int, b: int) -> None:
    """The report's inequalities for one side with n = a+b ≥ 1 rows: each at most the next, and the last at most 5/4.

    |n·g(p) − (n+1)·g(q)| ≤ n·|g(p) − g(q)| + ¼ ≤ n·(δ − δ²) + ¼ with δ = 1/(n+1) ≤ ½, g(p) = p(1−p).
    """
    n, p = a + b, Fraction(b, a + b)
    delta = Fraction(1, n + 1)
    for label in (0, 1):
        q = Fraction(b + label, n + 1)
        g_p, g_q = p * (1 - p), q * (1 - q)
        chain = [abs(n * g_p - (n + 1) * g_q), n * abs(g_p - g_q) + Fraction(1, 4)]
        chain += [n * (delta - delta**2) + Fraction(1, 4), REPORT_SENSITIVITY]
        require(chain == sorted(chain) and delta <= Fraction(1, 2), f"with label {label} the terms are {chain}")


def search(goal: Fraction, bins: int, classes: int) -> None:
    """The search finds neighbours whose bounds differ by the goal or more, and never by 1."""
    data, neighbour, change = search_near_one(goal, bins=bins, classes=classes)
    found = local_bound(neighbour) - local_bound(data)
    require(int(np.abs(neighbour - data).sum()) == 1, "these are no neighbours")
    require(goal <= found == change < 1, f"of {int(data.sum())} rows one more makes {found}, and {change} is said")


# --- several features, and integers ---


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
        tables[np.arange(p), codes, c] += 1
    return [local_bound(table) for table in tables]


def on_lattice(table: Table, lattice: int) -> None:
    """⌊m·F⌋ is at most m·F, and less than 1 below it; every record raises it by 0, 1, … or m."""
    start, exact = lattice_bound(table, lattice), lattice * local_bound(table)
    require(isinstance(start, int) and start <= exact < start + 1, f"m·F is {exact}, on the lattice {start}")
    for code, c in product(range(len(table)), range(len(table[0]))):
        change = lattice_bound(added(table, code, c), lattice) - start
        require(0 <= change <= lattice, f"a record of class {c} at code {code} changes it by {change}")


def grid_above_raw(parties: Sequence[Sequence[tuple[float, int]]], bins: int) -> None:
    """On a public grid Σ F_k^real ≤ Σ F_k^grid ≤ n·G of every border of the grid, for all rows together."""
    feature = Numeric.grid("x", 0, bins, bins)
    real, grid = Fraction(0), Fraction(0)
    for rows in parties:
        x, y = [row[0] for row in rows], [row[1] for row in rows]
        real += local_bounds_of_rows(np.reshape(x, (-1, 1)), y, 3)[0]
        table = np.zeros((bins, 3), dtype=np.int64)
        np.add.at(table, (feature.encode(x), np.array(y, dtype=np.int64)), 1)
        grid += local_bound(table)
    everybody = [row for rows in parties for row in rows]
    cuts = [{x for x, _ in everybody if x <= t} for t in feature.edges[1:-1]]
    impurities = [least_left(everybody, [cut]) for cut in cuts]
    require(real <= grid <= min(impurities), f"raw {real}, on the grid {grid}, splits of the grid leave {impurities}")


# --- cases ---


def tables(bins: int, classes: int, most: int) -> Iterator[tuple[list[list[int]]]]:
    """All tables of that shape with at most ``most`` rows, fewest first."""
    cells = bins * classes
    for n in range(most + 1):
        for chosen in combinations_with_replacement(range(cells), n):
            flat = [chosen.count(cell) for cell in range(cells)]
            yield ([flat[i * classes : (i + 1) * classes] for i in range(bins)],)


def small_tables(most: int) -> Iterator[tuple[list[list[int]]]]:
    """Two and three bins of two classes, two bins of three; three bins of three with two rows fewer."""
    yield from (case for shape in ((2, 2), (3, 2), (2, 3)) for case in tables(*shape, most))
    yield from tables(3, 3, most - 2)


def both_kinds(most: int) -> Iterator[tuple[list[list[int]], bool]]:
    """The same tables as bins and as categories."""
    return ((table, ordered) for (table,) in small_tables(most) for ordered in (True, False))


def data_sets(p: int, most: int) -> Iterator[tuple[Rows, tuple[int, ...]]]:
    """All data sets of at most so many rows of p features with two bins and three classes, with every new record."""
    universe = list(product(*[range(2)] * p, range(3)))
    for n in range(most + 1):
        yield from product(combinations_with_replacement(universe, n), universe)


# Five categories, four classes. Of the first table no beginning in the order of a class's share is a best subset. Of
# the second the least over all such beginnings moves by more than 5/4 if a row of the last class joins the fourth.
FIVE_CATEGORIES = [[0, 0, 2, 2], [2, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]
FIVE_THAT_MOVE = [[4, 0, 0, 0], [0, 0, 9, 12], [0, 0, 0, 4], [0, 5, 0, 0], [0, 0, 6, 0]]
