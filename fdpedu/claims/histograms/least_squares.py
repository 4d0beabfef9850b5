"""What is free: totals that add up by least squares, and the smallest variance."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from fdpedu.cart import GridSearch
from fdpedu.claims.checking import as_case, require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Domain, Numeric
from fdpedu.histograms import clip, consistent_totals, least_squares
from fdpedu.mechanisms import discrete_laplace
from fdpedu.randomness import Rehearsal

Parents = Sequence[int]
Variances = Sequence[Fraction | None]
Matrix = list[list[Fraction]]
_SPREADS = [Fraction(text) for text in ("2", "1", "5", "1/3", "7", "3/2", "11")]


def trees(nodes: int) -> Iterator[Parents]:
    """All trees of so many nodes, as the lists of their parents."""
    return ((-1, *rest) for rest in product(*(range(i) for i in range(1, nodes))))


def trees_with_views(most: int) -> Iterator[tuple[Parents, Variances]]:
    """All trees of at most so many nodes, each with all choices of inner nodes that have no view."""
    for parents in (tree for nodes in range(1, most + 1) for tree in trees(nodes)):
        inner = sorted(set(parents) - {-1})
        for unseen in product((False, True), repeat=len(inner)):
            hidden = {node for node, without in zip(inner, unseen, strict=True) if without}
            yield parents, [None if i in hidden else _SPREADS[i] for i in range(len(parents))]


def leaves_below(parents: Parents) -> list[set[int]]:
    """For each node the leaves of its subtree; of a leaf, itself."""
    below = [set() if node in parents else {node} for node in range(len(parents))]
    for node in reversed(range(1, len(parents))):
        below[parents[node]] |= below[node]
    return below


def estimator(parents: Parents, variances: Variances) -> Matrix:
    """The matrix of the estimate, which is linear: the row of a node says what each view contributes to it."""
    columns = [
        least_squares(parents, [int(i == view) for i in range(len(parents))], variances) for view in range(len(parents))
    ]
    return [list(row) for row in zip(*columns, strict=True)]


def normal_equations(parents: Parents, variances: Variances) -> None:
    """The estimate adds up, and no leaf's total can be moved for the better: it is the least-squares solution.

    At every leaf, Σ (view − estimate)/variance over the views of the leaf and of all nodes above it is 0. The views are
    each unit vector, whose solutions make up all others, and a mixture.
    """
    nodes, below = range(len(parents)), leaves_below(parents)
    for views in [*([int(i == view) for i in nodes] for view in nodes), [(7 * i * i + 3) % 11 - 4 for i in nodes]]:
        found = least_squares(parents, views, variances)
        for node in set(parents) - {-1}:
            children = sum(found[child] for child in nodes if parents[child] == node)
            require(
                found[node] == children, f"of the views {views}, node {node} is {found[node]}, its children {children}"
            )
        for leaf in set(nodes) - set(parents):
            pull = sum((views[i] - found[i]) / v for i, v in enumerate(variances) if v is not None and leaf in below[i])
            require(pull == 0, f"of the views {views}, leaf {leaf} is pulled by {pull}")


def smallest_variance(parents: Parents, variances: Variances) -> None:
    """The estimate is unbiased, and uncorrelated with all that has mean 0: so no linear unbiased one has less variance.

    Every linear combination of views whose mean is always 0 is made of these: a view less those of the leaves below it.
    Where an own view is not all that there is to know of a node, the estimate has a smaller variance than it.
    """
    rows, below, nodes = estimator(parents, variances), leaves_below(parents), range(len(parents))
    seen = {i: v for i, v in enumerate(variances) if v is not None}
    for node in nodes:
        for leaf in below[0]:
            mean = sum(rows[node][view] for view in seen if leaf in below[view])
            require(mean == (leaf in below[node]), f"a record of leaf {leaf} moves the mean of node {node} by {mean}")
        for view in set(seen) - below[0]:
            covariance = rows[node][view] * seen[view] - sum(rows[node][leaf] * seen[leaf] for leaf in below[view])
            require(
                covariance == 0, f"node {node} and the view of {view} less its leaves' have covariance {covariance}"
            )
        variance, own = sum(rows[node][i] ** 2 * v for i, v in seen.items()), variances[node]
        informed = len(below[node]) > 1 or any(node in above and i in seen for i, above in enumerate(_inside(parents)))
        require(
            own is None or variance < own or (variance == own and not informed), f"node {node}: {variance} and {own}"
        )


def _inside(parents: Parents) -> list[set[int]]:
    """For each node the nodes of its subtree without itself."""
    inside: list[set[int]] = [set() for _ in parents]
    for node in reversed(range(1, len(parents))):
        inside[parents[node]] |= inside[node] | {node}
    return inside


def fast(parents: Parents, views: Sequence[Sequence[int]], variances: Variances) -> None:
    """In floats, all classes at once, level by level: the same totals as the fractions, class by class, to 9 digits."""
    spreads = [None if v is None else float(v) for v in variances]
    found = consistent_totals(parents, views, spreads)
    size = 1 + max(abs(view) for row in views for view in row)
    for c, column in enumerate(zip(*views, strict=True)):
        exact = least_squares(parents, column, variances)
        for node, total in enumerate(exact):
            require(
                abs(found[node, c] - float(total)) <= 1e-9 * size,
                f"class {c}, node {node}: {found[node, c]}, in fractions {total}",
            )
        one = consistent_totals(parents, column, spreads)
        require(
            np.array_equal(one, found[:, c]), f"class {c} alone: {one.tolist()}, with others {found[:, c].tolist()}"
        )


def selected(draws: int, seed: int = 0) -> None:
    """A histogram that was selected by its own noise has larger errors than its noise has variance.

    Ten features of eight bins that say nothing of two classes, noise of rate 1/10: the class totals left of the best
    split, in the histogram that it was chosen from, against the variance that so many cells have. Their mean squared
    ratio is above 7/5 (it is 1.64 ± .03 over 4,000 draws); of a split fixed beforehand it is 1 ± 1/5.
    """
    p, bins = 10, 8
    domain = Domain([Numeric.grid(f"x{j}", 0, 1, bins=bins) for j in range(p)], (0, 1))
    decay = math.exp(-0.1)
    cell = 2 * decay / (1 - decay) ** 2
    truth = np.full((draws, p * bins, 2), 6)
    tables = discrete_laplace(truth, "1/10", Rehearsal(seed))
    errors = (tables - truth).astype(float)
    chosen, fixed = [], []
    for candidate, error in zip(GridSearch(domain).best_splits(clip(tables)), errors, strict=True):
        require(candidate is not None, "no split was found")
        assert candidate is not None
        first, n = candidate.split.feature * bins, len(candidate.split.left)
        chosen.append((error[first : first + n].sum(axis=0) ** 2).mean() / (n * cell))
        fixed.append((error[: bins // 2].sum(axis=0) ** 2).mean() / (bins // 2 * cell))
    require(np.mean(chosen) > 1.4, f"selected: {np.mean(chosen):.2f} times the variance of its noise")
    require(0.8 < np.mean(fixed) < 1.2, f"fixed beforehand: {np.mean(fixed):.2f} times the variance of its noise")


VIEWS = "every view is its node's true total plus noise of mean 0 and of the stated variance; every leaf has a view"

CLAIMS = (
    Claim(
        "thm-least-squares-tree",
        status="proved+checked",
        code=(
            "fdpedu.histograms.consistency",
            "fdpedu.histograms.consistency.least_squares",
            "fdpedu.histograms.consistency.consistent_totals",
        ),
        checks=(
            Check(
                "normal equations",
                "exact",
                "all trees of at most {size} nodes, all choices of inner nodes without a view: a basis of all views",
                normal_equations,
                trees_with_views,
                5,
                6,
                more=lambda draw: draw.trees_of_views(8).map(lambda case: (case[0], case[2])),
            ),
            Check(
                "fast",
                "property",
                "{size} random trees, 1 to 3 classes, variances from 1/1000 to 1000: floats agree with fractions",
                fast,
                lambda draw: draw.trees_of_views(),
                150,
                3000,
            ),
        ),
        assumptions=("a fixed tree; exact rationals, or floats for the fast form", "no privacy"),
    ),
    Claim(
        "thm-consistency-variance",
        status="proved+checked",
        code=(
            "fdpedu.histograms.consistency",
            "fdpedu.histograms.consistency.least_squares",
            "fdpedu.histograms.consistency.consistent_totals",
        ),
        checks=(
            Check(
                "smallest variance",
                "exact",
                "all trees of at most {size} nodes, all choices of inner nodes without a view: mean, covariance with "
                "every combination of mean 0, variance",
                smallest_variance,
                trees_with_views,
                5,
                6,
            ),
        ),
        assumptions=(VIEWS, "the tree does not depend on the noise of the views", "no privacy"),
        uses=("thm-least-squares-tree",),
    ),
    Claim(
        "lem-selected-histogram",
        status="checked",
        code=("fdpedu.histograms.consistency",),
        checks=(
            Check(
                "selected",
                "statistical",
                "{size} nodes of ten useless features: the side of the best split, and of a split fixed beforehand",
                selected,
                as_case,
                4_000,
                40_000,
                alpha=1e-9,
            ),
        ),
        assumptions=("two classes, 6 records in each cell, one party", "a mean of 4,000 errors is close to normal"),
        uses=("thm-consistency-variance",),
    ),
)

TWINS = (
    Broken(
        "raw variances on the way down",
        "fdpedu.histograms.consistency.least_squares",
        "for node, below in enumerate(children):",
        "spread = {node: Fraction(v or 1) for node, v in enumerate(variances)}\n    "
        "for node, below in enumerate(children):",
        "What the children lack is spread in proportion to the variances of their own views.",
        "thm-least-squares-tree",
        "normal equations",
    ),
    Broken(
        "spread evenly",
        "fdpedu.histograms.consistency.least_squares",
        "lacking * spread[child] / doubt",
        "lacking / len(below)",
        "What the children lack belongs to each of them in the same part.",
        "thm-least-squares-tree",
        "normal equations",
    ),
    Broken(
        "own view and children's sum averaged evenly",
        "fdpedu.histograms.consistency.least_squares",
        "seen = doubt / spread[node] if node in spread else Fraction(0)",
        "seen = Fraction(node in spread)",
        "Two estimates of one number are best averaged half and half.",
        "thm-consistency-variance",
        "smallest variance",
    ),
    Broken(
        "raw variances on the way down, in floats",
        "fdpedu.histograms.consistency.consistent_totals",
        "for level in levels[1:]:\n        node",
        "spread = np.array([v or 1.0 for v in variances])\n    "
        "doubt = np.bincount(above[1:], spread[1:], len(above))\n    "
        "for level in levels[1:]:\n        node",
        "The variances of the views are all that there is to know of how sure one is.",
        "thm-least-squares-tree",
        "fast",
    ),
    Broken(
        "the second class forgotten",
        "fdpedu.histograms.consistency.consistent_totals",
        "total[level] += (total[node] - below[node])",
        "total[level, :1] += (total[node] - below[node])[:, :1]",
        "With two classes the total and one of them say everything.",
        "thm-least-squares-tree",
        "fast",
    ),
)
