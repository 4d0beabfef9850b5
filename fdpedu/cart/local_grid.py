"""What every feature of a party's rows leaves at least, on a public grid: all features at once, as integers.

The histograms of all features stand one after the other in one table, as a party counts them for a node. For each
feature this finds ⌊m·F⌋, F the least n·G over the splits of :func:`local_best_impurity`: the same number, without a
fraction for each split. Integers of 64 bits are enough for most tables. For more rows, floats with a bound on their
error leave out the splits that are certainly not the best, and integers of any length decide among the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fdpedu.cart.grid import by_share
from fdpedu.cart.local import MAX_SUBSETS_OF, count_table, subsets
from fdpedu.cart.split import Counts
from fdpedu.domain import Domain
from fdpedu.exact import Integers, as_indices, as_integer, require_type

MAX_LATTICE = 2**16  # steps of 1; an insider's loss is computed for up to 100,000
_MAX_TOTAL = 2**62  # m times all counts
_MAX_PRODUCT = 2**65  # m·n³: four times what a numerator below is less than
_ROUNDING = 2.0**-52  # of a float, twice


@dataclass(frozen=True)
class Layout:
    """The orders in which features' codes are gone through, one after the other, and how the splits of each are found.

    A feature has one order, or two if it is ordered and has a code for missing values.

    Parameters
    ----------
    codes : the codes of all orders, as places among all features' codes; None if they are these as they stand
    first : the place of each order's first code
    last : of its last
    of : for each place, its order
    by_share : the orders of categories, by their share of the second of two classes
    in_subsets : those of categories whose subsets are all tried, as there are more classes
    of_feature : for each feature, its first order; None if each feature has one
    """

    codes: NDArray[np.intp] | None

    first: NDArray[np.intp]
    last: NDArray[np.intp]
    of: NDArray[np.intp]
    by_share: tuple[int, ...]
    in_subsets: tuple[int, ...]
    of_feature: NDArray[np.intp] | None


@lru_cache(maxsize=16)
def layout_of(domain: Domain) -> Layout:
    """The layout of a domain's tables.

    Raises
    ------
    ValueError
        If a feature has so many categories that not all subsets of them can be tried.
    """
    many, start = domain.n_classes > 2, 0
    orders, lists, of_feature = list[NDArray[np.intp]](), list[int](), list[int]()
    for feature in domain.features:
        if many and not feature.ordered and feature.n_codes > MAX_SUBSETS_OF:
            raise ValueError(
                f"for lower bounds with more than two classes, a feature may have at most {MAX_SUBSETS_OF} "
                f"categories; {feature.name!r} has {feature.n_codes}: merge some of them, or give them a public order"
            )
        of_feature.append(len(orders))
        if not feature.ordered:
            lists.append(len(orders))
        orders += [start + np.array(order, dtype=np.int64) for order in feature.orders or [range(feature.n_codes)]]
        start += feature.n_codes
    sizes = [len(order) for order in orders]
    ends = np.cumsum(np.array(sizes, dtype=np.intp))
    of = np.repeat(np.arange(len(sizes), dtype=np.int64), as_indices(sizes))
    shares, subsets = ((), tuple(lists)) if many else (tuple(lists), ())
    alone = len(orders) == len(domain.features)
    places = None if alone else np.concatenate(orders)
    firsts = None if alone else np.array(of_feature, dtype=np.intp)
    return Layout(places, ends - sizes, ends - 1, of, shares, subsets, firsts)


def local_impurity_steps(table: ArrayLike, domain: Domain, lattice: int) -> Integers:
    """⌊m·F⌋ for each feature, F the least n·G over its splits on the grid: integers of shape (p,).

    The splits are those of :func:`local_best_impurity`: all borders of bins, with missing values on either side, all
    subsets of categories, and the division with all rows on one side.

    Claims: thm-node-bounds, lem-missing-code

    Parameters
    ----------
    table : the class × bin counts of all features, one after the other, shape (Σ codes, classes): integers ≥ 0 that
        add up to at most 2**53, and m times their sum to at most 2**62
    domain : of the features and classes; for more than two classes a feature has at most 14 categories
    lattice : m, from 1 to 2**16

    Examples
    --------
    >>> from fdpedu.domain import Numeric
    >>> ages = Domain([Numeric.grid("age", 0, 40, bins=4), Numeric.grid("dose", 0, 2, bins=2)], ("well", "ill"))
    >>> local_impurity_steps([[2, 0], [2, 1], [0, 2], [0, 0], [4, 3], [0, 0]], ages, 10).tolist()
    [8, 17]
    """
    require_type(domain, Domain, "domain")
    steps = as_integer(lattice, "lattice", minimum=1, maximum=MAX_LATTICE)
    layout, cells = layout_of(domain), count_table(table)
    if cells.shape != (domain.n_codes, domain.n_classes):
        expected = (domain.n_codes, domain.n_classes)
        raise ValueError(
            f"table must be counts of shape {expected}, all features' codes and classes; got {cells.shape}"
        )
    if int(cells.sum()) * steps > _MAX_TOTAL:
        raise ValueError(f"table must be of so few rows that {steps} times the sum of its counts is at most 2**62")
    return steps_of(cells, layout, steps)


def steps_of(cells: Counts, layout: Layout, lattice: int) -> Integers:
    """:func:`local_impurity_steps` of counts that are known to be such a table.

    Claims: thm-node-bounds
    """
    if layout.codes is not None:
        cells = cells.take(as_indices(layout.codes), axis=0)
    elif layout.by_share:
        cells = cells.copy()
    for j in layout.by_share:
        codes = slice(layout.first[j], layout.last[j] + 1)
        cells[codes] = cells[codes][by_share(cells[None, codes], 1)[0]]
    left = np.cumsum(cells.T, axis=1)
    ends = left.take(as_indices(layout.last), axis=1)
    totals = ends.copy()
    totals[:, 1:] -= ends[:, :-1]
    left -= (ends - totals).take(as_indices(layout.of), axis=1)
    most = int(totals.sum(axis=0).max())
    steps = _least(left, totals.take(as_indices(layout.of), axis=1) - left, layout.first, lattice, most)
    for j in layout.in_subsets:
        own = cells[layout.first[j] : layout.last[j] + 1]
        held = own[own.any(axis=1)]  # a category without rows changes no side
        sides = (subsets(max(len(held), 1)) @ (held if len(held) else own[:1])).T
        steps[j] = _least(sides, totals[:, j : j + 1] - sides, np.zeros(1, dtype=np.intp), lattice, most)[0]
    return steps if layout.of_feature is None else np.minimum.reduceat(steps, as_indices(layout.of_feature))


def _least(left: Counts, right: Counts, first: NDArray[np.intp], lattice: int, most: int) -> Integers:
    """The least ⌊m·n·G⌋ in each group of divisions of at most ``most`` rows, (C, N) counts on either side.

    ``first`` are the places at which the groups begin.
    """
    if lattice * most**3 <= _MAX_PRODUCT:
        return np.minimum.reduceat(_in_steps(left, right, lattice), as_indices(first))
    ends = [*first[1:].tolist(), left.shape[1]]
    found = [
        _least_of_many(left[:, start:end], right[:, start:end], lattice)
        for start, end in zip(first.tolist(), ends, strict=True)
    ]
    return np.array(found, dtype=np.int64)


def _in_steps(left: NDArray[Any], right: NDArray[Any], lattice: int) -> NDArray[Any]:
    """⌊m·n·G⌋ of each division: n·G = (n·a·b − b·Σl² − a·Σr²)/(2·a·b) for a and b rows; an empty side has no term."""
    n_left, n_right = sum(left), sum(right)  # class by class: faster than along an axis, and for long integers, too
    a, b = np.maximum(n_left, 1), np.maximum(n_right, 1)
    kept = b * sum(c * c for c in left) + a * sum(c * c for c in right)
    both = a * b
    return np.asarray(((n_left + n_right) * both - kept) * lattice // (2 * both))


def _least_of_many(left: Counts, right: Counts, lattice: int) -> int:
    """The same for one feature and any number of rows: floats leave few divisions, long integers decide."""
    sides = left.astype(float), right.astype(float)
    rows = [side.sum(axis=0) for side in sides]
    kept = sum((side * side).sum(axis=0) / np.maximum(n, 1) for side, n in zip(sides, rows, strict=True))
    error = float(rows[0][0] + rows[1][0]) * (len(left) + 4) * _ROUNDING  # of what is kept, at most
    near = np.unique(np.concatenate([left, right])[:, kept >= kept.max() - 2 * error], axis=1).astype(object)
    return int(_in_steps(near[: len(left)], near[len(left) :], lattice).min())
