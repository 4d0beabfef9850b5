"""Pruning costs nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from fdpedu.cart import CodeSplit, Node
from fdpedu.claims.checking import require
from fdpedu.claims.federations import LARGER, Case, federate, rows_to_split
from fdpedu.claims.histograms.tree_counts import require_sums
from fdpedu.claims.laws.askers import Kept
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees.federated import ADD_REMOVE
from fdpedu.exact import Rational
from fdpedu.federation import Asker, Query
from fdpedu.randomness import Rehearsal
from fdpedu.trees import DESIGNS, Design, Tree, fit_federated_tree
from fdpedu.trees.pruning import pruned_node
from fdpedu.trees.regions import leaves_of

Answered = list[tuple[Query, Any]]


def grown(
    case: Case, budget: Rational, seed: int, design: Design, tolerate: int = 1, **rules: Any
) -> tuple[Tree, Answered, Asker]:
    """A tree, every query that it asked with its answer, and its federation; the public coins have the seed, too."""
    domain, parts = case
    asker = Kept(federate(parts, domain, budget, Rehearsal(seed), tolerate=min(tolerate, len(parts) - 1)))
    tree = fit_federated_tree(asker, design=design, rng=Rehearsal(seed + 1000), **rules)
    return tree, list(zip(asker.queries, asker.exact, strict=True)), asker


# Pruning.
def pruned(case: Case, budget: Fraction, depth: int, seed: int, design: str) -> None:
    """The pruned tree says of every cell of the domain what the tree says; no two sibling leaves say the same.

    Its counts still add up, its document is read back, and pruning while growing gives the same tree.
    """
    rules = {"max_depth": depth, **rows_to_split(design, 2)}
    tree, _, _ = grown(case, budget, seed, DESIGNS[design], **rules)
    smaller = tree.pruned()
    before, after = leaves_of(tree.root, tree.domain), leaves_of(smaller.root, tree.domain)
    for leaf, region, _ in before:
        (around,) = [node for node, outer, _ in after if outer.contains(region)]
        require(around.label == leaf.label, f"a leaf of label {leaf.label} became one of label {around.label}")
    for node in (node for _, node in smaller.nodes()):
        if node.left and node.right and node.left.is_leaf and node.right.is_leaf:
            require(node.left.label != node.right.label, f"two sibling leaves have the label {node.left.label}")
    require_sums(smaller.to_dict())
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


CLAIMS = (
    Claim(
        "lem-pruning-free",
        status="proved+checked",
        code=("fdpedu.trees.pruning", "fdpedu.trees.pruning.pruned_node", "fdpedu.trees.tree.Tree.pruned"),
        checks=(
            Check(
                "pruned",
                "property",
                "{size} random federations, depths and designs: labels in every leaf's region, sums, file, siblings",
                pruned,
                lambda draw: draw.tuples(
                    draw.domains_with_parties(),
                    draw.budgets,
                    draw.integers(0, 3),
                    draw.integers(0, 99),
                    draw.st.sampled_from(("default", "averaged", "algorithm-5-clipped")),
                ),
                16,
                600,
                more=[(LARGER, 3, 3, seed, design) for design in DESIGNS for seed in range(3)],
            ),
            Check(
                "ties",
                "exhaustive",
                "all pairs of leaves of 2 and 3 classes with weights from −1 to {size}",
                merged_label,
                weights,
                1,
                3,
            ),
        ),
        assumptions=(ADD_REMOVE, "class shares may change: they become those of the merged leaf"),
        uses=("thm-post-processing", "lem-tree-counts"),
    ),
)

TWINS = (
    Broken(
        "merged by the counts that are shown",
        "fdpedu.trees.pruning.pruned_node",
        "left.label == right.label",
        "left.counts.index(max(left.counts)) == right.counts.index(max(right.counts))",
        "A leaf predicts the class of which it shows the most rows.",
        "lem-pruning-free",
        "ties",
    ),
    Broken(
        "one side lost",
        "fdpedu.trees.pruning._merged",
        "tuple(map(add, left.counts, right.counts))",
        "left.counts",
        "Both leaves say the same, so either of them may stay.",
        "lem-pruning-free",
        "ties",
    ),
    Broken(
        "pruned once",
        "fdpedu.trees.pruning.pruned_node",
        "pruned_node(root.left), pruned_node(root.right)",
        "root.left, root.right",
        "Leaves that are siblings are siblings from the start.",
        "lem-pruning-free",
        "pruned",
    ),
    Broken(
        "pruned where there are few rows",
        "fdpedu.trees.count_growth.CountGrowth.finish",
        "pruned_node(grown) if design.prune else grown",
        "pruned_node(grown) if design.prune "
        "and sum(len(ask.__self__._records.labels) for ask in self.federation._endpoints) > 9 else grown",
        "How many rows there are is not released, it only decides how the tree is shown.",
        "lem-pruning-free",
        "pruned",
    ),
)
