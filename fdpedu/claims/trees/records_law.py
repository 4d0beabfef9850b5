"""Chapter 8. What is exact: the same tree by levels and by nodes, and the law of a whole small tree."""

from __future__ import annotations

from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees import laws_recursive as recursive
from fdpedu.claims.trees.records import ADD_REMOVE

CLAIMS = (
    Claim(
        "lem-level-by-level",
        "A round for each level grows the tree of a round for each node",
        "trees",
        "this book, beside the report's Algorithm 5",
        statement=r"Let noise be drawn independently for each node and each query, with a distribution that depends on "
        r"the query and its cost. Algorithm 5 as a recursion asks $p$ histograms of each node, and class counts of "
        r"each leaf, in up to $2^{d+1}-1$ rounds; level by level it takes at most $d+1$ rounds. The distribution of "
        "the tree's splits and of the counts released at its leaves is the same, and so is what is charged to each "
        "region.",
        status="checked",
        code=("fdpedu.trees.recursive", "fdpedu.trees.recursive.fit_recursively"),
        checks=(
            Check(
                "same tree",
                "property",
                "{size} random cases, noise that depends on region and query alone: splits, leaves, charges",
                recursive.same_tree,
                lambda draw: draw.tuples(
                    draw.domains_with_parties(),
                    draw.shares,
                    draw.integers(0, 3),
                    draw.integers(0, 6),
                    draw.booleans(),
                    draw.tuples(draw.integers(0, 99), draw.integers(0, 4)),
                ),
                30,
                1000,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", "a level has no more open nodes than one request can ask of"),
        uses=("thm-federated-tree",),
    ),
)
