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
        status="proved+checked",
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
        status="proved+checked",
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
        status="proved+checked",
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
        status="proved+checked",
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
        status="proved+checked",
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
