"""What sums of discrete Gaussian shares cost as one normal number: exact δ of releases, below its δ."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product

from fdpedu.accounting import Budget
from fdpedu.accounting.cost import GAUSSIAN, Cost
from fdpedu.accounting.normal import gaussian_delta
from fdpedu.claims.checking import require
from fdpedu.claims.dlpa.gaussian_renyi import Shifts, made, sum_of_shares
from fdpedu.claims.dlpa.skellam import HONEST, INTEGERS
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.dlpa.insiders_in_rho import insider_rho
from fdpedu.exact import exp_enclosure, log_enclosure

BITS = 220  # of a probability in a sum over two cells or two releases
WEIGHTS = tuple(map(Fraction, ("1", "11/10", "3/2", "2", "4", "12")))  # e^ε
Law = tuple[int, ...]  # probabilities from −far to far, in units of 2^−BITS


@lru_cache(maxsize=64)
def law_of(m: int, share: Fraction, far: int) -> tuple[Law, Law]:
    """The law of a sum of m shares from −far to far, rounded down and up."""
    low, high, bits = sum_of_shares((share,) * m, far)
    spare = bits - BITS
    if spare <= 0:
        return tuple(x << -spare for x in low), tuple(x << -spare for x in high)
    return tuple(x >> spare for x in low), tuple((x >> spare) + 1 for x in high)


def reach_of(m: int, share: Fraction, shift: int) -> int:
    """So far that less than 10⁻²⁰ lies beyond."""
    return shift + 10 * math.isqrt(math.ceil(m * share)) + 10


@lru_cache(maxsize=4096)
def exact_delta(m: int, share: Fraction, shifts: Shifts, weight: Fraction, sign: int = 1) -> Fraction:
    """At least the δ of an answer that moves so, one or two cells, at e^ε = weight; almost equal to it.

    ``sign`` is the direction: the answer of which neighbour stands first.
    """
    pairs = [(1 << BITS, 1 << BITS)]
    for shift in (sign * each for each in shifts if each):
        far = reach_of(m, share, abs(shift))
        low, high = law_of(m, share, far)
        inside = range(abs(shift), 2 * far + 1 - abs(shift))
        cell = [(low[i], high[i - shift]) for i in inside]
        pairs = [(p * a >> BITS, (q * b >> BITS) + 1) for (p, q), (a, b) in product(pairs, cell)]
    up, down = weight.as_integer_ratio()
    # probabilities that were rounded against it, and tails that were left out: less than the exact δ
    return Fraction(sum(p * down - q * up for p, q in pairs if p * down > q * up), down << BITS)


def least_bound(rho: Fraction, xi: Fraction, weight: Fraction) -> Fraction:
    """e^ξ·δ_G(ε − 2ξ), from above; 1 where ε is less than 2ξ."""
    left = log_enclosure(weight).lower - 2 * xi
    return Fraction(1) if left < 0 else gaussian_delta(left, rho).upper * exp_enclosure(xi).upper


def booked(n_shares: int, left: int, rho: Fraction, shifts: Shifts) -> None:
    """The exact δ with the shipped noise is at most that of what is booked, in both directions and at six ε.

    If only ``left`` of the shares are unknown, what insiders get of a budget that has this release alone is enough.
    """
    square, cells = sum(shift * shift for shift in shifts), len(shifts)
    noise = made(Cost(GAUSSIAN, rho), square, cells, n_shares)
    cost = rho if left == n_shares else insider_rho(Budget(Cost(GAUSSIAN, rho), None), n_shares, n_shares - left)
    for weight, sign in product(WEIGHTS, (1, -1)):
        found, bound = exact_delta(left, noise.share, shifts, weight, sign), least_bound(cost, noise.xi, weight)
        require(found <= bound, f"at e^ε = {weight} δ is {float(found):.10g}, booked is {float(bound):.10g}")


def nearly_all(rho: Fraction) -> None:
    """With one share of a large variance the exact δ is nearly what is booked: ρ wastes nothing."""
    noise = made(Cost(GAUSSIAN, rho), 1, 1, 1)
    found, bound = exact_delta(1, noise.share, (1,), Fraction(1)), least_bound(rho, Fraction(0), Fraction(1))
    require(100 * found >= 99 * bound, f"δ is {float(found):.6g} only, booked is {float(bound):.6g}")


def releases(most: int) -> Iterator[tuple[int, int, Fraction, Shifts]]:
    """One to four shares of 2 to 5, and some ρ for which less than 2 would do; one cell and two; all left, or some."""
    for m, shifts in product((1, 2, 3, 4), ((1,), (2,), (1, 1), (1, 2))[:most]):
        square = sum(shift * shift for shift in shifts)
        for share in map(Fraction, ("2", "7/3", "4")):
            rho = square / (2 * (m * share - 1))
            for left in range(1, m + 1) if len(shifts) == 1 else (m,):
                yield m, left, rho, shifts
        yield m, m, Fraction(2 * square), shifts


CLAIMS = (
    Claim(
        "lem-smoothed-gaussian",
        status="proved+checked",
        code=(
            "fdpedu.dlpa.gaussian_noise",
            "fdpedu.dlpa.gaussian_noise.gaussian_noise",
            "fdpedu.dlpa.insiders_in_rho",
            "fdpedu.dlpa.insiders_in_rho.insider_gaussian_epsilon",
        ),
        checks=(
            Check(
                "exact δ",
                "exact",
                "sums of one to four shares from 2 on, one cell and two, {size} moves, both directions, six ε, all "
                "shares unknown or some: the exact δ is at most that of what is booked",
                booked,
                releases,
                3,
                4,
                more=[(5, 5, Fraction(1, 30), (3,)), (2, 2, Fraction(1, 5), (2, 1))],
            ),
            Check(
                "nothing is wasted",
                "exact",
                "one share of a variance up to {size}: the exact δ is nearly that of what is booked",
                nearly_all,
                lambda most: ((Fraction(1, 2 * n),) for n in (100, 400) if n <= most),
                100,
                400,
            ),
        ),
        assumptions=(
            INTEGERS,
            HONEST,
            r"answers of neighbours differ in at most $n_0$ cells, and by at most $\Delta_2$ in $\ell_2$, whatever "
            "the neighbour relation",
        ),
        uses=("thm-gaussian-sum", "lem-gaussian-sum-renyi"),
    ),
)

TWINS = (
    Broken(
        "σ² for σ² − 1",
        "fdpedu.accounting.cost.Cost.least_variance",
        " + (self.measure == GAUSSIAN)",
        "",
        "Discrete Gaussian noise is as good as Gaussian noise of the same variance.",
        "lem-smoothed-gaussian",
        "exact δ",
    ),
)
