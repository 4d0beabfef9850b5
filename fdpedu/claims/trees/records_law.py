"""Chapter 8. The exact distribution of a small tree, and what its transcript tells beyond it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees import laws_exact as exact
from fdpedu.claims.trees import laws_transcripts as told
from fdpedu.claims.trees.records import ADD_REMOVE
from fdpedu.trees import Design

IDEAL = (
    "an outsider sees one discrete Laplace number in each cell, clamped: with `tolerate` = 0, what the noise adds up to"
)
TWO, ONE, THREE = exact.TWO, exact.ONE, exact.THREE

CLAIMS = (
    Claim(
        "thm-tree-law",
        "A tree's probability is a product, and its loss a recursion",
        "trees",
        "this book, beyond the report's Theorem 6",
        status="proved+checked",
        code=(
            "fdpedu.trees.exact_law",
            "fdpedu.trees.small_trees.SmallTrees",
            "fdpedu.trees.exact_law.tree_law",
            "fdpedu.trees.exact_law.tree_loss",
        ),
        checks=(
            Check(
                "recursion",
                "exhaustive",
                "depth 1, two features or three bins, data of at most {size} records; depth 2, one record less; all "
                "records to add: worst ratio of the added-up probabilities",
                exact.recursion,
                exact.both(
                    exact.small_trees(TWO, 1, 1, "averaged", leaf_steps=2),
                    exact.small_trees(TWO, 1, 1, "default", leaf_steps=2),
                    exact.fewer(exact.small_trees(THREE, 1, 1, "default")),
                    exact.fewer(exact.small_trees(TWO, 2, 1, "algorithm-5-clipped", leaf_steps=2)),
                ),
                1,
                2,
            ),
            Check(
                "all neighbours",
                "exhaustive",
                "depth 1 and 2, four designs, data of at most {size} records, some of one less, all to add: tree ≤ "
                "transcript ≤ e^ε",
                exact.all_neighbours,
                exact.both(
                    exact.small_trees(TWO, 2, 1, "averaged", leaf_steps=2),
                    exact.fewer(exact.small_trees(TWO, 2, 1, "default", leaf_steps=4)),
                    exact.small_trees(TWO, 2, 1, "algorithm-5-clipped", min_samples_split=2),
                    exact.fewer(exact.small_trees(TWO, 1, 2, "averaged", leaf_steps=2)),
                    exact.fewer(exact.small_trees(THREE, 2, 1, "algorithm-5-as-printed")),
                ),
                1,
                3,
            ),
            Check(
                "shipped",
                "exact",
                "{size} tables of clamped answers, four designs: the shipped tree is that of SmallTrees, at its rates",
                exact.shipped,
                exact.both(
                    exact.with_answers(TWO, 2, 0, 1, "default"),
                    exact.with_answers(ONE, 1, -1, 3, "averaged", 2),
                    exact.with_answers(THREE, 2, 0, 1, "algorithm-5-clipped", 2),
                    exact.with_answers(TWO, 2, -1, 0, "algorithm-5-as-printed"),
                ),
                10,
                300,
            ),
            Check(
                "attained",
                "exact",
                "depth 1 and the averaged test, depth 2 and a test of its own: a tree is e^ε times as likely",
                exact.attained,
                lambda _: [(1, 1, "averaged", 4), (2, 1, Design(stop=exact.unless_full), 0)],
            ),
            Check(
                "approached",
                "exact",
                "two α, 1 to {size} rows of one class in each bin: e^ε is missed by less and less",
                exact.approached,
                lambda most: product(range(1, most + 1), (Fraction(1, 2), Fraction(3, 4))),
                5,
                8,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", IDEAL),
        uses=("thm-federated-tree", "thm-discrete-laplace", "lem-atoms"),
    ),
    Claim(
        "lem-tree-transcript",
        "The transcript tells at least as much as the tree",
        "trees",
        "this book",
        status="proved+checked",
        code=("fdpedu.trees.exact_law", "fdpedu.trees.small_trees.SmallTrees", "fdpedu.trees.exact_law.tree_loss"),
        checks=(
            Check(
                "transcripts",
                "exhaustive",
                "two bins, depth 0 and 1, data of at most {size} records, all records to add: all transcripts added up",
                told.transcripts,
                exact.both(
                    exact.small_trees(ONE, 0, 2, "averaged"),
                    exact.small_trees(ONE, 1, 1, "averaged"),
                    exact.small_trees(ONE, 1, 1, "algorithm-5-clipped"),
                ),
                1,
                3,
            ),
            Check(
                "features in parallel",
                "exhaustive",
                "data of at most {size} records, all records to add: no tree betrays it, and the transcript does",
                told.in_parallel,
                exact.small_trees(TWO, 2, 1, "algorithm-5-clipped"),
                1,
                3,
            ),
            Check(
                "images",
                "exact",
                "pruned trees, histograms read again, counts that add up, on a smallest pair: beside the plain tree",
                told.images,
                told.image_cases,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", IDEAL),
        uses=("thm-tree-law", "thm-post-processing", "thm-node-histograms"),
    ),
    Claim(
        "lem-substitution-tree",
        "In another's place, a tree costs twice ε",
        "trees",
        "this book, beyond the report's Theorem 6",
        status="proved+checked",
        code=("fdpedu.trees.exact_law.tree_loss",),
        checks=(
            Check(
                "substitution",
                "exhaustive",
                "depth 1, three designs, data of at most {size} records beside the two: by recursion and by adding up",
                exact.substitution,
                exact.both(
                    exact.small_trees(TWO, 1, 1, "default", leaf_steps=2),
                    exact.small_trees(TWO, 1, 1, "algorithm-5-clipped"),
                    exact.small_trees(ONE, 1, 3, "averaged"),
                ),
                0,
                1,
            ),
        ),
        assumptions=("neighbours: one record in another's place", "integers", IDEAL),
        uses=("thm-federated-tree", "lem-substitution", "thm-histogram-substitution"),
    ),
)
