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
        statement="Above the last level a node becomes a leaf if for every feature its noisy histograms add up to "
        "fewer records than asked for, or if one class adds up to no positive number for any feature. So a "
        "node that contains fewer records than that becomes a leaf.\n\n"
        "**Refuted as stated.** A total is a sum of many noises, whose sign is a coin, and all $p$ coins "
        r"must agree. With noise of $\alpha=\frac{99}{100}$, two classes and ten records asked for, a node "
        r"that holds *nobody* becomes a leaf with a probability of less than $\frac{43}{100}$ at $p=3$, and "
        r"of less than $\frac1{200}$ at $p=10$."
        "\n\n"
        "**Corrected:** {prf:ref}`lem-confident-stopping`.",
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
        statement="Let noise be drawn independently for each node and each query, with a distribution that depends on "
        "the query and its cost. Algorithm 5 as a recursion asks $p$ histograms of each node, and class "
        "counts of each leaf, in up to $2^{d+1}-1$ rounds; level by level it takes at most $d+1$ rounds. "
        "The distribution of the tree's splits and of the counts released at its leaves is the same, and so "
        "is what is charged to each region.",
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
        statement=r"A leaf that is made after $t<d$ levels of histograms has paid $t\,\varepsilon_{\text{node}}$, and "
        r"with $\varepsilon_{\text{leaf}}$ for its counts there remain $(d-t)\,\varepsilon_{\text{node}}$ of "
        r"$\varepsilon$. Its counts may cost $\varepsilon-t\,\varepsilon_{\text{node}}$ instead: the whole "
        r"tree is still $\varepsilon$-DP, and every record has paid $\varepsilon$ exactly. This is for pure "
        r"$\varepsilon$-DP.",
        status="checked",
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
                12,
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
        statement=r"Let at most $N$ cells be released, with noise of $\alpha$ or less in $K$ shares, $m$ of which make "
        r"up a discrete Laplace number. With a probability of at least $(1-\alpha)^{2KN/m}$ all noise is 0, "
        r"which tends to 1 as $\varepsilon\to\infty$. Without noise, Algorithm 5 on clipped counts, with the "
        "printed or the averaged stopping test, is CART on the bins of the public domain, with the same "
        "depth and the same least number of records: nodes, splits and counts. Where gains are shrunk by a "
        "multiple of the noise's deviation, which tends to 0, every split still leaves the least impurity "
        "of the grid; which one of several equally good ones is taken may differ.",
        status="checked",
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
                15,
                500,
            ),
        ),
        assumptions=("integers", "as printed, categories are dummies: then of numeric features only"),
        uses=("thm-federated-tree", "lem-split-never-hurts"),
    ),
)
