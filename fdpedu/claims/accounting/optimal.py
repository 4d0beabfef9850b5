"""k pure releases together for a small δ, against coins that are convolved in fractions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from fdpedu.accounting import compose_optimal, optimal_delta
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.privacy.small import geometric
from fdpedu.claims.records import Check, Claim
from fdpedu.exact import log_enclosure
from fdpedu.privacy import Law, hockey_stick, max_ratio, product_law

Sums = dict[int, Fraction]
CLOSE = Fraction(1, 10**20)  # how far apart the two answers may be, on either side of the exact one


def tosses(factor: Fraction, k: int) -> tuple[Sums, Sums]:
    """The laws of the number of tosses that say yes, of k coins (e^ε, 1)/(1 + e^ε) and (1, e^ε)/(1 + e^ε)."""
    found = []
    for yes in (factor / (1 + factor), 1 / (1 + factor)):
        law: Sums = {0: Fraction(1)}
        for _ in range(k):
            law = {
                n: law.get(n, Fraction(0)) * (1 - yes) + law.get(n - 1, Fraction(0)) * yes for n in range(len(law) + 1)
            }
        found.append(law)
    return found[0], found[1]


def coins(factor: Fraction, k: int, allowed: Fraction) -> None:
    """The exact δ of k coins at e^ε' = ``allowed`` lies in the enclosure; and ε' lies in that of the inverse."""
    exact = hockey_stick(*tosses(factor, k), allowed)
    each, target = log_enclosure(factor, 60), log_enclosure(allowed, 60)
    low = optimal_delta(each.lower, k, max(Fraction(0), target.upper)).lower
    high = optimal_delta(each.upper, k, max(Fraction(0), target.lower)).upper
    require(low <= exact <= high, f"δ is {float(exact)}, the library says {float(low)} to {float(high)}")
    require(high - low < CLOSE, f"the library's δ is known up to {float(high - low)} only")
    if 0 < exact < 1 and allowed > 1:
        below = compose_optimal(each.lower, k, exact).lower
        above = compose_optimal(each.upper, k, exact).upper
        require(
            below <= target.upper and target.lower <= above,
            f"ε' is {float(target)}, not {float(below)} to {float(above)}",
        )
        require(above - below < CLOSE * 10**5, f"the library's ε' is known up to {float(above - below)} only")
    require(compose_optimal(each.upper, k, 0).upper == k * each.upper, "for δ = 0 it is not the sum")


def numbers_of_coins(most: int) -> Iterator[tuple[Fraction, int, Fraction]]:
    """One to so many coins, three factors e^ε, and some e^ε' below, among and above the ratios that they reach."""
    for k in range(1, most + 1):
        for factor in (Fraction(11, 10), Fraction(3, 2), Fraction(3)):
            others = {Fraction(1), Fraction(5, 4), Fraction(4), *(factor**j for j in range(0, k + 1, 2))}
            yield from ((factor, k, allowed) for allowed in sorted(others))


def counts(factor: Fraction, k: int, allowed: Fraction) -> None:
    """k noisy counts, of one record and of none, have the δ of k coins, both ways round."""
    laws: list[Law] = [product_law(*[geometric(n, 1 / factor, -1, 2)] * k) for n in (0, 1)]
    exact = hockey_stick(*tosses(factor, k), allowed)
    for p, q in (laws, laws[::-1]):
        require(hockey_stick(p, q, allowed) == exact, f"δ of the counts is {hockey_stick(p, q, allowed)}, not {exact}")


def dominated(p: Law, q: Law, afterwards: list[tuple[Law, Law]], allowed: Fraction) -> None:
    """A pair of laws, and after each outcome another one: no more δ than two coins with the largest factor."""
    factor = max(Fraction(max(max_ratio(a, b), max_ratio(b, a))) for a, b in ((p, q), *afterwards))
    joint = [{(y, z): mass * m for y, mass in (p, q)[i].items() for z, m in afterwards[y][i].items()} for i in (0, 1)]
    found, bound = hockey_stick(joint[0], joint[1], allowed), hockey_stick(*tosses(factor, 2), allowed)
    require(found <= bound, f"δ is {found}, that of two coins with the factor {factor} is {bound}")


def points(*values: object) -> list[Fraction]:
    """The values as fractions."""
    return [Fraction(str(value)) for value in values]


RELATION = "any neighbour relation; the guarantee is for the same one"
ENCLOSED = "answers are enclosures, in exact arithmetic"

CLAIMS = (
    Claim(
        "thm-optimal-composition",
        status="proved+checked",
        code=("fdpedu.accounting.composition.compose_optimal", "fdpedu.accounting.composition.optimal_delta"),
        checks=(
            Check(
                "coins",
                "exact",
                "up to {size} coins with rational e^ε, convolved in fractions: δ and its inverse lie in the enclosures",
                coins,
                numbers_of_coins,
                6,
                14,
            ),
            Check(
                "noisy counts",
                "exact",
                "up to {size} noisy counts: their joint distribution has the same δ as the coins, as fractions",
                counts,
                lambda most: product(points("3/2", 3), range(1, most + 1), points(1, 2, 4, 9)),
                3,
                4,
            ),
            Check(
                "nothing is worse",
                "property",
                "{size} random adaptive pairs of distributions within a factor: never more δ than the coins",
                dominated,
                lambda draw: draw.tuples(*[draw.positive_laws] * 2, draw.three_pairs_of_laws, draw.exp_epsilons),
                60,
                1000,
            ),
        ),
        assumptions=(RELATION, r"budgets fixed beforehand, mechanisms adaptive", ENCLOSED),
        uses=("lem-hockey-stick", "thm-post-processing"),
    ),
)

TWINS = (
    Broken(
        "a toss is worth ε",
        "fdpedu.accounting.composition._losses",
        "2 * epsilon, scale",
        "epsilon, scale",
        "One toss more against P moves the loss by ε.",
        "thm-optimal-composition",
        "coins",
    ),
)
