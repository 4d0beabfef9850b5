"""Algorithm 1 of Vos et al.: lines 4, 7 and 12, by exact distributions of the shipped code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import prod
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import patched
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Enclosure, Rate, exp_enclosure, log_enclosure
from fdpedu.histograms.joint import trusted_joint_quantiles_pmf
from fdpedu.mechanisms import permute_and_flip_pmf
from fdpedu.mechanisms.chain import Chain
from fdpedu.privacy import Law, as_law, max_ratio, product_law
from fdpedu.randomness import Rehearsal, Source
from fdpedu.sources.vos.price import printed_shares
from fdpedu.sources.vos.printed import fit_privatree_as_printed

ADD_REMOVE = "neighbours: one record added or removed"
EXACT = "exact arithmetic"
ALPHAS = (Fraction(1, 3), Fraction(1, 2), Fraction(4, 5))
PRINTED = "fdpedu.sources.vos.printed"
PRICE = "fdpedu.sources.vos.price"
FIT = f"{PRINTED}.fit_privatree_as_printed"
Rows = list[tuple[int, str]]  # the bin, in every feature, and the class


# --- Line 7, and the tree alone ---------------------------------------------------------------------------------------


def columns(m: int) -> Domain:
    """m features of two bins, and two classes."""
    return Domain([Numeric.grid(f"x{j}", 0, 2, bins=2) for j in range(m)], ("well", "ill"))


def cells_of(rows: Rows) -> tuple[int, ...]:
    """The four cells, bin by bin, of a feature; all features are alike."""
    return tuple(sum((where, label) == cell for where, label in rows) for cell in product((0, 1), ("well", "ill")))


def shipped(rows: Rows, m: int, noise: Sequence[int], stop: str) -> bool:
    """Is the tree one leaf, by the shipped code, with this noise in the 4m cells of the root?"""
    played = iter(noise)

    def draw(rate: object, size: int, source: object) -> np.ndarray:
        return np.array([next(played, 0) for _ in range(size)], dtype=np.int64)

    X = [[where + Fraction(1, 2)] * m for where, _ in rows]
    with patched("fdpedu.sources.vos.printed", discrete_laplace_noise=draw):
        tree = fit_privatree_as_printed(
            *([[float(x) for x in row] for row in X], [label for _, label in rows], columns(m), 1),
            **{"max_depth": 1, "quantiles": "none", "stop": stop, "rng": Rehearsal(1)},  # type: ignore[arg-type]
        )
    return bool(tree.root.is_leaf)


def one_leaf(rows: Rows, m: int, alpha: Fraction, stop: str) -> Fraction:
    """Pr[the tree is one leaf] of the shipped code: over which of the root's noisy cells have a count, weighted.

    Of the noise only this matters, as cells are clipped at 0: a cell of c rows has none with probability α^c/(1+α).
    """
    cells = cells_of(rows) * m
    empty = [alpha**c / (1 + alpha) for c in cells]
    total = Fraction(0)
    for shown in product((False, True), repeat=len(cells)):
        noise = [1 if some else -c for some, c in zip(shown, cells, strict=True)]
        if shipped(rows, m, noise, stop):
            total += prod((1 - p if some else p for some, p in zip(shown, empty, strict=True)), start=Fraction(1))
    return total


def stated_leaf(rows: Rows, m: int, alpha: Fraction) -> Fraction:
    """The same by formula: in every feature one of both bins has no noisy count at all."""
    a, b, c, d = cells_of(rows)
    left, right = (alpha**n / (1 + alpha) ** 2 for n in (a + b, c + d))
    return (left + right - left * right) ** m


def line_7(n: int, alpha: Fraction) -> None:
    """n rows of one class: a leaf for sure. One more row, of the other class: a split with a probability above 0."""
    alike: Rows = [(0, "well")] * n
    before, after = (one_leaf(rows, 1, alpha, "raw") for rows in (alike, [*alike, (0, "ill")]))
    require(before == 1, f"{n} rows of one class are a leaf with probability {before}")
    require(after == stated_leaf([*alike, (0, "ill")], 1, alpha) < 1, f"with one more, with probability {after}")


def by_depth(n: int, alpha: Fraction) -> None:
    """Where depth alone stops, the same two data sets are within α^(−1), which is what one histogram costs."""
    alike: Rows = [(0, "well")] * n
    one, other = (one_leaf(rows, 1, alpha, "depth") for rows in (alike, [*alike, (0, "ill")]))
    laws = [{True: p, False: 1 - p} for p in (one, other)]
    worst = max(max_ratio(*laws), max_ratio(*laws[::-1]))
    require(one == stated_leaf(alike, 1, alpha), f"{n} rows of one class are a leaf with probability {one}")
    require(worst <= 1 / alpha, f"the ratio is {worst}, more than {1 / alpha}")


def leaf_law(n: int, m: int, alpha: Fraction) -> None:
    """The formula for the probability of a single leaf is that of the shipped code."""
    for rows in ([(0, "well"), (0, "ill")] * n, [(0, "well"), (0, "ill")] * n + [(1, "ill")]):
        shown, stated = one_leaf(rows, m, alpha, "raw"), stated_leaf(rows, m, alpha)
        require(shown == stated, f"one leaf has probability {shown}, stated {stated}")


def tree_alone(m: int, alpha: Fraction) -> None:
    """2k rows on the left, then one on the right: the ratio for a single leaf is at most α^(−m), and tends to it."""
    last, least = Fraction(1), 1 / alpha**m
    for k in range(1, 8):
        rows: Rows = [(0, "well"), (0, "ill")] * k
        ratio = stated_leaf(rows, m, alpha) / stated_leaf([*rows, (1, "well")], m, alpha)
        require(last < ratio <= least, f"at {2 * k} rows the ratio is {ratio}, before {last}, at most {least}")
        require(ratio * (1 + alpha ** (2 * k - 1)) ** m >= least, f"at {2 * k} rows the ratio is only {ratio}")
        last = ratio


def ten_features() -> None:
    """ε_node = 1, ten features, eight rows and one more: the privacy loss of the tree alone is above 9.99."""

    one = 1 + exp_enclosure(Fraction(-1))

    def empty(rows: int) -> Enclosure:
        return exp_enclosure(Fraction(-rows)) / (one * one)

    def leaf(left: int, right: int) -> Enclosure:
        return empty(left) + empty(right) - empty(left) * empty(right)

    loss = log_enclosure((leaf(8, 0) / leaf(8, 1)).lower) * 10
    require(loss.lower > Fraction("9.99"), f"the loss is {loss}")


# --- Quantiles --------------------------------------------------------------------------------------------------------


def edges_law(cells: tuple[int, ...], alpha: Fraction) -> Law:
    """One inner edge among three, of two bins: the cost e^ε of it is α^(−4)."""
    return as_law(trusted_joint_quantiles_pmf(cells, 2, alpha=alpha))


def pairs(most: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """All counts of at most so many rows in four cells, and where one row more is; fewest rows first."""
    for n in range(most):
        for rows in combinations_with_replacement(range(4), n):
            yield from ((tuple(rows.count(k) for k in range(4)), place) for place in range(4))


def both_ways(cells: tuple[int, ...], place: int, alpha: Fraction, features: int) -> Fraction:
    """The worst ratio of the edges of features that are alike, over all outcomes together."""
    more = tuple(c + (k == place) for k, c in enumerate(cells))
    one, other = (product_law(*[edges_law(table, alpha)] * features) for table in (cells, more))
    return Fraction(max(max_ratio(one, other), max_ratio(other, one)))


def quantiles_in_parallel(cells: tuple[int, ...], place: int) -> None:
    """The claim as stated: the edges of two features, each at ε, cost ε; e^ε = 16."""
    worst = both_ways(cells, place, Fraction(1, 2), 2)
    require(worst <= 16, f"the ratio is {worst} where 16 is claimed")


def quantiles_add_up(alpha: Fraction, share: Fraction) -> None:
    """Over all counts of up to eight rows: one feature costs at most ε, two at most 2ε, and at least this share."""
    worst = {case: both_ways(*case, alpha, 1) for case in pairs(8)}
    case = max(worst, key=worst.__getitem__)
    one, two = worst[case], both_ways(*case, alpha, 2)
    require(one <= alpha**-4 and two == one**2, f"one feature: {one}, two: {two}")
    bound = log_enclosure(alpha**-4) * 2
    require(log_enclosure(two).lower >= share * bound.upper, f"two features at {case}: {float(two)}")


def rates(features: int, rows: int) -> tuple[list[Fraction | None], list[Fraction | None], list[list[Any]]]:
    """What the shipped code draws for alike rows of one class: the rates of edges and of cells, and the label's law."""
    edges, cells, labels = list[Fraction | None](), list[Fraction | None](), list[list[Any]]()

    class Drawn(Chain):
        def draw(self, source: Source) -> tuple[int, ...]:
            edges.append(self.rate.rate)
            return super().draw(source)

    def noise(rate: Rate, size: int, source: Source) -> np.ndarray:
        cells.append(rate.rate)
        return np.zeros(size, dtype=np.int64)

    def label(utilities: Sequence[int], epsilon: Fraction, source: Source, **how: bool) -> int:
        labels.append(permute_and_flip_pmf(utilities, epsilon, **how))
        return 0

    domain = Domain([Numeric.grid(f"x{j}", 0, 4, bins=4) for j in range(features)], ("well", "ill"))
    X, y = [[float(3 * (i % 2))] * features for i in range(rows)], ["well"] * rows
    with patched(PRINTED, Chain=Drawn, discrete_laplace_noise=noise, permute_and_flip=label):
        for stop in ("raw", "depth"):
            fit_privatree_as_printed(X, y, domain, 1, max_depth=1, edge_bins=2, stop=stop, rng=Rehearsal(1))
    return edges, cells, labels


def edges_as_drawn(features: int) -> None:
    """Each feature's edges are drawn, at coins that make them cost the whole of what a feature gets."""
    edges, _, _ = rates(features, 3)
    once = printed_shares(1, 3, max_depth=1).numeric
    require(len(edges) == 2 * features, f"edges are drawn {len(edges)} times in two trees")
    # with two bins the cost ε is that of α^(−4)
    require({4 * rate for rate in edges if rate} == {once}, f"the rates are {edges}, where edges may cost {once}")


CLAIMS = (
    Claim(
        "lem-line-7",
        status="proved+checked",
        code=(PRINTED, FIT),
        checks=(
            Check(
                "one more row",
                "exact",
                "2 to {size} rows of one class, and one of the other: every pattern of noisy cells through the shipped "
                "code, two α",
                line_7,
                lambda most: product(range(2, most + 1), ALPHAS[:2]),
                3,
                6,
            ),
            Check(
                "by depth",
                "exact",
                "the same data sets where depth alone stops, up to {size} rows: within what one histogram costs",
                by_depth,
                lambda most: product(range(2, most + 1), ALPHAS[:2]),
                3,
                6,
            ),
        ),
        assumptions=(ADD_REMOVE, EXACT),
        uses=("lem-atoms",),
    ),
    Claim(
        "lem-tree-alone",
        status="proved+checked",
        code=(PRINTED, FIT),
        checks=(
            Check(
                "one leaf",
                "exact",
                "two and three rows, {size} features or fewer, α = 1/2: the shipped code over every pattern of noisy "
                "cells, and the stated probability",
                leaf_law,
                lambda most: product((1,), range(1, most + 1), ALPHAS[1:2]),
                1,
                2,
            ),
            Check(
                "limit",
                "exact",
                "1 to {size} features, three α, 2 to 14 rows: ratios that rise to α^(−m), and how fast",
                tree_alone,
                lambda most: product(range(1, most + 1), ALPHAS),
                10,
                30,
            ),
            Check("ten features", "exact", "ε_node = 1, eight rows and one: enclosed", ten_features, lambda _: [()]),
        ),
        assumptions=(
            ADD_REMOVE,
            EXACT,
            "cells are clipped at 0, a split has a noisy count on both sides, or it is none",
        ),
        uses=("lem-columns",),
    ),
    Claim(
        "lem-quantiles-in-parallel",
        status="refuted as stated",
        code=(FIT,),
        checks=(
            Check(
                "as stated",
                "exhaustive",
                "all counts of up to {size} rows in four cells, alike in two features, one border each, e^ε = 16",
                quantiles_in_parallel,
                pairs,
                8,
            ),
        ),
        assumptions=(ADD_REMOVE, EXACT),
        corrected_by="lem-quantiles-add-up",
    ),
    Claim(
        "lem-quantiles-add-up",
        status="proved+checked",
        code=(FIT,),
        checks=(
            Check(
                "two features",
                "exhaustive",
                "all counts of up to eight rows in four cells, one border: at e^ε = 16, and at ε near 1, two features "
                "cost at most 2ε, and at least 199/200 and 49/50 of that",
                quantiles_add_up,
                lambda _: ((Fraction(1, 2), Fraction(199, 200)), (Fraction(7, 9), Fraction(49, 50))),
            ),
            Check(
                "as drawn",
                "exact",
                "1 to {size} features: the shipped code draws edges once a feature, and at which rate",
                edges_as_drawn,
                lambda most: ((m,) for m in range(1, most + 1)),
                3,
            ),
        ),
        assumptions=(ADD_REMOVE, EXACT),
        uses=("thm-joint-quantiles", "thm-sequential"),
    ),
)

TWINS = (
    Broken(
        "a node of one class needs no split",
        f"{PRINTED}._Grower.fit_tree",
        "self.looks_at_rows and ",
        "",
        "A node whose rows agree can be a leaf at once: nothing is released for that.",
        "lem-line-7",
        "by depth",
    ),
    Broken(
        "a side of no count",
        f"{PRINTED}.impurities",
        "if left.sum() and (whole - left).sum():",
        "if left.sum() or (whole - left).sum():",
        "A split with an empty side does no harm.",
        "lem-tree-alone",
        "one leaf",
    ),
    Broken(
        "edges at the rate of their utility",
        f"{PRINTED}._borders",
        "(2 * joint_sensitivity(bins))",
        "joint_sensitivity(bins)",
        "A choice at ε has weights of ε over the sensitivity.",
        "lem-quantiles-add-up",
        "as drawn",
    ),
)
