"""Chapter 8. How a tree is grown: as printed, by levels and by nodes, with what is left, and without noise."""

from __future__ import annotations

from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees import laws_limit as limit
from fdpedu.claims.trees import laws_paths as paths
from fdpedu.claims.trees import laws_printed as printed
from fdpedu.claims.trees import laws_recursive as recursive
from fdpedu.claims.trees.records import ADD_REMOVE, OBSERVER

CLAIMS = (
    Claim(
        "alg-federated-tree-as-printed",
        "Algorithm 5, as printed",
        "trees",
        "report, Algorithm 5 and section 3.3.3",
        status="refuted as stated",
        code=("fdpedu.trees.recursive.FitTreeRecursive.stops",),
        checks=(
            Check(
                "empty node",
                "exact",
                "1 to 10 features, α = 99/100, ten records asked for: a bound of the probability",
                printed.empty_becomes_a_leaf,
                printed.numbers_of_features,
            ),
        ),
        assumptions=("integers", "two classes"),
        corrected_by="lem-confident-stopping",
    ),
    Claim(
        "lem-level-by-level",
        "A round for each level grows the tree of a round for each node",
        "trees",
        "this book, beside the report's Algorithm 5",
        status="proved+checked",
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
                15,
                1000,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", "a level has no more open nodes than one request can ask of"),
        uses=("thm-federated-tree",),
    ),
    Claim(
        "lem-unspent-leaf",
        "An early leaf may spend what is left",
        "trees",
        "this book, beside the report's equation (3)",
        status="proved+checked",
        code=("fdpedu.trees.costs.Costs.of_leaf",),
        checks=(
            Check(
                "unspent",
                "property",
                "{size} random cases, four designs and the recursion: what each leaf has paid and has left",
                paths.unspent,
                lambda draw: draw.tuples(
                    draw.domains_with_parties(),
                    paths.any_way(draw, plain=True),
                    draw.shares,
                    draw.integers(0, 3),
                    draw.integers(0, 99),
                ),
                8,
                500,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER, "the level of a leaf is a function of what was released"),
        uses=("lem-filter", "thm-federated-tree"),
    ),
    Claim(
        "lem-grid-limit",
        "As ε grows, the tree becomes that of the public grid",
        "trees",
        "this book",
        status="proved+checked",
        code=("fdpedu.trees.grow.fit_federated_tree",),
        checks=(
            Check(
                "limit",
                "property",
                "{size} random cases, each by four designs and the recursion: splits are best ones, leaves where CART "
                "stops",
                limit.limit,
                lambda draw: draw.tuples(
                    draw.domains_with_parties(), draw.integers(0, 3), draw.integers(2, 6), draw.booleans()
                ),
                10,
                500,
            ),
        ),
        assumptions=("integers", "as printed, categories are dummies: then of numeric features only"),
        uses=("thm-federated-tree", "lem-split-never-hurts"),
    ),
)
