"""What an insider gains from values on a lattice, on ever finer ones, and for a small δ."""

from __future__ import annotations

import decimal
import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product

from fdpedu.claims.checking import require
from fdpedu.claims.dlpa.insiders import EXACT, HONEST, require_one, summed
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.dlpa import insider_delta, insider_epsilon
from fdpedu.exact import Enclosure, exp_enclosure, log_enclosure


def log(value: Enclosure) -> Enclosure:
    return Enclosure(log_enclosure(value.lower).lower, log_enclosure(value.upper).upper)


def worst_pair(epsilon: Fraction, n: int, colluders: int, sensitivity: int, lattice: int) -> None:
    """Of all pairs of neighbouring values in a window none is worse than 0 and the sensitivity; that pair is as bad."""
    steps = sensitivity * lattice
    law = summed(Fraction(n - colluders, n), epsilon / steps, 3 * steps + 2)
    stated = insider_epsilon(epsilon, n, colluders, sensitivity=sensitivity, lattice=lattice)
    require_one(stated, log(law[0] / law[steps]), "the loss of 0 against the sensitivity")
    for at, move in product(range(-2 * steps - 2, 2 * steps + 3), range(1, steps + 1)):
        loss = law[abs(at)] / law[abs(at + move)]
        require(loss.lower <= (law[0] / law[steps]).upper, f"{at} against {at + move} is worse: {log(loss)}")


def lattices(most: int) -> Iterator[tuple[Fraction, int, int, int, int]]:
    for steps, c in product(range(1, most + 1), (1, 2, 4)):
        yield Fraction(1), 5, c, steps, 1
        yield Fraction(1, 2), 5, c, 1, steps
    yield Fraction(3), 2, 1, 2, most


def towards_gamma(epsilon: Fraction, n: int, colluders: int, most: int) -> None:
    """On finer and finer lattices an insider's loss grows; it stays below that with gamma shares, and comes near it."""
    losses = [insider_epsilon(epsilon, n, colluders, lattice=10**k) for k in range(most + 1)]
    require(all(a.upper < b.lower for a, b in pairwise(losses)), f"{losses} does not grow")
    limit = insider_epsilon(epsilon, n, colluders, noise="gamma")
    if 2 * (n - colluders) <= n:
        require(limit == math.inf, f"with gamma shares of shape τ ≤ 1/2 the loss is infinite, not {limit}")
        return
    require(isinstance(limit, Enclosure), f"the loss is finite, not {limit}")
    assert isinstance(limit, Enclosure)
    require(losses[-1].upper < limit.lower, f"{losses[-1]} on a lattice, {limit} with gamma shares")
    nearer = (limit - losses[-1]) / (limit - losses[-2])  # the distance decreases like m^{1−2τ}
    require(0 < nearer.lower and nearer.upper < Fraction(9, 10), f"{limit} is not what {losses} tend to")


def fine(most: int) -> Iterator[tuple[Fraction, int, int, int]]:
    return ((Fraction(e), n, c, most) for e in ("1/10", "1", "5") for n, c in ((5, 1), (3, 1), (2, 1), (5, 3), (9, 2)))


def bessel_by_integrals(epsilon: Fraction, n: int, colluders: int) -> None:
    """Γ(ν)·2^{ν−1}/(ε^ν·K_ν(ε)) from two integrals over the line, by sums that are off by less than 10⁻²⁰.

    ∫ e^{νt}·exp(−ε·e^t/2) dt = Γ(ν)·(2/ε)^ν and ∫ e^{νt}·exp(−ε·cosh t) dt = 2K_ν(ε): the steps are 1/24, and both
    functions are analytic where |Im t| ≤ 1, so their sums are off by about e^{−48π}.
    """
    nu = Fraction(n - colluders, n) - Fraction(1, 2)
    with decimal.localcontext(decimal.Context(prec=40)):
        order, rate, step = _decimal(nu), _decimal(epsilon), Decimal(1) / 24
        whole = bessel = Decimal(0)
        for i in range(-int(24 * 60 / nu), 24 * 12):
            t = i * step
            grown = t.exp()
            rising = (order * t).exp()
            whole += rising * (-rate * grown / 2).exp()
            if abs(t) < 12:
                bessel += rising * (-rate * (grown + 1 / grown) / 2).exp()
        stated, found = (whole / bessel).ln(), insider_epsilon(epsilon, n, colluders, noise="gamma")
    require(isinstance(found, Enclosure), "infinite where it is finite")
    assert isinstance(found, Enclosure)
    near = Fraction(stated)
    require(abs(near - found.lower) < Fraction(1, 10**18) > abs(near - found.upper), f"{found}, by sums {stated:.20f}")


def _decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


def gamma_cases(size: int) -> Iterator[tuple[Fraction, int, int]]:
    cases = [("1", 5, 1), ("1/10", 5, 2), ("39", 9, 1), ("41", 9, 1), ("1/1000", 7, 2), ("12", 20, 1), ("100", 4, 1)]
    return ((Fraction(e), n, c) for e, n, c in cases[:size])


def delta_by_sums(epsilon: Fraction, n: int, colluders: int, allowed: Fraction, steps: int) -> None:
    """Σ max(0, f(k) − e^{ε'}·f(k+j)) over a window and all moves j: none is larger than δ, and one is as large."""
    tau = Fraction(n - colluders, n)
    most = 15 * steps + 45
    law, factor = summed(tau, epsilon / steps, most + steps), exp_enclosure(allowed, 60)
    stated = insider_delta(epsilon, n, colluders, allowed, lattice=steps)
    for move in range(1, steps + 1):
        gains = (law[abs(k)] - factor * law[abs(k + move)] for k in range(-most, most + 1))
        total = Enclosure.sum(Enclosure(max(gain.lower, Fraction(0)), max(gain.upper, Fraction(0))) for gain in gains)
        beyond = (law[most] / (1 - exp_enclosure(-epsilon / steps))).upper
        require(total.lower <= stated.upper, f"a move by {move} has δ = {total}, stated is {stated}")
    require(total.upper + beyond >= stated.lower, f"the window has {total}, stated is {stated}")
    require(stated.upper - stated.lower <= stated.upper / 500 + Fraction(1, 10**20), f"{stated} is too wide")


def deltas(most: int) -> Iterator[tuple[Fraction, int, int, Fraction, int]]:
    for c, allowed, steps in product((1, 3), ("0", "1/2", "1", "21/20", "6/5", "3"), range(1, most + 1)):
        yield Fraction(1), 5, c, Fraction(allowed), steps
    yield Fraction(1), 5, 2, Fraction(1, 10), most + 1


ONE = "one release of one number"

CLAIMS = (
    Claim(
        "thm-insider-lattice",
        status="proved+checked",
        code=("fdpedu.dlpa.insiders", "fdpedu.dlpa.insiders.insider_epsilon"),
        checks=(
            Check(
                "worst pair",
                "exact",
                "all pairs of values in a window, for sensitivities and lattices to {size}, three numbers of colluders",
                worst_pair,
                lattices,
                4,
                8,
                more=[(Fraction(2), 7, 3, 3, 2), (Fraction(1, 3), 4, 3, 1, 7)],
            ),
        ),
        assumptions=(EXACT, HONEST, ONE),
        uses=("thm-insider-polya", "lem-remainder"),
    ),
    Claim(
        "thm-insider-gamma",
        status="proved+checked",
        code=("fdpedu.dlpa.insiders", "fdpedu.dlpa.insiders.insider_epsilon"),
        checks=(
            Check(
                "two integrals",
                "exact",
                "Γ and K_ν by sums over the line, {size} pairs of ε and τ, within 10⁻¹⁸",
                bessel_by_integrals,
                gamma_cases,
                2,
                7,
            ),
            Check(
                "finer lattices",
                "exact",
                "lattices 1 to 10 to the {size}, three ε, τ on both sides of 1/2: growing, towards the limit",
                towards_gamma,
                fine,
                3,
                4,
            ),
        ),
        assumptions=("ideal real numbers", HONEST, ONE),
        uses=("thm-insider-lattice",),
    ),
    Claim(
        "thm-insider-delta",
        status="proved+checked",
        code=("fdpedu.dlpa.insiders", "fdpedu.dlpa.insiders.insider_delta"),
        checks=(
            Check(
                "all moves",
                "exact",
                "sums over a window for every move, lattices to {size}, ε' on both sides of ε and of the loss",
                delta_by_sums,
                deltas,
                2,
                6,
            ),
        ),
        assumptions=(EXACT, HONEST, ONE),
        uses=("lem-remainder",),
    ),
)

TWINS = (
    Broken(
        "one step for the sensitivity",
        "fdpedu.dlpa.insiders._polya_loss",
        "left.weight(steps)",
        "left.weight(1)",
        "The worst pair is 0 against its neighbour on the lattice.",
        "thm-insider-lattice",
        "worst pair",
    ),
    Broken(
        "a density has a largest value",
        "fdpedu.dlpa.insiders.insider_epsilon",
        "_gamma_loss(tau, budget) if tau > HALF else math.inf",
        "_gamma_loss(max(tau, HALF + Fraction(1, 1000)), budget)",
        "A little less noise is a little more loss.",
        "thm-insider-gamma",
        "finer lattices",
    ),
    Broken(
        "gains on one side only",
        "fdpedu.dlpa.insiders._polya_delta",
        "return total + half",
        "return half",
        "What speaks for 0 is at 0 or beyond it, seen from n.",
        "thm-insider-delta",
        "all moves",
    ),
)
