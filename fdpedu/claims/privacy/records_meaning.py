"""Chapter 2, second part. What the definition means for groups, for a test, and for beliefs."""

from fractions import Fraction
from itertools import product

from fdpedu.claims.privacy import laws_meaning as law
from fdpedu.claims.privacy.laws import FACTORS, pairs_of_laws
from fdpedu.claims.records import Check, Claim
from fdpedu.privacy import datasets

COUNTABLE = "laws on a countable set of outcomes; the checks take finite ones with rational probabilities"
PACKAGE, NEIGHBOURS, TESTING = "fdpedu.privacy", "fdpedu.privacy.neighbours", "fdpedu.privacy.hypothesis_tests"
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
                law.steps,
                lambda draw: draw.tuples(*[draw.laws] * 3, draw.exp_epsilons),
                60,
                2000,
            ),
            Check(
                "attained",
                "exhaustive",
                "a noisy histogram, all pairs of data sets of at most {size} records out of two: exactly e^{{kε}}",
                law.group,
                lambda most: product(datasets("ab", most), repeat=2),
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
                law.substitution,
                lambda most: ((a, b) for a, b in product(datasets("ab", most), repeat=2) if len(a) == len(b)),
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
            Check(
                "grid",
                "exhaustive",
                f"{GRID}, all tests without coins",
                law.tests,
                lambda parts: pairs_of_laws(parts, FACTORS, (Fraction(0), Fraction(1, 7))),
                3,
                5,
            ),
            Check(
                "random laws",
                "property",
                "{size} random pairs of laws, all tests",
                law.tests,
                lambda draw: draw.tuples(draw.laws, draw.laws, draw.exp_epsilons, draw.deltas),
                60,
                2000,
            ),
            Check(
                "attained",
                "exact",
                "a noisy count and randomised response, e^ε from 1 to {size} in halves: how often a test is right",
                law.attained,
                lambda most: ((Fraction(i, 2),) for i in range(2, 2 * most + 1)),
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
            Check(
                "grid",
                "exhaustive",
                f"{GRID}, three priors, all outputs",
                law.beliefs,
                lambda parts: pairs_of_laws(parts, [Fraction(i, 4) for i in (1, 2, 3)]),
                4,
                8,
            ),
            Check(
                "random laws",
                "property",
                "{size} random pairs and priors",
                law.beliefs,
                lambda draw: draw.tuples(draw.laws, draw.laws, draw.shares),
                60,
                2000,
            ),
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
                law.not_possible,
                lambda most: ((Fraction(i),) for i in range(1, most + 1, 2)),
                3,
                9,
            ),
        ),
        assumptions=(COUNTABLE,),
        uses=("def-dp",),
        corrected_by="thm-hypothesis-test",
    ),
)
