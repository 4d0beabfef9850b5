"""Chapter 7. The cell of a record, what histograms give for nothing, clipping, and impurity from counts."""

from fractions import Fraction
from itertools import product

from fdpedu.claims.histograms import laws_impurity as law
from fdpedu.claims.histograms import laws_membership as member
from fdpedu.claims.histograms.records import ADD_REMOVE, OBSERVER
from fdpedu.claims.records import Check, Claim

CONVENTION = r"Gini: the report's half of scikit-learn's, $\frac12(1-\sum_c\hat p_c^2)$"
PUBLIC = "ranges, bins, categories and classes are public"
ALPHAS = (Fraction(1, 3), Fraction(1, 2), Fraction(9, 10))
EDGES = "grids of {size} of ten awkward doubles; all of these, the largest and their neighbours as values"

CLAIMS = (
    Claim(
        "thm-histogram-substitution",
        "A replaced record costs twice ε",
        "histograms",
        "this book; beyond the report's Lemma 3.1",
        status="proved+checked",
        code=("fdpedu.histograms.release.private_histogram",),
        checks=(
            Check(
                "pairs",
                "exhaustive",
                "three bins, three classes, three regions, all types of query: all data of at most {size} records, "
                "every record in the place of every other",
                member.substitution,
                member.pairs,
                0,
                1,
            ),
            Check(
                "numbers and categories",
                "exhaustive",
                "two bins beside three categories, three classes: every record in another's place, beside {size} more",
                member.substitution,
                member.mixed_pairs,
                4,
                18,
            ),
        ),
        assumptions=("neighbours: one record takes another's place", "integers", OBSERVER, PUBLIC),
        uses=("thm-histogram", "lem-substitution"),
    ),
    Claim(
        "lem-one-cell",
        "Every record has one cell",
        "histograms",
        "this book; mends the report's bins",
        status="proved+checked",
        code=("fdpedu.histograms.cells.bin_of",),
        checks=(
            Check(
                "edges",
                "exhaustive",
                f"{EDGES}; what two parties release of three classes, without noise",
                law.one_cell,
                law.edges,
                3,
                6,
            ),
            Check(
                "unknown",
                "exact",
                "categories of text and of numbers, and values that are none of them",
                law.unknown_category,
                lambda _: [
                    *product([("A", "B"), ("B", "A", "C")], ("Zürich", "a", "A ", "A", 7)),
                    *product([(1, 2, 3)], (4, -1, 1234567.5, 2)),
                ],
            ),
        ),
        assumptions=("finite doubles, compared exactly", PUBLIC),
    ),
    Claim(
        "alg-bins-as-printed",
        "Bins, as printed",
        "histograms",
        "report, Algorithm 3 and section 3.3.1",
        status="refuted as stated",
        code=("fdpedu.histograms.cells.bin_as_printed",),
        checks=(
            Check(
                "edges",
                "exhaustive",
                "grids of three or four whole edges from 0 to {size}: the edges themselves as values",
                law.bins_as_printed,
                law.plain_edges,
                3,
                5,
            ),
        ),
        assumptions=("finite doubles, compared exactly", PUBLIC),
        corrected_by="lem-one-cell",
    ),
    Claim(
        "lem-one-hot",
        "One histogram holds all dummies",
        "histograms",
        "this book; beside the report, section 3.3.1",
        status="proved+checked",
        code=("fdpedu.histograms.cells.one_hot_histograms",),
        checks=(
            Check(
                "dummies",
                "exhaustive",
                "two or three categories and classes, up to {size} records, two parties: derived and counted, without "
                "noise, and what both cost",
                law.one_hot,
                law.coded_rows,
                2,
                4,
            ),
            Check(
                "variance",
                "exact",
                "2 to {size} categories, three α: coefficients, and the variance of both, in fractions",
                law.one_hot_variance,
                lambda most: product(range(2, most + 1), ALPHAS),
                12,
                256,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER, PUBLIC),
        uses=("thm-histogram", "thm-node-histograms"),
    ),
    Claim(
        "lem-clipping",
        "Clipping is free, and raises empty cells",
        "histograms",
        "this book",
        status="proved+checked",
        code=("fdpedu.histograms.clipping.clipping_bias", "fdpedu.histograms.impurity.clip"),
        checks=(
            Check(
                "mean",
                "exact",
                "counts 0 to {size}, three α: 1, 2 and 30 terms of the sum and what is left, in fractions",
                law.clipping_mean,
                lambda most: product(range(most + 1), ALPHAS, (1, 2, 30)),
                12,
                100,
            ),
            Check(
                "no farther",
                "exhaustive",
                "true counts 0 to {size}, noisy counts from below −{size} to beyond {size}",
                law.clipping_is_no_farther,
                lambda most: product(range(most + 1), range(-most - 3, 2 * most + 3)),
                12,
                60,
            ),
        ),
        assumptions=("for privacy: post-processing, whatever neighbours and threat model the release has", "integers"),
        uses=("thm-discrete-laplace", "thm-post-processing"),
    ),
    Claim(
        "alg-noisy-impurity",
        "Impurity from noisy counts, mended",
        "histograms",
        "report, Algorithm 4; clipping after this book",
        status="proved+checked",
        code=("fdpedu.histograms.impurity.impurity_from_counts",),
        checks=(
            Check(
                "small tables",
                "exhaustive",
                "all tables of 2 bins and 2 or 3 classes and of 3 bins and 2 classes, counts from −1 to {size}",
                law.noisy_impurity,
                law.tables,
                1,
                2,
            ),
        ),
        assumptions=(CONVENTION, "for privacy: post-processing of a release, which has been paid for"),
        uses=("thm-post-processing", "def-scaled-impurity", "lem-clipping"),
    ),
    Claim(
        "alg-noisy-impurity-as-printed",
        "Impurity from noisy counts, as printed",
        "histograms",
        "report, Algorithm 4",
        status="refuted as stated",
        code=(
            "fdpedu.histograms.impurity.impurity_as_printed",
            "fdpedu.histograms.printed.choice_as_printed",
        ),
        checks=(
            Check(
                "small tables",
                "exhaustive",
                "all tables of two bins and two classes, counts from −1 to {size}, both totals positive",
                law.impurity_of_noisy_counts_as_printed,
                law.two_sided_tables,
                2,
                3,
            ),
        ),
        assumptions=(CONVENTION, "two classes"),
        uses=("def-scaled-impurity",),
        corrected_by="alg-noisy-impurity",
    ),
    Claim(
        "lem-summed-split",
        "Algorithm 2 by secure sums, any number of classes",
        "histograms",
        "report, Algorithm 2; mended by this book",
        status="proved+checked",
        code=("fdpedu.histograms.split.summed_impurity",),
        checks=(
            Check(
                "divisions",
                "exhaustive",
                "two parties, two to {size} classes, at most one row of each class on each side; five parties and four "
                "classes with up to 2⁴⁰ rows",
                law.summed_split,
                law.divisions,
                2,
                3,
            ),
        ),
        assumptions=(
            CONVENTION,
            "an aggregator, honest but curious, and colluding parties, all but two at most",
            "integers mod 2⁶⁴",
        ),
        uses=("thm-private-sum", "lem-pooled-counts"),
    ),
)
