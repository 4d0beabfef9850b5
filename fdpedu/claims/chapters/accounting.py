"""Chapter 4. The filter lemma, and the ledger that rests on it."""

from fdpedu.claims.checks import accounting as check
from fdpedu.claims.records import Check, Claim

CLAIMS = (
    Claim(
        "lem-filter",
        "The filter lemma",
        "accounting",
        "this book; what Theorems 1 and 2 of the report need to be used adaptively",
        statement="At step $t$ choose, as a function of earlier outputs, a region $A_t$ of the record domain, an "
        r"$\varepsilon_t$ and an $\varepsilon_t$-DP mechanism, and apply it to $D\cap A_t$. If for every "
        r"transcript and every record $z$ the sum of $\varepsilon_t$ over $\{t: z\in A_t\}$ is at most "
        r"$\varepsilon$, the whole transcript is $\varepsilon$-DP. The ledger's total is at least what any "
        "record pays, and exactly what the worst record pays where regions are nested or disjoint.",
        status="checked",
        code=("fdpedu.accounting", "fdpedu.accounting.ledger.Ledger"),
        checks=(
            Check(
                "adaptive transcripts",
                "exhaustive",
                "two counts, the second chosen from the first: wards of at most {size} rows, all choices, exact laws",
                check.check_adaptive,
                1,
                2,
            ),
            Check(
                "nested",
                "property",
                "{size} random trees of charges: ledger = worst record = independent checker",
                check.explore_nested,
                80,
                2000,
            ),
            Check(
                "overlapping",
                "property",
                "{size} random heaps of charges: never less than the worst record pays",
                check.explore_overlapping,
                60,
                2000,
            ),
            Check(
                "no float decides",
                "exact",
                "budgets filled to the last fraction (0.1 + 0.2 = 0.3), and 10⁻³⁰⁰ more",
                check.check_no_float,
            ),
        ),
        assumptions=("neighbours: one record added or removed (a substitution costs twice)", "pure DP", "fresh coins"),
    ),
)
