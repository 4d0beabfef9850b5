"""Checks of chapter 9: rows with weights, scores of sensitivity 1, and changes of the bound that break the lemma."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from fdpedu.bounds import (
    REPORT_SENSITIVITY,
    LossScore,
    bound_with_fields_gini,
    bound_with_least_rows,
    entropy_increment,
    half_gini_score,
    least_score,
    local_bound,
    power_score,
)
from fdpedu.claims.bounds.laws import Table, added, rows_of, tables
from fdpedu.claims.checking import require
from fdpedu.claims.replay import bounds as ends
from fdpedu.exact import log_enclosure

ERRORS = LossScore(((0, 1), (1, 0)))


# --- weights and scores ---


def weighted(table: Sequence[Sequence[Fraction]], weight: Fraction) -> None:
    """A row of weight w next to rows of total weight N raises the bound by 0 to w·N/(N+w), for several classes."""
    start, total = least_score(table, half_gini_score), sum(map(sum, table), Fraction(0))
    most = weight * total / (total + weight)
    for code, c in product(range(len(table)), range(len(table[0]))):
        more = [[w + weight * (i == code and j == c) for j, w in enumerate(row)] for i, row in enumerate(table)]
        change = least_score(more, half_gini_score) - start
        require(0 <= change <= most < weight, f"a row of weight {weight} changes it by {change}, at most {most}")


def whole_weights(table: Table) -> None:
    """With weights 1 it is the local bound."""
    found = least_score(table, half_gini_score)
    require(found == local_bound(table), f"with weights 1 it is {found}, the bound {local_bound(table)}")


def loss_score(losses: Sequence[Sequence[Fraction]], table: Sequence[Sequence[int]]) -> None:
    """The score is the least loss of a prediction; a record raises it, and the best border's, by 0 to 1."""
    score = LossScore(tuple(map(tuple, losses)))
    node = [sum(row) for row in zip(*table, strict=True)]
    costs = [sum((loss * n for loss, n in zip(row, node, strict=True)), Fraction(0)) for row in losses]
    require(score(node) == min(costs), f"the predictions cost {costs}, the score is {score(node)}")
    start = least_score(table, score)
    require(start <= score(node), f"the best border leaves {start}, the node has {score(node)}")
    for code, c in product(range(len(table)), range(len(table[0]))):
        change = least_score(added(table, code, c), score) - start
        require(0 <= change <= 1, f"a record of class {c} in bin {code} changes it by {change}")


def power(a: int, b: int, k: Fraction) -> None:
    """n·h_k(b/n): by its formula where k is 1 or 2; at most the errors; one more row raises it by 0 to 1."""
    at, up, right = (power_score(pair, k) for pair in ((a, b), (a + 1, b), (a, b + 1)))
    if k in (1, 2):
        formula = min(a, b) if k == 1 else Fraction(a * b, max(1, a + b))
        require(at == formula, f"n·h is {formula}, not {at}")
    low, high = ends(at)
    require(low <= ERRORS([a, b]), f"n·h is at least {float(low)}, more than the {min(a, b)} errors")
    for label, more in enumerate((up, right)):
        least, most = ends(more)
        require(most >= low and least - high <= 1, f"a row of class {label} moves it from {at!r} to {more!r}")


def power_by_squares(a: int, b: int) -> None:
    """n·h_{3/2} is the x with (n − 3x)²·n = |a − b|³: the enclosure's ends are on its two sides."""
    n, (low, high) = a + b, ends(power_score((a, b), Fraction(3, 2)))
    left, right = (max(Fraction(0), n - 3 * x) ** 2 * n for x in (low, high))
    require(right <= abs(a - b) ** 3 <= left and high - low < Fraction(1, 10**20), f"it is in [{low}, {high}]")


def steep(slope: Fraction) -> None:
    """A prediction that costs a class more than 1 is refused, because a record may then move the score as far.

    So it does for h(q) = s·min(q, 1−q), of slope s at the ends: beside 99 rows of class 0 the first of class 1 adds s.
    """
    first = 100 * slope * min(Fraction(1, 100), Fraction(99, 100))
    require((first > 1) == (slope > 1), f"the first row of class 1 raises n·h by {first}")
    try:
        LossScore(((0, slope), (slope, 0)))
    except ValueError:
        refused = True
    else:
        refused = False
    require(refused == (slope > 1), f"losses up to {slope} are {'refused' if refused else 'admitted'}")


# --- traps ---


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
