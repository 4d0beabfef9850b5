"""Chapter 7. What is free: counts that add up."""

from fdpedu.claims.checking import as_case
from fdpedu.claims.histograms import laws_consistency as law
from fdpedu.claims.histograms import laws_tree_counts as grown
from fdpedu.claims.histograms.records import ADD_REMOVE, OBSERVER
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees import laws as trees

VIEWS = "every view is its node's true total plus noise of mean 0 and of the stated variance; every leaf has a view"

CLAIMS = (
    Claim(
        "thm-least-squares-tree",
        "Two passes solve the least squares of a tree",
        "histograms",
        "Hay, Rastogi, Miklau and Suciu 2010, Theorem 3; this book for all trees and variances",
        status="proved+checked",
        code=(
            "fdpedu.histograms.consistency",
            "fdpedu.histograms.consistency.least_squares",
            "fdpedu.histograms.consistency.consistent_totals",
        ),
        checks=(
            Check(
                "normal equations",
                "exact",
                "all trees of at most {size} nodes, all choices of inner nodes without a view: a basis of all views",
                law.normal_equations,
                law.trees_with_views,
                5,
                6,
            ),
            Check(
                "fast",
                "property",
                "{size} random trees, 1 to 3 classes, variances from 1/1000 to 1000: floats agree with fractions",
                law.fast,
                lambda draw: draw.trees_of_views(),
                150,
                3000,
            ),
        ),
        assumptions=("a fixed tree; exact rationals, or floats for the fast form", "no privacy"),
    ),
    Claim(
        "thm-consistency-variance",
        "No linear unbiased estimate has a smaller variance",
        "histograms",
        "Gauss and Markov; for trees Hay, Rastogi, Miklau and Suciu 2010, Theorem 4",
        status="proved+checked",
        code=(
            "fdpedu.histograms.consistency",
            "fdpedu.histograms.consistency.least_squares",
            "fdpedu.histograms.consistency.consistent_totals",
        ),
        checks=(
            Check(
                "smallest variance",
                "exact",
                "all trees of at most {size} nodes, all choices of inner nodes without a view: mean, covariance with "
                "every combination of mean 0, variance",
                law.smallest_variance,
                law.trees_with_views,
                5,
                6,
            ),
        ),
        assumptions=(VIEWS, "the tree does not depend on the noise of the views", "no privacy"),
        uses=("thm-least-squares-tree",),
    ),
    Claim(
        "lem-selected-histogram",
        "A histogram that its own noise selected is no fair view",
        "histograms",
        "this book",
        status="checked",
        code=("fdpedu.histograms.consistency",),
        checks=(
            Check(
                "selected",
                "statistical",
                "{size} nodes of ten useless features: the side of the best split, and of a split fixed beforehand",
                law.selected,
                as_case,
                4_000,
                40_000,
                alpha=1e-9,
            ),
        ),
        assumptions=("two classes, 6 records in each cell, one party", "a mean of 4,000 errors is close to normal"),
        uses=("thm-consistency-variance",),
    ),
    Claim(
        "lem-rounding-with-sums",
        "Whole counts that add up",
        "histograms",
        "this book",
        status="proved+checked",
        code=("fdpedu.histograms.rounding", "fdpedu.histograms.rounding.round_with_sums"),
        checks=(
            Check(
                "shares",
                "exhaustive",
                "up to {size} children with estimates in thirds from −1 to 2, sums from 0 to 3: projection, remainders",
                law.shares,
                law.wishes,
                3,
                4,
            ),
            Check(
                "whole counts",
                "property",
                "{size} random trees and estimates of 1 to 3 classes: root, sums, every family",
                law.whole_counts,
                lambda draw: draw.trees_of_estimates(),
                100,
                2000,
            ),
            Check(
                "halves",
                "exhaustive",
                "a node and its two children, all estimates in halves from −1 to {size}/2: as stated",
                law.whole_counts,
                law.halves,
                3,
                5,
            ),
            Check(
                "kept",
                "exhaustive",
                "all trees of at most {size} nodes with up to 2 in each leaf: unchanged, also after least squares",
                law.kept,
                lambda most: ((parents, 2) for nodes in range(1, most + 1) for parents in law.trees(nodes)),
                4,
                6,
            ),
        ),
        assumptions=("exact rationals: a float is the fraction that it is", "no privacy"),
    ),
    Claim(
        "lem-tree-counts",
        "All that was released goes into the counts of a tree",
        "histograms",
        "this book",
        status="proved+checked",
        code=("fdpedu.trees.counts", "fdpedu.trees.counts.estimates_and_counts"),
        checks=(
            Check(
                "all views",
                "property",
                "{size} random federations, depths and designs: against one matrix of all views, solved anew",
                grown.all_views,
                lambda draw: draw.growths(),
                60,
                1000,
            ),
            Check(
                "shown",
                "property",
                "{size} random federations, depths and designs: the counts as plain data, and read back from a file",
                grown.shown,
                lambda draw: draw.growths(),
                30,
                1000,
            ),
        ),
        assumptions=("the tree as it was grown; floats for the estimates",),
        uses=("thm-least-squares-tree", "lem-rounding-with-sums", "lem-confident-stopping"),
    ),
    Claim(
        "lem-consistency-free",
        "Counts that add up cost nothing",
        "histograms",
        "report, Theorem 1 (post-processing)",
        status="proved+checked",
        code=("fdpedu.histograms.consistency", "fdpedu.trees.counts"),
        checks=(
            Check(
                "only released",
                "property",
                "{size} random cases: parties without rows, given the same answers, show the same counts and estimates",
                trees.only_released,
                lambda draw: draw.tuples(draw.domains_with_parties(), draw.integers(0, 3), draw.integers(0, 99)),
                30,
                500,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers released, floats and fractions made of them", OBSERVER),
        uses=("thm-post-processing", "thm-histogram", "thm-node-histograms"),
    ),
)
