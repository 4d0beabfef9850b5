"""Changes of the local bound for which one record matters more."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from fdpedu.bounds import (
    REPORT_SENSITIVITY,
    bound_with_fields_gini,
    bound_with_least_rows,
    entropy_increment,
    half_gini_score,
    local_bound,
)
from fdpedu.claims.bounds.local import (
    ADD_REMOVE,
    CONVENTION,
    EXACT,
    FAMILY,
    SHAPES,
    Table,
    added,
    rows_of,
    small_tables,
    tables,
)
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.exact import log_enclosure


def fields_gini(table: Table) -> None:
    """The report's constant, for 2p̂(1−p̂)."""
    start = bound_with_fields_gini(table)
    for code, c in product(range(len(table)), range(len(table[0]))):
        change = bound_with_fields_gini(added(table, code, c)) - start
        require(change <= REPORT_SENSITIVITY, f"a record of class {c} in bin {code} changes it by {change}")


def least_rows(table: Table, least: int, most: Fraction | None = None) -> None:
    """With at least m rows on each side, a record moves the bound by less than max(1, m − 1); or by ``most``."""
    limit = Fraction(max(1, least - 1)) if most is None else most
    start, n = bound_with_least_rows(table, least), sum(map(sum, table))
    require(start == _least_with_rows(table, least), f"by definition it is {_least_with_rows(table, least)}")
    for code, c in product(range(len(table)), range(len(table[0]))):
        change = bound_with_least_rows(added(table, code, c), least) - start
        require(abs(change) < limit, f"of {n} rows, a record of class {c} in bin {code} changes it by {change}")
        require(change <= Fraction(n, n + 1), f"upwards it changes by {change}")


def _least_with_rows(table: Table, least: int) -> Fraction:
    """The same by its definition, from rows."""
    rows = rows_of(table)
    found = []
    for border in range(1, len(table)):
        sides = [[c for code, c in rows if (code < border) == left] for left in (True, False)]
        if min(map(len, sides)) >= least:
            counts = [[side.count(c) for c in range(len(table[0]))] for side in sides]
            found.append(half_gini_score(counts[0]) + half_gini_score(counts[1]))
    return min(found, default=half_gini_score([sum(c) for c in zip(*table, strict=True)]))


def least_rows_tight(least: int, n: int) -> None:
    """m − 1 rows of one class against n of another: the m-th moves the bound by (m−1)·n/(m−1+n), to 0."""
    before, after = ([[least - 1 + more, 0], [0, n]] for more in (0, 1))
    change = bound_with_least_rows(before, least) - bound_with_least_rows(after, least)
    require(change == Fraction((least - 1) * n, least - 1 + n), f"the m-th row moves it by {change}")


def least_rows_of_one(table: Table, least: int) -> None:
    """The lemma's constant for a bound with a least number of rows on each side."""
    least_rows(table, least, Fraction(1))


def non_empty_or_zero(table: Table) -> None:
    """ "Both sides non-empty, and 0 where there is no such border": less than 1 for each record?"""
    start = bound_with_least_rows(table, 1, none="zero")
    for code, c in product(range(len(table)), range(len(table[0]))):
        change = abs(bound_with_least_rows(added(table, code, c), 1, none="zero") - start)
        require(change < 1, f"a record of class {c} in bin {code} changes it by {change}")


def non_empty(table: Table) -> None:
    """With the node's own impurity where there is no such border, "both sides non-empty" changes nothing."""
    found = bound_with_least_rows(table, 1)
    require(found == local_bound(table), f"it is {found}, the bound {local_bound(table)}")


def zero_tight(n: int) -> None:
    """n rows of each class in one bin: the first row elsewhere moves "0 without a border" by n/2, rows/4."""
    before, after = (bound_with_least_rows([[n, n], [more, 0]], 1, none="zero") for more in (0, 1))
    require(after - before == Fraction(n, 2), f"the first row elsewhere moves it by {after - before}")


def entropy_grows(n: int) -> None:
    """The increment is more than 1 + ln n and less than 1 + ln(n+1), so it passes every constant."""
    found = entropy_increment(n)
    low, high = (1 + log_enclosure(Fraction(rows)) for rows in (n, n + 1))
    require(low.upper < found.lower and found.upper < high.lower, f"{found!r} is not within {low!r} and {high!r}")


def tables_with_least(most: int) -> Iterator[tuple[Table, int]]:
    """Tables of two bins and classes, and of three with three rows fewer, each with m = 1 to 4."""
    for bins, rows in ((2, most), (3, most - 3)):
        yield from ((table, m) for (table,) in tables(bins, bins, rows) for m in range(1, 5))


CLAIMS = (
    Claim(
        "lem-least-rows",
        status="proved+checked",
        code=("fdpedu.bounds.traps.bound_with_least_rows",),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                "two bins and classes, at most {size} rows, three of each, three rows fewer: m = 1 to 4, every record",
                least_rows,
                tables_with_least,
                6,
                10,
                more=[([(6, 0), (1, 4), (3, 3)], 4), ([(2, 2), (5, 1)], 3), ([(0, 6), (1, 1), (2, 0), (4, 4)], 6)],
            ),
            Check(
                "tight",
                "exact",
                "m from 2 to 10, next to 10, 100 and {size} rows",
                least_rows_tight,
                lambda n: product(range(2, 11), (10, 100, n)),
                10_000,
            ),
            Check(
                "m = 1",
                "exhaustive",
                f"all tables of {SHAPES}, at most {{size}} rows",
                non_empty,
                small_tables,
                4,
                7,
                more=lambda draw: draw.tuples(draw.lists(draw.nodes(6), 1, 4)),
            ),
        ),
        assumptions=(CONVENTION, ADD_REMOVE, "a public grid", EXACT),
        uses=("lem-local-bound",),
    ),
    Claim(
        "local-bound-with-least-rows",
        status="refuted as stated",
        code=("fdpedu.bounds.traps.bound_with_least_rows",),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                f"all tables of {SHAPES} with at most {{size}} rows, m = 2, 3 and 4, with every record added",
                least_rows_of_one,
                lambda most: ((table, m) for (table,) in small_tables(most) for m in (2, 3, 4)),
                7,
            ),
        ),
        assumptions=(CONVENTION, ADD_REMOVE, "a public grid", EXACT),
        corrected_by="lem-least-rows",
    ),
    Claim(
        "non-empty-sides-or-nothing",
        status="refuted as stated",
        code=("fdpedu.bounds.traps.bound_with_least_rows",),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                f"all tables of {SHAPES} with at most {{size}} rows, with every record added",
                non_empty_or_zero,
                small_tables,
                4,
            ),
        ),
        assumptions=(CONVENTION, ADD_REMOVE, "a public grid", EXACT),
        corrected_by="lem-least-rows",
    ),
    Claim(
        "five-quarters-of-the-fields-gini",
        status="refuted as stated",
        code=("fdpedu.bounds.traps.bound_with_fields_gini",),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                f"all tables of {SHAPES} with at most {{size}} rows, with every record added",
                fields_gini,
                small_tables,
                4,
            ),
        ),
        assumptions=("Gini: $1-\\sum_c\\hat p_c^2$, twice the report's", FAMILY, ADD_REMOVE, EXACT),
        corrected_by="lem-five-quarters",
    ),
    Claim(
        "lem-entropy",
        status="proved+checked",
        code=("fdpedu.bounds.traps.entropy_increment",),
        checks=(
            Check(
                "grows",
                "exact",
                "n = 1, 10, …, 10 to the power of {size}: between 1 + ln n and 1 + ln(n+1), by enclosures",
                entropy_grows,
                lambda most: ((10**k,) for k in range(most + 1)),
                6,
                9,
            ),
        ),
        assumptions=("natural logarithms", ADD_REMOVE, EXACT),
    ),
)

TWINS = (
    Broken(
        "nothing where no split is allowed",
        "fdpedu.bounds.traps.bound_with_least_rows",
        'node if none == "node" else Fraction(0)',
        "Fraction(0)",
        "The minimum over no splits is 0.",
        "lem-least-rows",
        "m = 1",
    ),
    Broken(
        "rows weighed as before",
        "fdpedu.bounds.traps.entropy_increment",
        "(rows + 1) * log_enclosure",
        "rows * log_enclosure",
        "A record more changes the entropy of a node, not its weight.",
        "lem-entropy",
        "grows",
    ),
)
