"""The guarantee of Vos et al. against poisoning: right, and how loose; and the numbers that they print."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.poisoning.attacks import ADD_REMOVE, FORGER, MEAN, drawn, within
from fdpedu.claims.records import Check, Claim
from fdpedu.exact import exp_enclosure
from fdpedu.robust import attack_success_bound, poisoning_curve
from fdpedu.sources.vos import attack_success_bound_as_printed, poisoning_bound_as_printed, printed_guarantees
from fdpedu.sources.vos.guarantees import PrintedGuarantee

CLOSE = Fraction(1, 2**60)
EPSILONS = (Fraction(1, 10), Fraction(1), Fraction(3))
TWENTIETHS = tuple(Fraction(k, 20) for k in range(21))


def holds(right: int, wrong: int, epsilon: Fraction, rows: int) -> None:
    """A leaf's label keeps e^{−xε} of its mean, over all class counts within x rows; and one minus it as well."""
    clean = drawn((right, wrong), epsilon)
    least = poisoning_bound_as_printed(clean[0].upper, epsilon, rows)
    most = attack_success_bound_as_printed(clean[1].lower, epsilon, rows)
    for there in within((right, wrong), rows):
        kept, lost = drawn((there[0], there[1]), epsilon)
        require(kept.lower >= least - CLOSE, f"rows {there} leave {kept}, the bound is {float(least):.6f}")
        require(lost.upper <= most + CLOSE, f"rows {there} make it {lost}, the bound is {float(most):.6f}")


def attained(level: Fraction, epsilon: Fraction, rows: int) -> None:
    """The printed bound is e^{−xε}·A; it is the exact one if A·(1 + e^{−ε}) ≤ 1 or no row is forged, else smaller."""
    exact, found = poisoning_curve(level, epsilon, rows), poisoning_bound_as_printed(level, epsilon, rows)
    factor = exp_enclosure(-rows * epsilon, 60)
    require(factor.lower * level - CLOSE <= found <= factor.upper * level, f"{float(found)} is not e^(−xε)·A")
    alpha = exp_enclosure(-epsilon, 60)
    same = rows == 0 or level * (1 + alpha.upper) <= 1
    require(same == (abs(exact - found) <= CLOSE), f"printed {float(found):.9f}, exact {float(exact):.9f}")
    require(found <= exact + CLOSE, f"printed {float(found):.9f}, which is more than {float(exact):.9f}")
    pairs = attack_success_bound(1 - level, epsilon, rows), attack_success_bound_as_printed(1 - level, epsilon, rows)
    require(pairs == (1 - exact, 1 - found), f"the bounds of one minus it are {pairs}")


def each(number: PrintedGuarantee) -> None:
    """A printed guarantee is e^{−xε} times the printed accuracy, within the rounding of both; x of four fifths of n."""
    x = math.floor(number.share * (4 * number.n // 5))
    require(number.rows == x, f"there are {number.rows} forged rows, not {x}")
    factor, half = exp_enclosure(-x * number.epsilon, 40), Fraction(1, 2000 if number.table == 3 else 200)
    low, high = (number.accuracy - half) * factor.lower, (number.accuracy + half) * factor.upper
    near = low - half <= number.guarantee <= high + half
    require(near and number.agrees(), f"printed {float(number.guarantee)}, recomputed {float(low)} to {float(high)}")
    require(abs(number.recomputed() - number.accuracy * factor.lower) <= CLOSE, "it is recomputed in another way")
    require(x > 0 or number.guarantee == number.accuracy, "without a forged row the accuracy is guaranteed")


def in_all(numbers: int, nothing: int) -> None:
    """There are so many of them, so many of which allow no forged row."""
    found = printed_guarantees()
    require(len(found) == numbers, f"there are {len(found)}")
    empty = sum(math.floor(number.share * (4 * number.n // 5)) == 0 for number in found)
    require(empty == nothing, f"{empty} of them allow no forged row")


def _leaves(most: int) -> Any:
    return product(range(most + 1), range(most + 1), (Fraction(1, 3), Fraction(2)), range(4))


CLAIMS = (
    Claim(
        "vos-theorem-4-as-printed",
        status="proved+checked",
        code=(
            "fdpedu.sources.vos.guarantees.poisoning_bound_as_printed",
            "fdpedu.sources.vos.guarantees.attack_success_bound_as_printed",
        ),
        checks=(
            Check(
                "forged leaf",
                "exhaustive",
                "all leaves of up to {size} rows of two classes, ε = 1/3 and 2, up to three rows added or removed",
                holds,
                _leaves,
                4,
                12,
            ),
            Check(
                "attained",
                "exact",
                "levels in steps of 1/20, three ε, up to {size} rows: it is the exact bound iff A ≤ 1/(1 + e^(−ε))",
                attained,
                lambda most: product(TWENTIETHS, EPSILONS, range(most + 1)),
                3,
                12,
            ),
        ),
        assumptions=(ADD_REMOVE, FORGER, MEAN),
        uses=("def-dp", "thm-poisoning-curve"),
    ),
    Claim(
        "lem-printed-guarantees",
        status="proved+checked",
        code=(
            "fdpedu.sources.vos.guarantees",
            "fdpedu.sources.vos.guarantees.PrintedGuarantee.recomputed",
            "fdpedu.sources.vos.guarantees.PrintedGuarantee.agrees",
            "fdpedu.sources.vos.guarantees.printed_guarantees",
        ),
        checks=(
            Check(
                "each",
                "exact",
                "each number of Tables III and VIII that is legible: recomputed from its line",
                each,
                lambda _: ((number,) for number in printed_guarantees()),
            ),
            Check("in all", "exact", "how many there are, and without a forged row", in_all, lambda _: [(311, 8)]),
        ),
        assumptions=("numbers that our copy of the source has lost are left out", "ε is taken as it is printed"),
        uses=("vos-theorem-4-as-printed",),
    ),
)

TWINS = (
    Broken(
        "one factor for all forged rows",
        "fdpedu.sources.vos.guarantees.poisoning_bound_as_printed",
        "Enclosure.exactly(-rate * x)",
        "Enclosure.exactly(-rate)",
        "ε-DP bounds what one forger can do, however many rows she sends.",
        "vos-theorem-4-as-printed",
        "forged leaf",
    ),
    Broken(
        "a share of all rows",
        "fdpedu.sources.vos.guarantees.PrintedGuarantee.rows",
        "self.share * (4 * self.n // 5)",
        "self.share * self.n",
        "A share of the data is a share of all n rows.",
        "lem-printed-guarantees",
        "each",
    ),
)
