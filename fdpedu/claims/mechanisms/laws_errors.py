"""Checks of chapter 3: how much a private choice gives away, and what its labels cost the leaves of a tree."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from fdpedu.claims.checking import require
from fdpedu.claims.mechanisms.laws_selection import ALPHAS, Utilities, exact, listed, vectors
from fdpedu.claims.replay import intersects
from fdpedu.exact import Enclosure, exp_enclosure, log_enclosure
from fdpedu.mechanisms import (
    expected_error,
    exponential_pmf,
    leaf_error_constant,
    permute_and_flip_as_described,
    permute_and_flip_pmf,
)


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


def as_described(utilities: Utilities, alpha: Fraction) -> None:
    """The law that is described is that of permute-and-flip."""
    described, law = (
        permute_and_flip_as_described(utilities, alpha=alpha),
        exact(permute_and_flip_pmf, utilities, alpha),
    )
    other = "exponential" if described == exponential_pmf(utilities, alpha=alpha) else "neither"
    require(described == law, f"described {listed(described)} ({other}), permute-and-flip {listed(law)}")


def described_better(utilities: Utilities, alpha: Fraction) -> None:
    """Where utilities differ, what is described errs less than the exponential mechanism."""
    one = expected_error(permute_and_flip_as_described(utilities, alpha=alpha), utilities)
    other = expected_error(exponential_pmf(utilities, alpha=alpha), utilities)
    require(one < other, f"its expected error is {one}, that of the exponential mechanism {other}")


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
