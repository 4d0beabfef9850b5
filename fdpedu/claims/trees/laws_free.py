"""Checks of chapter 8, further page: pruning, a subset of the features, leaves that read the histograms above them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from fdpedu.cart import CodeSplit, Node
from fdpedu.claims.checking import require
from fdpedu.claims.federations import Case, federate
from fdpedu.claims.histograms import laws_tree_counts as counts
from fdpedu.claims.replay import enumerate_law, patched
from fdpedu.domain import Region
from fdpedu.exact import Integers, Rational
from fdpedu.federation import ClassHistogram, Federation, Query
from fdpedu.federation.session import Session
from fdpedu.randomness import Rehearsal
from fdpedu.trees import DESIGNS, Design, Tree, fit_federated_tree
from fdpedu.trees.pruning import pruned_node
from fdpedu.trees.regions import leaves_of
from fdpedu.trees.subset import drawn_features

Answered = list[tuple[Query, Any]]


def grown(
    case: Case, budget: Rational, seed: int, design: Design, tolerate: int = 1, **rules: Any
) -> tuple[Tree, Answered, Federation]:
    """A tree, every query that it asked with its answer, and its federation; the public coins have the seed, too."""
    domain, parts = case
    federation = federate(parts, domain, budget, Rehearsal(seed), tolerate=min(tolerate, len(parts) - 1))
    answered: Answered = []

    class Keeping(Federation):
        """Keeps what it releases."""

        def release(self, queries: Sequence[Query], *rest: Any, **options: Any) -> Any:
            answers = super().release(queries, *rest, **options)
            answered.extend(zip(queries, [answer.copy() for answer in answers], strict=True))
            return answers

    federation.__class__ = Keeping
    tree = fit_federated_tree(federation, design=design, rng=Rehearsal(seed + 1000), **rules)
    return tree, answered, federation


# Pruning.


def pruned(case: Case, budget: Fraction, depth: int, seed: int, design: str) -> None:
    """The pruned tree says of every cell of the domain what the tree says; no two sibling leaves say the same.

    Its counts still add up, its document is read back, and pruning while growing gives the same tree.
    """
    rules = {"max_depth": depth, "min_samples_split": 2}
    tree, _, _ = grown(case, budget, seed, DESIGNS[design], **rules)
    smaller = tree.pruned()
    before, after = leaves_of(tree.root, tree.domain), leaves_of(smaller.root, tree.domain)
    for leaf, region, _ in before:
        (around,) = [node for node, outer, _ in after if outer.contains(region)]
        require(around.label == leaf.label, f"a leaf of label {leaf.label} became one of label {around.label}")
    for node in (node for _, node in smaller.nodes()):
        if node.left and node.right and node.left.is_leaf and node.right.is_leaf:
            require(node.left.label != node.right.label, f"two sibling leaves have the label {node.left.label}")
    counts._require_sums(smaller.to_dict())
    require(smaller.root.counts == tree.root.counts, "the counts of the root have changed")
    require(Tree.from_json(smaller.to_json()) == smaller, "the pruned tree is not read back as it is")
    require(smaller.leaf_releases == tree.leaf_releases, "what was released for the leaves has changed")
    while_growing, _, _ = grown(case, budget, seed, replace(DESIGNS[design], prune=True), **rules)
    require(while_growing == smaller, "pruned while it is grown, the tree is another one")


def merged_label(one: Sequence[float], other: Sequence[float]) -> None:
    """Two leaves of one label, ties included, become a leaf of that label; two of different labels stay."""
    left, right = (Node(tuple(round(abs(x)) for x in own), estimate=tuple(own)) for own in (one, other))
    below = tuple(a + b for a, b in zip(left.counts, right.counts, strict=True))
    found = pruned_node(Node(below, CodeSplit(0, frozenset([0])), left, right))
    if left.label != right.label:
        require(found.left is left and found.right is right, "leaves of two labels were merged")
        return
    require(found.is_leaf and found.label == left.label, f"leaves of label {left.label} became {found}")
    sums = [a + b for a, b in zip(one, other, strict=True)]
    weights = found.counts if found.estimate is None else found.estimate
    require(found.counts == below and list(weights) == sums, f"the merged leaf has {weights}, the sums are {sums}")


def weights(most: int) -> Iterator[tuple[tuple[float, ...], tuple[float, ...]]]:
    """All pairs of leaves of 2 and of 3 classes with weights from −1 to ``most``."""
    for classes in (2, 3):
        one = list(product([float(k) for k in range(-1, most + 1)], repeat=classes))
        yield from product(one, repeat=2)


# A subset of the features.


def subset_cost(case: Case, budget: Fraction, depth: int, left_out: int, seed: int) -> None:
    """Each node asks for q histograms of different features, ε_node/q each; the whole is ε, as the checker confirms."""
    domain = case[0]
    q = max(1, domain.n_features - left_out)
    design = replace(DESIGNS["default"], features_per_node=q)
    tree, answered, federation = grown(case, budget, seed, design, max_depth=depth, min_samples_split=2)
    proved = tree.derivation.guarantee
    require(proved.spent == federation.ledger.spent == budget, f"spent are {proved.spent} of {budget}")
    require(proved.value == budget and proved.colluders == federation.colluders, f"the guarantee is {proved}")
    asked: dict[Region, list[ClassHistogram]] = {}
    for query, _ in answered:
        if isinstance(query, ClassHistogram):
            asked.setdefault(query.region, []).append(query)
    require(bool(asked) == (q < domain.n_features and depth > 0), "histograms of single features were asked for")
    for region, queries in asked.items():
        features = {query.feature for query in queries}
        require(len(queries) == len(features) == q, f"a node asks for {len(queries)} histograms of {len(features)}")
        costs = {query.epsilon for query in queries}
        require(costs == {budget / 2 / depth / q}, f"they cost {costs}")
        wide = [j for j in range(domain.n_features) if len(region.codes(j)) > 1]
        require(len(features & set(wide)) == min(q, len(wide)), "features of one code were preferred")
    require(Tree.from_json(tree.to_json()) == tree, "the tree is not read back as it is")


def uniform(p: int, narrow: int, n: int) -> None:
    """By all tapes: of p features, the last ``narrow`` of one code, every subset of the others is equally likely."""
    region = Region((3,) * (p - narrow) + (1,) * narrow, 3)
    law, rest = enumerate_law(lambda tape: drawn_features(region, n, tape), 3, p + 1)
    found: dict[tuple[int, ...], Fraction] = {}
    for drawn, mass in law.items():
        require(list(drawn) == sorted(set(drawn)) and len(drawn) == n, f"drawn are {drawn}")
        wide = tuple(j for j in drawn if j < p - narrow)
        require(len(wide) == min(n, p - narrow), f"{drawn} has too few features that can divide the region")
        found[wide] = found.get(wide, Fraction(0)) + mass
    ways = _ways(p - narrow, min(n, p - narrow))
    require(len(found) == ways, f"{len(found)} subsets of {ways} occur")
    low, high = min(found.values()), max(found.values())
    require(
        high - low <= rest and high * ways <= 1, f"their probabilities are from {low} to {high}, {rest} is undecided"
    )


def _ways(n: int, k: int) -> int:
    return 1 if k in (0, n) else _ways(n - 1, k - 1) + _ways(n - 1, k)


def subset_from_releases(case: Case, depth: int, per_node: int, seed: int) -> None:
    """Parties without rows, given the same answers, are asked for the same features by the same public coins."""
    domain, parts = case
    sums, asked = list[Integers](), (list[Any](), list[Any]())

    class Keeping(Session):
        def ask(self, *given: Any) -> Integers:
            asked[0].append(given[2])
            sums.append(super().ask(*given))
            return sums[-1].copy()

    class Replaying(Session):
        def ask(self, *given: Any) -> Integers:
            asked[1].append(given[2])
            return sums.pop(0)

    design = replace(DESIGNS["default"], features_per_node=per_node)
    for rows, session in ((parts, Keeping), ([[]] * len(parts), Replaying)):
        with patched("fdpedu.federation.federation", Session=session):
            grown((domain, rows), 4, seed, design, max_depth=depth, min_samples_split=2)
    require(asked[0] == asked[1], "other data were asked for other features")
