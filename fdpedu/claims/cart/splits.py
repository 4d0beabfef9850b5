"""Splits: which thresholds and which orders of categories suffice, and a split whose rows lie with several parties."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from fdpedu.cart import best_grid_split, best_split, exact_scaled_half_gini, federated_impurity
from fdpedu.cart.grid import GridSearch
from fdpedu.claims.cart.impurity import CONVENTION, TWO_CLASSES
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.noisy_counts import all_tables
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.sources.gubler import federated_impurity_as_printed

Sides = tuple[tuple[int, int], ...]
AWKWARD = (0.0, 5e-324, 1.0, float(np.nextafter(1.0, 2.0)), 1e308, 1.5e308)  # halfway is hard to find between these


def threshold_reaches(column: Sequence[float], cut: float) -> None:
    """If exactly the rows with x ≤ cut are positive, the best split is found there: it leaves no impurity."""
    side = np.array([x <= cut for x in column])
    best = best_split(np.array(column)[:, None], side.astype(np.int64), 2)
    require(best is not None and best.impurity == 0, f"the best split found is {best}")
    assert best is not None
    require((best.split.goes_left(np.array(column)) == side).all(), f"rows are sent to other sides of {best.split}")


def grid_threshold(edge: int, x: float) -> None:
    """On a grid, "code ≤ i goes left" is x ≤ t for the bin's upper edge t."""
    feature = Numeric.grid("x", 0, 4, bins=4)
    left = feature.encode([x])[0] <= edge
    require(left == (x <= feature.edges[edge + 1]), f"x = {x} goes {'left' if left else 'right'} at t = {edge + 1}")


def ordered_categories(counts: Sequence[Sequence[int]]) -> None:
    """For two classes no subset of categories beats the best prefix in the order of class shares."""
    domain = Domain([Categorical("w", tuple(range(len(counts))))], (0, 1))
    table = np.array(counts)
    best, total = best_grid_split([table], domain), table.sum(axis=0)
    subsets = [list(some) for size in range(1, len(counts)) for some in combinations(range(len(counts)), size)]
    sides = [(table[some].sum(axis=0), total - table[some].sum(axis=0)) for some in subsets]
    values = [exact_scaled_half_gini(a) + exact_scaled_half_gini(b) for a, b in sides if a.sum() and b.sum()]
    for found in (best, *GridSearch(domain).best_splits(table[None])):
        left = None if found is None else found.impurity
        require(left == min(values, default=None), f"the best subset leaves {min(values, default=None)}, not {left}")


def pooled(left: Sides, right: Sides, function: Callable[[Sides, Sides], Fraction] = federated_impurity) -> None:
    """The federated impurity is that of the pooled rows, computed from their labels."""
    rows = [[0] * sum(a for a, _ in side) + [1] * sum(b for _, b in side) for side in (left, right)]
    n, expected = sum(map(len, rows)), Fraction(0)
    for labels in filter(None, rows):
        p_hat = Fraction(sum(labels), len(labels))
        expected += Fraction(len(labels), n) * p_hat * (1 - p_hat)
    value = function(left, right)
    require(value == expected, f"G of the pooled rows is {expected}, not {value}")


def pooled_counts(left: Sides, right: Sides) -> None:
    """And where every party has rows on both sides, Algorithm 2 as printed gives the same number."""
    pooled(left, right)
    if all(a + b for a, b in [*left, *right]):
        require(federated_impurity_as_printed(left, right) == federated_impurity(left, right), "as printed it differs")


def pooled_as_printed(left: Sides, right: Sides) -> None:
    """The same for Algorithm 2 as it is printed."""
    pooled(left, right, federated_impurity_as_printed)


def columns(most: int) -> Iterator[tuple[tuple[float, ...], float]]:
    """All columns of 2 to ``most`` awkward doubles, and every cut of each."""
    for n in range(2, most + 1):
        for column in product(AWKWARD, repeat=n):
            for cut in sorted(set(column))[:-1]:
                yield column, cut


def divisions(most: int, parties: int = 2) -> Iterator[tuple[Sides, Sides]]:
    """All nodes of at most ``most`` rows with two non-empty sides, where every party has a row; smallest first."""
    for cells in (cells for total in range(2, most + 1) for cells in _shared_out(total, 4 * parties)):
        pairs = list(zip(cells[::2], cells[1::2], strict=True))
        left, right = tuple(pairs[:parties]), tuple(pairs[parties:])
        sizes = [[a + b for a, b in side] for side in (left, right)]
        if all(map(sum, sizes)) and all(map(sum, zip(*sizes, strict=True))):
            yield left, right


def _shared_out(total: int, cells: int) -> Iterator[tuple[int, ...]]:
    if cells == 1:
        yield (total,)
        return
    for first in range(total + 1):
        yield from ((first, *rest) for rest in _shared_out(total - first, cells - 1))


def tables(codes: int) -> Iterator[tuple[list[tuple[int, int]]]]:
    """All tables of 2 to ``codes`` categories with at most two rows of each class in each."""
    for k in range(2, codes + 1):
        yield from (([*zip(cells[::2], cells[1::2], strict=True)],) for cells in all_tables(2 * k, 2))


EXACT = "exact integer counts; no privacy"

CLAIMS = (
    Claim(
        "lem-thresholds",
        status="proved+checked",
        code=("fdpedu.cart.split.threshold_counts",),
        checks=(
            Check(
                "columns",
                "exhaustive",
                "all columns of at most {size} values among awkward doubles, and every cut of each: the search "
                "finds it",
                threshold_reaches,
                columns,
                4,
                5,
                more=lambda draw: (
                    draw.lists(draw.st.floats(allow_nan=False, allow_infinity=False), 2, 6)
                    .filter(lambda column: len(set(column)) > 1)
                    .flatmap(
                        lambda column: draw.tuples(draw.st.just(column), draw.st.sampled_from(sorted(set(column))[:-1]))
                    )
                ),
            ),
            Check(
                "grid",
                "exhaustive",
                "four bins and values in steps of 1/{size}, beyond the range too: a prefix of bins is x ≤ t",
                grid_threshold,
                lambda steps: product(range(3), (i / steps for i in range(-steps, 5 * steps + 1))),
                8,
                64,
            ),
        ),
        assumptions=(
            "finite doubles; where no double lies strictly between two values, the lower one is the threshold",
        ),
    ),
    Claim(
        "thm-category-order",
        status="proved+checked",
        code=("fdpedu.cart.split._category_orders", "fdpedu.cart.grid.GridSearch._in_order"),
        checks=(
            Check(
                "small tables",
                "exhaustive",
                "all tables of 2 to {size} categories with at most two rows of a class in each, against all subsets; "
                "both searches",
                ordered_categories,
                tables,
                3,
                4,
            ),
            Check(
                "random tables",
                "property",
                "{size} random tables of up to six categories, against all subsets",
                ordered_categories,
                lambda draw: draw.tuples(draw.category_tables()),
                80,
                2000,
                more=lambda draw: draw.tuples(draw.category_tables(7, 40)),
            ),
        ),
        assumptions=(CONVENTION, TWO_CLASSES),
        uses=("def-scaled-impurity",),
    ),
    Claim(
        "lem-pooled-counts",
        status="proved+checked",
        code=("fdpedu.cart.federated.federated_impurity",),
        checks=(
            Check(
                "divisions",
                "exhaustive",
                "all divisions of at most {size} rows among two parties, none without rows, both sides non-empty",
                pooled_counts,
                divisions,
                5,
                7,
                more=lambda draw: draw.lists(draw.tuples(draw.nodes(9), draw.nodes(9)), 1, 4).map(
                    lambda parties: tuple(zip(*parties, strict=True))
                ),
            ),
        ),
        assumptions=(CONVENTION, TWO_CLASSES, EXACT),
        uses=("def-scaled-impurity",),
    ),
    Claim(
        "alg-federated-split-as-printed",
        status="refuted as stated",
        code=("fdpedu.sources.gubler.algorithms.federated_impurity_as_printed",),
        checks=(
            Check(
                "divisions",
                "exhaustive",
                "all divisions of at most {size} rows among two parties, none without rows, both sides non-empty",
                pooled_as_printed,
                divisions,
                5,
                7,
            ),
        ),
        assumptions=(CONVENTION, TWO_CLASSES, EXACT),
        uses=("def-scaled-impurity",),
        corrected_by="lem-pooled-counts",
    ),
)

TWINS = (
    Broken(
        "x < t on raw values",
        "fdpedu.cart.split.ThresholdSplit.goes_left",
        "column <= self.threshold",
        "column < self.threshold",
        "A threshold halfway between two values is never equal to a value.",
        "lem-thresholds",
        "columns",
    ),
    Broken(
        "x < t on a grid",
        "fdpedu.domain.features.Numeric._codes",
        'side="left"',
        'side="right"',
        "Whether bins are closed on the left or on the right is a matter of taste.",
        "lem-thresholds",
        "grid",
    ),
    Broken(
        "mean of means",
        "fdpedu.cart.federated.federated_impurity",
        "Fraction(positives, n_side)",
        "Fraction(sum(Fraction(b, a + b or 1) for a, b in parties), len(parties))",
        "The average of the parties' averages is the average of all.",
        "lem-pooled-counts",
        "divisions",
    ),
    Broken(
        "categories by their number of class 1",
        "fdpedu.cart.split._category_orders",
        "Fraction(int(a), int(b)) if b else Fraction(0)",
        "Fraction(int(a))",
        "The category with the most rows of a class is the most of that class.",
        "thm-category-order",
        "small tables",
    ),
    Broken(
        "categories of all nodes by their number of class 1",
        "fdpedu.cart.grid.by_share",
        "tables[:, :, c] / np.maximum(n, 1)",
        "tables[:, :, c]",
        "The category with the most rows of a class is the most of that class.",
        "thm-category-order",
        "small tables",
    ),
)
