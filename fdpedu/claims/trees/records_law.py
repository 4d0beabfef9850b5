"""Chapter 8. The exact law of a small tree, and what its transcript tells beyond it."""

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
        "The law of a tree is a product, and its loss a recursion",
        "trees",
        "this book, beyond the report's Theorem 6",
        statement="Let every decision depend on the node's own fresh histograms alone, let costs depend on the path "
        r"alone, let counts be clamped to $l,\dots,h$, and let the tree show its splits and the released "
        "counts of its leaves. Then the probability of a tree is the product of those of its decisions and "
        "of its leaves' counts. For data sets that differ in one record $z$ let $M(v)$ be the largest ratio "
        "of the probabilities of a tree below the node $v$. $M(v)=1$ if $z$ is not in $v$, and otherwise\n\n"
        "$$\n"
        r"M(v)=\max\Bigl\{\rho_v(\text{leaf})\,\Lambda(v),\ \max_s\rho_v(s)\,M(v_s)\Bigr\},"
        "\n"
        "$$\n\n"
        r"where $\rho_v$ is the ratio of the probabilities of a decision, $v_s$ the side of the split $s$ "
        r"with $z$, and $\Lambda(v)$ the largest ratio of a leaf's counts. At the root $M\le "
        r"e^{\varepsilon}$, for both orders of the data sets. It is "
        r"$\rho_v(s)=e^{\varepsilon_{\text{node}}}$ if and only if each table that leads to $s$ has the "
        r"ratio $e^{\varepsilon_{\text{node}}}$: all $p$ cells of $z$ at most their count without $z$ and "
        "below $h$ (or, in the other order, above this count and above $l$). There are a stopping test and "
        r"clamps with which a tree attains $e^{\varepsilon}$. At depth 1 Algorithm 5 on clipped counts comes "
        r"as near to it as one likes; so it is $\varepsilon'$-DP for no $\varepsilon'<\varepsilon$.",
        status="checked",
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
                "records to add: worst ratio of the added-up laws",
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
                "depth 2, four designs, data of at most {size} records, all records to add: tree ≤ transcript ≤ e^ε",
                exact.all_neighbours,
                exact.both(
                    exact.small_trees(TWO, 2, 1, "averaged", leaf_steps=2),
                    exact.small_trees(TWO, 2, 1, "default", leaf_steps=4),
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
                "{size} tables of clamped answers, four designs: the shipped tree is that of the law, at its rates",
                exact.shipped,
                exact.both(
                    exact.with_answers(TWO, 2, 0, 1, "default"),
                    exact.with_answers(ONE, 1, -1, 3, "averaged", 2),
                    exact.with_answers(THREE, 2, 0, 1, "algorithm-5-clipped", 2),
                    exact.with_answers(TWO, 2, -1, 0, "algorithm-5-as-printed"),
                ),
                15,
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
        "The transcript tells more than the tree",
        "trees",
        "this book",
        statement="The transcript of a tree is all that was released: the histograms of its nodes and the counts of "
        r"its leaves. Its largest ratio obeys the recursion of {prf:ref}`thm-tree-law` with $\max_y\Pr[y\mid "
        r"D_v]/\Pr[y\mid D'_v]$, over the tables $y$ that lead to a decision, in the place of $\rho_v$. So "
        "it is at least that of the plain tree. For a tree whose early leaves get the rest of "
        r"$\varepsilon$, on counts clamped to $0,\dots,h$, $h\ge1$, it is exactly $e^{\varepsilon}$ for all "
        "neighbours. Whatever else is made of the transcript has at most its ratio. That may be less than "
        "the plain tree's (pruned) or more (counts that add up).\n\n"
        r"With $\varepsilon_{\text{node}}$ instead of $\varepsilon_{\text{node}}/p$ for each of $p=2$ "
        "features there is a tree that does not betray it: depth 2, Algorithm 5 on counts clamped to 0 and "
        r"1, $\alpha=\frac12$. On all data of at most three records and one more, its ratio is less than the "
        r"claimed $e^{\varepsilon}$, and that of the transcript is more.",
        status="checked",
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
        statement=r"The tree that is $\varepsilon$-DP under add/remove is $2\varepsilon$-DP when one record takes "
        r"another's place. The transcript's largest ratio is exactly $e^{2\varepsilon}$ where the classes of "
        r"the two differ, early leaves get the rest of $\varepsilon$, and counts are clamped to $0,\dots,h$ "
        "where no count of the other records exceeds $h-1$.",
        status="checked",
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
