"""Checks of chapter 8: without noise the tree is that of the public grid, whatever the order of columns and labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fdpedu.accounting import Ledger
from fdpedu.cart import CodeSplit, Node, best_grid_split, exact_scaled_half_gini, fit_cart, grid_histograms
from fdpedu.claims.checking import require
from fdpedu.claims.federations import Case, Rows, federate
from fdpedu.claims.trees.laws_paths import PLAIN, WAYS, fit
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import Federation, Party
from fdpedu.randomness import ZeroWords


def by_name(case: Case, way: str, depth: int, turn: int) -> None:
    """Each party has columns in an order of its own; leaves hold the counts, and predict the class, that hands find.

    Codes and classes are found here by going through edges, categories and classes.
    """
    domain, parts = case
    names = [*(feature.name for feature in domain.features), "class"]
    parties = [Party(_table(rows, names, turn + k), domain, label="class") for k, rows in enumerate(parts)]
    federation = Federation(parties, domain, Ledger(1), rng=ZeroWords())
    tree = fit(federation, way, {"max_depth": depth, "min_samples_split": 2})
    rows, leaves = [row for part in parts for row in part], tree.leaves()
    there = [_leaf_of(tree.root, row, domain) for row in rows]
    for leaf in leaves:
        own = [row[-1] for at, row in zip(there, rows, strict=True) if at is leaf]
        counts = [own.count(label) for label in domain.classes]
        require(list(leaf.counts) == counts, f"a leaf has the counts {leaf.counts}, by hand they are {counts}")
    if rows:
        predicted = tree.predict(_table(rows, names, turn)).tolist()
        expected = [domain.classes[leaf.counts.index(max(leaf.counts))] for leaf in there]
        require(predicted == expected, f"predicted are {predicted}, the largest classes of the leaves are {expected}")


def _table(rows: Rows, names: Sequence[str], turn: int) -> dict[str, list[Any]]:
    turned = [*names[turn % len(names) :], *names[: turn % len(names)]]
    return {name: [row[names.index(name)] for row in rows] for name in turned}


def _leaf_of(node: Node, row: Sequence[Any], domain: Domain) -> Node:
    while isinstance(node.split, CodeSplit) and node.left and node.right:
        feature = node.split.feature
        node = node.left if _code(domain.features[feature], row[feature]) in node.split.left else node.right
    return node


def _code(feature: Any, value: Any) -> int:
    """By hand: how many inner edges lie below the value, or its place among the categories."""
    if isinstance(feature, Numeric):
        return sum(value > edge for edge in feature.edges[1:-1])
    return int(feature.categories.index(value))


def limit(case: Case, depth: int, least: int, unspent: bool) -> None:
    """Without noise every split leaves the least n·G of the grid, and a node is a leaf where CART would stop.

    A design that does not shrink gains grows the very tree of CART, first one of equals; the gain that is shrunk is
    compared in floats, so among equally good splits it may take another one. As printed, categories are dummies: other
    splits than CART's, so then only numeric features are tried.
    """
    numeric = all(feature.ordered for feature in case[0].features)
    for way in PLAIN:
        if numeric or way != "algorithm-5-as-printed":
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
    counts = np.bincount(labels, minlength=domain.n_classes)
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
