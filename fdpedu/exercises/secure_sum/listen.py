"""An exercise to implement: what somebody learns who listens to a toy exchange of keys."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import integer

GENERATED = ((5, 2), (7, 3), (11, 2), (13, 2))  # a prime, and a number whose powers are all residues but 0


@cache
def exchanges() -> Sequence[Case]:
    """All pairs of public numbers, smallest prime first."""
    return tuple((p, g, one, other) for p, g in GENERATED for one in range(1, p) for other in range(1, p))


def listen(prime: int, generator: int, one: int, other: int) -> int:
    """Try all secrets until one gives the first public number; then do what its owner does."""
    for secret in range(1, prime):
        if pow(generator, secret, prime) == one:
            return pow(other, secret, prime)
    raise ValueError("no secret gives this public number")


def _secret(prime: int, generator: int, public: int) -> int:
    return next(secret for secret in range(1, prime) if pow(generator, secret, prime) == public)


LISTEN = Exercise(
    id="secure-listen",
    kind="implement",
    hint="The prime is small, so all secrets can be tried. Which a gives `one`?",
    domain="all public numbers for p = 5, 7, 11 and 13, smallest prime first",
    cases=exchanges,
    size=lambda prime, generator, one, other: prime,
    reference=listen,
    read=integer,
    explanation=(
        "There are p − 1 secrets at most, so all of them can be tried. Whoever has found a secret does what its "
        "owner does, and raises the other public number to it.\n"
        "On the curve of X25519 there are about 2^252 secrets, and no known method needs far fewer than 2^126 steps."
    ),
    wrong=(
        Misconception(
            "multiplies the public numbers",
            lambda prime, generator, one, other: one * other % prime,
            "The product is g^(a+b). What they have agreed on is g^(ab), and for a large prime nobody is "
            "known to compute it from what was sent.",
        ),
        Misconception(
            "raises one public number to the other",
            lambda prime, generator, one, other: pow(one, other, prime),
            "The exponent has to be the secret, not the public number.",
        ),
        Misconception(
            "gives a secret",
            lambda prime, generator, one, other: _secret(prime, generator, one),
            "That is the secret of the first party. Do with it what the first party does: raise the other's public "
            "number to it.",
        ),
        Misconception(
            "multiplies the secrets",
            lambda prime, generator, one, other: (
                _secret(prime, generator, one) * _secret(prime, generator, other) % prime
            ),
            "The product of the secrets is the exponent. Raise the generator to it.",
        ),
    ),
)
