"""Checks of chapter 7: the counts of a grown tree come from all that was released of its nodes, and add up."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from fdpedu.cart import CodeSplit, Node
from fdpedu.claims.checking import require
from fdpedu.claims.federations import Case, federate
from fdpedu.claims.replay import patched
from fdpedu.domain import Domain, Region
from fdpedu.exact import Rate
from fdpedu.federation import Federation, NodeHistograms, Query
from fdpedu.histograms import round_with_sums
from fdpedu.randomness import Rehearsal
from fdpedu.trees import DESIGNS, Tree, fit_federated_tree
from fdpedu.trees.stopping import noise_deviation

Released = list[tuple[Query, Any]]


def grown(
    case: Case, budget: Fraction, depth: int, tolerate: int, seed: int, design: str
) -> tuple[Tree, Released, Any]:
    """A tree, all that was released for it, and the estimates that its counts were rounded from."""
    domain, parts = case
    federation = federate(parts, domain, budget, Rehearsal(seed), tolerate=min(tolerate, len(parts) - 1))
    released: Released = []
    estimates = list[Any]()

    class Keeping(Federation):
        """Keeps what it releases."""

        def release(self, queries: Sequence[Query], *rest: Any, **options: Any) -> Any:
            answers = super().release(queries, *rest, **options)
            released.extend(zip(queries, [answer.copy() for answer in answers], strict=True))
            return answers

    def keeping(parents: Any, found: Any) -> Any:
        estimates.append(found)
        return round_with_sums(parents, found)

    federation.__class__ = Keeping
    with patched("fdpedu.trees.counts", round_with_sums=keeping):
        tree = fit_federated_tree(federation, max_depth=depth, min_samples_split=2, design=design)
    return tree, released, estimates[0]


def by_level(tree: Tree) -> tuple[list[Node], list[Region], list[int]]:
    """The nodes of a tree, level after level, with their regions and the indices of their parents."""
    assert tree.domain is not None
    nodes, regions, parents = [tree.root], [tree.domain.everything], [-1]
    for i, node in enumerate(nodes):
        if isinstance(node.split, CodeSplit) and node.left and node.right:
            feature, here = node.split.feature, regions[i].codes(node.split.feature)
            nodes += [node.left, node.right]
            regions += [regions[i].restrict(feature, side) for side in (here & node.split.left, here - node.split.left)]
            parents += [i, i]
    return nodes, regions, parents


def views_of(domain: Domain, released: Released, n_parties: int, tolerate: int) -> list[tuple[Region, Any, float]]:
    """Every total of classes that was released: of which region, the counts, and the variance of their noise.

    A feature's histogram gives one: the sum over the codes in the region, each of which has the noise of a cell.
    """
    found = []
    for query, answer in released:
        cell = noise_deviation(Rate(rate=query.rate.rate), n_parties, n_parties - tolerate) ** 2
        if not isinstance(query, NodeHistograms):
            found.append((query.region, answer, cell))
            continue
        first = 0
        for j, feature in enumerate(domain.features):
            codes = sorted(query.region.codes(j))
            found.append((query.region, answer[[first + code for code in codes]].sum(axis=0), len(codes) * cell))
            first += feature.n_codes
    return found


def all_views(case: Case, budget: Fraction, depth: int, tolerate: int, seed: int, design: str) -> None:
    """The estimates are the least-squares fit to every class total that was released, each with its own variance.

    The fit is made anew, of all leaves' counts at once: a matrix says which leaves each view covers.
    """
    domain, parts = case
    tolerate = min(tolerate, len(parts) - 1)
    tree, released, estimates = grown(case, budget, depth, tolerate, seed, design)
    nodes, regions, parents = by_level(tree)
    ends = [i for i, node in enumerate(nodes) if node.is_leaf]
    below = np.zeros((len(nodes), len(ends)))
    for column, end in enumerate(ends):
        at = end
        while at >= 0:
            below[at, column], at = 1, parents[at]
    views = views_of(domain, released, len(parts), tolerate)
    require({region for region, _, _ in views} == set(regions), "a node has no view, or a view no node")
    weights = np.array([variance**-0.5 for _, _, variance in views])
    covers = np.array([below[regions.index(region)] for region, _, _ in views])
    seen = np.array([counts for _, counts, _ in views])
    of_leaves = np.linalg.lstsq(covers * weights[:, None], seen * weights[:, None], rcond=None)[0]
    stated = below @ of_leaves
    off = np.abs(estimates - stated).max() / (1 + np.abs(seen).max())
    require(off < 1e-7, f"the estimates are {estimates.round(3).tolist()}, of all views {stated.round(3).tolist()}")


def shown(case: Case, budget: Fraction, depth: int, tolerate: int, seed: int, design: str) -> None:
    """Every count that a tree shows, as plain data and read back from its document, is at least 0, and they add up."""
    tree, released, estimates = grown(case, budget, depth, tolerate, seed, design)
    own = {query.region: answer for query, answer in released if not isinstance(query, NodeHistograms)}
    for told in (tree.to_dict(), Tree.from_json(tree.to_json()).to_dict()):
        _require_sums(told)
    nodes, regions, parents = by_level(tree)
    counts = [list(node.counts) for node in nodes]
    rounded = round_with_sums(parents, estimates).tolist()
    require(counts == rounded, f"the counts are {counts}, the rounded estimates {rounded}")
    for node, region, estimate in zip(nodes, regions, estimates, strict=True):
        if node.is_leaf:
            finer = np.array(node.counts if node.estimate is None else node.estimate)
            estimate = estimate if DESIGNS[design].consistent else own[region]
            require(np.abs(finer - estimate).max() <= 6e-4, f"a leaf predicts from {finer}, its estimate is {estimate}")


def _require_sums(node: Any) -> None:
    counts = node["counts"]
    require(all(type(count) is int and count >= 0 for count in counts), f"a node shows {counts}")
    if "left" in node:
        below = [node[side]["counts"] for side in ("left", "right")]
        sums = [sum(pair) for pair in zip(*below, strict=True)]
        require(counts == sums, f"a node shows {counts}, its sides {below}")
        for side in ("left", "right"):
            _require_sums(node[side])
