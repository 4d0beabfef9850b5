"""Two exercises on what a small δ is worth: coins that differ, and seventy histograms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import log, prod, sqrt
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number

MAX_COINS = 4
FACTORS = (Fraction(3, 2), Fraction(2), Fraction(3))


@cache
def coins() -> Sequence[Case]:
    """All lists of up to four e^ε, in order, with four or five e^ε' each; fewest coins first."""
    found: list[Case] = []
    for k in range(1, MAX_COINS + 1):
        for factors in combinations_with_replacement(FACTORS, k):
            targets = sorted({Fraction(1), Fraction(2), Fraction(5), prod(factors[1:]), prod(factors)})
            found += [(list(factors), b) for b in targets]
    return tuple(found)


def least_delta(exp_epsilons: Sequence[Any], exp_epsilon_prime: Any) -> Any:
    """δ(ε') of the tosses: the positive parts of P − e^ε'·Q, over all words."""
    words = [(1, 1)]
    for a in exp_epsilons:
        yes, no = a / (1 + a), 1 / (1 + a)
        words = [(p * yes, q * no) for p, q in words] + [(p * no, q * yes) for p, q in words]
    return sum(max(0, p - exp_epsilon_prime * q) for p, q in words)


def _words(factors: Sequence[Any]) -> list[tuple[int, Any, Any]]:
    """Of every word: how many noes it has, and its probability under either data set."""
    found = [(0, Fraction(1), Fraction(1))]
    for a in factors:
        yes, no = a / (1 + a), 1 / (1 + a)
        found = [word for i, p, q in found for word in ((i, p * yes, q * no), (i + 1, p * no, q * yes))]
    return found


def _alike(factors: Sequence[Any], b: Any, which: Callable[[Sequence[Any]], Any]) -> Any:
    return least_delta([which(factors)] * len(factors), b)


def _once_each(factors: Sequence[Any], b: Any) -> Any:
    first = {i: (p, q) for i, p, q in reversed(_words(factors))}
    return sum(max(0, p - b * q) for p, q in first.values())


OPTIMAL = Exercise(
    id="acc-optimal",
    kind="implement",
    hint="A word is one answer of each coin; there are 2^k. What is its probability under either data set, and which "
    "words belong to the worst event?",
    domain=f"one to {MAX_COINS} coins with e^ε = 3/2, 2 or 3, up to five e^ε' for each list; fewest coins first",
    cases=coins,
    size=lambda exp_epsilons, exp_epsilon_prime: len(exp_epsilons),
    reference=least_delta,
    read=number,
    explanation=(
        "Each toss multiplies the probability of a word by a/(1+a) on the one side and 1/(1+a) on the other, or the "
        "other way round, with a = e^ε of that coin.\n"
        "The least δ is the sum of the positive parts of P − e^ε'·Q over all 2^k words. For coins alike the words fall "
        "into k + 1 groups: the formula of the theorem. For different ones, and "
        "large k, the exact sum is hard to compute in general."
    ),
    wrong=(
        Misconception(
            "takes the largest ε for all",
            lambda exp_epsilons, exp_epsilon_prime: _alike(exp_epsilons, exp_epsilon_prime, max),
            "That is safe, and more than these coins cost: each has an ε of its own.",
        ),
        Misconception(
            "takes the first ε for all",
            lambda exp_epsilons, exp_epsilon_prime: _alike(exp_epsilons, exp_epsilon_prime, lambda f: f[0]),
            "The coins differ: each has an ε of its own, and you use that of the first.",
        ),
        Misconception(
            "counts each number of noes once",
            _once_each,
            "Many words have the same number of noes, and each of them counts, with its own probability.",
        ),
        Misconception(
            "takes the probability of a large loss",
            lambda exp_epsilons, exp_epsilon_prime: sum(
                p for _, p, q in _words(exp_epsilons) if p > exp_epsilon_prime * q
            ),
            "That is how often the loss is more than ε'. δ is what is left of it after e^ε'·Q is subtracted: less.",
        ),
        Misconception(
            "adds the losses only",
            lambda exp_epsilons, exp_epsilon_prime: int(exp_epsilon_prime < prod(exp_epsilons)),
            "With δ = 0 the tosses cost the sum of the ε, and that is all you use. Below it a small δ will do.",
        ),
        Misconception(
            "takes the worst word only",
            lambda exp_epsilons, exp_epsilon_prime: max(
                0, *(p - exp_epsilon_prime * q for i, p, q in _words(exp_epsilons) if not i)
            ),
            "The word of k yeses is the worst one, but every word with P > e^ε'·Q belongs to the event.",
        ),
        Misconception(
            "adds negative terms too",
            lambda exp_epsilons, exp_epsilon_prime: 1 - exp_epsilon_prime,
            "Without max(0, ·) the sum is 1 − e^ε' whatever the coins are. Words with P ≤ e^ε'·Q are left out.",
        ),
        Misconception(
            "clamps after the sum",
            lambda exp_epsilons, exp_epsilon_prime: 0,
            "The max(0, ·) stands inside the sum, once for each word. Outside it always gives 0: all words together "
            "have the sum 1 − e^ε', which is never positive.",
        ),
        Misconception(
            "stops at the middle",
            lambda exp_epsilons, exp_epsilon_prime: sum(
                p - exp_epsilon_prime * q for i, p, q in _words(exp_epsilons) if 2 * i < len(exp_epsilons)
            ),
            "You add all words with more yeses than noes. Which words count depends on ε': those with P > e^ε'·Q.",
        ),
    ),
)


@cache
def budgets() -> Sequence[Case]:
    """All (k, ε, δ), fewest releases first."""
    return tuple(product((1, 5, 20, 70), (0.05, 0.1, 0.5), (1e-9, 1e-6, 0.01, 0.5)))


def zcdp_epsilon(k: int, epsilon: float, delta: float) -> float:
    """The least ε of the tight conversion for ρ = k·ε²/2: bisect ψ(u) = ln(1/δ), give φ(u)."""
    from math import log, log1p

    rho, target = k * epsilon**2 / 2, log(1 / delta)
    low, high = 0.0, 1.0
    while rho * high**2 + log1p(high) < target:
        high *= 2
    for _ in range(200):
        u = (low + high) / 2
        low, high = (u, high) if rho * u**2 + log1p(u) < target else (low, u)
    return max(0.0, (1 + 2 * high) * rho + log(high / (1 + high)))


def _tight(rho: float, delta: float) -> float:
    return zcdp_epsilon(1, sqrt(2 * rho), delta)


def _at_order(k: int, epsilon: float, delta: float) -> float:
    rho, u = k * epsilon**2 / 2, sqrt(log(1 / delta) / (k * epsilon**2 / 2))
    return max(0.0, (1 + u) * rho + log(1 / delta) / u + log(u / (1 + u)) - log(1 + u) / u)


ZCDP = Exercise(
    id="acc-zcdp",
    kind="implement",
    hint="The left side increases with u: double an upper end until it is large enough, then halve the bracket 200 "
    "times.",
    domain="k = 1, 5, 20, 70, ε = 0.05, 0.1, 0.5 and δ = 10⁻⁹, 10⁻⁶, 0.01, 0.5; fewest releases first",
    cases=budgets,
    size=lambda k, epsilon, delta: k,
    reference=zcdp_epsilon,
    read=number,
    explanation=(
        "ρ grows with ε², so k small releases cost little: k·ε²/2. For 70 at 1/10 it is 0.35.\n"
        "The curve of best (ε', δ) has one parameter, the order λ = 1 + u. One equation gives u from δ, and another "
        "one ε' from u. No order has to be tried."
    ),
    wrong=(
        Misconception(
            "uses the classical conversion",
            lambda k, epsilon, delta: k * epsilon**2 / 2 + 2 * sqrt(k * epsilon**2 / 2 * log(1 / delta)),
            "ρ + 2√(ρ ln 1/δ) is right and larger than need be. Solve the equation for u.",
        ),
        Misconception(
            "takes the order of the classical conversion",
            _at_order,
            "You take the order that is best for the classical bound. For the tight one another order is better: solve "
            "the equation for u.",
        ),
        Misconception(
            "forgets the half",
            lambda k, epsilon, delta: _tight(k * epsilon**2, delta),
            "An ε-DP release is ρ-zCDP with ρ = ε²/2, not ε².",
        ),
        Misconception(
            "squares the sum",
            lambda k, epsilon, delta: _tight((k * epsilon) ** 2 / 2, delta),
            "You add the ε and square then. The ρ = ε²/2 of the releases add up: k·ε²/2 is k times less.",
        ),
        Misconception(
            "adds pure budgets",
            lambda k, epsilon, delta: k * epsilon,
            "That is what δ = 0 costs. A small δ buys more.",
        ),
        Misconception(
            "converts each release",
            lambda k, epsilon, delta: k * _tight(epsilon**2 / 2, delta),
            "You convert each release and add then. Add the ρ first, convert once: else δ too would have to be added.",
        ),
        Misconception(
            "goes below 0",
            lambda k, epsilon, delta: _below(k * epsilon**2 / 2, delta),
            "A negative ε' promises more than anybody needs to say: the answer is at least 0.",
        ),
    ),
)


def _below(rho: float, delta: float) -> float:
    low, high = 0.0, 2.0**40
    for _ in range(300):
        u = (low + high) / 2
        low, high = (u, high) if rho * u**2 + log(1 + u) < log(1 / delta) else (low, u)
    return (1 + 2 * high) * rho + log(high / (1 + high))
