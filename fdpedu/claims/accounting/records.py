"""Chapter 4. Accounting for pure ε: sequence, parallel regions, the filter lemma and the ledger, and columns.

Beyond pure ε, and derivations that can be re-checked, follow beside it.
"""

from fdpedu.claims.accounting import laws as ledger
from fdpedu.claims.accounting import laws_columns as columns
from fdpedu.claims.accounting import laws_rules as rules
from fdpedu.claims.records import Check, Claim

ADD_REMOVE = "neighbours: one record added or removed (a substitution costs twice)"
EXACT = "releases are integers with exact noise; all coins are fresh"
LEDGER, FOREST = "fdpedu.accounting.ledger.Ledger", "fdpedu.accounting.forest.Forest"
COLUMNS, BY_HAND = "fdpedu.accounting.worked.columns", "fdpedu.accounting.worked.by_hand"

CLAIMS = (
    Claim(
        "thm-sequential",
        "Sequential composition",
        "accounting",
        "report, Theorem 1; Vos et al., Theorem 1; adaptive, and tight",
        statement=r"Let $M_1$ be $\varepsilon_1$-DP, and for each of its outputs $y$ let $M_2(\cdot,y)$ be "
        r"$\varepsilon_2$-DP, with fresh coins. Then the release of $y=M_1(D)$ and $M_2(D,y)$ together is "
        r"$(\varepsilon_1+\varepsilon_2)$-DP, and $k$ such steps are $\sum_i\varepsilon_i$-DP. If all "
        r"$\varepsilon_i>0$, no smaller number will do in general: counts of one set of records with discrete Laplace "
        "noise reach it (under substitution the records of one class, where an outsider is replaced by a member).",
        status="proved+checked",
        code=(LEDGER,),
        checks=(
            Check(
                "adaptive pairs",
                "exhaustive",
                "all pairs of laws on two outcomes in steps of 1/{size}, each outcome followed by any such pair",
                rules.check_pairs,
                3,
                4,
            ),
            Check(
                "noisy counts",
                "exact",
                "up to {size} counts of the same records, costs of 1 to 3 times ln 2: the ledger's sum is reached",
                rules.check_sequences,
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
        statement=r"Let $A_1,\dots,A_k$ be disjoint regions of the record *domain*, chosen without looking at the "
        r"data, and let $M_i$ be $\varepsilon_i$-DP under add/remove, with independent coins. Then the release of "
        r"$M_1(D\cap A_1),\dots,M_k(D\cap A_k)$ is $\max_i\varepsilon_i$-DP under add/remove: a record of $A_i$ "
        r"pays $\varepsilon_i$, and one that is in no $A_i$ pays nothing. For noisy counts of regions that share a "
        r"record it is false, and a record of both pays $\varepsilon_i+\varepsilon_j$.",
        status="proved+checked",
        code=(LEDGER, FOREST),
        checks=(
            Check(
                "regions",
                "exhaustive",
                "two codes, two classes: noisy counts of any two regions, all records added to data of at most "
                "{size} records: the ledger charges the worst exact ratio, the larger cost if they are disjoint",
                rules.check_regions,
                1,
                2,
            ),
            Check(
                "partitions",
                "exhaustive",
                "a partition into four parts with costs of 1 to {size} times ln 2: what each record pays, exactly",
                rules.check_partitions,
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
        statement=r"Let $A_i$ and $M_i$, $k\ge 2$, be as for parallel composition. Under *substitution* their joint "
        r"release is $2\max_i\varepsilon_i$-DP: a record that moves from $A_i$ to $A_j$ pays "
        r"$\varepsilon_i+\varepsilon_j$, one that moves within $A_i$ at most $2\varepsilon_i$. If every $M_i$ is "
        r"$\varepsilon_i$-DP under substitution too, it is $\max_{i\ne j}(\varepsilon_i+\varepsilon_j)$-DP. In "
        r"either case $\max_i\varepsilon_i$ will not do: a histogram with independent discrete Laplace noise of "
        r"$\alpha=e^{-\varepsilon}$ in each of two or more cells costs exactly $2\varepsilon$.",
        status="proved+checked",
        code=(LEDGER,),
        checks=(
            Check(
                "moves",
                "exhaustive",
                "two regions with a count or a histogram each, data of at most {size} records, all substitutions: "
                "the exact ratio is as stated, and the worst one is reached",
                rules.check_moves,
                2,
                3,
            ),
            Check(
                "histogram",
                "exhaustive",
                "histograms of 2 to 4 cells, data of at most {size} records, all substitutions: exactly 2ε",
                rules.check_substituted_histogram,
                2,
                3,
            ),
            Check("ledger", "exact", "a ledger agrees to no relation but add/remove", rules.check_relation),
        ),
        assumptions=("neighbours: one record replaced by another one", EXACT),
        uses=("thm-parallel", "lem-substitution"),
    ),
    Claim(
        "lem-filter",
        "The filter lemma",
        "accounting",
        "this book; what Theorems 1 and 2 of the report need to be used adaptively",
        statement="At step $t$ choose, as a function of earlier outputs, a region $A_t$ of the record domain, an "
        r"$\varepsilon_t$ and an $\varepsilon_t$-DP mechanism, and apply it to $D\cap A_t$. If for every "
        r"transcript and every record $z$ the sum of $\varepsilon_t$ over $\{t: z\in A_t\}$ is at most "
        r"$\varepsilon$, the whole transcript, finite or infinite, is $\varepsilon$-DP; after every finite piece the "
        "loss is at most the sum so far. The ledger's total is at least what any "
        "record pays, and exactly what the worst record pays where regions are nested or disjoint.",
        status="proved+checked",
        code=("fdpedu.accounting", LEDGER),
        checks=(
            Check(
                "adaptive transcripts",
                "exhaustive",
                "two counts, the second chosen from the first: wards of at most {size} rows, all choices, exact laws",
                ledger.check_adaptive,
                1,
                2,
            ),
            Check(
                "nested",
                "property",
                "{size} random trees of charges: ledger = worst record = independent checker",
                ledger.explore_nested,
                80,
                2000,
            ),
            Check(
                "overlapping",
                "property",
                "{size} random heaps of charges: never less than the worst record pays",
                ledger.explore_overlapping,
                60,
                2000,
            ),
            Check(
                "no float decides",
                "exact",
                "budgets filled to the last fraction (0.1 + 0.2 = 0.3), and 10⁻³⁰⁰ more",
                ledger.check_no_float,
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
        statement="As printed: the histograms of the $m$ features of a node look at different columns, so they "
        r"compose in parallel, and all of them together are as private as one of them, $\varepsilon$-DP.",
        status="refuted as stated",
        code=(f"{BY_HAND}.columns_in_parallel",),
        checks=(
            Check(
                "one more record",
                "exact",
                "1 to {size} features of two bins, e^ε = 2 each: the exact laws without and with one record, and "
                "the verdict of the derivation checker",
                columns.check_as_printed,
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
        statement=r"Release, of the same rows, the histograms of $m$ features, every cell with independent discrete "
        r"Laplace noise of $\alpha=e^{-\varepsilon}$, $\varepsilon>0$. This costs exactly $m\varepsilon$, for "
        r"$D'=D+z$: the event that in each of the $m$ histograms the cell of $z$ is at most its value under $D$ has "
        r"probability $(1+\alpha)^{-m}$ under $D$ and $\alpha^m(1+\alpha)^{-m}$ under $D'$, a ratio of "
        r"$\alpha^{-m}=e^{m\varepsilon}$. The best test of whether $z$ is there is a vote of the $m$ cells; at even "
        r"odds and odd $m$ it is right with probability "
        r"$\Pr\bigl[\mathrm{Bin}\bigl(m,\tfrac1{1+\alpha}\bigr)>\tfrac m2\bigr]$, where an $\varepsilon$-DP release "
        r"would allow no more than $\tfrac1{1+\alpha}$.",
        status="proved+checked",
        code=(COLUMNS, f"{COLUMNS}.exact_factor", f"{COLUMNS}.success"),
        checks=(
            Check(
                "exact factor",
                "exact",
                "1 to {size} features, three α: event, worst ratio of the released laws, ledger and checker agree",
                columns.check_factor,
                5,
                12,
            ),
            Check(
                "best test",
                "exhaustive",
                "1 to {size} features, three α: the vote and the likelihood-ratio test, over all outcomes of the laws",
                columns.check_vote,
                5,
                9,
            ),
        ),
        assumptions=(ADD_REMOVE, EXACT),
        uses=("thm-sequential", "thm-hypothesis-test"),
    ),
)
