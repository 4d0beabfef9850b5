"""Chapter 4, third part. Derivations: what an accepted text proves, and when nothing is missing from it."""

from itertools import product

from fdpedu.claims.accounting import laws_derivations as derivations
from fdpedu.claims.accounting import laws_limits as limits
from fdpedu.claims.accounting import laws_manifests as manifests
from fdpedu.claims.records import Check, Claim

AXIOMS = (
    "the checker's axioms: a query looks at its region only and has the stated sensitivity; the noise has the stated "
    "rate, against the stated colluders; budget and colluders were fixed beforehand; regions and costs too, or "
    "under the adaptive rule chosen from public facts and earlier releases, so that every run stays within the budget"
)

CLAIMS = (
    Claim(
        "thm-checker-sound",
        "The checker is sound",
        "accounting",
        "this book",
        status="proved+checked",
        code=("fdpedu.derivation_checker.check_derivation",),
        checks=(
            Check(
                "small derivations",
                "exhaustive",
                "all rules on two codes, up to {size} premises at the root, coordinates named or inherited: accepted "
                "iff the rules hold on sets of records, and then no record pays more",
                derivations.small,
                derivations.small_trees,
                2,
                3,
            ),
            Check(
                "random derivations",
                "property",
                "{size} random trees of charges: accepted with what the worst record pays",
                derivations.accepted,
                lambda draw: draw.trees_of_charges(),
                60,
                1000,
            ),
            Check(
                "forgeries",
                "property",
                "{size} random derivations, changed and restated: refused, or no record pays more than is proved",
                derivations.forged,
                lambda draw: draw.forgeries(),
                120,
                2000,
            ),
            Check(
                "totals",
                "exact",
                "budget, guarantee, sums, releases and colluders that are off by little: refused",
                derivations.totals,
                lambda _: product(derivations.CHANGED_TOTALS),
            ),
            Check(
                "coordinates",
                "exhaustive",
                "two premises in a step, each naming any codes of two coordinates or none: accepted iff the rule holds "
                "on sets of records",
                limits.coordinates,
                lambda _: product(("parallel", "sequential"), limits.AROUND, limits.NAMED, limits.NAMED),
            ),
            Check(
                "limits",
                "exact",
                "depth, features, integers, digits and comparisons: at the limit accepted, beyond it refused",
                limits.limit,
                lambda _: product(limits.LIMITS),
            ),
            Check(
                "refused first",
                "exact",
                "regions nested too deeply, too many digits, too long a text, too many comparisons: the ledger refuses "
                "what the checker would, and charges nothing",
                limits.refused_first,
                lambda _: product(("nesting", "digits", "length", "comparisons")),
            ),
        ),
        assumptions=("neighbours: one record added or removed; pure DP", AXIOMS, "the list of releases is complete"),
        uses=("lem-filter",),
    ),
    Claim(
        "thm-manifest-complete",
        "With the manifest nothing is missing",
        "accounting",
        "this book",
        status="proved+checked",
        code=(
            "fdpedu.derivation_checker.check_derivation",
            "fdpedu.federation.federation.Federation.manifest",
        ),
        checks=(
            Check(
                "changes",
                "exhaustive",
                "federations of up to {size} rounds of one to three queries: accepted; and refused with any query or "
                "release left out, added, repeated, exchanged or altered, or with no more receivers than colluders",
                manifests.changed_is_refused,
                manifests.changes,
                2,
                3,
            ),
            Check(
                "grown trees",
                "property",
                "{size} random trees: complete by their manifest, incomplete without the last query",
                manifests.complete_tree,
                lambda draw: draw.tuples(draw.domains_with_parties(), draw.integers(0, 3), draw.integers(0, 99)),
                25,
                300,
            ),
        ),
        assumptions=("the manifest is complete: everything that crossed the transport stands in it",),
        uses=("thm-checker-sound",),
    ),
)
