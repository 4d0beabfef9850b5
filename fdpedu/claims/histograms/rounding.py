"""What is free: whole counts that add up."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.histograms.least_squares import Parents, leaves_below, trees
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.histograms import consistent_totals, round_with_sums
from fdpedu.histograms.rounding import project, share_out


def shares(wishes: Sequence[Fraction], total: int) -> None:
    """Integers ≥ 0 of that sum, less than 1 from the projection, those of the largest remainders rounded up.

    That the projection is the nearest point is read off it: it gives up the same amount in each coordinate that is left
    above 0, and at least as much in none of the others as would make it positive.
    """
    exact, whole = project(wishes, total), share_out(wishes, total)
    require(sum(exact) == total and min(exact) >= 0, f"the projection is {exact}")
    given_up = {wish - share for wish, share in zip(wishes, exact, strict=True) if share > 0}
    rest = [wish for wish, share in zip(wishes, exact, strict=True) if share == 0]
    require(len(given_up) <= 1 and all(wish <= least for wish in rest for least in given_up), f"given up: {given_up}")
    require(sum(whole) == total and min(whole) >= 0, f"the shares are {whole}")
    order = []
    for i, (share, number) in enumerate(zip(exact, whole, strict=True)):
        require(number in (math.floor(share), math.floor(share) + 1), f"{share} becomes {number}")
        order.append((share - math.floor(share), -i, number != math.floor(share)))
    up = [raised for _, _, raised in sorted(order, reverse=True)]
    require(up == sorted(up, reverse=True), f"{exact} become {whole}: not the largest remainders, the first ones first")


def wishes(most: int) -> Iterator[tuple[list[Fraction], int]]:
    """All thirds from −1 to 2 for up to so many children, and the sums from 0 to 3."""
    thirds = [Fraction(k, 3) for k in range(-3, 7)]
    for children in range(1, most + 1):
        for some in product(thirds, repeat=children):
            yield from ((list(some), total) for total in range(4))


def whole_counts(parents: Parents, estimates: Sequence[Sequence[Fraction]]) -> None:
    """Every class: the root is the nearest integer ≥ 0, and every node's children share out its integer."""
    found = round_with_sums(parents, [list(row) for row in estimates])
    require(
        found.dtype == np.int64 and found.shape == (len(parents), len(estimates[0])), f"{found.dtype} {found.shape}"
    )
    for c, column in enumerate(zip(*estimates, strict=True)):
        nearest = max(0, math.floor(column[0] + Fraction(1, 2)))
        require(found[0, c] == nearest, f"class {c}: the root, {column[0]}, becomes {found[0, c]}")
        for node in set(parents) - {-1}:
            children = [child for child, parent in enumerate(parents) if parent == node]
            stated = share_out([column[child] for child in children], int(found[node, c]))
            got = found[children, c].tolist()
            require(
                got == stated and sum(got) == found[node, c], f"class {c}, below node {node}: {got}, stated {stated}"
            )


def halves(most: int) -> Iterator[tuple[Parents, list[tuple[Fraction, ...]]]]:
    """A root and two children whose estimates are halves: where one rounds up, and which child has what is left."""
    numbers = [Fraction(n, 2) for n in range(-2, most + 1)]
    for three in product(numbers, repeat=3):
        yield [-1, 0, 0], [(one,) for one in three]


def kept(parents: Parents, most: int) -> None:
    """Estimates that are integers ≥ 0 and add up stay as they are, as integers and as floats."""
    below = leaves_below(parents)
    ends = sorted(below[0])
    for counts in product(range(most + 1), repeat=len(ends)):
        of_leaf = dict(zip(ends, counts, strict=True))
        totals = [[sum(of_leaf[leaf] for leaf in inside), 3 * len(inside)] for inside in below]
        for given in (totals, np.array(totals, dtype=float)):
            found = round_with_sums(parents, given).tolist()
            require(found == totals, f"{totals} become {found}")
        equal = round_with_sums(
            parents, consistent_totals(parents, totals, [0.1 + 0.7 * i for i in range(len(parents))])
        )
        require(equal.tolist() == totals, f"by least squares {totals} become {equal.tolist()}")


CLAIMS = (
    Claim(
        "lem-rounding-with-sums",
        status="proved+checked",
        code=("fdpedu.histograms.rounding", "fdpedu.histograms.rounding.round_with_sums"),
        checks=(
            Check(
                "shares",
                "exhaustive",
                "up to {size} children with estimates in thirds from −1 to 2, sums from 0 to 3: projection, remainders",
                shares,
                wishes,
                3,
                4,
                more=lambda draw: draw.tuples(
                    draw.lists(draw.st.fractions(-5, 9, max_denominator=8), 1, 6), draw.integers(0, 12)
                ),
            ),
            Check(
                "whole counts",
                "property",
                "{size} random trees and estimates of 1 to 3 classes: root, sums, every family",
                whole_counts,
                lambda draw: draw.trees_of_estimates(),
                100,
                2000,
            ),
            Check(
                "halves",
                "exhaustive",
                "a node and its two children, all estimates in halves from −1 to {size}/2: as stated",
                whole_counts,
                halves,
                3,
                5,
            ),
            Check(
                "kept",
                "exhaustive",
                "all trees of at most {size} nodes with up to 2 in each leaf: unchanged, also after least squares",
                kept,
                lambda most: ((parents, 2) for nodes in range(1, most + 1) for parents in trees(nodes)),
                4,
                6,
                more=[(parents, 1) for nodes in range(1, 5) for parents in trees(nodes)],
            ),
        ),
        assumptions=("exact rationals: a float is the fraction that it is", "no privacy"),
    ),
)

TWINS = (
    Broken(
        "children rounded one by one",
        "fdpedu.histograms.rounding.share_out",
        "for i in by_remainder[: total - sum(shares)]:",
        "for i in [i for i in by_remainder if exact[i] - shares[i] >= Fraction(1, 2)]:",
        "The nearest integers of numbers that add up add up.",
        "lem-rounding-with-sums",
        "shares",
    ),
    Broken(
        "negative estimates cut off",
        "fdpedu.histograms.rounding.project",
        "sorted(wishes, reverse=True)",
        "sorted((max(wish, Fraction(0)) for wish in wishes), reverse=True)",
        "What is negative becomes 0, and the others share the difference.",
        "lem-rounding-with-sums",
        "shares",
    ),
    Broken(
        "the nearest even",
        "fdpedu.histograms.rounding.round_with_sums",
        "math.floor(wishes[0] + Fraction(1, 2))",
        "round(wishes[0])",
        "Python's round is the rounding of school.",
        "lem-rounding-with-sums",
        "halves",
    ),
)
