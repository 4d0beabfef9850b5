"""The local bound: what it is, and how far one record moves it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.bounds import half_gini_score, largest_increment, local_bound, local_bounds_of_rows, search_near_one
from fdpedu.cart import exact_scaled_half_gini
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.noisy_counts import all_tables
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Rows

Table = Sequence[Sequence[int]]  # for each code the counts of the classes
FIVE_THAT_MOVE = [[4, 0, 0, 0], [0, 0, 9, 12], [0, 0, 0, 4], [0, 5, 0, 0], [0, 0, 6, 0]]
_MILLISECONDS = 60_000


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


def search(goal: Fraction, bins: int, classes: int) -> None:
    """The search finds neighbours whose bounds differ by the goal or more, and never by 1."""
    data, neighbour, change = search_near_one(goal, bins=bins, classes=classes)
    found = local_bound(neighbour) - local_bound(data)
    require(int(np.abs(neighbour - data).sum()) == 1, "these are no neighbours")
    require(goal <= found == change < 1, f"of {int(data.sum())} rows one more makes {found}, and {change} is said")


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


# Five categories, four classes. Of the first table no beginning in the order of a class's share is a best subset. Of
# the second the least over all such beginnings moves by more than 5/4 if a row of the last class joins the fourth.
FIVE_CATEGORIES = [[0, 0, 2, 2], [2, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]


def formula(counts: Sequence[Any]) -> Any:
    """(N² − Σ c²)/(2N), of the solver's numbers or of fractions."""
    total = sum(counts[1:], counts[0])
    return (total * total - sum((c * c for c in counts[1:]), counts[0] * counts[0])) / (2 * total)


def one_side(classes: int) -> None:
    """Fact 1, for so many classes; with w = 1 it is n/(n+1)."""
    import z3

    counts, w = z3.Reals([f"c{i}" for i in range(classes)]), z3.Real("w")
    total = z3.Sum(counts)
    given = [*(c >= 0 for c in counts), total > 0, w > 0]
    rise = formula([counts[0] + w, *counts[1:]]) - formula(counts)
    most = w * total / (total + w)
    proved(z3, given, z3.And(rise >= 0, rise <= most, most < w))
    for small in all_tables(classes, 3)[1:]:
        code = (exact_scaled_half_gini(small), half_gini_score(small))
        require(code == (formula([Fraction(c) for c in small]),) * 2, f"of {small} the code computes {code}")


def empty_side(classes: int) -> None:
    """The case that fact 1 leaves out: a side without rows, and one with a single row, have impurity 0."""
    first = [0] * classes
    for c in range(classes):
        first[c - 1], first[c] = 0, 1
        require(exact_scaled_half_gini([0] * classes) == exact_scaled_half_gini(first) == 0, f"of {first} it is not 0")


def all_splits(strictly: bool) -> None:
    """Fact 2, with "less than w", and with "at most w"."""
    import z3

    split = z3.DeclareSort("Split")
    before, after = (z3.Function(name, split, z3.RealSort()) for name in "FG")
    t, a, b = z3.Consts("t a b", split)
    w = z3.Real("w")

    def below(x: Any, y: Any) -> Any:
        return x < y if strictly else x <= y

    each = z3.And(before(t) <= after(t), below(after(t), before(t) + w))
    given = [
        z3.ForAll(t, each),
        z3.ForAll(t, before(a) <= before(t)),
        z3.ForAll(t, after(b) <= after(t)),
    ]
    least = z3.And(before(a) <= after(b), below(after(b), before(a) + w))
    proved(z3, given, least)


def proved(z3: ModuleType, given: list[Any], then: Any) -> None:
    """The solver finds a model of what is given, and none of that with the negation of what shall follow."""
    for extra, wanted in ((z3.BoolVal(True), z3.sat), (z3.Not(then), z3.unsat)):
        solver = z3.Solver()
        solver.set("timeout", _MILLISECONDS)
        solver.add(*given, extra)
        answer = solver.check()
        said = f"; its counterexample is {solver.model()}" if answer == z3.sat else ""
        require(answer == wanted, f"the solver says {answer}, wanted is {wanted}{said}")


def counts(draw: Any, most: int = 12) -> Any:
    """A strategy of tables of up to 5 bins and 4 classes."""
    shapes = draw.tuples(draw.integers(1, 5), draw.integers(2, 4))
    row = draw.integers(0, most)
    return shapes.flatmap(
        lambda shape: draw.st.lists(draw.tuples(*[row] * shape[1]), min_size=shape[0], max_size=shape[0])
    )


def raw_rows(draw: Any) -> Any:
    """A strategy of a raw column with ties, its labels of three classes, and one row more."""
    value = draw.st.sampled_from([-1e308, -0.0, 0.0, 5e-324, 0.1, 0.30000000000000004, 1.0, 1e308])
    rows = draw.st.lists(draw.tuples(value, draw.integers(0, 2)), max_size=12)
    return draw.tuples(rows, value, draw.integers(0, 2)).map(
        lambda c: ([r[0] for r in c[0]], [r[1] for r in c[0]], *c[1:])
    )


CONVENTION = r"Gini: the report's half of scikit-learn's, $\frac12(1-\sum_c\hat p_c^2)$; an empty node has impurity 0"
ADD_REMOVE = "neighbours: one record added or removed, with a party that does not change"
FAMILY = (
    "the splits are fixed before the rows: all borders of a public grid, all subsets of a public list of categories, "
    "or all real thresholds; no least number of rows on a side"
)
EXACT = "exact integer counts; no privacy, since the bounds stay with their party"
SHAPES = "up to three bins and three classes"

CLAIMS = (
    Claim(
        "lem-local-bound",
        status="proved+checked",
        code=(
            "fdpedu.bounds.local.local_bound",
            "fdpedu.bounds.local.local_bounds_of_rows",
            "fdpedu.bounds.search.largest_increment",
            "fdpedu.bounds.search.search_near_one",
            "fdpedu.cart.local.local_best_impurities",
            "fdpedu.cart.local.local_best_impurity",
        ),
        checks=(
            Check(
                "all families",
                "machine proof",
                "a solver finds no family of splits, finite or not, of which a best one moves further than each does",
                all_splits,
                lambda _: [(True,), (False,)],
            ),
            Check(
                "all counts",
                "machine proof",
                "a solver finds no counts of 2, 3 or 4 classes, and no weight, of which one side moves further",
                one_side,
                lambda _: [(2,), (3,), (4,)],
            ),
            Check("empty side", "exact", "two to four classes", empty_side, lambda _: [(2,), (3,), (4,)]),
            Check(
                "definition",
                "exhaustive",
                f"all tables of {SHAPES} with at most {{size}} rows, as bins and as categories, against their rows",
                definition,
                both_kinds,
                4,
                6,
            ),
            Check(
                "five categories",
                "exact",
                "four classes: a best subset is no beginning in the order of a class's share",
                definition,
                lambda _: [(FIVE_CATEGORIES, False)],
            ),
            Check(
                "neighbours",
                "exhaustive",
                f"all tables of {SHAPES}, at most {{size}} rows, as bins and categories, every record added",
                step,
                both_kinds,
                4,
                9,
            ),
            Check(
                "random neighbours",
                "property",
                "{size} random tables of up to five bins and four classes, with every record added",
                step,
                lambda draw: draw.tuples(counts(draw)),
                60,
                3000,
            ),
            Check(
                "raw neighbours",
                "property",
                "{size} random columns with ties, of three classes, and a row more, over all real thresholds",
                raw_step,
                raw_rows,
                80,
                3000,
            ),
            Check(
                "raw definition",
                "property",
                "{size} random columns with ties, against every threshold",
                lambda column, y, *_: raw_definition(column, y),
                raw_rows,
                80,
                3000,
            ),
            Check(
                "in another's place",
                "exhaustive",
                f"all tables of {SHAPES} with 1 to {{size}} rows, with every record replaced by every other",
                replaced,
                lambda most: (case for case in small_tables(most) if any(map(any, case[0]))),
                3,
                7,
            ),
            Check(
                "search",
                "exact",
                "a search that knows nothing of the lemma comes within 1/{size} of 1, and stays below",
                search,
                lambda n: [(1 - Fraction(1, k), bins, c) for k, bins, c in ((2, 1, 2), (9, 3, 3), (n, 2, 2))],
                100,
                1000,
            ),
        ),
        assumptions=(CONVENTION, FAMILY, ADD_REMOVE, EXACT),
        uses=("lem-increment",),
    ),
)

TWINS = (
    Broken(
        "at least two rows on a side",
        "fdpedu.cart.local.local_best_impurity",
        "left = np.cumsum(cells, axis=0)",
        "left = np.array([a for a in np.cumsum(cells, axis=0) if 1 not in (a.sum(), (total - a).sum())] or [total])",
        "The local search keeps the tree's least number of rows, since the tree will not make smaller sides anyway.",
        "lem-local-bound",
        "neighbours",
    ),
    Broken(
        "positives only",
        "fdpedu.cart.local.local_best_impurity",
        "cells = count_table(table)",
        "cells = count_table(table) * [[0, *[1] * (len(list(table)[0]) - 1)]]",
        "What a node leaves is counted in its positives (this stands in the code that the report's authors published).",
        "lem-local-bound",
        "definition",
    ),
    Broken(
        "categories in the order of their shares",
        "fdpedu.cart.local.local_best_impurity",
        "_least(subsets(len(cells)) @ cells, total)",
        "min(_least(np.cumsum(cells[np.argsort(-cells[:, c] / np.maximum(1, cells.sum(axis=1)))], axis=0), total) "
        "for c in range(cells.shape[1]))",
        "The order by a class's share holds a best subset, for three classes as for two.",
        "lem-local-bound",
        "five categories",
    ),
)
