"""What do exact scores tell of the rows? Counted, on data of two bits and a label.

The server knows for each of the 19 structures of depth at most 2 over two bits with how few errors it can be fitted to
a party's rows. On bits a threshold is no choice: there is one with two sides, and it is never worse than none, so
these least errors are also the errors at the thresholds that CART finds when both sides must hold rows. If the number
of rows is known, errors and accuracies tell the same.

Everything here is a count over all data sets of so many rows. How they are weighted is said with each function: for
:func:`score_leakage` every set of rows, regardless of their order, counts once; for :func:`membership_advantage` the
rows are independent and uniform.

Not guaranteed: anything about other data. Real rows have more than two bits, and structures that tell more.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any

from fdpedu.exact import as_integer, as_list

Cell = tuple[int, int]
Row = tuple[int, int, int]
CELLS: tuple[Cell, ...] = tuple(product((0, 1), (0, 1)))
ROWS: tuple[Row, ...] = tuple(product((0, 1), (0, 1), (0, 1)))
"""All rows: two bits and a label."""
MAX_ROWS = 8


@dataclass(frozen=True)
class Leakage:
    """How much the scores of all 19 structures tell of n rows.

    Attributes
    ----------
    data_sets : of n rows, without regard to their order: (n + 7)!/(n! 7!)
    vectors : different lists of scores among them
    bits : that the scores tell of a data set, if all are equally likely
    of_bits : log₂ of the number of data sets, all there is to tell
    """

    data_sets: int
    vectors: int
    bits: float
    of_bits: float


def _partitions(cells: tuple[Cell, ...], depth: int) -> Iterator[tuple[tuple[Cell, ...], ...]]:
    """The leaves, as sets of cells, of each structure of at most this depth: 1, 3, 19 of them."""
    yield (cells,)
    for feature in (0, 1) if depth else ():
        low, high = (tuple(cell for cell in cells if cell[feature] == side) for side in (0, 1))
        for left, right in product(_partitions(low, depth - 1), list(_partitions(high, depth - 1))):
            yield left + right


STRUCTURES = tuple(_partitions(CELLS, 2))
"""For each of the 19 structures the cells (x₀, x₁) of each of its leaves; the first structure is one leaf."""


def score_vector(rows: Iterable[Any]) -> tuple[int, ...]:
    """The least number of errors of each of the 19 structures on the rows, in the order of :data:`STRUCTURES`.

    Parameters
    ----------
    rows : triples (x₀, x₁, y) of 0 and 1; there may be none

    Examples
    --------
    >>> score_vector([(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 1)])
    (2, 2, 2, 1, 2, 2, 1, 1, 1, 0, 2, 1, 2, 1, 0, 1, 2, 1, 2)
    """
    return _errors(Counter(_as_row(row) for row in as_list(rows, "rows")))


def _as_row(row: object) -> Row:
    values = as_list(row, "a row")
    if len(values) != 3:
        raise ValueError(f"a row must be two bits and a label, got {len(values)} values")
    first, second, label = (as_integer(value, "a row", minimum=0, maximum=1) for value in values)
    return first, second, label


def _errors(counts: Counter[Row]) -> tuple[int, ...]:
    return tuple(
        sum(min(sum(counts[(*cell, label)] for cell in leaf) for label in (0, 1)) for leaf in leaves)
        for leaves in STRUCTURES
    )


@cache
def _all_scores(n_rows: int) -> tuple[tuple[Counter[Row], tuple[int, ...]], ...]:
    """Each data set as counts of its rows, with its scores."""
    found = (Counter(rows) for rows in combinations_with_replacement(ROWS, n_rows))
    return tuple((counts, _errors(counts)) for counts in found)


def score_leakage(n_rows: int) -> Leakage:
    """What the 19 scores tell of a data set of two bits and a label, every set of rows being equally likely.

    Claims: lem-leakage

    Parameters
    ----------
    n_rows : from 1 to 8, public

    Examples
    --------
    >>> score_leakage(4).vectors, score_leakage(4).data_sets
    (33, 330)
    >>> found = score_leakage(6)
    >>> round(found.bits, 2), round(found.of_bits, 2)
    (5.31, 10.74)
    """
    n = as_integer(n_rows, "n_rows", minimum=1, maximum=MAX_ROWS)
    alike = Counter(scores for _, scores in _all_scores(n))
    total = alike.total()
    of_bits = math.log2(total)
    left = math.fsum(count / total * math.log2(count) for count in alike.values())
    return Leakage(total, len(alike), of_bits - left, of_bits)


def membership_advantage(n_rows: int) -> Fraction:
    """How much better than guessing the best adversary says whether a given row is in the data, from the 19 scores.

    n rows are drawn, independent and uniform among the eight. A coin decides whether the adversary is given one of
    them, each with probability 1/n, or a row that is drawn like them and apart from them. Its advantage is
    Pr[it says "in" of a row from the data] − Pr[it says "in" of the other], and the best one's is the total variation
    distance between the two laws of (row, scores). An adversary without scores has 0, one that sees the rows more.

    Parameters
    ----------
    n_rows : from 1 to 8, known to the adversary

    Examples
    --------
    >>> membership_advantage(2), membership_advantage(4)
    (Fraction(1, 8), Fraction(5, 64))
    """
    n = as_integer(n_rows, "n_rows", minimum=1, maximum=MAX_ROWS)
    difference: Counter[tuple[Row, tuple[int, ...]]] = Counter()  # times 8·n·8^n
    for counts, scores in _all_scores(n):
        orders = math.factorial(n) // math.prod(map(math.factorial, counts.values()))
        for row in ROWS:
            difference[row, scores] += orders * (len(ROWS) * counts[row] - n)
    return Fraction(sum(map(abs, difference.values())), 2 * len(ROWS) * n * len(ROWS) ** n)


def last_row(scores: Iterable[Any], known: Iterable[Any]) -> list[Row]:
    """The values that one unknown row can have, for a server that knows the scores and all other rows.

    Claims: lem-leakage

    Parameters
    ----------
    scores : the 19 least errors of all rows, as :func:`score_vector` has them
    known : all rows but one

    Raises
    ------
    ValueError
        If no row fits: then the scores are not those of the known rows and one more.

    Examples
    --------
    >>> rows = [(0, 0, 0), (0, 0, 0), (0, 1, 1), (0, 1, 1), (1, 0, 1), (1, 0, 1), (1, 1, 0), (1, 1, 0)]
    >>> last_row(score_vector([*rows, (0, 1, 0)]), rows)
    [(0, 1, 0)]
    """
    errors = tuple(as_integer(value, "scores", minimum=0) for value in as_list(scores, "scores"))
    if len(errors) != len(STRUCTURES):
        raise ValueError(f"scores must be those of {len(STRUCTURES)} structures, got {len(errors)}")
    counts = Counter(_as_row(row) for row in as_list(known, "known"))
    fitting = [row for row in ROWS if _errors(counts + Counter([row])) == errors]
    if not fitting:
        raise ValueError("scores must be those of the known rows and one more; no row fits")
    return fitting
