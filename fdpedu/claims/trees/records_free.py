"""Chapter 8, further page: what costs nothing, or divides what is paid in another way."""

from fractions import Fraction
from itertools import product

from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees import laws_free as law
from fdpedu.claims.trees import laws_free_intervals as intervals
from fdpedu.claims.trees import laws_free_reuse as reuse
from fdpedu.claims.trees.records import ADD_REMOVE, OBSERVER

ONE, HALF = Fraction(1), Fraction(1, 2)
COVERED = (  # of each release its ε; parties, tolerate, confidence, true count, how many intervals at once
    ((ONE,), 2, 0, Fraction(19, 20), 0, 1),
    ((2 * ONE,), 5, 2, Fraction(19, 20), 4, 3),
    ((ONE,), 3, 1, Fraction(99, 100), 1, 2),
    ((ONE, ONE), 2, 1, Fraction(19, 20), 7, 1),
    ((HALF, ONE, HALF), 5, 1, Fraction(9, 10), 3, 4),
    ((Fraction(1, 5), ONE), 3, 2, Fraction(19, 20), 2, 1),
)
SHARES = tuple(
    product(((0, 0, 0), (9, 1, -3), (4, 4, 4), (-20, 3, 0)), ((0, 0, 0), (9, 2, 0), (4, 3, 2), (0, 0, 4), (0, 5, 0)))
)

CLAIMS = (
    Claim(
        "lem-pruning-free",
        "Merging leaves of one label changes no prediction and costs nothing",
        "trees",
        "this book",
        status="proved+checked",
        code=("fdpedu.trees.pruning", "fdpedu.trees.pruning.pruned_node", "fdpedu.trees.tree.Tree.pruned"),
        checks=(
            Check(
                "pruned",
                "property",
                "{size} random federations, depths and designs: labels in every leaf's region, sums, file, siblings",
                law.pruned,
                lambda draw: draw.tuples(
                    draw.domains_with_parties(),
                    draw.budgets,
                    draw.integers(0, 3),
                    draw.integers(0, 99),
                    draw.st.sampled_from(("default", "averaged", "algorithm-5-as-printed")),
                ),
                16,
                600,
            ),
            Check(
                "ties",
                "exhaustive",
                "all pairs of leaves of 2 and 3 classes with weights from −1 to {size}",
                law.merged_label,
                law.weights,
                1,
                3,
            ),
        ),
        assumptions=(ADD_REMOVE, "class shares may change: they become those of the merged leaf"),
        uses=("thm-post-processing", "lem-tree-counts"),
    ),
    Claim(
        "thm-count-interval",
        "An interval for the rows of a leaf, from the exact distribution of its noise",
        "trees",
        "this book",
        status="proved+checked",
        code=(
            "fdpedu.trees.intervals",
            "fdpedu.trees.intervals.count_intervals",
            "fdpedu.trees.intervals.share_intervals",
            "fdpedu.trees.noise_law",
            "fdpedu.trees.noise_law.reach",
        ),
        checks=(
            Check(
                "covering",
                "exact",
                "six leaves, one to three releases, 2 to 5 parties: the distribution, convolved from their shares",
                intervals.covering,
                lambda _: COVERED,
            ),
            Check(
                "kept",
                "property",
                "{size} random federations, depths and designs: what was released of each leaf, also of merged ones",
                intervals.kept,
                lambda draw: draw.growths(),
                15,
                500,
            ),
            Check(
                "shares",
                "exhaustive",
                "twenty pairs of released and true counts of three classes: shares between their ends, ends reached",
                intervals.shares,
                lambda _: SHARES,
            ),
        ),
        assumptions=(
            "integers; the distribution is enclosed, so an interval is never too short",
            "of the training rows, not of the population",
            "which nodes a pruned tree shows depends on the same noise: for these, take J = all nodes times classes",
            "at rates below about 1/2000 the interval comes from Chernoff's bound and is longer",
        ),
        uses=("thm-polya-shares", "lem-count-interval"),
    ),
    Claim(
        "lem-feature-subset",
        "A node may ask for a random subset of the features",
        "trees",
        "this book",
        status="proved+checked",
        code=("fdpedu.trees.subset", "fdpedu.trees.subset.drawn_features"),
        checks=(
            Check(
                "cost",
                "property",
                "{size} random domains, data, depths and q: features and cost of each query, the checker's total",
                law.subset_cost,
                lambda draw: draw.tuples(
                    draw.domains_with_parties().filter(lambda case: case[0].n_features > 2),
                    draw.budgets,
                    draw.integers(0, 3),
                    draw.integers(0, 2),
                    draw.integers(0, 99),
                ),
                16,
                600,
            ),
            Check(
                "uniform",
                "exhaustive",
                "all tapes of 3-bit words: 3 and 4 features, up to 2 of one code, subsets of every size",
                law.uniform,
                lambda _: ((3, 0, 1), (3, 0, 2), (3, 0, 3), (3, 1, 1), (3, 1, 2), (4, 2, 1), (4, 2, 3)),
            ),
            Check(
                "only released",
                "property",
                "{size} random cases: parties without rows, given the same answers, are asked the same",
                law.subset_from_releases,
                lambda draw: draw.tuples(
                    draw.domains_with_parties(), draw.integers(0, 3), draw.integers(1, 2), draw.integers(0, 99)
                ),
                15,
                500,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER),
        uses=("thm-federated-tree", "thm-histogram", "lem-filter"),
    ),
    Claim(
        "lem-histogram-reuse",
        "Leaves may read the histograms above them",
        "trees",
        "this book",
        status="proved+checked",
        code=("fdpedu.trees.growing.Growing.read_sides",),
        checks=(
            Check(
                "cost",
                "property",
                "{size} random domains, data and depths: queries, rounds, what the checker says",
                reuse.reuse_cost,
                lambda draw: draw.tuples(
                    draw.domains_with_parties(),
                    draw.budgets,
                    draw.integers(1, 3),
                    draw.integers(0, 12),
                    draw.integers(0, 99),
                ),
                16,
                600,
            ),
            Check(
                "views",
                "property",
                "{size} random federations: what leaves predict from, against one matrix of all views",
                reuse.reuse_views,
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
            ),
            Check(
                "noiseless",
                "property",
                "{size} random cases: without noise the tree is the one that counts its leaves afresh",
                reuse.noiseless_reuse,
                lambda draw: draw.tuples(draw.domains_with_parties(), draw.integers(1, 3)),
                20,
                400,
            ),
            Check(
                "selection",
                "exact",
                "the whole distribution of the best of 1, 10 and 20 such histograms, scored by the shipped search",
                reuse.selection,
                lambda _: ((10,),),
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER, "the error is of one example: the factor depends on the data"),
        uses=("thm-federated-tree", "lem-filter", "lem-selected-histogram"),
    ),
)
