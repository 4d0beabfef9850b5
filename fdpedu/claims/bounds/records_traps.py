"""Chapter 9. Changes of the local bound for which one record matters more."""

from itertools import product

from fdpedu.claims.bounds import laws
from fdpedu.claims.bounds import laws_scores as law
from fdpedu.claims.bounds.records import ADD_REMOVE, CONVENTION, EXACT, FAMILY, SHAPES
from fdpedu.claims.records import Check, Claim

CLAIMS = (
    Claim(
        "lem-least-rows",
        "A least number of rows on each side costs a factor",
        "bounds",
        "this book; on the report's Algorithm 5 and Lemma 3.2",
        status="proved+checked",
        code=("fdpedu.bounds.traps.bound_with_least_rows",),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                "two bins and classes, at most {size} rows, three of each, three rows fewer: m = 1 to 4, every record",
                law.least_rows,
                law.tables_with_least,
                6,
                10,
            ),
            Check(
                "tight",
                "exact",
                "m from 2 to 10, next to 10, 100 and {size} rows",
                law.least_rows_tight,
                lambda n: product(range(2, 11), (10, 100, n)),
                10_000,
            ),
            Check(
                "m = 1",
                "exhaustive",
                f"all tables of {SHAPES}, at most {{size}} rows",
                law.non_empty,
                laws.small_tables,
                4,
                7,
            ),
        ),
        assumptions=(CONVENTION, ADD_REMOVE, "a public grid", EXACT),
        uses=("lem-local-bound",),
    ),
    Claim(
        "local-bound-with-least-rows",
        "The lemma with the tree's stopping rule",
        "bounds",
        "this book; a reading of the report's Lemma 3.2 with Algorithm 5",
        status="refuted as stated",
        code=("fdpedu.bounds.traps.bound_with_least_rows",),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                f"all tables of {SHAPES} with at most {{size}} rows, m = 2, 3 and 4, with every record added",
                law.least_rows_of_one,
                lambda most: ((table, m) for (table,) in laws.small_tables(most) for m in (2, 3, 4)),
                7,
            ),
        ),
        assumptions=(CONVENTION, ADD_REMOVE, "a public grid", EXACT),
        corrected_by="lem-least-rows",
    ),
    Claim(
        "non-empty-sides-or-nothing",
        "Both sides non-empty, or 0",
        "bounds",
        "this book",
        status="refuted as stated",
        code=("fdpedu.bounds.traps.bound_with_least_rows",),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                f"all tables of {SHAPES} with at most {{size}} rows, with every record added",
                law.non_empty_or_zero,
                laws.small_tables,
                4,
            ),
        ),
        assumptions=(CONVENTION, ADD_REMOVE, "a public grid", EXACT),
        corrected_by="lem-least-rows",
    ),
    Claim(
        "five-quarters-of-the-fields-gini",
        "5/4 for the field's Gini",
        "bounds",
        "this book; the report's Lemma 3.2 under the usual convention",
        status="refuted as stated",
        code=("fdpedu.bounds.traps.bound_with_fields_gini",),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                f"all tables of {SHAPES} with at most {{size}} rows, with every record added",
                law.fields_gini,
                laws.small_tables,
                4,
            ),
        ),
        assumptions=("Gini: $1-\\sum_c\\hat p_c^2$, twice the report's", FAMILY, ADD_REMOVE, EXACT),
        corrected_by="lem-five-quarters",
    ),
    Claim(
        "lem-entropy",
        "Entropy has no constant",
        "bounds",
        "this book",
        status="proved+checked",
        code=("fdpedu.bounds.traps.entropy_increment",),
        checks=(
            Check(
                "grows",
                "exact",
                "n = 1, 10, …, 10 to the power of {size}: between 1 + ln n and 1 + ln(n+1), by enclosures",
                law.entropy_grows,
                lambda most: ((10**k,) for k in range(most + 1)),
                6,
                9,
            ),
        ),
        assumptions=("natural logarithms", ADD_REMOVE, EXACT),
    ),
)
