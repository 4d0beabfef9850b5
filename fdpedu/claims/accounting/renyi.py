"""Rényi privacy of Laplace and Gaussian noise, against integrals."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from fdpedu.accounting import gaussian_to_zcdp, pure_to_zcdp, rdp_gaussian, rdp_laplace
from fdpedu.claims.accounting.concentrated import ZCDP, halves
from fdpedu.claims.accounting.optimal import points
from fdpedu.claims.checking import grid, require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.exact import exp_enclosure, log_enclosure


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


IDEAL = "ideal real numbers: no float has these laws"
ORDERS = r"all orders $\lambda > 1$"

CLAIMS = (
    Claim(
        "lem-rdp-laplace",
        status="proved+checked",
        code=("fdpedu.accounting.renyi.rdp_laplace",),
        checks=(
            Check(
                "integral",
                "exact",
                "twelve (λ, ε): the integral, by sums of {size} steps from below and from above",
                laplace_integral,
                lambda steps: product(points("9/8", "3/2", 2, 5), points("1/10", 1, 3), [steps]),
                150,
                3000,
            ),
            Check(
                "bounds",
                "exact",
                "orders up to {size}: at most ε and λε²/2, increasing in λ and ε, k releases cost k times as much",
                laplace_bounds,
                lambda most: product(halves(3, 2 * most), points("1/100", "1/3", 1, 4)),
                6,
                60,
            ),
        ),
        assumptions=("neighbours: those for which Δ is the sensitivity", ORDERS, IDEAL),
        uses=(),
    ),
    Claim(
        "lem-rdp-gaussian",
        status="proved+checked",
        code=("fdpedu.accounting.renyi.rdp_gaussian", "fdpedu.accounting.concentrated.gaussian_to_zcdp"),
        checks=(
            Check(
                "square completed",
                "machine proof",
                "the exponents of p^λ·q^(1−λ) and of the shifted law are the same polynomial",
                square_completed,
                lambda _: grid(variables=3, degree=2),
            ),
            Check(
                "integers",
                "exact",
                "orders 2 to {size}, four σ²: on the integers the divergence is the same, by enclosed sums",
                gaussian_sum,
                lambda most: product(range(2, most + 1), points("1/4", 1, 2, 5)),
                4,
                12,
            ),
        ),
        assumptions=(r"neighbours: those for which $\Delta$ is the $\ell_2$ sensitivity", ORDERS, ZCDP, IDEAL),
        uses=(),
    ),
)

TWINS = (
    Broken(
        "both tails alike",
        "fdpedu.accounting.renyi.rdp_laplace",
        "(a - 1) / a * end",
        "end",
        "The density is symmetric, so its two tails have the same weight.",
        "lem-rdp-laplace",
        "integral",
    ),
    Broken(
        "σ for σ²",
        "fdpedu.accounting.renyi.rdp_gaussian",
        "ratio**2 / 2",
        "ratio / 2",
        "The Rényi divergence of Gaussian noise is αΔ/(2σ).",
        "lem-rdp-gaussian",
        "integers",
    ),
)
