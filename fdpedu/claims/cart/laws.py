"""Checks of chapter 1: impurity, splits, and a split whose rows lie with several parties.

First the laws, each on one case; then the cases that are longer than a line of the register, smallest first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from fdpedu.cart import (
    Candidate,
    ThresholdSplit,
    best_grid_split,
    best_split,
    exact_scaled_half_gini,
    federated_impurity,
    federated_impurity_as_printed,
    gini,
    half_gini,
    scaled_half_gini,
)
from fdpedu.claims.checking import require
from fdpedu.claims.noisy_counts import all_tables
from fdpedu.domain import Categorical, Domain, Numeric

Sides = tuple[tuple[int, int], ...]
AWKWARD = (0.0, 5e-324, 1.0, float(np.nextafter(1.0, 2.0)), 1e308, 1.5e308)  # halfway is hard to find between these


def s(a: int, b: int) -> Fraction:
    """n·h of a node with a and b rows of two classes, from the shipped code."""
    return exact_scaled_half_gini((a, b))


def conventions(counts: Sequence[int]) -> None:
    """gini = 1 − Σp̂² = 2·half_gini, scaled = n·half_gini; an empty node has impurity 0."""
    n = sum(counts)
    h = (1 - sum(Fraction(c, n) ** 2 for c in counts)) / 2 if n else Fraction(0)
    require(exact_scaled_half_gini(counts) == n * h, f"n·h is {n * h}, not {exact_scaled_half_gini(counts)}")
    for function, value in ((half_gini, h), (gini, 2 * h), (scaled_half_gini, n * h)):
        got = float(function(counts))
        require(abs(got - float(value)) <= 1e-14 * (1 + n), f"{function.__name__} is {float(value)}, not {got}")


def least_squares(a: int, b: int) -> None:
    """The squared error of a constant c, less s(a,b), is n·(c − p̂)²: so p̂ is best, and s(a,b) is what is left."""
    p_hat = Fraction(b, a + b)
    for c in (p_hat, Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1)):
        error = a * c**2 + b * (1 - c) ** 2
        require(error - s(a, b) == (a + b) * (c - p_hat) ** 2, f"the squared error of {c} is {error}")


def least_squares_identity(a: int, b: int, u: int, v: int) -> None:
    """The same with c = u/v, and all times n·v²: then both sides are polynomials of degree 2 in each variable."""
    error = (a + b) * (a * u * u + b * (v - u) ** 2) - (a + b) * s(a, b) * v * v
    require(error == ((a + b) * u - b * v) ** 2, f"the squared error less s(a,b), times n·v², is {error}")


def increment(a: int, b: int) -> None:
    """s(a+1,b) − s(a,b) = b²/((a+b)(a+b+1)), in [0, n/(n+1)], with equality on the right iff a = 0."""
    n, step = a + b, s(a + 1, b) - s(a, b)
    require(step == Fraction(b * b, n * (n + 1)), f"n·h grows by {step}")
    require(0 <= step <= Fraction(n, n + 1) and (step == Fraction(n, n + 1)) == (a == 0), f"n·h grows by {step}")


def increment_identity(a: int, b: int) -> None:
    """The step times n(n+1) is b²; and n² − b² = a(a+2b), so it is n/(n+1) − a(a+2b)/(n(n+1)). Of degree 3 at most."""
    n = a + b
    step = n * (n + 1) * (s(a + 1, b) - s(a, b))
    require(step == b * b, f"the step times n(n+1) is {step}")
    require(n * n - b * b == a * (a + 2 * b), f"n² − b² is {n * n - b * b}")


def never_hurts(a1: int, b1: int, a2: int, b2: int) -> None:
    """The n·G that a split leaves is s(node) less a square over positive numbers; an empty side leaves s(node)."""
    split = Candidate(ThresholdSplit(0, 0.0), (a1, b1), (a2, b2))
    n1, n2, node = a1 + b1, a2 + b2, s(a1 + a2, b1 + b2)
    drop = Fraction((a1 * b2 - a2 * b1) ** 2, n1 * n2 * (n1 + n2)) if n1 and n2 else Fraction(0)
    require(node - split.impurity == drop, f"the node has n·h = {node}, the split leaves n·G = {split.impurity}")


def never_hurts_identity(a1: int, b1: int, a2: int, b2: int) -> None:
    """What s(node) loses, times n₁·n₂·n, is the square: both sides are of degree 4 at most in each variable."""
    n1, n2 = a1 + b1, a2 + b2
    drop = n1 * n2 * (n1 + n2) * (s(a1 + a2, b1 + b2) - s(a1, b1) - s(a2, b2))
    require(drop == (a1 * b2 - a2 * b1) ** 2, f"the drop times n₁·n₂·n is {drop}")


def threshold_reaches(column: Sequence[float], cut: float) -> None:
    """If exactly the rows with x ≤ cut are positive, the best split is found there: it leaves no impurity."""
    side = np.array([x <= cut for x in column])
    best = best_split(np.array(column)[:, None], side.astype(int), 2)
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
    found = None if best is None else best.impurity
    require(found == min(values, default=None), f"the best subset leaves {min(values, default=None)}, not {found}")


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


def nodes(most: int) -> Iterator[tuple[int, int]]:
    """All nodes of 1 to ``most`` rows of two classes."""
    return ((a, n - a) for n in range(1, most + 1) for a in range(n + 1))


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
