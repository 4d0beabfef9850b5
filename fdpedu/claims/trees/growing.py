"""How a tree is grown: as printed, by levels and by nodes, with what is left, and without noise."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from fdpedu.accounting.worked.by_hand import Shape
from fdpedu.cart import CodeSplit, Node, best_grid_split, exact_scaled_half_gini, fit_cart, grid_histograms
from fdpedu.claims.accounting.manifests import shape
from fdpedu.claims.checking import require
from fdpedu.claims.federations import LARGER, Case, federate
from fdpedu.claims.laws.askers import Kept, with_noise
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees.federated import ADD_REMOVE, OBSERVER
from fdpedu.claims.trees.paths import PLAIN, WAYS, any_way, fit, unspent
from fdpedu.domain import Domain
from fdpedu.exact import occurrences
from fdpedu.randomness import ZeroWords
from fdpedu.trees import Design, Tree, fit_federated_tree, stopping
from fdpedu.trees.recursive import fit_recursively
from fdpedu.trees.stopping import as_printed


def limit(case: Case, depth: int, least: int, unspent: bool) -> None:
    """Without noise every split leaves the least n·G of the grid, and a node is a leaf where CART would stop.

    A design that does not shrink gains grows the very tree of CART, first one of equals; the gain that is shrunk is
    compared in floats, so among equally good splits it may take another one. A design that never stops is no tree of
    CART. As printed, categories are dummies: other
    splits than CART's, so then only numeric features are tried.
    """
    numeric = all(feature.ordered for feature in case[0].features)
    for way in PLAIN:
        design = WAYS[way]
        stops = design is None or design.stop is not stopping.never
        if stops and (numeric or way != "as printed"):
            _limit(case, way, depth, {"min_samples_split": least, "unspent_to_leaf": unspent})


def _limit(case: Case, way: str, depth: int, options: dict[str, Any]) -> None:
    domain, parts = case
    federation = federate(parts, domain, 10**6, ZeroWords())
    tree, rows = fit(federation, way, {"max_depth": depth, **options}), [row for part in parts for row in part]
    X, y, least = [row[:-1] for row in rows], [row[-1] for row in rows], options["min_samples_split"]
    _require_best(tree.root, domain.encode(X), domain.encode_labels(y), domain, depth, least)
    design = WAYS[way]
    if rows and not (design and design.shrink):
        plain = fit_cart(X, y, grid=domain, max_depth=depth, min_samples_split=least)
        require(tree.root == plain.root, f"{way}: the tree is {tree.root}, CART gives {plain.root}")


def _require_best(node: Node, codes: Any, labels: Any, domain: Domain, depth: int, least: int) -> None:
    counts = occurrences(labels, domain.n_classes)
    require(node.counts == tuple(counts.tolist()), f"a node has the counts {node.counts}, the rows are {counts}")
    best = best_grid_split(grid_histograms(codes, labels, domain), domain)
    stop = depth == 0 or len(labels) < least or np.count_nonzero(counts) <= 1 or best is None
    require(stop == node.is_leaf, f"the node of {counts} is a leaf: {node.is_leaf}; CART stops: {stop}")
    if isinstance(node.split, CodeSplit) and node.left and node.right and best:
        left = node.split.goes_left(codes[:, node.split.feature])
        taken = sum(exact_scaled_half_gini(side.counts) for side in (node.left, node.right))
        require(taken == best.impurity, f"a split leaves {taken}, the best one {best.impurity}")
        for side, rows in ((node.left, left), (node.right, ~left)):
            _require_best(side, codes[rows], labels[rows], domain, depth - 1, least)


def at_most(features: int, alpha: Fraction, least: int, classes: int = 2) -> Fraction:
    """A bound of the probability with which the printed test makes a leaf of an empty node.

    No value of a sum of noises is likelier than m = (1 − α)/(1 + α), the largest probability of one noise; and its law
    is symmetric. So a total is below ``least`` with at most 1/2 + least·m, and not positive with at most 1/2 + m/2, for
    each feature independently.
    """
    m = (1 - alpha) / (1 + alpha)
    few, absent = Fraction(1, 2) + least * m, (1 + m) / 2
    return few**features + classes * absent**features


def empty_becomes_a_leaf(features: int, alpha: Fraction, least: int) -> None:
    """A node with fewer records than asked for becomes a leaf, more often than not; here, a node without any."""
    most = at_most(features, alpha, least)
    require(most >= Fraction(1, 2), f"an empty node becomes a leaf with a probability of at most {float(most):.4f}")


def numbers_of_features(_: int) -> Iterator[tuple[int, Fraction, int]]:
    """1 to 10 features, noise of rate about 1/100 in each cell, ten rows asked for."""
    return ((p, Fraction(99, 100), 10) for p in range(1, 11))


def same_tree(case: Case, share: Fraction, depth: int, least: int, unspent: bool, noise: tuple[int, int]) -> None:
    """With the same noise in the same cells both have the same splits and leaves, at the same cost; so, the same law.

    ``noise`` is a seed and the largest noise of a cell; without noise the counts of all nodes are the same, too.
    """
    design = Design(stop=as_printed, relative=True, unspent_to_leaf=unspent, consistent=False)
    options: Any = {"max_depth": depth, "min_samples_split": least, "leaf_share": share, "unspent_to_leaf": unspent}
    by_level, ledger = _grown(case, fit_federated_tree, noise, {**options, "design": design})
    by_node, other = _grown(case, fit_recursively, noise, options)
    require(shape(by_level.root) == shape(by_node.root), f"by level {by_level}, by node {by_node}")
    require(_leaves(by_level) == _leaves(by_node), f"leaves: {_leaves(by_level)} and {_leaves(by_node)}")
    require(noise[1] or by_level.root == by_node.root, f"by level {by_level.root}, by node {by_node.root}")
    require(ledger.spent == other.spent, f"charged are {ledger.spent} and {other.spent}")
    regions = [
        sorted((region.features, step["type"], step["rate"]) for region, step in tree.derivation.releases())
        for tree in (by_level, by_node)
    ]
    require(regions[0] == regions[1], "the same is not released of the same regions")
    rounds = _rounds(shape(by_node.root), depth)
    require(by_node.rounds == rounds >= by_level.rounds, f"{by_node.rounds} rounds by node, expected are {rounds}")


def _grown(case: Case, fit: Any, noise: tuple[int, int], options: Any) -> tuple[Tree, Any]:
    domain, parts = case
    asker = Kept(federate(parts, domain, 1, ZeroWords()), with_noise(*noise))
    return fit(asker, **options), asker.ledger


def _leaves(tree: Tree) -> list[tuple[float, ...]]:
    """What each leaf predicts from."""

    def weights(leaf: Node) -> tuple[float, ...]:
        return leaf.counts if leaf.estimate is None else leaf.estimate

    return [weights(leaf) for leaf in tree.leaves()]


def _rounds(at: Shape | None, depth: int) -> int:
    """One for each leaf, and one for each node above the last level."""
    if at is None:
        return 1 + (depth > 0)
    return 1 + _rounds(at.left, depth - 1) + _rounds(at.right, depth - 1)


CLAIMS = (
    Claim(
        "stopping-as-printed",
        status="refuted as stated",
        code=("fdpedu.trees.recursive.FitTreeRecursive.stops", "fdpedu.sources.gubler.tree.stops_as_printed"),
        checks=(
            Check(
                "empty node",
                "exact",
                "1 to 10 features, α = 99/100, ten records asked for: a bound of the probability",
                empty_becomes_a_leaf,
                numbers_of_features,
            ),
        ),
        assumptions=("integers", "two classes"),
        corrected_by="lem-confident-stopping",
    ),
    Claim(
        "lem-level-by-level",
        status="proved+checked",
        code=("fdpedu.trees.recursive", "fdpedu.trees.recursive.fit_recursively"),
        checks=(
            Check(
                "same tree",
                "property",
                "{size} random cases, noise that depends on region and query alone: splits, leaves, charges",
                same_tree,
                lambda draw: draw.tuples(
                    draw.domains_with_parties(),
                    draw.shares,
                    draw.integers(0, 3),
                    draw.integers(0, 6),
                    draw.booleans(),
                    draw.tuples(draw.integers(0, 99), draw.integers(0, 4)),
                ),
                15,
                1000,
                more=[
                    (LARGER, Fraction(1, 3), depth, 2 + depth, depth % 2 == 0, (depth, noise))
                    for depth in range(4)
                    for noise in (0, 1, 3, 20)
                ],
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", "a level has no more open nodes than one request can ask of"),
        uses=("thm-federated-tree",),
    ),
    Claim(
        "lem-unspent-leaf",
        status="proved+checked",
        code=("fdpedu.trees.costs.Costs.of_leaf",),
        checks=(
            Check(
                "unspent",
                "property",
                "{size} random cases, four designs and the recursion: what each leaf has paid and has left",
                unspent,
                lambda draw: draw.tuples(
                    draw.domains_with_parties(),
                    any_way(draw, plain=True),
                    draw.shares,
                    draw.integers(0, 3),
                    draw.integers(0, 99),
                ),
                8,
                500,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER, "the level of a leaf is a function of what was released"),
        uses=("lem-filter", "thm-federated-tree"),
    ),
    Claim(
        "lem-grid-limit",
        status="proved+checked",
        code=("fdpedu.trees.grow.fit_federated_tree",),
        checks=(
            Check(
                "limit",
                "property",
                "{size} random cases, each by four designs and the recursion: splits are best ones, leaves where CART "
                "stops",
                limit,
                lambda draw: draw.tuples(
                    draw.domains_with_parties(), draw.integers(0, 3), draw.integers(2, 6), draw.booleans()
                ),
                10,
                500,
            ),
        ),
        assumptions=("integers", "as printed, categories are dummies: then of numeric features only"),
        uses=("thm-federated-tree", "lem-split-never-hurts"),
    ),
)

TWINS = (
    Broken(
        "one level's budget to an early leaf",
        "fdpedu.trees.costs.Costs.of_leaf",
        "self.budget - self.of_levels(levels_paid)",
        "self.leaf + (levels_paid < self.depth) * self.node",
        "An early leaf saves one level, the one that it would have been split on.",
        "lem-unspent-leaf",
        "unspent",
    ),
    Broken(
        "one record is as good as none",
        "fdpedu.trees.stopping.confident",
        "level.bounds(totals, 1) >= 1",
        "level.bounds(totals, 1) >= 2",
        "A class with a single record is not worth a split.",
        "lem-grid-limit",
        "limit",
    ),
    Broken(
        "noise outside of the node",
        "fdpedu.trees.recursive.FitTreeRecursive.histograms",
        "cells[sorted(outside)] = 0",
        "cells[:0] = 0",
        "Cells in which no record can be add nothing to a histogram.",
        "lem-level-by-level",
        "same tree",
    ),
)
