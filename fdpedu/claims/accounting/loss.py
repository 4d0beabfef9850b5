"""Loss distributions on a grid, against answers that are known exactly, or enclosed otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import isqrt

from fdpedu.accounting import LossDistribution, compose_optimal, optimal_delta
from fdpedu.accounting.normal import normal_tail
from fdpedu.claims.accounting.optimal import ENCLOSED
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.privacy.small import geometric
from fdpedu.claims.records import Check, Claim
from fdpedu.exact import Enclosure, exp_enclosure, log_enclosure
from fdpedu.privacy import hockey_stick, product_law

LITTLE = Fraction(1, 10**20)  # the units of the tables, and what they cut off
GRIDS = (Fraction(1, 8), Fraction(1, 31), Fraction(1, 100))


def enclosed(found: Enclosure, exact: Enclosure, width: Fraction) -> None:
    """The two enclosures meet, and the first one is narrow enough."""
    said = f"{float(found.lower)} to {float(found.upper)}, exactly it is {float(exact.lower)} to {float(exact.upper)}"
    require(found.lower <= exact.upper and exact.lower <= found.upper, f"the tables say {said}")
    require(found.upper - found.lower <= width + LITTLE, f"the tables are further apart than {float(width)}: {said}")


def coins(epsilon: Fraction, k: int, step: Fraction) -> None:
    """k pure releases: δ and ε of the optimal composition are enclosed; on a grid that fits, to 10⁻²⁰."""
    table = LossDistribution.randomised_response(epsilon, step=step).compose(k)
    width = Fraction(0) if not epsilon % step else k * step
    for target in (Fraction(0), k * epsilon / 3):
        enclosed(table.delta(target), optimal_delta(epsilon, k, target), width)
    for delta in (Fraction(1, 10**9), Fraction(1, 100)):
        enclosed(table.epsilon(delta), compose_optimal(epsilon, k, delta), width)


def releases(most: int) -> Iterator[tuple[Fraction, int, Fraction]]:
    """Two ε, so many releases at most, four grids."""
    ks = [k for k in (1, 2, 5, 12, 30, 60) if k <= most]
    return product((Fraction(1, 10), Fraction(3, 4)), ks, (*GRIDS, Fraction(1, 20)))


def discrete_laplace(alpha: Fraction, sensitivity: int, allowed: Fraction, step: Fraction) -> None:
    """Two noisy sums that move by the sensitivity, as exact laws; ε and ε' between rational ends."""
    counts = [geometric(n, alpha, -1, sensitivity + 1) for n in (0, sensitivity)]
    p, q = (product_law(law, law) for law in counts)
    exact = hockey_stick(p, q, allowed)
    rate, target = log_enclosure(1 / alpha, 30), log_enclosure(allowed, 30)
    low, high = (
        LossDistribution.discrete_laplace(sensitivity * end, sensitivity, step=step).compose(2)
        for end in (rate.lower, rate.upper)
    )
    found = Enclosure(low.delta(target.upper).lower, high.delta(max(Fraction(0), target.lower)).upper)
    enclosed(found, Enclosure.exactly(exact), 4 * step)


def noisy_sums(most: int) -> Iterator[tuple[Fraction, int, Fraction, Fraction]]:
    """Two α, a sensitivity of so much at most, two e^ε', two grids."""
    alphas, allowed = (Fraction(1, 2), Fraction(9, 10)), (Fraction(1), Fraction(2))
    return product(alphas, range(1, most + 1), allowed, GRIDS[:2])


def formulas(kind: str, size: Fraction, k: int, step: Fraction) -> None:
    """δ = 1 − e^{(x−ε)/2} of one Laplace release, or the Gaussian formula for k Gaussian ones, at x = 0, ε/2, ε."""
    table = (
        LossDistribution.laplace(size, step=step) if kind == "laplace" else LossDistribution.gaussian(size, step=step)
    )
    for x in (Fraction(0), size / 2, size):
        if kind == "laplace":
            power = exp_enclosure((x - size) / 2)
            exact = Enclosure(1 - power.upper, 1 - power.lower)
        else:
            exact = _gaussian_delta(isqrt(k) / size, x)
        enclosed(table.compose(k).delta(x), exact, k * step)


def known(most: int) -> Iterator[tuple[str, Fraction, int, Fraction]]:
    """One Laplace release, two ε and three grids; a square number of Gaussian ones up to so many, two σ."""
    yield from (("laplace", epsilon, 1, step) for epsilon, step in product((Fraction(1, 2), Fraction(2)), GRIDS))
    squares = [n * n for n in range(1, isqrt(most) + 1)]
    yield from (("gaussian", sigma, k, Fraction(1, 16)) for sigma, k in product((Fraction(1), Fraction(3)), squares))


def _gaussian_delta(mu: Fraction, epsilon: Fraction) -> Enclosure:
    first, second = (normal_tail(epsilon / mu + sign * mu / 2) for sign in (-1, 1))
    power = exp_enclosure(epsilon)
    low, high = first.lower - power.upper * second.upper, first.upper - power.lower * second.lower
    return Enclosure(max(Fraction(0), low), high)


def mixture(one: Fraction, other: Fraction, step: Fraction) -> None:
    """Two coins of different ε: the four outcomes by hand."""
    table = LossDistribution.randomised_response(one, step=step).then(
        LossDistribution.randomised_response(other, step=step)
    )
    for target in (Fraction(0), (one + other) / 2):
        total = Enclosure.exactly(Fraction(0))
        for signs in product((1, -1), repeat=2):
            loss = signs[0] * one + signs[1] * other
            if loss > target:
                p = [_half(sign * each) for sign, each in zip(signs, (one, other), strict=True)]
                rest = exp_enclosure(target - loss)
                low, high = p[0].lower * p[1].lower, p[0].upper * p[1].upper
                total += Enclosure(low * (1 - rest.upper), high * (1 - rest.lower))
        enclosed(table.delta(target), total, 4 * step)


def pairs_of_coins(grids: int) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    """Two pairs of ε, so many grids."""
    pairs = [(Fraction(1, 3), Fraction(1)), (Fraction(1, 10), Fraction(1, 7))]
    return ((*pair, Fraction(1, 7 * n)) for pair in pairs for n in range(1, grids + 1))


def _half(epsilon: Fraction) -> Enclosure:
    """e^ε/(1 + e^ε)."""
    power = exp_enclosure(-epsilon)
    return Enclosure(1 / (1 + power.upper), 1 / (1 + power.lower))


CLAIMS = (
    Claim(
        "thm-loss-distribution",
        status="proved+checked",
        code=("fdpedu.accounting.loss.LossDistribution",),
        checks=(
            Check(
                "coins",
                "exact",
                "up to {size} pure releases on four grids: the optimal composition is enclosed, within kh",
                coins,
                releases,
                12,
                60,
            ),
            Check(
                "discrete Laplace",
                "exact",
                "sensitivities 1 to {size}, two releases, fractions by enumeration: enclosed, within kh",
                discrete_laplace,
                noisy_sums,
                3,
                4,
            ),
            Check(
                "Laplace and Gaussian",
                "exact",
                "one Laplace release, and up to {size} Gaussian ones by their formulas: enclosed, within kh",
                formulas,
                known,
                4,
                16,
            ),
            Check(
                "two kinds",
                "exact",
                "two coins of different ε, all four outcomes, on {size} grids: enclosed",
                mixture,
                pairs_of_coins,
                3,
                12,
            ),
        ),
        assumptions=(
            "independent releases of fixed mechanisms (or adaptive ones with the same loss whatever came before)",
            ENCLOSED,
        ),
        uses=("lem-hockey-stick",),
    ),
)

TWINS = (
    Broken(
        "one table for both",
        "fdpedu.accounting.loss.LossDistribution.then",
        "self.pessimistic, other.pessimistic, True",
        "self.optimistic, other.optimistic, True",
        "The two tables differ by rounding only, so one of them will do.",
        "thm-loss-distribution",
        "coins",
    ),
    Broken(
        "pessimistic tables rounded down",
        "fdpedu.accounting.loss._convolve",
        "ceil_div(tail, UNIT) if up else tail // UNIT",
        "tail // UNIT",
        "The last digit of thirty does not matter.",
        "thm-loss-distribution",
        "coins",
    ),
)
