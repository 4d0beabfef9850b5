"""Chapter 9. The parties' lower bound of every split, on grids, for other impurities, as vectors and as integers."""

from itertools import product

from fdpedu.claims.bounds import cases, laws_gap
from fdpedu.claims.bounds import laws as law
from fdpedu.claims.bounds.records import ADD_REMOVE, CONVENTION, EXACT, FAMILY, SHAPES
from fdpedu.claims.checking import grid
from fdpedu.claims.records import Check, Claim

CLAIMS = (
    Claim(
        "thm-impurity-lower-bound",
        "The parties' best splits bound every split",
        "bounds",
        "report, Theorem 7; here as an identity",
        statement=r"For every split $\theta$ of one feature, over all rows together, $n\,G(Q,\theta)=\sum_k "
        r"n_k\,G(Q_k,\theta^*_k)+\sum_{s}\sum_k n_k^s\cdot\frac12\sum_c(\hat p^s_{kc}-\hat "
        r"p^s_c)^2+\sum_k\big(n_k\,G(Q_k,\theta)-n_k\,G(Q_k,\theta^*_k)\big)$, where $s$ goes through the two "
        r"sides of $\theta$. The second and the third sum, the variance between the parties and their regret, "
        r"are not negative; so $n\,G(Q,\theta)\ge\sum_k n_k\,G(Q_k,\theta^*_k)$, with equality exactly if both "
        r"are 0. A party may have no rows. For two parties and two classes the variance on a side is "
        r"$\frac{(a_1b_2-a_2b_1)^2}{n_1n_2(n_1+n_2)}$.",
        status="checked",
        code=("fdpedu.bounds.gap.impurity_gap", "fdpedu.bounds.local.impurity_lower_bound"),
        checks=(
            Check(
                "two parties",
                "machine proof",
                "the variance on one side times n₁n₂n, on a grid larger than its degrees",
                laws_gap.two_parties,
                lambda _: grid(variables=4, degree=4),
            ),
            Check(
                "divisions",
                "exhaustive",
                "two parties, two bins, two classes, at most {size} rows in a cell: every term, against the rows",
                laws_gap.identity,
                laws_gap.divided,
                1,
                2,
            ),
            Check(
                "random parties",
                "property",
                "{size} random cases: one to four parties, some without rows, up to four bins or categories, classes",
                laws_gap.identity,
                cases.parties,
                80,
                3000,
            ),
        ),
        assumptions=(CONVENTION, "every party's best split is of the same public family as $\\theta$", EXACT),
        uses=("lem-split-never-hurts",),
    ),
    Claim(
        "lem-grid-bound",
        "On a public grid the bound is larger",
        "bounds",
        "this book",
        statement=r"Let $F_k^{\text{real}}$ be the least $n\cdot G$ of party $k$ over all real thresholds, and "
        r"$F_k^{\text{grid}}$ that over the borders of a public grid. For every border $\theta$ of the grid, "
        r"$\sum_kF_k^{\text{real}}\le\sum_kF_k^{\text{grid}}\le n\,G(Q,\theta)$, and each $F_k$ has "
        r"sensitivity 1.",
        status="checked",
        code=("fdpedu.bounds.local.local_bound", "fdpedu.bounds.local.local_bounds_of_rows"),
        checks=(
            Check(
                "random rows",
                "property",
                "{size} random cases: one to three parties, three classes, values on and between the borders",
                law.grid_above_raw,
                cases.raw_parties,
                60,
                3000,
            ),
        ),
        assumptions=(CONVENTION, FAMILY, EXACT),
        uses=("lem-local-bound", "thm-impurity-lower-bound"),
    ),
    Claim(
        "lem-concave-lower-bound",
        "The bound holds for every concave impurity",
        "bounds",
        "this book; extends the report's Theorem 7",
        statement=r"Let $S(c)=n\,h(c/n)$ for the class counts $c$ of a node, $h$ concave and $S(0)=0$; rows "
        r"may have weights, and $c$ is then a vector of sums. With $F_k$ the least "
        r"$S(\text{left})+S(\text{right})$ of party $k$, $\sum_kF_k\le S(\text{left})+S(\text{right})$ for "
        r"every split of all rows. So it is for the Gini of any number of classes, for the number of errors, "
        r"and for entropy.",
        status="checked",
        code=(
            "fdpedu.bounds.local.impurity_lower_bound",
            "fdpedu.bounds.scores.LossScore",
            "fdpedu.bounds.scores.least_score",
        ),
        checks=(
            Check(
                "random parties",
                "property",
                "{size} random cases of one to three parties, weights, three classes: Gini, errors, and a random score",
                laws_gap.concave,
                cases.weighted_parties,
                40,
                1000,
            ),
            Check(
                "entropy",
                "property",
                "{size} random pairs of nodes of four classes: entropy, by enclosures",
                laws_gap.entropy,
                lambda draw: draw.tuples(draw.nodes(30, 4), draw.nodes(30, 4)),
                100,
                2000,
            ),
        ),
        assumptions=("every party's best split is of the same public family", "an empty node has the score 0", EXACT),
        uses=("thm-impurity-lower-bound",),
    ),
    Claim(
        "lem-bounds-vector",
        "All bounds of a node move together",
        "bounds",
        "this book; beside the report, Algorithm 6",
        statement=r"One record moves the vector $(F_1,\dots,F_p)$ of the bounds of $p$ features by less than "
        r"$p$ in $\ell_1$, $\sqrt p$ in $\ell_2$ and 1 in $\ell_\infty$, all coordinates in one direction; no "
        r"smaller constant holds for all data. So $\frac54$, or 1, is the sensitivity of one bound and not of "
        r"all, and $p$ bounds with a budget $\varepsilon_{\text{bounds}}$ each cost "
        r"$p\,\varepsilon_{\text{bounds}}$.",
        status="checked",
        code=("fdpedu.bounds.local.joint_sensitivity",),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                "all data of at most {size} records with two features of two bins, three classes, every record added",
                law.vector,
                lambda most: law.data_sets(2, most),
                2,
                4,
            ),
            Check(
                "tight",
                "exact",
                "1 to 5 features, up to {size} rows: rows that are alike move them by p·n/(n+1)",
                law.vector_tight,
                lambda n: product(range(1, 6), (1, 10, n)),
                100,
                10_000,
            ),
        ),
        assumptions=(CONVENTION, FAMILY, ADD_REMOVE, EXACT),
        uses=("lem-local-bound",),
    ),
    Claim(
        "lem-lattice-bound",
        "Rounded down, it stays a bound",
        "bounds",
        "this book",
        statement=r"For a public integer $m\ge1$ let $z_k=\lfloor m\,F_k\rfloor$. Then $\sum_kz_k\le "
        r"m\,n\,G(Q,\theta)$ for every split, and a record moves $z_k$ by $0,1,\dots$ or $m$, upwards if it is "
        r"added: its sensitivity is $m$. With $K$ parties $\frac1m\sum_kz_k$ is less than $\frac Km$ below "
        r"$\sum_kF_k$.",
        status="checked",
        code=("fdpedu.bounds.local.lattice_bound",),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                f"all tables of {SHAPES} with at most {{size}} rows, m = 1, 2, 7 and 1000, with every record added",
                law.on_lattice,
                lambda most: ((table, m) for (table,) in law.small_tables(most) for m in (1, 2, 7, 1000)),
                3,
                6,
            ),
        ),
        assumptions=(CONVENTION, FAMILY, ADD_REMOVE, EXACT),
        uses=("lem-local-bound", "thm-impurity-lower-bound"),
    ),
)
