"""What do exact scores tell of the rows? Counted, on data of two bits and a label.

A party sends for each of the 19 structures of depth at most 2 over two bits the macro F1 of the tree that CART makes of
it on the party's rows. On bits there is one threshold. A node becomes a leaf where its rows have one class, or are
alike in the feature that the structure asks for, even if what stands below could divide them: so these trees do not
always make the fewest errors that the structure allows.

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

from fdpedu.cart.structures import Structure
from fdpedu.exact import as_fraction, as_integer, as_list

Row = tuple[int, int, int]
Scores = tuple[Fraction, ...]
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


def _of_depth(most: int) -> Iterator[Structure]:
    """All structures of at most this depth, the leaf first: 1, 3, 19 of them."""
    yield Structure()
    for feature in (0, 1) if most else ():
        yield from (Structure(feature, *sides) for sides in product(list(_of_depth(most - 1)), repeat=2))


STRUCTURES = tuple(_of_depth(2))
"""The 19 structures; the first is one leaf."""


def score_vector(rows: Iterable[Any]) -> Scores:
    """The macro F1 of each of the 19 structures on the rows by which it was fitted, in the order of :data:`STRUCTURES`.

    Parameters
    ----------
    rows : at least one triple (x₀, x₁, y) of 0 and 1

    Examples
    --------
    >>> scores = score_vector([(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 1)])
    >>> [str(score) for score in scores[:4]], str(scores[9])
    (['1/3', '1/3', '1/3', '11/15'], '1')
    """
    counts = Counter(_as_row(row) for row in as_list(rows, "rows"))
    if not counts:
        raise ValueError("rows must be at least one, got none")
    return _scores(counts)


def _as_row(row: object) -> Row:
    values = as_list(row, "a row")
    if len(values) != 3:
        raise ValueError(f"a row must be two bits and a label, got {len(values)} values")
    first, second, label = (as_integer(value, "a row", minimum=0, maximum=1) for value in values)
    return first, second, label


def _scores(counts: Counter[Row]) -> Scores:
    return tuple(_macro_f1(_leaves(counts, structure)) for structure in STRUCTURES)


def _leaves(counts: Counter[Row], structure: Structure) -> list[tuple[int, int]]:
    """The rows of either class in each leaf of CART's tree."""
    well, ill = (sum(n for row, n in counts.items() if row[2] == label) for label in (0, 1))
    if structure.feature is not None and well and ill:
        sides = [Counter({row: n for row, n in counts.items() if row[structure.feature] == side}) for side in (0, 1)]
        if all(sides):
            return [leaf for side, below in zip(sides, structure.sides, strict=True) for leaf in _leaves(side, below)]
    return [(well, ill)]


def _macro_f1(leaves: list[tuple[int, int]]) -> Fraction:
    """A leaf says the class of most of its rows, of equals the first; F1 is 2·right/(rows of the class + said)."""
    right, named = [0, 0], [0, 0]
    for well, ill in leaves:
        said = int(ill > well)
        right[said] += (well, ill)[said]
        named[said] += well + ill
        named = [named[0] + well, named[1] + ill]
    of_class = [Fraction(2 * a, b) for a, b in zip(right, named, strict=True) if b]
    return sum(of_class, Fraction()) / len(of_class)


@cache
def _all_scores(n_rows: int) -> tuple[tuple[Counter[Row], Scores], ...]:
    """Each data set as counts of its rows, with its scores."""
    found = (Counter(rows) for rows in combinations_with_replacement(ROWS, n_rows))
    return tuple((counts, _scores(counts)) for counts in found)


def score_leakage(n_rows: int) -> Leakage:
    """What the 19 scores tell of a data set of two bits and a label, every set of rows being equally likely.

    Claims: lem-leakage

    Parameters
    ----------
    n_rows : from 1 to 8, public

    Examples
    --------
    >>> score_leakage(4).vectors, score_leakage(4).data_sets
    (62, 330)
    >>> found = score_leakage(6)
    >>> round(found.bits, 2), round(found.of_bits, 2)
    (7.01, 10.74)
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
    (Fraction(0, 1), Fraction(147, 1024))
    """
    n = as_integer(n_rows, "n_rows", minimum=1, maximum=MAX_ROWS)
    difference: Counter[tuple[Row, Scores]] = Counter()  # times 8·n·8^n
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
    scores : the 19 macro F1 of all rows, as :func:`score_vector` has them
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
    told = tuple(as_fraction(value, "scores") for value in as_list(scores, "scores"))
    if len(told) != len(STRUCTURES):
        raise ValueError(f"scores must be those of {len(STRUCTURES)} structures, got {len(told)}")
    counts = Counter(_as_row(row) for row in as_list(known, "known"))
    fitting = [row for row in ROWS if _scores(counts + Counter([row])) == told]
    if not fitting:
        raise ValueError("scores must be those of the known rows and one more; no row fits")
    return fitting
