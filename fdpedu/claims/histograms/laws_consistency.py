"""Checks of chapter 7: totals that add up by least squares, whole counts that add up, and what a tree shows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from fdpedu.cart import GridSearch
from fdpedu.claims.checking import require
from fdpedu.domain import Domain, Numeric
from fdpedu.histograms import clip, consistent_totals, least_squares, round_with_sums
from fdpedu.histograms.rounding import project, share_out
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
