"""Chapter 9. The local bound: what it is, and how far one record moves it."""

from fractions import Fraction

from fdpedu.claims.bounds import cases
from fdpedu.claims.bounds import laws as law
from fdpedu.claims.bounds import laws_solver as solver
from fdpedu.claims.records import Check, Claim

CONVENTION = r"Gini: the report's half of scikit-learn's, $\frac12(1-\sum_c\hat p_c^2)$; an empty node has impurity 0"
ADD_REMOVE = "neighbours: one record added or removed, with a party that does not change"
FAMILY = (
    "the splits are fixed before the rows: all borders of a public grid, all subsets of a public list of categories, "
    "or all real thresholds; no least number of rows on a side"
)
EXACT = "exact integer counts; no privacy, since the bounds stay with their party"
SHAPES = "up to three bins and three classes"

CLAIMS = (
    Claim(
        "lem-local-bound",
        "One record moves a local bound by less than 1",
        "bounds",
        "this book; sharpens the report's Lemma 3.2",
        status="proved+checked",
        code=(
            "fdpedu.bounds.local.local_bound",
            "fdpedu.bounds.local.local_bounds_of_rows",
            "fdpedu.bounds.search.largest_increment",
            "fdpedu.bounds.search.search_near_one",
            "fdpedu.cart.local.local_best_impurities",
            "fdpedu.cart.local.local_best_impurity",
        ),
        checks=(
            Check(
                "all families",
                "machine proof",
                "a solver finds no family of splits, finite or not, of which a best one moves further than each does",
                solver.all_splits,
                lambda _: [(True,), (False,)],
            ),
            Check(
                "all counts",
                "machine proof",
                "a solver finds no counts of 2, 3 or 4 classes, and no weight, of which one side moves further",
                solver.one_side,
                lambda _: [(2,), (3,), (4,)],
            ),
            Check("empty side", "exact", "two to four classes", solver.empty_side, lambda _: [(2,), (3,), (4,)]),
            Check(
                "definition",
                "exhaustive",
                f"all tables of {SHAPES} with at most {{size}} rows, as bins and as categories, against their rows",
                law.definition,
                law.both_kinds,
                4,
                6,
            ),
            Check(
                "five categories",
                "exact",
                "four classes: a best subset is no beginning in the order of a class's share",
                law.definition,
                lambda _: [(law.FIVE_CATEGORIES, False)],
            ),
            Check(
                "neighbours",
                "exhaustive",
                f"all tables of {SHAPES}, at most {{size}} rows, as bins and categories, every record added",
                law.step,
                law.both_kinds,
                4,
                9,
            ),
            Check(
                "random neighbours",
                "property",
                "{size} random tables of up to five bins and four classes, with every record added",
                law.step,
                lambda draw: draw.tuples(cases.counts(draw)),
                60,
                3000,
            ),
            Check(
                "raw neighbours",
                "property",
                "{size} random columns with ties, of three classes, and a row more, over all real thresholds",
                law.raw_step,
                cases.raw_rows,
                80,
                3000,
            ),
            Check(
                "raw definition",
                "property",
                "{size} random columns with ties, against every threshold",
                lambda column, y, *_: law.raw_definition(column, y),
                cases.raw_rows,
                80,
                3000,
            ),
            Check(
                "in another's place",
                "exhaustive",
                f"all tables of {SHAPES} with 1 to {{size}} rows, with every record replaced by every other",
                law.replaced,
                lambda most: (case for case in law.small_tables(most) if any(map(any, case[0]))),
                3,
                7,
            ),
            Check(
                "search",
                "exact",
                "a search that knows nothing of the lemma comes within 1/{size} of 1, and stays below",
                law.search,
                lambda n: [(1 - Fraction(1, k), bins, c) for k, bins, c in ((2, 1, 2), (9, 3, 3), (n, 2, 2))],
                100,
                1000,
            ),
        ),
        assumptions=(CONVENTION, FAMILY, ADD_REMOVE, EXACT),
        uses=("lem-increment",),
    ),
    Claim(
        "lem-five-quarters",
        "The report's 5/4",
        "bounds",
        "report, Lemma 3.2",
        status="proved+checked",
        code=("fdpedu.bounds.local.local_bound",),
        checks=(
            Check(
                "random neighbours",
                "property",
                "{size} random tables of up to five bins and four classes, with every record added",
                law.five_quarters,
                lambda draw: draw.tuples(cases.counts(draw)),
                60,
                3000,
            ),
            Check(
                "printed proof",
                "exhaustive",
                "its inequalities, one after the other, on all sides with 1 to {size} rows of two classes",
                law.printed_chain,
                lambda most: ((a, n - a) for n in range(1, most + 1) for a in range(n + 1)),
                30,
                200,
            ),
        ),
        assumptions=(CONVENTION, FAMILY, ADD_REMOVE, EXACT),
        uses=("lem-local-bound",),
    ),
)
