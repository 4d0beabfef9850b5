"""What keeps the promise of ε-differential privacy: processing of outputs, and mixtures."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.privacy.definition import COUNTABLE, FACTORS, GRID, pairs_of_laws
from fdpedu.claims.records import Check, Claim
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.privacy import Law, as_law, clamped, hockey_stick, max_ratio, mix, push_forward


def processed(p: Law, q: Law, channel: Sequence[Law]) -> None:
    """What is made of two laws by one channel is no further apart, for every e^ε; nor are ratios larger."""
    one, other = push_forward(p, lambda k: channel[k]), push_forward(q, lambda k: channel[k])
    for factor in FACTORS:
        after, before = hockey_stick(one, other, factor), hockey_stick(p, q, factor)
        require(after <= before, f"at e^ε = {factor}, δ grows from {before} to {after}")
    require(max_ratio(one, other) <= max_ratio(p, q), "the largest ratio grows")


def clamped_counts(alpha: Fraction, count: int, low: int, high: int) -> None:
    """A noisy count that is cut off with its tails kept: a distribution, and within 1/alpha of its neighbour's."""
    pair = [
        clamped(lambda k, n=n: discrete_laplace_pmf(k - n, alpha=alpha), low, high, centre=n)
        for n in (count, count + 1)
    ]
    one, other = (as_law(table, "what clamped returns") for table in pair)
    worst = max(max_ratio(one, other), max_ratio(other, one))
    require(worst <= 1 / alpha, f"cut off at {low} and {high}, counts {count} and {count + 1} have the ratio {worst}")


def convexity(p: Law, q: Law, r: Law, s: Law, weight: Fraction, factor: Fraction) -> None:
    """The δ of a mixture is at most the mixture of the δ."""
    one, other = (mix([weight, 1 - weight], pair) for pair in ((p, r), (q, s)))
    bound = weight * hockey_stick(p, q, factor) + (1 - weight) * hockey_stick(r, s, factor)
    require(hockey_stick(one, other, factor) <= bound, f"δ is {hockey_stick(one, other, factor)}, more than {bound}")


def functions() -> list[tuple[Law, ...]]:
    """All functions of the outcomes 0, 1, 2 to themselves, as channels."""
    return [tuple({k: Fraction(1)} for k in image) for image in product(range(3), repeat=3)]


CLAIMS = (
    Claim(
        "thm-post-processing",
        status="proved+checked",
        code=("fdpedu.privacy", "fdpedu.privacy.laws.push_forward", "fdpedu.privacy.enclosed.clamped"),
        checks=(
            Check(
                "functions",
                "exhaustive",
                f"{GRID}, all functions of them",
                processed,
                lambda parts: pairs_of_laws(parts, functions()),
                2,
                4,
            ),
            Check(
                "channels",
                "property",
                "{size} random distributions and channels",
                processed,
                lambda draw: draw.tuples(draw.laws, draw.laws, draw.channels),
                60,
                2000,
            ),
            Check(
                "cut off, tails kept",
                "exhaustive",
                "noisy counts up to {size} at three α, cut off at all pairs of end points up to there",
                clamped_counts,
                lambda most: (
                    (alpha, count, low, high)
                    for alpha in (Fraction(1, 2), Fraction(1, 3), Fraction(4, 5))
                    for count in range(most)
                    for low, high in combinations(range(most + 1), 2)
                ),
                4,
                8,
                more=lambda draw: draw.tuples(
                    draw.alphas, draw.integers(-9, 9), draw.integers(-9, 0), draw.integers(1, 9)
                ),
            ),
        ),
        assumptions=(COUNTABLE, "the coins of $f$ are independent of those of the mechanism"),
        uses=("lem-hockey-stick",),
    ),
    Claim(
        "lem-convexity",
        status="proved+checked",
        code=("fdpedu.privacy", "fdpedu.privacy.laws.mix"),
        checks=(
            Check(
                "two laws",
                "property",
                "{size} random mixtures, whose index is not shown",
                convexity,
                lambda draw: draw.tuples(*[draw.laws] * 4, draw.shares, draw.exp_epsilons),
                60,
                2000,
            ),
        ),
        assumptions=(COUNTABLE,),
        uses=("lem-hockey-stick",),
    ),
)

TWINS = (
    Broken(
        "tails left out",
        "fdpedu.privacy.enclosed.clamped",
        "kept = {first: tail.up_to(first), **inner, last: tail.up_to(tail.twice - last)}",
        "kept = {k: tail.at(k) / Enclosure.sum(map(tail.at, range(first, last + 1))) for k in range(first, last + 1)}",
        "What lies outside is so little that one may leave it out and divide by the rest.",
        "thm-post-processing",
        "cut off, tails kept",
    ),
    Broken(
        "merged outcomes seen once",
        "fdpedu.privacy.laws.push_forward",
        "result.get(output, Fraction(0)) + mass * probability",
        "mass * probability",
        "Each outcome is made into one, so no two meet.",
        "thm-post-processing",
        "functions",
    ),
    Broken(
        "weights forgotten",
        "fdpedu.privacy.laws.mix",
        'as_law(shares, "weights")',
        "dict.fromkeys(shares, Fraction(1, len(shares)))",
        "A mixture is an average.",
        "lem-convexity",
        "two laws",
    ),
)
