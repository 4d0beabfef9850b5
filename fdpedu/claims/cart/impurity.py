"""Impurity: what it measures, how far one row moves it, and that a split never adds to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from fdpedu.cart import Candidate, ThresholdSplit, exact_scaled_half_gini, gini, half_gini, scaled_half_gini
from fdpedu.claims.checking import grid, require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.noisy_counts import all_tables
from fdpedu.claims.records import Check, Claim


def s(a: int, b: int) -> Fraction:
    """n·h of a node with a and b rows of two classes, from the shipped code."""
    return exact_scaled_half_gini((a, b))


def conventions(counts: Sequence[int]) -> None:
    """gini = 1 − Σp̂² = 2·half_gini, scaled = n·half_gini; an empty node has impurity 0."""
    n = sum(counts)
    h = (1 - sum(Fraction(c, n) ** 2 for c in counts)) / 2 if n else Fraction(0)
    require(exact_scaled_half_gini(counts) == n * h, f"n·h is {n * h}, not {exact_scaled_half_gini(counts)}")
    for function, value in ((half_gini, h), (gini, 2 * h), (scaled_half_gini, n * h)):
        got = float(function(counts))
        require(abs(got - float(value)) <= 1e-14 * (1 + n), f"{function.__name__} is {float(value)}, not {got}")


def least_squares(a: int, b: int) -> None:
    """The squared error of a constant c, less s(a,b), is n·(c − p̂)²: so p̂ is best, and s(a,b) is what is left."""
    p_hat = Fraction(b, a + b)
    for c in (p_hat, Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1)):
        error = a * c**2 + b * (1 - c) ** 2
        require(error - s(a, b) == (a + b) * (c - p_hat) ** 2, f"the squared error of {c} is {error}")


def least_squares_identity(a: int, b: int, u: int, v: int) -> None:
    """The same with c = u/v, and all times n·v²: then both sides are polynomials of degree 2 in each variable."""
    error = (a + b) * (a * u * u + b * (v - u) ** 2) - (a + b) * s(a, b) * v * v
    require(error == ((a + b) * u - b * v) ** 2, f"the squared error less s(a,b), times n·v², is {error}")


def increment(a: int, b: int) -> None:
    """s(a+1,b) − s(a,b) = b²/((a+b)(a+b+1)), in [0, n/(n+1)], with equality on the right iff a = 0."""
    n, step = a + b, s(a + 1, b) - s(a, b)
    require(step == Fraction(b * b, n * (n + 1)), f"n·h grows by {step}")
    require(0 <= step <= Fraction(n, n + 1) and (step == Fraction(n, n + 1)) == (a == 0), f"n·h grows by {step}")


def increment_identity(a: int, b: int) -> None:
    """The step times n(n+1) is b²; and n² − b² = a(a+2b), so it is n/(n+1) − a(a+2b)/(n(n+1)). Of degree 3 at most."""
    n = a + b
    step = n * (n + 1) * (s(a + 1, b) - s(a, b))
    require(step == b * b, f"the step times n(n+1) is {step}")
    require(n * n - b * b == a * (a + 2 * b), f"n² − b² is {n * n - b * b}")


def never_hurts(a1: int, b1: int, a2: int, b2: int) -> None:
    """The n·G that a split leaves is s(node) less a square over positive numbers; an empty side leaves s(node)."""
    split = Candidate(ThresholdSplit(0, 0.0), (a1, b1), (a2, b2))
    n1, n2, node = a1 + b1, a2 + b2, s(a1 + a2, b1 + b2)
    drop = Fraction((a1 * b2 - a2 * b1) ** 2, n1 * n2 * (n1 + n2)) if n1 and n2 else Fraction(0)
    require(node - split.impurity == drop, f"the node has n·h = {node}, the split leaves n·G = {split.impurity}")


def never_hurts_identity(a1: int, b1: int, a2: int, b2: int) -> None:
    """What s(node) loses, times n₁·n₂·n, is the square: both sides are of degree 4 at most in each variable."""
    n1, n2 = a1 + b1, a2 + b2
    drop = n1 * n2 * (n1 + n2) * (s(a1 + a2, b1 + b2) - s(a1, b1) - s(a2, b2))
    require(drop == (a1 * b2 - a2 * b1) ** 2, f"the drop times n₁·n₂·n is {drop}")


def nodes(most: int) -> Iterator[tuple[int, int]]:
    """All nodes of 1 to ``most`` rows of two classes."""
    return ((a, n - a) for n in range(1, most + 1) for a in range(n + 1))


CONVENTION = r"Gini: the report's $h=\hat p(1-\hat p)$ for two classes, half of scikit-learn's"
TWO_CLASSES = "two classes: $a$ rows of class 0 and $b$ of class 1"

CLAIMS = (
    Claim(
        "def-scaled-impurity",
        status="checked",  # a definition has no proof; the check holds the code to it
        code=("fdpedu.cart.impurity.scaled_half_gini",),
        checks=(
            Check(
                "conventions",
                "exhaustive",
                "all nodes of two or three classes with at most {size} rows of each: half_gini, gini, n·half_gini",
                conventions,
                lambda most: ((counts,) for classes in (2, 3) for counts in all_tables(classes, most)),
                8,
                20,
                more=lambda draw: draw.tuples(draw.nodes(99, 4)),
            ),
        ),
        assumptions=(CONVENTION,),
    ),
    Claim(
        "lem-least-squares",
        status="proved+checked",
        code=("fdpedu.cart.impurity.scaled_half_gini",),
        checks=(
            Check(
                "identity",
                "machine proof",
                "the identity, cleared of denominators, on a grid larger than its degrees",
                least_squares_identity,
                lambda _: grid(variables=4, degree=2),
            ),
            Check(
                "nodes",
                "exhaustive",
                "all nodes of at most {size} rows",
                least_squares,
                nodes,
                40,
                120,
                more=lambda draw: draw.nodes(60).filter(any),
            ),
        ),
        assumptions=(CONVENTION, TWO_CLASSES, r"the label $y_i \in \{0,1\}$ of a row is its class", "at least one row"),
        uses=("def-scaled-impurity",),
    ),
    Claim(
        "lem-increment",
        status="proved+checked",
        code=("fdpedu.cart.impurity.scaled_half_gini",),
        checks=(
            Check(
                "identity",
                "machine proof",
                "the identity, and n² − b² = a(a+2b), on a grid larger than their degrees",
                increment_identity,
                lambda _: grid(variables=2, degree=3),
            ),
            Check(
                "nodes",
                "exhaustive",
                "all nodes of at most {size} rows",
                increment,
                nodes,
                60,
                200,
                more=lambda draw: draw.nodes(200).filter(any),
            ),
        ),
        assumptions=(CONVENTION, TWO_CLASSES, "at least one row"),
        uses=("def-scaled-impurity",),
    ),
    Claim(
        "lem-split-never-hurts",
        status="proved+checked",
        code=("fdpedu.cart.split.Candidate", "fdpedu.cart.grid"),
        checks=(
            Check(
                "identity",
                "machine proof",
                "the identity times n₁·n₂·n, on a grid larger than its degrees",
                never_hurts_identity,
                lambda _: grid(variables=4, degree=4),
            ),
            Check(
                "splits",
                "exhaustive",
                "all splits with at most {size} rows of each class on each side, empty sides among them",
                never_hurts,
                lambda most: all_tables(4, most),
                7,
                14,
                more=lambda draw: draw.nodes(60, 4),
            ),
        ),
        assumptions=(CONVENTION, TWO_CLASSES),
        uses=("def-scaled-impurity",),
    ),
)

TWINS = (
    Broken(
        "the other Gini",
        "fdpedu.cart.impurity.scaled_half_gini",
        "(2 * np.where(n > 0, n, 1))",
        "np.where(n > 0, n, 1)",
        "Gini is Gini: a factor of 2 changes no split, so it changes no constant.",
        "def-scaled-impurity",
        "conventions",
    ),
    Broken(
        "sides unweighted",
        "fdpedu.cart.split.Candidate.impurity",
        "exact_scaled_half_gini(self.left) + exact_scaled_half_gini(self.right)",
        "sum(exact_scaled_half_gini(side) / max(1, sum(side)) for side in (self.left, self.right))",
        "The impurity of a split is the sum of the impurities of its sides.",
        "lem-split-never-hurts",
        "splits",
    ),
    Broken(
        "the mean squared error",
        "fdpedu.cart.impurity.exact_scaled_half_gini",
        "2 * n) if n",
        "2 * n * n) if n",
        "The impurity of a node is a mean over its rows, so its size does not matter.",
        "lem-least-squares",
        "identity",
    ),
    Broken(
        "divided by one row less",
        "fdpedu.cart.impurity.exact_scaled_half_gini",
        "2 * n) if n",
        "2 * (n - 1)) if n > 1",
        "A variance is a sum of squares over n − 1.",
        "lem-increment",
        "identity",
    ),
)
