"""Leaves without counts of their own, and what a histogram's choice does to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from fdpedu.cart import CodeSplit, GridSearch, Node
from fdpedu.claims.checking import require
from fdpedu.claims.federations import LARGER, Case, federate
from fdpedu.claims.histograms.tree_counts import by_level
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees.federated import ADD_REMOVE, OBSERVER
from fdpedu.claims.trees.pruning import grown
from fdpedu.domain import Domain, Numeric, Region
from fdpedu.exact import Rate
from fdpedu.federation import ClassCounts
from fdpedu.histograms import clip
from fdpedu.randomness import ZeroWords
from fdpedu.trees import DESIGNS, Design, Tree, fit_federated_tree
from fdpedu.trees.stopping import noise_deviation

TWO_BINS = Domain([Numeric.grid("x", 0, 2, bins=2)], (0, 1))
CELLS, ALPHA = 3, Fraction(1, 2)  # records in every cell; the noise's α


def reuse_cost(case: Case, budget: Fraction, depth: int, least: int, seed: int) -> None:
    """No leaf counts are asked for; a tree of depth d takes at most d rounds, and its paths cost ε at full depth.

    Every histogram costs ε/(d·p).
    """
    design = replace(DESIGNS["default"], fresh_leaves=False)
    tree, answered, federation = grown(case, budget, seed, design, max_depth=depth, min_samples_split=least)
    kinds = {type(query) for query, _ in answered}
    require(ClassCounts not in kinds and not tree.leaf_releases, "class counts of leaves were asked for")
    require(tree.rounds == federation.rounds <= depth, f"{tree.rounds} rounds")
    costs = {query.epsilon for query, _ in answered}
    require(costs == {budget / depth}, f"nodes cost {costs}")
    proved, levels = tree.derivation.guarantee, tree.rounds
    require(proved.spent == levels * budget / depth and proved.value == budget, f"the guarantee is {proved}")
    require(Tree.from_json(tree.to_json()) == tree, "the tree is not read back as it is")


def reuse_views(case: Case, budget: Fraction, depth: int, tolerate: int, seed: int, consistent: bool) -> None:
    """Leaves predict from what was released above them, every released cell once.

    A leaf at full depth has the side of its parent's chosen histogram, another leaf the mean of its node's totals. With
    ``consistent``, the estimates are the least-squares fit to these views and to the totals of all other histograms.
    """
    domain, parts = case
    c = min(tolerate, len(parts) - 1)
    design = Design(fresh_leaves=False, consistent=consistent)
    tree, answered, _ = grown(case, budget, seed, design, c, max_depth=depth, min_samples_split=2)
    nodes, regions, parents = by_level(tree)
    tables = {query.region: answer for query, answer in answered}
    cell = noise_deviation(Rate(rate=budget / depth / domain.n_features), len(parts), len(parts) - c) ** 2
    views = list(_reused(domain, nodes, regions, parents, tables, cell))
    ends = [i for i, node in enumerate(nodes) if node.is_leaf]
    fitted = _fitted(views, ends, parents) if consistent else {}
    for i in ends:
        own = [(seen, 1 / spread) for at, seen, spread in views if at == i]
        mean = sum(w * seen for seen, w in own) / sum(w for _, w in own)
        expected, node = fitted.get(i, mean), nodes[i]
        finer = np.array(node.counts if node.estimate is None else node.estimate)
        off = np.abs(finer - expected).max() / (1 + np.abs(expected).max())
        require(off < 1e-3, f"a leaf predicts from {finer}, its views say {expected}")


def _reused(
    domain: Domain, nodes: Sequence[Node], regions: Sequence[Region], parents: Sequence[int], tables: Any, cell: float
) -> Iterator[tuple[int, Any, float]]:
    """For each view: of which node, its class totals, and their variance."""
    first = np.cumsum([0, *(feature.n_codes for feature in domain.features)], dtype=np.int64)
    for i, (node, region) in enumerate(zip(nodes, regions, strict=True)):
        split = node.split
        for j in range(domain.n_features) if region in tables else ():
            sides = [k for k, parent in enumerate(parents) if parent == i and regions[k] not in tables]
            chosen = isinstance(split, CodeSplit) and split.feature == j and sides
            for k in sides if chosen else [i]:
                codes = [int(first[j]) + code for code in regions[k].codes(j)]
                yield k, tables[region][codes].sum(axis=0), len(codes) * cell


def _fitted(views: Sequence[tuple[int, Any, float]], ends: Sequence[int], parents: Sequence[int]) -> dict[int, Any]:
    """The least-squares class counts of the leaves, from one matrix that says which leaves each view covers."""
    below = np.zeros((len(parents), len(ends)))
    for column, end in enumerate(ends):
        at = end
        while at >= 0:
            below[at, column], at = 1, parents[at]
    scale = np.array([spread**-0.5 for _, _, spread in views])[:, None]
    covers, seen = np.array([below[i] for i, _, _ in views]), np.array([totals for _, totals, _ in views])
    found = np.linalg.lstsq(covers * scale, seen * scale, rcond=None)[0]
    return dict(zip(ends, found, strict=True))


def selected_sides(*features: int) -> list[Fraction]:
    """How much larger than its variance the squared error of the left side is in the best of so many histograms.

    Each has two bins and two classes and CELLS records in every cell, so none says anything of the class. The noise is
    discrete Laplace of ALPHA, clamped to ±4, and all its values are gone through; the shipped search scores them.

    >>> [round(float(ratio), 3) for ratio in selected_sides(1, 2, 10)]
    [0.979, 1.074, 1.612]
    """
    law, variance = _clamped(4)
    noise = np.array(list(product(law, repeat=4)), dtype=np.int64).reshape(-1, 2, 2)
    scores: dict[Fraction, list[Fraction]] = {}  # of each score its probability, and the part of the error in it
    for errors, found in zip(noise.tolist(), GridSearch(TWO_BINS).best_splits(clip(noise + CELLS)), strict=True):
        if found is not None:
            mass = law[errors[0][0]] * law[errors[0][1]] * law[errors[1][0]] * law[errors[1][1]]
            entry = scores.setdefault(found.impurity, [Fraction(0), Fraction(0)])
            entry[0] += mass
            entry[1] += mass * Fraction(errors[0][0] ** 2 + errors[0][1] ** 2, 2)
    return [_of_the_best(scores, count) / variance for count in features]


def _of_the_best(scores: dict[Fraction, list[Fraction]], count: int) -> Fraction:
    """The mean of the error in the first histogram of the smallest score among so many independent ones."""
    reached = error = Fraction(0)
    left = Fraction(1)  # the probability of a score at least as large, or of none
    for score in sorted(scores):
        mass, part = scores[score]
        more = left - mass
        times = sum(left**j * more ** (count - 1 - j) for j in range(count))
        reached, error, left = reached + times * mass, error + times * part, more
    return error / reached


def _clamped(reach: int) -> tuple[dict[int, Fraction], Fraction]:
    """The law of the noise when it is clamped, and its variance."""
    inner = {k: (1 - ALPHA) / (1 + ALPHA) * ALPHA ** abs(k) for k in range(1 - reach, reach)}
    tail = ALPHA**reach / (1 + ALPHA)
    law = {-reach: tail, **inner, reach: tail}
    return law, sum((k * k * mass for k, mass in law.items()), Fraction(0))


def selection(features: int) -> None:
    """The more histograms there are to choose from, the larger is the error of the chosen side; over 8/5 of ten."""
    ratios = selected_sides(1, features, 2 * features)
    require(ratios == sorted(ratios) and ratios[0] < 1, f"the ratios are {[round(float(r), 3) for r in ratios]}")
    require(features < 10 or ratios[1] > Fraction(8, 5), f"of {features} it is {float(ratios[1]):.3f}")


def noiseless_reuse(case: Case, depth: int) -> None:
    """Without noise, leaves that read the histograms have the counts that fresh ones would have."""
    domain, parts = case
    trees = []
    for fresh in (True, False):
        federation = federate(parts, domain, 1, ZeroWords())
        design = Design(fresh_leaves=fresh)
        trees.append(fit_federated_tree(federation, max_depth=depth, min_samples_split=2, design=design))
    require(trees[0] == trees[1], f"the trees are {trees[0].root} and {trees[1].root}")


CLAIMS = (
    Claim(
        "lem-histogram-reuse",
        status="proved+checked",
        code=("fdpedu.trees.growing.Growing.read_sides",),
        checks=(
            Check(
                "cost",
                "property",
                "{size} random domains, data and depths: queries, rounds, what the checker says",
                reuse_cost,
                lambda draw: draw.tuples(
                    draw.domains_with_parties(),
                    draw.budgets,
                    draw.integers(1, 3),
                    draw.integers(0, 12),
                    draw.integers(0, 99),
                ),
                16,
                600,
                more=[(LARGER, Fraction(2), 3, 2, seed) for seed in range(4)],
            ),
            Check(
                "views",
                "property",
                "{size} random federations: what leaves predict from, against one matrix of all views",
                reuse_views,
                lambda draw: draw.tuples(
                    draw.domains_with_parties(),
                    draw.budgets,
                    draw.integers(1, 3),
                    draw.integers(0, 2),
                    draw.integers(0, 99),
                    draw.booleans(),
                ),
                16,
                600,
                more=[
                    (LARGER, Fraction(2), 2, 1, seed, consistent)
                    for seed, consistent in product(range(4), (True, False))
                ],
            ),
            Check(
                "noiseless",
                "property",
                "{size} random cases: without noise the tree is the one that counts its leaves afresh",
                noiseless_reuse,
                lambda draw: draw.tuples(draw.domains_with_parties(), draw.integers(1, 3)),
                20,
                400,
                more=[(LARGER, depth) for depth in (1, 2, 4)],
            ),
            Check(
                "selection",
                "exact",
                "the whole distribution of the best of 1, 10 and 20 such histograms, scored by the shipped search",
                selection,
                lambda _: ((10,),),
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER, "the error is of one example: the factor depends on the data"),
        uses=("thm-federated-tree", "lem-filter", "lem-selected-histogram"),
    ),
)

TWINS = (
    Broken(
        "a leaf share that nobody gets",
        "fdpedu.trees.costs.Costs.within",
        "Fraction(0), budget, False",
        "Fraction(0), for_nodes, False",
        "What was kept for the leaves is saved.",
        "lem-histogram-reuse",
        "cost",
    ),
    Broken(
        "the chosen histogram counted twice",
        "fdpedu.trees.growing.Growing.read_sides",
        "[j for j in asked if j != feature]",
        "list(asked)",
        "A node knows its own total, whatever its sides are given.",
        "lem-histogram-reuse",
        "views",
    ),
    Broken(
        "the variance of one cell",
        "fdpedu.trees.growing.Growing._total",
        "len(codes) * variance",
        "variance",
        "The noise of a sum is the noise of a cell.",
        "lem-histogram-reuse",
        "views",
    ),
    Broken(
        "the sides exchanged",
        "fdpedu.trees.growing.Growing.read_sides",
        "side.region.codes(feature)",
        "self.region.codes(feature) - side.region.codes(feature)",
        "What the split sends to the left is what the region on the right lacks, so that is its count.",
        "lem-histogram-reuse",
        "noiseless",
    ),
    Broken(
        "the last of the best",
        "fdpedu.cart.impurity.exact_scaled_half_gini",
        "n * n - sum(c**2 for c in whole)",
        "sum(c**2 for c in whole) - n * n",
        "The larger the impurity, the more there is to be learnt from the split.",
        "lem-histogram-reuse",
        "selection",
    ),
)
