"""Chapter 4. Accounting for pure ε: sequence, parallel regions, the filter lemma and the ledger, and columns.

Beyond pure ε, and derivations that can be re-checked, follow beside it.
"""

from itertools import product

from fdpedu.claims.accounting import laws as law
from fdpedu.claims.accounting import laws_columns as columns
from fdpedu.claims.accounting import laws_rules as rules
from fdpedu.claims.records import Check, Claim

ADD_REMOVE = "neighbours: one record added or removed (a substitution costs twice)"
EXACT = "releases are integers with exact noise; all coins are fresh"
LEDGER, REGION_TREE = "fdpedu.accounting.ledger.Ledger", "fdpedu.accounting.region_tree.RegionTree"
COLUMNS, BY_HAND = "fdpedu.accounting.worked.columns", "fdpedu.accounting.worked.by_hand"

CLAIMS = (
    Claim(
        "thm-sequential",
        "Sequential composition",
        "accounting",
        "report, Theorem 1; Vos et al., Theorem 1; adaptive, and tight",
        status="proved+checked",
        code=(LEDGER,),
        checks=(
            Check(
                "adaptive pairs",
                "exhaustive",
                "all pairs of laws on two outcomes in steps of 1/{size}, each outcome followed by any such pair",
                rules.followed,
                rules.pairs_in_steps,
                3,
                4,
            ),
            Check(
                "noisy counts",
                "exact",
                "up to {size} counts of the same records, costs of 1 to 3 times ln 2: the ledger's sum is reached",
                rules.sequence,
                rules.sequences,
                3,
                5,
            ),
        ),
        assumptions=("any one neighbour relation, the same for all steps", EXACT),
        uses=("def-dp", "lem-atoms"),
    ),
    Claim(
        "thm-parallel",
        "Parallel composition",
        "accounting",
        "report, Theorem 2; Vos et al., Theorem 2; regions of the record domain",
        status="proved+checked",
        code=(LEDGER, REGION_TREE),
        checks=(
            Check(
                "regions",
                "exhaustive",
                "two codes, two classes: noisy counts of any two regions, all records added to data of at most "
                "{size} records: the ledger charges the worst exact ratio, the larger cost if they are disjoint",
                rules.regions,
                rules.two_regions,
                1,
                2,
            ),
            Check(
                "partitions",
                "exhaustive",
                "a partition into four parts with costs of 1 to {size} times ln 2: what each record pays, exactly",
                rules.partition,
                rules.partitions,
                2,
                3,
            ),
        ),
        assumptions=("neighbours: one record added or removed", EXACT),
        uses=("def-dp", "lem-atoms"),
    ),
    Claim(
        "thm-parallel-substitution",
        "Parallel composition under substitution",
        "accounting",
        "this book; what Theorem 2 of the report leaves open",
        status="proved+checked",
        code=(LEDGER,),
        checks=(
            Check(
                "moves",
                "exhaustive",
                "two regions with a count or a histogram each, data of at most {size} records, all substitutions: "
                "the exact ratio is as stated, and the worst one is reached",
                rules.moves,
                rules.substitutions,
                2,
                3,
            ),
            Check(
                "histogram",
                "exhaustive",
                "histograms of 2 to 4 cells, data of at most {size} records, all substitutions: exactly 2ε",
                rules.substituted,
                rules.histograms,
                2,
                3,
            ),
            Check(
                "ledger",
                "exact",
                "a ledger agrees to no relation but add/remove",
                rules.relation,
                lambda _: product(("add-remove", "substitution", "replace-one", ""), ("1/2", "1")),
            ),
        ),
        assumptions=("neighbours: one record replaced by another one", EXACT),
        uses=("thm-parallel", "lem-substitution"),
    ),
    Claim(
        "lem-filter",
        "The filter lemma",
        "accounting",
        "this book; what Theorems 1 and 2 of the report need to be used adaptively",
        status="proved+checked",
        code=("fdpedu.accounting", LEDGER),
        checks=(
            Check(
                "adaptive transcripts",
                "exhaustive",
                "two counts, the second chosen from the first: wards of at most {size} rows, all choices, exact laws",
                law.adaptive,
                law.choices,
                1,
                2,
            ),
            Check(
                "nested",
                "property",
                "{size} random trees of charges: ledger = worst record = independent checker",
                law.nested_cost,
                lambda draw: draw.trees_of_charges(),
                80,
                2000,
            ),
            Check(
                "overlapping",
                "property",
                "{size} random heaps of charges: never less than the worst record pays",
                law.overlapping_cost,
                lambda draw: draw.heaps_of_charges(),
                60,
                2000,
            ),
            Check(
                "no float decides",
                "exact",
                "budgets filled to the last fraction (0.1 + 0.2 = 0.3), and 10⁻³⁰⁰ more",
                law.no_float,
                lambda _: [(("0.1", "0.2"), "0.3"), (("0.1",) * 10, "1"), (("1/3",) * 3, "1"), (("0.7", "0.1"), "0.8")],
            ),
        ),
        assumptions=(ADD_REMOVE, "pure DP", "fresh coins"),
        uses=("def-dp",),
    ),
    Claim(
        "vos-theorem-3-as-printed",
        "Features in parallel, as printed",
        "accounting",
        "Vos et al., Theorem 3 and its proof",
        status="refuted as stated",
        code=(f"{BY_HAND}.columns_in_parallel",),
        checks=(
            Check(
                "one more record",
                "exact",
                "1 to {size} features of two bins, e^ε = 2 each: the exact laws without and with one record, and "
                "the verdict of the derivation checker",
                columns.as_printed,
                lambda most: product(range(1, most + 1)),
                4,
            ),
        ),
        assumptions=("neighbours: one record added or removed", EXACT),
        corrected_by="lem-columns",
    ),
    Claim(
        "lem-columns",
        "Columns compose in sequence",
        "accounting",
        "this book; mends Vos et al., Theorem 3",
        status="proved+checked",
        code=(COLUMNS, f"{COLUMNS}.exact_factor", f"{COLUMNS}.success"),
        checks=(
            Check(
                "exact factor",
                "exact",
                "1 to {size} features, three α: event, worst ratio of the released laws, ledger and checker agree",
                columns.factor,
                lambda most: product(range(1, most + 1), columns.ALPHAS),
                5,
                12,
            ),
            Check(
                "best test",
                "exhaustive",
                "1 to {size} features, three α: the vote and the likelihood-ratio test, over all outcomes of the laws",
                columns.voting,
                lambda most: product(range(1, most + 1), columns.ALPHAS),
                5,
                9,
            ),
        ),
        assumptions=(ADD_REMOVE, EXACT),
        uses=("thm-sequential", "thm-hypothesis-test"),
    ),
)
