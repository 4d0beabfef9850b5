"""Chapter 2. What ε-differential privacy says: neighbours, laws and events; what it means follows beside it."""

from fdpedu.claims.privacy import laws as check
from fdpedu.claims.privacy.records_meaning import COUNTABLE, GRID, NEIGHBOURS
from fdpedu.claims.records import Check, Claim

ONE_ORDER = r"$p$ against $q$; a guarantee asks for both orders"
PACKAGE, DIVERGENCE, LAWS = "fdpedu.privacy", "fdpedu.privacy.divergence", "fdpedu.privacy.laws"

CLAIMS = (
    Claim(
        "def-neighbours",
        "Neighbours",
        "privacy",
        "report, Definition 1; the relation is named",
        status="checked",  # a definition has no proof; the check holds the code to it
        code=(PACKAGE, f"{NEIGHBOURS}.neighbours", f"{NEIGHBOURS}.distance"),
        checks=(
            Check(
                "distance 1",
                "exhaustive",
                "all data sets of at most {size} records out of three: neighbours are those at distance 1",
                check.check_neighbours,
                3,
                5,
            ),
        ),
        assumptions=("data sets are multisets of records", "where no relation is named, add/remove is meant"),
    ),
    Claim(
        "def-sensitivity",
        "Sensitivity",
        "privacy",
        "report, Definition 3; with a supremum for its maximum",
        status="checked",
        code=(PACKAGE, f"{NEIGHBOURS}.sensitivity"),
        checks=(
            Check(
                "stated constants",
                "exhaustive",
                "ten queries with a known constant, on all data sets of at most {size} records out of three",
                check.check_sensitivity,
                2,
                5,
            ),
        ),
        assumptions=("a search up to some size gives a lower bound; the constants are reached at small sizes",),
        uses=("def-neighbours",),
    ),
    Claim(
        "def-dp",
        "Differential privacy",
        "privacy",
        "report, Definition 2; Vos et al., Definition 1",
        status="checked",
        code=(PACKAGE, f"{DIVERGENCE}.check_dp", f"{DIVERGENCE}.check_mechanism"),
        checks=(
            Check("grid", "exhaustive", f"{GRID}, all events", check.check_definition, 3, 5),
            Check(
                "random laws",
                "property",
                "{size} random pairs of laws, all events: answer, event, excess",
                check.explore_definition,
                60,
                2000,
            ),
            Check(
                "claims in ε",
                "property",
                "{size} random pairs of laws: e^ε by enclosures agrees with the privacy loss",
                check.explore_in_epsilon,
                60,
                2000,
            ),
            Check(
                "close calls",
                "exact",
                "laws with a ratio of e ± 10⁻¹⁰, 10⁻²⁰, … down to {size} digits: ε = 1 is refused above, granted below",
                check.check_close_calls,
                60,
                300,
            ),
            Check(
                "twins",
                "exact",
                "ten mechanisms on small domains hold; their broken twins are refuted, first on the stated pair",
                check.check_twins,
            ),
        ),
        assumptions=(COUNTABLE,),
        uses=("def-neighbours",),
    ),
    Claim(
        "lem-atoms",
        "For a ratio, atoms are enough",
        "privacy",
        "this book",
        status="proved+checked",
        code=(PACKAGE, f"{DIVERGENCE}.max_ratio"),
        checks=(
            Check("grid", "exhaustive", f"{GRID}, all events", check.check_atoms, 4, 8),
            Check("random laws", "property", "{size} random pairs, all events", check.explore_atoms, 60, 2000),
        ),
        assumptions=(COUNTABLE, ONE_ORDER),
        uses=("def-dp",),
    ),
    Claim(
        "lem-hockey-stick",
        "The least δ",
        "privacy",
        "this book; after Barthe and Olmedo",
        status="proved+checked",
        code=(PACKAGE, f"{DIVERGENCE}.hockey_stick"),
        checks=(
            Check("grid", "exhaustive", f"{GRID}, three e^ε, all events", check.check_least_delta, 4, 8),
            Check("random laws", "property", "{size} random pairs, all events", check.explore_least_delta, 60, 2000),
        ),
        assumptions=(COUNTABLE, ONE_ORDER),
        uses=("def-dp",),
    ),
    Claim(
        "thm-post-processing",
        "Post-processing",
        "privacy",
        "report, Theorem 3",
        status="proved+checked",
        code=(PACKAGE, f"{LAWS}.push_forward"),
        checks=(
            Check("functions", "exhaustive", f"{GRID}, all functions of them", check.check_processed, 2, 4),
            Check("channels", "property", "{size} random laws and channels", check.explore_processed, 60, 2000),
        ),
        assumptions=(COUNTABLE, "the coins of $f$ are independent of those of the mechanism"),
        uses=("lem-hockey-stick",),
    ),
    Claim(
        "lem-convexity",
        "Mixtures",
        "privacy",
        "this book",
        status="proved+checked",
        code=(PACKAGE, f"{LAWS}.mix"),
        checks=(
            Check(
                "two laws",
                "property",
                "{size} random mixtures, whose index is not shown",
                check.explore_convexity,
                60,
                2000,
            ),
        ),
        assumptions=(COUNTABLE,),
        uses=("lem-hockey-stick",),
    ),
)
