"""The counts of a grown tree come from all that was released of its nodes, and add up."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from fdpedu.cart import CodeSplit, Node
from fdpedu.claims.checking import require
from fdpedu.claims.federations import LARGER, Case, federate, rows_to_split
from fdpedu.claims.histograms.release import ADD_REMOVE, OBSERVER
from fdpedu.claims.laws.askers import Kept
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import patched
from fdpedu.claims.trees.federated import only_released
from fdpedu.domain import Domain, Region
from fdpedu.exact import Rate
from fdpedu.federation import NodeHistograms, Query
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
    asker = Kept(federate(parts, domain, budget, Rehearsal(seed), tolerate=min(tolerate, len(parts) - 1)))
    estimates = list[Any]()

    def keeping(parents: Any, found: Any) -> Any:
        estimates.append(found)
        return round_with_sums(parents, found)

    with patched("fdpedu.trees.counts", round_with_sums=keeping):
        tree = fit_federated_tree(asker, max_depth=depth, design=design, **rows_to_split(design, 2))
    return tree, list(zip(asker.queries, asker.exact, strict=True)), estimates[0]


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
    for content in (tree.to_dict(), Tree.from_json(tree.to_json()).to_dict()):
        require_sums(content)
    nodes, regions, parents = by_level(tree)
    counts = [list(node.counts) for node in nodes]
    rounded = round_with_sums(parents, estimates).tolist()
    require(counts == rounded, f"the counts are {counts}, the rounded estimates {rounded}")
    for node, region, estimate in zip(nodes, regions, estimates, strict=True):
        if node.is_leaf:
            finer = np.array(node.counts if node.estimate is None else node.estimate)
            estimate = estimate if DESIGNS[design].consistent else own[region]
            require(np.abs(finer - estimate).max() <= 6e-4, f"a leaf predicts from {finer}, its estimate is {estimate}")


def require_sums(node: Any) -> None:
    """What each node of a tree's document shows is whole, not negative, and the sum of its sides."""
    counts = node["counts"]
    require(all(type(count) is int and count >= 0 for count in counts), f"a node shows {counts}")
    if "left" in node:
        below = [node[side]["counts"] for side in ("left", "right")]
        sums = [sum(pair) for pair in zip(*below, strict=True)]
        require(counts == sums, f"a node shows {counts}, its sides {below}")
        for side in ("left", "right"):
            require_sums(node[side])


CLAIMS = (
    Claim(
        "lem-tree-counts",
        status="proved+checked",
        code=("fdpedu.trees.counts", "fdpedu.trees.counts.estimates_and_counts"),
        checks=(
            Check(
                "all views",
                "property",
                "{size} random federations, depths and designs: against one matrix of all views, solved anew",
                all_views,
                lambda draw: draw.growths(),
                60,
                1000,
                more=[
                    (LARGER, 2, 3, tolerate, seed, design) for design in DESIGNS for tolerate, seed in ((0, 1), (1, 2))
                ],
            ),
            Check(
                "shown",
                "property",
                "{size} random federations, depths and designs: the counts as plain data, and read back from a file",
                shown,
                lambda draw: draw.growths(),
                30,
                1000,
                more=[(LARGER, 2, 3, 1, seed, design) for design in DESIGNS for seed in (3, 4)],
            ),
        ),
        assumptions=("the tree as it was grown; floats for the estimates",),
        uses=("thm-least-squares-tree", "lem-rounding-with-sums", "lem-confident-stopping"),
    ),
    Claim(
        "lem-consistency-free",
        status="proved+checked",
        code=("fdpedu.histograms.consistency", "fdpedu.trees.counts"),
        checks=(
            Check(
                "only released",
                "property",
                "{size} random cases: parties without rows, given the same answers, show the same counts and estimates",
                only_released,
                lambda draw: draw.tuples(draw.domains_with_parties(), draw.integers(0, 3), draw.integers(0, 99)),
                30,
                500,
                more=[(LARGER, 2, 5)],
            ),
        ),
        assumptions=(ADD_REMOVE, "integers released, floats and fractions made of them", OBSERVER),
        uses=("thm-post-processing", "thm-histogram", "thm-node-histograms"),
    ),
)

TWINS = (
    Broken(
        "totals from clipped counts",
        "fdpedu.trees.stopping.Level.best_totals",
        "np.add.reduceat(self.tables, as_indices(self.first), axis=1)",
        "np.add.reduceat(np.maximum(self.tables, 0), as_indices(self.first), axis=1)",
        "A negative count is an error in any case, so it is clipped before anything is added up.",
        "lem-tree-counts",
        "all views",
    ),
    Broken(
        "structural zeros' noise kept",
        "fdpedu.trees.count_growth.CountGrowth._seen",
        """tables *= inside[:, :, None]  # cells outside the node's region hold noise and no record, which is public
    return Level(tables, inside, self.search.first, self._noise(self.costs.of_level(self.depth) / self.drawn))""",
        """seen = self._noise(self.costs.of_level(self.depth) / self.drawn)
    seen = Level(tables.copy(), inside, self.search.first, seen)
    tables *= inside[:, :, None]
    return seen""",
        "Cells outside of the node have noise of mean 0, which does not matter in a sum.",
        "lem-tree-counts",
        "all views",
    ),
    Broken(
        "the variance of all codes",
        "fdpedu.trees.stopping.Level.best_totals",
        "np.add.reduceat(self.inside, as_indices(self.first), axis=1, dtype=np.int64)",
        "np.add.reduceat(np.ones_like(self.inside), as_indices(self.first), axis=1, dtype=np.int64)",
        "A histogram has as many noises as it has cells, in every node.",
        "lem-tree-counts",
        "all views",
    ),
    Broken(
        "a leaf's variance taken for the node's",
        "fdpedu.trees.count_growth.CountGrowth.read",
        "self._noise(value)",
        "self._noise(self.costs.node or value)",
        "All releases of a tree have the noise of a node.",
        "lem-tree-counts",
        "all views",
    ),
    Broken(
        "the histograms of an early leaf forgotten",
        "fdpedu.trees.count_growth.CountGrowth._sides",
        "for node, totals, variance in zip(self.level, *seen.best_totals(), strict=True):",
        "for node, totals, variance in [z for z, end in zip(zip(self.level, *seen.best_totals()), "
        "self.design.stop(seen, self.least)) if not end]:",
        "A leaf has its own counts, and what was released before it is used up.",
        "lem-tree-counts",
        "all views",
    ),
    Broken(
        "the true totals of inner nodes",
        "fdpedu.trees.count_growth.CountGrowth._sides",
        "node.views.append(View(totals, variance))",
        "rows = [ask.__self__._records for ask in self.federation._endpoints]\n        "
        "true = [np.bincount(r.labels[r.within([node.region])[0]], minlength=len(totals)) for r in rows]\n        "
        "node.views.append(View(np.sum(true, axis=0), 1.0))",
        "A sum that is only used to correct the noise is not released.",
        "lem-consistency-free",
        "only released",
    ),
    Broken(
        "counts shown before they are whole",
        "fdpedu.trees.counts.estimates_and_counts",
        "counts = round_with_sums(parents, estimates)",
        "counts = np.maximum(estimates, 0).round().astype(int)",
        "Every number rounded for itself is the nearest, so all of them are.",
        "lem-tree-counts",
        "shown",
    ),
)
