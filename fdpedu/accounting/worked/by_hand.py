"""Theorem 6 and equation (3) of the report, written out by hand: the derivation of a tree from its shape alone.

The proof of the report reads: at a node p histograms of ε_node/p each, in sequence; a leaf ε_leaf; the two sides of a
split in parallel; a branch has at most d nodes and one leaf, so it pays d·ε_node + ε_leaf = ε. This module says
just that as JSON, and uses neither the ledger nor a federation. The p histograms of a node are one entry, p releases of
sensitivity 1 and rate ε_node/p. That a grown tree's derivation is the same is a test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from fdpedu.accounting.charge import split_budget
from fdpedu.accounting.derivation import Derivation
from fdpedu.accounting.writing import Step, document
from fdpedu.domain import Domain, Region
from fdpedu.exact import Rational, as_integer, as_positive_fraction


class Shape(NamedTuple):
    """A split: which feature, which of its codes go left, and what stands on either side (None for a leaf)."""

    feature: int
    left_codes: frozenset[int]
    left: Shape | None = None
    right: Shape | None = None


@dataclass
class _Node:
    """A node: its region, what names it within its parent, its own releases, and its two sides if it is split."""

    region: Region
    named: dict[str, list[int]] = field(default_factory=dict)
    releases: list[Step] = field(default_factory=list)
    sides: list[_Node] = field(default_factory=list)


def theorem_6(
    domain: Domain,
    shape: Shape | None,
    *,
    epsilon: Rational,
    max_depth: int,
    leaf_share: Rational = "1/2",
    unspent_to_leaf: bool = False,
    colluders: int = 1,
    randomness: str = "operating system",
    mechanism: str = "discrete Laplace in Pólya shares",
) -> Derivation:
    """The derivation of a tree of the given shape, with the budgets of equation (3).

    Parameters
    ----------
    domain : what is public: its features are the histograms of a node, its bins the possible splits
    shape : None for a single leaf; no branch may have more than ``max_depth`` splits
    epsilon : the budget of the whole tree, greater than 0, read exactly
    max_depth : the number of splits that the budget is divided for, ≥ 0
    leaf_share : strictly between 0 and 1: ε_leaf = leaf_share·ε and ε_node = (1 − leaf_share)·ε/max_depth
    unspent_to_leaf : give a leaf at level t what is left of ε after t + 1 nodes, instead of ε_leaf
    colluders : how many parties the noise withstands, ≥ 0
    randomness : the source of the noise, in words
    mechanism : how the noise is drawn, in words

    Raises
    ------
    ValueError
        If the shape is deeper than ``max_depth``, or a parameter is outside its domain.
    """
    depth = as_integer(max_depth, "max_depth", minimum=0)
    budget = as_positive_fraction(epsilon, "epsilon")
    for_leaf, for_nodes = split_budget(budget, leaf_share)
    node = for_nodes / depth if depth else Fraction(0)
    rounds: list[list[tuple[_Node, Fraction | None]]] = [[] for _ in range(depth + 1)]  # None: ask for histograms
    root = _Node(domain.everything)
    level: list[tuple[_Node, Shape | None]] = [(root, shape)]
    for t in range(depth + 1):
        following = list[tuple[_Node, Shape | None]]()
        for at, split in level:
            if t < depth:
                rounds[t].append((at, None))
            elif split is not None:
                raise ValueError(f"the shape has more than max_depth = {depth} splits on a branch")
            if split is None:
                paid = min(t + 1, depth) * node
                rounds[min(t + 1, depth)].append((at, budget - paid if unspent_to_leaf or not depth else for_leaf))
            else:
                following += _sides(at, split)
        level = following
    for number, asked in enumerate(rounds, 1):
        histograms_first = sorted(asked, key=lambda pair: pair[1] is not None)
        for index, (at, for_counts) in enumerate(histograms_first, 1):
            head = {"rule": "release", "round": number, "index": index}
            what = _NODE if for_counts is None else _LEAF
            many, paid = (domain.n_features, node) if for_counts is None else (1, for_counts)
            cost = {"releases": many, "sensitivity": 1, "rate": str(paid / many), "epsilon": str(paid)}
            at.releases.append({**head, **what, **cost, "mechanism": mechanism, "colluders": colluders, "region": {}})
    return Derivation(document(domain, _proof(root), budget, colluders, [randomness]), domain)


_NODE = {
    "type": "node-histograms",
    "parameters": {},
    "query": "class × bin histograms of all features",
    "claim": "thm-node-histograms",
}
_LEAF = {"type": "class-counts", "parameters": {}, "query": "class counts of a leaf", "claim": "thm-histogram"}


def _sides(at: _Node, split: Shape) -> list[tuple[_Node, Shape | None]]:
    here, name = at.region.codes(split.feature), str(split.feature)
    sides = (split.left_codes & here, here - split.left_codes)
    at.sides = [_Node(at.region.restrict(split.feature, codes), {name: sorted(codes)}) for codes in sides]
    return [(at.sides[0], split.left), (at.sides[1], split.right)]


def _proof(at: _Node) -> Step:
    """A node's releases in sequence, and then its two sides in parallel; the node's region is named once."""
    steps = list(at.releases)
    if at.sides:
        sides = [_proof(node) for node in at.sides]
        most = max(Fraction(side["epsilon"]) for side in sides)
        steps.append({"rule": "parallel", "epsilon": str(most), "region": {}, "premises": sides})
    if len(steps) == 1:
        return {**steps[0], "region": at.named}
    total = sum((Fraction(step["epsilon"]) for step in steps), Fraction(0))
    return {"rule": "sequential", "epsilon": str(total), "region": at.named, "premises": steps}


def columns_in_parallel(domain: Domain, epsilon: Rational, queries: Sequence[int] | None = None) -> Derivation:
    """Theorem 3 of Vos et al. as a derivation: one histogram a feature, composed as if columns were regions. Refused.

    Its premises all hold the same records, so the parallel rule does not apply; the true cost is in
    :func:`fdpedu.accounting.worked.columns.exact_factor`.

    Claims: vos-theorem-3-as-printed
    """
    cost, features = str(as_positive_fraction(epsilon, "epsilon")), queries or range(domain.n_features)
    premises = [
        {
            "rule": "release",
            "round": 1,
            "index": index,
            "type": "class-histogram",
            "parameters": {"feature": j},
            "query": f"class × bin histogram of {domain.features[j].name}",
            "mechanism": "discrete Laplace",
            "releases": 1,
            "sensitivity": 1,
            "rate": cost,
            "epsilon": cost,
            "region": {},
            "colluders": 0,
            "claim": "thm-histogram",
        }
        for index, j in enumerate(features, 1)
    ]
    proof = {"rule": "parallel", "epsilon": cost, "region": {}, "premises": premises}
    return Derivation(document(domain, proof, Fraction(cost), 0, ["operating system"]), domain)
