"""Thresholds that are averaged: a mean that gains nothing, a mean outside its node; and counts added up instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

from fdpedu.cart import exact_scaled_half_gini, fit_cart
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secret_sharing.parties import Parties, grown, small_parties
from fdpedu.domain import Domain, Numeric
from fdpedu.sources.elzein.growing import STEPS
from fdpedu.sources.elzein.tree import SharedNode

DOSES = Domain([Numeric.grid("dose", 0, 10, bins=10)], ("well", "ill"))
WIDE = Domain([Numeric.grid("x", 0, 100, bins=10)], ("a", "b", "c"))


def two_wards() -> tuple[list[list[Any]], list[list[Any]]]:
    """Doses 0 to 9, ill from 3 to 6; one ward has the smallest three twice, the other the largest three."""
    once = [[dose, "ill" if 3 <= dose <= 6 else "well"] for dose in range(10)]
    return once + once[:3], once + once[7:]


def remains(rows: Sequence[Sequence[Any]], threshold: float | None = None) -> Fraction:
    """n·h of both sides; of the whole without a threshold."""
    sides = (
        [rows] if threshold is None else [[r for r in rows if (r[0] <= threshold) == left] for left in (True, False)]
    )
    labels = [[row[-1] for row in side] for side in sides]
    return sum((exact_scaled_half_gini([some.count("well"), some.count("ill")]) for some in labels), Fraction(0))


def gains_nothing(rule: str) -> None:
    """Each ward's best cut gains; the mean of both leaves what the whole node has. The best cut of all rows gains."""
    one, other = two_wards()
    cuts = [min((remains(rows, t), t) for t in range(9)) for rows in (one, other)]
    require([left for left, _ in cuts] == [Fraction(12, 7)] * 2, f"the best cuts leave {cuts}")
    require([t for _, t in cuts] == [2, 6], f"the best cuts are {cuts}")
    root = grown((DOSES, (one, other)), rule, 1, 0, "gini").root
    assert root.threshold is not None
    whole, left = remains([*one, *other]), remains([*one, *other], root.threshold)
    require(left == whole == Fraction(72, 13), f"the cut at {root.threshold} leaves {left} of {whole}")
    best = min(remains([*one, *other], t) for t in range(9))
    require(best == Fraction(72, 17), f"the best cut of all rows leaves {best}")


def both_rules(number: int) -> Iterator[tuple[str]]:
    """As printed, and mended."""
    yield from ((rule,) for rule in ("printed", "mended")[:number])


def in_their_nodes(case: Parties, rule: str, depth: int, seed: int) -> None:
    """Every threshold lies in its node, but for half a step of rounding."""
    domain, _ = case
    tree = grown(case, rule, depth, seed)
    ends = {j: (f.edges[0], f.edges[-1]) for j, f in enumerate(domain.features) if isinstance(f, Numeric)}
    pending: list[tuple[SharedNode, Any]] = [(tree.root, ends)]
    while pending:
        node, around = pending.pop()
        below = [around] * len(node.children)
        if node.attribute is not None and node.threshold is not None:
            low, high = around[node.attribute]
            feature: Any = domain.features[node.attribute]
            half = (feature.edges[-1] - feature.edges[0]) / STEPS / 2 * (1 + 2**-20)
            inside = low - half <= node.threshold <= high + half
            require(inside, f"{feature.name} is cut at {node.threshold:.6g}, and the node is {low:.6g} to {high:.6g}")
            below = [
                {**around, node.attribute: (low, min(high, node.threshold))},
                {**around, node.attribute: (max(low, node.threshold), high)},
            ]
        pending += zip(node.children, below, strict=True)


def leaves_its_node(case: Parties, rule: str, depth: int, seed: int) -> None:
    """The first branch is cut above its upper end, where it has no rows."""
    root = grown(case, rule, depth, seed).root
    end, cut = root.threshold, root.children[0].threshold
    require(end is not None and cut is not None and cut > end + 6, f"the node ends at {end}, and is cut at {cut}")


def one_absent(rules: int) -> Iterator[tuple[Parties, str, int, int]]:
    """Four wards with rows on both sides of 5, and a fifth that has none below 8; by the first so many rules."""
    four = [[4, "a"], [6, "b"], [8, "c"], [8, "c"]]
    yield from (((WIDE, (*[four] * 4, [[9, "c"], [11, "b"]])), rule, 2, 0) for rule in ("printed", "mended")[:rules])


def one_absent_mended(rules: int) -> Iterator[tuple[Parties, str, int, int]]:
    """The same, by the mended rule."""
    yield from (case for case in one_absent(rules) if case[1] == "mended")


def deep_trees(draw: ModuleType) -> Any:
    """Few rows and some levels; by the mean and by the median."""
    rules = draw.st.sampled_from(["mended", "median"])
    return draw.tuples(small_parties(draw), rules, draw.integers(1, 5), draw.integers(0, 99))


def as_pooled(case: Parties, depth: int) -> None:
    """Added histograms give CART of all rows: the same label in every cell, and as many nodes."""
    domain, parts = case
    rows = [row for some in parts for row in some]
    tree = grown(case, "histograms", depth, 1, "gini")
    cart = fit_cart([row[:-1] for row in rows], [row[-1] for row in rows], grid=domain, max_depth=depth)
    values = [f.edges[1:] if isinstance(f, Numeric) else f.categories for f in domain.features]
    cells = [list(cell) for cell in product(*values)]
    require(tree.predict(cells).tolist() == cart.predict(cells).tolist(), "a cell has another label")
    require(len(tree.nodes()) == len(list(cart.nodes())), f"{len(tree.nodes())} nodes, CART has another number")


def pooled(draw: ModuleType) -> Any:
    """Parties and a depth."""
    return draw.tuples(small_parties(draw), draw.integers(0, 4))


CURIOUS = "all parties are honest but curious, and channels are private"

CLAIMS = (
    Claim(
        "lem-mean-threshold",
        status="proved+checked",
        code=("fdpedu.sources.elzein.growing", "fdpedu.sources.elzein.fit.fit_shared_tree"),
        checks=(
            Check(
                "gains nothing",
                "exact",
                "two wards of 13 rows, by {size} rules: what their cuts, the mean and the best cut of all leave",
                gains_nothing,
                both_rules,
                2,
            ),
        ),
        assumptions=("the report's half Gini", "no noise"),
        uses=("def-scaled-impurity",),
    ),
    Claim(
        "lem-middle-outside",
        status="proved+checked",
        code=("fdpedu.sources.elzein.growing",),
        checks=(Check("one absent", "exact", "five wards, one without rows", leaves_its_node, one_absent, 1),),
        assumptions=(CURIOUS, "thresholds in 65,535 steps of the public range"),
    ),
    Claim(
        "lem-own-middle",
        status="proved+checked",
        code=("fdpedu.sources.elzein.growing", "fdpedu.sources.elzein.fit.fit_shared_tree"),
        checks=(
            Check("one absent", "exact", "five wards, one without rows", in_their_nodes, one_absent_mended, 2),
            Check(
                "in their nodes",
                "property",
                "{size} random trees by mean and by median, of parties with few rows",
                in_their_nodes,
                deep_trees,
                60,
                1000,
            ),
        ),
        assumptions=(CURIOUS, "thresholds in 65,535 steps of the public range"),
    ),
    Claim(
        "lem-pooled-cart",
        status="proved+checked",
        code=("fdpedu.sources.elzein.growing", "fdpedu.sources.elzein.fit.fit_shared_tree"),
        checks=(
            Check(
                "as pooled",
                "property",
                "{size} random parties: the tree against chapter 1's on the rows of all, cell by cell",
                as_pooled,
                pooled,
                60,
                1000,
            ),
        ),
        assumptions=(CURIOUS, "Gini impurity, public bins", "fewer than 2^32 rows in all"),
        uses=("lem-selection",),
    ),
)

_GROWTH = "fdpedu.sources.elzein.growing.Growth"
TWINS = (
    Broken(
        "the middle of the public range",
        f"{_GROWTH}._middle",
        "place.ends[j] if self.rule.own_middle else (edges[0], edges[-1])",
        "edges[0], edges[-1]",
        "The middle of the range hides best that a party has no rows.",
        "lem-own-middle",
        "one absent",
    ),
    Broken(
        "the middle of the node as printed",
        f"{_GROWTH}._middle",
        "place.ends[j] if self.rule.own_middle else (edges[0], edges[-1])",
        "place.ends[j]",
        "The mid-range of the attribute is that of the node.",
        "lem-middle-outside",
        "one absent",
    ),
    Broken(
        "a modulus for raw thresholds",
        f"{_GROWTH}._mean",
        "len(own) * STEPS + 1",
        "len(own) * 101",
        "No threshold is larger than the upper end of its range, so N times that is enough.",
        "lem-mean-threshold",
        "gains nothing",
    ),
    Broken(
        "counts modulo the number of parties",
        f"{_GROWTH}._pool",
        "MOST_ROWS + 1, ",
        "len(self.rows) + 1, ",
        "Sums need a modulus that is greater than the number of those who add.",
        "lem-pooled-cart",
        "as pooled",
    ),
)
