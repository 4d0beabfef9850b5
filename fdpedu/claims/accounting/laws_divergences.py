"""Checks of chapter 4: concentrated and Rényi privacy, against divergences and δ that are computed another way.

All comparisons are between ends of enclosures, so what holds here holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from fdpedu.accounting import (
    compose_optimal,
    gaussian_to_zcdp,
    pure_to_zcdp,
    rdp_gaussian,
    rdp_laplace,
    rdp_to_epsilon,
    zcdp_to_delta,
    zcdp_to_epsilon,
    zcdp_to_epsilon_classical,
)
from fdpedu.accounting.normal import normal_tail
from fdpedu.claims.checking import require
from fdpedu.exact import Enclosure, exp_enclosure, log_enclosure
from fdpedu.privacy import Law, max_ratio

DIGITS = 40
NEARLY = Fraction(99, 100)
ORDERS = range(2, 7)


def points(*values: object) -> list[Fraction]:
    """The values as fractions."""
    return [Fraction(str(value)) for value in values]


def halves(first: int, last: int) -> list[Fraction]:
    """first/2, …, last/2."""
    return [Fraction(n, 2) for n in range(first, last + 1)]


def moment(p: Law, q: Law, order: int) -> Fraction:
    """E_Q[(P/Q)^α] for a whole α: e^{(α−1)·D_α}, a fraction."""
    return sum((p[y] ** order / q[y] ** (order - 1) for y in p), Fraction(0))


def _coin_moment(factor: Fraction, order: int) -> Fraction:
    return (factor**order + factor ** (1 - order)) / (1 + factor)


def response(epsilon: Fraction, order: Fraction) -> None:
    """The divergence of randomised response is at most α·ρ; nearly as much when ε is small."""
    ends = [exp_enclosure(x, DIGITS) for x in (order * epsilon, (1 - order) * epsilon, epsilon)]
    low = log_enclosure((ends[0].lower + ends[1].lower) / (1 + ends[2].upper), DIGITS).lower / (order - 1)
    high = log_enclosure((ends[0].upper + ends[1].upper) / (1 + ends[2].lower), DIGITS).upper / (order - 1)
    bound = order * pure_to_zcdp(epsilon)
    require(high <= bound, f"D_α is {float(high)}, stated is at most {float(bound)}")
    require(epsilon > Fraction(1, 1000) or low >= NEARLY * bound, f"D_α is {float(low)}, far below {float(bound)}")


def response_is_worst(p: Law, q: Law) -> None:
    """With the same largest factor no pair of laws has a larger divergence; and it is at most α·ε²/2."""
    factor = max(Fraction(max_ratio(p, q)), Fraction(max_ratio(q, p)))
    for order in ORDERS if factor > 1 else ():
        found = moment(p, q, order)
        require(found <= _coin_moment(factor, order), f"order {order}: {found} is more than that of a coin")
        bound = order * pure_to_zcdp(log_enclosure(factor, DIGITS).lower)
        divergence = log_enclosure(found, DIGITS).upper / (order - 1)
        require(divergence <= bound, f"order {order}: D is {float(divergence)}, more than {float(bound)}")


def adaptive_sum(p: Law, q: Law, afterwards: list[tuple[Law, Law]]) -> None:
    """A pair of laws, and after each outcome another pair: the divergence is at most the sum of the largest."""
    joint: list[Law] = [
        {(y, z): mass * m for y, mass in (p, q)[i].items() for z, m in afterwards[y][i].items()} for i in (0, 1)
    ]
    for order in ORDERS:
        bound = moment(p, q, order) * max(moment(*pair, order) for pair in afterwards)
        found = moment(joint[0], joint[1], order)
        require(found <= bound, f"order {order}: {found} is more than the product {bound}")


def best_order(rho: Fraction, epsilon: Fraction, orders: int) -> None:
    """δ is no larger than at any order, and nearly that of the best one; ε is its inverse; classical is no better."""
    found = zcdp_to_delta(rho, epsilon)
    least = Fraction(1)
    for i in range(1, orders + 1):
        u = Fraction(10 * i, orders) ** 2  # α − 1 from 0 to 100
        bound = _one_order(rho, epsilon, u)
        if bound.upper > 1:
            continue
        require(found.lower <= bound.upper, f"α = {float(1 + u)} gives δ = {float(bound)}, less than {float(found)}")
        least = min(least, bound.upper)
    require(least <= found.upper * (1 + Fraction(1000, orders**2)), f"the best of {orders} orders gives {float(least)}")
    back = zcdp_to_epsilon(rho, found.upper).lower, zcdp_to_epsilon(rho, found.lower).upper
    require(back[0] <= epsilon <= back[1], f"δ belongs to ε = {float(back[0])}, not {float(epsilon)}")
    classical = zcdp_to_epsilon_classical(rho, found.upper)
    require(back[0] <= classical.upper, f"classical is {float(classical)}, less than {float(back[0])}")
    few = rdp_to_epsilon({1 + u: (1 + u) * rho for u in (Fraction(1, 2), Fraction(4), Fraction(9))}, found.upper)
    require(few.upper >= back[0], f"three orders give ε = {float(few)}, less than {float(back[0])}")
    one = _one_order(rho, epsilon, Fraction(4))
    if one.upper > 1:
        return
    ends = rdp_to_epsilon({5: 5 * rho}, one.upper).lower, rdp_to_epsilon({5: 5 * rho}, one.lower).upper
    require(ends[0] <= epsilon <= ends[1], f"order 5: back from δ comes ε = {float(ends[0])}, not {float(epsilon)}")


def _one_order(rho: Fraction, epsilon: Fraction, u: Fraction) -> Enclosure:
    """e^{u((1+u)ρ − ε)}·u^u/(1+u)^{1+u}, by its logarithm."""
    logs = log_enclosure(u, DIGITS), log_enclosure(1 + u, DIGITS)
    low = u * ((1 + u) * rho - epsilon) + u * logs[0].lower - (1 + u) * logs[1].upper
    high = u * ((1 + u) * rho - epsilon) + u * logs[0].upper - (1 + u) * logs[1].lower
    return Enclosure(exp_enclosure(low, DIGITS).lower, exp_enclosure(high, DIGITS).upper)


def gaussian(sigma: Fraction, epsilon: Fraction) -> None:
    """Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ), the exact δ of Gaussian noise, is below the bound for its ρ."""
    mu = 1 / sigma
    first, second = (normal_tail(epsilon / mu + sign * mu / 2) for sign in (-1, 1))
    exact = first.upper - exp_enclosure(epsilon, DIGITS).lower * second.lower
    bound = zcdp_to_delta(gaussian_to_zcdp(sigma), epsilon)
    little = Fraction(1, 10**28)  # the tails are known to 10⁻³⁵, times e^ε
    require(exact <= bound.lower + little, f"δ is {float(exact)}, the bound {float(bound)}")


def discrete_gaussian(variance: Fraction, epsilon: Fraction) -> None:
    """Noise on the integers with weights e^{−k²/(2σ²)}, against the same noise one further: δ is below the bound."""
    reach = 12 * int(variance) + 12
    weights = {k: exp_enclosure(-Fraction(k * k) / (2 * variance), DIGITS) for k in range(-reach, reach + 1)}
    whole = sum((weight.lower for weight in weights.values()), Fraction(0))
    factor = exp_enclosure(epsilon, DIGITS).lower
    excess = sum(
        (max(Fraction(0), weights[k].upper - factor * weights[k - 1].lower) for k in range(1 - reach, reach + 1)),
        Fraction(0),
    )
    beyond = 4 * weights[reach].upper  # ratios of neighbours are below 1/2 there
    bound = zcdp_to_delta(gaussian_to_zcdp(1) / variance, epsilon)
    exact = (excess + beyond) / whole
    require(exact <= bound.lower, f"δ is {float(exact)}, the bound {float(bound)}")


def many_coins(epsilon: Fraction, k: int, delta: Fraction) -> None:
    """k pure releases: what ρ = k·ε²/2 gives is not below the optimal composition."""
    optimal, found = compose_optimal(epsilon, k, delta), zcdp_to_epsilon(k * pure_to_zcdp(epsilon), delta)
    require(optimal.lower <= found.upper, f"optimal is {float(optimal)}, the bound gives {float(found)}")


def numbers_of_releases(most: int) -> Iterator[tuple[Fraction, int, Fraction]]:
    """Three ε, 1, 4, 16, … up to 4^most releases, three δ."""
    numbers = [4**i for i in range(most + 1)]
    return product(points("1/100", "1/10", 1), numbers, points("1e-9", "1e-6", "1/100"))


def laplace_integral(order: Fraction, epsilon: Fraction, steps: int) -> None:
    """∫ p^α·q^{1−α} for b = 1: two exponential tails, and between the centres sums from below and from above."""
    inner = [exp_enclosure((1 - 2 * order) * epsilon * i / steps + (order - 1) * epsilon, 30) for i in range(steps + 1)]
    h = epsilon / steps
    tails = exp_enclosure((order - 1) * epsilon, 30), exp_enclosure(-order * epsilon, 30)
    low = (tails[0].lower + tails[1].lower + h * sum(end.lower for end in inner[1:])) / 2
    high = (tails[0].upper + tails[1].upper + h * sum(end.upper for end in inner[:-1])) / 2
    found = rdp_laplace(order, epsilon)
    ends = log_enclosure(low, 30).lower / (order - 1), log_enclosure(high, 30).upper / (order - 1)
    said = f"the integral gives D_α from {float(ends[0])} to {float(ends[1])}, stated is {float(found)}"
    require(ends[0] <= found.upper and found.lower <= ends[1], said)


def laplace_bounds(order: Fraction, epsilon: Fraction) -> None:
    """At most ε, at most αε²/2, larger for a larger order or ε, and k times as much for k releases."""
    found = rdp_laplace(order, epsilon)
    require(0 < found.lower and found.upper <= epsilon, f"D_α is {float(found)}, ε is {float(epsilon)}")
    require(found.upper <= order * pure_to_zcdp(epsilon), f"D_α is {float(found)}, more than αε²/2")
    require(found.lower <= rdp_laplace(order + 1, epsilon).upper, "a larger order has a smaller divergence")
    require(found.lower <= rdp_laplace(order, epsilon * 2).upper, "a larger ε has a smaller divergence")
    five = rdp_laplace(order, epsilon, 5)
    require(five.lower <= 5 * found.upper and 5 * found.lower <= five.upper, f"five releases cost {float(five)}")


def square_completed(a: int, d: int, x: int) -> None:
    """With α = a + 1: α(x − d)² + (1 − α)x² = (x − αd)² − α(α − 1)d², and the last term is what the code says.

    So the integral of p^α·q^(1−α) is e^{α(α−1)d²/(2σ²)} times that of a density.
    """
    order = a + 1
    require(order * (x - d) ** 2 - a * x * x == (x - order * d) ** 2 - a * order * d * d, "the sides differ")
    require(rdp_gaussian(order, 1, d).upper * 2 * a == a * order * d * d, f"stated is {rdp_gaussian(order, 1, d)}")


def gaussian_sum(order: int, variance: Fraction) -> None:
    """Σ p^α·q^{1−α} on the integers, for a whole α: e^{(α−1)·D} with D what is stated for the reals."""
    reach = 14 * int(variance) + 14 + order
    weights = [exp_enclosure(-Fraction(k * k) / (2 * variance), 60) for k in range(reach + 1)]
    base = [order * (k - 1) ** 2 + (1 - order) * k * k for k in range(-reach, reach + 1)]
    terms = [exp_enclosure(-Fraction(square) / (2 * variance), 60) for square in base]
    sides = [sum((w.lower for w in weights[1:]), Fraction(0)), sum((w.upper for w in weights[1:]), Fraction(0))]
    whole = [weights[0].lower + 2 * sides[0], weights[0].upper + 2 * sides[1]]
    stated = rdp_gaussian(order, 1).upper / variance
    low = log_enclosure(sum((t.lower for t in terms), Fraction(0)) / whole[1], 60).lower / (order - 1)
    high = log_enclosure(sum((t.upper for t in terms), Fraction(0)) / whole[0], 60).upper / (order - 1)
    little = Fraction(1, 10**30)  # more than what lies beyond the sums
    require(
        low - little <= stated <= high + little, f"the sum gives D from {float(low)} to {float(high)}, not {stated}"
    )
    several = rdp_gaussian(order, 2, 3, 5)
    require(several.upper == several.lower == 5 * 9 * rdp_gaussian(order, 1).upper / 4, "σ = 2, Δ = 3, five times")
    require(rdp_gaussian(order, 2, 3).upper == order * gaussian_to_zcdp(2, 3), "it is not α·ρ")
