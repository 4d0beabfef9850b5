"""Chapter 1. Impurity, the best split, and a split whose rows lie with several parties."""

from fdpedu.claims.cart import laws as check
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
        statement=r"A node with class counts $c_1,\dots,c_C$ and $n=\sum_i c_i$ rows has the impurity "
        r"$h=\tfrac12\bigl(1-\sum_i (c_i/n)^2\bigr)$, which is $\hat p(1-\hat p)$ for two classes, and the "
        r"scaled impurity $n\,h$, which for two classes is $s(a,b)=\frac{ab}{a+b}$; both are 0 for the "
        r"empty node. A split leaves $n\,G=\sum_{\text{sides}} n_{\text{side}}\,h_{\text{side}}$.",
        status="checked",  # a definition has no proof; the check holds the code to it
        code=("fdpedu.cart.impurity.scaled_half_gini",),
        checks=(
            Check(
                "conventions",
                "exhaustive",
                "all nodes of two or three classes with at most {size} rows of each: half_gini, gini, n·half_gini",
                check.check_conventions,
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
        statement=r"$\min_{c\in\mathbb R}\frac1n\sum_{i=1}^n (y_i-c)^2=\hat p(1-\hat p)$ for labels $y_i\in\{0,1\}$, "
        r"and only $c=\hat p$ attains it: $\sum_i (y_i-c)^2=s(a,b)+n(c-\hat p)^2$.",
        status="proved+checked",
        code=("fdpedu.cart.impurity.scaled_half_gini",),
        checks=(
            Check(
                "identity",
                "machine proof",
                "the identity, cleared of denominators, on a grid larger than its degrees",
                check.prove_least_squares,
            ),
            Check("nodes", "exhaustive", "all nodes of at most {size} rows", check.check_least_squares, 40, 120),
        ),
        assumptions=(CONVENTION, TWO_CLASSES, "at least one row"),
        uses=("def-scaled-impurity",),
    ),
    Claim(
        "lem-increment",
        "What one more row does to the impurity",
        "cart",
        "this book; from the proof of the report's Lemma 3.2",
        statement=r"$s(a+1,b)-s(a,b)=\frac{b^2}{(a+b)(a+b+1)}\in\bigl[0,\frac{n}{n+1}\bigr]$ with $n=a+b\ge 1$; equal "
        r"to $\frac{n}{n+1}$ iff $a=0$. The same holds with the classes exchanged.",
        status="proved+checked",
        code=("fdpedu.cart.impurity.scaled_half_gini",),
        checks=(
            Check(
                "identity",
                "machine proof",
                "the identity, and n² − b² = a(a+2b), on grids larger than their degrees",
                check.prove_increment,
            ),
            Check("nodes", "exhaustive", "all nodes of at most {size} rows", check.check_increment, 60, 200),
        ),
        assumptions=(CONVENTION, TWO_CLASSES, "at least one row"),
        uses=("def-scaled-impurity",),
    ),
    Claim(
        "lem-split-never-hurts",
        "A split never raises the impurity",
        "cart",
        "this book",
        statement=r"$s(a_1+a_2,b_1+b_2)-s(a_1,b_1)-s(a_2,b_2)=\frac{(a_1b_2-a_2b_1)^2}{n_1n_2(n_1+n_2)}\ge 0$ for "
        r"non-empty sides of $n_i=a_i+b_i$ rows; with an empty side the difference is 0. So $n\,G\le n\,h$, "
        r"with equality iff both sides have the same $\hat p$ or one is empty.",
        status="proved+checked",
        code=("fdpedu.cart.split.Candidate", "fdpedu.cart.grid"),
        checks=(
            Check(
                "identity",
                "machine proof",
                "the identity times n₁·n₂·n, on a grid larger than its degrees",
                check.prove_never_hurts,
            ),
            Check(
                "splits",
                "exhaustive",
                "all splits with at most {size} rows of each class on each side, empty sides among them",
                check.check_never_hurts,
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
        statement=r"Let a column have the distinct values $v_1<\dots<v_m$. The thresholds halfway between neighbours "
        r"reach every partition $\{x\le t\},\{x>t\}$ with two non-empty sides, each exactly once. So the "
        "best of them is the best of all real $t$.",
        status="proved+checked",
        code=("fdpedu.cart.split.threshold_counts",),
        checks=(
            Check(
                "columns",
                "exhaustive",
                "all columns of at most {size} values among awkward doubles, and every cut of each: the search "
                "finds it",
                check.check_thresholds,
                4,
                5,
            ),
            Check(
                "grid",
                "exhaustive",
                "four bins and values in steps of 1/{size}, beyond the range too: a prefix of bins is x ≤ t",
                check.check_grid_thresholds,
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
        statement="For two classes, order the categories of a feature by their share of class 1. Among all subsets "
        r"of categories, both sides non-empty, some prefix of that order leaves the least $n\,G$.",
        status="proved+checked",
        code=("fdpedu.cart.split._category_orders", "fdpedu.cart.grid.GridSearch._in_order"),
        checks=(
            Check(
                "small tables",
                "exhaustive",
                "all tables of 2 to {size} categories with at most two rows of a class in each, against all subsets",
                check.check_category_order,
                3,
                4,
            ),
            Check(
                "random tables",
                "property",
                "{size} random tables of up to six categories, against all subsets",
                check.explore_category_order,
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
        statement="Let party $k$ have $a_k$ and $b_k$ rows of the two classes on a side of a split, and let "
        r"$n^{\text{side}}=\sum_k(a_k+b_k)$, $\hat p^{\text{side}}=\sum_k b_k/n^{\text{side}}$. Then "
        r"$\sum_{\text{sides}} \frac{n^{\text{side}}}{n}\hat p^{\text{side}}(1-\hat p^{\text{side}})$, an "
        r"empty side counting 0, is the impurity $G(Q,\theta)$ of the pooled node. Only integers are summed "
        "over parties.",
        status="proved+checked",
        code=("fdpedu.cart.federated.federated_impurity",),
        checks=(
            Check(
                "divisions",
                "exhaustive",
                "all divisions of at most {size} rows among two parties, none without rows, both sides non-empty",
                check.check_pooled,
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
        statement=r"Each party sends $n_k^{\text{side}}$ and $\hat "
        r"p_k^{\text{side}}=\frac{1}{n_k^{\text{side}}}\sum_i y_i$, and $\hat "
        r"p^{\text{side}}=\frac{1}{n^{\text{side}}}\sum_k n_k^{\text{side}}\hat p_k^{\text{side}}$. *This "
        r"divides by $n_k^{\text{side}}$, which is 0 as soon as one party has no row on one side; and "
        r"$n_k\hat p_k$ is summed as a real number, where Algorithm 1 sums integers.*",
        status="refuted as stated",
        code=("fdpedu.cart.federated.federated_impurity_as_printed",),
        checks=(
            Check(
                "divisions",
                "exhaustive",
                "all divisions of at most {size} rows among two parties, none without rows, both sides non-empty",
                check.check_as_printed,
                5,
                7,
            ),
        ),
        assumptions=(CONVENTION, TWO_CLASSES, EXACT),
        uses=("def-scaled-impurity",),
        corrected_by="lem-pooled-counts",
    ),
)
