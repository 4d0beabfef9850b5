"""From (ρ, ξ) to (ε, δ), once: the checker's inequality against exact δ of laws, and against other logarithms."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from fdpedu.accounting import Amount, Budget, Cost, Ledger, concentrated_epsilon
from fdpedu.accounting import budget as budgets
from fdpedu.accounting.budget import epsilon_at, most_rho
from fdpedu.accounting.cost import CONCENTRATED
from fdpedu.accounting.worked.two_currencies import converted_each, converted_once
from fdpedu.claims.accounting.composition import ALL, WARDS
from fdpedu.claims.accounting.concentrated import moment
from fdpedu.claims.accounting.derivations import verdict
from fdpedu.claims.accounting.optimal import ENCLOSED, RELATION, points
from fdpedu.claims.accounting.two_currencies import WHOLE_ORDERS, charge_in_rho
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.derivation_checker import MAX_ORDER, is_converted
from fdpedu.dlpa.insiders_in_rho import insider_concentrated_epsilon, insider_rho
from fdpedu.exact import Enclosure, exp_enclosure, log_enclosure
from fdpedu.mechanisms import discrete_gaussian_pmf
from fdpedu.privacy import Law, hockey_stick

DIGITS = 50
LITTLE = Fraction(1, 10**40)
LOST = Fraction(1, 10**9)  # of the constant: how near a pair of laws comes to it


def made_for(epsilon: Fraction, delta: Fraction, order: int | None = None) -> Budget:
    """The budget for (ε, δ), computed anew: what was kept from before would hide what has changed since."""
    return budgets._chosen.__wrapped__(Fraction(epsilon), Fraction(delta), order)


def delta_of(amount: Amount, epsilon: Fraction, order: int) -> Enclosure:
    """e^{(λ−1)(λρ+ξ−ε)}/(λ−1)·(1−1/λ)^λ, enclosed; the constant is the fraction (λ−1)^{λ−1}/λ^λ."""
    exponent = (order - 1) * (order * amount.value + amount.xi - epsilon)
    return exp_enclosure(exponent, DIGITS) * Fraction((order - 1) ** (order - 1), order**order)


def sharp(amount: Amount, epsilon: Fraction, order: int) -> None:
    """The checker takes δ and ε as they are, and refuses what is smaller by 10⁻⁴⁰ of it; the library's ε agrees."""
    delta = delta_of(amount, epsilon, order)
    if delta.upper >= 1:
        return
    more, less = delta.upper * (1 + LITTLE), delta.lower * (1 - LITTLE)
    require(is_converted(epsilon, more, *amount, order), f"δ = {float(more)} is refused")
    require(not is_converted(epsilon, less, *amount, order), f"δ a little below {float(less)} is accepted")
    require(not is_converted(epsilon - LITTLE, delta.lower, *amount, order), "an ε that is a little less is accepted")
    require(not is_converted(epsilon, delta.lower, amount.value, amount.xi + LITTLE, order), "more ξ is accepted")
    require(not is_converted(epsilon, delta.lower, amount.value + LITTLE, amount.xi, order), "more ρ is accepted")
    back = epsilon_at(order, *amount, more).lower, epsilon_at(order, *amount, less).upper
    require(back[0] <= epsilon <= back[1], f"from δ the library has ε = {float(back[0])}, not {float(epsilon)}")
    require(back[1] - back[0] <= 3 * LITTLE, f"its ε is known to {float(back[1] - back[0])} only")


def of_laws(p: Law, q: Law, order: int, exp_epsilon: Fraction) -> None:
    """The exact δ of two laws is at most what their exact divergence of one order is converted to."""
    exact, found = hockey_stick(p, q, exp_epsilon), moment(p, q, order)
    bound = found / exp_epsilon ** (order - 1) * Fraction((order - 1) ** (order - 1), order**order)
    require(exact <= bound, f"δ is {exact}, the bound is {bound}")
    if 0 < exact < 1 and found > 1:
        tau = log_enclosure(found, DIGITS).upper / (order - 1)
        epsilon = epsilon_at(order, tau / (2 * order), tau / 2, exact).upper
        least = log_enclosure(exp_epsilon, DIGITS)
        require(
            epsilon >= least.lower, f"δ = {float(exact)} is kept at ε = {float(least)}, promised is {float(epsilon)}"
        )
        require(
            not is_converted(least.lower, exact * (1 - LITTLE), tau / (2 * order), tau / 2, order), "less is accepted"
        )


def nearly_attained(order: int, exp_epsilon: Fraction) -> None:
    """Two laws, half of the mass with the ratio at which both curves touch, have nearly the δ of the bound."""
    q = exp_epsilon * order / (order - 1)  # p/q of the first outcome
    first, second = {0: Fraction(1, 2), 1: Fraction(1, 2)}, {0: 1 / (2 * q), 1: 1 - 1 / (2 * q)}
    exact, tau = hockey_stick(first, second, exp_epsilon), log_enclosure(moment(first, second, order), DIGITS)
    epsilon, value = log_enclosure(exp_epsilon, DIGITS), tau.upper / (order - 1)
    half = value / (2 * order), value / 2
    require(not is_converted(epsilon.lower, exact * (1 - LITTLE), *half, order), "less than the exact δ is accepted")
    require(is_converted(epsilon.upper, exact * (1 + LOST), *half, order), f"{float(exact)} and a little is refused")


def gaussian_releases(variance: Fraction, releases: int, epsilon: Fraction) -> None:
    """One or two counts with discrete Gaussian noise: their exact δ is at most what is granted, at any order."""
    rho = Amount(releases / (2 * variance))
    reach = 9 * int(variance) + 9
    law = {k: discrete_gaussian_pmf(k, 1 / (2 * variance)) for k in range(-reach, reach + 1)}
    factor = exp_enclosure(epsilon, DIGITS).lower
    inside = range(1 - reach, reach + 1)
    pairs = [(law[k].upper, law[k - 1].lower) for k in inside]  # the other data set has one record more
    if releases == 2:
        pairs = [(a * c, b * d) for (a, b), (c, d) in product(pairs, repeat=2)]
    beyond = releases * (1 - sum((law[k].lower for k in inside), Fraction(0)))
    exact = sum((max(Fraction(0), p - factor * q) for p, q in pairs), Fraction(0)) + beyond
    for order in (2, 3, 4, 6, 9, 14, 22):
        granted = delta_of(rho, epsilon, order).lower
        if granted < 1:
            require(exact <= granted, f"δ is {float(exact)}, order {order} grants {float(granted)}")
            refused = not is_converted(epsilon, exact * Fraction(999, 1000), *rho, order)
            require(refused, f"at order {order} less than the exact δ, {float(exact)}, is accepted")


def chosen(epsilon: Fraction, delta: Fraction) -> None:
    """The budget keeps (ε, δ), nearly exhausts them, and no other order leaves more ρ."""
    made = made_for(epsilon, delta)
    (rho, xi), order = made.amount, made.order
    assert order is not None
    require(is_converted(epsilon, delta, rho, xi, order), f"the checker refuses {made}")
    more = is_converted(epsilon, delta, rho * Fraction(1002, 1000), xi, order)
    require(not more, f"{made}: a fiftieth of a tenth more ρ would do, too")
    require(0 < 100 * xi <= rho, f"ξ = {xi} is not small beside ρ = {rho}")
    best = most_rho(epsilon, delta, order)
    for other in {2, 3, max(2, order - 1), order + 1, 2 * order, 10**4, MAX_ORDER}:
        require(most_rho(epsilon, delta, other) <= best, f"order {other} leaves more ρ than {order}")
    least = concentrated_epsilon(rho, xi, delta)
    require(least.upper <= epsilon, f"{made}: converted back it is ε = {float(least)}")
    require(least.upper >= epsilon_at(order, rho, xi, delta).lower - LITTLE, "an order that was not tried is better")
    require(least.upper >= min(_epsilon(n, made.amount, delta).lower for n in range(2, 2 * order)), "ε is rounded down")


def _epsilon(order: int, amount: Amount, delta: Fraction) -> Enclosure:
    """λρ + ξ + (ln(1/δ) + ln((λ−1)^{λ−1}/λ^λ))/(λ−1), by one logarithm."""
    log = log_enclosure(Fraction((order - 1) ** (order - 1), order**order) / delta, DIGITS)
    ends = (order * amount.value + amount.xi + end / (order - 1) for end in (log.lower, log.upper))
    return Enclosure(*ends)


def _document(rho: Amount, epsilon: Fraction, delta: Fraction, order: Any) -> dict[str, Any]:
    """A derivation of one release, with another budget put in place of its own, and promised as well."""
    ledger = Ledger(Budget(Cost(CONCENTRATED, *rho), None), domain=WARDS)
    ledger.charge([charge_in_rho(ALL, Amount(rho.value / 2))])
    content = copy.deepcopy(ledger.derivation().content)
    stated = {"rho": str(rho.value), "xi": str(rho.xi), "epsilon": str(epsilon), "delta": str(delta), "order": order}
    content["budget"] = stated
    content["guarantee"] = {"measure": CONCENTRATED, **stated, "colluders": content["colluders"]}
    return content


def of_order(epsilon: Fraction, order: Any) -> None:
    """A derivation is accepted at a whole order from 2 to 10⁶ where the inequality holds, and refused at any other."""
    rho, delta = Amount(Fraction(1, 10**7), Fraction(1, 10**8)), Fraction(1, 10**6)
    found = verdict(_document(rho, epsilon, delta, order))
    whole = type(order) is int and 2 <= order <= MAX_ORDER
    # e^{−14} < δ; of these cases the others have the order 2 and ε = 8, whose δ is nearly e^{−8}/4
    holds = whole and (order - 1) * (order * rho.value + rho.xi - epsilon) < -14
    require((found is not None) == holds, f"the checker says {found}, it holds: {holds}")
    if found is not None:
        require((found.value, found.delta, found.order) == (epsilon, delta, order), f"promised is {found}")


def together(rho: Fraction, k: int, delta: Fraction) -> None:
    """k releases: converted once they cost the least ε of all orders for their sum; each by itself, k·ε and k·δ."""
    parts = [Amount(rho, rho / 100)] * k
    once, (each, total) = converted_once(parts, delta), converted_each(parts, delta)
    best = min(_epsilon(order, Amount(k * rho, k * rho / 100), delta).lower for order in range(2, 200))
    require(abs(once.upper - max(best, Fraction(0))) < LITTLE, f"converted once it is {float(once)}, not {float(best)}")
    single = concentrated_epsilon(*parts[0], delta)
    require(k * single.lower <= each.upper and each.lower <= k * single.upper, f"in parts it is ε = {float(each)}")
    fails = 1 - (1 - delta) ** k  # k releases that show all with probability δ, and nothing else
    require(fails <= total, f"k releases with δ = {float(delta)} fail with {float(fails)}, stated is {float(total)}")


def insiders(n: int, tolerate: int, colluders: int, variance: Fraction) -> None:
    """ρ against c colluders is 1/2 over the variance of what they cannot subtract; the ε is the best order's."""
    made = Budget.of(1, delta=Fraction(1, 10**6))
    share = variance / (n - tolerate)  # of one party, if this is the variance that ρ needs
    left = share * min(n - tolerate, n - colluders)
    needed, found = made.limit.value * variance / left, insider_rho(made, n, colluders, tolerate=tolerate)
    require(found == needed, f"with the variance {left} of {variance} ρ is {needed}, not {found}")
    epsilon = insider_concentrated_epsilon(made, n, colluders, tolerate=tolerate)
    if colluders <= tolerate:
        require(epsilon == Enclosure.exactly(Fraction(1)), f"promised was 1, found is {epsilon}")
        return
    best = min(_epsilon(order, Amount(needed, made.limit.xi), made.delta).lower for order in range(2, 100))
    require(abs(epsilon.upper - best) < LITTLE, f"the best order gives {float(best)}, not {float(epsilon)}")


def parties(most: int) -> Iterator[tuple[int, int, int, Fraction]]:
    """Up to so many parties, any number tolerated, any number of colluders."""
    for n in range(2, most + 1):
        yield from product([n], range(n), range(n), [Fraction(20)])


TAUS = [Amount(Fraction(rho), Fraction(xi)) for rho in ("1/1000", "1/40", "1/2") for xi in ("0", "1/10000")]

CLAIMS = (
    Claim(
        "thm-root-conversion",
        status="proved+checked",
        code=(
            "fdpedu.accounting.budget",
            "fdpedu.accounting.budget.concentrated_budget",
            "fdpedu.accounting.budget.concentrated_epsilon",
            "fdpedu.accounting.worked.two_currencies",
            "fdpedu.accounting.worked.two_currencies.converted_once",
            "fdpedu.accounting.worked.two_currencies.converted_each",
            "fdpedu.derivation_checker.is_converted",
            "fdpedu.dlpa.insiders_in_rho",
            "fdpedu.dlpa.insiders_in_rho.insider_concentrated_epsilon",
        ),
        checks=(
            Check(
                "inequality",
                "exact",
                "six (ρ, ξ), four ε, orders from 2 to {size}: the checker and the library agree to 40 digits with "
                "another computation",
                sharp,
                lambda most: product(
                    TAUS, points("1/10", 1, 3, 8), [n for n in (2, 3, 5, 22, 40, 100, 400) if n <= most]
                ),
                100,
                400,
                more=lambda draw: draw.tuples(
                    draw.tuples(draw.epsilons, draw.shares).map(lambda pair: Amount(*pair)),
                    draw.budgets,
                    draw.integers(2, 60),
                ),
            ),
            Check(
                "finite laws",
                "property",
                "{size} random pairs of laws, orders 2 to 6: the exact δ is at most what the exact divergence grants",
                of_laws,
                lambda draw: draw.tuples(
                    draw.positive_laws, draw.positive_laws, draw.integers(2, 6), draw.exp_epsilons
                ),
                100,
                3000,
            ),
            Check(
                "nearly attained",
                "exact",
                "pairs of laws at orders 2 to {size} whose δ is that of the bound, up to 10⁻⁹",
                nearly_attained,
                lambda most: product(range(2, most + 1), points(10**10, 10**12)),
                6,
                20,
            ),
            Check(
                "discrete Gaussian",
                "exact",
                "one and two counts with noise of {size} variances, four ε, seven orders: the exact δ is at most what "
                "is granted",
                gaussian_releases,
                lambda most: product(points("1/2", 1, 3, 10)[:most], (1, 2), points("1/2", 1, 2, 4)),
                3,
                4,
            ),
            Check(
                "budgets",
                "exact",
                "ε from 1/10 to 8 and three δ: order, ρ and ξ are as large as the checker allows",
                chosen,
                lambda _: product(points("1/10", "1/2", 1, 2, 8), points("1/100", "1e-6", "1e-9")),
            ),
            Check(
                "orders",
                "exact",
                "derivations with the orders 0, 1, 2, 3, 22, 10⁶, 10⁶ + 1, a text, a fraction, a truth value",
                of_order,
                lambda _: product(
                    points(8, 20), [0, 1, 2, 3, 5, 22, MAX_ORDER, MAX_ORDER + 1, "22", "5/2", True, None]
                ),
            ),
            Check(
                "in parts",
                "exact",
                "1 to {size} releases at three ρ and three δ: converted once, or each by itself",
                together,
                lambda most: product(points("1/1000", "1/100", "1/10"), (1, 2, most), points("1e-6", "1/1000", "1/10")),
                16,
                64,
            ),
            Check(
                "insiders",
                "exact",
                "up to {size} parties, any number of them tolerated, any number of colluders",
                insiders,
                parties,
                5,
                9,
                more=[
                    (8, 7, 7, Fraction(2)),
                    (8, 0, 5, Fraction(90)),
                    (7, 3, 5, Fraction(17, 8)),
                    (6, 5, 0, Fraction(7, 3)),
                ],
            ),
        ),
        assumptions=(WHOLE_ORDERS, RELATION, "the limits were fixed beforehand", ENCLOSED),
        uses=("thm-zcdp-to-dp", "thm-concentrated-filter", "lem-hockey-stick"),
    ),
)

TWINS = (
    Broken(
        "a conversion for each release",
        "fdpedu.accounting.worked.two_currencies.converted_once",
        "concentrated_epsilon(total.value, total.xi, delta)",
        "Enclosure.sum(concentrated_epsilon(*part, delta) for part in parts)",
        "A release has its ε and its δ, and the δ is the same for all.",
        "thm-root-conversion",
        "in parts",
    ),
    Broken(
        "one δ for all conversions",
        "fdpedu.accounting.worked.two_currencies.converted_each",
        "len(parts) * allowed",
        "allowed",
        "δ is the probability of an accident, and one accident is enough.",
        "thm-root-conversion",
        "in parts",
    ),
    Broken(
        "order 1",
        "fdpedu.derivation_checker._budget",
        '_integer(stated["order"], 2, "budget", "order")',
        'max(2, _integer(stated["order"], 1, "budget", "order"))',
        "Order 1 is the mean of the loss, and who bounds the mean bounds the loss.",
        "thm-root-conversion",
        "orders",
    ),
    Broken(
        "the mean under the numerator",
        "fdpedu.derivation_checker.is_converted",
        "(order - 1) * (order * rho",
        "order * (order * rho",
        "The mean of (P/Q)^λ is e^{λ·D}, whichever of both distributions it is taken under.",
        "thm-root-conversion",
        "inequality",
    ),
    Broken(
        "floats decide the conversion",
        "fdpedu.derivation_checker.is_converted",
        "_log(delta)[0] >= right",
        "float(_log(delta)[0]) >= float(right)",
        "Sixteen digits are enough for a δ of one in a million.",
        "thm-root-conversion",
        "inequality",
    ),
    Broken(
        "ξ is no part of the conversion",
        "fdpedu.derivation_checker.is_converted",
        "rho + xi - epsilon",
        "rho - epsilon",
        "What is converted is ρ.",
        "thm-root-conversion",
        "inequality",
    ),
    Broken(
        "ρ rounded up",
        "fdpedu.accounting.budget._rounded_down",
        "math.floor(rho / unit)",
        "math.ceil(rho / unit)",
        "Four digits are four digits, rounded to either side.",
        "thm-root-conversion",
        "budgets",
    ),
    Broken(
        "ε rounded down",
        "fdpedu.accounting.budget.concentrated_epsilon",
        "Enclosure(max(Fraction(0), found.lower), max(Fraction(0), found.upper))",
        "Enclosure.exactly(Fraction(math.floor(found.lower * 10**6), 10**6))",
        "An ε of six digits is exact enough to print.",
        "thm-root-conversion",
        "insiders",
    ),
    Broken(
        "insiders have all shares before them",
        "fdpedu.dlpa.insiders_in_rho.insider_rho",
        "Fraction(shares, n_parties - c)",
        "Fraction(shares, n_parties)",
        "Who knows a share still sees the sum of all.",
        "thm-root-conversion",
        "insiders",
    ),
)
