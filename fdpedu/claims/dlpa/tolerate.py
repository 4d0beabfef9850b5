"""Noise that withstands colluders: what is left when some parties subtract their shares."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from types import ModuleType
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.dependence import ALPHA
from fdpedu.claims.dlpa.cycles import INTEGERS
from fdpedu.claims.dlpa.shares import HONEST, replayed_sum
from fdpedu.claims.mechanisms.words import require_moments, variance_of
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.dlpa import insider_epsilon, polya_shares
from fdpedu.randomness import Rehearsal


def tolerated(epsilon: Fraction, n: int, tolerate: int) -> None:
    """Of n parties up to ``tolerate`` < n colluders face exactly ε, one more gains."""
    for c in range(tolerate + 1):
        loss = insider_epsilon(epsilon, n, c, tolerate=tolerate)
        require(loss.lower == loss.upper == epsilon, f"{c} colluders face {loss}")
    if tolerate + 1 < n:
        loss = insider_epsilon(epsilon, n, tolerate + 1, tolerate=tolerate)
        require(loss.lower > epsilon, f"{tolerate + 1} colluders face {loss}")


def tolerances(most: int) -> Iterator[tuple[Fraction, int, int]]:
    """Three ε, up to so many parties, and any number of colluders that they tolerate."""
    return ((Fraction(e), n, c) for n in range(2, most + 1) for e in ("1/10", "1", "3") for c in range(n))


def random_tolerances(draw: ModuleType) -> Any:
    """A strategy: ε, 2 to 8 parties, and any number of colluders that they tolerate."""
    numbers = draw.tuples(draw.epsilons, draw.integers(2, 8), draw.integers(0, 7))
    return numbers.map(lambda case: (case[0], case[1], case[2] % case[1]))


def divided_variance(epsilon: Fraction, sensitivity: int, n_parties: int, tolerate: int, draws: int) -> None:
    """The shares of any K − c parties have the variance that is promised; those of all K/(K − c) times as much."""
    drawn = polya_shares(n_parties, epsilon, draws, Rehearsal(19), sensitivity=sensitivity, tolerate=tolerate)
    stated, honest = variance_of(epsilon / sensitivity), n_parties - tolerate
    require_moments(drawn[tolerate:].sum(axis=0), stated, 1)
    require_moments(drawn[:honest].sum(axis=0), stated, 1)
    require_moments(drawn.sum(axis=0), stated * n_parties / honest, n_parties / honest)


def divisions(draws: int) -> Iterator[tuple[Fraction, int, int, int, int]]:
    """2 to 60 parties, up to all but one tolerated, sensitivities 1 to 1,000, ε from 2 to 10⁻⁹."""
    yield Fraction(2), 1, 2, 0, draws
    yield Fraction(1), 2, 3, 1, draws
    yield Fraction(1, 3), 3, 5, 4, draws
    yield Fraction(1, 10), 1000, 7, 2, draws
    yield Fraction(1, 10**9), 1, 4, 1, draws
    yield Fraction(1, 2), 2, 60, 1, draws
    yield Fraction(1), 2, 40, 38, draws


TOLERATE = (
    Check(
        "divided variance",
        "statistical",
        "2 to 60 parties, up to all but one tolerated, Δ to 1000, {size} rehearsed cells: the variance of "
        "the first and the last K − c shares, and of all",
        divided_variance,
        divisions,
        20_000,
        400_000,
        alpha=ALPHA,
        more=[(Fraction(3, 2), 5, 12, 3, 40_000), (Fraction(1, 1000), 1, 3, 0, 40_000)],
    ),
)


CLAIMS = (
    Claim(
        "thm-tolerate",
        status="proved+checked",
        code=("fdpedu.dlpa", "fdpedu.dlpa.shares", "fdpedu.dlpa.shares.polya_shares"),
        checks=(
            Check(
                "honest shares",
                "exact",
                "one share over all words of {size} bits, convolved over the K − c honest parties",
                replayed_sum,
                lambda bits: [(2, 1, bits), (3, 1, bits), (5, 3, bits)],
                12,
                14,
                more=[(4, 1, 12), (4, 2, 12)],
            ),
            Check(
                "insiders",
                "exact",
                "up to {size} parties, three ε: up to c colluders face exactly ε, one more faces more",
                tolerated,
                tolerances,
                5,
                9,
            ),
            Check(
                "random insiders", "property", "the same for {size} random cases", tolerated, random_tolerances, 40, 500
            ),
            *TOLERATE,
        ),
        assumptions=(INTEGERS, HONEST),
        uses=("thm-polya-shares", "thm-discrete-laplace"),
    ),
)

_ROUNDED_GAMMA = (
    "np.rint(__import__('fdpedu.dlpa.gamma', fromlist='_')._share(1 / n_noise_shares, 1 / float(rate), size, source))"
    ".astype(np.int64)"
)

TWINS = (
    Broken(
        "shares for all parties",
        "fdpedu.dlpa.shares.count_noise_shares",
        "return n_parties - tolerate",
        "return n_parties",
        "With many parties, one party's own share hardly matters.",
        "thm-tolerate",
        "honest shares",
    ),
    Broken(
        "real noise rounded",
        "fdpedu.dlpa.shares.polya_share",
        "negative_binomial(rate, n_noise_shares, size, source) - negative_binomial(rate, n_noise_shares, size, source)",
        _ROUNDED_GAMMA,
        "Rounding is post-processing.",
        "thm-tolerate",
        "divided variance",
    ),
)
