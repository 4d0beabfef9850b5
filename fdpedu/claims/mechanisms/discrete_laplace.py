# Longer than 400 lines because each check of its theorem stands beside a bug that it sees.

"""Discrete Laplace noise: the distribution that the shipped sampler has, in one cell and in all of them together."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.claims.checking import require
from fdpedu.claims.dependence import ALPHA
from fdpedu.claims.mechanisms.words import (
    Pmf,
    budgets,
    nothing_repeats,
    promised_variance,
    rates_are_divided,
    values_do_not_matter,
    words_are_own,
)
from fdpedu.claims.mutation import Broken
from fdpedu.claims.noisy_counts import worst_ratio
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import bounds, patched, require_joint_law, require_law
from fdpedu.mechanisms import discrete_laplace, discrete_laplace_pmf, slow_discrete_laplace
from fdpedu.randomness import ReplayedWords, ZeroWords

Given = dict[str, Any]  # the parameters of a mechanism by their names: ε or α, and the sensitivity
_MAX_UNDECIDED = Fraction(1, 4)


def replayed(value: int, given: Given, words: int) -> None:
    """The shipped sampler has the stated law."""
    require_law(
        lambda tape: int(discrete_laplace(value, rng=tape, **given)),
        lambda output: discrete_laplace_pmf(output - value, **given),
        words,
        Fraction(1, 20),
    )


def noisy_values(words: int) -> Iterator[tuple[int, Given, int]]:
    """Values with α or ε given, and the sensitivity 1 or 2."""
    yield 0, {"alpha": "1/5"}, words
    yield -2, {"alpha": "1/3"}, words
    yield 1, {"epsilon": 2}, words
    yield 0, {"epsilon": 4, "sensitivity": 2}, words


def tight(alpha: Fraction, a: int, b: int) -> None:
    """The worst ratio of the outputs of a and b is exactly α^{−|a−b|}: ε-DP for sensitivity 1, and no better."""
    require(worst_ratio([a], [b], alpha) == alpha ** -abs(a - b), f"the worst ratio is {worst_ratio([a], [b], alpha)}")


def pairs_of_values(most: int) -> Iterator[tuple[Fraction, int, int]]:
    """Three α, and all pairs of values up to ``most``."""
    around = range(-most, most + 1)
    return product((Fraction(1, 10), Fraction(1, 3), Fraction(7, 9)), around, around)


class _MoreDraws(Exception):
    """The script ended; ``masses`` are the probabilities of what comes next."""

    def __init__(self, masses: list[Fraction]) -> None:
        super().__init__(masses)
        self.masses = masses


def _scripted(script: tuple[int, ...], coins: bool) -> dict[str, Any]:
    """What the slow sampler draws, played from a script: uniform numbers, or (which is shorter) whole coins."""
    left = list(script)

    def play(masses: list[Fraction]) -> int:
        if not left:
            raise _MoreDraws(masses)
        return left.pop(0)

    def uniform_below(bound: NDArray[np.int64], source: Any) -> NDArray[np.int64]:
        n = int(bound[0])
        return np.array([play([Fraction(1, n)] * n) if n > 1 else 0])

    def coin(p: Fraction, source: Any) -> bool:
        return play([1 - p, p]) == 1 if 0 < p < 1 else p == 1

    return {"uniform_below": uniform_below, "_coin": coin} if coins else {"uniform_below": uniform_below}


def slow_law(given: Given, draws: int) -> None:
    """Over all outcomes of its first draws, the slow sampler has the stated law."""
    decided: dict[int, Fraction] = {}
    undecided = Fraction(0)
    pending: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while pending:
        script, mass = pending.pop()
        try:
            with patched("fdpedu.mechanisms.counts", **_scripted(script, coins="epsilon" in given)):
                output = slow_discrete_laplace(0, rng=ZeroWords(), **given)
            decided[output] = decided.get(output, Fraction(0)) + mass
        except _MoreDraws as more:
            if len(script) == draws:
                undecided += mass
            else:
                pending += [((*script, v), mass * part) for v, part in enumerate(more.masses)]
    require(undecided <= _MAX_UNDECIDED, f"a share of {float(undecided):.3f} is undecided")
    for output, mass in sorted(decided.items()):
        low, high = bounds(discrete_laplace_pmf(output, **given))
        require(
            mass <= high and low <= mass + undecided,
            f"Pr[{output}] is at least {float(mass):.5f}, not {float(high):.5f}",
        )


def parameters(draws: int) -> Iterator[tuple[Given, int]]:
    """Two α, and two ε."""
    for given in ({"alpha": "1/2"}, {"alpha": "1/3"}, {"epsilon": "2"}, {"epsilon": "3/2"}):
        yield given, draws


def vectors(counts: tuple[int, int], other: tuple[int, int], alpha: Fraction) -> None:
    """The worst ratio of two noisy counts is α^(−ℓ₁ distance), and is attained."""
    worst, distance = Fraction(1), sum(abs(a - b) for a, b in zip(counts, other, strict=True))
    for a, b in zip(counts, other, strict=True):
        outputs = range(min(a, b) - 2, max(a, b) + 3)
        worst *= max(lower_mass(y - a, alpha) / lower_mass(y - b, alpha) for y in outputs)
    require(worst == alpha**-distance, f"the worst ratio is {worst}, at distance {distance}")


def pairs(most: int) -> Iterator[tuple[tuple[int, int], tuple[int, int], Fraction]]:
    """All pairs of two counts up to ``most``, two α."""
    counts = list(product(range(most + 1), range(most + 1)))
    return product(counts, counts, (Fraction(1, 3), Fraction(7, 9)))


def lower_mass(k: int, alpha: Fraction) -> Fraction:
    """The lower end of Pr[k], which for a rational α is the probability itself."""
    return bounds(discrete_laplace_pmf(k, alpha=alpha))[0]


def counts(values: tuple[Any, ...], calls: int, given: Given, words: int) -> None:
    """Noisy counts of one call, whatever its shape, and of several calls."""
    table = np.array(values)

    def draw(tape: ReplayedWords) -> Any:
        drawn = [discrete_laplace(table, rng=tape, **given) for _ in range(calls)]
        require(all(noisy.shape == table.shape for noisy in drawn), "the shape is another one")
        return drawn

    laws = [around(int(value), given) for value in table.flat]
    require_joint_law(draw, laws * calls, words)


def around(value: int, given: Given) -> Pmf:
    """That value with discrete Laplace noise."""
    return lambda k: discrete_laplace_pmf(k - value, **given)


def tables_of_counts(words: int) -> Iterator[tuple[tuple[Any, ...], int, Given, int]]:
    """A row, a column, two rows of one cell; two calls; sensitivities 1 to 3; α and ε."""
    yield (0, 7), 1, {"alpha": "1/5"}, words
    yield ((3, 3),), 1, {"epsilon": 2}, words
    yield ((-2,), (5,)), 1, {"epsilon": 4, "sensitivity": 2}, words
    yield (1,), 2, {"epsilon": 6, "sensitivity": 3}, words


def slow_counts(alpha: Fraction, words: int) -> None:
    """Two calls of the slow sampler, over tapes of single bits."""
    mass = partial(discrete_laplace_pmf, alpha=alpha)
    require_joint_law(
        lambda tape: [slow_discrete_laplace(0, rng=tape, alpha=alpha) for _ in range(2)], [mass] * 2, words, word_bits=1
    )


DISCRETE_LAPLACE = (
    Check(
        "joint law",
        "exact",
        "two counts in a row, a column, two calls, sensitivities 1 to 3, over all tapes of {size} 3-bit words: "
        "the product of their distributions",
        counts,
        tables_of_counts,
        4,
        5,
        more=[(((0,), (1,), (9,)), 1, {"alpha": "1/15"}, 4)],
    ),
    Check(
        "slow sampler, twice",
        "exact",
        "two calls of the slow sampler over all tapes of {size} bits, α = 1/2: the product of their distributions",
        slow_counts,
        lambda bits: [(Fraction(1, 2), bits)],
        11,
        15,
    ),
    words_are_own(
        "discrete Laplace",
        "discrete Laplace, two calls",
        "discrete Laplace, two digits",
        "discrete Laplace, four digits",
    ),
    nothing_repeats("discrete Laplace", "discrete Laplace, small", "discrete Laplace, call after call"),
    rates_are_divided("discrete Laplace", "slow discrete Laplace"),
    values_do_not_matter("discrete Laplace", "discrete Laplace, one", "slow discrete Laplace"),
    Check(
        "promised variance",
        "statistical",
        "ε from 5 to 10⁻⁹, Δ = 1, 2, 3, 1000: mean and mean square of {size} rehearsed draws, two-sided",
        promised_variance,
        budgets,
        20_000,
        1_000_000,
        alpha=ALPHA,
    ),
)


OUTSIDER = "an outsider, who sees the outputs"
CALLER = r"neighbours: those for which $\Delta$ was computed"

CLAIMS = (
    Claim(
        "thm-discrete-laplace",
        status="proved+checked",
        code=(
            "fdpedu.mechanisms",
            "fdpedu.mechanisms.counts",
            "fdpedu.mechanisms.counts.discrete_laplace",
            "fdpedu.mechanisms.counts.slow_discrete_laplace",
        ),
        checks=(
            Check(
                "replayed law",
                "exact",
                "the shipped sampler over all tapes of {size} 4-bit words, α and ε given, sensitivity 1 and 2",
                replayed,
                noisy_values,
                4,
                5,
            ),
            Check(
                "slow sampler",
                "exact",
                "the slow sampler over all outcomes of its first {size} uniform draws, α given, or coins, ε given",
                slow_law,
                parameters,
                13,
                17,
            ),
            Check(
                "tightness",
                "exact",
                "worst ratio of the clamped distributions around all values up to {size}, three rational α",
                tight,
                pairs_of_values,
                4,
                9,
            ),
            Check(
                "vectors",
                "exhaustive",
                "all pairs of two counts up to {size}: the worst ratio is α^(−ℓ₁ distance), by the shipped pmf",
                vectors,
                pairs,
                3,
                5,
            ),
            Check(
                "random tightness",
                "property",
                "the same for {size} random α and values",
                tight,
                lambda draw: draw.tuples(draw.alphas, draw.integers(-9, 9), draw.integers(-9, 9)),
                60,
                2000,
            ),
            *DISCRETE_LAPLACE,
        ),
        assumptions=(CALLER, "integers", OUTSIDER),
        uses=("thm-alias-table", "lem-atoms"),
    ),
)

TWINS = (
    Broken(
        "sensitivity forgotten",
        "fdpedu.mechanisms.discrete_laplace",
        "Rate.of(epsilon, alpha, sensitivity)",
        "Rate.of(epsilon, alpha)",
        "Noise of scale 1/ε is enough for any query.",
        "thm-discrete-laplace",
        "replayed law",
    ),
    Broken(
        "one-sided noise",
        "fdpedu.mechanisms.counts.discrete_laplace_noise",
        "two_sided_geometric(rate, size, source)",
        "np.abs(two_sided_geometric(rate, size, source))",
        "Counts cannot be negative, so noise need not be.",
        "thm-discrete-laplace",
        "replayed law",
    ),
    Broken(
        "minus zero",
        "fdpedu.mechanisms.counts.slow_discrete_laplace",
        "if not (negative and size == 0):",
        "if size >= 0:",
        "A number and a random sign make a symmetric distribution.",
        "thm-discrete-laplace",
        "slow sampler",
    ),
    Broken(
        "one noise for all cells",
        "fdpedu.mechanisms.counts.discrete_laplace_noise",
        "two_sided_geometric(rate, size, source)",
        "np.repeat(two_sided_geometric(rate, 1, source), size)",
        "Every cell has the right distribution, so all of them have.",
        "thm-discrete-laplace",
        "joint law",
    ),
    Broken(
        "half of the noise, twice",
        "fdpedu.mechanisms.discrete_laplace",
        "discrete_laplace_noise(rate, values.size, source).reshape(values.shape)",
        "np.resize(discrete_laplace_noise(rate, -(-values.size // 2), source), values.shape)",
        "What is far enough apart may be alike.",
        "thm-discrete-laplace",
        "long draws",
    ),
    Broken(
        "a sensitivity of two at most",
        "fdpedu.mechanisms.discrete_laplace",
        "Rate.of(epsilon, alpha, sensitivity)",
        "Rate.of(epsilon, alpha, min(sensitivity, 2))",
        "A record is added or replaced, so nothing changes by more than two.",
        "thm-discrete-laplace",
        "sensitivity",
    ),
    Broken(
        "a pmf of squares",
        "fdpedu.mechanisms.counts.discrete_laplace_pmf",
        "rate.weight(abs(_whole(k)))",
        "rate.weight(_whole(k) ** 2)",
        "Noise that falls off faster is safer.",
        "thm-discrete-laplace",
        "vectors",
    ),
    Broken(
        "a sign that is size's",
        "fdpedu.mechanisms.counts.slow_discrete_laplace",
        "negative = _coin(Fraction(1, 2), source)",
        "negative = size % 2 == 1",
        "Whether the size is odd is as good as a coin.",
        "thm-discrete-laplace",
        "slow sampler, twice",
    ),
    Broken(
        "two cells of one word",
        "fdpedu.mechanisms.counts.discrete_laplace_noise",
        "two_sided_geometric(rate, size, source)",
        "np.repeat(two_sided_geometric(rate, -(-size // 2), source), 2)[:size]",
        "Cells in pairs still differ from all others.",
        "thm-discrete-laplace",
        "own words",
    ),
    Broken(
        "no count below 0",
        "fdpedu.mechanisms.discrete_laplace",
        "return int(values + noise) if isinstance(value, (int, np.integer)) else values + noise",
        "return int(values + noise) if isinstance(value, (int, np.integer)) else np.maximum(values, 0) + noise",
        "Counts cannot be negative, so a value below 0 is a mistake.",
        "thm-discrete-laplace",
        "same noise",
    ),
    Broken(
        "a small rate is rounded up",
        "fdpedu.mechanisms.counts.discrete_laplace_noise",
        "two_sided_geometric(rate, size, source)",
        "two_sided_geometric(max(rate, Rate.of('1/1000'), key=float), size, source)",
        "A scale above a thousand is noise enough.",
        "thm-discrete-laplace",
        "promised variance",
    ),
    Broken(
        "a pmf of two powers",
        "fdpedu.mechanisms.counts.discrete_laplace_pmf",
        "rate.weight(abs(_whole(k)))",
        "rate.weight(2 * abs(_whole(k)))",
        "The noise is a difference of two geometric numbers, so its weights are squares.",
        "thm-discrete-laplace",
        "tightness",
    ),
    Broken(
        "a pmf that falls off beyond four",
        "fdpedu.mechanisms.counts.discrete_laplace_pmf",
        "rate.weight(abs(_whole(k)))",
        "rate.weight(abs(_whole(k)) + max(0, abs(_whole(k)) - 4))",
        "Beyond four steps noise is so rare that it may as well be rarer.",
        "thm-discrete-laplace",
        "random tightness",
    ),
)
