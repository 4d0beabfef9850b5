"""Two exercises on accounts in ρ: which currency needs less noise, and what ε a path of releases has."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from math import erfc, floor, log, sqrt
from typing import Any

from fdpedu.exercises.accounting.small_delta import zcdp_epsilon
from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number

BUDGETS = ((0.5, 0.0077), (1.0, 0.02801), (2.0, 0.1005), (1.0, 0.0141))  # (ε, ρ) for δ = 10⁻⁶, and once for 10⁻¹²


@cache
def offers() -> Sequence[Case]:
    """One to 12 features, four pairs of budgets; fewest features first."""
    return tuple((features, *pair) for features, pair in product(range(1, 13), BUDGETS))


def least_levels(features: int, epsilon: float, rho: float) -> Any:
    """The least number of levels at which the variance in ρ is the smaller one."""
    levels = 1
    while True:
        k = features * levels
        in_epsilon, in_rho = 2 * (k / epsilon) ** 2, k / (2 * rho)
        if in_rho < in_epsilon:
            return levels
        levels += 1


def _remark(case: Case, given: Any, expected: Any) -> str:
    features, epsilon, rho = case
    k = features * expected
    in_epsilon, in_rho = 2 * (k / epsilon) ** 2, k / (2 * rho)
    said = f"the variances are {in_epsilon:.4g} in ε, {in_rho:.4g} in ρ"
    return f"With {expected} levels a record moves {k} numbers: {said}."


def _beyond(least: float, features: float) -> int:
    """The least number of levels with more numbers than so many."""
    return max(1, floor(least / features) + 1)


CURRENCY = Exercise(
    id="acc-currency",
    kind="implement",
    hint="How many numbers does one record move along its path? Each of them gets the same part of the budget. Write "
    "down both variances, and count levels until they change places.",
    domain="one to 12 features, (ε, ρ) for ε = 1/2, 1, 2 at δ = 10⁻⁶, and for 1 at 10⁻¹²; fewest features first",
    cases=offers,
    size=lambda features, epsilon, rho: features,
    reference=least_levels,
    read=number,
    remark=_remark,
    explanation=(
        "A record is in one cell of each histogram of each level: k = features · levels numbers.\n"
        "In ε each of them has ε/k, hence a variance of 2k²/ε². In ρ each has ρ/k, hence k/(2ρ). The first grows like "
        "k², the second like k, and they are equal at k = ε²/(4ρ): about ten numbers at δ = 10⁻⁶, whatever ε is."
    ),
    wrong=(
        Misconception(
            "always takes ρ",
            lambda features, epsilon, rho: 1,
            "A small δ does not always pay: for few numbers the noise in ρ is larger. Compute both variances.",
        ),
        Misconception(
            "counts the levels only",
            lambda features, epsilon, rho: least_levels(1, epsilon, rho),
            "A record is in a cell of every feature's histogram: it moves features · levels numbers, not one a level.",
        ),
        Misconception(
            "counts √features",
            lambda features, epsilon, rho: _beyond(epsilon**2 / (4 * rho), sqrt(features)),
            "A vector of p ones has the length √p, and its square is p: a level costs like p numbers in both.",
        ),
        Misconception(
            "gives every number the whole ρ",
            lambda features, epsilon, rho: _beyond(epsilon / (2 * sqrt(rho)), features),
            "The numbers share the budget in either currency: each has ε/k, or ρ/k. Your ρ is not divided.",
        ),
        Misconception(
            "takes the variance of one side only",
            lambda features, epsilon, rho: _beyond(epsilon**2 / (2 * rho), features),
            "The variance of Laplace noise is twice the square of its scale k/ε.",
        ),
        Misconception(
            "takes ρ for 1/σ²",
            lambda features, epsilon, rho: _beyond(epsilon**2 / (8 * rho), features),
            "ρ = 1/(2σ²), so that σ² = 1/(2ρ₀) and not 1/(4ρ₀): check your factor of 2.",
        ),
        Misconception(
            "stops one level early",
            lambda features, epsilon, rho: max(1, least_levels(features, epsilon, rho) - 1),
            "At that number of levels ε still needs no more noise than ρ. Round up.",
        ),
        Misconception(
            "compares ε with ρ",
            lambda features, epsilon, rho: _beyond(epsilon / rho, features),
            "ε and ρ are no prices in one currency: their quotient says nothing about noise. Compare the variances.",
        ),
    ),
)


@cache
def accounts() -> Sequence[Case]:
    """One, four and sixteen releases of three ρ and one of mixed ones, three δ; fewest releases first."""
    lists = [[rho] * k for k in (1, 4, 16) for rho in (0.001, 0.01, 0.05)] + [[0.001] * 8 + [0.01] * 8]
    return tuple(product(lists, (1e-3, 1e-6, 1e-9)))


def least_epsilon(rhos: Sequence[float], delta: float) -> Any:
    """The ε of one number that costs what all releases cost together, by bisection."""
    from math import erfc, exp, sqrt

    mu = sqrt(2 * sum(rhos))

    def above(z: float) -> float:
        return erfc(z / sqrt(2)) / 2

    low, high = 0.0, 100.0
    for _ in range(60):
        epsilon = (low + high) / 2
        found = above(epsilon / mu - mu / 2) - exp(epsilon) * above(epsilon / mu + mu / 2)
        low, high = (epsilon, high) if found > delta else (low, epsilon)
    return high


def _tail_alone(rhos: Sequence[float], delta: float) -> float:
    """Where the loss is more than ε with probability δ."""
    mu, low, high = sqrt(2 * sum(rhos)), 0.0, 100.0
    for _ in range(60):
        epsilon = (low + high) / 2
        found = erfc((epsilon / mu - mu / 2) / sqrt(2)) / 2
        low, high = (epsilon, high) if found > delta else (low, epsilon)
    return high


def _classical(rho: float, delta: float) -> float:
    return rho + 2 * sqrt(rho * log(1 / delta))


NUMBER = Exercise(
    id="acc-number",
    kind="implement",
    hint="Which ρ is it that all releases together cost? δ falls as ε grows: halve an interval for ε again and again.",
    domain="1, 4 and 16 releases with ρ = 0.001, 0.01, 0.05, and a mixed path; δ = 0.001, 10⁻⁶, 10⁻⁹; fewest first",
    cases=accounts,
    size=lambda rhos, delta: len(rhos),
    reference=least_epsilon,
    read=number,
    explanation=(
        "The ρ of a path add up, and all releases together tell no more than one normal number of that ρ.\n"
        "Its δ is a difference of two tails and falls with ε, so bisection finds the least ε. The largest ρ for "
        "given (ε, δ), which a ledger needs, is found in the same way."
    ),
    wrong=(
        Misconception(
            "converts each release",
            lambda rhos, delta: sum(least_epsilon([rho], delta) for rho in rhos),
            "You convert each release and add the ε; then the δ would have to be added, too. Add the ρ, convert once.",
        ),
        Misconception(
            "takes the dearest release",
            lambda rhos, delta: least_epsilon([max(rhos)], delta),
            "All releases of a path look at the same record, which pays for each of them: their ρ add up.",
        ),
        Misconception(
            "adds the square roots",
            lambda rhos, delta: least_epsilon([sum(map(sqrt, rhos)) ** 2], delta),
            "It is ρ that adds up, and not √ρ, the part that is like ε.",
        ),
        Misconception(
            "takes μ = √ρ",
            lambda rhos, delta: least_epsilon([sum(rhos) / 2], delta),
            "The number has the variance 2ρ: μ is √(2ρ).",
        ),
        Misconception(
            "leaves out the second tail",
            _tail_alone,
            "That is the probability that the loss exceeds ε. δ is less: of what exceeds it, only the excess counts.",
        ),
        Misconception(
            "shares δ among the releases",
            lambda rhos, delta: least_epsilon(rhos, delta / len(rhos)),
            "There is one conversion, so it has the whole δ. A share each is for releases converted one by one.",
        ),
        Misconception(
            "takes the classical conversion",
            lambda rhos, delta: _classical(sum(rhos), delta),
            "ρ + 2√(ρ·ln(1/δ)) is right and larger than need be: it knows moments only. Use the δ of the number.",
        ),
        Misconception(
            "takes the best order",
            lambda rhos, delta: zcdp_epsilon(1, sqrt(2 * sum(rhos)), delta),
            "That is what moments can say, and 4 to 10 % too much. Use the δ of the number itself.",
        ),
    ),
)
