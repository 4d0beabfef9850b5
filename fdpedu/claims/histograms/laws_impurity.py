"""Checks of chapter 7: bins, dummies, substitution, clipping, and impurity from summed and from noisy counts."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import numpy as np

from fdpedu.cart import exact_scaled_half_gini
from fdpedu.claims.checking import require
from fdpedu.claims.federations import federate
from fdpedu.claims.noisy_counts import all_tables
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ClippedWarning, Party
from fdpedu.histograms import (
    bin_as_printed,
    bin_of,
    clip,
    clipping_bias,
    impurity_as_printed,
    impurity_from_counts,
    one_hot_histograms,
    private_histogram,
    summed_impurity,
)
from fdpedu.mechanisms import discrete_laplace_pmf, discrete_laplace_tail
from fdpedu.randomness import ZeroWords

THREE = ("well", "ill", "cured")
TENTH = float(np.nextafter(0.1, 1))
AWKWARD = (-1e308, -0.1, -5e-324, 0.0, 5e-324, 0.1, TENTH, 1 / 3, 1.0, 1e308)  # ends and borders of bins
Sides = Sequence[Sequence[int]]


# --- bins ---


def one_cell(edges: Sequence[float]) -> None:
    """Each value has the one bin whose inequality it satisfies, and two parties release one count for each of them."""
    feature = Numeric("x", tuple(edges))
    values = sorted({*AWKWARD, *edges, *(float(np.nextafter(t, way)) for t in edges for way in (-np.inf, np.inf))})
    values = [x for x in values if abs(x) <= 1e308]
    codes = [_by_inequality(x, edges) for x in values]
    require(feature.encode(values).tolist() == codes, f"of {values} the bins are {codes}, not {feature.encode(values)}")
    require([bin_of(x, edges) for x in values] == codes, "the form to read gives other bins")
    for x, code in zip(values, codes, strict=True):
        _prefixes(x, code, edges)
    domain = Domain([feature], THREE)
    rows = [[x, THREE[i % 3]] for i, x in enumerate(values)]
    table = np.zeros((feature.n_codes, 3), dtype=np.int64)
    for i, code in enumerate(codes):
        table[code, i % 3] += 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClippedWarning)
        released = private_histogram(federate([rows[::2], rows[1::2]], domain, 1, ZeroWords()), "x", 1)
    require(np.array_equal(released, table), f"released are {released.tolist()}, counted {table.tolist()}")


def _by_inequality(x: float, edges: Sequence[float]) -> int:
    """The bins whose definition the clipped value satisfies, in fractions; there must be exactly one."""
    t = [Fraction(edge) for edge in edges]
    y = min(max(Fraction(x), t[0]), t[-1])
    found = [i for i in range(len(t) - 1) if t[i] < y <= t[i + 1] or (i == 0 and y == t[0])]
    require(len(found) == 1, f"{x} has the bins {found}")
    return found[0]


def _prefixes(x: float, code: int | None, edges: Sequence[float]) -> None:
    """For every inner border: the bins up to it hold x if and only if x ≤ border."""
    for i, border in enumerate(edges[1:-1]):
        held = code is not None and code <= i
        require(held == (x <= border), f"x = {x}: in the bins up to {border} is {held}, x ≤ {border} is {x <= border}")


def bins_as_printed(edges: Sequence[float]) -> None:
    """Every edge, which lies in the public range, has a bin [a, b), and the bins up to a border hold x ≤ border."""
    for x in reversed(edges):
        code = bin_as_printed(x, edges)
        require(code is not None, f"x = {x} lies in the range from {edges[0]} to {edges[-1]} and in no bin")
        _prefixes(x, code, edges)


def edges(most: int) -> Iterator[tuple[tuple[float, ...]]]:
    """All grids of 3 to ``most`` of the awkward edges."""
    return ((chosen,) for n in range(3, most + 1) for chosen in combinations(AWKWARD, n))


def plain_edges(most: int) -> Iterator[tuple[tuple[float, ...]]]:
    """All grids of three or four whole edges from 0 to ``most``."""
    return ((tuple(map(float, chosen)),) for n in (3, 4) for chosen in combinations(range(most + 1), n))


def unknown_category(categories: Sequence[Any], value: Any) -> None:
    """A value that is not in the public list is refused at the border, by its place and never by its value."""
    domain = Domain([Categorical("ward", tuple(categories))], THREE)
    try:
        Party([[categories[0], "ill"], [value, "well"]], domain)
    except ValueError as error:
        said = str(error)
        require("row 1" in said and "'ward'" in said, f"the message does not say where: {said}")
        require(repr(value) not in said.replace(repr(tuple(categories)), ""), f"the message repeats the value: {said}")
        return
    require(value in categories, f"{value!r} was admitted")


# --- one histogram in the place of l dummies ---


def one_hot(n_categories: int, n_classes: int, labels: Sequence[tuple[int, int]]) -> None:
    """From one released histogram: the histograms of all dummies, as a federation of dummies would count them."""
    names, classes = [f"c{i}" for i in range(n_categories)], tuple(range(n_classes))
    whole = Domain([Categorical("one", tuple(names))], classes)
    dummies = Domain([Categorical(name, (False, True)) for name in names], classes)
    rows = [[names[code], label] for code, label in labels]
    coded = [[*(name == row[0] for name in names), row[1]] for row in rows]
    found = one_hot_histograms(private_histogram(federate([rows[:1], rows[1:]], whole, 1, ZeroWords()), "one", 1))
    federation = federate([coded[:1], coded[1:]], dummies, n_categories, ZeroWords())
    counted = np.array([private_histogram(federation, name, 1) for name in names])
    require(federation.ledger.spent == n_categories, f"{n_categories} dummies cost {federation.ledger.spent}")
    require(np.array_equal(found, counted), f"derived are {found.tolist()}, counted {counted.tolist()}")


def one_hot_variance(n_categories: int, beta: Fraction) -> None:
    """The noise of a derived cell: at most l − 1 variances at rate ε; of a dummy's cell at ε/l: at least l² of them.

    ``beta`` is e^{−ε/l}. The derived cells are linear in the released ones: their coefficients are read off units.
    """
    units = np.eye(n_categories, dtype=np.int64)[:, :, None]
    coefficients = np.array([one_hot_histograms(unit) for unit in units]).reshape(n_categories, -1)
    most = int((coefficients**2).sum(axis=0).max())
    require(most <= max(1, n_categories - 1), f"a derived cell has {most} times the variance of a released one")
    whole, part = _variance(beta**n_categories), _variance(beta)
    require(part >= n_categories**2 * whole, f"a dummy's cell has the variance {part}, against {whole}")


def _variance(alpha: Fraction) -> Fraction:
    """Of a discrete Laplace number: Σ k²·Pr[k] = 2α/(1−α)²."""
    return 2 * alpha / (1 - alpha) ** 2


def coded_rows(most: int) -> Iterator[tuple[int, int, Sequence[tuple[int, int]]]]:
    """Up to ``most`` records of two or three categories and classes, all of them."""
    for n, classes in product((2, 3), (2, 3)):
        cells = list(product(range(n), range(classes)))
        for size in range(most + 1):
            yield from ((n, classes, rows) for rows in combinations_with_replacement(cells, size))


# --- clipping ---


def clipping_mean(count: int, alpha: Fraction, terms: int) -> None:
    """E max(c+Z, 0) − c, summed from the law: ``terms`` terms of Σ (k−c)·Pr[Z = −k], and exactly what is left.

    Beyond c + N the law is that beyond c, times α^N: so Σ_{k>c+N} (k−c)·Pr[−k] = α^N·(bias + N·Pr[Z < −c]).
    """
    bias: Any = clipping_bias(count, alpha=alpha)
    masses: list[Any] = [discrete_laplace_pmf(-count - j, alpha=alpha) for j in range(terms + 1)]
    summed = sum((j * mass for j, mass in enumerate(masses)), Fraction(0))
    tail: Any = discrete_laplace_tail(count, alpha=alpha)
    left = alpha**terms * (bias + terms * tail / 2)
    require(summed + left == bias, f"the mean is raised by {summed + left}, stated is {bias}")
    require(isinstance(bias, Fraction), "the bias is no fraction")


def clipping_is_no_farther(count: int, noisy: int) -> None:
    """A clipped count is never farther from a true count than the noisy one, and never below 0."""
    clipped = int(clip(np.array([noisy]))[0])
    require(clipped >= 0 and abs(clipped - count) <= abs(noisy - count), f"{noisy} becomes {clipped}, it was {count}")


# --- impurity ---


def noisy_impurity(table: Sequence[Sequence[int]]) -> None:
    """G of every border by definition, in fractions, from counts clipped at 0: in [0, (1 − 1/C)/2] whatever the noise.

    Where no count is negative, and two classes have rows on both sides, it is the impurity as printed.
    """
    cells = [[max(0, n) for n in row] for row in table]
    classes, found = range(len(table[0])), impurity_from_counts(table)
    require(found.shape == (len(table) - 1,), f"{len(table)} bins have {found.shape} borders")
    for border, value in enumerate(found.tolist(), 1):
        sides = [[sum(row[c] for row in part) for c in classes] for part in (cells[:border], cells[border:])]
        expected = _pooled_impurity(sides)
        require(abs(value - expected) <= 1e-12, f"G of border {border} is {value}, and should be {expected}")
        require(-1e-12 <= value <= (1 - 1 / len(classes)) / 2 + 1e-12, f"G of border {border} is {value}")
        if len(classes) == 2 and cells == [list(row) for row in table] and all(map(sum, sides)):
            printed = float(impurity_as_printed(table)[border - 1])
            require(abs(printed - value) <= 1e-12, f"as printed it is {printed}, and {value}")


def _pooled_impurity(sides: Sides) -> Fraction:
    """Σ_sides n_side/n·(1 − Σ p̂²)/2 from the class counts of two sides; 0 of no rows."""
    n, total = sum(map(sum, sides)), Fraction(0)
    for side in filter(any, sides):
        shares = [Fraction(count, sum(side)) for count in side]
        total += Fraction(sum(side), n) * (1 - sum((share**2 for share in shares), Fraction(0))) / 2
    return total


def impurity_of_noisy_counts_as_printed(table: Sequence[Sequence[int]]) -> None:
    """As printed: the impurity of two classes lies between 0, that of a perfect split, and 1/4."""
    for border, value in enumerate(impurity_as_printed(table).tolist(), 1):
        require(0 <= value <= 0.25, f"G of border {border} is {value}")


def summed_split(left: Sides, right: Sides) -> None:
    """The private sum of the parties' class counts gives G of the rows put together, for any number of classes."""
    pooled = [[sum(row[c] for row in side) for c in range(len(left[0]))] for side in (left, right)]
    found = summed_impurity(left, right)
    require(found == _pooled_impurity(pooled), f"G of the pooled rows is {_pooled_impurity(pooled)}, not {found}")
    n = max(1, sum(map(sum, pooled)))
    require(found == sum(map(exact_scaled_half_gini, pooled)) / n, "the scaled impurity says otherwise")


def tables(most: int, least: int = -1) -> Iterator[tuple[Sides]]:
    """All tables of 2 bins and 2 or 3 classes, and of 3 bins and 2 classes, with counts from −1 to ``most``."""
    for bins, classes in ((2, 2), (3, 2), (2, 3)):
        for cells in product(range(least, most + 1), repeat=bins * classes):
            yield ([list(cells[i : i + classes]) for i in range(0, bins * classes, classes)],)


def two_sided_tables(most: int) -> Iterator[tuple[Sides]]:
    """Those of 2 bins and 2 classes that have rows on both sides, the smallest sum first."""
    pairs = [table for (table,) in tables(most) if np.shape(table) == (2, 2) and all(sum(row) > 0 for row in table)]
    return ((table,) for table in sorted(pairs, key=lambda table: sum(map(sum, table))))


def divisions(most: int) -> Iterator[tuple[Sides, Sides]]:
    """At most one row of each of 2 to ``most`` classes on each side with two parties; five parties, large counts."""
    for classes in range(2, most + 1):
        for cells in all_tables(4 * classes, 1):
            parts = [list(cells[i : i + classes]) for i in range(0, 4 * classes, classes)]
            yield parts[:2], parts[2:]
    large = [[3**k % 2**40, 0, 2**40, k] for k in range(5)]
    yield large, large[::-1]
