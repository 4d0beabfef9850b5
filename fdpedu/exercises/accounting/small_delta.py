"""Two exercises on what a small δ is worth: k coins, and seventy histograms."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, log, sqrt
from typing import Any

from fdpedu.exercises.record import Case, Exercise, Misconception
from fdpedu.exercises.values import number

MOST = 6
FACTORS = (Fraction(3, 2), Fraction(2), Fraction(3))


@cache
def coins() -> Sequence[Case]:
    """All (e^ε, k, e^ε'), fewest coins first."""
    found = []
    for k, a in product(range(1, MOST + 1), FACTORS):
        found += [(a, k, b) for b in sorted({Fraction(1), Fraction(2), Fraction(5), a ** (k - 1), a**k})]
    return tuple(found)


def least_delta(exp_epsilon: Any, k: int, exp_epsilon_prime: Any) -> Any:
    """δ(ε') of k tosses, a sum over the number of tosses that speak against."""
    from math import comb

    a, b = exp_epsilon, exp_epsilon_prime
    return sum(comb(k, i) * max(0, a ** (k - i) - b * a**i) for i in range(k + 1)) / (1 + a) ** k


def _terms(a: Any, k: int, b: Any) -> list[tuple[int, Any, Any]]:
    return [(comb(k, i), a ** (k - i) / (1 + a) ** k, b * a**i / (1 + a) ** k) for i in range(k + 1)]


OPTIMAL = Exercise(
    id="acc-optimal",
    chapter="accounting",
    level="apply",
    kind="implement",
    title="What k coins cost",
    task=(
        "The worst of all $\\varepsilon$-DP mechanisms is a coin: yes with probability "
        "$e^\\varepsilon/(1+e^\\varepsilon)$ "
        "under the one data set, with $1/(1+e^\\varepsilon)$ under the other. It is tossed $k$ times. Write "
        "`least_delta(exp_epsilon, k, exp_epsilon_prime)`: the least $\\delta$ for which the $k$ tosses together are "
        "$(\\varepsilon',\\delta)$-DP, from `exp_epsilon` $=e^\\varepsilon>1$ and `exp_epsilon_prime` "
        "$=e^{\\varepsilon'}\\ge 1$, both fractions."
    ),
    hint="All words with the same number of noes have the same two probabilities. How many words are that, and which "
    "of "
    "them belong to the worst event?",
    domain=f"e^ε = 3/2, 2, 3 and 1 to {MOST} tosses, four or five e^ε' for each; fewest tosses first",
    cases=coins,
    size=lambda exp_epsilon, k, exp_epsilon_prime: k,
    reference=least_delta,
    read=number,
    stub=(
        'def least_delta(exp_epsilon, k, exp_epsilon_prime):\n    """The least δ of k tosses of the coin."""\n    ...'
    ),
    explanation=(
        "A word with i noes has probability a^(k−i)/(1+a)^k under the one and a^i/(1+a)^k under the other, with "
        "a = e^ε; there are C(k, i) such words.\n"
        "The least δ is the sum of the positive parts of P − e^ε'·Q over all words."
    ),
    wrong=(
        Misconception(
            "counts each number of noes once",
            lambda exp_epsilon, k, exp_epsilon_prime: sum(
                max(0, p - q) for _, p, q in _terms(exp_epsilon, k, exp_epsilon_prime)
            ),
            "There are C(k, i) words with i noes, and each of them has this probability.",
        ),
        Misconception(
            "takes the probability of a large loss",
            lambda exp_epsilon, k, exp_epsilon_prime: sum(
                n * p for n, p, q in _terms(exp_epsilon, k, exp_epsilon_prime) if p > q
            ),
            "That is how often the loss is more than ε'. δ is what is left of it after e^ε'·Q is subtracted: less.",
        ),
        Misconception(
            "adds the losses only",
            lambda exp_epsilon, k, exp_epsilon_prime: int(exp_epsilon_prime < exp_epsilon**k),
            "With δ = 0 the tosses cost k·ε, and that is all you use. Between the two a small δ will do.",
        ),
        Misconception(
            "takes the worst word only",
            lambda exp_epsilon, k, exp_epsilon_prime: max(
                0, *(p - q for _, p, q in _terms(exp_epsilon, k, exp_epsilon_prime)[:1])
            ),
            "The word of k yeses is the worst one, but every word with P > e^ε'·Q belongs to the event.",
        ),
        Misconception(
            "adds negative terms too",
            lambda exp_epsilon, k, exp_epsilon_prime: sum(
                n * (p - q) for n, p, q in _terms(exp_epsilon, k, exp_epsilon_prime)
            ),
            "Without max(0, ·) the sum is 1 − e^ε' whatever the coin is. Words with P ≤ e^ε'·Q are left out.",
        ),
        Misconception(
            "stops at the middle",
            lambda exp_epsilon, k, exp_epsilon_prime: sum(
                n * (p - q) for n, p, q in _terms(exp_epsilon, k, exp_epsilon_prime)[: (k + 1) // 2]
            ),
            "You add all words with more yeses than noes. Which words count depends on ε': those with (k − 2i)·ε > ε'.",
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
    chapter="accounting",
    level="apply",
    kind="implement",
    title="Seventy histograms",
    task=(
        "Write `zcdp_epsilon(k, epsilon, delta)`: the least $\\varepsilon'\\ge 0$ for which $k$ releases of "
        "$\\varepsilon$ each, in floats, are known to be $(\\varepsilon',\\delta)$-DP by way of zCDP. A pure release "
        "costs $\\rho=\\varepsilon^2/2$, and these add up. The tight conversion has the parameter $u>0$: at the $u$ "
        "with "
        "$\\rho u^2+\\ln(1+u)=\\ln(1/\\delta)$ the answer is $\\varepsilon'=(1+2u)\\rho+\\ln\\frac u{1+u}$, or 0 if "
        "that "
        "is negative. What do 70 histograms at $1/10$ each cost for $\\delta=10^{-6}$, instead of 7?"
    ),
    hint="The left side increases with u: double an upper end until it is large enough, then halve the bracket 200 "
    "times.",
    domain="k = 1, 5, 20, 70, ε = 0.05, 0.1, 0.5 and δ = 10⁻⁹, 10⁻⁶, 0.01, 0.5; fewest releases first",
    cases=budgets,
    size=lambda k, epsilon, delta: k,
    reference=zcdp_epsilon,
    read=number,
    stub=(
        "def zcdp_epsilon(k, epsilon, delta):\n"
        '    """The least ε that the tight conversion gives for k releases of epsilon each."""\n'
        "    rho = ...\n    ..."
    ),
    explanation=(
        "ρ grows with ε², so k small releases cost little: k·ε²/2. For 70 at 1/10 it is 0.35.\n"
        "The curve of best (ε', δ) has one parameter, the order α = 1 + u. One equation gives u from δ, and another "
        "one "
        "ε' from u. No order has to be tried."
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
