"""Chapter 1. Impurity, the best split, and a split whose rows lie with several parties."""

from itertools import product

from fdpedu.claims.cart import laws as law
from fdpedu.claims.checking import grid
from fdpedu.claims.noisy_counts import all_tables
from fdpedu.claims.records import Check, Claim

CONVENTION = r"Gini: the report's $h=\hat p(1-\hat p)$ for two classes, half of scikit-learn's"
TWO_CLASSES = "two classes: $a$ rows of class 0 and $b$ of class 1"
EXACT = "exact integer counts; no privacy"

CLAIMS = (
    Claim(
        "def-scaled-impurity",
        "Scaled impurity",
        "cart",
        "report, section 2.1.1",
        status="checked",  # a definition has no proof; the check holds the code to it
        code=("fdpedu.cart.impurity.scaled_half_gini",),
        checks=(
            Check(
                "conventions",
                "exhaustive",
                "all nodes of two or three classes with at most {size} rows of each: half_gini, gini, n·half_gini",
                law.conventions,
                lambda most: ((counts,) for classes in (2, 3) for counts in all_tables(classes, most)),
                8,
                20,
            ),
        ),
        assumptions=(CONVENTION,),
    ),
    Claim(
        "lem-least-squares",
        "Impurity is the least squared error",
        "cart",
        "report, equation (4)",
        status="proved+checked",
        code=("fdpedu.cart.impurity.scaled_half_gini",),
        checks=(
            Check(
                "identity",
                "machine proof",
                "the identity, cleared of denominators, on a grid larger than its degrees",
                law.least_squares_identity,
                lambda _: grid(variables=4, degree=2),
            ),
            Check("nodes", "exhaustive", "all nodes of at most {size} rows", law.least_squares, law.nodes, 40, 120),
        ),
        assumptions=(CONVENTION, TWO_CLASSES, r"the label $y_i \in \{0,1\}$ of a row is its class", "at least one row"),
        uses=("def-scaled-impurity",),
    ),
    Claim(
        "lem-increment",
        "What one more row does to the impurity",
        "cart",
        "this book; from the proof of the report's Lemma 3.2",
        status="proved+checked",
        code=("fdpedu.cart.impurity.scaled_half_gini",),
        checks=(
            Check(
                "identity",
                "machine proof",
                "the identity, and n² − b² = a(a+2b), on a grid larger than their degrees",
                law.increment_identity,
                lambda _: grid(variables=2, degree=3),
            ),
            Check("nodes", "exhaustive", "all nodes of at most {size} rows", law.increment, law.nodes, 60, 200),
        ),
        assumptions=(CONVENTION, TWO_CLASSES, "at least one row"),
        uses=("def-scaled-impurity",),
    ),
    Claim(
        "lem-split-never-hurts",
        "A split never raises the impurity",
        "cart",
        "this book",
        status="proved+checked",
        code=("fdpedu.cart.split.Candidate", "fdpedu.cart.grid"),
        checks=(
            Check(
                "identity",
                "machine proof",
                "the identity times n₁·n₂·n, on a grid larger than its degrees",
                law.never_hurts_identity,
                lambda _: grid(variables=4, degree=4),
            ),
            Check(
                "splits",
                "exhaustive",
                "all splits with at most {size} rows of each class on each side, empty sides among them",
                law.never_hurts,
                lambda most: all_tables(4, most),
                7,
                14,
            ),
        ),
        assumptions=(CONVENTION, TWO_CLASSES),
        uses=("def-scaled-impurity",),
    ),
    Claim(
        "lem-thresholds",
        "Finitely many thresholds are enough",
        "cart",
        "this book",
        status="proved+checked",
        code=("fdpedu.cart.split.threshold_counts",),
        checks=(
            Check(
                "columns",
                "exhaustive",
                "all columns of at most {size} values among awkward doubles, and every cut of each: the search "
                "finds it",
                law.threshold_reaches,
                law.columns,
                4,
                5,
            ),
            Check(
                "grid",
                "exhaustive",
                "four bins and values in steps of 1/{size}, beyond the range too: a prefix of bins is x ≤ t",
                law.grid_threshold,
                lambda steps: product(range(3), (i / steps for i in range(-steps, 5 * steps + 1))),
                8,
                64,
            ),
        ),
        assumptions=(
            "finite doubles; where no double lies strictly between two values, the lower one is the threshold",
        ),
    ),
    Claim(
        "thm-category-order",
        "Ordered categories hold a best subset",
        "cart",
        "Vos et al., section IV-A; Breiman et al.",
        status="proved+checked",
        code=("fdpedu.cart.split._category_orders", "fdpedu.cart.grid.GridSearch._in_order"),
        checks=(
            Check(
                "small tables",
                "exhaustive",
                "all tables of 2 to {size} categories with at most two rows of a class in each, against all subsets",
                law.ordered_categories,
                law.tables,
                3,
                4,
            ),
            Check(
                "random tables",
                "property",
                "{size} random tables of up to six categories, against all subsets",
                law.ordered_categories,
                lambda draw: draw.tuples(draw.category_tables()),
                80,
                2000,
            ),
        ),
        assumptions=(CONVENTION, TWO_CLASSES),
        uses=("def-scaled-impurity",),
    ),
    Claim(
        "lem-pooled-counts",
        "Sum the counts, then divide",
        "cart",
        "this book; mends the report's Algorithm 2",
        status="proved+checked",
        code=("fdpedu.cart.federated.federated_impurity",),
        checks=(
            Check(
                "divisions",
                "exhaustive",
                "all divisions of at most {size} rows among two parties, none without rows, both sides non-empty",
                law.pooled_counts,
                law.divisions,
                5,
                7,
            ),
        ),
        assumptions=(CONVENTION, TWO_CLASSES, EXACT),
        uses=("def-scaled-impurity",),
    ),
    Claim(
        "alg-federated-split-as-printed",
        "Federated split, as printed",
        "cart",
        "report, Algorithm 2",
        status="refuted as stated",
        code=("fdpedu.cart.federated.federated_impurity_as_printed",),
        checks=(
            Check(
                "divisions",
                "exhaustive",
                "all divisions of at most {size} rows among two parties, none without rows, both sides non-empty",
                law.pooled_as_printed,
                law.divisions,
                5,
                7,
            ),
        ),
        assumptions=(CONVENTION, TWO_CLASSES, EXACT),
        uses=("def-scaled-impurity",),
        corrected_by="lem-pooled-counts",
    ),
)
