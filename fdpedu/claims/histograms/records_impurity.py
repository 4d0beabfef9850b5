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
        "In another's place, twice ε",
        "histograms",
        "this book; beyond the report's Lemma 3.1",
        statement="The histogram that is ε-DP when records are added or removed is $2\\varepsilon$-DP, and no better, "
        "when one record takes another's place: the worst ratio of the two laws is exactly $e^{2\\varepsilon}$ "
        "if the records are counted in different cells, $e^{\\varepsilon}$ if one of them is counted only, and 1 if "
        "they share a cell or neither is counted.",
        status="checked",
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
        statement="For edges $t_0<\\dots<t_r$, a finite number $x$ is in bin $i$ if and only if "
        "$t_{i-1}<\\min(\\max(x,t_0),t_r)\\le t_i$, where the first bin holds $t_0$ too. Every $x$ has exactly one "
        "bin, and for every inner border $t_i$ the bins $1,\\dots,i$ hold $x$ if and only if $x\\le t_i$. A value that "
        "is not among the public categories is refused before anything is counted.",
        status="checked",
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
        statement="Bin $i$ is $[a_i,b_i)$ with $b_i=a_{i+1}$. Every value of the public range is in one bin, and for "
        "every inner border $t$ the bins up to $t$ hold the rows with $x\\le t$, which go left.",
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
        statement="The 2-bin histograms of the $l$ dummies of a categorical feature are linear in its one $l$-bin "
        "histogram: they cost $\\varepsilon$ together, where $l$ histograms of dummies cost $l\\varepsilon$. The noise "
        "of their cells has at most $\\max(1,l-1)$ times the variance $v(\\varepsilon)$ of a released cell; with "
        "$\\varepsilon/l$ for each dummy every cell has $v(\\varepsilon/l)\\ge l^2v(\\varepsilon)$.",
        status="checked",
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
        statement="Let $Z$ be discrete Laplace, $\\Pr[Z=k]=\\frac{1-\\alpha}{1+\\alpha}\\alpha^{|k|}$, and $c\\ge0$ a "
        "count. Then $|\\max(c+Z,0)-c|\\le|Z|$, and $\\mathrm E\\max(c+Z,0)-c=\\alpha^{c+1}/(1-\\alpha^2)$.",
        status="checked",
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
        statement="From the counts of $r$ bins and $C$ classes, each cell clipped at 0, the impurity of border $l$ is "
        "$\\sum_{\\text{sides}}\\frac{n_{\\text{side}}}{n}\\cdot\\frac12\\bigl(1-\\sum_c\\hat p_c^2\\bigr)$, where "
        "an empty side counts 0. It lies between 0 and $\\frac12(1-\\frac1C)$ whatever the noise, and costs nothing.",
        status="checked",
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
        statement="The impurity of a split is computed from the noisy counts as they are. Where both sides have a "
        "positive noisy total it lies between 0, that of a perfect split, and $\\frac14$.",
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
        statement="$K$ parties send the integers $n_{k,c}^{\\text{left}}$ and $n_{k,c}^{\\text{right}}$ through one "
        "private sum. What the sums give is the impurity of all rows put together, also where a party has no row on "
        "a side. Nothing but the pooled counts of both sides becomes known; these are exact, so this is not "
        "differentially private.",
        status="checked",
        code=("fdpedu.histograms.split.summed_impurity",),
        checks=(
            Check(
                "divisions",
                "exhaustive",
                "two parties, two and three classes, at most {size} row of each class on each side; five parties with "
                "up to 2⁴⁰ rows",
                law.summed_split,
                law.divisions,
                1,
                1,
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
