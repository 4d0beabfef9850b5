"""How likely a leaf has the label of a class that is so many rows ahead, after noise on both counts."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.poisoning.attacks import ahead, beyond, drawn, reach
from fdpedu.claims.records import Check, Claim
from fdpedu.exact import Enclosure, Rate
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.robust.labels import gap_tail, label_drawn, label_of_counts, least_reach

CLOSE = Fraction(1, 2**80)
ONE = Fraction(1)


def two_noises(alpha: Fraction, most: int) -> None:
    """Sums over both shipped noises, up to a remainder, are the formula for Pr[Z > u] and its two roundings."""
    rate, terms, wide = Rate.of(alpha=alpha), 400, range(-400, 401)
    law = {j: _fraction(discrete_laplace_pmf(j, alpha=alpha)) for j in range(-terms - most - 1, terms + most + 2)}
    masses = [sum((law[j] * law[j + k] for j in wide), Fraction(0)) for k in range(most + 1)]
    rest = 2 * (most + 1) * alpha**terms
    for u in range(most + 1):
        stated = (1 - alpha) / (1 + alpha) ** 2 * alpha ** (u + 1) * (u + (2 + alpha + alpha**2) / (1 - alpha**2))
        exact = (1 - masses[0]) / 2 - sum(masses[1 : u + 1])
        require(abs(stated - exact) <= rest, f"Pr[Z > {u}] is {float(exact)}, by the formula {float(stated)}")
        ends = gap_tail(rate, u, up=False), gap_tail(rate, u, up=True)
        require(ends[0] <= stated <= ends[1], f"Pr[Z > {u}] is {float(stated)}, rounded {list(map(float, ends))}")
        require(ends[1] - ends[0] <= CLOSE, f"rounding is coarse: {float(ends[1] - ends[0])}")


def _fraction(value: Fraction | Enclosure) -> Fraction:
    return value if isinstance(value, Fraction) else value.lower


def labelled(epsilon: Fraction, lead: int, u: int) -> None:
    """For a rational ε: tails rounded to their sides, labels of both classes never too likely, rising with the lead."""
    rate, exact = Rate(rate=epsilon), beyond(epsilon, u)
    ends = gap_tail(rate, u, up=False), gap_tail(rate, u, up=True)
    sound = ends[0] <= exact.upper and exact.lower <= ends[1] and ends[1] - ends[0] <= CLOSE
    require(sound, f"Pr[Z > {u}] is {exact}, rounded {list(map(float, ends))}")
    for first in (True, False):
        kept, stated = label_of_counts(rate, first=first), ahead(epsilon, lead, first)
        require(stated.lower - CLOSE <= kept(lead) <= stated.upper, f"{float(kept(lead))} is stated, it is {stated}")
        require(kept(lead) <= kept(lead + 1) + CLOSE, f"a row more makes {float(kept(lead))} less")
    both = label_of_counts(rate, first=True)(lead) + label_of_counts(rate, first=False)(-lead)
    require(1 - CLOSE <= both <= 1, f"the two classes have together {float(both)}")
    chosen, exact = label_drawn(rate)(lead), drawn((max(lead, 0), max(-lead, 0)), epsilon)[0]
    require(exact.lower - CLOSE <= chosen <= exact.upper, f"{float(chosen)} is stated of a drawn label, it is {exact}")


def reached(epsilon: Fraction, miss: Fraction) -> None:
    """The least u that the difference exceeds with no more than this probability."""
    found, expected = least_reach(Rate(rate=epsilon), miss), reach(epsilon, miss)
    require(found == expected, f"it says {found}, and the least is {expected}")


CLAIMS = (
    Claim(
        "lem-gap-law",
        status="proved+checked",
        code=(
            "fdpedu.robust.labels",
            "fdpedu.robust.labels.gap_tail",
            "fdpedu.robust.labels.label_of_counts",
            "fdpedu.robust.labels.least_reach",
        ),
        checks=(
            Check(
                "two noises",
                "exact",
                "three α, u up to {size}: sums over both shipped noises, up to 400 terms, against the formula",
                two_noises,
                lambda most: product((Fraction(1, 4), Fraction(1, 2), Fraction(4, 5)), (most,)),
                3,
                12,
            ),
            Check(
                "labels",
                "property",
                "{size} random ε, leads and u: tails and labels never on the wrong side, ties to the first class",
                labelled,
                lambda draw: draw.tuples(
                    draw.st.fractions(Fraction(1, 20), 3, max_denominator=20),
                    draw.integers(-30, 30),
                    draw.integers(0, 40),
                ),
                30,
                3000,
            ),
            Check(
                "far tails",
                "exact",
                "three ε, tails and leads up to {size}, where a probability is less than one unit: the same",
                labelled,
                lambda most: product(
                    (Fraction(1, 2), Fraction(39, 20), Fraction(3)), (-most, -most // 2, most), (most // 3, most)
                ),
                200,
                2000,
            ),
            Check(
                "reach",
                "exact",
                "three ε, probabilities from 1/{size} to one half: the least u",
                reached,
                lambda most: product(
                    (Fraction(1, 5), ONE, Fraction(3)), (Fraction(1, k) for k in (2, 3, 7, 20, 101, most))
                ),
                1000,
                100_000,
            ),
        ),
        assumptions=("two classes", "discrete Laplace noise of one rate on both counts", "rounded to the safe side"),
        uses=(),
    ),
)

TWINS = (
    Broken(
        "a tie for the wrong class",
        "fdpedu.robust.labels.label_of_counts",
        "ahead = lead + first",
        "ahead = lead + (not first)",
        "In a tie the class that is called 1 wins.",
        "lem-gap-law",
        "labels",
    ),
)
