"""How much utility a private choice gives away, and what its labels cost the leaves of a tree."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from fdpedu.claims.checking import as_case, require
from fdpedu.claims.mechanisms.words import PmfOf
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import bounds, intersects
from fdpedu.exact import Enclosure, exp_enclosure, log_enclosure
from fdpedu.mechanisms import expected_error, exponential_pmf, leaf_error_constant, permute_and_flip_pmf

Utilities = tuple[int, ...]
ALPHAS = (Fraction(1, 2), Fraction(1, 5), Fraction(9, 10))


def exact(pmf: PmfOf, utilities: Utilities, alpha: Fraction) -> list[Fraction]:
    """The law for a rational base, which is one of fractions."""
    return [bounds(mass)[0] for mass in pmf(utilities, alpha=alpha)]


def vectors(most: int, candidates: int) -> Iterator[Utilities]:
    """Integer utilities from 0 to ``most``, the least of them 0; fewest candidates and smallest gaps first."""
    for n in range(2, candidates + 1):
        for top in range(most + 1):
            yield from (u for u in product(range(top + 1), repeat=n) if min(u) == 0 and max(u) == top)


def small_utilities(most: int) -> Iterator[tuple[Utilities, Fraction]]:
    """All utilities of up to 4 candidates, and three α."""
    return product(vectors(most, 4), ALPHAS)


def dominates(utilities: Utilities, alpha: Fraction) -> None:
    """Permute-and-flip favours better candidates at least as much as the exponential mechanism does."""
    p, e = exact(permute_and_flip_pmf, utilities, alpha), exact(exponential_pmf, utilities, alpha)
    for r, s in product(range(len(p)), repeat=2):
        require(utilities[r] < utilities[s] or p[r] * e[s] >= p[s] * e[r], f"P/E is smaller at {r} than at {s}")
    for least in set(utilities):
        tails = [sum(law[r] for r, u in enumerate(utilities) if u <= least) for law in (p, e)]
        require(
            tails[0] <= tails[1], f"a utility of at most {least} has probability {tails[0]}, exponential {tails[1]}"
        )
    one, other = (expected_error(law, utilities) for law in (p, e))
    require(one < other or one == other == 0, f"the expected errors are {one} and {other}")
    require(bool(other) == (len(set(utilities)) > 1), f"the exponential mechanism's error is {other}")


def leaf_error(utilities: Utilities, alpha: Fraction, constant: Enclosure) -> None:
    """Expected error · ε is at most the constant, with ε = 2 ln(1/α)."""
    error = expected_error(permute_and_flip_pmf(utilities, alpha=alpha), utilities)
    scaled = -log_enclosure(alpha) * 2 * error
    require(scaled.lower <= constant.upper, f"expected error times ε is {scaled}, more than {constant}")


def leaves(most: int) -> Iterator[tuple[Utilities, Fraction, Enclosure]]:
    """Utilities of up to 4 candidates and gaps up to ``most``, four α, and the constant."""
    constants = {n: leaf_error_constant(n) for n in (2, 3, 4)}
    for utilities, alpha in product(vectors(most, 4), (*ALPHAS, Fraction(3, 4))):
        yield utilities, alpha, constants[len(utilities)]


def leaf_constant(classes: int, parts: int) -> None:
    """The constant is the maximum of its function, as far as a grid shows; 1/e for two classes."""
    constant, best = leaf_error_constant(classes), Fraction(0)
    for i in range(1, parts):
        p = Fraction(i, parts)
        here = -log_enclosure(p, 20) * 2 * (1 - (1 - (1 - p) ** classes) / (classes * p))
        require(here.lower <= constant.upper, f"at p = {p} the function is {here}, more than {constant}")
        best = max(best, here.upper)
    require(
        best >= constant.lower * Fraction(999, 1000),
        f"the constant is {constant}, the largest on the grid {float(best)}",
    )
    require(
        classes > 2 or intersects(constant, exp_enclosure(Fraction(-1))), f"for two classes it is {constant}, not 1/e"
    )


def leaf_attained(gap: int) -> None:
    """Two classes: with α = 1 − 1/gap the coin is near 1/e, and the bound nearly attained."""
    alpha, constant = 1 - Fraction(1, gap), leaf_error_constant(2)
    scaled = -log_enclosure(alpha) * 2 * expected_error(permute_and_flip_pmf((0, gap), alpha=alpha), (0, gap))
    require(
        intersects(scaled, Enclosure(constant.lower * Fraction(999, 1000), constant.upper)),
        f"{scaled} against {constant}",
    )


MONOTONE = "monotone: a record that is added moves all utilities in the same direction; add/remove is the relation"
VECTORS = "all integer utilities of up to 4 candidates and gaps up to {size}"

CLAIMS = (
    Claim(
        "lem-permute-and-flip-dominates",
        status="proved+checked",
        code=("fdpedu.mechanisms.selection.permute_and_flip_pmf",),
        checks=(
            Check("small utilities", "exhaustive", f"{VECTORS}, three α", dominates, small_utilities, 3, 6),
            Check(
                "random utilities",
                "property",
                "{size} random utilities of up to 6 candidates, random α",
                dominates,
                lambda draw: draw.tuples(draw.utilities, draw.alphas),
                60,
                2000,
            ),
        ),
        assumptions=("the same utilities, Δ and ε for both",),
        uses=("thm-permute-and-flip", "thm-exponential"),
    ),
    Claim(
        "lem-leaf-error",
        status="proved+checked",
        code=("fdpedu.mechanisms.selection.leaf_error_constant",),
        checks=(
            Check(
                "small counts",
                "exhaustive",
                f"{VECTORS}, four α: expected error times ε, enclosed, is at most the constant",
                leaf_error,
                leaves,
                3,
                8,
            ),
            Check(
                "constant",
                "exact",
                "K = 2 to 5: no p in steps of 1/{size} is above it, and one comes near; 1/e for two classes",
                leaf_constant,
                lambda parts: product(range(2, 6), [parts]),
                100,
                2000,
            ),
            Check(
                "attained",
                "exact",
                "two classes, gap {size}, α near e^(−1/gap): expected error times ε is above 0.999 of the constant",
                leaf_attained,
                as_case,
                50,
                500,
            ),
        ),
        assumptions=(
            MONOTONE,
            "each leaf is labelled by permute-and-flip on its class counts, with fresh coins; the average error is "
            "the expected loss of training accuracy",
            "the tree is public or paid for; its leaves are disjoint regions, so each has the whole of ε_leaf",
        ),
        uses=("thm-permute-and-flip",),
    ),
)

TWINS = (
    Broken(
        "a law without its own coin",
        "fdpedu.mechanisms.selection.permute_and_flip_pmf",
        "p * sum(parts[1:], parts[0])",
        "sum(parts[1:], parts[0])",
        "The coins of those before decide whether one's turn comes; then one is chosen.",
        "lem-permute-and-flip-dominates",
        "small utilities",
    ),
    Broken(
        "half of the constant",
        "fdpedu.mechanisms.selection.leaf_error_constant",
        "Enclosure(best, -cells[0][0])",
        "Enclosure(best / 2, -cells[0][0] / 2)",
        "Counts are monotone, so the constant for any utilities is the half of it.",
        "lem-leaf-error",
        "constant",
    ),
)
