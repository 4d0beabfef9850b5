# Longer than 400 lines because every topic of this chapter takes its checks of words from here.

"""Random words, and the numbers that are made of them: no word is used twice, at any size.

A draw that repeats, or that shares its words with another, has the right distribution in every cell. So joint
distributions of small draws are enumerated; of long draws the words that each number is made of are compared, and what
they must not have in common is tested. A sensitivity changes the rate of the noise and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu import mechanisms as m
from fdpedu.claims.checking import as_case, require
from fdpedu.claims.dependence import ALPHA, bits_of, require_distinct, require_own_words, require_unrelated
from fdpedu.claims.frequencies import require_uniform
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import Probability, bounds, require_joint_law
from fdpedu.exact import Rate, exp_enclosure, occurrences
from fdpedu.mechanisms import (
    exponential,
    exponential_pmf,
    permute_and_flip,
    permute_and_flip_pmf,
    report_noisy_max,
    report_noisy_max_pmf,
)
from fdpedu.mechanisms.reals import snapped_laplace_pmf
from fdpedu.mechanisms.weights import Weights
from fdpedu.randomness import Rehearsal, ReplayedWords, SeededSource, Source, SystemSource, as_source, uniform_below
from fdpedu.sampling import exp_coins, geometric

PmfOf = Callable[..., list[Any]]
Pmf = Callable[[int], Probability]
OWN_WORDS = "{size} tapes of 64-bit words, altered half by half: no half reaches two numbers, each number has its own"
LONG_DRAWS = "{size} rehearsed numbers: signs and bits at any distance, or mirrored, are unrelated; hardly any twice"
SAME_WORDS = (
    "ε for Δ draws what ε/Δ draws for 1, from the same words; the stated distributions too; Δ to {size} and beyond"
)
_LONG = 70_000  # more words at once than any table or tile has
TINY = Fraction(1, 2**38)
EQUAL = [0] * 2  # candidates that are chosen equally often
_MAX_SUM = 1000  # the sum below the discrete Gaussian law is long for a large σ
WIDE = [5, 0, 3, -2, 40]
Shifted = Callable[[int, Source], Any]


def uniform_bytes(draws: int) -> None:
    """The bytes of the operating system's words are uniform: neither too far from it nor too near."""
    require_uniform(occurrences(SystemSource().words(draws).view(np.uint8), 256), alpha=1e-9)


SAMPLERS: dict[str, Any] = {
    "exponential": exponential,
    "permute-and-flip": permute_and_flip,
    "report-noisy-max": report_noisy_max,
}


PMFS: dict[str, PmfOf] = {
    "exponential": exponential_pmf,
    "permute-and-flip": permute_and_flip_pmf,
    "report-noisy-max": report_noisy_max_pmf,
}


def numbers_below(limits: tuple[int, ...], calls: int, word_bits: int, words: int) -> None:
    """Integers below bounds that differ, words that are refused included, and in several calls."""

    def draw(tape: ReplayedWords) -> Any:
        return [uniform_below(np.array(limits), tape) for _ in range(calls)]

    require_joint_law(draw, [among(limit) for limit in limits] * calls, words, word_bits=word_bits)


def among(limit: int) -> Pmf:
    """Each of 0, …, limit − 1 equally often."""
    return lambda k: Fraction(1, limit) if 0 <= k < limit else Fraction(0)


def limits_of_integers(words: int) -> Iterator[tuple[tuple[int, ...], int, int, int]]:
    """Two or three numbers, and two calls."""
    yield (3, 5), 1, 3, words
    yield (3, 3), 1, 2, words + 2
    yield (2, 3, 4), 1, 2, words + 1
    yield (3,), 2, 2, words + 2


SOURCES: dict[str, Callable[[], Source]] = {
    "operating system": SystemSource,
    "seeded generator": lambda: SeededSource(np.random.default_rng(3)),
    "rehearsal": lambda: Rehearsal(3),
}


@contextmanager
def in_a_test() -> Iterator[None]:
    """Nothing is released here, so seeds are no reason to warn; who releases something afterwards is warned."""
    warned = SeededSource._warned
    SeededSource._warned = True
    try:
        yield
    finally:
        SeededSource._warned = warned


def streams(kind: str, size: int) -> None:
    """Words before children are spawned, those of the children and of theirs, of later ones, and words after that."""
    with in_a_test():
        source = SOURCES[kind]()
        before, first, second = source.words(size), source.spawn(3), source.spawn(2)
        children = [*first, *second, *first[0].spawn(2)]
    drawn = [before, *(child.words(size) for child in children), source.words(size)]
    drawn += [*(child.words(size) for child in reversed(first)), source.words(_LONG)]
    words = np.concatenate(drawn)
    sizes = [*[size] * (len(drawn) - 1), _LONG]
    require(
        [part.size for part in drawn] == sizes and words.dtype == np.uint64, "they are not so many words of 64 bits"
    )
    require_distinct(words, "words")
    require_unrelated(bits_of(words, (0, 31, 32, 63)))


def same_generator(seed: int, size: int) -> None:
    """A generator that is handed in again goes on where it was; another seed has other words."""
    generator, other = np.random.default_rng(seed), np.random.default_rng(seed + 1)
    with in_a_test():
        again = [as_source(generator), as_source(generator), as_source(other)]
        children = [*as_source(generator).spawn(2), *as_source(generator).spawn(2)]
    require_distinct(np.concatenate([source.words(size) for source in [*again, *children]]), "words")


# --- Which words a number is made of ---
GRID = np.arange(6, dtype=np.int64).reshape(3, 2)


VECTORS: dict[str, tuple[Callable[[Source], Any], int]] = {  # a draw, and how many half words make one number
    "laplace": (lambda source: m.laplace(GRID, "1/3", source), 2),
    "gaussian": (lambda source: m.gaussian(GRID, 3, source), 2),
    "discrete Laplace": (lambda source: m.discrete_laplace(GRID, "1/20", source, sensitivity=3), 1),
    "discrete Laplace, two calls": (lambda source: [m.discrete_laplace(GRID, "1/40", source) for _ in range(2)], 1),
    "discrete Laplace, two digits": (lambda source: m.discrete_laplace(GRID, "1/50000", source, sensitivity=2), 2),
    "discrete Laplace, four digits": (lambda source: m.discrete_laplace(GRID.T, TINY, source), 4),
    "geometric, four digits": (lambda source: geometric(Rate(rate=TINY), 5, source), 4),
    "randomised response": (lambda source: m.randomised_response(GRID, "1/10", source, categories=50), 1),
    "integers below bounds": (lambda source: uniform_below(np.array([5, 99, 10**6, 7, 2**40]), source), 1),
    "exponential": (lambda source: [m.exponential([0] * 60, 1, source, size=3) for _ in range(2)], 1),
    "permute and flip": (lambda source: m.permute_and_flip([0] * 60, 1, source, size=5), 1),
    "noise of candidates": (lambda source: _noise_of_candidates(source), 2),
}


def _noise_of_candidates(source: Source) -> Any:
    weights = Weights([0, 3, 1], "1/50000", None, 1, False)
    return np.concatenate([weights.noise(rows, source) for rows in (2, 1)])


def own_words(name: str, seed: int) -> None:
    """Each number of a draw of 64-bit words is made of words of its own."""
    draw, least = VECTORS[name]
    require_own_words(draw, seed, least)


def vectors(names: tuple[str, ...], seeds: int) -> Iterator[tuple[str, int]]:
    """Those draws, each for so many seeds."""
    return product(names, range(seeds))


# --- Long draws ---


def _signs(numbers: Any) -> dict[str, NDArray[np.float64]]:
    """Fair signs of integers with a law that is symmetric around 0 and decays by 2^−38: the sign, and some bits."""
    flat = np.ravel(numbers)
    require_distinct(flat, "numbers", most=3 + (flat.size // 100_000) ** 2)
    return {f"the signs of {flat.size} numbers": np.sign(flat).astype(float), **bits_of(flat, (0, 9, 10, 20, 29))}


def _signs_of_reals(numbers: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    require_distinct(numbers, "numbers")
    return {f"the signs of {numbers.size} numbers": np.sign(numbers)}


def _where(numbers: Any, k: int, mass: Any) -> dict[str, NDArray[np.float64]]:
    """1 where a number is k and 0 elsewhere, less the probability that is stated."""
    flat = np.ravel(numbers)
    return {f"where {flat.size} numbers are {k}": (flat == k) - float(bounds(mass)[0])}


def _choices(name: str, n: int, source: Source) -> dict[str, NDArray[np.float64]]:
    """Two candidates that are equally good, and two of which one is better."""
    better = SAMPLERS[name]((1, 0), alpha="1/2", rng=source, size=n)
    rows = _where(better, 0, PMFS[name]((1, 0), alpha="1/2")[0])
    return rows if name == "report-noisy-max" else {**rows, **_halves(SAMPLERS[name](EQUAL, 1, source, size=2 * n))}


def _halves(chosen: Any) -> dict[str, NDArray[np.float64]]:
    """Signs of choices between two that are equally likely."""
    return {f"{np.size(chosen)} choices": 1.0 - 2.0 * np.ravel(chosen)}


LONG: dict[str, Callable[[int, Source], dict[str, NDArray[np.float64]]]] = {
    "laplace": lambda n, source: _signs_of_reals(m.laplace(np.zeros(n), 1, source)),
    "gaussian": lambda n, source: _signs_of_reals(m.gaussian(np.zeros((n // 2, 2)), 1, source)),
    "discrete Laplace": lambda n, source: _signs(
        m.discrete_laplace(np.zeros((n // 50, 50), dtype=np.int64), TINY, source)
    ),
    "discrete Laplace, small": lambda n, source: _where(
        m.discrete_laplace(np.zeros(n, dtype=np.int64), 1, source), 0, m.discrete_laplace_pmf(0, 1)
    ),
    "discrete Laplace, call after call": lambda n, source: _signs(
        [m.discrete_laplace(np.zeros(n // 40, dtype=np.int64), TINY, source) for _ in range(40)]
    ),
    "discrete Gaussian": lambda n, source: bits_of(
        m.discrete_gaussian(np.zeros(n // 4, dtype=np.int64), Fraction(1, 2**55), source), (0, 9, 20)
    ),
    "discrete Gaussian, small": lambda n, source: _where(
        m.discrete_gaussian(np.zeros(n, dtype=np.int64), "1/2", source), 0, m.discrete_gaussian_pmf(0, "1/2")
    ),
    "coins": lambda n, source: _where(
        exp_coins(np.full(n, math.exp(-1)), lambda i: Fraction(1), source), 1, exp_enclosure(Fraction(-1))
    ),
    "geometric": lambda n, source: bits_of(geometric(Rate(rate=TINY), n, source), (0, 9, 10, 20, 29)),
    "randomised response": lambda n, source: {
        **_halves(m.randomised_response(np.zeros(n, dtype=np.int64), TINY, source)),
        **_where(m.randomised_response(np.zeros(n, dtype=np.int64), 1, source), 0, m.randomised_response_pmf(0, 0, 1)),
    },
    "integers below bounds": lambda n, source: {
        **_halves(uniform_below(np.full(n, 2), source)),
        **bits_of(uniform_below(np.full(n, 2**62), source), (0, 31, 32, 61)),
    },
    "exponential": lambda n, source: _choices("exponential", n, source),
    "permute and flip": lambda n, source: _choices("permute-and-flip", n, source),
    "report noisy max": lambda n, source: _choices("report-noisy-max", n, source),
    "noise of candidates": lambda n, source: bits_of(
        Weights([0, 0, 0, 0], TINY, None, 1, True).noise(n // 4, source), (0, 9, 10, 20)
    ),
}


def long_draw(name: str, size: int) -> None:
    """Signs and bits of a long draw are those of independent fair coins; numbers hardly ever come twice."""
    require_unrelated(LONG[name](size, Rehearsal(5)))


def long_draws(names: tuple[str, ...], size: int) -> Iterator[tuple[str, int]]:
    """Those draws, of about so many numbers."""
    return ((name, size) for name in names)


# --- What a sensitivity does ---
Scaled = Callable[[Fraction, Any, Source], Any]


SCALED: dict[str, tuple[Scaled, int]] = {  # what is drawn with ε and Δ, and the power of Δ that ε is divided by
    "discrete Laplace": (lambda e, d, rng: m.discrete_laplace(WIDE, e, rng, sensitivity=d), 1),
    "slow discrete Laplace": (lambda e, d, rng: m.slow_discrete_laplace(7, e, rng, sensitivity=d), 1),
    "discrete Gaussian": (lambda e, d, rng: m.discrete_gaussian(WIDE, e, rng, sensitivity=d), 2),
    "laplace": (lambda e, d, rng: m.laplace(WIDE, e, rng, sensitivity=d), 1),
    "on a grid": (lambda e, d, rng: m.snapped_laplace("7/3", e, rng, grid="1/2", sensitivity=d), 1),
    "exponential": (lambda e, d, rng: m.exponential(WIDE, e, rng, sensitivity=d, size=9), 1),
    "permute and flip": (lambda e, d, rng: m.permute_and_flip(WIDE, e, rng, sensitivity=d, size=9), 1),
    "report noisy max": (lambda e, d, rng: m.report_noisy_max(WIDE, e, rng, sensitivity=d, size=9), 1),
    "monotone": (lambda e, d, rng: m.report_noisy_max(WIDE, e, rng, sensitivity=d, monotone=True, size=9), 1),
}


LAWS: dict[str, tuple[Callable[[Fraction, Any], list[Any]], int]] = {
    "discrete Laplace": (lambda e, d: [m.discrete_laplace_pmf(k, e, sensitivity=d) for k in (0, 1, -9)], 1),
    "discrete Gaussian": (lambda e, d: [m.discrete_gaussian_pmf(k, e, sensitivity=d) for k in (0, 1, -9)], 2),
    "on a grid": (
        lambda e, d: [snapped_laplace_pmf(k, "7/3", e, grid="1/2", sensitivity=d) for k in (4, 5, 9)],
        1,
    ),
    "exponential": (lambda e, d: m.exponential_pmf(WIDE, e, sensitivity=d), 1),
    "permute and flip": (lambda e, d: m.permute_and_flip_pmf(WIDE, e, sensitivity=d), 1),
    "report noisy max": (lambda e, d: m.report_noisy_max_pmf(WIDE, e, sensitivity=d), 1),
    "monotone": (lambda e, d: m.report_noisy_max_pmf(WIDE, e, sensitivity=d, monotone=True), 1),
}


def same_words(name: str, epsilon: Fraction, sensitivity: int) -> None:
    """ε for the sensitivity Δ draws what ε/Δ draws for 1, from the same words; and its stated law is the same."""
    draw, power = SCALED[name]
    scaled = epsilon / sensitivity**power
    one, other = draw(epsilon, sensitivity, Rehearsal(11)), draw(scaled, 1, Rehearsal(11))
    require(np.array_equal(one, other), f"drawn is {one}; with ε/Δ = {scaled} and Δ = 1 it is {other}")
    if name in LAWS and sensitivity <= _MAX_SUM:
        law, _ = LAWS[name]
        for p, q in zip(law(epsilon, sensitivity), law(scaled, 1), strict=True):
            require(bounds(p) == bounds(q), f"a probability is {p}; with ε/Δ = {scaled} and Δ = 1 it is {q}")


def sensitivities(names: tuple[str, ...], most: int) -> Iterator[tuple[str, Fraction, int]]:
    """Two ε, and sensitivities up to ``most`` and beyond it."""
    return product(names, (Fraction(1), Fraction(3, 7)), (2, 3, most, 10 * most + 1))


SHIFTED: dict[str, tuple[Shifted, bool]] = {  # what is drawn for values that are moved, and whether that moves it too
    "discrete Laplace": (lambda t, rng: m.discrete_laplace([t, t + 1, 0 * t], "1/9", rng) - [0, 0, -t], True),
    "discrete Laplace, one": (lambda t, rng: m.discrete_laplace(t, "1/9", rng), True),
    "slow discrete Laplace": (lambda t, rng: m.slow_discrete_laplace(t, "1/2", rng), True),
    "discrete Gaussian": (lambda t, rng: m.discrete_gaussian([t, t + 1], "1/90", rng), True),
    "on a grid": (lambda t, rng: m.snapped_laplace(t, "1/9", rng, grid="1/3"), True),
    "exponential": (lambda t, rng: m.exponential([t, t + 3, t - 1], 1, rng, size=40), False),
    "permute and flip": (lambda t, rng: m.permute_and_flip([t, t + 3, t - 1], 1, rng, size=40), False),
    "report noisy max": (lambda t, rng: m.report_noisy_max([t, t + 3, t - 1], 1, rng, size=40), False),
}


def same_noise(name: str, shift: int) -> None:
    """Noise does not depend on the values: from the same words it is the same wherever they are, to the last digit."""
    draw, moves = SHIFTED[name]
    here, there = draw(0, Rehearsal(17)), draw(shift, Rehearsal(17))
    require(np.array_equal(there, here + shift if moves else here), f"drawn is {there} after a shift, before it {here}")


def shifts(names: tuple[str, ...], bits: int) -> Iterator[tuple[str, int]]:
    """Values moved a little, and far, both ways."""
    return product(names, (1, -1, 255, 2**31, -(2**53) - 1, 2**bits, 1 - 2**bits))


# --- The variance that is promised ---


def promised_variance(epsilon: Fraction, sensitivity: int, draws: int) -> None:
    """Mean and mean square of noisy zeros are those of the discrete Laplace law with the rate ε/Δ."""
    noise = m.discrete_laplace(np.zeros(draws, dtype=np.int64), epsilon, Rehearsal(13), sensitivity=sensitivity)
    require_moments(noise, variance_of(epsilon / sensitivity), 1)


def variance_of(rate: Fraction) -> float:
    """2α/(1 − α)², the variance of the discrete Laplace law."""
    return 1 / (2 * math.sinh(float(rate) / 2) ** 2)


def require_moments(noise: NDArray[Any], variance: float, shares: float) -> None:
    """Mean 0 and that variance, within 7 standard errors, for a sum of ``shares`` times the shares of one noise.

    For discrete Laplace noise E[Y⁴] = 6·Var² + Var, at most; more shares have less excess, fewer more.
    """
    flat = np.ravel(noise).astype(float)
    kurtosis = 3 + 3 / shares + 1 / variance
    mean, square = float(flat.mean()), float((flat**2).mean())
    off, spread = math.sqrt(variance / flat.size), variance * math.sqrt((kurtosis - 1) / flat.size)
    require(abs(mean) <= 7 * off, f"the mean of {flat.size} numbers is {mean:.4g}, expected is 0 ± {off:.2g}")
    require(
        abs(square - variance) <= 7 * spread,
        f"the mean square of {flat.size} numbers is {square:.6g}, promised is {variance:.6g} ± {spread:.2g}",
    )


def budgets(draws: int) -> Iterator[tuple[Fraction, int, int]]:
    """ε from 5 to 10⁻⁹, sensitivities 1 to 1,000."""
    epsilons = (Fraction(e) for e in ("5", "1", "1/10", "1/100", "1/10000", "1/1000000000"))
    return product(epsilons, (1, 2, 3, 1000), [draws])


def words_are_own(*names: str) -> Check:
    """No two numbers of these draws share a word."""
    return Check("own words", "exact", OWN_WORDS, own_words, partial(vectors, names), 1, 9)


def nothing_repeats(*names: str) -> Check:
    """Nothing in these draws repeats."""
    cases = partial(long_draws, names)
    return Check("long draws", "statistical", LONG_DRAWS, long_draw, cases, 40_000, 400_000, alpha=ALPHA)


def rates_are_divided(*names: str) -> Check:
    """For these mechanisms a sensitivity divides the rate, and does nothing else."""
    cases = partial(sensitivities, names)
    return Check("sensitivity", "exact", SAME_WORDS, same_words, cases, 100, 1000)


def values_do_not_matter(*names: str) -> Check:
    """What these mechanisms add does not depend on the values."""
    shows = "values moved by up to 2^{size}, both ways: from the same words they draw the same noise"
    return Check("same noise", "exact", shows, same_noise, partial(shifts, names), 61)


RANDOM_WORDS = (
    Check(
        "streams",
        "statistical",
        "all three sources: {size} words before, of children, of theirs and after: none twice, bits unrelated",
        streams,
        lambda size: product(SOURCES, [size]),
        2000,
        10_000,
        alpha=ALPHA,
    ),
    Check(
        "generators",
        "statistical",
        "a generator that is handed in again, and its children: of {size} words each, none comes twice",
        same_generator,
        lambda size: product((1, 2), [size]),
        500,
        50_000,
        alpha=ALPHA,
    ),
    Check(
        "integers below bounds",
        "exact",
        "two or three integers, one and two calls, over all tapes of {size} 3-bit words or more of 2 bits: "
        "their joint distribution",
        numbers_below,
        limits_of_integers,
        4,
        5,
    ),
)


CLAIMS = (
    Claim(
        "asm-random-words",
        status="assumed",
        code=("fdpedu.randomness.SystemSource",),
        checks=(
            Check(
                "bytes",
                "statistical",
                "chi-square of the bytes of {size} fresh words, two-sided",
                uniform_bytes,
                as_case,
                20_000,
                2_000_000,
                alpha=1e-9,
            ),
            *RANDOM_WORDS,
        ),
    ),
)

TWINS = (
    Broken(
        "children of one seed",
        "fdpedu.randomness.SeededSource.spawn",
        "self._generator.spawn(n)",
        "np.random.default_rng(0).spawn(n)",
        "Children of any generator are independent, so it does not matter of which.",
        "asm-random-words",
        "streams",
    ),
    Broken(
        "one word for all that were refused",
        "fdpedu.randomness.uniform_below",
        "source.words(refused.size)",
        "source.words(1)",
        "A word is refused so rarely that two are never refused at once.",
        "asm-random-words",
        "integers below bounds",
    ),
)
