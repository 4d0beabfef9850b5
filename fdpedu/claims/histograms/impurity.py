"""Impurity from noisy counts and from summed ones, and what clipping does to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from fdpedu.cart import exact_scaled_half_gini
from fdpedu.claims.checking import require
from fdpedu.claims.histograms.cells import ALPHAS
from fdpedu.claims.mutation import Broken
from fdpedu.claims.noisy_counts import all_tables
from fdpedu.claims.records import Check, Claim
from fdpedu.histograms import clip, clipping_bias, impurity_from_counts, summed_impurity
from fdpedu.mechanisms import discrete_laplace_pmf, discrete_laplace_tail
from fdpedu.sources.gubler import impurity_as_printed

Sides = Sequence[Sequence[int]]


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


CONVENTION = r"Gini: the report's half of scikit-learn's, $\frac12(1-\sum_c\hat p_c^2)$"

CLAIMS = (
    Claim(
        "lem-clipping",
        status="proved+checked",
        code=("fdpedu.histograms.clipping.clipping_bias", "fdpedu.histograms.impurity.clip"),
        checks=(
            Check(
                "mean",
                "exact",
                "counts 0 to {size}, three α: 1, 2 and 30 terms of the sum and what is left, in fractions",
                clipping_mean,
                lambda most: product(range(most + 1), ALPHAS, (1, 2, 30)),
                12,
                100,
                more=[*product((0, 1, 40), (Fraction(1, 5), Fraction(199, 200)), (3, 0))],
            ),
            Check(
                "no farther",
                "exhaustive",
                "true counts 0 to {size}, noisy counts from below −{size} to beyond {size}",
                clipping_is_no_farther,
                lambda most: product(range(most + 1), range(-most - 3, 2 * most + 3)),
                12,
                60,
            ),
        ),
        assumptions=("for privacy: post-processing, whatever neighbours and threat model the release has", "integers"),
        uses=("thm-discrete-laplace", "thm-post-processing"),
    ),
    Claim(
        "alg-noisy-impurity",
        status="proved+checked",
        code=("fdpedu.histograms.impurity.impurity_from_counts",),
        checks=(
            Check(
                "small tables",
                "exhaustive",
                "all tables of 2 bins and 2 or 3 classes and of 3 bins and 2 classes, counts from −1 to {size}",
                noisy_impurity,
                tables,
                1,
                2,
                more=lambda draw: (
                    draw.integers(1, 5)
                    .flatmap(lambda classes: draw.lists(draw.nodes(9, classes), 1, 5))
                    .map(lambda table: (table,))
                ),
            ),
        ),
        assumptions=(CONVENTION, "for privacy: post-processing of a release, which has been paid for"),
        uses=("thm-post-processing", "def-scaled-impurity", "lem-clipping"),
    ),
    Claim(
        "alg-noisy-impurity-as-printed",
        status="refuted as stated",
        code=(
            "fdpedu.sources.gubler.algorithms.impurity_as_printed",
            "fdpedu.sources.gubler.algorithms.choice_as_printed",
        ),
        checks=(
            Check(
                "small tables",
                "exhaustive",
                "all tables of two bins and two classes, counts from −1 to {size}, both totals positive",
                impurity_of_noisy_counts_as_printed,
                two_sided_tables,
                2,
                3,
            ),
        ),
        assumptions=(CONVENTION, "two classes"),
        uses=("def-scaled-impurity",),
        corrected_by="alg-noisy-impurity",
    ),
    Claim(
        "lem-summed-split",
        status="proved+checked",
        code=("fdpedu.histograms.split.summed_impurity",),
        checks=(
            Check(
                "divisions",
                "exhaustive",
                "two parties, two to {size} classes, at most one row of each class on each side; five parties and four "
                "classes with up to 2⁴⁰ rows",
                summed_split,
                divisions,
                2,
                3,
                more=lambda draw: (
                    draw.integers(1, 4)
                    .flatmap(
                        lambda classes: draw.lists(draw.tuples(draw.nodes(9, classes), draw.nodes(9, classes)), 1, 4)
                    )
                    .map(lambda parties: tuple(zip(*parties, strict=True)))
                ),
            ),
        ),
        assumptions=(
            CONVENTION,
            "an aggregator, honest but curious, and colluding parties, all but two at most",
            "integers mod 2⁶⁴",
        ),
        uses=("thm-private-sum", "lem-pooled-counts"),
    ),
)

TWINS = (
    Broken(
        "the formula for real noise",
        "fdpedu.histograms.clipping.clipping_bias",
        "rate.weight(cell + 1) / (1 - rate.weight(2))",
        "rate.weight(cell) / (1 - rate.weight(2))",
        "Integers are nearly real numbers: e^(−c/b) is e^(−c/b).",
        "lem-clipping",
        "mean",
    ),
    Broken(
        "nothing clipped",
        "fdpedu.histograms.impurity.impurity_from_counts",
        "np.maximum(as_table(counts), 0)",
        "as_table(counts)",
        "Noise has the mean 0, so the sums will be right.",
        "alg-noisy-impurity",
        "small tables",
    ),
    Broken(
        "the sums clipped",
        "fdpedu.histograms.impurity.impurity_from_counts",
        "left = np.cumsum(cells, axis=0)[:-1]",
        'left = np.maximum(np.cumsum(as_floats(counts, "counts", ndim=2), axis=0)[:-1], 0)',
        "Only the numbers that are put into the formula must not be negative.",
        "alg-noisy-impurity",
        "small tables",
    ),
    Broken(
        "quotients into the sum",
        "fdpedu.histograms.split.summed_impurity",
        "np.hstack(sides)",
        "np.hstack([side // np.maximum(side.sum(axis=1, keepdims=True), 1) for side in sides])",
        "Every party divides first; a private sum adds up whatever it is given.",
        "lem-summed-split",
        "divisions",
    ),
)
