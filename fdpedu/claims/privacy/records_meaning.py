"""Chapter 2, second part. What the definition means for groups, for a test, and for beliefs."""

from fdpedu.claims.privacy import laws_meaning as check
from fdpedu.claims.records import Check, Claim

COUNTABLE = "laws on a countable set of outcomes; the checks take finite ones with rational probabilities"
PACKAGE, NEIGHBOURS, TESTING = "fdpedu.privacy", "fdpedu.privacy.neighbours", "fdpedu.privacy.testing"
GRID = "all pairs of laws on three outcomes in steps of 1/{size}"

CLAIMS = (
    Claim(
        "thm-group-privacy",
        "Group privacy",
        "privacy",
        "this book; a standard fact",
        status="proved+checked",
        code=(PACKAGE, f"{NEIGHBOURS}.distance"),
        checks=(
            Check(
                "steps",
                "property",
                "{size} random triples of laws: ratios multiply, δ as stated",
                check.explore_steps,
                60,
                2000,
            ),
            Check(
                "attained",
                "exhaustive",
                "a noisy histogram, all pairs of data sets of at most {size} records out of two: exactly e^{{kε}}",
                check.check_group,
                3,
                4,
            ),
        ),
        assumptions=(COUNTABLE,),
        uses=("def-neighbours", "def-dp"),
    ),
    Claim(
        "lem-substitution",
        "A substitution is two steps",
        "privacy",
        "this book; a standard fact, with the exact case",
        status="proved+checked",
        code=(PACKAGE, f"{NEIGHBOURS}.distance"),
        checks=(
            Check(
                "pairs",
                "exhaustive",
                "all pairs of data sets of one size, at most {size} records out of two: distances, histogram, count",
                check.check_substitution,
                3,
                4,
            ),
        ),
        assumptions=(COUNTABLE,),
        uses=("thm-group-privacy",),
    ),
    Claim(
        "thm-hypothesis-test",
        "What it says about a test",
        "privacy",
        "this book; after Wasserman and Zhou; mends the sentence after the report's Definition 2",
        status="proved+checked",
        code=(PACKAGE, f"{TESTING}.roc"),
        checks=(
            Check("grid", "exhaustive", f"{GRID}, all tests without coins", check.check_tests, 3, 5),
            Check("random laws", "property", "{size} random pairs of laws, all tests", check.explore_tests, 60, 2000),
            Check(
                "attained",
                "exact",
                "a noisy count and randomised response, e^ε from 1 to {size} in halves: how often a test is right",
                check.check_attained,
                9,
                99,
            ),
        ),
        assumptions=(COUNTABLE,),
        uses=("def-dp", "thm-post-processing"),
    ),
    Claim(
        "thm-posterior",
        "What it says about beliefs",
        "privacy",
        "this book; after Dwork, McSherry, Nissim and Smith",
        status="proved+checked",
        code=(PACKAGE, f"{TESTING}.posterior"),
        checks=(
            Check("grid", "exhaustive", f"{GRID}, three priors, all outputs", check.check_beliefs, 4, 8),
            Check("random laws", "property", "{size} random pairs and priors", check.explore_beliefs, 60, 2000),
        ),
        assumptions=(COUNTABLE,),
        uses=("lem-atoms", "lem-convexity"),
    ),
    Claim(
        "wording-not-possible-as-printed",
        "Not possible to determine, as printed",
        "privacy",
        "report, after Definition 2; Vos et al., section II-B",
        status="refuted as stated",
        code=(f"{TESTING}.roc",),
        checks=(
            Check(
                "likelihood-ratio test",
                "exact",
                "randomised response with odd e^ε up to {size}: whether the best test at even odds only guesses",
                check.check_not_possible,
                3,
                9,
            ),
        ),
        assumptions=(COUNTABLE,),
        uses=("def-dp",),
        corrected_by="thm-hypothesis-test",
    ),
)
