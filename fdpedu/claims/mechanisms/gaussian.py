# Longer than 400 lines because two ways of drawing belong to one theorem, which is read beside its real counterpart.

"""Gaussian noise: over ideal reals, in floats, and over the integers exactly."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from fdpedu.claims.checking import require
from fdpedu.claims.mechanisms.reals import CALLER, IDEAL
from fdpedu.claims.mechanisms.sampling import GAUSSIANS, Stated, drawn, enclosed, table
from fdpedu.claims.mechanisms.words import Pmf, nothing_repeats, rates_are_divided, values_do_not_matter, words_are_own
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import Probability, enumerate_law, intersects, patched, require_joint_law, require_law
from fdpedu.exact import Enclosure, Rate, exp_enclosure
from fdpedu.mechanisms import (
    classical_gaussian_sigma,
    discrete_gaussian_delta,
    discrete_gaussian_pmf,
    discrete_laplace_pmf,
    gaussian_delta,
    gaussian_logpdf,
    gaussian_sigma,
)
from fdpedu.sampling import exp_coin, exp_coins, two_sided_geometric
from fdpedu.sampling.gaussians import by_rejection, discrete_gaussian_law

_ROUNDING, _TINY = 1e-12, Fraction(1, 10**25)
_REJECTED = 10**6


def coins(exponents: tuple[Fraction, ...], words: int) -> None:
    """Coins of one call, each with its own probability e^−γ, close calls included."""
    near = np.array([float(exp_enclosure(-gamma).lower) for gamma in exponents])
    heads = [exp_enclosure(-gamma) for gamma in exponents]
    laws = [coin_of(p) for p in heads]
    require_joint_law(lambda tape: exp_coins(near, exponents.__getitem__, tape).astype(np.int64), laws, words)


def coin_of(heads: Probability) -> Pmf:
    """1 with that probability, 0 otherwise."""
    return lambda side: heads if side else 1 - heads


def pairs_of_coins(words: int) -> Iterator[tuple[tuple[Fraction, ...], int]]:
    """Two coins of one bias, and of two."""
    yield (Fraction(1), Fraction(1)), words
    yield (Fraction(1, 3), Fraction(5, 2)), words


def attempts(size: int, calls: int, words: int) -> None:
    """With small parts in place of the sampler's own: each proposal has its own coin, and is drawn again for itself.

    A proposal is 0 or 2, by a bit; a 0 is kept, a 2 is kept if another bit says so. So 0 has probability 2/3.
    """

    def none_or_two(rate: Rate, n: int, source: Any) -> Any:
        return 2 * source.words(n).astype(np.int64)

    def kept(likely: Any, gamma: Callable[[int], Fraction], source: Any) -> Any:
        for i, p in enumerate(likely):
            require(abs(math.exp(-float(gamma(i))) - p) < 1e-9, f"coin {i} has probability {p}, and e^−{gamma(i)}")
        return source.words(likely.size).astype(bool) | (likely > np.exp(-1))

    mass = {0: Fraction(2, 3), 2: Fraction(1, 3)}
    with patched(f"fdpedu.{GAUSSIANS}", two_sided_geometric=none_or_two, exp_coins=kept):
        require_joint_law(
            lambda tape: [by_rejection(Fraction(1, 2), size, tape) for _ in range(calls)],
            [lambda k: mass.get(k, Fraction(0))] * (size * calls),
            words,
            word_bits=1,
        )


def proposals(words: int) -> Iterator[tuple[int, int, int]]:
    """Two numbers of one call, and of two calls."""
    return ((size, calls, words) for size, calls in ((2, 1), (1, 2)))


def thresholds(epsilon: Fraction, sigma: Fraction, sensitivity: Fraction) -> None:
    """The event of the outputs above Δ/2 + εσ²/Δ has the excess δ as stated; other thresholds have no more."""
    eps, s, d = (float(x) for x in (epsilon, sigma, sensitivity))

    def excess(t: float) -> float:
        return (math.erfc((t - d) / s / math.sqrt(2)) - math.exp(eps) * math.erfc(t / s / math.sqrt(2))) / 2

    stated, best = gaussian_delta(epsilon, sigma, sensitivity=sensitivity), d / 2 + eps * s * s / d
    require(0 <= stated <= 1, f"δ is {stated}")
    require(abs(excess(best) - stated) <= _ROUNDING, f"the event of the outputs above {best} exceeds by {excess(best)}")
    for i in range(-40, 41):
        require(excess(best + s * i / 10) <= stated + _ROUNDING, f"outputs above {best + s * i / 10} exceed by more")


def renyi(order: Fraction, sigma: Fraction, sensitivity: Fraction) -> None:
    """(1/(λ−1))·ln ∫ p^λ q^{1−λ} is λΔ²/2σ²; the trapezoidal rule is exact to rounding for such integrands."""
    lam, s, d = (float(x) for x in (order, sigma, sensitivity))
    x = lam * d + s * np.arange(-14, 14, 1 / 16, dtype=np.float64)  # the integrand is a bell around λΔ
    logs = lam * gaussian_logpdf(x - d, s) + (1 - lam) * gaussian_logpdf(x, s)
    top = float(logs.max())
    found = (top + math.log(float(np.exp(logs - top).sum()) * s / 16)) / (lam - 1)
    stated = lam * d * d / (2 * s * s)
    require(abs(found - stated) <= 1e-8 * (1 + stated), f"the divergence is {found}, stated {stated}")


def calibration(epsilon: Fraction, delta: Fraction) -> None:
    """The calibrated σ is enough, a millionth less is not; the classical σ is larger."""
    sigma, most = gaussian_sigma(epsilon, delta), float(delta)
    require(
        gaussian_delta(epsilon, sigma) <= most * (1 + 1e-9), f"σ = {sigma} has δ = {gaussian_delta(epsilon, sigma)}"
    )
    require(gaussian_delta(epsilon, sigma * (1 - 1e-6)) > most, f"less than σ = {sigma} would do")
    require(classical_gaussian_sigma(epsilon, delta) >= sigma, "the classical σ is smaller")
    require(abs(gaussian_sigma(epsilon, delta, sensitivity=3) / sigma - 3) < 1e-9, "σ is not proportional to Δ")


def one_attempt(rho: Fraction, words: int) -> None:
    """What rejection returns at the first attempt has the stated law, times the probability of acceptance."""
    variance = 1 / (2 * rho)
    t = math.isqrt(math.floor(variance)) + 1
    gamma = (variance / t) ** 2 / (2 * variance)  # the exponent of the coin at 0
    share = discrete_laplace_pmf(0, Fraction(1, t)) * exp_enclosure(-gamma) / discrete_gaussian_pmf(0, rho)

    def sampler(tape: Any) -> int:
        attempts: list[int] = []

        def once(rate: Rate, size: int, source: Any) -> Any:
            if attempts:
                raise _Rejected
            attempts.append(1)
            return two_sided_geometric(rate, size, source)

        with patched(f"fdpedu.{GAUSSIANS}", two_sided_geometric=once):
            try:
                return int(by_rejection(variance, 1, tape)[0])
            except _Rejected:
                return _REJECTED

    decided, undecided = enumerate_law(sampler, 4, words)
    rejected = decided.pop(_REJECTED, Fraction(0))
    require(undecided < Fraction(1, 10), f"a share of {float(undecided):.3f} is undecided")
    require(rejected <= (1 - share).upper, f"{float(rejected):.4f} are rejected, expected {1 - share}")
    for k, mass in sorted(decided.items()):
        stated = share * discrete_gaussian_pmf(k, rho)
        require(
            mass <= stated.upper and stated.lower <= mass + undecided,
            f"{k} is kept at once with {float(mass):.5f}, stated {stated}",
        )


def budgets(words: int) -> Iterator[tuple[Fraction, int]]:
    """Three ρ."""
    return product((Fraction(1), Fraction(2), Fraction(4)), [words])


class _Rejected(Exception):
    """A second attempt was needed."""


def tabled(variance: Fraction) -> Stated:
    """The law that the table is made of, not one that was kept from before; and its probabilities by their formula."""
    law = discrete_gaussian_law.__wrapped__(variance)
    return Stated(f"σ² = {variance}", law, lambda index: discrete_gaussian_pmf(law.value(index), 1 / (2 * variance)))


def gaussian_tables(values: int) -> Iterator[tuple[Stated, int, int]]:
    """Four σ², words of 4 to 32 bits."""
    return product([tabled(Fraction(v)) for v in ("1/50", "1/2", "7/3", "60")], (4, 8, 16, 32), [values])


def gaussian_bounds(values: int) -> Iterator[tuple[Stated, int, int]]:
    """Four σ² and, if so many values are looked at, the largest that has a table; three numbers of bits."""
    variances = ["1/50", "1/2", "7/3", "60", *["90000"] * (values > 1000)]
    return product([tabled(Fraction(v)) for v in variances], (8, 64, 120), [values])


def small_gaussians(words: int) -> Iterator[tuple[Stated, int]]:
    """Three σ²."""
    return product([tabled(Fraction(v)) for v in ("1/4", "1/2", "2")], [words])


def coin(gamma: Fraction, words: int) -> None:
    """Coins with an approximate probability at hand, and without: heads with probability e^−γ exactly."""
    near, stated = np.array([math.exp(-float(gamma))]), exp_enclosure(-gamma)
    for toss in (lambda tape: int(exp_coins(near, lambda i: gamma, tape)[0]), lambda tape: int(exp_coin(gamma, tape))):
        require_law(toss, lambda heads: stated if heads else 1 - stated, words, Fraction(1, 1000))


def exponents(words: int) -> Iterator[tuple[Fraction, int]]:
    """Six γ."""
    return product((Fraction(x) for x in ("1/16", "1/3", "1", "5/2", "4", "0")), [words])


def discrete_renyi(rho: Fraction, order: Fraction, distance: int) -> None:
    """Σ p(k)^λ p(k−d)^{1−λ} is at most e^{λ(λ−1)d²/2σ²}, and equal for integer λ; with p(k)/p(0) = e^{−k²/2σ²}."""
    variance, top = 1 / (2 * rho), discrete_gaussian_pmf(0, rho)
    total, reach = Enclosure.exactly(Fraction(0)), math.isqrt(math.ceil(variance * 140)) + 6 * distance
    for k in range(-reach, reach + 1):
        bell = exp_enclosure(-Fraction(k * k) / (2 * variance))
        require(intersects(discrete_gaussian_pmf(k, rho), top * bell), f"Pr[{k}]/Pr[0] is not e^(−k²/2σ²)")
        total += top * exp_enclosure(-(order * k * k + (1 - order) * (k - distance) ** 2) / (2 * variance))
    share = total / exp_enclosure(order * (order - 1) * distance**2 / (2 * variance))
    require(share.lower <= 1, f"the sum is {share} times what is allowed")
    require(order.denominator > 1 or share.upper >= 1 - _TINY, f"for an integer order the sum is only {share} of it")


def distances(most: int) -> Iterator[tuple[Fraction, Fraction, int]]:
    """Two ρ, four orders, and distances up to ``most``."""
    orders = (Fraction(x) for x in ("3/2", "2", "5/2", "3"))
    return product((Fraction(1, 2), Fraction(1, 8)), orders, range(1, most + 1))


def discrete_delta(rho: Fraction, epsilon: Fraction, terms: int) -> None:
    """The stated δ is Σ max(0, p(k) − e^ε p(k−1))."""
    factor, total = exp_enclosure(epsilon), Enclosure.exactly(Fraction(0))
    for k in range(-terms, terms + 1):
        excess = discrete_gaussian_pmf(k, rho) - factor * discrete_gaussian_pmf(k - 1, rho)
        total += Enclosure(max(Fraction(0), excess.lower), max(Fraction(0), excess.upper))
    stated = discrete_gaussian_delta(epsilon, rho)
    wide = Enclosure(total.lower, total.upper + _TINY)
    require(intersects(stated, wide), f"the positive excesses add up to {total}, stated is {stated}")


def excesses(terms: int) -> Iterator[tuple[Fraction, Fraction, int]]:
    """Three ρ, four ε."""
    rhos, epsilons = (map(Fraction, numbers) for numbers in (("1/2", "1/8", "2"), ("0", "1/2", "1", "2")))
    return product(rhos, epsilons, [terms])


GAUSSIAN = (
    words_are_own("gaussian"),
    nothing_repeats("gaussian"),
)


DISCRETE_GAUSSIAN = (
    Check(
        "joint law of coins",
        "exact",
        "two coins of one bias and of two, over all tapes of {size} 3-bit words: the product of their distributions",
        coins,
        pairs_of_coins,
        4,
        5,
    ),
    Check(
        "attempts",
        "exact",
        "two numbers of one call and of two, one bit a proposal and a coin, over all tapes of {size} bits",
        attempts,
        proposals,
        12,
        15,
    ),
    nothing_repeats("discrete Gaussian", "discrete Gaussian, small", "coins"),
    rates_are_divided("discrete Gaussian"),
    values_do_not_matter("discrete Gaussian"),
)


CLAIMS = (
    Claim(
        "thm-gaussian",
        status="proved+checked",
        code=("fdpedu.mechanisms.normal", "fdpedu.mechanisms.normal.gaussian_delta"),
        checks=(
            Check(
                "best threshold",
                "property",
                "{size} random (ε, σ, Δ), in floats: one threshold attains the stated δ, and none of 81 gets more",
                thresholds,
                lambda draw: draw.tuples(draw.scales, draw.scales, draw.scales),
                40,
                1000,
            ),
            Check(
                "Rényi",
                "property",
                "{size} random (λ, σ, Δ), in floats: the integral of the shipped density, by the trapezoidal rule",
                renyi,
                lambda draw: draw.tuples(draw.orders, draw.scales, draw.scales),
                40,
                1000,
            ),
            Check(
                "calibration",
                "property",
                "{size} random (ε, δ), in floats: the calibrated σ is enough, a millionth less is not, the classical "
                "is more",
                calibration,
                lambda draw: draw.tuples(draw.shares, draw.small_deltas),
                40,
                1000,
            ),
            *GAUSSIAN,
        ),
        assumptions=(CALLER, IDEAL, "the checks compute in floats, with a stated tolerance"),
        uses=("lem-hockey-stick",),
    ),
    Claim(
        "thm-discrete-gaussian",
        status="proved+checked",
        code=(
            "fdpedu.mechanisms.normal",
            "fdpedu.mechanisms.normal.discrete_gaussian",
            "fdpedu.sampling.gaussians",
            "fdpedu.sampling.gaussians.discrete_gaussian_noise",
            "fdpedu.sampling.gaussians.by_rejection",
        ),
        checks=(
            Check(
                "replayed law",
                "exact",
                "rejection over all tapes of {size} 4-bit words",
                one_attempt,
                budgets,
                3,
                4,
            ),
            Check(
                "words and residual",
                "exact",
                "tables of four σ² for words of 4 to 32 bits: words + residual = 2^w·p for {size} values",
                table,
                gaussian_tables,
                40,
                200,
                more=lambda draw: draw.tuples(draw.scales, draw.st.sampled_from([4, 8, 16, 32])).map(
                    lambda case: (tabled(case[0]), case[1], 60)
                ),
            ),
            Check(
                "enclosures",
                "exact",
                "the distribution functions of these tables lie in their bounds, which close, for {size} values",
                enclosed,
                gaussian_bounds,
                40,
                4000,
                more=lambda draw: draw.tuples(draw.scales, draw.integers(4, 150)).map(
                    lambda case: (tabled(case[0]), case[1], 90)
                ),
            ),
            Check(
                "replayed table",
                "exact",
                "numbers from a table, fast and slow, over all tapes of {size} 4-bit words",
                drawn,
                small_gaussians,
                3,
                4,
                more=[(tabled(Fraction(variance)), 3) for variance in ("1/4", "1", "3")],
            ),
            Check(
                "coins",
                "exact",
                "coins of probability e^(−γ), six γ, over all tapes of {size} 4-bit words",
                coin,
                exponents,
                3,
                5,
            ),
            Check(
                "Rényi",
                "exact",
                "λ = 3/2, 2, 5/2, 3 and distances up to {size}, enclosed: at most λd²/2σ², equal for integers",
                discrete_renyi,
                distances,
                2,
                4,
            ),
            Check(
                "δ",
                "exact",
                "three ρ, ε = 0, 1/2, 1, 2, enclosed: the stated δ is the sum of the positive excesses; {size} terms",
                discrete_delta,
                excesses,
                40,
                200,
            ),
            *DISCRETE_GAUSSIAN,
        ),
        assumptions=(
            r"ρ-zCDP: $D_\lambda \le \rho\lambda$ between neighbours, for all orders $\lambda > 1$",
            CALLER,
            "integers",
            "an outsider, who sees the outputs",
        ),
        uses=("thm-alias-table", "lem-hockey-stick"),
    ),
)

TWINS = (
    Broken(
        "the tail is delta",
        "fdpedu.mechanisms.normal.gaussian_delta",
        "math.exp(first) * -math.expm1(second - first)",
        "math.exp(first)",
        "δ is the probability that the loss exceeds ε.",
        "thm-gaussian",
        "best threshold",
    ),
    Broken(
        "rounded scale, no shift",
        "fdpedu.sampling.gaussians.by_rejection",
        "variance / t, Rate",
        "variance * 0, Rate",
        "What is kept with probability e^(−y²/2σ²) is Gaussian, whatever was proposed.",
        "thm-discrete-gaussian",
        "replayed law",
    ),
    Broken(
        "close calls are tails",
        "fdpedu.sampling.coins.enclosed_coins",
        "start * (1 - SLACK) < high",
        "start < high - 2",
        "A float e^−γ is right to 16 digits, so the closest calls need no care.",
        "thm-discrete-gaussian",
        "coins",
    ),
    Broken(
        "the first coin's law for all",
        "fdpedu.sampling.coins.enclosed_coins",
        "exact(int(i))",
        "exact(0)",
        "Close calls are so rare that any of the distributions will do.",
        "thm-discrete-gaussian",
        "joint law of coins",
    ),
    Broken(
        "the first proposal's coin for all",
        "fdpedu.sampling.gaussians.by_rejection",
        "np.abs(tried)",
        "np.abs(np.full(tried.size, tried[0]))",
        "Proposals have one distribution, so their coins have one probability.",
        "thm-discrete-gaussian",
        "attempts",
    ),
    Broken(
        "zero on both sides",
        "fdpedu.sampling.gaussians._bounds",
        "2 * sum(side) - side[0]",
        "2 * sum(side)",
        "A symmetric distribution has as much on its negative side as from 0 on.",
        "thm-discrete-gaussian",
        "words and residual",
    ),
    Broken(
        "steps that stay the same",
        "fdpedu.sampling.gaussians._weights",
        "low_step * low_less >> scale, ceil_shift(high_step * high_less, scale)",
        "low_step, high_step",
        "Each weight is the one before times the same factor.",
        "thm-discrete-gaussian",
        "enclosures",
    ),
    Broken(
        "the sign before the square",
        "fdpedu.sampling.gaussians._alternating",
        "-(index // 2)",
        "-(index // 2) - 1",
        "The negative side begins where the positive one does.",
        "thm-discrete-gaussian",
        "replayed table",
    ),
    Broken(
        "a pmf of distances",
        "fdpedu.mechanisms.normal.discrete_gaussian_pmf",
        "Fraction(whole * whole)",
        "Fraction(abs(whole))",
        "The exponent is the distance over 2σ².",
        "thm-discrete-gaussian",
        "Rényi",
    ),
    Broken(
        "the last output that does not exceed",
        "fdpedu.mechanisms.normal.discrete_gaussian_delta",
        "math.ceil(Fraction(1, 2) - eps * variance) - 1",
        "math.floor(Fraction(1, 2) - eps * variance) - 1",
        "Whether the last output is counted has probability 0.",
        "thm-discrete-gaussian",
        "δ",
    ),
    Broken(
        "Gaussian words used again after a while",
        "fdpedu.sampling.alias.sample",
        "short_words(source, block.size)",
        "np.resize(short_words(source, min(block.size, 5000)), block.size)",
        "Numbers that are far enough apart may be alike.",
        "thm-discrete-gaussian",
        "long draws",
    ),
    Broken(
        "a variance in units of the sensitivity",
        "fdpedu.mechanisms.normal._variance",
        "steps * steps / (2",
        "steps / (2",
        "Noise grows in proportion to the sensitivity.",
        "thm-discrete-gaussian",
        "sensitivity",
    ),
    Broken(
        "no Gaussian count below 0",
        "fdpedu.mechanisms.normal.discrete_gaussian",
        "isinstance(value, (int, np.integer)) else values + noise",
        "isinstance(value, (int, np.integer)) else np.maximum(values, 0) + noise",
        "Counts cannot be negative, so a value below 0 is a mistake.",
        "thm-discrete-gaussian",
        "same noise",
    ),
)
