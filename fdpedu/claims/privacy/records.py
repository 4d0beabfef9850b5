"""Chapter 2. What ε-differential privacy says: neighbours, laws and events; what it means follows beside it."""

from fractions import Fraction
from itertools import product

from fdpedu.claims.privacy import laws as law
from fdpedu.claims.privacy.records_meaning import COUNTABLE, GRID, NEIGHBOURS
from fdpedu.claims.privacy.small import TWINS
from fdpedu.claims.records import Check, Claim
from fdpedu.privacy import datasets

DELTAS = (Fraction(0), Fraction(1, 7), Fraction(1, 2))
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
                law.neighbours_of,
                lambda most: product(datasets("abc", most), ("abc",), ("add-remove", "substitution")),
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
                law.stated_sensitivity,
                lambda most: ((*stated, most) for stated in law.SENSITIVITIES),
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
            Check(
                "grid",
                "exhaustive",
                f"{GRID}, all events",
                law.definition,
                lambda parts: law.pairs_of_laws(parts, law.FACTORS, DELTAS),
                3,
                5,
            ),
            Check(
                "random laws",
                "property",
                "{size} random pairs of laws, all events: answer, event, excess",
                law.definition,
                lambda draw: draw.tuples(draw.laws, draw.laws, draw.exp_epsilons, draw.deltas),
                60,
                2000,
            ),
            Check(
                "claims in ε",
                "property",
                "{size} random pairs of laws: e^ε by enclosures agrees with the privacy loss",
                law.in_epsilon,
                lambda draw: draw.tuples(draw.laws, draw.laws, draw.epsilons),
                60,
                2000,
            ),
            Check(
                "close calls",
                "exact",
                "laws with a ratio of e ± 10⁻¹⁰, 10⁻²⁰, … down to {size} digits: ε = 1 is refused above, granted below",
                law.close_call,
                lambda digits: ((k,) for k in range(10, digits + 1, 10)),
                60,
                300,
            ),
            Check(
                "twins",
                "exact",
                "ten mechanisms on small domains hold; their broken twins are refuted, first on the stated pair",
                law.told_apart,
                lambda _: ((twins,) for twins in TWINS),
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
            Check("grid", "exhaustive", f"{GRID}, all events", law.atoms, law.pairs_of_laws, 4, 8),
            Check(
                "random laws",
                "property",
                "{size} random pairs, all events",
                law.atoms,
                lambda draw: draw.tuples(draw.laws, draw.laws),
                60,
                2000,
            ),
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
            Check(
                "grid",
                "exhaustive",
                f"{GRID}, three e^ε, all events",
                law.least_delta,
                lambda parts: law.pairs_of_laws(parts, law.FACTORS),
                4,
                8,
            ),
            Check(
                "random laws",
                "property",
                "{size} random pairs, all events",
                law.least_delta,
                lambda draw: draw.tuples(draw.laws, draw.laws, draw.exp_epsilons),
                60,
                2000,
            ),
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
            Check(
                "functions",
                "exhaustive",
                f"{GRID}, all functions of them",
                law.processed,
                lambda parts: law.pairs_of_laws(parts, law.functions()),
                2,
                4,
            ),
            Check(
                "channels",
                "property",
                "{size} random laws and channels",
                law.processed,
                lambda draw: draw.tuples(draw.laws, draw.laws, draw.channels),
                60,
                2000,
            ),
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
                law.convexity,
                lambda draw: draw.tuples(*[draw.laws] * 4, draw.shares, draw.exp_epsilons),
                60,
                2000,
            ),
        ),
        assumptions=(COUNTABLE,),
        uses=("lem-hockey-stick",),
    ),
)
