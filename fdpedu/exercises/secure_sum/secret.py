"""An exercise to implement: a secret from its shares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, product

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer


@cache
def dealt() -> Sequence[Case]:
    """All polynomials mod 5 of degree up to 2, and mod 7 of degree up to 1, at all places; fewest shares first."""
    found: list[Case] = []
    for t, prime in ((1, 5), (1, 7), (2, 5), (2, 7), (3, 5)):
        for places, coefficients in product(combinations(range(1, prime), t), product(range(prime), repeat=t)):
            found.append(([(x, _at(x, coefficients, prime)) for x in places], prime))
    return tuple(found)


def _at(x: int, coefficients: Sequence[int], prime: int) -> int:
    return sum(c * x**i for i, c in enumerate(coefficients)) % prime


def recover(shares: Sequence[tuple[int, int]], prime: int) -> int:
    """Lagrange's formula at 0: each share times the product of z/(z − x) over the other places z."""
    total = 0
    for x, y in shares:
        for z, _ in shares:
            if z != x:
                y = y * z * pow(z - x, -1, prime) % prime
        total += y
    return total % prime


def _lagrange(shares: Sequence[tuple[int, int]], prime: int, factor: Callable[[int, int], int]) -> int:
    total = 0
    for x, y in shares:
        for z, _ in shares:
            if z != x:
                y *= factor(x, z)
        total += y
    return total % prime


SECRET = Exercise(
    id="secure-recover",
    kind="implement",
    hint="Take the polynomial that is 1 at x and 0 at the other places. At 0 its value is Π z/(z − x), over the other "
    "places z (Lagrange's formula).",
    domain="all polynomials mod 5 of degree up to 2 and mod 7 of degree up to 1, at all places; fewest shares first",
    cases=dealt,
    size=lambda shares, prime: len(shares),
    reference=recover,
    read=integer,
    explanation=(
        "The polynomial is the sum of y times the one that is 1 at x and 0 at the other places. Evaluate each at 0, "
        "with division mod p.\n"
        "That sum has degree at most t − 1, and only one such polynomial goes through t points."
    ),
    wrong=(
        Misconception(
            "adds the shares",
            lambda shares, prime: sum(y for _, y in shares) % prime,
            "Additive shares add up to their secret. Shamir's are values of a polynomial, and each has its own weight.",
        ),
        Misconception(
            "divides integers",
            lambda shares, prime: _lagrange(shares, prime, lambda x, z: z // (z - x)),
            "`//` rounds. Mod p one divides by multiplying with the inverse.",
        ),
        Misconception(
            "has a sign wrong",
            lambda shares, prime: _lagrange(shares, prime, lambda x, z: z * pow(x - z, -1, prime)),
            "The factor is z/(z − x): with x − z below, the sign is wrong for every other place.",
        ),
        Misconception(
            "forgets to divide",
            lambda shares, prime: _lagrange(shares, prime, lambda x, z: z),
            "The polynomial must be 1 at its own place: divide by z − x.",
        ),
        Misconception(
            "evaluates at 1",
            lambda shares, prime: _lagrange(shares, prime, lambda x, z: (z - 1) * pow(z - x, -1, prime)),
            "That is the value at 1. The secret is the value at 0.",
        ),
    ),
)
