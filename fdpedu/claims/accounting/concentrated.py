"""Concentrated privacy, against divergences and δ that are computed another way."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from fdpedu.accounting import (
    Amount,
    compose_optimal,
    gaussian_to_zcdp,
    pure_to_zcdp,
    rdp_to_epsilon,
    zcdp_to_delta,
    zcdp_to_epsilon,
    zcdp_to_epsilon_classical,
)
from fdpedu.accounting.concentrated import at_best_order, epsilon_at
from fdpedu.accounting.normal import normal_tail
from fdpedu.claims.accounting.optimal import ENCLOSED, RELATION, points
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.derivation_checker import is_converted_at
from fdpedu.exact import Enclosure, exp_enclosure, log_enclosure
from fdpedu.privacy import Law, max_ratio

DIGITS = 40
NEARLY = Fraction(99, 100)
ORDERS = range(2, 7)


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


def at_one_order(amount: Amount, epsilon: Fraction, order: int) -> None:
    """Of older texts the checker takes δ as it is, and refuses what is smaller by 10⁻⁴⁰; the library's ε agrees."""
    exponent = (order - 1) * (order * amount.value + amount.xi - epsilon)
    delta = exp_enclosure(exponent, 50) * Fraction((order - 1) ** (order - 1), order**order)
    if delta.upper >= 1:
        return
    more, less, given = delta.upper * (1 + LITTLE), delta.lower * (1 - LITTLE), (epsilon, delta.lower)
    require(is_converted_at(order, epsilon, more, *amount), f"δ = {float(more)} is refused")
    require(not is_converted_at(order, epsilon, less, *amount), f"δ a little below {float(less)} is accepted")
    require(not is_converted_at(order, *given, amount.value, amount.xi + LITTLE), "more ξ is accepted")
    require(not is_converted_at(order, *given, amount.value + LITTLE, amount.xi), "more ρ is accepted")
    back = epsilon_at(order, *amount, more).lower, epsilon_at(order, *amount, less).upper
    require(back[0] <= epsilon <= back[1], f"from δ the library has ε = {float(back[0])}, not {float(epsilon)}")
    best = at_best_order(*amount, delta.upper)
    require(best.lower <= epsilon, f"the best order gives ε = {float(best)}, this one {float(epsilon)}")


def many_coins(epsilon: Fraction, k: int, delta: Fraction) -> None:
    """k pure releases: what ρ = k·ε²/2 gives is not below the optimal composition."""
    optimal, found = compose_optimal(epsilon, k, delta), zcdp_to_epsilon(k * pure_to_zcdp(epsilon), delta)
    require(optimal.lower <= found.upper, f"optimal is {float(optimal)}, the bound gives {float(found)}")


def numbers_of_releases(most: int) -> Iterator[tuple[Fraction, int, Fraction]]:
    """Three ε, 1, 4, 16, … up to 4^most releases, three δ."""
    numbers = [4**i for i in range(most + 1)]
    return product(points("1/100", "1/10", 1), numbers, points("1e-9", "1e-6", "1/100"))


TAUS = [Amount(Fraction(rho), Fraction(xi)) for rho in ("1/1000", "1/40", "1/2") for xi in ("0", "1/10000")]
LITTLE = Fraction(1, 10**40)
ZCDP = r"ρ-zCDP: $D_\lambda \le \rho\lambda$ between neighbours, for all orders $\lambda > 1$"

CLAIMS = (
    Claim(
        "lem-pure-to-zcdp",
        status="proved+checked",
        code=("fdpedu.accounting.concentrated.pure_to_zcdp",),
        checks=(
            Check(
                "randomised response",
                "exact",
                "orders up to {size}: its divergence is at most λε²/2, and more than 99 % of that at ε = 1/1000",
                response,
                lambda most: product(points("1/1000", "1/10", 1, 5), points("1.01", *halves(3, 2 * most))),
                6,
                40,
            ),
            Check(
                "random laws",
                "property",
                "{size} random pairs of distributions, orders 2 to 6: at most that of randomised response with the "
                "same factor, "
                "and at most λε²/2",
                response_is_worst,
                lambda draw: draw.tuples(draw.positive_laws, draw.positive_laws),
                60,
                2000,
            ),
            Check(
                "sums",
                "property",
                "{size} random adaptive pairs of distributions: the divergence is at most the sum of the largest",
                adaptive_sum,
                lambda draw: draw.tuples(draw.positive_laws, draw.positive_laws, draw.three_pairs_of_laws),
                40,
                1000,
            ),
        ),
        assumptions=(ZCDP, RELATION, "both directions"),
        uses=("def-dp",),
    ),
    Claim(
        "thm-zcdp-to-dp",
        status="proved+checked",
        code=(
            "fdpedu.accounting.concentrated.zcdp_to_epsilon",
            "fdpedu.accounting.concentrated.zcdp_to_delta",
            "fdpedu.accounting.concentrated.at_best_order",
            "fdpedu.accounting.renyi.rdp_to_epsilon",
            "fdpedu.derivation_checker.is_converted_at",
        ),
        checks=(
            Check(
                "best order",
                "exact",
                "nine (ρ, ε), {size} orders each: no order gives a smaller δ, and some order nearly the same; inverse, "
                "classical",
                best_order,
                lambda n: product(points("1/20", "1/2", 3), points(1, 4, 9), [n]),
                100,
                1000,
            ),
            Check(
                "Gaussian",
                "exact",
                "noise of six sizes, ε from 0 to {size}: its exact δ is below the bound",
                gaussian,
                lambda most: product(points("1/3", "1/2", 1, 2, 5, 20), points(*range(most + 1))),
                4,
                12,
            ),
            Check(
                "discrete Gaussian",
                "exact",
                "noise of four sizes, ε from 0 to {size}: its δ, summed, is below the bound",
                discrete_gaussian,
                lambda most: product(points("1/4", "1/2", 1, 4), halves(0, 2 * most)),
                3,
                8,
            ),
            Check(
                "one order",
                "exact",
                "six (ρ, ξ), four ε, orders from 2 to {size}: what the checker accepts of older texts, to 40 digits",
                at_one_order,
                lambda most: product(
                    TAUS, points("1/10", 1, 3, 8), [n for n in (2, 3, 5, 22, 40, 100, 400) if n <= most]
                ),
                100,
                400,
            ),
            Check(
                "coins",
                "exact",
                "k = 1, 4, 16, … up to 4^{size} pure releases: the bound is not below the optimal composition",
                many_coins,
                numbers_of_releases,
                3,
                5,
            ),
        ),
        assumptions=(ZCDP, RELATION, "an upper bound for every such mechanism; a given one may do better", ENCLOSED),
        uses=("lem-hockey-stick",),
    ),
)

TWINS = (
    Broken(
        "ε²/8 for every mechanism",
        "fdpedu.accounting.concentrated.pure_to_zcdp",
        "** 2 / 2",
        "** 2 / 8",
        "What holds for the exponential mechanism, ρ = ε²/8, holds for every ε-DP mechanism.",
        "lem-pure-to-zcdp",
        "randomised response",
    ),
    Broken(
        "the order not optimised",
        "fdpedu.accounting.concentrated._phi",
        "(1 + 2 * u) * rho + log.lower, (1 + 2 * u) * rho + log.upper",
        "(1 + u) * rho + log.lower, (1 + u) * rho + log.upper",
        "At order α zCDP costs αρ, so that is what stands in the conversion.",
        "thm-zcdp-to-dp",
        "best order",
    ),
    Broken(
        "the mean under the numerator",
        "fdpedu.derivation_checker.is_converted_at",
        "(order - 1) * (order * rho",
        "order * (order * rho",
        "The mean of (P/Q)^λ is e^{λ·D}, whichever of both distributions it is taken under.",
        "thm-zcdp-to-dp",
        "one order",
    ),
    Broken(
        "floats decide the conversion",
        "fdpedu.derivation_checker.is_converted_at",
        "_log(delta)[0] >= right",
        "float(_log(delta)[0]) >= float(right)",
        "Sixteen digits are enough for a δ of one in a million.",
        "thm-zcdp-to-dp",
        "one order",
    ),
)
