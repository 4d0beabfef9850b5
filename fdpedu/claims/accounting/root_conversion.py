"""From (ρ, ξ) to (ε, δ), once: the checker's inequality against other enclosures of the same δ, and exact δ of laws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product

from fdpedu import derivation_checker
from fdpedu.accounting import Amount, Budget, gaussian_epsilon
from fdpedu.accounting import budget as budgets
from fdpedu.accounting.normal import gaussian_delta, mills_ratio, normal_tail
from fdpedu.accounting.worked.two_currencies import converted_each, converted_once
from fdpedu.claims.accounting.optimal import ENCLOSED, RELATION, points
from fdpedu.claims.accounting.two_currencies import ONE_NUMBER
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.derivation_checker import is_converted
from fdpedu.dlpa.insiders_in_rho import insider_gaussian_epsilon, insider_rho
from fdpedu.exact import Enclosure, exp_enclosure, log_enclosure
from fdpedu.privacy import Law, hockey_stick

LITTLE = Fraction(1, 10**12)


def made_for(epsilon: Fraction, delta: Fraction) -> Budget:
    """The budget for (ε, δ), computed anew: what was kept from before would hide what has changed since."""
    return budgets._chosen.__wrapped__(Fraction(epsilon), Fraction(delta))


def are_far(epsilon: Fraction, rho: Fraction) -> bool:
    """Whether a = ε/μ − μ/2 is at least 1/4, for μ = √(2ρ): the checker decides nothing nearer than that."""
    return epsilon >= rho and 8 * (epsilon - rho) ** 2 >= rho


def sharp(amount: Amount, epsilon: Fraction) -> None:
    """The checker takes δ_G(ε − 2ξ)/(1 − ξ) and a little more, and refuses a little less; the library's ε agrees."""
    left = epsilon - 2 * amount.xi
    if left < 0 or not are_far(left, amount.value + LITTLE):
        require(not is_converted(epsilon, 1 - LITTLE, *amount), f"ε = {float(epsilon)} is too small, and accepted")
        return
    found = gaussian_delta(left, amount.value)
    if found.lower < Fraction(1, 10**300):
        return  # no δ is as small
    more, less = (end * (1 + sign * LITTLE) / (1 - amount.xi) for end, sign in ((found.upper, 1), (found.lower, -1)))
    require(is_converted(epsilon, more, *amount), f"δ = {float(more)} is refused")
    require(not is_converted(epsilon, less, *amount), f"δ a little below {float(less)} is accepted")
    if less > Fraction(1, 10**290):
        back = gaussian_epsilon(*amount, more).lower, gaussian_epsilon(*amount, less).upper
        require(back[0] <= epsilon <= back[1], f"from δ the library has ε = {float(back[0])}, not {float(epsilon)}")
        require(back[1] - back[0] <= 10**3 * LITTLE * epsilon, f"its ε is known to {float(back[1] - back[0])} only")


def a_root_above(epsilon: Fraction, rho: Fraction) -> None:
    """The μ from which the checker starts is at least √(2ρ), and hardly more: squared, as fractions."""
    low, high = derivation_checker._ends(epsilon, rho)
    mu = high - low
    require(2 * rho <= mu * mu <= 2 * rho * (1 + Fraction(1, 10**50)), f"μ² is {float(mu * mu)}, not {float(2 * rho)}")
    require(low * mu + mu * mu / 2 == epsilon, "its a is not ε/μ − μ/2")


def few_levels(z: Fraction, levels: int) -> None:
    """However few levels of the fraction are taken, one end is above Mills' ratio, and the other below."""
    above, below = (derivation_checker._mills(z, odd, levels) for odd in (0, 1))
    truth = mills_ratio(z)
    require(below < truth.upper and truth.lower < above, f"{float(below)}, {float(truth)}, {float(above)}")
    if levels < 2 and z <= 4:
        require(below < truth.lower and truth.upper < above, f"{levels} levels give {float(truth)} on the wrong side")
    tail, density = normal_tail(z), exp_enclosure(-z * z / 2) * Fraction(1000000, 2506628)
    near = abs(truth.upper - tail.upper / density.lower) < Fraction(1, 10**6)
    require(z > 4 or near, f"Mills' ratio is {float(truth)}, not {float(tail.upper / density.lower)}")


@lru_cache(maxsize=64)
def _buckets(mu: Fraction, cells: int) -> tuple[Law, Law]:
    """N(0, 1) and N(μ, 1) in cells between −3 and 3 + μ, as fractions: a function of one number, up to 10⁻¹²."""
    edges = [-3 + (6 + mu) * i / (cells - 2) for i in range(cells - 1)]
    laws = []
    for mean in (Fraction(0), mu):
        tails = [
            Fraction(1),
            *(normal_tail(edge - mean).upper.limit_denominator(10**13) for edge in edges),
            Fraction(0),
        ]
        laws.append({i: tails[i] - tails[i + 1] for i in range(cells)})
    return laws[0], laws[1]


def of_laws(mu: Fraction, xi: Fraction, weight: Fraction) -> None:
    """Laws within e^{±ξ} of cells of one number, as far apart as that allows: nothing below their exact δ is taken."""
    low, high = _buckets(mu, 40)
    rising = sorted(low, key=lambda i: high[i] / low[i])
    first, second = _tilted(high, rising[20:], xi), _tilted(low, rising[:20], xi)
    exact, epsilon = hockey_stick(first, second, weight), log_enclosure(weight).lower
    refused = not is_converted(epsilon, exact * (1 - Fraction(1, 10**6)), mu * mu / 2, xi)
    require(refused, f"at e^ε = {weight} the exact δ is {float(exact)}, and less is accepted")


def _tilted(law: Law, more: Sequence[int], xi: Fraction) -> Law:
    """As much mass moved to these outputs as factors from e^{−ξ} to e^ξ allow."""
    up = exp_enclosure(xi).lower
    there = sum((law[i] for i in more), Fraction(0))
    moved = min(there * (up - 1), (1 - there) * (1 - 1 / up))
    return {i: p * (1 + moved / there if i in more else 1 - moved / (1 - there)) for i, p in law.items()}


def chosen(epsilon: Fraction, delta: Fraction) -> None:
    """The budget keeps (ε, δ), and the next ρ of four digits does not; ξ is small beside it."""
    made = made_for(epsilon, delta)
    rho, xi = made.amount
    require(made.order is None and is_converted(epsilon, delta, rho, xi), f"the checker refuses {made}")
    more = rho * Fraction(1001, 1000)
    require(not is_converted(epsilon, delta, more, xi), f"{made}: a thousandth more ρ would do, too")
    require(0 < 1000 * xi <= rho < 10**4 * xi, f"ξ = {xi} is not the power of ten below ρ/1000 = {rho / 1000}")
    least = gaussian_epsilon(rho, xi, delta)
    require(least.upper <= epsilon, f"{made}: converted back it is ε = {float(least)}")
    require(least.lower >= epsilon * Fraction(999, 1000), f"{made}: converted back it is ε = {float(least)} only")


def together(rho: Fraction, k: int, delta: Fraction) -> None:
    """k releases: converted once they cost the ε of their sum; each by itself, k·ε and k·δ."""
    parts = [Amount(rho, rho / 1000)] * k
    once, (each, total) = converted_once(parts, delta), converted_each(parts, delta)
    for end, sign in ((once.upper + LITTLE, 1), (once.lower - LITTLE, -1)):
        if once.lower > 2 * k * rho / 1000:
            left = end - 2 * k * rho / 1000
            found, allowed = gaussian_delta(left, k * rho), delta * (1 - k * rho / 1000)
            right = found.lower <= allowed if sign == 1 else found.upper >= allowed
            require(right, f"converted once it is {float(once)}, and δ there {float(found)}")
    single = gaussian_epsilon(*parts[0], delta)
    require(k * single.lower <= each.upper and each.lower <= k * single.upper, f"in parts it is ε = {float(each)}")
    fails = 1 - (1 - delta) ** k  # k releases that show all with probability δ, and nothing else
    require(fails <= total, f"k releases with δ = {float(delta)} fail with {float(fails)}, stated is {float(total)}")


def insiders(n: int, tolerate: int, colluders: int) -> None:
    """What insiders get of any release, with shares as the rule makes them, is at most that part of ρ of theirs."""
    made = Budget.of(1, delta=Fraction(1, 10**6))
    m, left = n - tolerate, min(n - tolerate, n - colluders)
    found = insider_rho(made, n, colluders, tolerate=tolerate)
    for l2_squared, part in product((1, 3, 10), (1, 2, 16)):
        rho = made.limit.value / part
        share = max(Fraction(2), (l2_squared / (2 * rho) + 1) / m)
        theirs = l2_squared / (2 * (left * share - 1))
        require(theirs <= found / part, f"a release with shares of {share} costs them {theirs}, told is {found / part}")
    epsilon = insider_gaussian_epsilon(made, n, colluders, tolerate=tolerate)
    if colluders <= tolerate:
        require(epsilon == Enclosure.exactly(Fraction(1)), f"promised was 1, found is {epsilon}")
        return
    granted = gaussian_delta(epsilon.upper - 2 * made.limit.xi, found).upper
    require(granted <= made.delta * (1 - made.limit.xi), f"ε = {float(epsilon)} is not enough for ρ = {found}")


def parties(most: int) -> Iterator[tuple[int, int, int]]:
    """Up to so many parties, any number tolerated, any number of colluders."""
    for n in range(2, most + 1):
        yield from product([n], range(n), range(n))


TAUS = [Amount(Fraction(rho), Fraction(xi)) for rho in ("1/1000", "1/40", "1/2") for xi in ("0", "1/10000", "1/10")]

CLAIMS = (
    Claim(
        "thm-gaussian-root",
        status="proved+checked",
        code=(
            "fdpedu.accounting.budget",
            "fdpedu.accounting.budget.gaussian_budget",
            "fdpedu.accounting.budget.gaussian_epsilon",
            "fdpedu.accounting.normal.gaussian_delta",
            "fdpedu.accounting.worked.two_currencies",
            "fdpedu.accounting.worked.two_currencies.converted_once",
            "fdpedu.accounting.worked.two_currencies.converted_each",
            "fdpedu.derivation_checker.is_converted",
            "fdpedu.dlpa.insiders_in_rho",
            "fdpedu.dlpa.insiders_in_rho.insider_gaussian_epsilon",
        ),
        checks=(
            Check(
                "inequality",
                "exact",
                "nine (ρ, ξ), {size} ε: the checker and the library agree to twelve digits with each other",
                sharp,
                lambda most: product(TAUS, points("1/10", 1, 3, 8, "1/2", "21/10", 30)[:most]),
                4,
                7,
                more=lambda draw: draw.tuples(
                    draw.tuples(draw.epsilons, draw.shares.map(lambda share: share / 2)).map(
                        lambda pair: Amount(*pair)
                    ),
                    draw.budgets,
                ),
            ),
            Check(
                "root",
                "exact",
                "seven ρ, three ε: the checker's μ is at least √(2ρ), and hardly more",
                a_root_above,
                lambda _: product(
                    points("1/10", 1, 100), points("1/8", "1/2", 2, "2801/100000", "1e-9", "1e-300", "999/7")
                ),
            ),
            Check(
                "levels",
                "exact",
                "0, 1, 3 and {size} times the least number of levels of Mills' fraction: never on the wrong side",
                few_levels,
                lambda most: product(points("1/4", "1/2", 1, 2, 4, 9, 20), (0, 1, 3, most)),
                10,
                40,
            ),
            Check(
                "laws",
                "exact",
                "one number in 40 cells, three μ, three ξ, {size} ε: distributions as far apart as ξ allows; less "
                "than their "
                "exact δ is refused",
                of_laws,
                lambda most: product(points("1/2", 1, 2), points("0", "1/20", "1/5"), points(2, 3, 6, 12)[:most]),
                3,
                4,
            ),
            Check(
                "budgets",
                "exact",
                "ε from 1/10 to 8 and three δ: ρ is as large as the checker allows",
                chosen,
                lambda _: product(points("1/10", "1/2", 1, 2, 8), points("1/100", "1e-6", "1e-9")),
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
                "up to {size} parties, any number of them tolerated, any number of colluders, nine releases",
                insiders,
                parties,
                5,
                9,
                more=[(8, 7, 7), (8, 0, 5), (7, 3, 5), (6, 5, 0)],
            ),
        ),
        assumptions=(ONE_NUMBER, RELATION, "the limits were fixed beforehand", ENCLOSED),
        uses=("thm-gaussian", "thm-gaussian-filter", "lem-hockey-stick"),
    ),
)

TWINS = (
    Broken(
        "a conversion for each release",
        "fdpedu.accounting.worked.two_currencies.converted_once",
        "gaussian_epsilon(total.value, total.xi, delta)",
        "Enclosure.sum(gaussian_epsilon(*part, delta) for part in parts)",
        "A release has its ε and its δ, and the δ is the same for all.",
        "thm-gaussian-root",
        "in parts",
    ),
    Broken(
        "one δ for all conversions",
        "fdpedu.accounting.worked.two_currencies.converted_each",
        "len(parts) * allowed",
        "allowed",
        "δ is the probability of an accident, and one accident is enough.",
        "thm-gaussian-root",
        "in parts",
    ),
    Broken(
        "ξ once",
        "fdpedu.derivation_checker.is_converted",
        "epsilon - 2 * xi",
        "epsilon - xi",
        "Probabilities are off by e^ξ, so ε is.",
        "thm-gaussian-root",
        "inequality",
    ),
    Broken(
        "no e^ξ at δ",
        "fdpedu.derivation_checker.is_converted",
        "delta * (1 - xi)",
        "delta",
        "What ξ changes has been taken from ε.",
        "thm-gaussian-root",
        "inequality",
    ),
    Broken(
        "μ rounded down",
        "fdpedu.derivation_checker._ends",
        "math.isqrt(math.ceil(2 * rho * unit * unit)) + 1",
        "math.isqrt(math.ceil(2 * rho * unit * unit))",
        "Sixty digits are exact.",
        "thm-gaussian-root",
        "root",
    ),
    Broken(
        "√ρ for √(2ρ)",
        "fdpedu.derivation_checker._ends",
        "2 * rho * unit",
        "rho * unit",
        "The variance of the number is ρ.",
        "thm-gaussian-root",
        "root",
    ),
    Broken(
        "the truncation below for the one above",
        "fdpedu.derivation_checker._mills",
        "/ (z * z))) + odd",
        "/ (z * z))) + 1 - odd",
        "With so many levels it does not matter on which side one stops.",
        "thm-gaussian-root",
        "levels",
    ),
    Broken(
        "ε rounded down",
        "fdpedu.accounting.budget.gaussian_epsilon",
        "Enclosure(low + 2 * more, high + 2 * more)",
        "Enclosure.exactly(Fraction(math.floor(low * 10**6), 10**6))",
        "An ε of six digits is exact enough to print.",
        "thm-gaussian-root",
        "insiders",
    ),
    Broken(
        "insiders by the number of shares",
        "fdpedu.dlpa.insiders_in_rho.insider_rho",
        "(shares * least - 1) / (left * least - 1)",
        "Fraction(shares, left)",
        "With half of the shares the variance is half, so ρ is twice as much.",
        "thm-gaussian-root",
        "insiders",
    ),
    Broken(
        "insiders have all shares before them",
        "fdpedu.dlpa.insiders_in_rho.insider_rho",
        "(left * least - 1)",
        "(n_parties * least - 1)",
        "Someone who knows a share still sees the sum of all.",
        "thm-gaussian-root",
        "insiders",
    ),
    Broken(
        "ξ for all that is small",
        "fdpedu.accounting.budget.xi_of",
        "_exponent(rho) - 3",
        "_exponent(rho) - 2",
        "A hundredth is small, too.",
        "thm-gaussian-root",
        "budgets",
    ),
)
