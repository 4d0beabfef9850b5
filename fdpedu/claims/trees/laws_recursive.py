"""Checks of chapter 8: the tree that is grown level by level is that of Algorithm 5 as one reads it."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from fdpedu.accounting.worked.by_hand import Shape
from fdpedu.cart import Node
from fdpedu.claims.accounting.laws_manifests import shape
from fdpedu.claims.checking import require
from fdpedu.claims.federations import Case, federate
from fdpedu.federation import Federation, Query
from fdpedu.randomness import ZeroWords
from fdpedu.trees import Design, Tree, fit_federated_tree
from fdpedu.trees.recursive import fit_recursively
from fdpedu.trees.stopping import as_printed


class NoiseByRegion(Federation):
    """A federation whose noise depends on what is asked, where and at what cost, and not on when."""

    seed, spread = 0, 3

    def release(self, queries: Sequence[Query], *rest: Any, **options: Any) -> Any:
        answers = super().release(queries, *rest, **options)
        return [answer + self._noise(query, answer.shape) for query, answer in zip(queries, answers, strict=True)]

    def _noise(self, query: Query, shape: tuple[int, ...]) -> Any:
        asked = f"{self.seed} {query.type} {query.region.features} {query.epsilon}"
        rng = np.random.default_rng(zlib.crc32(asked.encode()))
        return rng.integers(-self.spread, self.spread + 1, shape)


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
    federation: Any = federate(parts, domain, 1, ZeroWords())
    federation.__class__ = NoiseByRegion
    federation.seed, federation.spread = noise
    return fit(federation, **options), federation.ledger


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
